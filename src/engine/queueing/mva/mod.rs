//! Closed networks: users that think, ask and wait.
//!
//! `exact` is exact and refuses what is too large; `linearizer` answers any size within about a
//! percent; `schweitzer` is the older, coarser approximation, kept because its published answers
//! check the iteration they share. [`solve`] picks.

mod exact;
mod fixed_point;
mod linearizer;
mod merge;
mod scaled;
mod waits;

pub use exact::{exact, throughput_curve};
pub use linearizer::{linearizer, schweitzer};

use super::network::{ClosedNetwork, NetworkError, Solution};

/// Most steps for which [`solve`] prefers the exact solution: a few milliseconds.
pub const EXACT_BUDGET: f64 = 1e6;

/// How a solution was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Exact,
    Linearizer,
}

/// Solves a closed network: exactly where that takes up to [`EXACT_BUDGET`] steps, by Linearizer
/// otherwise.
///
/// Classes with equal demands and think time are merged first, which is exact and makes a host of
/// equal VMs a single-class problem.
///
/// # Errors
/// [`NetworkError::NotConverged`] if the approximation does not settle.
pub fn solve(network: &ClosedNetwork) -> Result<(Solution, Method), NetworkError> {
    let merged = merge::Merged::of(network);
    let (solution, method) = if exact::steps(&merged.network) <= EXACT_BUDGET {
        (exact(&merged.network)?, Method::Exact)
    } else {
        (linearizer(&merged.network)?, Method::Linearizer)
    };
    Ok((merged.split(network, &solution), method))
}
