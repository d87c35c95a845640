use axum::extract::State;
use axum::response::{IntoResponse, Response};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{BenchmarkDocument, RunDocument};
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, Path};
use crate::web::state::AppState;

/// A result, or a run that has none yet.
#[derive(ToSchema)]
#[schema(as = BenchmarkOrRun)]
#[serde(untagged)]
#[expect(dead_code, reason = "the description of a response that is one of two")]
pub(super) enum Found {
    Result(Box<BenchmarkDocument>),
    Run(Box<RunDocument>),
}

/// A benchmark: its result, or how far it is
#[utoipa::path(
    get, path = "/benchmarks/{id}", tag = "benchmarks",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, description = "The result; of a run without one, how far it is", body = Found),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn get(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<Response, AppError> {
    if let Some(job) = state.run(id) {
        return Ok(Json(RunDocument::from(job.as_ref())).into_response());
    }
    Ok(Json(BenchmarkDocument::from(state.store.benchmark(id).await?)).into_response())
}
