//! The error that a client sees: a problem document (RFC 9457) under `/api`, a page with a way back elsewhere.
//!
//! A handler does not know where its error is shown. It returns an [`AppError`]; the middleware renders it by the path of
//! the request, see `AppError::render`.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::{MOST_BYTES, Problem, Refused};
use crate::report::words::problem as problem_words;
use crate::store::StoreError;

/// What went wrong, for the client. The cause of a server error is logged and never shown.
#[derive(Clone, Debug)]
pub struct AppError {
    pub status: StatusCode,
    /// A sentence on this very case.
    pub detail: String,
    /// Every field that is wrong.
    pub errors: Vec<FieldError>,
    /// For the log only.
    cause: Option<String>,
}

/// One thing wrong at one place of the input.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FieldError {
    /// JSON pointer of the field in the body; empty for the whole of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
    /// Name of the parameter in the address, when it is not the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// What is wrong, and what is allowed.
    pub detail: String,
}

/// A problem document (RFC 9457).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProblemDocument {
    /// `about:blank`: the status says what kind of problem it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// The meaning of the status.
    pub title: String,
    pub status: u16,
    /// What is wrong with this request.
    pub detail: String,
    /// Every field that is wrong; left out when it is not about fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
}

impl AppError {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), errors: Vec::new(), cause: None }
    }

    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, detail)
    }

    /// A failure of ours: the cause goes to the log.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        let detail = "Something failed on the server. The request id is in the header x-request-id and in the log.";
        Self { cause: Some(format!("{cause:#}")), ..Self::new(StatusCode::INTERNAL_SERVER_ERROR, detail) }
    }

    /// Fields of the body that are wrong.
    pub fn unprocessable(problems: &[Problem]) -> Self {
        let error = |problem: &Problem| FieldError {
            pointer: Some(problem.pointer.clone()),
            parameter: None,
            detail: problem_words(problem),
        };
        Self::fields(problems.iter().map(error).collect())
    }

    /// What was sent cannot be used, and no field is to blame.
    pub fn unreadable(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// One field of the body that is wrong.
    pub fn pointer(pointer: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::fields(vec![FieldError { pointer: Some(pointer.into()), parameter: None, detail: detail.into() }])
    }

    /// A parameter in the address that is wrong.
    pub fn parameter(name: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::fields(vec![FieldError { pointer: None, parameter: Some(name.into()), detail: detail.into() }])
    }

    /// Parameters in the address that are wrong: the name of each, and what is wrong with it.
    pub fn parameters(problems: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let error = |(name, detail): (&str, String)| FieldError { pointer: None, parameter: Some(name.into()), detail };
        Self::fields(problems.into_iter().map(error).collect())
    }

    /// The same, for a value that is at this pointer of the body.
    pub fn below(mut self, pointer: &str) -> Self {
        for own in self.errors.iter_mut().filter_map(|error| error.pointer.as_mut()) {
            own.insert_str(0, pointer);
        }
        self
    }

    fn fields(errors: Vec<FieldError>) -> Self {
        let detail = match errors.as_slice() {
            [one] => one.detail.clone(),
            many => format!("{} values are not possible.", many.len()),
        };
        Self { errors, ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail) }
    }

    /// What a person reads above the detail.
    pub fn title(&self) -> &'static str {
        self.status.canonical_reason().unwrap_or("Error")
    }

    /// Logs the cause of a failure of ours, with the id that the client was told.
    pub(super) fn log(&self, request_id: &str, method: &str, route: &str) {
        if let Some(cause) = &self.cause {
            tracing::error!(request_id, method, route, status = self.status.as_u16(), cause, "request failed");
        }
    }

    /// As a problem document, or as a page.
    pub(super) fn render(&self, as_page: bool) -> Response {
        if as_page {
            return (self.status, super::pages::error_page(self)).into_response();
        }
        let document = ProblemDocument {
            kind: "about:blank".to_owned(),
            title: self.title().to_owned(),
            status: self.status.as_u16(),
            detail: self.detail.clone(),
            errors: self.errors.clone(),
        };
        let kind = HeaderValue::from_static("application/problem+json");
        let body = serde_json::to_vec(&document).unwrap_or_default();
        (self.status, [(header::CONTENT_TYPE, kind)], body).into_response()
    }
}

/// An empty response that carries the error to the middleware, which knows how to show it.
impl IntoResponse for AppError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Refused> for AppError {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::TooLarge => too_large(),
            Refused::Syntax(told) => Self::new(StatusCode::BAD_REQUEST, format!("The body is not JSON: {told}.")),
            Refused::Problems(problems) => Self::unprocessable(&problems),
        }
    }
}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound => Self::not_found("There is nothing with this id; it may have been deleted."),
            StoreError::Conflict => Self::new(StatusCode::CONFLICT, "There is one with this id already."),
            StoreError::Other(cause) => Self::internal(format!("{cause:#}")),
        }
    }
}

/// A body above the limit.
pub fn too_large() -> AppError {
    let detail = format!(
        "The body is larger than what is read: {MOST_BYTES} bytes, 16 MiB of results to calibrate from, 64 MiB of a file to \
         import."
    );
    AppError::new(StatusCode::PAYLOAD_TOO_LARGE, detail)
}
