//! The form as a tree of texts: the shape of a scenario, with what was typed where numbers will be.
//!
//! A tree is in its canonical form when it has no empty text, no null and no empty list or object except the rows of a
//! list, which keep their places, and when its fields stand in the order of the form. Equal forms have equal trees, and so
//! equal links.

use serde_json::{Map, Value};

use super::fields::{is_index, position};

/// Deepest place of a scenario is `unit.0.vm.volumes.0.size_gib`; more is no form of ours.
pub const MOST_DEPTH: usize = 12;

/// Texts out of JSON: numbers as people write them, lists of names with commas between, a single measured point as a list
/// of one.
pub fn from_json(value: &Value) -> Value {
    canonical(texts("", value))
}

fn texts(name: &str, value: &Value) -> Value {
    match value {
        Value::Null => Value::Null,
        Value::Bool(yes) => Value::String(if *yes { "yes" } else { "no" }.to_owned()),
        Value::Number(number) => Value::String(number.as_f64().map_or_else(|| number.to_string(), number_text)),
        Value::String(text) => Value::String(text.clone()),
        // A model in place stays one text: it is edited elsewhere.
        Value::Object(_) if name == "overhead" => Value::String(value.to_string()),
        Value::Object(_) if name == "measured" => Value::Array(vec![texts("", value)]),
        Value::Object(object) => Value::Object(object.iter().map(|(k, v)| (k.clone(), texts(k, v))).collect()),
        Value::Array(list) if !list.is_empty() && list.iter().all(Value::is_string) => {
            Value::String(list.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "))
        }
        Value::Array(list) => Value::Array(list.iter().map(|v| texts("", v)).collect()),
    }
}

/// A number as it is shown in a field: the shortest text that reads back as the same number.
pub fn number_text(number: f64) -> String {
    let size = number.abs();
    if size != 0.0 && !(1e-6..1e15).contains(&size) { format!("{number:e}") } else { format!("{number}") }
}

/// Takes out what is empty and puts the rest in order.
pub fn canonical(tree: Value) -> Value {
    let mut tree = cleaned(tree).unwrap_or_else(|| Value::Object(Map::new()));
    in_order("", &mut tree);
    tree
}

fn in_order(pattern: &str, value: &mut Value) {
    let below = |part: &str| if pattern.is_empty() { part.to_owned() } else { format!("{pattern}.{part}") };
    match value {
        Value::Object(object) => {
            let mut fields: Vec<_> = std::mem::take(object).into_iter().collect();
            fields.sort_by_cached_key(|(key, _)| (position(&below(key)), key.clone()));
            fields.iter_mut().for_each(|(key, value)| in_order(&below(key), value));
            object.extend(fields);
        }
        Value::Array(list) => list.iter_mut().for_each(|row| in_order(&below("*"), row)),
        _ => {}
    }
}

fn cleaned(value: Value) -> Option<Value> {
    match value {
        Value::Null => None,
        Value::String(text) => (!text.trim().is_empty()).then_some(Value::String(text)),
        Value::Object(object) => {
            let object: Map<_, _> = object.into_iter().filter_map(|(k, v)| Some((k, cleaned(v)?))).collect();
            (!object.is_empty()).then_some(Value::Object(object))
        }
        Value::Array(list) => {
            let row = |v: Value| cleaned(v).unwrap_or_else(|| Value::Object(Map::new()));
            (!list.is_empty()).then(|| Value::Array(list.into_iter().map(row).collect()))
        }
        other => Some(other),
    }
}

/// Whether it is no deeper than [`MOST_DEPTH`].
pub fn is_shallow(tree: &Value) -> bool {
    fn within(value: &Value, left: usize) -> bool {
        match value {
            Value::Object(object) => left > 0 && object.values().all(|v| within(v, left - 1)),
            Value::Array(list) => left > 0 && list.iter().all(|v| within(v, left - 1)),
            _ => true,
        }
    }
    within(tree, MOST_DEPTH)
}

/// What stands at a place such as `storage.pools.0.disks`.
pub fn get<'a>(tree: &'a Value, place: &str) -> Option<&'a Value> {
    place.split('.').try_fold(tree, |value, part| match value {
        Value::Object(object) => object.get(part),
        Value::Array(list) => list.get(part.parse::<usize>().ok()?),
        _ => None,
    })
}

/// The text at a place; empty where there is none.
pub fn text<'a>(tree: &'a Value, place: &str) -> &'a str {
    get(tree, place).and_then(Value::as_str).unwrap_or("")
}

/// The number of rows at a place.
pub fn rows(tree: &Value, place: &str) -> usize {
    get(tree, place).and_then(Value::as_array).map_or(0, Vec::len)
}

/// The list of rows at a place, made when it is not there. `None` when something else is in the way.
pub fn rows_mut<'a>(tree: &'a mut Value, place: &str) -> Option<&'a mut Vec<Value>> {
    let parent = place.split('.').try_fold(tree, |value, part| match value {
        Value::Object(object) => Some(object.entry(part).or_insert(Value::Null)),
        Value::Array(list) => list.get_mut(part.parse::<usize>().ok()?),
        Value::Null if !is_index(part) => {
            *value = Value::Object(Map::new());
            value.as_object_mut().map(|object| object.entry(part).or_insert(Value::Null))
        }
        _ => None,
    })?;
    if parent.is_null() {
        *parent = Value::Array(Vec::new());
    }
    parent.as_array_mut()
}

/// Every text with its place, in the order of the tree; rows without texts as a pair with an empty one.
pub fn pairs(tree: &Value) -> Vec<(String, String)> {
    fn walk(place: String, value: &Value, out: &mut Vec<(String, String)>) {
        let below = |part: &str| if place.is_empty() { part.to_owned() } else { format!("{place}.{part}") };
        match value {
            Value::Object(object) if object.is_empty() && !place.is_empty() => out.push((below("name"), String::new())),
            Value::Object(object) => object.iter().for_each(|(key, v)| walk(below(key), v, out)),
            Value::Array(list) => list.iter().enumerate().for_each(|(i, v)| walk(below(&i.to_string()), v, out)),
            Value::String(text) => out.push((place, text.clone())),
            _ => {}
        }
    }
    let mut out = Vec::new();
    walk(String::new(), tree, &mut out);
    out
}
