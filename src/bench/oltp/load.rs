//! Load by connections: each on a thread and a runtime of its own, doing one transaction after another until the time is
//! over. A transaction that lost against another is rolled back and done again; its time runs on.

use std::pin::pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError, mpsc};
use std::time::Duration;

use tokio::sync::Notify;

use super::arrivals::{Arrivals, Deck, Due};
use super::figures::Figures;
use crate::bench::clock::{Clock as _, SystemClock};
use crate::bench::control::{Control, Phase};
use crate::bench::database::{Connection, DatabaseUrl, DbError, runtime};
use crate::bench::error::BenchError;
use crate::bench::os::{self, ThreadUsage};
use crate::bench::record::Recorder;
use crate::bench::runner::{Limits, Rate};
use crate::bench::session::{Measured, Session};

/// How a transaction ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    Committed,
    /// Rolled back because the mix wants it so.
    RolledBack,
}

/// The transactions of a mix, as one connection does them.
pub trait Transactions<C: Connection>: Sized {
    /// Does one transaction of this kind for this user.
    #[allow(async_fn_in_trait, reason = "a future never leaves the thread that drives its connection")]
    async fn run(&mut self, connection: &mut C, kind: usize, user: u32) -> Result<Done, DbError>;
}

/// How often progress is told.
const PROGRESS_PACE: Duration = Duration::from_millis(200);
/// Longest sleep before it is looked whether the run ends.
const NAP: Duration = Duration::from_millis(20);
/// How long transactions that have begun may take after the end of the window, and after the user stopped.
const GRACE: Duration = Duration::from_secs(30);
const GRACE_STOPPED: Duration = Duration::from_secs(3);

/// A counter that only its thread writes, on a cache line of its own.
#[repr(align(128))]
#[derive(Default)]
struct Counter(AtomicU64);

/// What a window needs to know.
pub struct Window<'a> {
    pub url: &'a DatabaseUrl,
    pub clock: &'a SystemClock,
    pub control: &'a Control,
    pub connections: u32,
    pub limits: Limits,
    pub deck: Deck,
}

struct Shared<'a> {
    window: &'a Window<'a>,
    start: OnceLock<(u64, Arrivals)>,
    counters: Vec<Counter>,
    broken: AtomicBool,
    failure: Mutex<Option<BenchError>>,
    /// Tells connections that wait for a server in vain to give up.
    give_up: Notify,
    /// Figures of each kind of transaction.
    figures: Mutex<&'a mut Figures>,
}

impl Shared<'_> {
    fn fail(&self, error: BenchError) {
        lock(&self.failure).get_or_insert(error);
        self.broken.store(true, Ordering::Relaxed);
    }

    #[inline]
    fn ends(&self) -> bool {
        self.window.control.is_cancelled() || self.broken.load(Ordering::Relaxed)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX / 2)
}

/// What a connection hands back.
struct Outcome {
    number: usize,
    recorder: Recorder,
    usage: ThreadUsage,
    ended_ns: u64,
}

