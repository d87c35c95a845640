//! Sentences of the Fluent file, taken apart once. An answer says fifty of them, and resolving each anew in Fluent would
//! take most of the time of a sizing. What is not covered here (terms, functions, attributes) goes to Fluent itself.

use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use intl_pluralrules::{PluralCategory, PluralRules};

use super::Word;
use super::number::number;

/// A sentence with places for words.
pub(super) struct Sentence(Vec<Piece>);

enum Piece {
    Text(String),
    /// The word of this name.
    Word(String),
    Choice {
        by: String,
        arms: Vec<(Key, Sentence)>,
        otherwise: Sentence,
    },
}

/// What a choice compares its word with.
enum Key {
    Number(f64),
    Category(PluralCategory),
    Text(String),
}

impl Sentence {
    /// None where the pattern needs more of Fluent than is covered.
    pub(super) fn of(pattern: &Pattern<&str>) -> Option<Self> {
        let piece = |element: &PatternElement<&str>| match element {
            PatternElement::TextElement { value } => Some(Piece::Text((*value).to_owned())),
            PatternElement::Placeable { expression: Expression::Inline(inline) } => match inline {
                InlineExpression::StringLiteral { value } if !value.contains('\\') => {
                    Some(Piece::Text((*value).to_owned()))
                }
                InlineExpression::VariableReference { id } => Some(Piece::Word(id.name.to_owned())),
                _ => None,
            },
            PatternElement::Placeable { expression: Expression::Select { selector, variants } } => match selector {
                InlineExpression::VariableReference { id } => choice(id.name, variants),
                _ => None,
            },
        };
        pattern.elements.iter().map(piece).collect::<Option<Vec<_>>>().map(Self)
    }

    /// Whether it says the same whatever the words.
    pub(super) fn is_plain(&self) -> bool {
        self.0.iter().all(|piece| matches!(piece, Piece::Text(_)))
    }

    /// Appends the sentence with its words.
    pub(super) fn say(&self, words: &[(&str, Word)], plurals: Option<&PluralRules>, out: &mut String) {
        let find = |wanted: &str| words.iter().find(|(name, _)| *name == wanted).map(|(_, word)| word);
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Word(name) => match find(name) {
                    Some(Word::Text(text)) => out.push_str(text),
                    Some(Word::Count(count)) => out.push_str(&number(*count)),
                    // As Fluent shows a gap.
                    None => out.extend(["{$", name, "}"]),
                },
                Piece::Choice { by, arms, otherwise } => {
                    let word = find(by);
                    let taken = arms.iter().find(|(key, _)| word.is_some_and(|word| key.matches(word, plurals)));
                    taken.map_or(otherwise, |(_, sentence)| sentence).say(words, plurals, out);
                }
            }
        }
    }
}

fn choice(by: &str, variants: &[Variant<&str>]) -> Option<Piece> {
    let mut arms = Vec::new();
    let mut otherwise = None;
    for variant in variants {
        let sentence = Sentence::of(&variant.value)?;
        if variant.default {
            otherwise = Some(sentence);
            continue;
        }
        let key = match variant.key {
            VariantKey::NumberLiteral { value } => Key::Number(value.parse().ok()?),
            VariantKey::Identifier { name } => category(name).map_or_else(|| Key::Text(name.to_owned()), Key::Category),
        };
        arms.push((key, sentence));
    }
    Some(Piece::Choice { by: by.to_owned(), arms, otherwise: otherwise? })
}

fn category(name: &str) -> Option<PluralCategory> {
    Some(match name {
        "zero" => PluralCategory::ZERO,
        "one" => PluralCategory::ONE,
        "two" => PluralCategory::TWO,
        "few" => PluralCategory::FEW,
        "many" => PluralCategory::MANY,
        _ => return None,
    })
}

impl Key {
    fn matches(&self, word: &Word, plurals: Option<&PluralRules>) -> bool {
        match (self, word) {
            (Self::Number(number), Word::Count(count)) => number == count,
            (Self::Category(category), Word::Count(count)) => {
                plurals.and_then(|rules| rules.select(*count).ok()).is_some_and(|taken| taken == *category)
            }
            (Self::Text(text), Word::Text(word)) => text == word,
            _ => false,
        }
    }
}
