//! Load by threads: each does events one after another until the time is over.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use super::clock::Clock;
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

    #[inline]
    fn ends(&self) -> bool {
        self.control.is_cancelled() || self.broken.load(Ordering::Relaxed)
    }
}

/// What a thread hands back.
struct Outcome {
    recorder: Recorder,
    usage: ThreadUsage,
    ended_ns: u64,
}

/// Measures one window with `threads` threads and hands it to the session. Thread `n` is pinned to the n-th processor,
/// then makes its worker, so that the worker's memory is near it.
///
/// # Errors
/// When a worker cannot be made. A worker that fails later is a window that broke off.
pub fn run_window<C: Clock, W: Worker>(
    session: &mut Session<'_>,
    clock: &C,
    control: &Control,
    threads: u32,
    limits: Limits,
    make: impl Fn(usize) -> Result<W, BenchError> + Sync,
) -> Result<(), BenchError> {
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
    session.tell(Phase::Prepare, 0.0, None, None);
    let mut watch = session.open();
    let (outcomes, made) = std::thread::scope(|scope| {
        let (done, finished) = mpsc::channel();
        let (ready, waiting) = mpsc::channel();
        let mut spawned = 0;
        for number in 0..count {
            let (shared, make, done, ready) = (&shared, &make, done.clone(), ready.clone());
            let core = cores.get(number % cores.len().max(1)).copied().filter(|_| clock.is_real());
            let body = move || {
                if let Some(core) = core {
                    // A system that does not let threads be pinned moves them as it likes: the run is still a run.
                    let _ = core_affinity::set_for_current(core);
                }
                let worker = make(number).map_err(|error| shared.fail(error)).ok();
                // The supervisor may be gone only if it panicked.
                let _ = ready.send(());
                let start_ns = *shared.start_ns.wait();
                let outcome = worker.map(|worker| work(shared, number, worker, start_ns));
                let _ = done.send((number, outcome));
            };
            match std::thread::Builder::new().name(format!("load {number}")).spawn_scoped(scope, body) {
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
    let window_start = shared.start_ns.get().copied().unwrap_or(0) + nanos(limits.warm_up);
    let ended = outcomes.iter().map(|outcome| outcome.ended_ns).max().unwrap_or(window_start);
    let (recorders, threads) = outcomes.into_iter().map(|outcome| (outcome.recorder, outcome.usage)).unzip();
    let measured = Measured {
        recorders,
        duration_ns: ended.saturating_sub(window_start),
        threads,
        failure: failure.map(|failure| failure.to_string()),
        ..Measured::default()
    };
    session.close(watch, measured);
    Ok(())
}

/// Number of the thread and what it hands back; nothing when its worker could not be made.
type Sent = (usize, Option<Outcome>);

/// Waits for the threads, tells how far they are, and says when the counted part begins. The second value is whether
/// every worker could be made.
fn supervise<C: Clock>(
    session: &Session<'_>,
    shared: &Shared<'_, C>,
    start_ns: u64,
    finished: &mpsc::Receiver<Sent>,
    mut measuring: impl FnMut(),
) -> (Vec<Outcome>, bool) {
    let warm_up = shared.limits.warm_up;
    let (mut outcomes, mut made) = (Vec::new(), true);
    let mut measures = false;
    let mut rate = Rate::default();
    loop {
        let elapsed = Duration::from_nanos(shared.clock.now_ns().saturating_sub(start_ns));
        if !measures && elapsed >= warm_up {
            measures = true;
            measuring();
        }
        let until_measured = if measures { PROGRESS_PACE } else { warm_up - elapsed };
        match finished.recv_timeout(until_measured.min(PROGRESS_PACE)) {
            Ok((number, Some(outcome))) => outcomes.push((number, outcome)),
            Ok((_, None)) => made = false,
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let elapsed = Duration::from_nanos(shared.clock.now_ns().saturating_sub(start_ns));
                let events = shared.counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum();
                let now = rate.of(elapsed.as_secs_f64(), events);
                let (phase, since, planned) = match measures {
                    true => (Phase::Measure, elapsed - warm_up.min(elapsed), shared.limits.time),
                    false => (Phase::WarmUp, elapsed, Some(warm_up)),
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

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2)
}

/// The loop of one thread. Between two events: a reading of the clock, an entry in the histogram, a store, two
/// comparisons.
fn work<C: Clock, W: Worker>(shared: &Shared<'_, C>, number: usize, mut worker: W, start_ns: u64) -> Outcome {
    let Shared { clock, limits, .. } = shared;
    let counter = &shared.counters[number].0;
    let window_start = start_ns + nanos(limits.warm_up);
    let mut count = 0;
    while clock.now_ns() < window_start && !shared.ends() {
        worker.prepare();
        if let Err(error) = worker.event() {
            shared.fail(error);
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
    while recorder.events() < most && begin < end_ns && !shared.ends() {
        if W::PREPARES {
            worker.prepare();
            begin = clock.now_ns();
        }
        let done = worker.event();
        let ended = clock.now_ns();
        if let Err(error) = done {
            shared.fail(error);
            break;
        }
        recorder.record(begin, ended);
        count += 1;
        counter.store(count, Ordering::Relaxed);
        begin = ended;
    }
    Outcome { usage: os::thread_usage().since(&before), recorder, ended_ns: begin }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::Map;

    use super::*;
    use crate::bench::clock::{NANOS, SimulatedClock};
    use crate::bench::contention::Needs;
    use crate::bench::environment::Environment;
    use crate::bench::result::{BenchResult, Better, Ended};
    use crate::bench::session::Plan;

    /// An event takes 10 ms, its preparation 90 ms of simulated time.
    struct Fixed {
        clock: Arc<SimulatedClock>,
        fails_at: u64,
        done: u64,
    }

    impl Worker for Fixed {
        const PREPARES: bool = true;

        fn prepare(&mut self) {
            self.clock.advance(90_000_000);
        }

        fn event(&mut self) -> Result<(), BenchError> {
            self.clock.advance(10_000_000);
            self.done += 1;
            if self.done == self.fails_at { Err(BenchError::Other("broke".to_owned())) } else { Ok(()) }
        }
    }

    fn run(threads: u32, limits: Limits, fails_at: u64) -> Result<BenchResult, BenchError> {
        let clock = Arc::new(SimulatedClock::default());
        let control = Control::silent();
        let plan = Plan {
            mode: "test",
            parameters: Map::new(),
            environment: Environment::default(),
            threads,
            repeat: 1,
            better: Better::Higher,
            needs: Needs::Processors(threads),
            outstanding: None,
        };
        let mut session = Session::new(plan, &control, &*clock);
        while session.goes_on() {
            let make = |_| Ok(Fixed { clock: Arc::clone(&clock), fails_at, done: 0 });
            run_window(&mut session, &*clock, &control, threads, limits, make)?;
        }
        session.finish()
    }

    const FOR_TIME: Limits =
        Limits { warm_up: Duration::from_secs(1), time: Some(Duration::from_secs(2)), events: None };

    #[test]
    fn warm_up_and_preparation_do_not_count() {
        let result = run(1, FOR_TIME, u64::MAX).unwrap();
        assert_eq!((result.events, result.duration_s), (20, 2.0));
        assert_eq!(result.latency_ms.map(|l| (l.min, l.max)), Some((10.0, 10.0)));
        assert_eq!(result.runs[0].events_each_second, [9, 10]);
    }

    #[test]
    fn a_count_of_events_ends_each_thread() {
        let limits = Limits { warm_up: Duration::ZERO, time: None, events: Some(7) };
        let result = run(3, limits, u64::MAX).unwrap();
        assert_eq!(result.events, 21);
        let fairness = result.runs[0].fairness.clone().unwrap();
        assert_eq!((fairness.least, fairness.most), (7, 7));
    }

    #[test]
    fn a_worker_that_fails_ends_all_and_what_was_measured_is_kept() {
        let result = run(2, FOR_TIME, 15).unwrap();
        assert_eq!((result.valid, result.ended), (false, Ended::Failed));
        assert_eq!(result.warnings, ["broke"]);
        assert!(run(1, FOR_TIME, 1).is_err());
    }

    #[test]
    fn a_worker_that_cannot_be_made_is_an_error() {
        let (clock, control) = (SimulatedClock::default(), Control::silent());
        let plan = Plan {
            mode: "test",
            parameters: Map::new(),
            environment: Environment::default(),
            threads: 2,
            repeat: 1,
            better: Better::Higher,
            needs: Needs::QuietMachine,
            outstanding: None,
        };
        let mut session = Session::new(plan, &control, &clock);
        let make = |number| match number {
            0 => Err(BenchError::Other("no memory".to_owned())),
            _ => Ok(Fixed { clock: Arc::default(), fails_at: 1, done: 0 }),
        };
        let limits = Limits { warm_up: Duration::ZERO, time: None, events: Some(1) };
        let error = run_window(&mut session, &clock, &control, 2, limits, make).unwrap_err();
        assert_eq!(error.to_string(), "no memory");
        assert_eq!(NANOS, 1_000_000_000);
    }

    #[test]
    fn rates_are_between_two_looks() {
        let mut rate = Rate::default();
        assert_eq!(rate.of(0.0, 10), None);
        assert_eq!(rate.of(2.0, 30), Some(10.0));
    }
}
