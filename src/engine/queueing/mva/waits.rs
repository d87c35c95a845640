//! Probability that all servers of a station are busy, as a table: the approximations ask for it
//! thousands of times.

use crate::engine::queueing::erlang::erlang_c;

/// Work spent on one table, in steps of a recursion over the number present.
const TABLE_STEPS: u32 = 200_000;
/// Sources from which a finite population is as good as an endless one.
const ENDLESS: f64 = 4_000.0;
/// Loads of a finite table, as offered per server: dense where the curve bends, past saturation
/// because a finite queue has no limit to what it may be offered.
const FINITE_LOADS: u32 = 48;
const EVEN_STEPS: u32 = 256;
const OVERLOADS: [f64; 7] = [1.05, 1.1, 1.2, 1.4, 2.0, 4.0, 16.0];

/// Probability that all servers are busy, by the mean number of busy servers.
pub(super) struct Waits {
    servers: f64,
    /// Probability at equal steps of the mean number of busy servers, from none to all.
    values: Vec<f64>,
}

impl Waits {
    /// Arrivals whatever the number present: Erlang's C.
    pub(super) fn endless(servers: u32) -> Self {
        let parts = (TABLE_STEPS / servers.max(1)).clamp(16, 512);
        let count = f64::from(servers);
        let load = |part: u32| count * f64::from(part) / f64::from(parts);
        // The last point has no steady state: every arrival waits.
        let value = |part| erlang_c(load(part), servers).unwrap_or(1.0);
        Self { servers: count, values: (0..=parts).map(value).collect() }
    }

    /// Arrivals that slow down as customers gather here, at a rate proportional to
    /// `sources − present`; `sources` need not be whole.
    pub(super) fn finite(servers: u32, sources: f64) -> Self {
        let count = f64::from(servers);
        if sources >= ENDLESS || servers > TABLE_STEPS / FINITE_LOADS || sources <= 1.0 {
            return Self::endless(servers);
        }
        let most = count.min(sources);
        let even = (0..FINITE_LOADS).map(|part| f64::from(part) / f64::from(FINITE_LOADS));
        let mut points = vec![(0.0, 0.0)];
        for load in even.chain(OVERLOADS).skip(1) {
            let odds = if load < 1.0 {
                load * most / (sources - load * most)
            } else {
                load * count / (sources - count).max(0.02 * sources)
            };
            let point = busy_and_probability(count, sources, odds);
            if point.0 > points[points.len() - 1].0 {
                points.push(point);
            }
        }
        points.push((count, 1.0));
        Self { servers: count, values: even_steps(&points, EVEN_STEPS) }
    }

    /// The probability at a mean number of busy servers, and its slope.
    pub(super) fn probability(&self, busy: f64) -> (f64, f64) {
        if busy >= self.servers {
            return (1.0, 0.0);
        }
        let steps = (self.values.len() - 1) as f64;
        let position = busy.max(0.0) / self.servers * steps;
        let below = (position as usize).min(self.values.len() - 2);
        let rise = self.values[below + 1] - self.values[below];
        (self.values[below] + (position - below as f64) * rise, rise * steps / self.servers)
    }
}

/// Values of a curve, given by points of rising x from zero, at equal steps.
fn even_steps(points: &[(f64, f64)], steps: u32) -> Vec<f64> {
    let width = points[points.len() - 1].0;
    let mut above = 1;
    (0..=steps)
        .map(|step| {
            let x = width * f64::from(step) / f64::from(steps);
            while above + 1 < points.len() && points[above].0 < x {
                above += 1;
            }
            let (low, high) = (points[above - 1], points[above]);
            low.1 + (x - low.0) / (high.0 - low.0) * (high.1 - low.1)
        })
        .collect()
}

/// Mean busy servers and probability that all are busy, by birth and death.
fn busy_and_probability(servers: f64, sources: f64, odds: f64) -> (f64, f64) {
    let (mut weight, mut total, mut busy, mut full) = (1.0f64, 0.0f64, 0.0f64, 0.0f64);
    let mut present = 0.0;
    while present <= sources {
        total += weight;
        busy += weight * f64::min(present, servers);
        if present >= servers {
            full += weight;
            if weight < 1e-9 * total {
                break;
            }
        }
        weight *= (sources - present).max(0.0) * odds / f64::min(present + 1.0, servers);
        present += 1.0;
        if weight > 1e200 {
            for sum in [&mut weight, &mut total, &mut busy, &mut full] {
                *sum *= 1e-200;
            }
        }
    }
    (busy / total, full / total)
}
