//! Sizing on the server: at once where it costs microseconds, else on a thread that may be busy, as many as there are
//! CPUs.

use super::error::AppError;
use super::state::AppState;
use crate::domain::Scenario;
use crate::engine;
use crate::report::backtest::{self, Accuracy};
use crate::report::pdf::DocumentMeta;
use crate::report::{Answer, Options, answer_for, answer_from};

impl AppState {
    /// The answer to a scenario.
    ///
    /// # Errors
    /// When the server stops meanwhile, or the work panicked.
    pub async fn answer(&self, scenario: Scenario, options: Options) -> Result<Answer, AppError> {
        if !options.curves && !options.indices && engine::is_small(&scenario) {
            let sizing = engine::Sizing::new(&scenario);
            if !sizing.needs_draws() {
                let outcome = if options.arithmetic { sizing.outcome() } else { sizing.plain_outcome() };
                return Ok(answer_from(&scenario, &outcome, options));
            }
        }
        self.on_a_cpu(move || answer_for(&scenario, options)).await
    }

    /// How far the model is off published measurements. The first call judges all of them.
    ///
    /// # Errors
    /// As [`AppState::answer`].
    pub async fn accuracy(&self) -> Result<&'static Accuracy, AppError> {
        self.on_a_cpu(backtest::summary).await
    }

    /// What a report says of itself; `created` is when its input was made.
    ///
    /// # Errors
    /// As [`AppState::answer`].
    pub async fn document_meta(&self, created: Option<String>) -> Result<DocumentMeta, AppError> {
        Ok(DocumentMeta { created, accuracy: Some(self.accuracy().await?.into()) })
    }

    /// Runs work that keeps a CPU busy.
    ///
    /// # Errors
    /// As [`AppState::answer`].
    pub async fn on_a_cpu<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
        let permit = self.cpus.clone().acquire_owned().await.map_err(AppError::internal)?;
        let work = move || {
            // Held until the work is done, even when the client has gone.
            let _permit = permit;
            work()
        };
        tokio::task::spawn_blocking(work).await.map_err(AppError::internal)
    }
}
