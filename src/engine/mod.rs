//! The laws: pure functions from a [`Scenario`](crate::domain::Scenario) to an answer. Nothing here fails or panics on a
//! checked scenario.

pub mod arithmetic;
mod carve;
pub mod demand;
pub mod factors;
pub mod fit;
pub mod latency;
pub mod luns;
pub mod plan;
pub mod pools;
pub mod queueing;
pub mod response;
