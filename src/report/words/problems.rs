//! What is wrong with an input, in words: "Memory of the host: −1 is not possible; 0.5 to 65,536 GiB."

use crate::domain::name::is_hidden;
use crate::domain::problem::{Problem, ProblemKind};
use crate::domain::units::unit_of_field;

use super::{Word, capitalized, has, number, plain, say};

/// The sentence, with the field's name before it.
pub fn problem(problem: &Problem) -> String {
    let what = what(problem);
    let field = field_label(&problem.pointer);
    if problem.kind == ProblemKind::AndMore {
        return what;
    }
    let value = match problem.kind {
        ProblemKind::TextForNumber => problem.value.as_deref().map(quoted),
        _ => problem.value.as_deref().map(shown),
    };
    let value = value.unwrap_or_default();
    let unit = unit_of(problem);
    match value.as_str() {
        "" => say("problem", &[("field", Word::Text(&field)), ("what", Word::Text(&what))]),
        value => {
            let value = if unit.is_empty() || !is_number(value) { value.to_owned() } else { format!("{value}{unit}") };
            say(
                "problem-with-value",
                &[("field", Word::Text(&field)), ("value", Word::Text(&value)), ("what", Word::Text(&what))],
            )
        }
    }
}

/// One line for a terminal: the pointer, then the sentence.
pub fn problem_line(one: &Problem) -> String {
    let pointer = if one.pointer.is_empty() { "/" } else { &one.pointer };
    format!("{pointer}: {}", problem(one))
}

/// The name of a field by its JSON pointer; the pointer itself where it has none.
pub fn field_label(pointer: &str) -> String {
    if pointer.is_empty() {
        return plain("field-root");
    }
    let mut key = String::from("field");
    let mut positions = Vec::new();
    for part in pointer.split('/').skip(1) {
        match part.parse::<u64>() {
            Ok(index) => positions.push((index + 1).to_string()),
            Err(_) => {
                key.push('-');
                key.push_str(part);
            }
        }
    }
    if !has(&key) || key == "field" {
        return pointer.trim_start_matches('/').replace('/', " › ");
    }
    let position = |index: usize| positions.get(index).map_or("", String::as_str);
    say(&key, &[("a", Word::Text(position(0))), ("b", Word::Text(position(1)))])
}

/// A value as it is shown: numbers with separators, texts in quotation marks.
fn shown(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(parsed) if parsed.abs() < 1e15 && parsed.is_finite() => number(parsed),
        Ok(_) => value.to_owned(),
        Err(_) => quoted(value),
    }
}

/// A text in quotation marks; what cannot be seen in it is named.
fn quoted(value: &str) -> String {
    let mut out = String::from("“");
    for c in value.chars() {
        if is_hidden(c) { out.push_str(&format!("[U+{:04X}]", u32::from(c))) } else { out.push(c) }
    }
    out.push('”');
    out
}

fn is_number(shown: &str) -> bool {
    shown.starts_with(|c: char| c.is_ascii_digit() || c == '−')
}

/// The unit of the problem's field, with a space before it.
fn unit_of(problem: &Problem) -> String {
    let field = problem.pointer.rsplit('/').next().unwrap_or_default();
    match (unit_of_field(field), &problem.kind) {
        ("", _) => String::new(),
        (unit, ProblemKind::OutOfRange { .. } | ProblemKind::OverHypervisorLimit { .. }) => format!(" {unit}"),
        _ => String::new(),
    }
}

