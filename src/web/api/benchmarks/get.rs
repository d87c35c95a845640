use axum::extract::State;
use uuid::Uuid;

use super::BenchmarkDocument;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, Path};
use crate::web::state::AppState;

/// A kept benchmark result
#[utoipa::path(
    get, path = "/benchmarks/{id}", tag = "benchmarks",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, description = "The result", body = BenchmarkDocument),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn get(
    State(state): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<BenchmarkDocument>, AppError> {
    Ok(Json(state.store.benchmark(id).await?.into()))
}
