use axum::extract::State;
use axum::response::{IntoResponse, Response};

use super::{SizingDocument, documents, parse_id};
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::Path;
use crate::web::state::AppState;

/// A kept sizing
#[utoipa::path(
    get, path = "/sizings/{id}", tag = "sizings",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, description = "The answer and its scenario", body = SizingDocument),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn get(State(state): State<AppState>, Path(id): Path<String>) -> Result<Response, AppError> {
    // The router matches whole segments, so the ending of a document comes along with the id.
    let (id, ending) = id.split_once('.').map_or((id.as_str(), None), |(id, ending)| (id, Some(ending)));
    let sizing = state.store.sizing(parse_id(id)?).await?;
    match ending {
        None => Ok(SizingDocument::from(sizing).into_response()),
        Some("json") => Ok(documents::json(sizing)),
        Some("pdf") => documents::pdf(&state, &sizing).await,
        Some("xlsx") => documents::xlsx(&state, sizing).await,
        Some(_) => Err(AppError::not_found("A sizing is there as .json, .pdf and .xlsx.")),
    }
}
