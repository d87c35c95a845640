//! What a browser sends into a tree: pairs whose names are places.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::fields::is_index;
use super::tree::{self, MOST_DEPTH};

/// Pairs that are read at most: 1,000 LUNs of 8 cells, and the rest of the form.
pub const MOST_PAIRS: usize = 12_000;

/// A form as it was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Submitted {
    pub tree: Value,
    /// The button that was pressed.
    pub action: String,
    /// What belongs to the page and not to the scenario, by its name behind `ui.`.
    pub ui: BTreeMap<String, String>,
}

/// Why a form cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("more than {MOST_PAIRS} fields")]
    TooMany,
    #[error("a field's name has more than {MOST_DEPTH} parts")]
    TooDeep,
}

/// Reads the pairs of a form. Where a name is there twice the last one counts.
///
/// # Errors
/// [`Unreadable`], for what no form of ours sends.
pub fn decode(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Submitted, Unreadable> {
    let mut submitted = Submitted { tree: Value::Null, action: String::new(), ui: BTreeMap::new() };
    let mut root = Map::new();
    for (count, (name, value)) in pairs.into_iter().enumerate() {
        if count == MOST_PAIRS {
            return Err(Unreadable::TooMany);
        }
        match name.as_str() {
            "do" => submitted.action = value,
            _ => match name.strip_prefix("ui.") {
                Some(name) => {
                    submitted.ui.insert(name.to_owned(), value);
                }
                None => insert(&mut root, &name, value)?,
            },
        }
    }
    submitted.tree = tree::canonical(listed(Value::Object(root)));
    Ok(submitted)
}

fn insert(root: &mut Map<String, Value>, name: &str, value: String) -> Result<(), Unreadable> {
    let mut parts: Vec<&str> = name.split('.').collect();
    if parts.len() > MOST_DEPTH {
        return Err(Unreadable::TooDeep);
    }
    let Some(last) = parts.pop() else { return Ok(()) };
    let mut object = root;
    for part in parts {
        let slot = object.entry(part).or_insert(Value::Null);
        if !slot.is_object() {
            *slot = Value::Object(Map::new());
        }
        let Some(inner) = slot.as_object_mut() else { return Ok(()) };
        object = inner;
    }
    // A group that is there already stays: one text cannot stand for it.
    if !object.get(last).is_some_and(Value::is_object) {
        object.insert(last.to_owned(), Value::String(value));
    }
    Ok(())
}

/// Objects whose keys all count become lists, in the order of the numbers; gaps close.
fn listed(value: Value) -> Value {
    let Value::Object(object) = value else { return value };
    if object.is_empty() || !object.keys().all(|key| is_index(key)) {
        return Value::Object(object.into_iter().map(|(key, value)| (key, listed(value))).collect());
    }
    let mut rows: Vec<(u32, Value)> =
        object.into_iter().filter_map(|(k, v)| Some((k.parse().ok()?, listed(v)))).collect();
    rows.sort_by_key(|(index, _)| *index);
    Value::Array(rows.into_iter().map(|(_, row)| row).collect())
}
