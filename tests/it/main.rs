//! Integration tests; modules mirror routes and commands. `tidy` keeps the shape of the house.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on says so by failing")]

mod api;
mod app;
mod cli;
mod store;
mod tidy;
