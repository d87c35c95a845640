//! Numbers as tools print them.

/// A finite number, with a decimal point or comma; thousands separators are not guessed.
pub fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let begins = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !begins.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == ',') {
        return None;
    }
    let value = match text.split_once(',') {
        Some((whole, part)) => format!("{whole}.{part}").parse::<f64>(),
        None => text.parse(),
    };
    value.ok().filter(|value| value.is_finite())
}

/// The number at the start of a text, and what follows it.
pub fn leading(text: &str) -> Option<(f64, &str)> {
    let text = text.trim_start();
    let end = text.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+'))).unwrap_or(text.len());
    let value = number(&text[..end])?;
    Some((value, &text[end..]))
}

/// The number that follows `key` and white space, `:` or `=`.
pub fn after(line: &str, key: &str) -> Option<f64> {
    let rest = &line[line.find(key)? + key.len()..];
    leading(rest.trim_start_matches([' ', '\t', ':', '='])).map(|(value, _)| value)
}

/// A size as tools write it, in KiB: `4k`, `8KiB`, `64K`, `1M`, `2048` (bytes), `2048B`.
pub fn size_kib(text: &str) -> Option<f64> {
    let (value, unit) = leading(text)?;
    let unit = unit.trim().to_ascii_lowercase();
    let factor = match unit.trim_end_matches("ib").trim_end_matches('b') {
        "" => 1.0 / 1024.0,
        "k" => 1.0,
        "m" => 1024.0,
        "g" => 1024.0 * 1024.0,
        _ => return None,
    };
    Some(value * factor).filter(|kib| *kib > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_tools_print() {
        assert_eq!(number(" 12.5 "), Some(12.5));
        assert_eq!(number("12,5"), Some(12.5));
        assert_eq!(number("-1"), Some(-1.0));
        for nonsense in ["", " ", "NaN", "inf", "-inf", "1e999", "1.2.3", "abc", "12,5,6", "-"] {
            assert_eq!(number(nonsense), None, "{nonsense}");
        }
        assert_eq!(leading("4.0255s"), Some((4.0255, "s")));
        assert_eq!(after("Avg_Latency(ms): 3", "Avg_Latency(ms)"), Some(3.0));
    }

    #[test]
    fn reads_sizes() {
        for (text, kib) in [("4k", 4.0), ("8KiB", 8.0), ("1M", 1024.0), ("2048B", 2.0), ("512", 0.5), ("16384", 16.0)] {
            assert_eq!(size_kib(text), Some(kib), "{text}");
        }
        assert_eq!(size_kib("4x"), None);
        assert_eq!(size_kib("0k"), None);
    }
}
