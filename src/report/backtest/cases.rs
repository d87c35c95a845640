//! Case files: those inside the program, and any others.

use std::collections::BTreeMap;

use crate::domain::case::{Case, parse_case};
use crate::domain::{ModelCatalog, Refused};
use crate::report::words;

#[derive(rust_embed::RustEmbed)]
#[folder = "fixtures/backtest"]
struct Files;

/// The cases that come with the program.
///
/// # Errors
/// As [`read_cases`]; a test keeps the files right.
pub fn built_in() -> Result<Vec<Case>, Vec<String>> {
    read_cases(Files::iter().filter_map(|name| Some((name.to_string(), Files::get(&name)?.data.into_owned()))))
}

/// Cases from the bytes of named files, in the order of their ids.
///
/// # Errors
/// A line for every problem of every file: file, JSON pointer, value and what is allowed.
pub fn read_cases(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> Result<Vec<Case>, Vec<String>> {
    let mut cases: BTreeMap<String, (Case, String)> = BTreeMap::new();
    let mut problems = Vec::new();
    for (file, bytes) in files {
        match parse_case(&bytes, ModelCatalog::built_in()) {
            Ok(case) => {
                if let Some((other, earlier)) = cases.insert(case.id.clone(), (case, file.clone())) {
                    let same = words::say("case-same-id", &[("other", words::Word::Text(&earlier))]);
                    problems.push(format!("{file}: /id: {} {same}", other.id));
                }
            }
            Err(Refused::Problems(found)) => {
                problems.extend(found.iter().map(|problem| format!("{file}: {}", words::problem_line(problem))));
            }
            Err(refused) => problems.push(format!("{file}: {refused}")),
        }
    }
    if problems.is_empty() { Ok(cases.into_values().map(|(case, _)| case).collect()) } else { Err(problems) }
}
