//! Exact solution by normalizing constants.
//!
//! The mean value recursion with multi-server stations computes the probability of an empty station
//! as one minus a sum, and that difference loses all its digits on a busy host with many cores. The
//! normalizing constant of the same network (Buzen 1973; Reiser & Kobayashi 1975 for classes) needs
//! only sums of positive terms. As a generating function, with `a = Σ_c D_c·z_c` at a station:
//!
//! - delay and think time: `exp(a)`
//! - one server: `1/(1 − a)`
//! - `m` servers: `[Σ_{j<m} (1 − j/m) a^j/j!] / (1 − a/m)`
//!
//! Throughput is `X_c = G(N − e_c)/G(N)`, and a station's mean number is `D_c ∂G/∂D_c` over `G`.

use super::scaled::Scaled;
use crate::engine::queueing::network::{ClosedNetwork, NetworkError, Solution, Station, StationKind};

/// Most population vectors the exact solution visits: 16 bytes each, a few times over.
pub const MAX_STATES: f64 = 2.5e6;
/// Most elementary steps it takes, about three seconds.
pub const MAX_STEPS: f64 = 1e9;

/// Exact means of a closed network with any mix of stations.
///
/// # Errors
/// [`NetworkError::TooLarge`] above [`MAX_STATES`] population vectors or [`MAX_STEPS`] steps.
pub fn exact(network: &ClosedNetwork) -> Result<Solution, NetworkError> {
    let states = states(network);
    if states > MAX_STATES {
        return Err(NetworkError::TooLarge { states, limit: MAX_STATES });
    }
    let work = steps(network);
    if work > MAX_STEPS {
        return Err(NetworkError::TooLarge { states: work, limit: MAX_STEPS });
    }
    let lattice = Lattice::of(network);
    let all = lattice.constants(network, None);
    let full = all.len() - 1;
    let classes = network.classes();
    let throughput: Vec<f64> = (0..classes.len())
        .map(|c| match lattice.before(full, c) {
            Some(index) => all[index].over(all[full]),
            None => 0.0,
        })
        .collect();
    let mut residence = vec![vec![0.0; network.stations().len()]; classes.len()];
    for (k, station) in network.stations().iter().enumerate() {
        let seen = lattice.derivative(network, k, &all);
        for (c, row) in residence.iter_mut().enumerate() {
            // R_c = Q_c/X_c, with G(N) cancelled.
            row[k] = match lattice.before(full, c) {
                None => 0.0,
                Some(_) if matches!(effective(network, station), StationKind::Delay) => station.demand_s[c],
                Some(index) => station.demand_s[c] * seen[index].over(all[index]),
            };
        }
    }
    Ok(Solution::from_residence(network.stations(), throughput, residence))
}

/// Exact throughput of a single-class network for every population from 1 to its own.
///
/// # Errors
/// As [`exact`]; [`NetworkError::Shape`] if there is not exactly one class.
pub fn throughput_curve(network: &ClosedNetwork) -> Result<Vec<f64>, NetworkError> {
    if network.classes().len() != 1 {
        return Err(NetworkError::Shape { station: 0, demands: 1, classes: network.classes().len() });
    }
    let work = steps(network);
    if work > MAX_STEPS || states(network) > MAX_STATES {
        return Err(NetworkError::TooLarge { states: work, limit: MAX_STEPS });
    }
    let constants = Lattice::of(network).constants(network, None);
    Ok(constants.windows(2).map(|pair| pair[0].over(pair[1])).collect())
}

fn states(network: &ClosedNetwork) -> f64 {
    network.classes().iter().map(|class| f64::from(class.population) + 1.0).product()
}

/// Elementary steps of [`exact`]: population vectors × classes × passes over the lattice.
pub(super) fn steps(network: &ClosedNetwork) -> f64 {
    let passes = |station: &Station| match effective(network, station) {
        StationKind::Delay => 0.0,
        StationKind::Queueing => 1.0,
        StationKind::MultiServer(servers) => f64::from(servers),
    };
    let once: f64 = network.stations().iter().map(passes).sum();
    let repeats = network.stations().iter().filter(|s| passes(s) > 1.0).count() as f64;
    let queues = network.stations().iter().filter(|s| passes(s) > 0.0).count() as f64;
    let total = once * (repeats + 2.0) + queues + 1.0;
    states(network) * network.classes().len() as f64 * total
}

/// A station with a server for every customer never queues.
fn effective(network: &ClosedNetwork, station: &Station) -> StationKind {
    match station.kind {
        StationKind::MultiServer(1) => StationKind::Queueing,
        StationKind::MultiServer(servers) if u64::from(servers) >= network.customers() => StationKind::Delay,
        kind => kind,
    }
}

/// All population vectors up to the full one, in mixed-radix order.
struct Lattice {
    population: Vec<usize>,
    stride: Vec<usize>,
    size: usize,
}

impl Lattice {
    fn of(network: &ClosedNetwork) -> Self {
        let population: Vec<usize> = network.classes().iter().map(|class| class.population as usize).collect();
        let mut size = 1;
        let stride = population
            .iter()
            .map(|count| {
                let own = size;
                size *= count + 1;
                own
            })
            .collect();
        Self { population, stride, size }
    }

