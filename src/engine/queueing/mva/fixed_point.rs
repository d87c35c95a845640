//! The fixed point that Schweitzer's approximation and Linearizer share.
//!
//! Unknown is how much work an arrival finds ahead at each station, `A_k`: the mean number at one
//! server, and the mean number waiting plus the probability that all are busy at several. Residence
//! times follow from it, throughputs from those, and the work ahead from both. Substitution alone
//! needs thousands of rounds near saturation; Newton's method on the few stations, in logarithms of
//! the work ahead, needs ten.

use super::newton::{Factors, Search, in_reach};
use super::problem::{Change, Problem, Service, State};
use crate::engine::queueing::network::NetworkError;

/// Plain substitutions before Newton's method: they bring the rates into the feasible region.
const OPENING: usize = 12;
/// Most steps of one fixed point.
const MAX_STEPS: usize = 6_000;
/// Steps that do without Newton's method, for the one network in ten thousand that it swings about.
/// From their beginning on, what an arrival finds is averaged over steps.
const RESTRAINT: std::ops::Range<usize> = 200..5_000;
/// Movement of a share, and relative movement of the work ahead, at which a fixed point stands.
const TOLERANCE: f64 = 1e-11;
/// Movement above which an unsettled fixed point is an error.
const ACCEPTED: f64 = 1e-5;

impl Problem {
    /// Solves for the population, less one customer of the class `removed`.
    ///
    /// `frozen` is a Jacobian from nearby: with one customer less it hardly differs, and reusing it
    /// is most of the speed. It is given up as soon as it converges poorly.
    pub(super) fn settle(
        &self,
        state: &mut State,
        removed: Option<usize>,
        change: &Change,
        frozen: Option<&Factors>,
    ) -> Result<(), NetworkError> {
        let mut population = self.population.clone();
        if let Some(class) = removed {
            population[class] = (population[class] - 1.0).max(0.0);
        }
        // A smaller network is wanted for its difference from the full one, about 1/N of it.
        let tolerance = match removed {
            Some(_) => (3e-3 / population.iter().sum::<f64>().max(1.0)).clamp(TOLERANCE, 1e-6),
            None => TOLERANCE,
        };
        let warm = frozen.is_some() || change.busy.is_some();
        let mut search = Search::new(&state.ahead, if warm { 0 } else { OPENING });
        let mut reuse = frozen;
        let mut movement = f64::MAX;
        // The state may come from another population: begin with what an arrival finds of this one.
        let flow = self.flow(state, &population);
        self.own_share(state, &population, removed, change, &flow, 1.0);
        for step in 0..MAX_STEPS {
            let moved = self.flows(state, &population);
            let flow = self.flow(state, &population);
            let gap = relative_gap(&flow.found, &state.ahead);
            movement = moved.max(gap);
            if movement <= tolerance {
                return Ok(());
            }
            if search.reject(gap, &mut state.ahead) {
                reuse = None;
                continue;
            }
            let weight = if step < RESTRAINT.start { 1.0 } else { 0.5 };
            self.own_share(state, &population, removed, change, &flow, weight);
            if gap > 0.3 * search.accepted {
                reuse = None;
            }
            let residual = flow.found.iter().zip(&state.ahead).map(|(f, a)| log_ratio(*f, *a)).collect();
            let newton = search.wants_newton() && !RESTRAINT.contains(&step);
            let direction = match reuse {
                _ if !newton => None,
                Some(factors) => Some(factors.solve(residual)),
                None => self.jacobian(state, &flow).map(|factors| factors.solve(residual)),
            };
            search.accept(gap, &mut state.ahead, &flow.found, direction);
        }
        if movement <= ACCEPTED { Ok(()) } else { Err(NetworkError::NotConverged { change: movement }) }
    }

    /// The Jacobian at a solution, for the networks beside it.
    pub(super) fn factors(&self, state: &State) -> Option<Factors> {
        self.jacobian(state, &self.flow(state, &self.population))
    }

    fn flow(&self, state: &State, population: &[f64]) -> Flow {
        let number = self.numbers(state, population);
        let busy: Vec<f64> = (0..self.stations).map(|k| self.busy(state, k)).collect();
        let found = (0..self.stations).map(|k| self.found(k, number[k], busy[k])).collect();
        Flow { number, busy, found }
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
        flow: &Flow,
        weight: f64,
    ) {
        let Flow { number, busy, found } = flow;
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
                state.own[cell] += weight * (found[k] - ahead - state.own[cell]);
            }
        }
    }

    /// Derivative of `ln A − ln found(A)` by `ln A`, factored; `None` if singular.
    ///
    /// In logarithms every station's own derivative keeps its sign. In `A` itself it turns where a
    /// station is asked for more than it has, and Newton's method then runs away from the answer.
    fn jacobian(&self, state: &State, flow: &Flow) -> Option<Factors> {
        let size = self.stations;
        // A busier station finds less waiting work but more often all servers busy.
        let relief: Vec<f64> = (0..size)
            .map(|k| match &self.service[k] {
                Service::Many(_, waits) => 1.0 - waits.probability(flow.busy[k]).1,
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
        for (k, row) in matrix.chunks_mut(size.max(1)).enumerate() {
            let (found, own) = (flow.found[k], state.ahead[k]);
            for (l, value) in row.iter_mut().enumerate() {
                let unit = f64::from(u8::from(k == l));
                let slope = if in_reach(own, found) { (unit - *value) / found } else { 0.0 };
                *value = unit - slope * state.ahead[l];
            }
        }
        Factors::of(matrix, size)
    }
}

/// What the flows of a state add up to, by station.
struct Flow {
    number: Vec<f64>,
    busy: Vec<f64>,
    /// Work an outside observer finds ahead.
    found: Vec<f64>,
}

/// `ln(found/ahead)`; zero for a station with nothing ahead.
fn log_ratio(found: f64, ahead: f64) -> f64 {
    if in_reach(ahead, found) { libm::log(found / ahead) } else { 0.0 }
}

fn relative_gap(found: &[f64], ahead: &[f64]) -> f64 {
    let gaps = found.iter().zip(ahead).map(|(found, ahead)| (found - ahead).abs() / (1.0 + ahead));
    gaps.fold(0.0, f64::max)
}
