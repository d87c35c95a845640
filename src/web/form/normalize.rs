//! A tree of texts into the JSON of a scenario, for the one parser of `domain`.
//!
//! Nothing is checked here. A text that cannot be read as what its field asks for stays a text, so that the parser refuses
//! it with its own message at its pointer.

use serde_json::{Map, Number, Value};

use super::fields::{Choice, Field, Kind};
use super::tree;
use crate::domain::units::parse_quantity;

/// The scenario that a form describes.
pub fn scenario(form: &Value) -> Value {
    let mut scenario = tree::canonical(walk("", form));
    if let Some(root) = scenario.as_object_mut() {
        // So that what is missing is told field by field, and not as a host or a VM that is not there.
        root.entry("host").or_insert_with(|| Value::Object(Map::new()));
        let unit = root.entry("unit").or_insert_with(|| Value::Array(vec![Value::Object(Map::new())]));
        for member in unit.as_array_mut().into_iter().flatten() {
            if let Some(member) = member.as_object_mut() {
                member.entry("vm").or_insert_with(|| Value::Object(Map::new()));
            }
        }
    }
    scenario
}

fn walk(place: &str, value: &Value) -> Value {
    let below = |part: &str| if place.is_empty() { part.to_owned() } else { format!("{place}.{part}") };
    match value {
        Value::Object(object) => {
            Value::Object(object.iter().map(|(key, value)| (key.clone(), walk(&below(key), value))).collect())
        }
        Value::Array(list) => {
            Value::Array(list.iter().enumerate().map(|(i, value)| walk(&below(&i.to_string()), value)).collect())
        }
        Value::String(text) => Field::at(place).map_or_else(|| value.clone(), |field| typed(field, text)),
        other => other.clone(),
    }
}

/// The value that a text stands for in a field; the text itself where it stands for none.
fn typed(field: &Field, text: &str) -> Value {
    let as_it_is = || Value::String(text.to_owned());
    match field.kind {
        Kind::Number => parse_quantity(text, field.unit()).and_then(number).unwrap_or_else(as_it_is),
        Kind::Text => as_it_is(),
        Kind::Check => match text.trim().to_lowercase().as_str() {
            "yes" | "true" | "1" | "x" | "on" => Value::Bool(true),
            "no" | "false" | "0" | "-" | "off" => Value::Bool(false),
            _ => as_it_is(),
        },
        Kind::Choice(choices) => match code(&choices(), text) {
            Some(code) if field.name() == "carries" => list(code, &[]),
            Some(code) => Value::String(code.to_owned()),
            None if field.name() == "carries" => list(text, &[]),
            None => as_it_is(),
        },
        Kind::List(choices) => list(text, &choices()),
        Kind::Model => match serde_json::from_str(text) {
            Ok(model @ Value::Object(_)) => model,
            _ => as_it_is(),
        },
    }
}

/// A JSON number, whole where it is whole.
fn number(value: f64) -> Option<Value> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.fract() == 0.0 && value.abs() < EXACT && (value != 0.0 || value.is_sign_positive()) {
        return Some(Value::Number(Number::from(value as i64)));
    }
    Number::from_f64(value).map(Value::Number)
}

fn list(text: &str, choices: &[Choice]) -> Value {
    let part = |part: &str| Value::String(code(choices, part).unwrap_or(part).to_owned());
    let parts = text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
    Value::Array(parts.map(part).collect())
}

/// The name in JSON of a choice that was typed by name, by its words or nearly so: `RAID 10`, `raid-10`, `10`.
pub fn code(choices: &[Choice], text: &str) -> Option<&'static str> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric() || *c == ',').flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(text);
    let same = |choice: &&Choice| plain(choice.code) == wanted || plain(choice.words) == wanted;
    choices.iter().find(same).map(|choice| choice.code)
}