    /// Index with one customer of `class` less, if there is one.
    fn before(&self, index: usize, class: usize) -> Option<usize> {
        let count = index / self.stride[class] % (self.population[class] + 1);
        (count > 0).then(|| index - self.stride[class])
    }

    /// Normalizing constants of the network, one station left out if asked.
    fn constants(&self, network: &ClosedNetwork, without: Option<usize>) -> Vec<Scaled> {
        let mut values = self.delays(network, without);
        for (k, station) in network.stations().iter().enumerate() {
            if Some(k) == without {
                continue;
            }
            match effective(network, station) {
                StationKind::Delay => {}
                StationKind::Queueing => self.divide(&mut values, &station.demand_s, 1.0),
                StationKind::MultiServer(servers) => {
                    values = self.polynomial(&values, station, servers, 0);
                    self.divide(&mut values, &station.demand_s, f64::from(servers));
                }
            }
        }
        values
    }

    /// `∂F/∂a` of one station times the constants of the others.
    fn derivative(&self, network: &ClosedNetwork, k: usize, all: &[Scaled]) -> Vec<Scaled> {
        let station = &network.stations()[k];
        match effective(network, station) {
            StationKind::Delay => Vec::new(),
            StationKind::Queueing => {
                let mut values = all.to_vec();
                self.divide(&mut values, &station.demand_s, 1.0);
                values
            }
            StationKind::MultiServer(servers) => {
                let others = self.constants(network, Some(k));
                let mut values = self.polynomial(&others, station, servers, 1);
                let share = 1.0 / f64::from(servers);
                for (value, &whole) in values.iter_mut().zip(all) {
                    *value = *value + whole * share;
                }
                self.divide(&mut values, &station.demand_s, f64::from(servers));
                values
            }
        }
    }

    /// `Π_c Z_c^n/n!` with think time and all delay stations in `Z`.
    fn delays(&self, network: &ClosedNetwork, without: Option<usize>) -> Vec<Scaled> {
        let delay = |class: usize| -> f64 {
            let stations = network.stations().iter().enumerate();
            let demand: f64 = stations
                .filter(|&(k, s)| Some(k) != without && effective(network, s) == StationKind::Delay)
                .map(|(_, s)| s.demand_s[class])
                .sum();
            network.classes()[class].think_time_s + demand
        };
        let mut values = vec![Scaled::ONE];
        for (class, &most) in self.population.iter().enumerate() {
            let z = delay(class);
            let block = values.len();
            values.reserve(block * most);
            for count in 1..=most {
                for index in 0..block {
                    let previous = values[(count - 1) * block + index];
                    values.push(previous * (z / count as f64));
                }
            }
        }
        values
    }

    /// Multiplies by `Σ_{j≥shift} (1 − j/m) a^(j−shift)/(j−shift)!`, by Horner's rule from the top.
    fn polynomial(&self, g: &[Scaled], station: &Station, servers: u32, shift: u32) -> Vec<Scaled> {
        let term = |j: u32| 1.0 - f64::from(j) / f64::from(servers);
        let mut values: Vec<Scaled> = g.iter().map(|&value| value * term(servers - 1)).collect();
        for j in (shift..servers - 1).rev() {
            let divisor = f64::from(j + 1 - shift);
            let factors: Vec<f64> = station.demand_s.iter().map(|d| d / divisor).collect();
            // Downwards: a step reads only lower populations, still those of the last round.
            let mut digits = self.population.clone();
            for index in (0..self.size).rev() {
                values[index] = g[index] * term(j) + self.step(&values, &factors, index, &digits);
                self.decrement(&mut digits);
            }
        }
        values
    }

    /// Multiplies by `1/(1 − a/m)` in place.
    fn divide(&self, values: &mut [Scaled], demand_s: &[f64], servers: f64) {
        let factors: Vec<f64> = demand_s.iter().map(|demand| demand / servers).collect();
        let mut digits = vec![0; self.population.len()];
        for index in 1..self.size {
            self.increment(&mut digits);
            values[index] = values[index] + self.step(values, &factors, index, &digits);
        }
    }

    #[inline]
    fn step(&self, values: &[Scaled], factors: &[f64], index: usize, digits: &[usize]) -> Scaled {
        let mut sum = Scaled::ZERO;
        for ((&digit, &stride), &factor) in digits.iter().zip(&self.stride).zip(factors) {
            if digit > 0 && factor > 0.0 {
                sum = sum + values[index - stride] * factor;
            }
        }
        sum
    }

    #[inline]
    fn increment(&self, digits: &mut [usize]) {
        for (digit, &most) in digits.iter_mut().zip(&self.population) {
            if *digit < most {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
    }

    #[inline]
    fn decrement(&self, digits: &mut [usize]) {
        for (digit, &most) in digits.iter_mut().zip(&self.population) {
            if *digit > 0 {
                *digit -= 1;
                return;
            }
            *digit = most;
        }
    }
}
