//! Whether the server lives, and whether it can work.

use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;

use super::error::AppError;
use super::state::AppState;

/// How long the database may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// `GET /healthz`: the process answers.
pub async fn healthz() -> &'static str {
    "ok\n"
}

/// `GET /readyz`: the database answers too.
pub async fn readyz(State(state): State<AppState>) -> Result<&'static str, AppError> {
    match tokio::time::timeout(PATIENCE, state.store.ready()).await {
        Ok(Ok(())) => Ok("ready\n"),
        Ok(Err(error)) => {
            tracing::warn!(%error, "not ready");
            Err(AppError::new(StatusCode::SERVICE_UNAVAILABLE, "The database does not answer."))
        }
        Err(_) => Err(AppError::new(StatusCode::SERVICE_UNAVAILABLE, "The database takes too long to answer.")),
    }
}
