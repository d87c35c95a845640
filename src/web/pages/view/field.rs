//! One field as the page shows it.

use serde_json::Value;

use super::problems::Problems;
use crate::domain::choice::DiskType;
use crate::domain::rules;
use crate::report::words;
use crate::web::form::fields::{Choice, Empty, Field, Kind};
use crate::web::form::{normalize, tree};

/// One field with what was typed into it.
#[derive(Clone, Debug)]
pub struct FieldView {
    /// Its name in the form, and the stem of its ids.
    pub place: String,
    pub label: &'static str,
    pub unit: &'static str,
    pub help: &'static str,
    pub value: String,
    /// What holds while it is empty.
    pub placeholder: String,
    pub needed: bool,
    pub number: bool,
    pub check: bool,
    pub wide: bool,
    /// A text of a few letters, such as the name of a LUN.
    pub short: bool,
    /// What to choose from; empty for a field to type into.
    pub options: Vec<OptionView>,
    /// What is wrong with it; empty when nothing is.
    pub problem: String,
    /// How a screen reader names it inside a table; empty elsewhere, where its label does.
    pub spoken: String,
}

/// One value to choose.
#[derive(Clone, Debug)]
pub struct OptionView {
    pub value: String,
    pub words: String,
    pub chosen: bool,
    /// The rule of thumb that goes with it; empty for none.
    pub rule: String,
}

impl FieldView {
    /// The field at a place; `None` where the form asks nothing.
    pub fn new(form: &Value, problems: &Problems, place: &str) -> Option<Self> {
        let field = Field::at(place)?;
        let value = tree::text(form, place).to_owned();
        let options = match field.kind {
            Kind::Choice(choices) => options(field, &choices(), &value),
            _ => Vec::new(),
        };
        Some(Self {
            label: field.label,
            unit: field.unit(),
            help: field.help,
            placeholder: placeholder(field, form, place),
            needed: field.empty == Empty::Needed,
            number: matches!(field.kind, Kind::Number),
            check: matches!(field.kind, Kind::Check),
            wide: matches!(field.kind, Kind::Text),
            short: field.pattern.starts_with("storage.luns.") && matches!(field.name(), "name" | "pool"),
            options,
            problem: problems.at(place).unwrap_or_default().to_owned(),
            spoken: String::new(),
            place: place.to_owned(),
            value,
        })
    }

    pub fn checked(&self) -> bool {
        matches!(self.value.trim().to_lowercase().as_str(), "yes" | "true" | "1" | "x" | "on")
    }

    /// Characters that the field is wide at least.
    pub fn size(&self) -> usize {
        if self.number { 7 } else { 10 }
    }
}

fn placeholder(field: &Field, form: &Value, place: &str) -> String {
    match field.empty {
        Empty::Needed => String::new(),
        Empty::Default(value) => value.to_owned(),
        Empty::NotUsed => String::new(),
        Empty::Rule => {
            let row = place.rsplit_once('.').map_or("", |(row, _)| row);
            rule(tree::text(form, &format!("{row}.disk_type")))
        }
    }
}

/// The rule of thumb for a type of disk, as an empty field shows it.
fn rule(disk_type: &str) -> String {
    let disk = DiskType::ALL.iter().find(|disk| disk.as_str() == disk_type);
    match disk.map(|disk| rules::disk_iops(*disk)) {
        Some(Some(rule)) => format!("{} rule", words::number(rule.range.likely())),
        Some(None) => "needed".to_owned(),
        None => String::new(),
    }
}

/// The choices of a field. One that was typed and is none of them is kept, so that nothing typed is lost.
fn options(field: &Field, choices: &[Choice], value: &str) -> Vec<OptionView> {
    let chosen = normalize::code(choices, value);
    let mut options = Vec::new();
    if let (Empty::Default(words), None) = (field.empty, chosen) {
        options.push(OptionView {
            value: String::new(),
            words: words.to_owned(),
            chosen: value.is_empty(),
            rule: String::new(),
        });
    } else if value.is_empty() {
        options.push(OptionView {
            value: String::new(),
            words: "choose".to_owned(),
            chosen: true,
            rule: String::new(),
        });
    }
    if chosen.is_none() && !value.is_empty() {
        options.push(OptionView {
            value: value.to_owned(),
            words: value.to_owned(),
            chosen: true,
            rule: String::new(),
        });
    }
    options.extend(choices.iter().map(|choice| OptionView {
        value: choice.code.to_owned(),
        words: choice.words.to_owned(),
        chosen: chosen == Some(choice.code),
        rule: if field.name() == "disk_type" { rule(choice.code) } else { String::new() },
    }));
    options
}
