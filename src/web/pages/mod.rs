//! The pages.

use axum::Router;
use axum::response::Html;

use super::error::AppError;
use super::state::AppState;

/// Every page.
pub fn routes() -> Router<AppState> {
    Router::new()
}

/// What a person sees when something went wrong.
pub fn error_page(error: &AppError) -> Html<String> {
    Html(format!("<!doctype html><title>{}</title>", error.title()))
}
