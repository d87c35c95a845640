//! `/api/v1/benchmarks`.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::bench::result::BenchResult;
use crate::store::Benchmark;
use crate::web::state::AppState;

mod create;
mod delete;
mod get;
mod list;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list::list, create::create)).routes(routes!(get::get, delete::delete))
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
