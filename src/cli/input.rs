//! What a command reads: a file, or standard input for `-`.

use std::fs::File;
use std::io::{self, Read};

use super::error::CliError;
use crate::domain::{MOST_BYTES, ModelCatalog, Refused, Scenario, parse_scenario};
use crate::report::words::problem_line;

/// The bytes of a file; no more than one above the limit, so that the parser can tell that it is too long.
///
/// # Errors
/// [`CliError::Input`] when it cannot be read.
pub fn read(path: &str) -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    let limit = MOST_BYTES as u64 + 1;
    let done = if path == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    match done {
        Ok(_) => Ok(bytes),
        Err(error) => Err(CliError::input(format!(
            "SCENARIO '{path}': {error}; allowed is a JSON file that can be read, or - for standard input"
        ))),
    }
}

/// A scenario of the bytes; a line for each error otherwise.
///
/// # Errors
/// [`CliError::Input`].
pub fn scenario(path: &str, bytes: &[u8], catalog: &ModelCatalog) -> Result<Scenario, CliError> {
    parse_scenario(bytes, catalog).map_err(|refused| match refused {
        Refused::TooLarge => CliError::input(format!("SCENARIO '{path}': {refused}; that is the most that is read")),
        Refused::Syntax(told) => CliError::input(format!("SCENARIO '{path}': not JSON: {told}")),
        Refused::Problems(problems) => CliError::Input(problems.iter().map(problem_line).collect()),
    })
}
