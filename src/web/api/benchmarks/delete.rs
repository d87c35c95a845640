use axum::extract::State;
use axum::http::StatusCode;
use uuid::Uuid;

use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::Path;
use crate::web::state::AppState;

/// Delete a kept benchmark result, or cancel a run
///
/// A result is deleted for good: it can be submitted again. A run that waits never begins; one under way ends soon, and
/// what it measured is kept and marked.
#[utoipa::path(
    delete, path = "/benchmarks/{id}", tag = "benchmarks",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 202, description = "The run ends"),
        (status = 204, description = "Deleted"),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn delete(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<StatusCode, AppError> {
    if state.cancel_run(id) {
        return Ok(StatusCode::ACCEPTED);
    }
    state.store.delete_benchmark(id).await?;
    Ok(StatusCode::NO_CONTENT)
}
