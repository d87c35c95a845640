//! The windows of a disk test: workers, curve, steady state, and the figures of reads and writes.

use serde_json::{Map, json};

use super::blocking;
use super::data::Slot;
use super::file::TestFile;
use super::pattern::Pattern;
use super::rounds;
use super::{Engine, FileIo, Sync};
use crate::bench::clock::{Clock, NANOS};
use crate::bench::contention::Needs;
use crate::bench::control::Control;
use crate::bench::environment::{self, Environment};
use crate::bench::error::BenchError;
use crate::bench::os::{self, ThreadUsage};
use crate::bench::record::Recorder;
use crate::bench::result::{BenchResult, Better, IoFigures, Operation};
use crate::bench::runner::{Load, LoadThread, nanos, run_threads};
use crate::bench::session::{Measured, Plan, Session};
use crate::bench::statistics::mean;

const MIB: f64 = (1 << 20) as f64;

/// What a worker hands back.
pub struct Outcome {
    reads: Recorder,
    writes: Recorder,
    syncs: Recorder,
    usage: ThreadUsage,
    begun_ns: u64,
    ended_ns: u64,
}

/// What a worker writes down, and its look at the clock.
pub struct Tally<'a, C> {
    thread: &'a LoadThread<'a, C>,
    outcome: Outcome,
    before: ThreadUsage,
    count: u64,
    end_ns: u64,
    now_ns: u64,
    writes_since_sync: u32,
}

impl<'a, C: Clock> Tally<'a, C> {
    pub fn new(thread: &'a LoadThread<'a, C>) -> Self {
        let start = thread.window_start_ns();
        let outcome = Outcome {
            reads: Recorder::new(start),
            writes: Recorder::new(start),
            syncs: Recorder::new(start),
            usage: ThreadUsage::default(),
            begun_ns: start,
            ended_ns: start,
        };
        let now_ns = thread.clock().now_ns();
        Self { thread, outcome, before: ThreadUsage::default(), count: 0, end_ns: 0, now_ns, writes_since_sync: 0 }
    }

    pub fn clock(&self) -> &'a C {
        self.thread.clock()
    }

    /// Reads the clock.
    #[inline]
    pub fn now_ns(&mut self) -> u64 {
        self.now_ns = self.thread.clock().now_ns();
        self.now_ns
    }

    /// Whether the ramp-up goes on.
    pub fn warms_up(&mut self) -> bool {
        self.now_ns() < self.thread.window_start_ns() && !self.thread.ends()
    }

    /// The counted part begins: the I/Os of the ramp-up are done.
    pub fn begin(&mut self) {
        self.before = os::thread_usage();
        self.outcome.begun_ns = self.now_ns();
        self.outcome.ended_ns = self.now_ns;
        let time = self.thread.limits().time.map_or(u64::MAX / 2, nanos);
        self.end_ns = self.outcome.begun_ns.saturating_add(time);
    }

    /// Whether further I/Os are issued, by the last look at the clock.
    #[inline]
    pub fn goes_on(&self) -> bool {
        self.now_ns < self.end_ns && !self.thread.ends()
    }

    /// An I/O that counts.
    #[inline]
    pub fn record(&mut self, write: bool, begun_ns: u64, ended_ns: u64) {
        let recorder = if write { &mut self.outcome.writes } else { &mut self.outcome.reads };
        recorder.record(begun_ns, ended_ns);
        self.now_ns = ended_ns;
        self.outcome.ended_ns = ended_ns;
        self.count += 1;
        self.thread.counter().store(self.count, std::sync::atomic::Ordering::Relaxed);
    }

    /// A write was done: forces data to the medium when it is time.
    ///
    /// # Errors
    /// What the system says.
    pub fn wrote(
        &mut self,
        policy: Sync,
        clock: &C,
        sync: impl FnOnce() -> std::io::Result<()>,
    ) -> Result<(), BenchError> {
        let Sync::Every(writes) = policy else { return Ok(()) };
        self.writes_since_sync += 1;
        if self.writes_since_sync < writes {
            return Ok(());
        }
        self.writes_since_sync = 0;
        let begun = clock.now_ns();
        sync().map_err(|error| BenchError::failed("fdatasync of the test file", error))?;
        self.outcome.syncs.record(begun, clock.now_ns());
        Ok(())
    }

    /// The window is over.
    pub fn end(mut self, policy: Sync, sync: impl FnOnce() -> std::io::Result<()>) -> Outcome {
        if policy == Sync::End {
            let begun = self.now_ns();
            match sync() {
                Ok(()) => {
                    self.outcome.ended_ns = self.now_ns();
                    self.outcome.syncs.record(begun, self.now_ns);
                }
                Err(error) => self.thread.fail(BenchError::failed("fdatasync of the test file", error)),
            }
        }
        self.outcome.usage = os::thread_usage().since(&self.before);
        self.outcome
    }
}

