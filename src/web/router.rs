//! Every route of the server.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use tower::ServiceBuilder;
use tower_http::CompressionLevel;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::error::AppError;
use super::state::AppState;
use super::{api, health, metrics, middleware, pages};
use crate::domain::MOST_BYTES;

/// The list of routes, and what happens around each.
pub fn router(state: AppState) -> Router {
    let routes = Router::new()
        .merge(api::routes())
        .merge(pages::routes())
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(metrics::metrics))
        .fallback(async || AppError::not_found("There is nothing at this address."))
        .method_not_allowed_fallback(async || {
            AppError::new(
                StatusCode::METHOD_NOT_ALLOWED,
                "This address does not take that method; the header allow names those it takes.",
            )
        });
    let around = ServiceBuilder::new()
        // Only for clients that ask for it.
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn_with_state(state.clone(), middleware::around))
        .layer(CatchPanicLayer::custom(middleware::panicked))
        .layer(DefaultBodyLimit::max(MOST_BYTES));
    routes.layer(around).with_state(state)
}
