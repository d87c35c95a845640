//! `suite`: several modes in a sensible order. Processor and memory first, while nothing is warm; disks last, because what
//! they write lasts longest; pauses of nothing in between, because each mode has its own warm-up.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::clock::Clock;
use super::common::Common;
use super::control::Control;
use super::cpu::Cpu;
use super::error::{BenchError, Mistakes};
use super::fileio::{Engine, FileIo, PROFILES, Profile, Sync};
use super::jbb::Jbb;
use super::memory::{Access, Memory, Operation, Scope};
use super::mutex::MutexMode;
use super::os;
use super::result::{BenchResult, Ended};
use super::threads::Threads;

/// What a suite is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SuiteProfile {
    /// What decides about a database server.
    Sql,
    /// What decides about BizTalk: processing servers and their databases.
    Biztalk,
    /// A first look.
    Quick,
}

/// Options of `suite`.
#[derive(Clone, Debug, PartialEq)]
pub struct Suite {
    pub profile: SuiteProfile,
    /// Counted time, warm-up and repeats of each mode.
    pub common: Common,
    /// Folder for the disk tests; without, there are none.
    pub path: Option<PathBuf>,
    pub size: u64,
    pub max_size: u64,
}

/// What a suite measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SuiteResult {
    pub profile: SuiteProfile,
    pub results: Vec<BenchResult>,
    /// Modes that gave no result, and why.
    pub failed: Vec<SuiteFailure>,
    pub valid: bool,
}

/// A mode of a suite without a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SuiteFailure {
    pub step: String,
    pub why: String,
}

/// One mode of a suite.
#[derive(Clone, Debug)]
enum Step {
    Cpu(Cpu),
    Threads(Threads),
    Mutex(MutexMode),
    Memory(Memory),
    Jbb(Jbb),
    FileIo(&'static str, Box<FileIo>),
}

const MIB: u64 = 1 << 20;

/// Writing the test file is estimated at this rate, bytes a second: a slow disk array.
const FILL_RATE: u64 = 100 * MIB;

impl Suite {
    /// The names of the modes in their order.
    pub fn steps(&self) -> Vec<String> {
        self.plan().iter().map(Step::name).collect()
    }

    /// About how long it takes, s.
    pub fn estimated_s(&self) -> f64 {
        self.plan().iter().map(|step| step.estimated_s(&self.common)).sum()
    }

    /// Runs one mode after another. A mode that fails does not end the suite; a stop does.
    ///
    /// # Errors
    /// Options that cannot be; a stop before anything was measured.
    pub fn run(
        &self,
        clock: &impl Clock,
        control: &Control,
        mut next: impl FnMut(&str),
    ) -> Result<SuiteResult, BenchError> {
        let mut mistakes = Mistakes::default();
        self.common.check(&mut mistakes);
        mistakes.done()?;
        let mut suite = SuiteResult { profile: self.profile, results: Vec::new(), failed: Vec::new(), valid: true };
        for step in self.plan() {
            if control.is_cancelled() {
                break;
            }
            next(&step.name());
            match step.run(clock, control) {
                Ok(result) => suite.results.push(result),
                Err(error @ BenchError::Usage(_)) if suite.results.is_empty() => return Err(error),
                Err(error) => suite.failed.push(SuiteFailure { step: step.name(), why: error.to_string() }),
            }
        }
        if suite.results.is_empty() {
            return Err(match suite.failed.into_iter().next() {
                Some(failure) if !control.is_cancelled() => {
                    BenchError::Other(format!("{}: {}", failure.step, failure.why))
                }
                _ => BenchError::Cancelled,
            });
        }
        suite.valid = suite.failed.is_empty()
            && !control.is_cancelled()
            && suite.results.iter().all(|result| result.valid && result.ended == Ended::Complete);
        Ok(suite)
    }

    fn plan(&self) -> Vec<Step> {
        let all = os::usable_processors();
        let one = Common { threads: 1, ..self.common };
        let every = Common { threads: all, ..self.common };
        let cpu = |common| Step::Cpu(Cpu { common, max_prime: 10_000 });
        let memory = |operation, bandwidth| {
            let (access, scope) = (Access::Sequential, Scope::Local);
            Step::Memory(Memory { common: one, block_bytes: MIB, operation, access, scope, bandwidth })
        };
        let threads = Step::Threads(Threads { common: every, yields: 1000, locks: 8 });
        let mutex = Step::Mutex(MutexMode { common: every, mutexes: 4096, locks: 50_000, loops: 10_000 });
        let mut steps = vec![cpu(one), cpu(every)];
        match self.profile {
            SuiteProfile::Quick => steps.push(memory(Operation::Read, false)),
            SuiteProfile::Sql => {
                steps.extend([memory(Operation::Read, true), memory(Operation::Write, true), mutex]);
            }
            SuiteProfile::Biztalk => {
                steps.extend([memory(Operation::Read, true), threads, mutex]);
                steps.push(Step::Jbb(Jbb { common: one, warehouses: None }));
            }
        }
        let disks: &[&str] = match self.profile {
            SuiteProfile::Quick => &["sql-data"],
            SuiteProfile::Sql => &["sql-data", "sql-log", "sql-checkpoint", "sql-readahead", "sql-backup"],
            SuiteProfile::Biztalk => &["sql-data", "sql-log", "sql-checkpoint"],
        };
        let named = |name: &&str| PROFILES.iter().find(|profile| profile.name == *name);
        if let Some(path) = &self.path {
            steps.extend(disks.iter().filter_map(named).map(|profile| self.disk(profile, path.clone(), one)));
        }
        steps
    }

