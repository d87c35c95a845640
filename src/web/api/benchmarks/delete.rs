use axum::extract::State;
use axum::http::StatusCode;
use uuid::Uuid;

use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::Path;
use crate::web::state::AppState;

/// Delete a kept benchmark result
///
/// For good: a result can be submitted again.
#[utoipa::path(
    delete, path = "/benchmarks/{id}", tag = "benchmarks",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn delete(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<StatusCode, AppError> {
    state.store.delete_benchmark(id).await?;
    Ok(StatusCode::NO_CONTENT)
}
