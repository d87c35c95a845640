//! A kept sizing as a file to download. The functions describe the addresses; [`super::get`] takes the requests.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa::OpenApi;

use super::{SizingDocument, attachment};
use crate::report::xlsx::workbook;
use crate::store::Sizing;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::state::AppState;

/// What the router cannot see.
#[derive(OpenApi)]
#[openapi(paths(json, pdf, xlsx))]
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

/// A kept sizing as a report for a board
///
/// PDF/A-2a. The same sizing gives the same bytes.
#[utoipa::path(
    get, path = "/sizings/{id}.pdf", tag = "sizings",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, description = "The report", body = Vec<u8>, content_type = "application/pdf"),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn pdf(state: &AppState, sizing: &Sizing) -> Result<Response, AppError> {
    let meta = state.document_meta(Some(sizing.updated.to_string())).await?;
    let bytes = state.pdf.render(&sizing.answer, &sizing.scenario, meta).await.map_err(AppError::internal)?;
    Ok((attachment(&sizing.name, "pdf"), [(header::CONTENT_TYPE, "application/pdf")], bytes).into_response())
}

const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/// A kept sizing as a workbook
#[utoipa::path(
    get, path = "/sizings/{id}.xlsx", tag = "sizings",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, description = "The workbook", body = Vec<u8>,
         content_type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn xlsx(state: &AppState, sizing: Sizing) -> Result<Response, AppError> {
    let Sizing { name, answer, scenario, .. } = sizing;
    let bytes = state.on_a_cpu(move || workbook(&answer, &scenario)).await?.map_err(AppError::internal)?;
    Ok((attachment(&name, "xlsx"), [(header::CONTENT_TYPE, WORKBOOK)], bytes).into_response())
}
