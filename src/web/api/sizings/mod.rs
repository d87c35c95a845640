//! `/api/v1/sizings`.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::domain::input::ScenarioInput;
use crate::report::Answer;
use crate::store::Sizing;
use crate::web::error::AppError;
use crate::web::extract::Json;
use crate::web::state::AppState;

mod create;
mod delete;
mod documents;
mod get;
mod list;
mod rename;
mod replace;
mod restore;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    let described = <documents::Described as utoipa::OpenApi>::openapi();
    OpenApiRouter::with_openapi(described)
        .routes(routes!(list::list, create::create))
        .routes(routes!(get::get, replace::replace, rename::rename, delete::delete))
        .routes(routes!(restore::restore))
}

/// A kept sizing: its answer, and the scenario it answers.
#[derive(Serialize, ToSchema)]
pub(super) struct SizingDocument {
    #[schema(value_type = String, format = "uuid")]
    id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    created: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    updated: Timestamp,
    #[serde(flatten)]
    answer: Answer,
    /// As it was sent.
    #[schema(value_type = ScenarioInput)]
    scenario: Value,
}

impl From<Sizing> for SizingDocument {
    fn from(sizing: Sizing) -> Self {
        let Sizing { id, created, updated, answer, scenario, .. } = sizing;
        Self { id, created, updated, answer, scenario }
    }
}

impl IntoResponse for SizingDocument {
    fn into_response(self) -> Response {
        Json(self).into_response()
    }
}

/// Where a sizing is.
fn location(id: Uuid) -> Result<HeaderValue, AppError> {
    HeaderValue::from_str(&format!("{}/sizings/{id}", super::BASE)).map_err(AppError::internal)
}

/// The header of a download: `attachment; filename="…"`. Of the name only letters, digits and dashes stay.
fn attachment(name: &str, extension: &str) -> [(header::HeaderName, String); 1] {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
    let words: String = name.chars().map(plain).collect();
    let mut file = words.split_whitespace().collect::<Vec<_>>().join("-");
    file.truncate(80);
    let file = if file.is_empty() { "sizing" } else { &file };
    [(header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}.{extension}\""))]
}

/// The id of a sizing; what is none names no sizing.
fn parse_id(text: &str) -> Result<Uuid, AppError> {
    Uuid::try_parse(text).map_err(|_| AppError::not_found("There is no sizing with this id; it may have been deleted."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_are_plain() {
        let name = |text: &str| attachment(text, "pdf")[0].1.clone();
        assert_eq!(name("SQL on \"DL580\"\r\n../x"), "attachment; filename=\"sql-on-dl580-x.pdf\"");
        assert_eq!(name("数据库"), "attachment; filename=\"sizing.pdf\"");
    }
}
