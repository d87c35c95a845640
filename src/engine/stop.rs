//! Stopping work that nobody waits for any more.
//!
//! A search asks at every trial whether it should stop, and leaves by unwinding, so that no law has to hand a "stopped"
//! through its results. Work that nobody can stop pays one look at a thread's own variable.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static CURRENT: RefCell<Option<Leave>> = const { RefCell::new(None) };
}

/// A handle by which work on another thread is told to stop.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

/// When the work of a thread is to be left.
enum Leave {
    WhenTold(Stop),
    /// Trials that are left.
    After(u32),
}

/// What a stopped search unwinds with.
struct Stopped;

impl Stop {
    /// Tells the work to stop; it does so at its next trial.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Does the work on this thread; `None` when it was told to stop meanwhile.
    ///
    /// What is made once for all, such as a `LazyLock`, must not be made first within stoppable work: stopping would
    /// leave it unusable.
    pub fn guard<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        guarded(Leave::WhenTold(self.clone()), work)
    }
}

/// Does the work on this thread if it takes no more than so many trials, of some microseconds each; see [`Stop::guard`].
pub fn within<T>(trials: u32, work: impl FnOnce() -> T) -> Option<T> {
    guarded(Leave::After(trials), work)
}

fn guarded<T>(leave: Leave, work: impl FnOnce() -> T) -> Option<T> {
    let before = CURRENT.replace(Some(leave));
    // What a stopped search was at is dropped with it.
    let done = catch_unwind(AssertUnwindSafe(work));
    CURRENT.set(before);
    match done {
        Ok(done) => Some(done),
        Err(payload) if payload.is::<Stopped>() => None,
        Err(panic) => resume_unwind(panic),
    }
}

/// Where a search may be left.
pub(super) fn point() {
    let leave = CURRENT.with_borrow_mut(|leave| match leave {
        None => false,
        Some(Leave::WhenTold(stop)) => stop.0.load(Ordering::Relaxed),
        Some(Leave::After(0)) => true,
        Some(Leave::After(left)) => {
            *left -= 1;
            false
        }
    });
    if leave {
        // Not a panic: nothing is logged.
        resume_unwind(Box::new(Stopped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_at_its_next_point() {
        let stop = Stop::default();
        assert_eq!(stop.guard(|| 7), Some(7));
        let mut steps = 0;
        let done = stop.guard(|| {
            for step in 1.. {
                steps = step;
                if step == 3 {
                    stop.stop();
                }
                point();
            }
        });
        assert_eq!((done, steps), (None, 3));
        // The thread is free again.
        point();
    }

    #[test]
    fn work_has_so_many_trials() {
        let trials = |count: u32| within(3, || (0..count).for_each(|_| point()));
        assert_eq!((trials(3), trials(4)), (Some(()), None));
    }
}
