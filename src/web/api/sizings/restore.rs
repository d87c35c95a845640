use axum::extract::State;

use super::{SizingDocument, parse_id};
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::Path;
use crate::web::state::AppState;

/// Bring a deleted sizing back
///
/// Does nothing to one that is not deleted.
#[utoipa::path(
    post, path = "/sizings/{id}/restore", tag = "sizings",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, description = "The sizing as it was", body = SizingDocument),
        (status = 404, description = "There never was one with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn restore(State(state): State<AppState>, Path(id): Path<String>) -> Result<SizingDocument, AppError> {
    Ok(state.store.restore_sizing(parse_id(&id)?).await?.into())
}
