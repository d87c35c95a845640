//! Every test that needs more than one room of the house.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod charts;
mod contract;
mod documents;
mod models;
mod pdf;
mod properties;
mod tidy;
mod xlsx;
