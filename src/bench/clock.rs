//! Time, so that a test can simulate it.

use std::time::{Duration, Instant};

/// Nanoseconds in a second.
pub const NANOS: u64 = 1_000_000_000;

/// A monotonic clock. Reading it is part of what an event costs: implementations are inlined into the loop.
pub trait Clock: Sync {
    /// Nanoseconds since a moment that never changes.
    fn now_ns(&self) -> u64;

    /// Waits; a simulated clock may return at once.
    fn sleep(&self, time: Duration);

    /// Whether time passes by itself: contention and gaps can be watched.
    fn is_real(&self) -> bool {
        true
    }
}

/// The system's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    origin: Instant,
}

impl SystemClock {
    pub fn new() -> Self {
        Self { origin: Instant::now() }
    }

    /// The origin from which [`Clock::now_ns`] counts: tasks that wait for an `Instant` can convert.
    pub fn origin(&self) -> Instant {
        self.origin
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    #[inline]
    fn now_ns(&self) -> u64 {
        let time = self.origin.elapsed();
        time.as_secs() * NANOS + u64::from(time.subsec_nanos())
    }

    fn sleep(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

/// A clock for tests: time passes only when it is told to.
#[cfg(test)]
#[derive(Debug, Default)]
pub struct SimulatedClock(std::sync::atomic::AtomicU64);

#[cfg(test)]
impl SimulatedClock {
    pub fn advance(&self, nanos: u64) {
        self.0.fetch_add(nanos, std::sync::atomic::Ordering::SeqCst);
    }
}

#[cfg(test)]
impl Clock for SimulatedClock {
    fn now_ns(&self) -> u64 {
        self.0.load(std::sync::atomic::Ordering::SeqCst)
    }

    /// Somebody else moves the time.
    fn sleep(&self, _: Duration) {
        std::thread::yield_now();
    }

    fn is_real(&self) -> bool {
        false
    }
}
