//! Every test that needs more than one room of the house.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod contract;
mod models;
mod properties;
mod tidy;
