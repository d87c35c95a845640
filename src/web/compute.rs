//! Sizing on the server: at once where it costs microseconds, else on a thread that may be busy, as many as there are
//! CPUs.

use super::error::AppError;
use super::state::AppState;
use crate::domain::Scenario;
use crate::engine::{self, stop};
use crate::report::backtest::{self, Accuracy};
use crate::report::pdf::DocumentMeta;
use crate::report::{Answer, Options, answer_for};

/// Trials of a search that an answer may take on a thread that serves requests: less than a millisecond.
const TRIALS_AT_ONCE: u32 = 400;

/// Tells the work to stop when whoever waits for it has gone: the client, or the time it was given.
struct StopWhenDropped(stop::Stop);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl AppState {
    /// The answer to a scenario.
    ///
    /// # Errors
    /// When the server stops meanwhile, or the work panicked.
    pub async fn answer(&self, scenario: Scenario, options: Options) -> Result<Answer, AppError> {
        if !options.curves && !options.indices && engine::is_small(&scenario) {
            let answer = stop::within(TRIALS_AT_ONCE, || answer_for(&scenario, options));
            if let Some(answer) = answer {
                return Ok(answer);
            }
        }
        self.on_a_cpu(move || answer_for(&scenario, options)).await
    }

    /// How far the model is off published measurements. The first call judges all of them.
    ///
    /// # Errors
    /// As [`AppState::answer`].
    pub async fn accuracy(&self) -> Result<&'static Accuracy, AppError> {
        // Made once for all, so not to be stopped.
        let work = tokio::task::spawn_blocking(backtest::summary);
        work.await.map_err(AppError::internal)
    }

    /// What a report says of itself; `created` is when its input was made.
    ///
    /// # Errors
    /// As [`AppState::answer`].
    pub async fn document_meta(&self, created: Option<String>) -> Result<DocumentMeta, AppError> {
        Ok(DocumentMeta { created, accuracy: Some(self.accuracy().await?.into()) })
    }

    /// Runs work that keeps a CPU busy. It stops when its result is no longer waited for.
    ///
    /// # Errors
    /// As [`AppState::answer`].
    pub async fn on_a_cpu<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
        let permit = self.cpus.clone().acquire_owned().await.map_err(AppError::internal)?;
        let waiting = StopWhenDropped(stop::Stop::default());
        let stop = waiting.0.clone();
        let work = move || {
            // Held until the work has ended, even when the client has gone.
            let _permit = permit;
            stop.guard(work)
        };
        let done = tokio::task::spawn_blocking(work).await.map_err(AppError::internal)?;
        done.ok_or_else(|| AppError::internal("stopped, although it was waited for"))
    }
}
