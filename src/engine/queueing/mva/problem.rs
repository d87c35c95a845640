//! A closed network in flat arrays, and the state of its approximate solution.

use super::waits::Waits;
use crate::engine::queueing::network::{ClosedNetwork, Solution, StationKind};

pub(super) enum Service {
    One,
    Many(u32, Waits),
    Delay,
}

/// The network in flat arrays, `[class][station]`.
pub(super) struct Problem {
    pub(super) classes: usize,
    pub(super) stations: usize,
    pub(super) population: Vec<f64>,
    pub(super) think_s: Vec<f64>,
    pub(super) demand_s: Vec<f64>,
    pub(super) service: Vec<Service>,
    pub(super) servers: Vec<f64>,
    /// Stations each class queues at: a VM of many sees few of them.
    pub(super) visits: Vec<Vec<usize>>,
}

/// One population's fixed point.
#[derive(Clone)]
pub(super) struct State {
    /// Share of each class's customers at each station.
    pub(super) share: Vec<f64>,
    pub(super) throughput: Vec<f64>,
    pub(super) residence: Vec<f64>,
    /// Work ahead of an outside observer, by station.
    pub(super) ahead: Vec<f64>,
    /// What a customer of the class does not find of it, being on its way itself.
    pub(super) own: Vec<f64>,
}

/// What one customer less changes.
pub(super) struct Change {
    /// `[removed][class][station]`: share without that customer minus share with it.
    pub(super) share: Vec<f64>,
    /// `[removed][station]`: `Σ_class N·share`.
    pub(super) number: Vec<f64>,
    /// `[removed][station]`: busy servers with the customer minus without; `None`: proportional.
    pub(super) busy: Option<Vec<f64>>,
}

impl Change {
    /// Schweitzer's assumption: no share changes.
    pub(super) fn none(problem: &Problem) -> Self {
        let cells = problem.classes * problem.stations;
        Self { share: vec![0.0; cells * problem.classes], number: vec![0.0; cells], busy: None }
    }
}

impl Problem {
    pub(super) fn of(network: &ClosedNetwork) -> Self {
        let customers = network.customers();
        let service = |kind: StationKind| match kind {
            StationKind::Delay => Service::Delay,
            StationKind::Queueing | StationKind::MultiServer(1) => Service::One,
            StationKind::MultiServer(m) if u64::from(m) >= customers => Service::Delay,
            StationKind::MultiServer(m) => Service::Many(m, Waits::endless(m)),
        };
        let (stations, classes) = (network.stations(), network.classes());
        let service: Vec<Service> = stations.iter().map(|s| service(s.kind)).collect();
        let queues = |c: usize, k: usize| stations[k].demand_s[c] > 0.0 && !matches!(service[k], Service::Delay);
        Self {
            classes: classes.len(),
            stations: stations.len(),
            population: classes.iter().map(|class| f64::from(class.population)).collect(),
            think_s: classes.iter().map(|class| class.think_time_s).collect(),
            demand_s: (0..classes.len()).flat_map(|c| stations.iter().map(move |s| s.demand_s[c])).collect(),
            servers: stations.iter().map(|s| f64::from(s.kind.servers().unwrap_or(1))).collect(),
            visits: (0..classes.len()).map(|c| (0..stations.len()).filter(|&k| queues(c, k)).collect()).collect(),
            service,
        }
    }

    /// Nobody waits yet.
    pub(super) fn start(&self) -> State {
        State {
            share: vec![0.0; self.demand_s.len()],
            throughput: vec![0.0; self.classes],
            residence: self.demand_s.clone(),
            ahead: vec![0.0; self.stations],
            own: vec![0.0; self.demand_s.len()],
        }
    }

    pub(super) fn numbers(&self, state: &State, population: &[f64]) -> Vec<f64> {
        let mut number = vec![0.0; self.stations];
        for (row, customers) in state.share.chunks(self.stations.max(1)).zip(population) {
            for (sum, share) in number.iter_mut().zip(row) {
                *sum += customers * share;
            }
        }
        number
    }

    pub(super) fn busy(&self, state: &State, k: usize) -> f64 {
        (0..self.classes).map(|c| self.demand_s[c * self.stations + k] * state.throughput[c]).sum()
    }

    pub(super) fn solution(&self, network: &ClosedNetwork, state: &State) -> Solution {
        let row = |c: usize| {
            let cells = c * self.stations..(c + 1) * self.stations;
            if self.population[c] > 0.0 { state.residence[cells].to_vec() } else { vec![0.0; self.stations] }
        };
        let residence = (0..self.classes).map(row).collect();
        Solution::from_residence(network.stations(), state.throughput.clone(), residence)
    }
}
