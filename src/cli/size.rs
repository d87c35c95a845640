//! `vmfit size`: the answer to one scenario.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde_json::Value;

use super::error::CliError;
use super::{input, output};
use crate::config;
use crate::domain::ModelCatalog;
use crate::engine;
use crate::report::text::{Style, text};
use crate::report::xlsx::workbook;
use crate::report::{Options, answer_from};

/// How the answer is printed.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Format {
    /// A sentence and tables
    Text,
    /// The same JSON as the API returns
    Json,
}

/// Say how many VMs fit, what stops one more, and why
///
/// SCENARIO.json names a host, its storage, the VMs of one unit, an overhead model and a policy; only host and unit must be
/// there. What is left out is assumed or not checked, and the answer says which. A field's unit is its suffix: memory_gib,
/// write_iops, max_latency_ms.
#[derive(Args)]
#[command(after_help = "Examples:
  vmfit size fixtures/scenarios/example-dl580.json
  vmfit size plan.json --format json | jq .fit.likely
  vmfit size plan.json --pdf plan.pdf --xlsx plan.xlsx

  vmfit size - <<'EOF'
  { \"host\": { \"sockets\": 2, \"cores_per_socket\": 8, \"memory_gib\": 64 },
    \"unit\": [ { \"vm\": { \"vcpus\": 4, \"memory_gib\": 8,
                        \"cpu\": { \"busy_percent\": 45, \"of_cores\": 4 } } } ],
    \"overhead\": \"hyperv-2008-sql\" }
  EOF

Exit codes: 0 answered, also when nothing fits; 2 the scenario or an option is wrong, one line for each
error with its place, the value and what is allowed; 1 anything else.")]
pub struct Size {
    /// A scenario as JSON; - reads standard input
    #[arg(value_name = "SCENARIO.json")]
    scenario: String,
    /// How the answer is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Add utilization and latency against the number of units to the JSON
    #[arg(long)]
    curves: bool,
    /// Add the arithmetic of each number to the JSON, and how each coefficient was derived
    #[arg(long)]
    arithmetic: bool,
    /// Add Sobol indices to the JSON: the share of the answer's variance that comes from each input
    #[arg(long)]
    indices: bool,
    /// Write the report for a board too
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
    /// Write the workbook too
    #[arg(long, value_name = "FILE")]
    xlsx: Option<PathBuf>,
}

impl Size {
    pub fn run(self) -> Result<(), CliError> {
        let bytes = input::read(&self.scenario)?;
        let scenario = input::scenario(&self.scenario, &bytes, ModelCatalog::built_in())?;
        let outcome = engine::size(&scenario);
        if self.pdf.is_some() || self.xlsx.is_some() {
            let shown = answer_from(&scenario, &outcome, Options::SHOWN);
            // Both documents are made before either is written.
            let input: Value = serde_json::from_slice(&bytes).context("JSON")?;
            let pdf = self.pdf.map(|path| super::report::pdf(&shown, &input).map(|bytes| (path, bytes))).transpose()?;
            let xlsx = self.xlsx.map(|path| workbook(&shown, &input).map(|bytes| (path, bytes))).transpose();
            let xlsx = xlsx.context("workbook")?;
            for (flag, document) in [("--pdf", &pdf), ("--xlsx", &xlsx)] {
                if let Some((path, bytes)) = document {
                    output::write_file(flag, path, bytes)?;
                }
            }
        }
        let options = Options { curves: self.curves, arithmetic: self.arithmetic, indices: self.indices };
        let answer = answer_from(&scenario, &outcome, options);
        let printed = match self.format {
            Format::Text => {
                let terminal = config::terminal();
                text(&answer, Style { bars: terminal.interactive, colour: terminal.colour }).into_bytes()
            }
            Format::Json => super::json(&answer)?,
        };
        output::print(&printed)
    }
}
