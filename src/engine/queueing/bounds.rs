//! Asymptotic bounds: what no schedule can pass, from demands alone (Lazowska et al. 1984, ch. 5).

use super::network::{ClosedNetwork, StationKind};

/// Limits of one class, as if the other classes were absent (upper) or always ahead in the queue (lower).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Transactions per second that cannot be passed: `min(1/max(D/m), N/(D + Z))`.
    pub throughput_max: f64,
    /// Transactions per second that are reached even if every visit finds all others there.
    pub throughput_min: f64,
    /// Response time that cannot be undercut, seconds: `max(D, N·max(D/m) − Z)`.
    pub response_min_s: f64,
    /// Users at which the two upper asymptotes cross, `(D + Z)/max(D/m)`; `None` without a queue.
    pub knee: Option<f64>,
}

/// Bounds of every class. A class without customers has zeros.
pub fn asymptotic(network: &ClosedNetwork) -> Vec<Bounds> {
    (0..network.classes().len()).map(|class| of_class(network, class)).collect()
}

fn of_class(network: &ClosedNetwork, class: usize) -> Bounds {
    let users = f64::from(network.classes()[class].population);
    let think = network.classes()[class].think_time_s;
    let demand = network.total_demand_s(class);
    if users == 0.0 {
        return Bounds { throughput_max: 0.0, throughput_min: 0.0, response_min_s: 0.0, knee: None };
    }
    let bottleneck = network
        .stations()
        .iter()
        .filter_map(|s| s.kind.servers().map(|m| s.demand_s[class] / f64::from(m)))
        .fold(0.0, f64::max);
    let light = users / (demand + think);
    // A bottleneck too small to invert into a finite rate bounds nothing.
    let heavy = 1.0 / bottleneck;
    let throughput_max = if heavy.is_finite() { light.min(heavy) } else { light };
    // An arrival never sees more than all other customers, wherever they are.
    let ahead = network.customers() as f64;
    let worst: f64 = network
        .stations()
        .iter()
        .map(|s| s.demand_s[class] * if s.kind == StationKind::Delay { 1.0 } else { ahead })
        .sum();
    let throughput_min = users / (worst + think);
    let knee = (demand + think) / bottleneck;
    Bounds {
        throughput_max,
        throughput_min,
        response_min_s: demand.max(users * bottleneck - think),
        knee: knee.is_finite().then_some(knee),
    }
}
