//! `vmfit report`: the report for a board.

use std::io::{IsTerminal as _, stdout};
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use serde_json::Value;
use uuid::Uuid;

use super::error::CliError;
use super::{input, output};
use crate::config::DatabaseConfig;
use crate::domain::ModelCatalog;
use crate::report::backtest;
use crate::report::pdf::{DocumentMeta, render};
use crate::report::{Answer, Options, answer_for};
use crate::store::{self, DatabaseUrl, StoreError};

/// Set the report for a board as PDF
///
/// Of a sizing that is kept, with the answer it was kept with, or of a scenario. The same input gives the same bytes.
#[derive(Args)]
#[command(after_help = "Examples:
  vmfit report fixtures/scenarios/example-dl580.json --out plan.pdf
  vmfit report 0198c2f0-5e7a-7000-8000-2f5d1c3b4a69 --out plan.pdf    a kept sizing, by its id
  vmfit report - < plan.json > plan.pdf")]
pub struct Report {
    /// Id of a kept sizing, or a scenario as JSON; - reads standard input
    #[arg(value_name = "SIZING")]
    sizing: String,
    /// Where the PDF goes; standard output when it is left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseConfig,
}

impl Report {
    pub fn run(self) -> Result<(), CliError> {
        if self.out.is_none() && stdout().is_terminal() {
            return Err(CliError::input("--out: a PDF is nothing for a terminal; allowed is --out FILE, or > FILE"));
        }
        let pdf = match Uuid::try_parse(&self.sizing) {
            Ok(id) => kept(id, &self.database.database)?,
            Err(_) => of_scenario(&self.sizing)?,
        };
        match self.out {
            Some(path) => output::write_file("--out", &path, &pdf),
            None => output::print(&pdf),
        }
    }
}

/// Of an answer without a date: no clock reaches the file.
///
/// # Errors
/// When the report cannot be set, which no answer should bring about.
pub fn pdf(answer: &Answer, input: &Value) -> Result<Vec<u8>, CliError> {
    Ok(render(answer, input, &meta(None)).context("PDF")?)
}

fn meta(created: Option<String>) -> DocumentMeta {
    DocumentMeta { created, accuracy: Some(backtest::summary().into()) }
}

fn of_scenario(path: &str) -> Result<Vec<u8>, CliError> {
    let bytes = input::read(path)?;
    let scenario = input::scenario(path, &bytes, ModelCatalog::built_in())?;
    let input = serde_json::from_slice(&bytes).context("JSON")?;
    pdf(&answer_for(&scenario, Options::SHOWN), &input)
}

fn kept(id: Uuid, database: &DatabaseUrl) -> Result<Vec<u8>, CliError> {
    // A mistyped name must not leave an empty database behind.
    let DatabaseUrl::Sqlite(path) = database;
    if !path.is_file() {
        return Err(CliError::input(format!("--database {database}: allowed is a database that exists")));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().context("no async runtime")?;
    let sizing = runtime.block_on(async {
        let store = store::open(database).await?;
        let sizing = store.sizing(id).await;
        store.close().await;
        sizing
    });
    let sizing = sizing.map_err(|error| match error {
        StoreError::NotFound => {
            CliError::input(format!("SIZING {id}: not in {database}; allowed is the id of a kept sizing"))
        }
        other => CliError::Other(other.into()),
    })?;
    Ok(render(&sizing.answer, &sizing.scenario, &meta(Some(sizing.updated.to_string()))).context("PDF")?)
}
