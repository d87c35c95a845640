//! `vmfit backtest`: the model against published measurements.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};

use super::CliError;
use crate::report::backtest::{self, Accuracy};

/// The model against published measurements, each with its source.
#[derive(Args)]
pub struct Backtest {
    /// A folder of case files (*.json) that takes the place of the cases inside the program.
    dir: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print the JSON Schema of a case file instead.
    #[arg(long)]
    schema: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
    Markdown,
}

/// Largest case file that is read, bytes.
const MOST_BYTES: u64 = 1 << 20;

impl Backtest {
    /// Prints the back-test.
    ///
    /// # Errors
    /// Case files that are wrong, each problem with its file and place; a folder that cannot be read; cases outside their
    /// stated tolerance.
    pub fn run(self) -> Result<(), CliError> {
        if self.schema {
            let schema = serde_json::to_string_pretty(&backtest::schema()).context("the schema")?;
            println!("{schema}");
            return Ok(());
        }
        let accuracy = match &self.dir {
            None => backtest::summary().clone(),
            Some(dir) => backtest::accuracy(&backtest::read_cases(files(dir)?).map_err(CliError::Input)?),
        };
        match self.format {
            Format::Text => print!("{}", backtest::text(&accuracy)),
            Format::Markdown => print!("{}", backtest::markdown(&accuracy)),
            Format::Json => println!("{}", serde_json::to_string_pretty(&accuracy).context("the answer")?),
        }
        outside(&accuracy)
    }
}

fn outside(accuracy: &Accuracy) -> Result<(), CliError> {
    let outside: Vec<&str> = accuracy.outside_tolerance().map(|case| case.id.as_str()).collect();
    if outside.is_empty() {
        return Ok(());
    }
    let (all, count) = (accuracy.cases.len(), outside.len());
    Err(CliError::Other(anyhow!("{count} of {all} cases are outside their tolerance: {}", outside.join(", "))))
}

/// The case files of a folder, by name.
fn files(dir: &Path) -> Result<Vec<(String, Vec<u8>)>, CliError> {
    let told = |path: &Path, error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let entries = std::fs::read_dir(dir).map_err(|error| CliError::input(told(dir, &error)))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    if paths.is_empty() {
        return Err(CliError::input(told(dir, &"no *.json file is there")));
    }
    let mut read = Vec::new();
    let mut problems = Vec::new();
    for path in paths {
        // Asked before reading: a case is small, a device has no end.
        match std::fs::metadata(&path) {
            Ok(meta) if meta.is_file() && meta.len() <= MOST_BYTES => match std::fs::read(&path) {
                Ok(bytes) => read.push((path.display().to_string(), bytes)),
                Err(error) => problems.push(told(&path, &error)),
            },
            Ok(_) => problems.push(told(&path, &format!("not a file of at most {MOST_BYTES} bytes"))),
            Err(error) => problems.push(told(&path, &error)),
        }
    }
    if problems.is_empty() { Ok(read) } else { Err(CliError::Input(problems)) }
}
