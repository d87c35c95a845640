//! Erlang's formulas and the M/M/c queue.

/// Largest number of servers a formula accepts.
pub const MAX_SERVERS: u32 = 1_000_000;

/// Share of a sum from which on its falling terms are left out.
const NEGLIGIBLE: f64 = 1e-20;

/// Steady state of an M/M/c queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mmc {
    /// Busy share of each server, 0 to 1.
    pub utilization: f64,
    /// Probability that an arrival waits (Erlang C).
    pub wait_probability: f64,
    /// Mean time before service begins, seconds.
    pub wait_s: f64,
    /// Mean time from arrival to departure, seconds.
    pub response_s: f64,
    /// Mean number waiting.
    pub queue_length: f64,
    /// Mean number waiting or in service.
    pub number: f64,
}

/// Erlang B: the share of arrivals that find all `servers` busy when nobody may wait, for
/// `offered` Erlangs (arrival rate × service time).
///
/// `1/B = Σ_j c·(c − 1)···(c − j + 1)/a^j`, from `j = 0` on: sums of positive terms, which cannot cancel. Terms that no
/// longer change the sum are left out, so many servers cost little more than few. Where it overflows, `B` is below the
/// smallest number there is. `None` if `offered` is negative or not finite or `servers` exceeds [`MAX_SERVERS`].
pub fn erlang_b(offered: f64, servers: u32) -> Option<f64> {
    if !offered.is_finite() || offered < 0.0 || servers > MAX_SERVERS {
        return None;
    }
    let (mut inverse, mut term) = (1.0, 1.0);
    for left in (1..=servers).rev().map(f64::from) {
        term *= left / offered;
        inverse += term;
        // Behind its peak every further term is smaller than this one.
        if inverse == f64::INFINITY || (left < offered && term < NEGLIGIBLE * inverse) {
            break;
        }
    }
    Some(1.0 / inverse)
}

/// Erlang C: the probability that an arrival waits, for `offered` Erlangs on `servers`.
///
/// `C = B/(1 − ρ(1 − B))`. `None` where Erlang B is, without servers, or when `offered` reaches
/// the servers and no steady state exists.
pub fn erlang_c(offered: f64, servers: u32) -> Option<f64> {
    if servers == 0 || offered >= f64::from(servers) {
        return None;
    }
    let blocked = erlang_b(offered, servers)?;
    let utilization = offered / f64::from(servers);
    Some(blocked / (1.0 - utilization * (1.0 - blocked)))
}

/// M/M/c: Poisson arrivals at `arrival_rate` per second, exponential service of mean
/// `service_time_s`, `servers` identical servers, one queue.
///
/// `R = S + C/(c/S − λ)`, the numbers by Little's law. `None` if unstable (`λS ≥ c`), or an input
/// is negative, not finite, or zero where that has no meaning (service time, servers).
pub fn mmc(arrival_rate: f64, service_time_s: f64, servers: u32) -> Option<Mmc> {
    let valid = arrival_rate >= 0.0 && service_time_s > 0.0 && service_time_s.is_finite();
    if !valid {
        return None;
    }
    let offered = arrival_rate * service_time_s;
    let wait_probability = erlang_c(offered, servers)?;
    let spare = f64::from(servers) - offered;
    let wait_s = wait_probability * (service_time_s / spare);
    let queue_length = wait_probability * (offered / spare);
    let answer = Mmc {
        utilization: offered / f64::from(servers),
        wait_probability,
        wait_s,
        response_s: service_time_s + wait_s,
        queue_length,
        number: offered + queue_length,
    };
    answer.response_s.is_finite().then_some(answer)
}
