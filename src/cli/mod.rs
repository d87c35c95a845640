//! The commands, one file each. What is typed wrong ends with exit code 2 and a line for each error; anything else that
//! fails with 1.

use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Parser, Subcommand};
use serde::Serialize;

use crate::config;

mod backtest;
mod bench;
mod calibrate;
mod completions;
mod error;
mod import;
mod input;
mod openapi;
mod output;
mod report;
mod serve;
mod size;

use error::CliError;

/// How many SQL Server or BizTalk VMs fit on this host and SAN, what stops one more, and how sure are we?
#[derive(Parser)]
#[command(name = "vmfit", version, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
    Size(size::Size),
    Report(report::Report),
    Bench(bench::Bench),
    Import(import::Import),
    Calibrate(calibrate::Calibrate),
    Backtest(backtest::Backtest),
    #[command(name = "openapi")]
    OpenApi(openapi::OpenApi),
    Completions(completions::Completions),
}

/// Parses the command line, runs the command, and says how it ended.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return error::usage(&error),
    };
    set_up_logging();
    let done = match cli.command {
        Command::Backtest(command) => command.run(),
        Command::Calibrate(command) => command.run(),
        Command::Import(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Serve(command) => command.run(),
        Command::Size(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::OpenApi(command) => command.run(),
        Command::Completions(command) => command.run(),
    };
    done.map_or_else(|error| error.report(), |()| ExitCode::SUCCESS)
}

/// Standard output belongs to the answer: the log goes to standard error.
fn set_up_logging() {
    let filter = tracing_subscriber::EnvFilter::new(config::log_filter());
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    log.with_ansi(config::log_colour()).init();
}

/// JSON for people and programs alike: indented, with a line break at the end.
fn json(value: &impl Serialize) -> Result<Vec<u8>, CliError> {
    let mut bytes = serde_json::to_vec_pretty(value).context("JSON")?;
    bytes.push(b'\n');
    Ok(bytes)
}
