use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::store::{SizingQuery, SizingSummary};
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, Query};
use crate::web::state::AppState;

const MOST: u32 = 200;
const DEFAULT: u32 = 50;

/// Which sizings.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// Text that occurs in the name or the host, upper or lower case
    search: Option<String>,
    /// At most so many; 50 when it is left out
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// So many are skipped
    offset: Option<u32>,
}

/// Some of the sizings.
#[derive(Serialize, ToSchema)]
pub(super) struct SizingList {
    items: Vec<SizingSummary>,
    /// How many there are without the limit.
    total: u64,
    limit: u32,
    offset: u32,
}

/// List the sizings that are kept
///
/// The last changed first.
#[utoipa::path(
    get, path = "/sizings", tag = "sizings",
    responses(
        (status = 200, description = "Some of the sizings", body = SizingList),
        (status = 422, description = "A parameter is wrong", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn list(
    State(state): State<AppState>,
    Query(wanted): Query<Wanted>,
) -> Result<Json<SizingList>, AppError> {
    let limit = wanted.limit.unwrap_or(DEFAULT);
    if !(1..=MOST).contains(&limit) {
        return Err(AppError::parameter("limit", format!("{limit} is not possible; 1 to {MOST}.")));
    }
    let offset = wanted.offset.unwrap_or(0);
    let total = state.store.count_sizings(wanted.search.clone()).await?;
    let items = state.store.sizings(SizingQuery { search: wanted.search, limit, offset }).await?;
    Ok(Json(SizingList { items, total, limit, offset }))
}