    fn disk(&self, profile: &Profile, path: PathBuf, common: Common) -> Step {
        let mut spec = FileIo::of_profile(profile, path, common, self.size);
        spec.max_size = self.max_size;
        if profile.name == "sql-data" && self.profile != SuiteProfile::Quick {
            spec.outstanding = vec![1, 2, 4, 8, 16, 32];
        }
        Step::FileIo(profile.name, Box::new(spec))
    }
}

impl FileIo {
    /// The access specification of a profile on a file of this size.
    pub fn of_profile(profile: &Profile, path: PathBuf, common: Common, size: u64) -> Self {
        Self {
            common,
            path,
            size,
            max_size: u64::MAX,
            block: profile.block,
            read_percent: profile.read_percent,
            random_percent: profile.random_percent,
            outstanding: vec![profile.outstanding],
            burst: 1,
            align: None,
            sync: if profile.write_through { Sync::Each } else { Sync::Never },
            cached: false,
            engine: Engine::Auto,
            steady_rounds: None,
        }
    }
}

impl Step {
    fn name(&self) -> String {
        let threads = |count: u32| if count == 1 { "1 thread".to_owned() } else { format!("{count} threads") };
        match self {
            Self::Cpu(cpu) => format!("cpu, {}", threads(cpu.common.threads)),
            Self::Threads(mode) => format!("threads, {}", threads(mode.common.threads)),
            Self::Mutex(mode) => format!("mutex, {}", threads(mode.common.threads)),
            Self::Memory(memory) => {
                let what = if memory.operation == Operation::Read { "read" } else { "write" };
                format!("memory {what}{}", if memory.bandwidth { ", beyond the caches" } else { "" })
            }
            Self::Jbb(_) => "jbb".to_owned(),
            Self::FileIo(name, _) => format!("fileio {name}"),
        }
    }

    fn estimated_s(&self, common: &Common) -> f64 {
        let window = (common.time + common.warm_up).as_secs_f64() * f64::from(common.repeat);
        match self {
            // The work has an end of its own: about half a second.
            Self::Mutex(_) => 0.5 * f64::from(common.repeat),
            Self::Jbb(_) => window * 2.0 * f64::from(os::usable_processors()),
            Self::FileIo(_, spec) => window * spec.outstanding.len() as f64 + (spec.size / FILL_RATE) as f64,
            _ => window,
        }
    }

    fn run(&self, clock: &impl Clock, control: &Control) -> Result<BenchResult, BenchError> {
        match self {
            Self::Cpu(mode) => mode.run(clock, control),
            Self::Threads(mode) => mode.run(clock, control),
            Self::Mutex(mode) => mode.run(clock, control),
            Self::Memory(mode) => mode.run(clock, control),
            Self::Jbb(mode) => mode.run(clock, control),
            Self::FileIo(_, mode) => mode.run(clock, control),
        }
    }
}

/// A time as people say it.
pub fn time_text(seconds: f64) -> String {
    let time = Duration::try_from_secs_f64(seconds.max(0.0).round()).unwrap_or_default();
    match time.as_secs() {
        seconds @ 0..=90 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(profile: SuiteProfile, path: Option<PathBuf>) -> Suite {
        let common = Common { threads: 1, time: Duration::from_secs(10), warm_up: Duration::from_secs(1), repeat: 1 };
        Suite { profile, common, path, size: 1 << 30, max_size: 1 << 36 }
    }

    #[test]
    fn disks_come_last_and_only_with_a_folder() {
        let without = suite(SuiteProfile::Sql, None).steps();
        assert!(!without.iter().any(|step| step.contains("fileio")), "{without:?}");
        let with = suite(SuiteProfile::Sql, Some(PathBuf::from("/x"))).steps();
        assert_eq!(with[..without.len()], without[..]);
        assert_eq!(with.len(), without.len() + 5);
        assert_eq!(with.last().map(String::as_str), Some("fileio sql-backup"));
    }

    #[test]
    fn the_estimate_counts_every_window() {
        let quick = suite(SuiteProfile::Quick, None);
        assert_eq!(quick.estimated_s(), 33.0);
        assert_eq!((time_text(33.4), time_text(120.5)), ("33 s".to_owned(), "3 min".to_owned()));
    }

    #[test]
    fn a_mistake_is_told_before_anything_runs() {
        let mut wrong = suite(SuiteProfile::Quick, None);
        wrong.common.repeat = 0;
        let error = wrong.run(&super::super::clock::SystemClock::new(), &Control::silent(), |_| ()).unwrap_err();
        assert!(error.is_usage());
    }
}
