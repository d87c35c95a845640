//! Single queues whose service or arrivals are not exponential.

use super::erlang::{Mmc, mmc};

/// Steady state of an M/G/1 queue.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mg1 {
    /// Busy share of the server, 0 to 1.
    pub utilization: f64,
    /// Mean time before service begins, seconds.
    pub wait_s: f64,
    /// Mean time from arrival to departure, seconds.
    pub response_s: f64,
    /// Mean number waiting or in service.
    pub number: f64,
}

/// M/G/1 by Pollaczek–Khinchine: `W = ρS(1 + c²)/(2(1 − ρ))`, `service_scv` the squared
/// coefficient of variation of the service time (0 constant, 1 exponential).
///
/// `None` if unstable (`λS ≥ 1`), or an input is negative, not finite, or the service time zero.
pub fn mg1(arrival_rate: f64, service_time_s: f64, service_scv: f64) -> Option<Mg1> {
    let utilization = arrival_rate * service_time_s;
    let valid = arrival_rate >= 0.0 && service_time_s > 0.0 && service_scv >= 0.0;
    if !valid || !service_time_s.is_finite() || !(0.0..1.0).contains(&utilization) {
        return None;
    }
    let wait_s = utilization * service_time_s * (1.0 + service_scv) / (2.0 * (1.0 - utilization));
    let response_s = service_time_s + wait_s;
    let number = arrival_rate * response_s;
    (response_s.is_finite() && number.is_finite()).then_some(Mg1 { utilization, wait_s, response_s, number })
}

/// G/G/c by Allen–Cunneen: the M/M/c wait times `(ca² + cs²)/2`, the mean of the squared
/// coefficients of variation of the times between arrivals and of service.
///
/// Exact for M/M/c and M/G/1, an approximation elsewhere. `wait_probability` stays Erlang's.
/// `None` where [`mmc`] is, or a coefficient is negative or not finite.
pub fn ggc(arrival_rate: f64, service_time_s: f64, servers: u32, arrival_scv: f64, service_scv: f64) -> Option<Mmc> {
    if !(arrival_scv >= 0.0 && service_scv >= 0.0) {
        return None;
    }
    let markov = mmc(arrival_rate, service_time_s, servers)?;
    let variability = arrival_scv / 2.0 + service_scv / 2.0;
    let wait_s = markov.wait_s * variability;
    let queue_length = markov.queue_length * variability;
    let answer = Mmc {
        wait_s,
        queue_length,
        response_s: service_time_s + wait_s,
        number: markov.number - markov.queue_length + queue_length,
        ..markov
    };
    (answer.response_s.is_finite() && answer.number.is_finite()).then_some(answer)
}
