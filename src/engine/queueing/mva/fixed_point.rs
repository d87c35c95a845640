//! The fixed point that Schweitzer's approximation and Linearizer share.
//!
//! Unknown is how much work an arrival finds ahead at each station, `A_k`: the mean number at one
//! server, and the mean number waiting plus the probability that all are busy at several. Residence
//! times follow from it, throughputs from those, and the work ahead from both. Substitution alone
//! needs thousands of rounds near saturation; Newton's method on the few stations needs ten.

use super::waits::Waits;
use crate::engine::queueing::network::{ClosedNetwork, NetworkError, Solution, StationKind};

/// Plain substitutions before Newton's method: they bring the rates into the feasible region.
const OPENING: usize = 12;
/// Most steps of one fixed point.
const MAX_STEPS: usize = 4_000;
/// Movement of a share, and relative movement of the work ahead, at which a fixed point stands.
const TOLERANCE: f64 = 1e-11;
/// Movement above which an unsettled fixed point is an error.
const ACCEPTED: f64 = 1e-6;

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
    servers: Vec<f64>,
    /// Stations each class queues at: a VM of many sees few of them.
    visits: Vec<Vec<usize>>,
}

/// One population's fixed point.
#[derive(Clone)]
pub(super) struct State {
    /// Share of each class's customers at each station.
    pub(super) share: Vec<f64>,
    pub(super) throughput: Vec<f64>,
    residence: Vec<f64>,
    /// Work ahead of an outside observer, by station.
    ahead: Vec<f64>,
    /// What a customer of the class does not find of it, being on its way itself.
    own: Vec<f64>,
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

    /// Solves for the population, less one customer of the class `removed`.
    pub(super) fn settle(
        &self,
        state: &mut State,
        removed: Option<usize>,
        change: &Change,
    ) -> Result<(), NetworkError> {
        let mut population = self.population.clone();
        if let Some(class) = removed {
            population[class] = (population[class] - 1.0).max(0.0);
        }
        let opening = if removed.is_none() { OPENING } else { 0 };
        let (mut last, mut movement) = (f64::MAX, f64::MAX);
        for step in 0..MAX_STEPS {
            let moved = self.flows(state, &population);
            let number = self.numbers(state, &population);
            let busy: Vec<f64> = (0..self.stations).map(|k| self.busy(state, k)).collect();
            let found: Vec<f64> = (0..self.stations).map(|k| self.found(k, number[k], busy[k])).collect();
            let gap = found
                .iter()
                .zip(&state.ahead)
                .map(|(found, ahead)| (found - ahead).abs() / (1.0 + ahead))
                .fold(0.0, f64::max);
            movement = moved.max(gap);
            if movement <= TOLERANCE {
                return Ok(());
            }
            self.own_share(state, &population, removed, change, &number, &busy);
            let newton = step >= opening && gap < last;
            last = if newton { gap } else { f64::MAX };
            let target = newton.then(|| self.newton(state, &busy, &found)).flatten();
            for (k, ahead) in state.ahead.iter_mut().enumerate() {
                *ahead = match &target {
                    // Never more than a tenfold fall: a station does not empty in one step.
                    Some(target) => target[k].max(0.1 * *ahead),
                    None => found[k],
                };
            }
        }
        if movement <= ACCEPTED { Ok(()) } else { Err(NetworkError::NotConverged { change: movement }) }
    }

