//! JSON into an input type, with every error at once.
//!
//! `serde` stops at the first error. A refused value is therefore noted with its pointer, taken out, and the rest is read
//! again, until all is read or [`MOST_PROBLEMS`] are found. This works because every field of an input may be left out;
//! the happy path reads once.

use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;
use validator::{Validate, ValidationErrors, ValidationErrorsKind};

use super::problem::{Problem, ProblemKind};
use super::repeated::repeated_keys;

/// Largest input that is read, bytes.
pub const MOST_BYTES: usize = 1 << 20;
/// Problems that are told at most; it bounds the work on a hostile input.
pub const MOST_PROBLEMS: usize = 64;

/// Why no input could be made of the bytes.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Refused {
    /// More than [`MOST_BYTES`].
    #[error("larger than {MOST_BYTES} bytes")]
    TooLarge,
    /// Not JSON at all.
    #[error("{0}")]
    Syntax(String),
    /// JSON, but not what was asked for.
    #[error("{} problems", .0.len())]
    Problems(Vec<Problem>),
}

/// Reads the bytes and applies the field rules. Problems come with the input, so that rules over several fields can add
/// theirs before all are told together.
///
/// # Errors
/// [`Refused::TooLarge`] and [`Refused::Syntax`].
pub fn read<T: DeserializeOwned + Default + Validate>(bytes: &[u8]) -> Result<(T, Vec<Problem>), Refused> {
    if bytes.len() > MOST_BYTES {
        return Err(Refused::TooLarge);
    }
    let (input, mut problems) = match serde_json::from_slice::<T>(bytes) {
        Ok(input) => (input, Vec::new()),
        Err(_) => {
            let value = serde_json::from_slice(bytes).map_err(|error| Refused::Syntax(error.to_string()))?;
            let (input, mut problems) = read_with_repairs(value);
            if !were_cut(&problems) {
                // A value keeps the last of two, so that only here they can be told.
                problems.extend(repeated_keys(bytes));
            }
            (input, problems)
        }
    };
    if !were_cut(&problems) {
        apply_field_rules(&input, "", &mut problems);
    }
    Ok((input, problems))
}

/// The same for a value that is parsed already.
pub fn read_value<T: DeserializeOwned + Default + Validate>(value: Value) -> (T, Vec<Problem>) {
    let (input, mut problems) = read_with_repairs(value);
    if !were_cut(&problems) {
        apply_field_rules(&input, "", &mut problems);
    }
    (input, problems)
}

fn read_with_repairs<T: DeserializeOwned + Default>(mut value: Value) -> (T, Vec<Problem>) {
    let mut problems = Vec::new();
    loop {
        let error = match serde_path_to_error::deserialize::<_, T>(&value) {
            Ok(input) => return (input, problems),
            Err(error) => error,
        };
        if problems.len() == MOST_PROBLEMS {
            problems.push(Problem::new("", None, ProblemKind::AndMore));
            return (T::default(), problems);
        }
        let segments: Vec<String> = error.path().iter().filter_map(segment_text).collect();
        let pointer = pointer_of(&segments);
        let refused = value.pointer(&pointer).cloned();
        let told = problems.iter().any(|known: &Problem| known.pointer == pointer);
        // Refused again, although something stands in for it: the list is taken out.
        if told && !segments.is_empty() {
            let parents = segments.split_last().map_or(&[][..], |(_, parents)| parents);
            if take_out(&mut value, parents, None) {
                continue;
            }
        }
        let problem = problem_of(&pointer, refused.as_ref(), &error.inner().to_string());
        let taken = take_out(&mut value, &segments, stand_in(&problem.kind));
        problems.push(problem);
        if !taken {
            return (T::default(), problems);
        }
    }
}

fn segment_text(segment: &Segment) -> Option<String> {
    match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { variant } => Some(variant.clone()),
        Segment::Unknown => None,
    }
}

fn pointer_of(segments: &[String]) -> String {
    segments.iter().map(|s| format!("/{}", s.replace('~', "~0").replace('/', "~1"))).collect()
}

/// What an element of a list of plain values can be replaced by.
fn stand_in(kind: &ProblemKind) -> Option<Value> {
    match kind {
        ProblemKind::NotOneOf { allowed } => allowed.first().cloned().map(Value::String),
        ProblemKind::TextForNumber | ProblemKind::NotANumber => Some(0.into()),
        _ => None,
    }
}

/// Takes the value out, so that it counts as left out; in a list something stands in for it, an empty object unless told
/// otherwise, so that the others keep their places.
fn take_out(value: &mut Value, segments: &[String], stand_in: Option<Value>) -> bool {
    let Some((last, parents)) = segments.split_last() else { return false };
    match value.pointer_mut(&pointer_of(parents)) {
        Some(Value::Object(object)) => object.shift_remove(last).is_some(),
        Some(Value::Array(list)) => {
            let Some(slot) = last.parse::<usize>().ok().and_then(|index| list.get_mut(index)) else { return false };
            *slot = stand_in.unwrap_or_else(|| Value::Object(serde_json::Map::new()));
            true
        }
        _ => false,
    }
}

