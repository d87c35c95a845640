//! The wire between a running benchmark and whoever started it: stop, and how far it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What a benchmark is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Files written, tables filled, memory touched.
    Prepare,
    /// Load that is not counted.
    WarmUp,
    /// Load that is counted.
    Measure,
    /// Pending work ends, files and tables are removed.
    CleanUp,
}

/// How far a benchmark is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Progress {
    pub phase: Phase,
    /// Which part of several: "run 2 of 5", "outstanding 8"; empty for one.
    pub step: String,
    /// Since the phase began, s.
    pub elapsed_s: f64,
    /// How long the phase will take, s; null when it ends by itself.
    pub planned_s: Option<f64>,
    /// How much of the phase is done where it is not a matter of time, 0 to 1.
    pub done: Option<f64>,
    /// Events a second just now.
    pub rate: Option<f64>,
}

type Listener = dyn Fn(&Progress) + Send + Sync;

/// Handle on a running benchmark; clones are the same handle.
#[derive(Clone)]
pub struct Control {
    cancelled: Arc<AtomicBool>,
    listener: Arc<Listener>,
}

impl Control {
    /// Progress goes to `listener`: a few times a second, from the thread that supervises the run.
    pub fn new(listener: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        Self { cancelled: Arc::default(), listener: Arc::new(listener) }
    }

    /// Nobody listens.
    pub fn silent() -> Self {
        Self::new(|_| ())
    }

    /// Asks the run to end soon. What was measured so far is kept and marked invalid.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether the run shall end. Cheap enough to ask for each event.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Tells the listener.
    pub fn tell(&self, progress: &Progress) {
        (self.listener)(progress);
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::silent()
    }
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("cancelled", &self.is_cancelled()).finish_non_exhaustive()
    }
}