    /// Residence, throughput and shares from the work ahead; the largest movement of a share.
    fn flows(&self, state: &mut State, population: &[f64]) -> f64 {
        let mut moved = 0.0f64;
        for (c, &customers) in population.iter().enumerate() {
            let row = c * self.stations..(c + 1) * self.stations;
            for &k in &self.visits[c] {
                let cell = row.start + k;
                let ahead = (state.ahead[k] - state.own[cell]).max(0.0);
                state.residence[cell] = self.demand_s[cell] * (1.0 + ahead / self.servers[k]);
            }
            let cycle = self.think_s[c] + state.residence[row.clone()].iter().sum::<f64>();
            let present = customers > 0.0;
            state.throughput[c] = if present { customers / cycle } else { 0.0 };
            for cell in row {
                let share = if present { state.residence[cell] / cycle } else { 0.0 };
                moved = moved.max((share - state.share[cell]).abs());
                state.share[cell] = share;
            }
        }
        moved
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

    fn found(&self, k: usize, number: f64, busy: f64) -> f64 {
        match &self.service[k] {
            Service::Delay => 0.0,
            Service::One => number,
            Service::Many(_, waits) => (number - busy + waits.probability(busy).0).max(0.0),
        }
    }

    /// The arrival theorem: what a customer finds is the network without itself.
    fn own_share(
        &self,
        state: &mut State,
        population: &[f64],
        removed: Option<usize>,
        change: &Change,
        number: &[f64],
        busy: &[f64],
    ) {
        let columns = self.stations;
        for (c, &customers) in population.iter().enumerate().filter(|(_, n)| **n > 0.0) {
            let without = &change.share[c * self.classes * columns..];
            for &k in &self.visits[c] {
                let cell = c * columns + k;
                let mut seen = number[k] - state.share[cell] + change.number[cell] - without[cell];
                if let Some(gone) = removed {
                    seen -= without[gone * columns + k];
                }
                let seen = seen.max(0.0);
                let ahead = match &self.service[k] {
                    Service::Many(_, waits) => {
                        let less = match &change.busy {
                            Some(busy) => busy[cell],
                            None => self.demand_s[cell] * state.throughput[c] / customers,
                        };
                        let working = (busy[k] - less).clamp(0.0, self.servers[k].min(seen));
                        seen - working + waits.probability(working).0
                    }
                    Service::One | Service::Delay => seen,
                };
                state.own[cell] = self.found(k, number[k], busy[k]) - ahead;
            }
        }
    }

    /// Newton's step for `A − found(A) = 0`; `None` if it leads nowhere.
    fn newton(&self, state: &State, busy: &[f64], found: &[f64]) -> Option<Vec<f64>> {
        let size = self.stations;
        // A busier station finds less waiting work but more often all servers busy.
        let relief: Vec<f64> = (0..size)
            .map(|k| match &self.service[k] {
                Service::Many(_, waits) => 1.0 - waits.probability(busy[k]).1,
                Service::One | Service::Delay => 0.0,
            })
            .collect();
        let mut matrix = vec![0.0; size * size];
        for k in 0..size {
            matrix[k * size + k] = 1.0;
        }
        for (c, visits) in self.visits.iter().enumerate() {
            let rate = state.throughput[c];
            if rate == 0.0 {
                continue;
            }
            let row = c * size;
            let customers = self.population[c].max(1.0);
            let per_cycle = rate / customers * rate;
            for &k in visits {
                let slope = self.demand_s[row + k] / self.servers[k];
                matrix[k * size + k] -= rate * slope;
                let pull = state.residence[row + k] - relief[k] * self.demand_s[row + k];
                for &l in visits {
                    matrix[k * size + l] += per_cycle * pull * self.demand_s[row + l] / self.servers[l];
                }
            }
        }
        let gap = found.iter().zip(&state.ahead).map(|(found, ahead)| found - ahead).collect();
        let step = solve(matrix, gap)?;
        Some(step.iter().zip(&state.ahead).map(|(step, ahead)| ahead + step).collect())
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

/// Gaussian elimination with partial pivoting, row-major; `None` if singular.
fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for column in 0..size {
        let magnitude = |row: &usize| matrix[row * size + column].abs();
        let pivot = (column..size).max_by(|a, b| magnitude(a).total_cmp(&magnitude(b)))?;
        if matrix[pivot * size + column].abs() < 1e-300 {
            return None;
        }
        if pivot != column {
            for j in column..size {
                matrix.swap(pivot * size + j, column * size + j);
            }
            right.swap(pivot, column);
        }
        for row in column + 1..size {
            let factor = matrix[row * size + column] / matrix[column * size + column];
            if factor != 0.0 {
                for j in column..size {
                    matrix[row * size + j] -= factor * matrix[column * size + j];
                }
                right[row] -= factor * right[column];
            }
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|j| matrix[row * size + j] * right[j]).sum();
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    right.iter().all(|value| value.is_finite()).then_some(right)
}
