//! Numbers as people read them.

/// A number with thousands separators and as many decimals as matter at its size: `8,192`, `30,358.2`, `2.081`, `0.0311`.
pub fn number(value: f64) -> String {
    let size = value.abs();
    let decimals = if size >= 100.0 {
        1
    } else if size >= 10.0 {
        2
    } else if size >= 1.0 {
        3
    } else {
        4
    };
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    separated(text)
}

/// The text of a number with a comma for each thousand.
fn separated(text: &str) -> String {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |rest| ("−", rest));
    let (whole, fraction) = digits.split_once('.').map_or((digits, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut out = String::with_capacity(text.len() + 8);
    // A number that rounds to zero has no sign.
    if digits.bytes().any(|b| matches!(b, b'1'..=b'9')) {
        out.push_str(sign);
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// A number for JSON: without the digits that floating-point arithmetic adds behind the ninth significant one.
pub fn rounded(value: f64) -> f64 {
    if !value.is_finite() {
        return 0.0;
    }
    if value == 0.0 || value.fract() == 0.0 {
        return value + 0.0;
    }
    let digits = 9 - libm::log10(value.abs()).ceil() as i32;
    if !(0..=12).contains(&digits) {
        return if digits > 12 { (value * 1e12).round() / 1e12 } else { value };
    }
    let scale = POWERS[digits as usize];
    (value * scale).round() / scale
}

const POWERS: [f64; 13] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        for (value, text) in [
            (8192.0, "8,192"),
            (30358.2, "30,358.2"),
            (2.0811, "2.081"),
            (0.031_09, "0.0311"),
            (1_234_567.0, "1,234,567"),
            (-812.0, "−812"),
            (-0.000_001, "0"),
            (12.8, "12.8"),
            (100.0, "100"),
            (1000.0, "1,000"),
            (0.0, "0"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn json_numbers_lose_only_noise() {
        assert_eq!(rounded(0.95 * 31956.0), 30358.2);
        assert_eq!(rounded(f64::NAN), 0.0);
        assert_eq!(rounded(1e300), 1e300);
        assert_eq!(rounded(1e-300), 0.0);
    }
}
