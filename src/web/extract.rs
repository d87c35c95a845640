//! What a request holds, read by house rules: every refusal is an [`AppError`]. `clippy.toml` bans axum's own.
#![allow(clippy::disallowed_types, reason = "the house extractors are made of axum's")]

use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::{AppError, too_large};
use crate::domain::Refused;

/// The bytes of a body that says it is JSON, at most [`MOST_BYTES`](crate::domain::MOST_BYTES). The domain parses them.
pub struct JsonBytes(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for JsonBytes {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        if !is_json(request.headers()) {
            let detail = "The body must be JSON: send the header content-type: application/json.";
            return Err(AppError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        body(request, state).await.map(Self)
    }
}

/// The bytes of a body of any kind, at most what the route takes.
pub struct RawBytes(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for RawBytes {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        body(request, state).await.map(Self)
    }
}

/// A form as it was sent, fields in their order; a name may occur more than once.
pub struct Form(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Form {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        if !media_type(request.headers()).eq_ignore_ascii_case("application/x-www-form-urlencoded") {
            let detail = "The body must be a form: application/x-www-form-urlencoded.";
            return Err(AppError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail));
        }
        body(request, state).await.map(Self)
    }
}

/// A form with files, as a page sends it.
#[derive(Default)]
pub struct Upload {
    pub files: Vec<UploadedFile>,
    /// Fields that were filled in, in their order.
    pub fields: Vec<(String, String)>,
}

/// A file of an [`Upload`].
pub struct UploadedFile {
    /// Name of the field that it was chosen in.
    pub field: String,
    /// Its own name.
    pub name: String,
    pub bytes: Bytes,
}

/// Parts of a form at most.
const MOST_PARTS: usize = 500;

impl Upload {
    /// The first value of a field; none when it is empty.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

impl<S: Send + Sync> FromRequest<S> for Upload {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self, AppError> {
        let form = axum::extract::Multipart::from_request(request, state).await;
        let mut form = form.map_err(|_| {
            let detail = "The body must be a form with files: multipart/form-data.";
            AppError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, detail)
        })?;
        let broken = |error: axum::extract::multipart::MultipartError| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => AppError::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "That is more than this page takes; the command reads files of any size: vmfit import auto FILE.",
            ),
            _ => AppError::new(StatusCode::BAD_REQUEST, "The form is broken, or broke off before its end."),
        };
        let mut upload = Self::default();
        let mut parts = 0;
        while let Some(part) = form.next_field().await.map_err(broken)? {
            parts += 1;
            if parts > MOST_PARTS {
                let detail = format!("A form of more than {MOST_PARTS} parts is not taken.");
                return Err(AppError::unreadable(detail));
            }
            let field = part.name().unwrap_or_default().to_owned();
            let file_name = part.file_name().map(str::to_owned);
            let bytes = part.bytes().await.map_err(broken)?;
            match file_name {
                // What a browser sends for a field without a file.
                Some(name) if name.is_empty() && bytes.is_empty() => {}
                Some(name) => upload.files.push(UploadedFile { field, name, bytes }),
                None => {
                    let text = String::from_utf8_lossy(&bytes).trim().to_owned();
                    if !text.is_empty() {
                        upload.fields.push((field, text));
                    }
                }
            }
        }
        Ok(upload)
    }
}

/// The limit itself is a layer of the router.
async fn body<S: Send + Sync>(request: Request, state: &S) -> Result<Bytes, AppError> {
    Bytes::from_request(request, state).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => too_large(),
        status => AppError::new(status, "The body broke off before its end."),
    })
}

fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    value.split(';').next().unwrap_or("").trim()
}

fn is_json(headers: &HeaderMap) -> bool {
    let media_type = media_type(headers).to_ascii_lowercase();
    media_type == "application/json" || (media_type.starts_with("application/") && media_type.ends_with("+json"))
}

/// The parameters behind `?` in the address.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        match axum::extract::Query::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Query(query)) => Ok(Self(query)),
            Err(rejection) => Err(told_of_query(&rejection)),
        }
    }
}

/// Parameters as they would stand behind `?` in an address.
///
/// # Errors
/// 422 with the name of the parameter.
pub fn parameters<T: DeserializeOwned>(query: &str) -> Result<T, AppError> {
    let address = format!("/?{query}").parse::<axum::http::Uri>();
    let address = address.map_err(|_| AppError::parameter("", "These values are too long."))?;
    match axum::extract::Query::<T>::try_from_uri(&address) {
        Ok(axum::extract::Query(query)) => Ok(query),
        Err(rejection) => Err(told_of_query(&rejection)),
    }
}

fn told_of_query(rejection: &axum::extract::rejection::QueryRejection) -> AppError {
    // "Failed to deserialize query string: limit: invalid digit found in string": its source knows the field.
    let told = std::error::Error::source(rejection).map_or_else(|| rejection.body_text(), |e| e.to_string());
    query_refusal(&told)
}

/// What `serde` says of a query, as we say it.
fn query_refusal(told: &str) -> AppError {
    if let Some(rest) = told.strip_prefix("unknown field `") {
        let (name, known) = rest.split_once("`, ").unwrap_or((rest.trim_end_matches('`'), ""));
        let known = known.trim_start_matches("expected one of ").trim_start_matches("expected ").replace('`', "");
        return AppError::parameter(name, format!("There is no such parameter here; known are {known}."));
    }
    let (name, detail) = told.split_once(": ").unwrap_or(("", told));
    let detail = match detail {
        "invalid digit found in string" | "cannot parse integer from empty string" => {
            "This is not a whole number of 0 or more.".to_owned()
        }
        "invalid float literal" | "cannot parse float from empty string" => "This is not a number.".to_owned(),
        "number too large to fit in target type" => "This number is too large.".to_owned(),
        "provided string was not `true` or `false`" => "This is neither true nor false.".to_owned(),
        other => format!("{other}."),
    };
    AppError::parameter(name, detail)
}

/// The variable parts of the path. What does not parse names nothing that exists.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, AppError> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(path)) => Ok(Self(path)),
            Err(_) => Err(AppError::not_found("There is nothing at this address.")),
        }
    }
}

/// Bytes of a usual answer.
const USUAL_BYTES: usize = 12 << 10;

/// A JSON response.
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        // Room for an answer; growing to it would copy it three times.
        let mut body = Vec::with_capacity(USUAL_BYTES);
        match sonic_rs::to_writer(&mut body, &self.0) {
            Ok(()) => ([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], body).into_response(),
            Err(error) => AppError::internal(format!("response is no JSON: {error}")).into_response(),
        }
    }
}

/// A small body of ours, not one of the domain's: the first error is told, at its field.
///
/// # Errors
/// 400 when it is not JSON, 422 when it is not what was asked for.
pub fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, AppError> {
    let value: serde_json::Value =
        serde_json::from_slice(body).map_err(|error| AppError::from(Refused::Syntax(error.to_string())))?;
    serde_path_to_error::deserialize(value).map_err(|error| {
        let path: String = error.path().iter().map(|segment| format!("/{segment}")).collect();
        AppError::pointer(path, format!("{}.", error.inner()))
    })
}
