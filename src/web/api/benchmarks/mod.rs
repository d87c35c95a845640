//! `/api/v1/benchmarks`.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::bench::result::BenchResult;
use crate::store::Benchmark;
use crate::web::runs::{Job, Told};
use crate::web::state::AppState;

mod create;
mod delete;
mod events;
mod get;
mod list;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, create::create))
        .routes(routes!(get::get, delete::delete))
        .routes(routes!(events::events))
}

/// A benchmark that this server runs: it waits, is under way, or ended without a result.
#[derive(Serialize, ToSchema)]
pub(super) struct RunDocument {
    #[schema(value_type = String, format = "uuid")]
    id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    created: Timestamp,
    run: Told,
}

impl From<&Job> for RunDocument {
    fn from(job: &Job) -> Self {
        Self { id: job.id, created: job.created, run: job.told() }
    }
}

/// A kept benchmark result.
#[derive(Serialize, ToSchema)]
pub(super) struct BenchmarkDocument {
    #[schema(value_type = String, format = "uuid")]
    id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    created: Timestamp,
    result: BenchResult,
}

impl From<Benchmark> for BenchmarkDocument {
    fn from(benchmark: Benchmark) -> Self {
        Self { id: benchmark.id, created: benchmark.created, result: benchmark.result }
    }
}
