//! Styles, script, font: files of `static/`, from the program itself, with a hash of their content in their address.

use std::fmt::Write as _;

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Deserialize;

use crate::web::error::AppError;
use crate::web::extract::{Path, Query};

#[derive(RustEmbed)]
#[folder = "static"]
struct Files;

/// An address that changes with the file, so that it can be kept for ever.
pub fn address(name: &str) -> String {
    match Files::get(name) {
        Some(file) => format!("/static/{name}?v={}", version(&file)),
        None => format!("/static/{name}"),
    }
}

/// The first bytes of the hash of the content.
fn version(file: &EmbeddedFile) -> String {
    file.metadata.sha256_hash().iter().take(6).fold(String::new(), |mut text, byte| {
        // Writing into a text cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[derive(Deserialize)]
pub struct Version {
    v: Option<String>,
}

/// `GET /static/{*name}`.
///
/// # Errors
/// Not found, where no file of that name is shipped.
pub async fn file(
    Path(name): Path<String>,
    Query(asked): Query<Version>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let Some(file) = Files::get(&name) else {
        return Err(AppError::not_found("There is no such file."));
    };
    let version = version(&file);
    let caching = if asked.v.as_deref() == Some(&version) {
        "public, max-age=31536000, immutable"
    } else {
        "public, max-age=300, must-revalidate"
    };
    let tag = format!("\"{version}\"");
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let kind = file.metadata.mimetype();
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() };
    let mut response =
        if known { StatusCode::NOT_MODIFIED.into_response() } else { file.data.into_owned().into_response() };
    let head = response.headers_mut();
    for (name, value) in
        [(header::CONTENT_TYPE, kind.as_str()), (header::CACHE_CONTROL, caching), (header::ETAG, tag.as_str())]
    {
        if let Ok(value) = HeaderValue::from_str(value) {
            head.insert(name, value);
        }
    }
    Ok(response)
}
