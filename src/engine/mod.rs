//! The laws: pure functions from a [`Scenario`](crate::domain::Scenario) to an answer. Nothing here fails or panics on a
//! checked scenario.

mod advice;
pub mod arithmetic;
pub mod backtest;
mod backup;
pub mod biztalk;
pub mod calibration;
mod carve;
pub mod checks;
pub mod curves;
pub mod demand;
mod explain;
pub mod factors;
pub mod fit;
pub mod groups;
pub mod indices;
pub mod latency;
pub mod luns;
pub mod outcome;
mod pert;
pub mod plan;
pub mod pools;
pub mod queueing;
pub mod remedy;
pub mod response;
mod rows;
mod sensitivity;
mod size;
pub mod stop;
pub mod uncertainty;

pub use outcome::Outcome;
pub use size::{Sizing, is_small, likely_units, size, sobol_indices};
