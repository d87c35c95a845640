//! The options of each mode.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use super::{CommonArgs, TimeArgs};
use crate::bench::common::parse_size;
use crate::bench::control::Control;
use crate::bench::cpu::Cpu;
use crate::bench::error::BenchError;
use crate::bench::fileio::{Engine, FileIo, PROFILES, Sync};
use crate::bench::jbb::Jbb;
use crate::bench::memory::{Access, Memory, Operation, Scope};
use crate::bench::mutex::MutexMode;
use crate::bench::network::{Network, Serve};
use crate::bench::suite::{Suite, SuiteProfile, time_text};
use crate::bench::threads::Threads;
use crate::cli::error::CliError;

/// Primes by trial division; compares with sysbench
#[derive(Args)]
pub struct CpuArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Numbers below this are tested in each event
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    cpu_max_prime: u32,
}

impl CpuArgs {
    pub fn mode(&self) -> Result<Cpu, CliError> {
        Ok(Cpu { common: self.common.common()?, max_prime: self.cpu_max_prime })
    }
}

/// Switching of threads that hold locks; compares with sysbench
#[derive(Args)]
pub struct ThreadsArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Times that an event gives the processor away
    #[arg(long, default_value_t = 1000, value_name = "N")]
    yields: u32,
    /// Mutexes
    #[arg(long, default_value_t = 8, value_name = "N")]
    locks: u32,
}

impl ThreadsArgs {
    pub fn mode(&self) -> Result<Threads, CliError> {
        Ok(Threads { common: self.common.common()?, yields: self.yields, locks: self.locks })
    }
}

/// Many short locks; the result is time; compares with sysbench
#[derive(Args)]
pub struct MutexArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Mutexes
    #[arg(long, default_value_t = 4096, value_name = "N")]
    mutexes: u32,
    /// Locks of each thread
    #[arg(long, default_value_t = 50_000, value_name = "N")]
    locks: u32,
    /// What a thread counts to before each lock
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    loops: u32,
}

