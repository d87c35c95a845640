//! Codes and numbers into sentences: the one place where words are made, from a Fluent file, so that page, PDF, terminal
//! and API say the same and another language is one file.

mod number;
mod problems;
mod sentence;

use std::collections::HashMap;
use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use fluent_syntax::ast::{Entry, Message};
use intl_pluralrules::{PluralRuleType, PluralRules};
use unic_langid::LanguageIdentifier;

pub use number::{exact, number, rounded};
pub use problems::{field_label, problem, problem_line};
use sentence::Sentence;

/// The words of answers and problems, and those of charts and documents.
const ENGLISH: [&str; 2] = [include_str!("en.ftl"), include_str!("documents.ftl")];

static BUNDLE: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| {
    let mut bundle = FluentBundle::new_concurrent(vec![LanguageIdentifier::default()]);
    // The marks that isolate directions show up in terminals and tests as stray characters.
    bundle.set_use_isolating(false);
    for text in ENGLISH {
        // A part that does not parse is left out; a test names it.
        let resource = match FluentResource::try_new(text.to_owned()) {
            Ok(resource) | Err((resource, _)) => resource,
        };
        bundle.add_resource_overriding(resource);
    }
    bundle
});

/// A value in a sentence.
pub enum Word<'a> {
    Text(&'a str),
    /// A number that chooses between forms, such as one and many. What is shown of it comes as a text beside it.
    Count(f64),
}

/// Every sentence that [`Sentence`] covers, taken apart once.
static SENTENCES: LazyLock<HashMap<String, Sentence, foldhash::fast::FixedState>> = LazyLock::new(|| {
    let mut sentences = HashMap::default();
    for text in ENGLISH {
        let (Ok(resource) | Err((resource, _))) = fluent_syntax::parser::parse(text);
        for entry in &resource.body {
            let Entry::Message(Message { id, value: Some(pattern), .. }) = entry else { continue };
            if let Some(sentence) = Sentence::of(pattern) {
                sentences.insert(id.name.to_owned(), sentence);
            }
        }
    }
    sentences
});

static PLURALS: LazyLock<Option<PluralRules>> =
    LazyLock::new(|| PluralRules::create("en".parse::<LanguageIdentifier>().ok()?, PluralRuleType::CARDINAL).ok());

/// The sentence of a key; the key itself where there is none, so that a gap shows instead of failing.
pub fn say(key: &str, words: &[(&str, Word)]) -> String {
    let Some(sentence) = SENTENCES.get(key) else { return resolved(key, words) };
    let mut out = String::with_capacity(96);
    sentence.say(words, PLURALS.as_ref(), &mut out);
    out
}

/// The same by Fluent, for what is not taken apart.
fn resolved(key: &str, words: &[(&str, Word)]) -> String {
    let Some(pattern) = BUNDLE.get_message(key).and_then(|message| message.value()) else {
        return key.to_owned();
    };
    let mut args = FluentArgs::with_capacity(words.len());
    for (name, word) in words {
        match word {
            Word::Text(text) => args.set(*name, FluentValue::from(*text)),
            Word::Count(count) => args.set(*name, FluentValue::from(*count)),
        }
    }
    BUNDLE.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned()
}

/// Sentences that need no words, said once.
static PLAIN: LazyLock<HashMap<&'static str, String, foldhash::fast::FixedState>> = LazyLock::new(|| {
    let plain = SENTENCES.iter().filter(|(_, sentence)| sentence.is_plain());
    plain.map(|(key, _)| (key.as_str(), say(key, &[]))).collect()
});

/// The words of a key that needs no values.
pub fn plain(key: &str) -> String {
    PLAIN.get(key).cloned().unwrap_or_else(|| say(key, &[]))
}

/// Whether there is a sentence for the key.
pub fn has(key: &str) -> bool {
    BUNDLE.has_message(key)
}

/// The first letter as a capital.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// "fourth", "21st".
pub fn nth(position: u32) -> String {
    let key = format!("nth-{position}");
    if has(&key) {
        return plain(&key);
    }
    let ending = match (position % 10, position % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{}{ending}", number(f64::from(position)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sentence_parses() {
        for text in ENGLISH {
            if let Err((_, errors)) = FluentResource::try_new(text.to_owned()) {
                panic!("{errors:?}");
            }
        }
    }

    #[test]
    fn sentences_taken_apart_say_what_fluent_says() {
        let texts = ["yes", "no"];
        for (key, _) in SENTENCES.iter() {
            for (count, text) in [0.0, 1.0, 2.0, 5.0, 0.5, 21.0].into_iter().zip(texts.iter().cycle()) {
                // Every name that a sentence may ask for; counts go by these names.
                let names: Vec<&str> = NAMES.split_whitespace().collect();
                let words: Vec<(&str, Word)> = names
                    .iter()
                    .map(|name| match *name {
                        "n" | "boxes" | "servers" => (*name, Word::Count(count)),
                        _ => (*name, Word::Text(text)),
                    })
                    .collect();
                assert_eq!(say(key, &words), resolved(key, &words), "{key} at {count}");
            }
        }
        assert!(SENTENCES.len() > 100, "{}", SENTENCES.len());
    }

    /// A few of the names in the files; a name that is missing shows as the same gap in both.
    const NAMES: &str = "n name members unit where count low confidence worst best nth lacking subject boxes servers even \
        sql_there amount list";

    #[test]
    fn ordinals() {
        for (position, text) in
            [(1, "first"), (4, "fourth"), (12, "twelfth"), (13, "13th"), (21, "21st"), (102, "102nd"), (111, "111th")]
        {
            assert_eq!(nth(position), text);
        }
    }

    #[test]
    fn one_and_many() {
        let unit = |n: f64| say("unit-vm", &[("n", Word::Count(n)), ("name", Word::Text("SQL Server"))]);
        assert_eq!(unit(1.0), "SQL Server VM");
        assert_eq!(unit(3.0), "SQL Server VMs");
    }
}
