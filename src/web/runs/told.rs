//! How far a run is, as it is told to whoever watches.

use serde::Serialize;
use utoipa::ToSchema;

use crate::bench::{BenchResult, Phase, Progress};
use crate::domain::run::{MOST_RUN_S, RunMode};

/// Whether a run waits, is under way or has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = BenchmarkRunState)]
pub enum State {
    Queued,
    Running,
    /// The result is kept; it may have broken off, which it says itself.
    Done,
    /// Ended before anything was measured.
    Cancelled,
    /// There is no result.
    Failed,
}

impl State {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    pub const fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Cancelled | Self::Failed)
    }
}

/// How far a run is.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[schema(as = BenchmarkRunProgress)]
pub struct Told {
    pub state: State,
    pub mode: String,
    /// Which of those that wait, from 1; left out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub position: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// Events a second, one figure for each second under load: what the live chart shows.
    pub events_each_second: Vec<f64>,
    /// Why there is no result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Points that are kept: one a second of the longest run, and its warm-ups.
const MOST_POINTS: usize = MOST_RUN_S as usize * 2;

impl Told {
    pub(super) fn waiting(mode: RunMode) -> Self {
        Self {
            state: State::Queued,
            mode: mode.as_str().to_owned(),
            position: None,
            progress: None,
            events_each_second: Vec::new(),
            why: None,
        }
    }

    /// What is told of a result that is kept.
    pub fn kept(result: &BenchResult) -> Self {
        Self {
            state: State::Done,
            mode: result.mode.clone(),
            position: None,
            progress: None,
            events_each_second: result
                .runs
                .iter()
                .flat_map(|run| &run.events_each_second)
                .map(|count| *count as f64)
                .collect(),
            why: None,
        }
    }

    /// Whether that is another place than before.
    pub(super) fn take_place(&mut self, position: usize) -> bool {
        self.position.replace(position) != Some(position)
    }

    pub(super) fn begin(&mut self) {
        (self.state, self.position) = (State::Running, None);
    }

    pub(super) fn progress(&mut self, progress: &Progress) {
        let loaded = matches!(progress.phase, Phase::WarmUp | Phase::Measure);
        if let Some(rate) = progress.rate.filter(|_| loaded) {
            let same = |before: &Progress| {
                before.rate.is_some()
                    && before.phase == progress.phase
                    && before.step == progress.step
                    && before.elapsed_s.floor() == progress.elapsed_s.floor()
            };
            if self.progress.as_ref().is_some_and(same) {
                self.events_each_second.pop();
            }
            if self.events_each_second.len() < MOST_POINTS {
                self.events_each_second.push(rate);
            }
        }
        self.progress = Some(progress.clone());
    }

    pub(super) fn end(&mut self, state: State, why: Option<String>) {
        (self.state, self.position, self.why) = (state, None, why);
    }
}