impl MutexArgs {
    pub fn mode(&self) -> Result<MutexMode, CliError> {
        let Self { mutexes, locks, loops, .. } = *self;
        Ok(MutexMode { common: self.common.common()?, mutexes, locks, loops })
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum OperationArg {
    Read,
    Write,
}

#[derive(Clone, Copy, ValueEnum)]
enum AccessArg {
    Seq,
    Rnd,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScopeArg {
    Local,
    Global,
}

/// Reads or writes of memory; compares with sysbench
#[derive(Args)]
pub struct MemoryArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Block of an event
    #[arg(long, default_value = "1MiB", value_parser = parse_size, value_name = "SIZE")]
    block_size: u64,
    #[arg(long, value_enum, default_value_t = OperationArg::Write)]
    operation: OperationArg,
    /// In order, or at random
    #[arg(long, value_enum, default_value_t = AccessArg::Seq)]
    access: AccessArg,
    /// A block for each thread, or one for all
    #[arg(long, value_enum, default_value_t = ScopeArg::Global)]
    scope: ScopeArg,
    /// Measure beyond the last-level cache: the block is four times that cache, an event is 1 MiB of it
    #[arg(long)]
    bandwidth: bool,
}

impl MemoryArgs {
    pub fn mode(&self) -> Result<Memory, CliError> {
        Ok(Memory {
            common: self.common.common()?,
            block_bytes: self.block_size,
            operation: match self.operation {
                OperationArg::Read => Operation::Read,
                OperationArg::Write => Operation::Write,
            },
            access: match self.access {
                AccessArg::Seq => Access::Sequential,
                AccessArg::Rnd => Access::Random,
            },
            scope: match self.scope {
                ScopeArg::Local => Scope::Local,
                ScopeArg::Global => Scope::Global,
            },
            bandwidth: self.bandwidth,
        })
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum EngineArg {
    Auto,
    #[value(name = "io_uring")]
    IoUring,
    Threads,
}

/// Disk I/O by an access specification; compares with fio and IOMeter
///
/// The test file is new, written whole with data that does not compress, and gone afterwards.
#[derive(Args)]
pub struct FileIoArgs {
    /// Folder for the test file
    #[arg(long, value_name = "DIR")]
    path: PathBuf,
    /// Access specification of a known load, in place of the next five: sql-data, sql-log, sql-checkpoint, sql-readahead,
    /// sql-backup, iometer
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
    #[arg(long, default_value = "8KiB", value_parser = parse_size, value_name = "SIZE")]
    block_size: u64,
    #[arg(long, default_value_t = 67, value_name = "P")]
    read_percent: u32,
    #[arg(long, default_value_t = 100, value_name = "P")]
    random_percent: u32,
    /// I/Os of each worker in flight; several numbers make a curve, as in 1,2,4,8
    #[arg(long, value_delimiter = ',', value_name = "N")]
    outstanding: Vec<u32>,
    /// When writes are forced to the medium: none, each, end, or a number of writes
    #[arg(long, value_name = "WHEN")]
    fsync: Option<String>,
    /// Size of the test file
    #[arg(long, default_value = "1GiB", value_parser = parse_size, value_name = "SIZE")]
    size: u64,
    /// Largest test file that may be asked for
    #[arg(long, default_value = "64GiB", value_parser = parse_size, value_name = "SIZE")]
    max_size: u64,
    #[arg(long, alias = "threads", default_value_t = 1, value_name = "N")]
    workers: u32,
    /// Load before the measured time, s; its pending I/Os are finished first
    #[arg(long, alias = "warmup", default_value_t = 2.0, allow_negative_numbers = true, value_name = "S")]
    ramp: f64,
    /// Measured time, s
    #[arg(long, default_value_t = 10.0, allow_negative_numbers = true, value_name = "S")]
    time: f64,
    /// Runs, for an interval of the mean
    #[arg(long, default_value_t = 1, value_name = "N")]
    repeat: u32,
    /// I/Os that are issued together
    #[arg(long, default_value_t = 1, value_name = "N")]
    burst: u32,
    /// Offsets are multiples of this; the block if it is left out
    #[arg(long, value_parser = parse_size, value_name = "SIZE")]
    align: Option<u64>,
    /// Through the system's cache
    #[arg(long)]
    cached: bool,
    #[arg(long, value_enum, default_value_t = EngineArg::Auto)]
    engine: EngineArg,
    /// Rounds of --time until the last five are steady by SNIA's rule, at most so many
    #[arg(long, value_name = "ROUNDS")]
    steady: Option<u32>,
}

/// I/Os in flight where nothing is said.
const USUAL_OUTSTANDING: u32 = 1;

impl FileIoArgs {
    pub fn mode(&self) -> Result<FileIo, CliError> {
        let times = TimeArgs { time: self.time, warmup: self.ramp, repeat: self.repeat };
        let common = times.with_threads(self.workers)?;
        let mut spec = match &self.profile {
            None => self.own(common),
            Some(name) => {
                let profile = PROFILES.iter().find(|profile| profile.name == name).ok_or_else(|| {
                    let names: Vec<&str> = PROFILES.iter().map(|profile| profile.name).collect();
                    CliError::input(format!("--profile {name}: allowed is {}", names.join(", ")))
                })?;
                FileIo::of_profile(profile, self.path.clone(), common, self.size)
            }
        };
        if !self.outstanding.is_empty() {
            spec.outstanding.clone_from(&self.outstanding);
        }
        if let Some(when) = &self.fsync {
            spec.sync = sync(when)?;
        }
        (spec.max_size, spec.burst, spec.align, spec.cached) = (self.max_size, self.burst, self.align, self.cached);
        spec.engine = match self.engine {
            EngineArg::Auto => Engine::Auto,
            EngineArg::IoUring => Engine::IoUring,
            EngineArg::Threads => Engine::Threads,
        };
        spec.steady_rounds = self.steady;
        Ok(spec)
    }

    fn own(&self, common: crate::bench::common::Common) -> FileIo {
        FileIo {
            common,
            path: self.path.clone(),
            size: self.size,
            max_size: self.max_size,
            block: self.block_size,
            read_percent: self.read_percent,
            random_percent: self.random_percent,
            outstanding: vec![USUAL_OUTSTANDING],
            burst: self.burst,
            align: self.align,
            sync: Sync::Never,
            cached: self.cached,
            engine: Engine::Auto,
            steady_rounds: None,
        }
    }
}

fn sync(when: &str) -> Result<Sync, CliError> {
    match when {
        "none" => Ok(Sync::Never),
        "each" => Ok(Sync::Each),
        "end" => Ok(Sync::End),
        writes => writes
            .parse()
            .map(Sync::Every)
            .map_err(|_| CliError::input(format!("--fsync {when}: allowed is none, each, end or a number of writes"))),
    }
}

/// Business transactions in memory, inspired by TPC-C as SPECjbb was
#[derive(Args)]
pub struct JbbArgs {
    #[command(flatten)]
    times: TimeArgs,
    /// N: points with 1 to 2 N warehouses are measured; the logical processors if it is left out
    #[arg(long, value_name = "N")]
    warehouses: Option<u32>,
}

impl JbbArgs {
    pub fn mode(&self) -> Result<Jbb, CliError> {
        Ok(Jbb { common: self.times.with_threads(1)?, warehouses: self.warehouses })
    }
}

/// TCP streams between two machines, both ways
#[derive(Args)]
#[command(group = ArgGroup::new("side").required(true))]
pub struct NetworkArgs {
    /// Listen here until Ctrl-C; whoever reaches the address can load this machine and its network
    #[arg(long, value_name = "ADDR", group = "side")]
    serve: Option<String>,
    /// Measure against a vmfit that listens there
    #[arg(long, value_name = "ADDR", group = "side")]
    connect: Option<String>,
    #[arg(long, alias = "threads", default_value_t = 1, value_name = "N")]
    streams: u32,
    /// How much smaller the data becomes when it is compressed
    #[arg(long, default_value_t = 1.0, allow_negative_numbers = true, value_name = "RATIO")]
    compressible: f64,
    #[command(flatten)]
    times: TimeArgs,
}

impl NetworkArgs {
    pub fn serves(&self) -> bool {
        self.serve.is_some()
    }

    pub fn mode(&self) -> Result<Network, CliError> {
        let connect = self.connect.clone().unwrap_or_default();
        let common = self.times.with_threads(self.streams)?;
        Ok(Network { common, connect, compressible: self.compressible })
    }

    /// Serves until it is stopped: that is no failure.
    pub fn serve(&self, control: &Control, tell: impl Fn(&str)) -> Result<(), CliError> {
        let address = self.serve.clone().unwrap_or_default();
        let serve = Serve::bind(&address)?;
        let bound = serve.address().map_err(|error| BenchError::failed(format!("--serve {address}"), error))?;
        eprintln!("listens on {bound}");
        serve.run(control, |one| {
            let cpu = one.cpu_percent.map_or_else(|| "unknown".to_owned(), |cpu| format!("{cpu:.0} %"));
            let megabytes = one.bytes / 1_000_000;
            tell(&format!("{}: {}, {} streams, {megabytes} MB, CPU {cpu}", one.peer, one.direction, one.streams));
        })?;
        Ok(())
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum ProfileArg {
    Sql,
    Biztalk,
    Quick,
}

/// Several modes in a sensible order
#[derive(Args)]
pub struct SuiteArgs {
    #[arg(long, value_enum, default_value_t = ProfileArg::Quick)]
    profile: ProfileArg,
    /// Folder for the disk tests; without, there are none
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// Size of each test file
    #[arg(long, default_value = "1GiB", value_parser = parse_size, value_name = "SIZE")]
    size: u64,
    /// Largest test file that may be asked for
    #[arg(long, default_value = "64GiB", value_parser = parse_size, value_name = "SIZE")]
    max_size: u64,
    #[command(flatten)]
    times: TimeArgs,
}

impl SuiteArgs {
    pub fn suite(&self) -> Result<Suite, CliError> {
        let profile = match self.profile {
            ProfileArg::Sql => SuiteProfile::Sql,
            ProfileArg::Biztalk => SuiteProfile::Biztalk,
            ProfileArg::Quick => SuiteProfile::Quick,
        };
        let common = self.times.with_threads(1)?;
        Ok(Suite { profile, common, path: self.path.clone(), size: self.size, max_size: self.max_size })
    }
}

/// What a suite will do, and for about how long.
pub fn estimate(suite: &Suite) -> String {
    let steps = suite.steps();
    format!("{} modes, about {}: {}", steps.len(), time_text(suite.estimated_s()), steps.join("; "))
}
