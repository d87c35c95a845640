//! Closed networks: users that think, ask and wait.
//!
//! `exact` is exact and refuses what is too large; `linearizer` answers within about a percent;
//! `schweitzer` is coarser, but its error falls with the population and its cost does not rise.
//! [`solve`] picks.

mod exact;
mod fixed_point;
mod linearizer;
mod merge;
mod newton;
mod problem;
mod scaled;
mod waits;

pub use exact::{MAX_STATES, MAX_STEPS, exact, throughput_curve};
pub use linearizer::{MAX_CELLS, linearizer, schweitzer};

use super::network::{ClosedNetwork, NetworkError, Solution};

/// Most steps for which [`solve`] prefers the exact solution: a few milliseconds.
pub const EXACT_BUDGET: f64 = 1e6;
/// Most cells, classes² × stations, for which [`solve`] prefers Linearizer: a few milliseconds.
pub const LINEARIZER_BUDGET: f64 = 1e4;
/// The same for at most [`FEW_CUSTOMERS`], where the coarser method is too coarse: a tenth of a second.
pub const LINEARIZER_BUDGET_FEW: f64 = 1e6;
/// With more customers the response times of Bard–Schweitzer differ from Linearizer's by about a
/// percent.
pub const FEW_CUSTOMERS: u64 = 10_000;

/// How a solution was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Exact,
    Linearizer,
    BardSchweitzer,
}

/// Solves a closed network: exactly where that is quick, by Linearizer where that is, and by
/// Bard–Schweitzer for many classes of many customers.
///
/// Classes with equal demands and think time are merged first, which is exact and makes a host of
/// equal VMs a single-class problem.
///
/// # Errors
/// [`NetworkError::NotConverged`] if an approximation does not settle.
pub fn solve(network: &ClosedNetwork) -> Result<(Solution, Method), NetworkError> {
    let merged = merge::Merged::of(network);
    let small = &merged.network;
    let few = small.customers() <= FEW_CUSTOMERS;
    let budget = if few { LINEARIZER_BUDGET_FEW } else { LINEARIZER_BUDGET };
    let (solution, method) = if exact::steps(small) <= EXACT_BUDGET {
        (exact(small)?, Method::Exact)
    } else if linearizer_cells(small) <= budget {
        (linearizer(small)?, Method::Linearizer)
    } else {
        (schweitzer(small)?, Method::BardSchweitzer)
    };
    Ok((merged.split(network, &solution), method))
}

/// What Linearizer holds: for each class removed, the share of each class at each station.
fn linearizer_cells(network: &ClosedNetwork) -> f64 {
    let classes = network.classes().len() as f64;
    classes * classes * network.stations().len() as f64
}
