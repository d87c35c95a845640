//! `vmfit bench`: load on this machine.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, Subcommand, ValueEnum};

use super::error::CliError;
use super::output;
use crate::bench::clock::SystemClock;
use crate::bench::common::Common;
use crate::bench::control::Control;
use crate::bench::error::BenchError;
use crate::bench::modes::MODES;
use crate::bench::result::{BenchResult, Ended};
use crate::bench::suite::SuiteResult;
use crate::report::bench_text;

mod database;
mod modes;
mod progress;
mod submit;

/// Measure this machine: processor, memory, disk, network, databases
///
/// The same program measures natively and in a guest, says where it ran, and marks a result as not valid when something
/// disturbed it.
#[derive(Args)]
#[command(after_help = "Examples:
  vmfit bench cpu --threads 2
  vmfit bench fileio --path /mnt/lun --size 10GiB --outstanding 1,2,4,8,16,32
  vmfit bench oltp --database postgres://bench:secret@db/bench --mix read_write --scale 10 --threads 16
  vmfit bench suite --profile sql --path /mnt/lun --format json --out native.json")]
pub struct Bench {
    #[command(subcommand)]
    mode: Mode,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    format: Format,
    /// Write the result as JSON to this file too
    #[arg(long, value_name = "FILE", global = true)]
    out: Option<PathBuf>,
    /// Send the result to a vmfit server
    #[arg(long, value_name = "URL", global = true)]
    submit: Option<String>,
}

#[derive(Subcommand)]
enum Mode {
    Cpu(modes::CpuArgs),
    Threads(modes::ThreadsArgs),
    Mutex(modes::MutexArgs),
    Memory(modes::MemoryArgs),
    Fileio(modes::FileIoArgs),
    Jbb(modes::JbbArgs),
    Network(modes::NetworkArgs),
    Oltp(database::OltpArgs),
    Report(database::ReportArgs),
    Dbops(database::DbopsArgs),
    Suite(modes::SuiteArgs),
    /// Cost of an event that does nothing: the program's own bookkeeping
    Empty(CommonArgs),
    /// Name the modes
    List,
    /// Print the JSON Schema of a result
    Schema,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// Options of every mode.
#[derive(Args, Clone)]
pub struct CommonArgs {
    /// Threads of the load
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: u32,
    #[command(flatten)]
    times: TimeArgs,
}

/// How long and how often.
#[derive(Args, Clone)]
pub struct TimeArgs {
    /// Measured time, s
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true, value_name = "S")]
    time: f64,
    /// Load before it that is not counted, s
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_name = "S")]
    warmup: f64,
    /// Runs, for an interval of the mean
    #[arg(long, default_value_t = 1, value_name = "N")]
    repeat: u32,
}

impl TimeArgs {
    /// # Errors
    /// A time that is none.
    fn with_threads(&self, threads: u32) -> Result<Common, CliError> {
        let seconds = |flag: &str, value: f64| {
            Duration::try_from_secs_f64(value)
                .map_err(|_| CliError::input(format!("{flag} {value}: allowed is a number of seconds")))
        };
        let (time, warm_up) = (seconds("--time", self.time)?, seconds("--warmup", self.warmup)?);
        Ok(Common { threads, time, warm_up, repeat: self.repeat })
    }
}

impl CommonArgs {
    fn common(&self) -> Result<Common, CliError> {
        self.times.with_threads(self.threads)
    }
}

impl Bench {
    /// Runs the benchmark, prints its result, and writes and sends it where that is wished.
    ///
    /// # Errors
    /// Options that cannot be; a benchmark that failed or was stopped, after what it measured was printed.
    pub fn run(self) -> Result<(), CliError> {
        match &self.mode {
            Mode::List => return list(self.format),
            Mode::Schema => return output::print(&super::json(&crate::bench::result_schema())?),
            _ => {}
        }
        self.check_ways_out()?;
        let watched = progress::watched();
        let (control, clock) = (watched.control(), SystemClock::new());
        let done = match &self.mode {
            Mode::Suite(args) => {
                let suite = args.suite()?;
                watched.announce(&modes::estimate(&suite));
                let result = suite.run(&clock, control, |step| watched.announce(step));
                watched.finish();
                return self.hand_over_suite(&result.map_err(CliError::from)?);
            }
            Mode::Network(args) if args.serves() => {
                let served = args.serve(control, |line| watched.announce(line));
                watched.finish();
                return served;
            }
            mode => mode.run(&clock, control),
        };
        watched.finish();
        self.hand_over(&done?)
    }

