//! The pages: a file for each, its page struct beside its handler, its template in `templates/`.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};

use super::api::calibrations::MOST_BYTES as MOST_RESULTS;
use super::api::imports::MOST_BYTES as MOST_UPLOADED;
use super::state::AppState;

mod accuracy;
pub mod assets;
mod benchmarks;
mod calibrations;
mod compare;
mod compute;
mod documents;
mod error;
mod imports;
mod models;
mod panel;
mod runs;
mod sizing;
mod sizings;
mod view;

pub use error::error_page;

/// Every page.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/", get(sizing::show).post(sizing::press))
        .route("/answer", post(sizing::answer))
        .route("/form", post(sizing::edit))
        .route("/report.pdf", get(documents::get_pdf))
        .route("/report.xlsx", get(documents::get_xlsx))
        .route("/scenario.json", get(documents::get_json))
        .route("/sizings", get(sizings::list))
        .route("/sizings/{id}", get(sizings::show))
        .route("/sizings/{id}/rename", post(sizings::rename))
        .route("/sizings/{id}/delete", post(sizings::delete))
        .route("/sizings/{id}/restore", post(sizings::restore))
        .route("/compare", get(compare::show))
        .route("/models", get(models::list).post(models::keep))
        .route("/benchmarks", get(benchmarks::list))
        .route("/benchmarks/compare", get(benchmarks::compare))
        .route("/benchmarks/{id}", get(benchmarks::show))
        .route("/benchmarks/runs", post(runs::start))
        .route("/benchmarks/{id}/events", get(runs::events))
        .route("/benchmarks/{id}/cancel", post(runs::cancel))
        .route("/benchmarks/{id}/delete", post(benchmarks::delete))
        .route(
            "/calibrations",
            get(calibrations::show).post(calibrations::upload).layer(DefaultBodyLimit::max(MOST_RESULTS)),
        )
        .route("/imports", get(imports::show).post(imports::upload).layer(DefaultBodyLimit::max(MOST_UPLOADED)))
        .route("/accuracy", get(accuracy::show))
        .route("/static/{*name}", get(assets::file))
}
