//! Load by threads: each does events one after another until the time is over.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use super::clock::Clock;
use super::contention::Watch;
use super::control::{Control, Phase};
use super::error::BenchError;
use super::os::{self, ThreadUsage};
use super::record::Recorder;
use super::session::{Measured, Session};

/// What one thread does.
pub trait Worker {
    /// Whether [`Worker::prepare`] has work to do. If not, the end of an event is the start of the next, and the clock
    /// is read once an event.
    const PREPARES: bool = false;

    /// Makes the next event ready; its time does not count.
    fn prepare(&mut self) {}

    /// Does an event.
    ///
    /// # Errors
    /// What ends the whole benchmark.
    fn event(&mut self) -> Result<(), BenchError>;

    /// The event that was just done counts; from and to these readings of the clock.
    #[inline]
    fn measured(&mut self, _begin_ns: u64, _ended_ns: u64) {}
}

/// When a window ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Load that is not counted.
    pub warm_up: Duration,
    /// Counted time; events that have begun are finished.
    pub time: Option<Duration>,
    /// Counted events of each thread.
    pub events: Option<u64>,
}

/// How often progress is told.
const PROGRESS_PACE: Duration = Duration::from_millis(200);

/// A counter that only its thread writes, on a cache line of its own: two lines are fetched together on many processors.
#[repr(align(128))]
#[derive(Default)]
struct Counter(AtomicU64);

/// What the threads share.
struct Shared<'a, C> {
    clock: &'a C,
    control: &'a Control,
    limits: Limits,
    start_ns: OnceLock<u64>,
    counters: Vec<Counter>,
    /// One thread failed: a result of fewer threads is none.
    broken: AtomicBool,
    failure: Mutex<Option<BenchError>>,
}

impl<C> Shared<'_, C> {
    fn fail(&self, error: BenchError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.broken.store(true, Ordering::Relaxed);
    }
}

/// One thread of a load, as its body sees it.
pub struct LoadThread<'a, C> {
    shared: &'a Shared<'a, C>,
    pub number: usize,
    /// When all threads were ready.
    pub start_ns: u64,
}

impl<'a, C: Clock> LoadThread<'a, C> {
    pub fn clock(&self) -> &'a C {
        self.shared.clock
    }

    pub fn limits(&self) -> Limits {
        self.shared.limits
    }

    /// When the warm-up is over.
    pub fn window_start_ns(&self) -> u64 {
        self.start_ns + nanos(self.shared.limits.warm_up)
    }

    /// Whether the thread shall end before its time.
    #[inline]
    pub fn ends(&self) -> bool {
        self.shared.control.is_cancelled() || self.shared.broken.load(Ordering::Relaxed)
    }

    /// Ends the load with this failure; what was measured is kept.
    pub fn fail(&self, error: BenchError) {
        self.shared.fail(error);
    }

    /// Where the thread keeps how many events it has done, for the live rate.
    pub fn counter(&self) -> &'a AtomicU64 {
        &self.shared.counters[self.number].0
    }
}

/// What a load by threads gave, and the watch over its counted part.
pub struct Load<T> {
    /// What each thread handed back, in their order.
    pub outcomes: Vec<T>,
    pub watch: Watch,
    pub failure: Option<BenchError>,
    /// When the warm-up was over.
    pub window_start_ns: u64,
}