/// Measures one window and hands it to the session.
///
/// # Errors
/// When a connection cannot be made. One that breaks later is a window that broke off.
pub fn run_window<C: Connection, T: Transactions<C>>(
    session: &mut Session<'_>,
    window: &Window<'_>,
    figures: &mut Figures,
    arrivals: impl FnOnce(u64) -> Arrivals,
    make: impl Fn(usize) -> T + Sync,
) -> Result<(), BenchError> {
    let count = window.connections as usize;
    let shared = Shared {
        window,
        start: OnceLock::new(),
        counters: (0..count).map(|_| Counter::default()).collect(),
        broken: AtomicBool::new(false),
        failure: Mutex::new(None),
        give_up: Notify::new(),
        figures: Mutex::new(figures),
    };
    session.tell(Phase::Prepare, 0.0, None, None);
    let mut watch = session.open();
    let mut outcomes = std::thread::scope(|scope| {
        let (done, finished) = mpsc::channel();
        let (ready, waiting) = mpsc::channel();
        for number in 0..count {
            let (shared, make, done, ready) = (&shared, &make, done.clone(), ready.clone());
            let body = move || match connect_and_work::<C, T>(shared, number, make, ready) {
                // The supervisor may be gone only if it panicked.
                Ok(outcome) => drop(done.send(outcome)),
                Err(error) => shared.fail(error),
            };
            if let Err(error) = std::thread::Builder::new().name(format!("load {number}")).spawn_scoped(scope, body) {
                shared.fail(BenchError::failed(format!("thread {} of {count}", number + 1), error));
                break;
            }
        }
        drop((done, ready));
        // Each connection says once that it stands; those that cannot be made hang up.
        let _ = waiting.iter().count();
        let start_ns = window.clock.now_ns();
        shared.start.get_or_init(|| (start_ns, arrivals(start_ns)));
        supervise(session, &shared, start_ns, &finished, || watch.restart())
    });
    let failure = lock(&shared.failure).take();
    if outcomes.len() < count {
        return Err(failure.unwrap_or(BenchError::Cancelled));
    }
    outcomes.sort_by_key(|outcome| outcome.number);
    let (start_ns, arrivals) = shared.start.get().map_or((0, None), |(start, arrivals)| (*start, Some(arrivals)));
    let window_start = start_ns + nanos(window.limits.warm_up);
    let ended = outcomes.iter().map(|outcome| outcome.ended_ns).max().unwrap_or(window_start);
    let duration_ns = ended.saturating_sub(window_start);
    lock(&shared.figures).window(duration_ns);
    let late = arrivals.map_or(0, |arrivals| arrivals.late(ended));
    let (recorders, threads): (Vec<Recorder>, _) = outcomes.into_iter().map(|o| (o.recorder, o.usage)).unzip();
    let done: u64 = recorders.iter().map(Recorder::events).sum();
    let warnings = (late > u64::from(window.connections) && late * 100 > done)
        .then(|| format!("{late} transactions were due and not begun at the end: the load is above what is served"));
    let failure = failure.map(|failure| failure.to_string());
    let warnings = warnings.into_iter().collect();
    session.close(watch, Measured { recorders, duration_ns, threads, warnings, failure, ..Measured::default() });
    Ok(())
}

/// Tells how far the connections are and when the counted part begins, waits for them, and makes them give up when they
/// wait for a server that does not answer.
fn supervise(
    session: &Session<'_>,
    shared: &Shared<'_>,
    start_ns: u64,
    finished: &mpsc::Receiver<Outcome>,
    mut measuring: impl FnMut(),
) -> Vec<Outcome> {
    let limits = shared.window.limits;
    let whole = limits.warm_up + limits.time.unwrap_or(Duration::MAX / 2);
    let mut outcomes = Vec::new();
    let mut measures = false;
    let mut rate = Rate::default();
    // When it was first seen that the window is over.
    let mut ends_at = None;
    loop {
        let elapsed = Duration::from_nanos(shared.window.clock.now_ns().saturating_sub(start_ns));
        if !measures && elapsed >= limits.warm_up {
            measures = true;
            measuring();
        }
        let grace = if shared.ends() { GRACE_STOPPED } else { GRACE };
        let over = elapsed >= whole || shared.ends();
        if over && elapsed.saturating_sub(*ends_at.get_or_insert(elapsed)) > grace {
            shared.fail(BenchError::Other(format!("the server gave no answer for {} s", grace.as_secs())));
            shared.give_up.notify_waiters();
        }
        let until_measured = if measures { PROGRESS_PACE } else { limits.warm_up - elapsed };
        match finished.recv_timeout(until_measured.min(PROGRESS_PACE)) {
            Ok(outcome) => outcomes.push(outcome),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let events = shared.counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum();
                let now = rate.of(elapsed.as_secs_f64(), events);
                let (phase, since, planned) = match measures {
                    true => (Phase::Measure, elapsed - limits.warm_up.min(elapsed), limits.time),
                    false => (Phase::WarmUp, elapsed, Some(limits.warm_up)),
                };
                session.tell(phase, since.as_secs_f64(), planned.map(|time| time.as_secs_f64()), now);
            }
        }
    }
    if !measures {
        measuring();
    }
    outcomes
}

/// The life of a connection.
fn connect_and_work<C: Connection, T: Transactions<C>>(
    shared: &Shared<'_>,
    number: usize,
    make: &(impl Fn(usize) -> T + Sync),
    ready: mpsc::Sender<()>,
) -> Result<Outcome, BenchError> {
    let runtime = runtime()?;
    runtime.block_on(async {
        let connection = crate::bench::database::connect::<C>(shared.window.url).await?;
        drop(ready);
        let (start_ns, arrivals) = shared.start.wait();
        Ok(Work { shared, number, arrivals, start_ns: *start_ns }.go(connection, make(number)).await)
    })
}

/// One connection at work.
struct Work<'a, 'b> {
    shared: &'a Shared<'b>,
    number: usize,
    arrivals: &'a Arrivals,
    start_ns: u64,
}

