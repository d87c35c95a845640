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
    if size.is_nan() || size >= MOST_COUNTED {
        return separated(&format!("{size:.0}"), "", value < 0.0);
    }
    // Counted in units of the last decimal: much faster than exact printing, and an answer has two hundred numbers.
    let scale = [1, 10, 100, 1_000, 10_000][decimals];
    let counted = (size * scale as f64).round() as u64;
    let (whole, mut fraction, mut digits) = (counted / scale, counted % scale, decimals);
    while digits > 0 && fraction % 10 == 0 {
        fraction /= 10;
        digits -= 1;
    }
    let mut buffer = [b'0'; 4];
    for place in buffer[..digits].iter_mut().rev() {
        *place = b'0' + (fraction % 10) as u8;
        fraction /= 10;
    }
    // A number that rounds to zero has no sign.
    let negative = value < 0.0 && counted > 0;
    separated(itoa::Buffer::new().format(whole), std::str::from_utf8(&buffer[..digits]).unwrap_or_default(), negative)
}

/// A number with thousands separators and every digit that it has: `180.73`.
pub fn exact(value: f64) -> String {
    let text = value.abs().to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    separated(whole, fraction, value < 0.0)
}

/// Numbers below are counted in ten thousandths without loss.
const MOST_COUNTED: f64 = 1e11;

/// Digits before and behind the point as one text, with a comma for each thousand and the sign.
fn separated(whole: &str, fraction: &str, negative: bool) -> String {
    let mut out = String::with_capacity(whole.len() * 4 / 3 + fraction.len() + 5);
    if negative {
        out.push('−');
    }
    let first = if whole.len() > 3 { (whole.len() - 1) % 3 + 1 } else { whole.len() };
    out.push_str(&whole[..first]);
    let mut thousands = &whole[first..];
    while let Some((three, rest)) = thousands.split_at_checked(3) {
        out.push(',');
        out.push_str(three);
        thousands = rest;
    }
    if !fraction.is_empty() {
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
    let size = value.abs();
    if size > 1e9 {
        return value;
    }
    // Digits before the point, negative for zeros behind it.
    let before = MAGNITUDES.partition_point(|magnitude| *magnitude < size);
    let scale = POWERS[(POWERS.len() - 1).min(MAGNITUDES.len() - 1 - before)];
    (value * scale).round() / scale
}

/// Scales that keep 0 to 12 decimals.
const POWERS: [f64; 13] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];
/// Sizes at which one decimal less is kept.
const MAGNITUDES: [f64; 13] = [1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

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
            (999.96, "1,000"),
            (f64::NAN, "NaN"),
            (f64::NEG_INFINITY, "−inf"),
        ] {
            assert_eq!(number(value), text);
        }
        assert_eq!(number(f64::MIN).matches(',').count(), 102);
    }

    #[test]
    fn what_was_given_keeps_its_digits() {
        for (value, text) in
            [(180.73, "180.73"), (1234.5678, "1,234.5678"), (0.1, "0.1"), (-2.0, "−2"), (32768.0, "32,768")]
        {
            assert_eq!(exact(value), text);
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