/// Reads, writes and syncs of several windows together.
#[derive(Default)]
struct Sums {
    reads: Option<Recorder>,
    writes: Option<Recorder>,
    syncs: Option<Recorder>,
}

fn add(sum: &mut Option<Recorder>, one: &Recorder) {
    match sum {
        Some(sum) => sum.merge(one),
        None => *sum = Some(one.clone()),
    }
}

impl FileIo {
    /// Runs the benchmark.
    ///
    /// # Errors
    /// Options that cannot be, a folder or device that refuses. The test file is gone in every case.
    pub fn run(&self, clock: &impl Clock, control: &Control) -> Result<BenchResult, BenchError> {
        let mut environment = environment::detect();
        let device = os::storage_device(&self.path);
        self.check(&device)?;
        environment.storage = Some(device);
        let file = TestFile::create(self, control)?;
        if self.outstanding.len() > 1 {
            return rounds::curve(self, clock, control, &environment, &file);
        }
        let outstanding = self.most_outstanding();
        if let Some(most) = self.steady_rounds {
            return rounds::steady(self, clock, control, &environment, &file, most);
        }
        self.windows(clock, control, environment, &file, outstanding)
    }

    /// Windows at one number of outstanding I/Os.
    pub(super) fn windows(
        &self,
        clock: &impl Clock,
        control: &Control,
        environment: Environment,
        file: &TestFile,
        outstanding: u32,
    ) -> Result<BenchResult, BenchError> {
        let (engine, refused) = self.choose(file)?;
        let workers = self.common.threads;
        let plan = Plan {
            mode: "fileio",
            parameters: self.common.parameters(self.parameters(engine)),
            environment,
            threads: workers,
            repeat: self.common.repeat,
            better: Better::Higher,
            needs: Needs::QuietMachine,
            outstanding: Some(f64::from(outstanding) * f64::from(workers)),
        };
        let mut session = Session::new(plan, control, clock);
        let mut sums = Sums::default();
        let mut seed = 0;
        while session.goes_on() {
            seed += 1;
            let load = self.load(&mut session, clock, control, file, outstanding, engine, seed)?;
            close(&mut session, load, self.block, outstanding, &mut sums);
        }
        let mut result = session.finish()?;
        result.io = summary(&result, &sums, outstanding);
        result.details = details(engine, refused);
        result.operations = sums.syncs.iter().filter(|syncs| syncs.events() > 0).map(sync_figures).collect();
        Ok(result)
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one window, called once")]
    fn load<C: Clock>(
        &self,
        session: &mut Session<'_>,
        clock: &C,
        control: &Control,
        file: &TestFile,
        outstanding: u32,
        engine: &str,
        seed: u64,
    ) -> Result<Load<Outcome>, BenchError> {
        let workers = u64::from(self.common.threads);
        let slots = workers * u64::from(outstanding);
        let slot = |number: u64| Slot::new(self.block, slots, &mut fastrand::Rng::with_seed(number ^ seed << 32));
        let limits = self.common.limits();
        #[cfg(target_os = "linux")]
        if engine == URING {
            let make = |number: usize| {
                let first = number as u64 * u64::from(outstanding);
                let slots = (0..u64::from(outstanding)).map(|n| slot(first + n)).collect();
                super::uring::Ring::new(file.file(), slots).map_err(|error| BenchError::failed("io_uring", error))
            };
            let body = |thread: &LoadThread<'_, C>, ring| {
                let pattern = Pattern::new(self, thread.number as u64, workers, seed);
                super::uring::work(thread, self, file.file(), ring, pattern)
            };
            return run_threads(session, clock, control, self.common.threads, limits, make, body);
        }
        let _ = engine;
        let make = |number: usize| Ok(slot(number as u64));
        let body = |thread: &LoadThread<'_, C>, slot| {
            let pattern = Pattern::new(self, thread.number as u64, slots, seed);
            blocking::work(thread, self, file.file(), slot, pattern)
        };
        let threads = u32::try_from(slots).unwrap_or(u32::MAX);
        run_threads(session, clock, control, threads, limits, make, body)
    }

    /// The engine, and why it is not the better one.
    fn choose(&self, file: &TestFile) -> Result<(&'static str, Option<String>), BenchError> {
        if self.engine == Engine::Threads {
            return Ok((THREADS, None));
        }
        match (probe(file), self.engine) {
            (Ok(()), _) => Ok((URING, None)),
            (Err(why), Engine::IoUring) => {
                Err(BenchError::usage(format!("--engine io_uring: this system refuses it ({why}); allowed is threads")))
            }
            (Err(why), _) => Ok((THREADS, Some(why))),
        }
    }
}