impl Work<'_, '_> {
    /// The loop of one connection.
    async fn go<C: Connection, T: Transactions<C>>(&self, mut connection: C, mut mix: T) -> Outcome {
        let Self { shared, number, arrivals, start_ns } = *self;
        let Window { clock, limits, deck, url, .. } = shared.window;
        let window_start = start_ns + nanos(limits.warm_up);
        let end_ns = limits.time.map_or(u64::MAX, |time| window_start.saturating_add(nanos(time)));
        let mut random = fastrand::Rng::with_seed(number as u64);
        let mut recorder = Recorder::new(window_start);
        let mut given_up = pin!(shared.give_up.notified());
        let (mut counted, mut requests, mut before) = (false, 0, ThreadUsage::default());
        let mut count = 0;
        let mut now = clock.now_ns();
        while now < end_ns && !shared.ends() {
            let due = if arrivals.is_open() {
                match self.wait(end_ns) {
                    Some(due) => due,
                    None => break,
                }
            } else {
                Due { at_ns: now, user: number as u32, kind: usize::MAX }
            };
            let kind = if due.kind == usize::MAX { deck.draw(&mut random) } else { due.kind };
            let begin = clock.now_ns();
            if !counted && begin >= window_start {
                counted = true;
                requests = connection.requests();
                before = os::thread_usage();
            }
            let mut tries = Tries::default();
            let done = tokio::select! {
                biased;
                done = tries.until_done(shared, &mut connection, &mut mix, kind, due.user) => done,
                () = &mut given_up => break,
            };
            now = clock.now_ns();
            match done {
                Ok(Some(done)) if counted => {
                    let started = if arrivals.is_open() { due.at_ns.max(window_start) } else { begin };
                    recorder.record(started, now);
                    // One kind in a closed loop has no figures beside those of the recorder.
                    if deck.weights.len() > 1 || arrivals.is_open() || tries.any() {
                        lock(&shared.figures).done(
                            kind,
                            now - begin,
                            now.saturating_sub(started),
                            done,
                            &tries.conflicts,
                        );
                    }
                }
                // Not counted, or ended in the middle of a conflict.
                Ok(_) => {}
                Err(error) => {
                    if counted {
                        recorder.error();
                    }
                    shared.fail(BenchError::Other(url.hide(&error.to_string())));
                    break;
                }
            }
            arrivals.answered(due, now);
            count += 1;
            shared.counters[number].0.store(count, Ordering::Relaxed);
        }
        if counted {
            lock(&shared.figures).requests += connection.requests() - requests;
        }
        let usage = os::thread_usage().since(&before);
        if !shared.broken.load(Ordering::Relaxed) {
            connection.close().await;
        }
        Outcome { number, recorder, usage, ended_ns: now.max(window_start) }
    }

    /// Waits for the next transaction that is due before the end; none when there is none.
    fn wait(&self, end_ns: u64) -> Option<Due> {
        let clock = self.shared.window.clock;
        let mut due = None;
        loop {
            let now = clock.now_ns();
            if now >= end_ns || self.shared.ends() {
                return None;
            }
            due = due.or_else(|| self.arrivals.next());
            match due {
                Some(due) if due.at_ns <= now => return Some(due),
                Some(due) => std::thread::sleep(NAP.min(Duration::from_nanos(due.at_ns.min(end_ns) - now))),
                // Every user waits for an answer.
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

/// The tries of one transaction.
#[derive(Default)]
struct Tries {
    /// By [`Conflict`](crate::bench::database::Conflict).
    conflicts: [u64; 4],
}

impl Tries {
    fn any(&self) -> bool {
        self.conflicts.iter().any(|&count| count > 0)
    }

    /// Does a transaction until it is through; none when the run ended in between.
    async fn until_done<C: Connection, T: Transactions<C>>(
        &mut self,
        shared: &Shared<'_>,
        connection: &mut C,
        mix: &mut T,
        kind: usize,
        user: u32,
    ) -> Result<Option<Done>, DbError> {
        loop {
            let error = match mix.run(connection, kind, user).await {
                Ok(done) => return Ok(Some(done)),
                Err(error) => error,
            };
            let Some(conflict) = error.conflict_kind() else { return Err(error) };
            self.conflicts[conflict as usize] += 1;
            connection.roll_back().await?;
            if shared.ends() {
                return Ok(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::clock::NANOS;

    #[test]
    fn seconds_are_nanoseconds() {
        assert_eq!(nanos(Duration::from_secs(2)), 2 * NANOS);
        assert_eq!(nanos(Duration::MAX), u64::MAX / 2);
    }
}
