//! M/M/c//K, the machine-repair queue: a known number of sources instead of an endless stream.
//!
//! With `K` sources the arrival rate falls while they wait, so the queue is always stable. This is
//! the law of vCPUs on host threads: no vCPU waits while there is a thread for each, and a vCPU
//! that waits asks for nothing else meanwhile.

use super::erlang::MAX_SERVERS;

/// Steady state of `K` sources on `c` servers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FiniteSource {
    /// Busy share of each server, 0 to 1.
    pub utilization: f64,
    /// Probability that a request finds every server busy.
    pub wait_probability: f64,
    /// Mean wait ÷ mean service time.
    pub wait_ratio: f64,
    /// Response time ÷ service time, `1 + wait_ratio`: what a busy period is stretched by.
    pub stretch: f64,
    /// Mean number waiting.
    pub queue_length: f64,
    /// Completed work ÷ the work the sources would complete without waiting, 0 to 1.
    pub delivered: f64,
}

/// `sources` that each want a server for the share `demand` of their time, on `servers`.
///
/// `demand = S/(S + Z)`: service time over service plus idle time, measured without waiting. Birth
/// and death with rates `(K − j)/Z` and `min(j, c)/S` (Bolch et al. 2006, §6.3.3; for processor
/// sharing the mean is insensitive to the distribution of service). Cost `O(K)`.
///
/// `None` if there is no source or server, more than [`MAX_SERVERS`] of either, or `demand` is
/// outside `0..=1`.
pub fn finite_source(sources: u32, demand: f64, servers: u32) -> Option<FiniteSource> {
    let counts = 1..=MAX_SERVERS;
    if !counts.contains(&sources) || !counts.contains(&servers) || !(0.0..=1.0).contains(&demand) {
        return None;
    }
    let (k, c) = (f64::from(sources), f64::from(servers));
    if sources <= servers {
        return Some(state(k, c, demand, k * demand, 0.0, 0.0));
    }
    if demand >= 1.0 {
        return Some(state(k, c, demand, c, k - c, 1.0));
    }
    let odds = demand / (1.0 - demand);
    // Unnormalized probabilities, rescaled before they overflow; all terms are positive.
    let (mut weight, mut total, mut busy, mut waiting) = (1.0f64, 0.0f64, 0.0f64, 0.0f64);
    let (mut requests, mut delayed) = (0.0f64, 0.0f64);
    for j in 0..=sources {
        let present = f64::from(j);
        let rate = (k - present) * weight;
        total += weight;
        busy += weight * present.min(c);
        waiting += weight * (present - c).max(0.0);
        requests += rate;
        if j >= servers {
            delayed += rate;
        }
        weight *= (k - present) * odds / (present + 1.0).min(c);
        if weight > 1e200 {
            for sum in [&mut weight, &mut total, &mut busy, &mut waiting, &mut requests, &mut delayed] {
                *sum *= 1e-200;
            }
        }
    }
    let wait_probability = if requests > 0.0 { delayed / requests } else { 0.0 };
    Some(state(k, c, demand, busy / total, waiting / total, wait_probability))
}

/// Wait stretch of vCPUs above one per host thread: all vCPUs of all VMs, each busy for the share
/// `utilization` when it runs alone.
///
/// Equal to [`finite_source`], with the utilizations of unlike VMs averaged over their vCPUs.
/// `vms` are pairs (vCPUs, utilization). `None` where [`finite_source`] is, or with no vCPU.
pub fn cpu_contention(vms: &[(u32, f64)], threads: u32) -> Option<FiniteSource> {
    let mut vcpus = 0u32;
    let mut busy = 0.0;
    for &(count, utilization) in vms {
        if !(0.0..=1.0).contains(&utilization) {
            return None;
        }
        vcpus = vcpus.checked_add(count)?;
        busy += f64::from(count) * utilization;
    }
    if vcpus == 0 {
        return None;
    }
    finite_source(vcpus, (busy / f64::from(vcpus)).min(1.0), threads)
}

fn state(k: f64, c: f64, demand: f64, busy: f64, waiting: f64, wait_probability: f64) -> FiniteSource {
    // Little's law on the queue alone, with the service time as unit of time.
    let wait_ratio = if busy > 0.0 { waiting / busy } else { 0.0 };
    FiniteSource {
        utilization: (busy / c).min(1.0),
        wait_probability,
        wait_ratio,
        stretch: 1.0 + wait_ratio,
        queue_length: waiting,
        delivered: if demand > 0.0 { (busy / (k * demand)).min(1.0) } else { 1.0 },
    }
}
