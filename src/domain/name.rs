//! What a name may hold.

/// Characters of a name at most.
pub const MOST_LETTERS: usize = 200;

/// Whether a text names something: not blank, not too long, nothing in it that is not seen but changes what is read.
pub fn is_name(text: &str) -> bool {
    !text.trim().is_empty() && text.chars().count() <= MOST_LETTERS && !text.chars().any(is_hidden)
}

/// A character that is not seen but changes what is read: control characters, line and paragraph separators, marks that
/// turn the direction of what follows, and characters without a width. Joiners stay: scripts and emoji need them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}')
        || matches!(u32::from(c), 0xe0000..=0xe007f)
        || u32::from(c) & 0xfffe == 0xfffe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_hide_nothing() {
        for name in ["SQL Server", "東京 🚀", "é e\u{301}", "می\u{200c}خواهم", "👩\u{200d}💻", &"x".repeat(200)]
        {
            assert!(is_name(name), "{name:?}");
        }
        let hidden = [
            "a\u{0}",
            "a\u{202e}b",
            "a\u{2066}b",
            "\u{200b}",
            "a\u{feff}",
            "a\nb",
            "a\u{2028}b",
            "a\u{ffff}",
            "\u{e0041}",
        ];
        for name in hidden.into_iter().chain(["", "  ", &"x".repeat(201)]) {
            assert!(!is_name(name), "{name:?}");
        }
    }
}
