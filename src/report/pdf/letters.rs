//! Texts that the fonts can show. PDF/A forbids a character without a glyph, so each is replaced before Typst sees it, and
//! what cannot be seen at all is taken out.

use serde_json::Value;

use super::world::FONTS;

/// Stands for a character that no font of the report has.
const MISSING: char = '□';
/// Words longer than this may be broken anywhere, so that they stay inside their column.
const LONGEST_WORD: usize = 12;
/// A break may stand here without a mark.
const BREAK: char = '\u{200b}';

/// How much the fonts are trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// Every character that some font has.
    Usual,
    /// Only what the report's own face has, and no marks that combine with others: for the rare text whose characters
    /// are there one by one but not together.
    Strict,
}

/// Whether a text of a value has the mark of a replaced character.
pub(super) fn has_replaced(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(MISSING),
        Value::Array(values) => values.iter().any(has_replaced),
        Value::Object(fields) => fields.values().any(has_replaced),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Replaces in every text of a value what cannot be shown.
pub(super) fn clean_all(value: &mut Value, care: Care) {
    match value {
        Value::String(text) => {
            if !text.bytes().all(|b| (0x20..0x7f).contains(&b)) {
                *text = clean(text, care);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| clean_all(value, care)),
        Value::Object(fields) => fields.values_mut().for_each(|value| clean_all(value, care)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text with what cannot be shown replaced, and what has no shape left out.
pub(super) fn clean(text: &str, care: Care) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' '..='~' => out.push(character),
            c if c.is_whitespace() => out.push(' '),
            c if c.is_control() || invisible(c) => {}
            c if combines(c) && care == Care::Strict => {}
            c if private(c) => out.push(MISSING),
            c if FONTS.show(c, care == Care::Strict) => out.push(c),
            _ => out.push(MISSING),
        }
    }
    out
}

/// Characters that only steer others: joiners, marks of direction, variation selectors, tags.
fn invisible(c: char) -> bool {
    matches!(u32::from(c),
        0x00ad | 0x034f | 0x061c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f
        | 0x202a..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffb
        | 0xe0000..=0xe0fff)
}

fn combines(c: char) -> bool {
    matches!(u32::from(c),
        0x0300..=0x036f | 0x0483..=0x0489 | 0x0591..=0x05c7 | 0x0610..=0x061a | 0x064b..=0x065f | 0x1ab0..=0x1aff
        | 0x1dc0..=0x1dff | 0x20d0..=0x20ff | 0xfe20..=0xfe2f)
}

fn private(c: char) -> bool {
    matches!(u32::from(c), 0xe000..=0xf8ff | 0xf_0000..)
}

/// A text with chances to break inside its long words: behind marks that join parts, and anywhere in parts that stay
/// long.
pub(super) fn breakable(text: &str) -> String {
    if text.split(' ').all(|word| word.chars().count() <= LONGEST_WORD) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for (index, word) in text.split(' ').enumerate() {
        if index > 0 {
            out.push(' ');
        }
        if word.chars().count() <= LONGEST_WORD {
            out.push_str(word);
            continue;
        }
        let mut since = 0;
        let mut rest = word.chars().peekable();
        while let Some(c) = rest.next() {
            out.push(c);
            since += 1;
            let joins = matches!(c, '_' | '/' | '.' | ':' | '-' | '@' | '\\' | ',' | ';' | '=') && since > 2;
            let script = |c: char| c.is_ascii_alphanumeric() || ('\u{c0}'..'\u{590}').contains(&c);
            // Letters of scripts that join are not torn apart: their words are short, or they are no words.
            let long = since >= LONGEST_WORD && (rest.peek().is_none_or(|next| script(*next)) || since >= 24);
            if (joins || long) && rest.peek().is_some_and(|next| !combines(*next)) {
                out.push(BREAK);
                since = 0;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_a_shape_is_left() {
        assert_eq!(clean("plain", Care::Usual), "plain");
        assert_eq!(clean("a\u{0}b\u{7}c\u{202e}d\tе\u{feff}", Care::Usual), "abcd е");
        assert_eq!(clean("東京 🚀", Care::Usual), "□□ □");
        assert_eq!(clean("\u{e000}\u{10ffff}", Care::Usual), "□□");
        assert_eq!(clean("é e\u{301}", Care::Strict), "é e");
    }

    #[test]
    fn long_words_may_break() {
        assert_eq!(breakable("short words only"), "short words only");
        assert_eq!(breakable("Data_BtsMsgBox x"), "Data_\u{200b}BtsMsgBox x");
        assert_eq!(breakable(&"x".repeat(30)).matches(BREAK).count(), 2);
    }
}
