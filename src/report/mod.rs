//! An answer in words, as JSON, on a terminal, as charts, and as documents. One view of the engine's outcome serves all.

pub mod answer;
mod arithmetic;
pub mod backtest;
pub mod bench_text;
pub mod biztalk;
mod build;
pub mod charts;
pub mod pdf;
mod remedies;
pub mod tables;
pub mod text;
pub mod words;
pub mod xlsx;

pub use answer::Answer;
pub use build::{MODEL_VERSION, Options, answer_for, answer_from, coefficient_unit};
