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

/// Weight of a state, the likeliest being 1, from which on states are left out.
const NEGLIGIBLE: f64 = 1e-20;

/// Unnormalized sums over the states.
#[derive(Default)]
struct Sums {
    /// Weight of the states in which nobody waits.
    free: f64,
    /// Their busy servers.
    busy: f64,
    /// Weight of the states in which somebody waits.
    full: f64,
    /// Those who wait in them.
    waiting: f64,
}

/// `sources` that each want a server for the share `demand` of their time, on `servers`.
///
/// `demand = S/(S + Z)`: service time over service plus idle time, measured without waiting. Birth
/// and death with rates `(K − j)/Z` and `min(j, c)/S` (Bolch et al. 2006, §6.3.3; for processor
/// sharing the mean is insensitive to the distribution of service). Cost `O(√K)` for many sources.
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
    // The weights rise to one peak and fall behind it. From the peak outwards, with the peak as unit, none overflows, and
    // those that change no sum are not visited: the cost is that of the width of the peak.
    let below = (k * odds - 1.0) / (1.0 + odds);
    let peak = if below < c - 1.0 { below } else { k - c / odds };
    let peak = (peak.floor() + 1.0).clamp(0.0, k);
    let serving = |present: f64| if present < c { present } else { c };
    let mut sums = Sums::default();
    let mut visit = |present: f64, weight: f64| {
        if present <= c {
            sums.free += weight;
            sums.busy += weight * present;
        } else {
            sums.full += weight;
            sums.waiting += weight * (present - c);
        }
    };
    visit(peak, 1.0);
    let (mut present, mut weight) = (peak, 1.0);
    while present < k {
        // The quotient waits for no weight, so that one division is done beside another.
        let rise = (k - present) * odds / serving(present + 1.0);
        weight *= rise;
        present += 1.0;
        if weight < NEGLIGIBLE {
            break;
        }
        visit(present, weight);
    }
    (present, weight) = (peak, 1.0);
    while present > 0.0 {
        let fall = serving(present) / ((k - present + 1.0) * odds);
        weight *= fall;
        present -= 1.0;
        if weight < NEGLIGIBLE {
            break;
        }
        visit(present, weight);
    }
    let Sums { free, busy, full, waiting } = sums;
    let (total, busy) = (free + full, busy + c * full);
    // As many come as go, in all and into each state: of all requests those wait that c busy servers complete while
    // somebody waits.
    let wait_probability = if busy > 0.0 { c * full / busy } else { 0.0 };
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

/// What the wait stretches a busy period by when each of `sources` *delivers* work for the share `busy` of the time.
///
/// The inverse of [`finite_source`] in its demand: sources that wait ask less often, so what they deliver is less than
/// what they would without waiting. `None` where [`finite_source`] is, or when the servers cannot deliver so much.
pub fn stretch_when_busy(sources: u32, busy: f64, servers: u32) -> Option<f64> {
    let delivered = |demand: f64| {
        finite_source(sources, demand, servers)
            .map(|queue| (queue.utilization * f64::from(servers) / f64::from(sources), queue.stretch))
    };
    if sources <= servers {
        return delivered(busy).map(|_| 1.0);
    }
    let most = delivered(1.0)?.0;
    // At the very end the demand has no bound.
    if !(0.0..most * (1.0 - 1e-9)).contains(&busy) {
        return None;
    }
    let (mut low, mut high) = (busy, 1.0);
    let (got, mut stretch) = delivered(low)?;
    let mut last = (low, got - busy);
    if last.1 >= 0.0 {
        return Some(stretch);
    }
    // A source delivers `1/(stretch + idle)`, idle time in service times; with the stretch of less load this is too
    // little demand, but close.
    let mut demand = 1.0 / (1.0 + 1.0 / busy - stretch);
    for step in 0..INVERSIONS {
        // Secants are fast near the answer; halving always ends.
        if !(demand > low && demand < high) || step >= SECANTS {
            demand = f64::midpoint(low, high);
        }
        let (got, at) = delivered(demand)?;
        stretch = at;
        let off = got - busy;
        if off.abs() <= 1e-10 {
            break;
        }
        if off < 0.0 {
            low = demand;
        } else {
            high = demand;
        }
        let next = demand - off * (demand - last.0) / (off - last.1);
        last = (demand, off);
        demand = next;
    }
    Some(stretch)
}

/// Steps of the inversion at most; it takes a few as a rule.
const INVERSIONS: usize = 60;
/// Steps that may be secants.
const SECANTS: usize = 12;

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