/// Tells what `serde` refused. Its sentences are stable and carry what was expected; users are shown ours.
fn problem_of(pointer: &str, value: Option<&Value>, told: &str) -> Problem {
    let names = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    let shown = value.map(|v| match v {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    });
    let kind = if told.starts_with("unknown field") {
        ProblemKind::UnknownField { allowed: names(told).split_off(1) }
    } else if told.starts_with("unknown variant") {
        ProblemKind::NotOneOf { allowed: names(told).split_off(1) }
    } else if told.contains("expected f64") || told.contains("expected u32") {
        if value.is_some_and(Value::is_string) { ProblemKind::TextForNumber } else { ProblemKind::NotANumber }
    } else if told.contains("expected a boolean") {
        ProblemKind::NotA("true or false")
    } else if told.contains("expected a string") || told.contains("string or map") {
        ProblemKind::NotA("a text")
    } else if told.contains("expected a sequence") {
        ProblemKind::NotA("a list")
    } else if told.contains("expected struct") {
        ProblemKind::NotA("an object")
    } else {
        ProblemKind::Other(told.to_owned())
    };
    Problem::new(pointer, shown, kind)
}

/// Runs `validator`'s rules and adds what they find, unless something was found at that place or above it already.
pub(super) fn apply_field_rules(input: &impl Validate, base: &str, problems: &mut Vec<Problem>) {
    // The list was cut, and the input stands empty in place of what was sent: its gaps are none of the sender's.
    if problems.last().is_some_and(|last| last.kind == ProblemKind::AndMore) {
        return;
    }
    let Err(errors) = input.validate() else { return };
    let mut found = Vec::new();
    collect(&errors, base, &mut found);
    found.retain(|new: &Problem| !problems.iter().any(|old| covers(&old.pointer, &new.pointer)));
    problems.append(&mut found);
}

fn covers(above: &str, below: &str) -> bool {
    below.strip_prefix(above).is_some_and(|rest| !above.is_empty() && (rest.is_empty() || rest.starts_with('/')))
}

fn collect(errors: &ValidationErrors, base: &str, found: &mut Vec<Problem>) {
    for (field, kind) in errors.errors() {
        let pointer = format!("{base}/{field}");
        match kind {
            ValidationErrorsKind::Struct(inner) => collect(inner, &pointer, found),
            ValidationErrorsKind::List(elements) => {
                for (index, inner) in elements {
                    collect(inner, &format!("{pointer}/{index}"), found);
                }
            }
            ValidationErrorsKind::Field(list) => {
                let Some(error) = list.first() else { continue };
                let number = |name: &str| error.params.get(name).and_then(Value::as_f64);
                let value = error.params.get("value").filter(|v| v.is_number() || v.is_string());
                let value = value.map(|v| match v {
                    Value::String(text) => text.clone(),
                    number => trimmed(number),
                });
                let kind = match error.code.as_ref() {
                    "required" => ProblemKind::Missing,
                    "range" => ProblemKind::OutOfRange { min: number("min"), max: number("max") },
                    "length" => ProblemKind::Length {
                        min: number("min").map(|n| n as u64),
                        max: number("max").map(|n| n as u64),
                    },
                    "whole" => ProblemKind::NotWhole,
                    "name" => ProblemKind::NotAName,
                    other => ProblemKind::Other(other.to_owned()),
                };
                found.push(Problem::new(pointer, value, kind));
            }
        }
    }
}

/// A number without a needless `.0`.
fn trimmed(number: &Value) -> String {
    match number.as_f64() {
        Some(value) if value.fract() == 0.0 && value.abs() < 1e15 => format!("{value:.0}"),
        _ => number.to_string(),
    }
}

/// Whether reading was given up: the input is then empty, and nothing can be said of what is missing in it.
pub(super) fn were_cut(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.kind == ProblemKind::AndMore)
}

/// In the order of the document: by pointer, list positions as numbers, one problem a place.
pub fn in_order(mut problems: Vec<Problem>) -> Vec<Problem> {
    let key = |problem: &Problem| {
        let part = |text: &str| (text.parse::<u64>().unwrap_or(u64::MAX), text.to_owned());
        problem.pointer.split('/').map(part).collect::<Vec<_>>()
    };
    problems.sort_by_cached_key(|problem| (problem.kind == ProblemKind::AndMore, key(problem)));
    problems.dedup_by(|a, b| a.pointer == b.pointer && !a.pointer.is_empty());
    problems
}
