//! Response time of transactions: CPU with its queues, and the disk I/O that a transaction waits for.
//!
//! Each VM is a multi-server queue of its own vCPUs. Above one vCPU for each thread of the host the vCPUs queue for the
//! threads too: M/M/c//K with the host's vCPUs as its sources, so there is no such wait while a thread is free for every
//! vCPU. Pools are the queues of [`super::pools`]. With users who wait for their answers, rate and response time settle
//! each other: U = X·(R + Z).

use crate::domain::choice::Role;
use crate::domain::scenario::{Load, Transactions};

use super::factors::Factors;
use super::plan::{Plan, Resident};
use super::queueing::erlang;
use super::queueing::finite_source::finite_source;
use super::{demand, fit, latency, pools};

/// Rounds in which a closed rate is found; each halves the interval that holds it.
const ROUNDS: usize = 48;

/// Response time of one transaction and its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    pub response_ms: f64,
    /// CPU service, and waiting for the VM's own vCPUs and the host's threads.
    pub cpu_ms: f64,
    /// Reads, and log writes.
    pub disk_ms: f64,
    /// Transactions a second of one VM.
    pub per_s: f64,
}

/// Whether the member's transactions stay within their limit with so many units on the hosts.
pub fn holds(plan: &Plan, factors: &Factors, member: usize, units: f64) -> bool {
    let limit = plan.scenario.unit[member].vm.transactions.and_then(|t| t.max_response_ms);
    let Some(limit) = limit else { return true };
    predict(plan, factors, member, units).is_some_and(|response| response.response_ms <= limit)
}

/// The response time of a member's transactions; `None` without transactions, or when CPU or disks cannot keep up.
pub fn predict(plan: &Plan, factors: &Factors, member: usize, units: f64) -> Option<Response> {
    let transactions = plan.scenario.unit[member].vm.transactions?;
    let station = Stations::new(plan, factors, member, &transactions, units)?;
    match transactions.load {
        Load::Open { per_s } => station.response(per_s * plan.growth),
        Load::Closed { users, think_s, .. } => {
            station.closed_rate(f64::from(users) * plan.growth, think_s).and_then(|rate| station.response(rate))
        }
    }
}

/// What a transaction visits, with all else fixed.
struct Stations {
    vcpus: u32,
    /// CPU of one transaction on one thread without waiting, s.
    cpu_s: f64,
    /// Disk time of one transaction, s.
    disk_s: f64,
    /// What waiting for host threads stretches CPU time by.
    stretch: f64,
}

impl Stations {
    fn new(plan: &Plan, factors: &Factors, member: usize, transactions: &Transactions, units: f64) -> Option<Self> {
        let vm = &plan.scenario.unit[member].vm;
        let (Load::Open { per_s: rate } | Load::Closed { per_s: rate, .. }) = transactions.load;
        let rate = rate * plan.growth;
        let cpu_s = demand::vm_cpu(plan, factors, member) / plan.scenario.host.core_rating / rate;
        let stretch = stretch(plan, factors, units)?;
        let mut disk_s = 0.0;
        for pool in 0..plan.scenario.storage.as_ref().map_or(0, |storage| storage.pools.len()) {
            let mut own = plan.residents(pool).iter().filter(|resident| resident.member == member).peekable();
            if own.peek().is_none() {
                continue;
            }
            let state = pools::state(plan, factors, pool, units)?;
            for resident in own {
                disk_s += waited_for(plan, factors, &state, resident)? / rate;
            }
        }
        Some(Self { vcpus: vm.vcpus, cpu_s, disk_s, stretch })
    }

    fn response(&self, rate: f64) -> Option<Response> {
        let service_s = self.cpu_s * self.stretch;
        let cpu_s = if service_s > 0.0 { erlang::mmc(rate, service_s, self.vcpus)?.response_s } else { 0.0 };
        let (cpu_ms, disk_ms) = (cpu_s * 1000.0, self.disk_s * 1000.0);
        Some(Response { response_ms: cpu_ms + disk_ms, cpu_ms, disk_ms, per_s: rate })
    }

    /// The rate X with U = X·(R(X) + Z): R grows with X, so there is one, below the rate at which the vCPUs are full.
    fn closed_rate(&self, users: f64, think_s: f64) -> Option<f64> {
        let service_s = self.cpu_s * self.stretch;
        let full = if service_s > 0.0 { f64::from(self.vcpus) / service_s } else { f64::INFINITY };
        let alone = users / (think_s + self.disk_s + service_s);
        let (mut low, mut high) = (0.0, full.min(alone));
        if !high.is_finite() {
            return None;
        }
        for _ in 0..ROUNDS {
            let rate = (low + high) / 2.0;
            let wanted = self.response(rate).map(|r| rate * (r.response_ms / 1000.0 + think_s));
            if wanted.is_some_and(|wanted| wanted <= users) { low = rate } else { high = rate }
        }
        Some(low)
    }
}

/// Disk time a second of one VM's volume that its transactions wait for, s: reads, and the writes of logs. Data pages are
/// written behind the transaction's back by the checkpoint.
fn waited_for(plan: &Plan, factors: &Factors, state: &pools::PoolState, resident: &Resident) -> Option<f64> {
    let volume = &plan.scenario.unit[resident.member].vm.volumes[resident.volume];
    let latency = latency::of_volume(plan, factors, state, resident);
    if latency.saturated {
        return None;
    }
    let reads = volume.read_iops * latency.read_ms.unwrap_or(0.0);
    let log = matches!(volume.role, Role::Log | Role::TempdbLog);
    let writes = if log { volume.write_iops * latency.write_ms.unwrap_or(0.0) } else { 0.0 };
    Some((reads + writes) * plan.growth / 1000.0)
}

/// What the vCPUs of all VMs on the fullest host stretch each other's CPU time by; `None` when the host cannot keep up.
fn stretch(plan: &Plan, factors: &Factors, units: f64) -> Option<f64> {
    let host = &plan.scenario.host;
    let on_host = units / f64::from(plan.scenario.active_hosts());
    let supply = fit::cpu_supply(plan, factors);
    let load = on_host * demand::unit_cpu(plan, factors) + supply * plan.scenario.policy.root_cpu;
    if load >= supply {
        return None;
    }
    // With several threads a core the host counts as so many whole cores as its threads together do the work of.
    let servers = (supply / host.core_rating).round().max(1.0) as u32;
    let vcpus = (on_host * demand::unit_vcpus(plan)).ceil().clamp(1.0, 1e6) as u32;
    let busy = (load / host.core_rating / f64::from(vcpus)).min(1.0);
    finite_source(vcpus, busy, servers).map(|queue| queue.stretch)
}
