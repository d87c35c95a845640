//! Load on this machine: one file a mode. A mode hands what it measured to a [`session`], which adds where it ran, what
//! disturbed it and what repeats say, and makes the [`result`].

pub mod clock;
pub mod common;
pub mod contention;
pub mod control;
pub mod cpu;
pub mod database;
pub mod dbops;
pub mod empty;
pub mod environment;
pub mod error;
pub mod fileio;
pub mod jbb;
pub mod memory;
pub mod modes;
pub mod mutex;
pub mod network;
pub mod oltp;
pub mod os;
pub mod record;
pub mod reporting;
pub mod result;
pub mod runner;
mod schema;
pub mod session;
pub mod statistics;
pub mod suite;
pub mod threads;

pub use control::{Control, Phase, Progress};
pub use error::BenchError;
pub use result::BenchResult;
pub use schema::result_schema;
