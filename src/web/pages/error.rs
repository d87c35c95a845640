//! What a person sees when something went wrong.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Html;

use crate::web::error::AppError;

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    here: &'static str,
    title: String,
    detail: String,
    errors: Vec<String>,
}

/// A page with a way back. Of a failure of ours it shows no cause.
pub fn error_page(error: &AppError) -> Html<String> {
    let title = match error.status {
        StatusCode::NOT_FOUND => "Nothing is here",
        StatusCode::METHOD_NOT_ALLOWED => "This address does not take that",
        StatusCode::PAYLOAD_TOO_LARGE => "This is too much to read",
        StatusCode::UNPROCESSABLE_ENTITY => "This cannot be used",
        status if status.is_server_error() => "Something failed here",
        _ => error.title(),
    };
    let errors: Vec<String> = error.errors.iter().map(|one| one.detail.clone()).collect();
    // One error is the detail already.
    let errors = if errors.len() > 1 { errors } else { Vec::new() };
    let page = ErrorPage { here: "", title: title.to_owned(), detail: error.detail.clone(), errors };
    Html(page.render().unwrap_or_else(|_| title.to_owned()))
}