/// Runs `threads` threads. Thread `n` is pinned to the n-th processor, then makes what it needs, so that its memory is
/// near; when all are ready, their bodies run.
///
/// # Errors
/// When a thread cannot be had or cannot make what it needs. A body that fails later is a load that broke off.
pub fn run_threads<C: Clock, P, T: Send>(
    session: &mut Session<'_>,
    clock: &C,
    control: &Control,
    threads: u32,
    limits: Limits,
    make: impl Fn(usize) -> Result<P, BenchError> + Sync,
    body: impl Fn(&LoadThread<'_, C>, P) -> T + Sync,
) -> Result<Load<T>, BenchError> {
    let count = threads as usize;
    let shared = Shared {
        clock,
        control,
        limits,
        start_ns: OnceLock::new(),
        counters: (0..count).map(|_| Counter::default()).collect(),
        broken: AtomicBool::new(false),
        failure: Mutex::new(None),
    };
    let cores = core_affinity::get_core_ids().unwrap_or_default();
    let mut watch = session.open();
    let (outcomes, made) = std::thread::scope(|scope| {
        let (done, finished) = mpsc::channel();
        let (ready, waiting) = mpsc::channel();
        let mut spawned = 0;
        for number in 0..count {
            let (shared, make, body, done, ready) = (&shared, &make, &body, done.clone(), ready.clone());
            let core = cores.get(number % cores.len().max(1)).copied().filter(|_| clock.is_real());
            let thread = move || {
                if let Some(core) = core {
                    // A system that does not let threads be pinned moves them as it likes: the run is still a run.
                    let _ = core_affinity::set_for_current(core);
                }
                let made = make(number).map_err(|error| shared.fail(error)).ok();
                // The supervisor may be gone only if it panicked.
                let _ = ready.send(());
                let start_ns = *shared.start_ns.wait();
                let outcome = made.map(|made| body(&LoadThread { shared, number, start_ns }, made));
                let _ = done.send((number, outcome));
            };
            match std::thread::Builder::new().name(format!("load {number}")).spawn_scoped(scope, thread) {
                Ok(_) => spawned += 1,
                Err(error) => {
                    shared.fail(BenchError::failed(format!("thread {} of {threads}", number + 1), error));
                    break;
                }
            }
        }
        drop(done);
        let _ = waiting.iter().take(spawned).count();
        let start_ns = *shared.start_ns.get_or_init(|| clock.now_ns());
        supervise(session, &shared, start_ns, &finished, || watch.restart())
    });
    let failure = shared.failure.into_inner().unwrap_or_else(PoisonError::into_inner);
    if !made || outcomes.len() < count {
        return Err(failure.unwrap_or(BenchError::Cancelled));
    }
    let window_start_ns = shared.start_ns.get().copied().unwrap_or(0) + nanos(limits.warm_up);
    Ok(Load { outcomes, watch, failure, window_start_ns })
}

/// Measures one window: each thread makes its worker, which does events one after another. The workers come back.
///
/// # Errors
/// As [`run_threads`].
pub fn run_window<C: Clock, W: Worker + Send>(
    session: &mut Session<'_>,
    clock: &C,
    control: &Control,
    threads: u32,
    limits: Limits,
    make: impl Fn(usize) -> Result<W, BenchError> + Sync,
) -> Result<Vec<W>, BenchError> {
    let load = run_threads(session, clock, control, threads, limits, make, work)?;
    let start = load.window_start_ns;
    let ended = load.outcomes.iter().map(|outcome| outcome.ended_ns).max().unwrap_or(start);
    let mut measured = Measured {
        duration_ns: ended.saturating_sub(start),
        failure: load.failure.map(|failure| failure.to_string()),
        ..Measured::default()
    };
    let mut workers = Vec::new();
    for outcome in load.outcomes {
        measured.recorders.push(outcome.recorder);
        measured.threads.push(outcome.usage);
        workers.push(outcome.worker);
    }
    session.close(load.watch, measured);
    Ok(workers)
}

/// Number of the thread and what it hands back; nothing when it could not make what it needs.
type Sent<T> = (usize, Option<T>);

/// Waits for the threads, tells how far they are, and says when the counted part begins. The second value is whether
/// every thread had what it needs.
fn supervise<C: Clock, T>(
    session: &Session<'_>,
    shared: &Shared<'_, C>,
    start_ns: u64,
    finished: &mpsc::Receiver<Sent<T>>,
    mut measuring: impl FnMut(),
) -> (Vec<T>, bool) {
    let warm_up = shared.limits.warm_up;
    let (mut outcomes, mut made) = (Vec::new(), true);
    let mut measures = false;
    let mut rate = Rate::default();
    let elapsed = || Duration::from_nanos(shared.clock.now_ns().saturating_sub(start_ns));
    loop {
        let since_start = elapsed();
        if !measures && since_start >= warm_up {
            measures = true;
            measuring();
        }
        let pace = if measures { PROGRESS_PACE } else { PROGRESS_PACE.min(warm_up.saturating_sub(since_start)) };
        match finished.recv_timeout(pace) {
            Ok((number, Some(outcome))) => outcomes.push((number, outcome)),
            Ok((_, None)) => made = false,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let since_start = elapsed();
                let events = shared.counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum();
                let now = rate.of(since_start.as_secs_f64(), events);
                let (phase, since, planned) = match measures {
                    true => (Phase::Measure, since_start.saturating_sub(warm_up), shared.limits.time),
                    false => (Phase::WarmUp, since_start, Some(warm_up)),
                };
                session.tell(phase, since.as_secs_f64(), planned.map(|time| time.as_secs_f64()), now);
            }
        }
    }
    if !measures {
        measuring();
    }
    outcomes.sort_by_key(|(number, _)| *number);
    (outcomes.into_iter().map(|(_, outcome)| outcome).collect(), made)
}

/// What a thread hands back.
struct Outcome<W> {
    recorder: Recorder,
    usage: ThreadUsage,
    ended_ns: u64,
    worker: W,
}

/// A time in the unit of the clock.
pub fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2)
}

/// The loop of one thread. Between two events: a reading of the clock, an entry in the histogram, a store, a few
/// comparisons.
fn work<C: Clock, W: Worker>(thread: &LoadThread<'_, C>, mut worker: W) -> Outcome<W> {
    let (clock, limits, counter) = (thread.clock(), thread.limits(), thread.counter());
    let window_start = thread.window_start_ns();
    let mut count = 0;
    while clock.now_ns() < window_start && !thread.ends() {
        worker.prepare();
        if let Err(error) = worker.event() {
            thread.fail(error);
            break;
        }
        count += 1;
        counter.store(count, Ordering::Relaxed);
    }
    let mut recorder = Recorder::new(window_start);
    let end_ns = limits.time.map_or(u64::MAX, |time| window_start.saturating_add(nanos(time)));
    let most = limits.events.unwrap_or(u64::MAX);
    let before = os::thread_usage();
    let mut begin = clock.now_ns();
    while recorder.events() < most && begin < end_ns && !thread.ends() {
        if W::PREPARES {
            worker.prepare();
            begin = clock.now_ns();
        }
        let done = worker.event();
        let ended = clock.now_ns();
        if let Err(error) = done {
            thread.fail(error);
            break;
        }
        recorder.record(begin, ended);
        worker.measured(begin, ended);
        count += 1;
        counter.store(count, Ordering::Relaxed);
        begin = ended;
    }
    Outcome { usage: os::thread_usage().since(&before), recorder, ended_ns: begin, worker }
}

/// Events a second between two looks.
#[derive(Default)]
pub struct Rate {
    last: Option<(f64, u64)>,
}

impl Rate {
    /// The rate since the last look; none at the first.
    pub fn of(&mut self, elapsed_s: f64, events: u64) -> Option<f64> {
        let (before_s, before) = self.last.replace((elapsed_s, events))?;
        (elapsed_s > before_s && events >= before).then(|| (events - before) as f64 / (elapsed_s - before_s))
    }
}

#[cfg(test)]
mod tests;