fn what(problem: &Problem) -> String {
    let unit = unit_of(problem);
    let text = |value: f64| number(value);
    match &problem.kind {
        ProblemKind::Missing => plain("problem-missing"),
        ProblemKind::OutOfRange { min, max } => {
            say("problem-out-of-range", &[("allowed", Word::Text(&allowed(*min, *max, &unit)))])
        }
        ProblemKind::NotWhole => plain("problem-not-whole"),
        ProblemKind::NotANumber => plain("problem-not-a-number"),
        ProblemKind::TextForNumber => plain("problem-text-for-number"),
        ProblemKind::NotA(what) => say("problem-not-a", &[("what", Word::Text(what))]),
        ProblemKind::NotAName => plain("problem-not-a-name"),
        ProblemKind::NotAnId => plain("problem-not-an-id"),
        ProblemKind::NotARange => plain("problem-not-a-range"),
        ProblemKind::Length { min, max } => {
            let allowed = allowed(min.map(|n| n as f64), max.map(|n| n as f64), "");
            say("problem-length", &[("allowed", Word::Text(&allowed))])
        }
        ProblemKind::UnknownField { allowed } => {
            say("problem-unknown-field", &[("allowed", Word::Text(&allowed.join(", ")))])
        }
        ProblemKind::NotOneOf { allowed } => say("problem-not-one-of", &[("allowed", Word::Text(&allowed.join(", ")))]),
        ProblemKind::Duplicate => plain("problem-duplicate"),
        ProblemKind::LunsExceedPool { luns_gib, pool_gib } => say(
            "problem-luns-exceed-pool",
            &[("luns", Word::Text(&text(*luns_gib))), ("pool", Word::Text(&text(*pool_gib)))],
        ),
        ProblemKind::RaidDisks { raid, least, even } => say(
            "problem-raid-disks",
            &[
                ("raid", Word::Text(raid)),
                ("least", Word::Text(&least.to_string())),
                ("even", Word::Text(if *even { "yes" } else { "no" })),
            ],
        ),
        ProblemKind::NeedsIops => plain("problem-needs-iops"),
        ProblemKind::OverHypervisorLimit { limit, model } => say(
            "problem-over-hypervisor-limit",
            &[("limit", Word::Text(&format!("{}{unit}", text(*limit)))), ("model", Word::Text(model))],
        ),
        ProblemKind::CpuBeyondVcpus { busy_cores, needed } => say(
            "problem-cpu-beyond-vcpus",
            &[("busy", Word::Text(&text(*busy_cores))), ("needed", Word::Text(&needed.to_string()))],
        ),
        ProblemKind::SpareNotBelowCount { count } => say("problem-spare", &[("count", Word::Text(&count.to_string()))]),
        ProblemKind::Needs { other } => say("problem-needs", &[("other", Word::Text(other))]),
        ProblemKind::NeedsKind { kind } => say("problem-needs-kind", &[("kind", Word::Text(kind))]),
        ProblemKind::OneOfThese { fields } => {
            say("problem-one-of-these", &[("fields", Word::Text(&fields.join(", ")))])
        }
        ProblemKind::LittlesLaw { per_s, response_ms, think_s, implied, .. } => {
            let key = if *response_ms > 0.0 { "problem-little" } else { "problem-little-negative" };
            say(
                key,
                &[
                    ("per_s", Word::Text(&text(*per_s))),
                    ("response_ms", Word::Text(&text(*response_ms))),
                    ("think_s", Word::Text(&text(*think_s))),
                    ("implied", Word::Text(&text(*implied))),
                ],
            )
        }
        ProblemKind::LittlesLawDisk { iops, latency_ms, implied, .. } => say(
            "problem-little-disk",
            &[
                ("iops", Word::Text(&text(*iops))),
                ("latency_ms", Word::Text(&text(*latency_ms))),
                ("implied", Word::Text(&text(*implied))),
            ],
        ),
        ProblemKind::TooMuch { limit } => say("problem-too-much", &[("limit", Word::Text(&text(*limit as f64)))]),
        ProblemKind::Other(told) => say("problem-other", &[("told", Word::Text(&capitalized(told)))]),
        ProblemKind::AndMore => say("problem-and-more", &[("count", Word::Text("64"))]),
    }
}

fn allowed(min: Option<f64>, max: Option<f64>, unit: &str) -> String {
    let (least, most) = (min.map(number).unwrap_or_default(), max.map(number).unwrap_or_default());
    let key = match (min, max) {
        (Some(_), Some(_)) => "allowed-between",
        (Some(_), None) => "allowed-least",
        _ => "allowed-most",
    };
    say(key, &[("min", Word::Text(&least)), ("max", Word::Text(&most)), ("unit", Word::Text(unit))])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_names_field_value_and_what_is_allowed() {
        let kind = ProblemKind::OutOfRange { min: Some(0.5), max: Some(65536.0) };
        let found = problem(&Problem::new("/host/memory_gib", Some("-1".to_owned()), kind));
        assert_eq!(found, "Memory of the host: −1 GiB is not possible; 0.5 to 65,536 GiB.");
        let kind = ProblemKind::NotOneOf { allowed: vec!["san".to_owned()] };
        let found = problem(&Problem::new("/storage/luns/2/pool", Some("nas".to_owned()), kind));
        assert_eq!(found, "Pool of LUN 3: “nas” is not one of san.");
        let found = problem(&Problem::new("", Some("[]".to_owned()), ProblemKind::NotA("an object")));
        assert_eq!(found, "The whole input: “[]” is not an object.");
        let found = problem(&Problem::new("/host/sockets", Some("4".to_owned()), ProblemKind::TextForNumber));
        assert_eq!(found, "Sockets of the host: “4” is a text; a number stands without quotation marks.");
        let found = problem(&Problem::new("/name", Some("a\u{202e}b".to_owned()), ProblemKind::NotAName));
        assert!(found.contains("“a[U+202E]b” is not a name"), "{found}");
        let kind = ProblemKind::UnknownField { allowed: vec!["name".to_owned(), "host".to_owned()] };
        assert_eq!(problem(&Problem::new("/hots", None, kind)), "hots: is not a field here; known are name, host.");
    }
}