const URING: &str = "io_uring";
const THREADS: &str = "threads";

/// Whether there is an io_uring to be had.
#[cfg(target_os = "linux")]
fn probe(file: &TestFile) -> Result<(), String> {
    super::uring::Ring::new(file.file(), Vec::new()).map(drop).map_err(|error| error.to_string())
}

#[cfg(not(target_os = "linux"))]
fn probe(_: &TestFile) -> Result<(), String> {
    Err("io_uring is Linux's".to_owned())
}

/// Hands a window to the session.
fn close(session: &mut Session<'_>, load: Load<Outcome>, block: u64, outstanding: u32, sums: &mut Sums) {
    let begun = load.outcomes.iter().map(|outcome| outcome.begun_ns).min().unwrap_or(load.window_start_ns);
    let ended = load.outcomes.iter().map(|outcome| outcome.ended_ns).max().unwrap_or(begun);
    let duration_ns = ended.saturating_sub(begun);
    let reads = Recorder::merged(load.outcomes.iter().map(|outcome| &outcome.reads));
    let writes = Recorder::merged(load.outcomes.iter().map(|outcome| &outcome.writes));
    let syncs = Recorder::merged(load.outcomes.iter().map(|outcome| &outcome.syncs));
    let seconds = (duration_ns as f64 / NANOS as f64).max(1e-9);
    let (read_iops, write_iops) = (reads.events() as f64 / seconds, writes.events() as f64 / seconds);
    let io = figures(read_iops, write_iops, block, &reads, &writes, outstanding);
    add(&mut sums.reads, &reads);
    add(&mut sums.writes, &writes);
    add(&mut sums.syncs, &syncs);
    let (mut recorders, mut threads) = (Vec::new(), Vec::new());
    for mut outcome in load.outcomes {
        outcome.reads.merge(&outcome.writes);
        recorders.push(outcome.reads);
        threads.push(outcome.usage);
    }
    let failure = load.failure.map(|failure| failure.to_string());
    session.close(load.watch, Measured { recorders, duration_ns, threads, io, failure, ..Measured::default() });
}

fn figures(
    read_iops: f64,
    write_iops: f64,
    block: u64,
    reads: &Recorder,
    writes: &Recorder,
    outstanding: u32,
) -> IoFigures {
    let mib_s = |iops: f64| iops * block as f64 / MIB;
    IoFigures {
        read_iops: Some(read_iops),
        write_iops: Some(write_iops),
        read_mib_s: Some(mib_s(read_iops)),
        write_mib_s: Some(mib_s(write_iops)),
        read_latency_ms: reads.latency(),
        write_latency_ms: writes.latency(),
        outstanding: Some(outstanding),
    }
}

/// Rates are means over the runs; times are over all of them.
fn summary(result: &BenchResult, sums: &Sums, outstanding: u32) -> IoFigures {
    let over = |figure: fn(&IoFigures) -> Option<f64>| {
        Some(mean(&result.runs.iter().filter_map(|run| figure(&run.io)).collect::<Vec<_>>()))
    };
    IoFigures {
        read_iops: over(|io| io.read_iops),
        write_iops: over(|io| io.write_iops),
        read_mib_s: over(|io| io.read_mib_s),
        write_mib_s: over(|io| io.write_mib_s),
        read_latency_ms: sums.reads.as_ref().and_then(Recorder::latency),
        write_latency_ms: sums.writes.as_ref().and_then(Recorder::latency),
        outstanding: Some(outstanding),
    }
}

fn details(engine: &str, refused: Option<String>) -> Map<String, serde_json::Value> {
    let mut details = Map::new();
    details.insert("engine".to_owned(), json!(engine));
    if let Some(why) = refused {
        details.insert("io_uring_refused".to_owned(), json!(why));
    }
    details
}

fn sync_figures(syncs: &Recorder) -> Operation {
    Operation { name: "fsync".to_owned(), events: syncs.events(), latency_ms: syncs.latency(), ..Operation::default() }
}

#[cfg(test)]
pub(super) fn close_for_tests(session: &mut Session<'_>, load: Load<Outcome>, block: u64) {
    close(session, load, block, 1, &mut Sums::default());
}
