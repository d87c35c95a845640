mod accuracy;
mod hostile;
mod oracle;
mod properties;
mod simulated;

use super::*;

pub(super) fn station(kind: StationKind, demand_s: &[f64]) -> Station {
    Station { kind, demand_s: demand_s.to_vec() }
}

pub(super) fn class(population: u32, think_time_s: f64) -> Class {
    Class { population, think_time_s }
}

/// A network of the test's own making, known to be valid.
pub(super) fn network(stations: Vec<Station>, classes: Vec<Class>) -> ClosedNetwork {
    ClosedNetwork::new(stations, classes).expect("test network is valid")
}
