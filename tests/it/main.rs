//! Every test that needs more than one room of the house; modules mirror routes and commands.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod api;
mod app;
mod backtest;
mod biztalk;
mod browser;
mod charts;
mod cli;
mod contract;
mod databases;
mod documents;
mod models;
mod pages;
mod pdf;
mod properties;
mod store;
mod tidy;
mod xlsx;
