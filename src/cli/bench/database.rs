//! The options of the modes that load a database.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::CommonArgs;
use crate::bench::database::DatabaseUrl;
use crate::bench::oltp::{self, Distribution};
use crate::bench::{dbops, reporting};
use crate::cli::error::CliError;

/// Where the database is.
#[derive(Args)]
pub struct DatabaseArgs {
    /// Database to load: postgres://, mysql://, mariadb://, sqlite:// or mssql:// with user, password, host and database.
    /// Tables beginning with vmfit_ are made in it and removed at the end
    #[arg(long, value_name = "URL")]
    database: String,
}

impl DatabaseArgs {
    fn url(&self) -> Result<DatabaseUrl, CliError> {
        DatabaseUrl::parse(&self.database).map_err(|why| CliError::input(format!("--database: {why}")))
    }
}

/// Transactions of sysbench or of a TPC-C-like mix on a database
#[derive(Args)]
pub struct OltpArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    database: DatabaseArgs,
    /// Which transactions; tpcc is derived from TPC-C and is no TPC-C result
    #[arg(long, value_enum, default_value_t = Mix::ReadWrite)]
    mix: Mix,
    /// Tables; warehouses of tpcc
    #[arg(long, default_value_t = 1, value_name = "N")]
    scale: u32,
    /// Rows of a table [default: 10000]; items of tpcc, with customers and orders in proportion [default: 100000]
    #[arg(long, value_name = "N")]
    rows: Option<u32>,
    /// How keys are chosen: special, as sysbench does unless told otherwise, or uniform
    #[arg(long, value_enum, default_value_t = Keys::Special)]
    distribution: Keys,
    /// Transactions a second that arrive whatever the server does; response times then begin at the intended start
    #[arg(long, allow_negative_numbers = true, value_name = "R")]
    rate: Option<f64>,
    /// Users of tpcc with keying and think time
    #[arg(long, value_name = "N")]
    users: Option<u32>,
    /// Keying and think time as a multiple of those of the TPC-C specification
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_name = "FACTOR")]
    pace: f64,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Mix {
    ReadWrite,
    ReadOnly,
    WriteOnly,
    PointSelect,
    Tpcc,
}

#[derive(Clone, Copy, ValueEnum)]
enum Keys {
    Special,
    Uniform,
}

impl OltpArgs {
    pub fn mode(&self) -> Result<oltp::Options, CliError> {
        Ok(oltp::Options {
            common: self.common.common()?,
            url: self.database.url()?,
            mix: match self.mix {
                Mix::ReadWrite => oltp::Mix::ReadWrite,
                Mix::ReadOnly => oltp::Mix::ReadOnly,
                Mix::WriteOnly => oltp::Mix::WriteOnly,
                Mix::PointSelect => oltp::Mix::PointSelect,
                Mix::Tpcc => oltp::Mix::Tpcc,
            },
            scale: self.scale,
            rows: self.rows,
            distribution: match self.distribution {
                Keys::Special => Distribution::Special,
                Keys::Uniform => Distribution::Uniform,
            },
            rate: self.rate,
            users: self.users,
            pace: self.pace,
        })
    }
}

/// Common options of the modes whose steps take the time that they take, one after another.
#[derive(Args)]
pub struct StepArgs {
    /// Times that each step is done
    #[arg(long, default_value_t = 1, value_name = "N")]
    repeat: u32,
    /// Steps are done one after another by one connection
    #[arg(long = "threads", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1), hide = true)]
    _threads: u32,
    /// Taken because every mode takes it: a step ends when it is done
    #[arg(long = "time", allow_negative_numbers = true, value_name = "S", hide = true)]
    _time: Option<f64>,
}

/// Backup, restore, index rebuild and consistency check in the database's own commands
#[derive(Args)]
pub struct DbopsArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Hundred thousands of rows
    #[arg(long, default_value_t = 1, value_name = "N")]
    scale: u32,
    #[command(flatten)]
    steps: StepArgs,
    /// Taken because every mode takes it: nothing is done twice to warm up
    #[arg(long = "warmup", allow_negative_numbers = true, value_name = "S", hide = true)]
    _warmup: Option<f64>,
    /// Folder for the backup: of the server for SQL Server, of this machine for the others
    #[arg(long, default_value = ".", value_name = "DIR")]
    path: PathBuf,
}

impl DbopsArgs {
    pub fn mode(&self) -> Result<dbops::Options, CliError> {
        Ok(dbops::Options {
            url: self.database.url()?,
            scale: self.scale,
            repeat: self.steps.repeat,
            path: self.path.clone(),
        })
    }
}

/// Four long read-only aggregates, one after another
#[derive(Args)]
pub struct ReportArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Hundred thousands of sales
    #[arg(long, default_value_t = 1, value_name = "N")]
    scale: u32,
    #[command(flatten)]
    steps: StepArgs,
    /// More than 0: each query is run once before, uncounted
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_name = "S")]
    warmup: f64,
}

impl ReportArgs {
    pub fn mode(&self) -> Result<reporting::Options, CliError> {
        Ok(reporting::Options {
            url: self.database.url()?,
            scale: self.scale,
            repeat: self.steps.repeat,
            warm_up: self.warmup > 0.0,
        })
    }
}
