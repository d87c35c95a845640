use axum::extract::State;

use super::ModelDocument;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, Path};
use crate::web::state::AppState;

/// An overhead model
#[utoipa::path(
    get, path = "/overhead-models/{id}", tag = "overhead-models",
    params(("id" = String, Path)),
    responses(
        (status = 200, description = "The model with its coefficients and their sources", body = ModelDocument),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn get(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Json<ModelDocument>, AppError> {
    let model = state.models().get(&id);
    let model = model.ok_or_else(|| AppError::not_found("There is no overhead model with this id."))?;
    Ok(Json(ModelDocument::of(&model)))
}
