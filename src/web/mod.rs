//! Page and API over HTTP: one list of routes, handlers grouped by resource, the house extractors and the house error.

pub mod api;
mod compute;
pub mod error;
pub mod extract;
pub mod form;
mod health;
mod metrics;
mod middleware;
pub mod pages;
mod router;
pub mod runs;
mod serve;
pub mod state;

pub use api::openapi;
pub use router::router;
pub use serve::{Served, Server};
pub use state::AppState;