    /// Told before anything runs: a result that took an hour must have a place to go.
    fn check_ways_out(&self) -> Result<(), CliError> {
        if let Some(path) = &self.out {
            output::check_file("--out", path)?;
        }
        if let Some(url) = &self.submit {
            submit::address(url)?;
        }
        Ok(())
    }

    fn hand_over(&self, result: &BenchResult) -> Result<(), CliError> {
        self.written(&super::json(result)?, || bench_text::text(result))?;
        if let Some(url) = &self.submit {
            submit::send(url, result)?;
        }
        match result.ended {
            Ended::Complete => Ok(()),
            Ended::Cancelled => Err(CliError::Other(anyhow!("stopped before its time: the result is not valid"))),
            Ended::Failed => {
                let why = result.warnings.first().cloned().unwrap_or_default();
                Err(CliError::Other(anyhow!("broke off, the result is not valid: {why}")))
            }
        }
    }

    fn hand_over_suite(&self, suite: &SuiteResult) -> Result<(), CliError> {
        self.written(&super::json(suite)?, || bench_text::suite_text(suite))?;
        if let Some(url) = &self.submit {
            for result in &suite.results {
                submit::send(url, result)?;
            }
        }
        match suite.failed.first() {
            Some(failure) => Err(CliError::Other(anyhow!("{}: {}", failure.step, failure.why))),
            None if suite.results.iter().any(|result| result.ended != Ended::Complete) => {
                Err(CliError::Other(anyhow!("stopped before its time")))
            }
            None => Ok(()),
        }
    }

    fn written(&self, json: &[u8], text: impl FnOnce() -> String) -> Result<(), CliError> {
        if let Some(path) = &self.out {
            output::write_file("--out", path, json)?;
        }
        match self.format {
            Format::Json => output::print(json),
            Format::Text => output::print(text().as_bytes()),
        }
    }
}

impl Mode {
    fn run(&self, clock: &SystemClock, control: &Control) -> Result<BenchResult, CliError> {
        let result = match self {
            Self::Cpu(args) => args.mode()?.run(clock, control),
            Self::Threads(args) => args.mode()?.run(clock, control),
            Self::Mutex(args) => args.mode()?.run(clock, control),
            Self::Memory(args) => args.mode()?.run(clock, control),
            Self::Fileio(args) => args.mode()?.run(clock, control),
            Self::Jbb(args) => args.mode()?.run(clock, control),
            Self::Network(args) => args.mode()?.run(clock, control),
            Self::Oltp(args) => args.mode()?.run(control),
            Self::Report(args) => args.mode()?.run(control),
            Self::Dbops(args) => args.mode()?.run(control),
            Self::Empty(args) => crate::bench::empty::Empty { common: args.common()? }.run(clock, control),
            // They were done before.
            Self::Suite(_) | Self::List | Self::Schema => return Err(CliError::input("not a mode of its own")),
        };
        Ok(result?)
    }
}

impl From<BenchError> for CliError {
    fn from(error: BenchError) -> Self {
        match error {
            BenchError::Usage(lines) => Self::Input(lines),
            other => Self::Other(other.into()),
        }
    }
}

fn list(format: Format) -> Result<(), CliError> {
    if format == Format::Json {
        return output::print(&super::json(&MODES)?);
    }
    let lines: String = MODES.iter().map(|mode| format!("{:<9}{}\n", mode.name, mode.tells)).collect();
    output::print(lines.as_bytes())
}
