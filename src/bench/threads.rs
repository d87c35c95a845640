//! `threads`: the scheduler under contention. An event takes one of several mutexes and, so many times, locks it, gives the
//! processor away and unlocks it, as in sysbench. Events take the mutexes in turn over all threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::clock::Clock;
use super::common::Common;
use super::contention::Needs;
use super::control::Control;
use super::environment;
use super::error::{BenchError, Mistakes};
use super::os;
use super::result::{BenchResult, Better};
use super::runner::{Worker, run_window};
use super::session::{Plan, Session};

/// Options of `threads`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Threads {
    pub common: Common,
    /// Times that an event gives the processor away.
    pub yields: u32,
    pub locks: u32,
}

const MOST_YIELDS: u32 = 100_000_000;
const MOST_LOCKS: u32 = 1_000_000;

impl Threads {
    /// Runs the benchmark.
    ///
    /// # Errors
    /// Options that cannot be; a load that broke off at once.
    pub fn run(&self, clock: &impl Clock, control: &Control) -> Result<BenchResult, BenchError> {
        let Self { common, yields, locks } = *self;
        let mut mistakes = Mistakes::default();
        common.check(&mut mistakes);
        mistakes.unless((1..=MOST_YIELDS).contains(&yields), || {
            format!("--yields {yields}: allowed is 1 to {MOST_YIELDS}")
        });
        mistakes.unless((1..=MOST_LOCKS).contains(&locks), || format!("--locks {locks}: allowed is 1 to {MOST_LOCKS}"));
        mistakes.done()?;
        let plan = Plan {
            mode: "threads",
            parameters: common.parameters(serde_json::json!({ "yields": yields, "locks": locks })),
            environment: environment::detect(),
            threads: common.threads,
            repeat: common.repeat,
            better: Better::Higher,
            // Giving the processor away is waiting for it.
            needs: Needs::QuietMachine,
            outstanding: None,
        };
        let mut session = Session::new(plan, control, clock);
        while session.goes_on() {
            let mutexes: Vec<Mutex<()>> = (0..locks).map(|_| Mutex::new(())).collect();
            let next = AtomicUsize::new(0);
            let make = |_| Ok(Yielder { mutexes: &mutexes, next: &next, mine: 0, yields });
            run_window(&mut session, clock, control, common.threads, common.limits(), make)?;
        }
        session.finish()
    }
}

struct Yielder<'a> {
    mutexes: &'a [Mutex<()>],
    next: &'a AtomicUsize,
    mine: usize,
    yields: u32,
}

impl Worker for Yielder<'_> {
    const PREPARES: bool = true;

    fn prepare(&mut self) {
        self.mine = self.next.fetch_add(1, Ordering::Relaxed) % self.mutexes.len();
    }

    fn event(&mut self) -> Result<(), BenchError> {
        let mutex = &self.mutexes[self.mine];
        for _ in 0..self.yields {
            let held = mutex.lock().unwrap_or_else(PoisonError::into_inner);
            os::yield_now();
            drop(held);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_take_the_mutexes_in_turn() {
        let mutexes: Vec<Mutex<()>> = (0..3).map(|_| Mutex::new(())).collect();
        let next = AtomicUsize::new(0);
        let mut one = Yielder { mutexes: &mutexes, next: &next, mine: 0, yields: 2 };
        let mut other = Yielder { mutexes: &mutexes, next: &next, mine: 0, yields: 2 };
        let mut taken = Vec::new();
        for _ in 0..2 {
            for yielder in [&mut one, &mut other] {
                yielder.prepare();
                yielder.event().unwrap();
                taken.push(yielder.mine);
            }
        }
        assert_eq!(taken, [0, 1, 2, 0]);
        assert!(mutexes.iter().all(|mutex| mutex.try_lock().is_ok()));
    }
}
