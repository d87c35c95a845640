use axum::extract::State;
use axum::http::StatusCode;

use super::parse_id;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::Path;
use crate::web::state::AppState;

/// Delete a sizing
///
/// `POST /sizings/{id}/restore` brings it back.
#[utoipa::path(
    delete, path = "/sizings/{id}", tag = "sizings",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 204, description = "Deleted"),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn delete(State(state): State<AppState>, Path(id): Path<String>) -> Result<StatusCode, AppError> {
    state.store.delete_sizing(parse_id(&id)?).await?;
    Ok(StatusCode::NO_CONTENT)
}
