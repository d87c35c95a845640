//! A kept sizing as a file to download. The functions describe the addresses; [`super::get`] takes the requests.

use axum::response::{IntoResponse, Response};
use utoipa::OpenApi;

use super::{SizingDocument, attachment};
use crate::store::Sizing;
use crate::web::error::ProblemDocument;

/// What the router cannot see.
#[derive(OpenApi)]
#[openapi(paths(json))]
pub(super) struct Described;

/// A kept sizing as a JSON file
#[utoipa::path(
    get, path = "/sizings/{id}.json", tag = "sizings",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, description = "The answer and its scenario", body = SizingDocument),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) fn json(sizing: Sizing) -> Response {
    (attachment(&sizing.name, "json"), SizingDocument::from(sizing)).into_response()
}
