use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::RunDocument;
use crate::store::{BenchmarkQuery, BenchmarkSummary};
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, Query};
use crate::web::state::AppState;

const MOST: u32 = 200;
const DEFAULT: u32 = 50;

/// Which benchmarks.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// Only results of this mode
    mode: Option<String>,
    /// At most so many; 50 when it is left out
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// So many are skipped
    offset: Option<u32>,
}

/// Some of the benchmarks.
#[derive(Serialize, ToSchema)]
pub(super) struct BenchmarkList {
    items: Vec<BenchmarkSummary>,
    /// Runs of this server under way and waiting, whatever is asked for.
    runs: Vec<RunDocument>,
    /// How many there are without the limit.
    total: u64,
    limit: u32,
    offset: u32,
}

/// List the benchmark results that are kept
///
/// The newest first.
#[utoipa::path(
    get, path = "/benchmarks", tag = "benchmarks",
    responses(
        (status = 200, description = "Some of the results", body = BenchmarkList),
        (status = 422, description = "A parameter is wrong", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn list(
    State(state): State<AppState>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<BenchmarkList>, AppError> {
    let limit = wanted.limit.unwrap_or(DEFAULT);
    if !(1..=MOST).contains(&limit) {
        return Err(AppError::parameter("limit", format!("{limit} is not possible; 1 to {MOST}.")));
    }
    let offset = wanted.offset.unwrap_or(0);
    let total = state.store.count_benchmarks(wanted.mode.clone()).await?;
    let items = state.store.benchmarks(BenchmarkQuery { mode: wanted.mode, limit, offset }).await?;
    let runs = state.runs.iter().flat_map(|runs| runs.open()).map(|job| RunDocument::from(job.as_ref())).collect();
    Ok(Json(BenchmarkList { items, runs, total, limit, offset }))
}
