//! `mutex`: many short locks. Each thread does one event: so many times it counts to a number, then locks a mutex chosen at
//! random, increments a shared figure, and unlocks, as in sysbench. The result is the time.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::clock::Clock;
use super::common::Common;
use super::contention::Needs;
use super::control::Control;
use super::environment;
use super::error::{BenchError, Mistakes};
use super::result::{BenchResult, Better, Score};
use super::runner::{Limits, Worker, run_window};
use super::session::{Plan, Session};

/// Options of `mutex`. Of the common ones only threads and repeats matter: the work has an end of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MutexMode {
    pub common: Common,
    pub mutexes: u32,
    /// Locks of each thread.
    pub locks: u32,
    /// What a thread counts to before each lock.
    pub loops: u32,
}

const MOST: u32 = 100_000_000;

impl MutexMode {
    /// Runs the benchmark.
    ///
    /// # Errors
    /// Options that cannot be; a stop before the end.
    pub fn run(&self, clock: &impl Clock, control: &Control) -> Result<BenchResult, BenchError> {
        let Self { common, mutexes, locks, loops } = *self;
        let mut mistakes = Mistakes::default();
        common.check(&mut mistakes);
        for (flag, value, least) in [("--mutexes", mutexes, 1), ("--locks", locks, 1), ("--loops", loops, 0)] {
            mistakes
                .unless((least..=MOST).contains(&value), || format!("{flag} {value}: allowed is {least} to {MOST}"));
        }
        mistakes.done()?;
        let own = serde_json::json!({ "mutexes": mutexes, "locks": locks, "loops": loops });
        let plan = Plan {
            mode: "mutex",
            parameters: common.parameters(own),
            environment: environment::detect(),
            threads: common.threads,
            repeat: common.repeat,
            better: Better::Lower,
            needs: Needs::Processors(common.threads),
            outstanding: None,
        };
        let mut session = Session::new(plan, control, clock);
        while session.goes_on() {
            let padded: Vec<Padded> = (0..mutexes).map(|_| Padded::default()).collect();
            let (total, loops) = (AtomicU32::new(0), AtomicU32::new(loops));
            let make = |number: usize| {
                let random = fastrand::Rng::with_seed(number as u64 + 1);
                Ok(Locker { mutexes: &padded, total: &total, loops: &loops, locks, random, control })
            };
            let limits = Limits { warm_up: Duration::ZERO, time: None, events: Some(1) };
            run_window(&mut session, clock, control, common.threads, limits, make)?;
        }
        let mut result = session.finish()?;
        let seconds = result.duration_s / result.runs.len() as f64;
        result.score = Some(Score { name: "time".to_owned(), value: seconds, unit: "s".to_owned() });
        Ok(result)
    }
}

/// A mutex on cache lines of its own: neighbours do not disturb each other.
#[derive(Default)]
#[repr(align(128))]
struct Padded(Mutex<()>);

struct Locker<'a> {
    mutexes: &'a [Padded],
    /// What the locks guard; several mutexes guard one figure, so it is a plain load and store, as in sysbench.
    total: &'a AtomicU32,
    /// Read anew in each turn: the compiler must not count in one step.
    loops: &'a AtomicU32,
    locks: u32,
    random: fastrand::Rng,
    control: &'a Control,
}

impl Worker for Locker<'_> {
    fn event(&mut self) -> Result<(), BenchError> {
        for _ in 0..self.locks {
            let mutex = &self.mutexes[self.random.usize(..self.mutexes.len())].0;
            let mut count = 0;
            while count < self.loops.load(Ordering::Relaxed) {
                count += 1;
            }
            let held = mutex.lock().unwrap_or_else(PoisonError::into_inner);
            self.total.store(self.total.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
            drop(held);
            if self.control.is_cancelled() {
                return Err(BenchError::Cancelled);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::clock::SystemClock;

    fn mode(locks: u32) -> MutexMode {
        let common = Common { threads: 2, time: Duration::from_secs(1), warm_up: Duration::ZERO, repeat: 2 };
        MutexMode { common, mutexes: 16, locks, loops: 10 }
    }

    #[test]
    fn each_thread_does_one_event_and_the_result_is_time() {
        let result = mode(100).run(&SystemClock::new(), &Control::silent()).unwrap();
        assert_eq!(result.runs.iter().map(|run| run.events).collect::<Vec<_>>(), [2, 2]);
        assert_eq!((result.better, result.score.map(|score| score.unit)), (Better::Lower, Some("s".to_owned())));
    }

    #[test]
    fn every_lock_counts() {
        let padded: Vec<Padded> = (0..4).map(|_| Padded::default()).collect();
        let (total, loops, control) = (AtomicU32::new(0), AtomicU32::new(3), Control::silent());
        let random = fastrand::Rng::with_seed(1);
        let mut locker =
            Locker { mutexes: &padded, total: &total, loops: &loops, locks: 50, random, control: &control };
        locker.event().unwrap();
        assert_eq!(total.load(Ordering::Relaxed), 50);
        control.cancel();
        assert!(matches!(locker.event(), Err(BenchError::Cancelled)));
    }

    #[test]
    fn nothing_to_lock_is_a_mistake() {
        assert!(mode(0).run(&SystemClock::new(), &Control::silent()).unwrap_err().is_usage());
    }
}
