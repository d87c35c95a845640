//! Response time of transactions: CPU with its queues, the disk I/O that a transaction waits for, and what a measurement
//! shows beside them.
//!
//! Each VM is a multi-server queue of its own vCPUs. Above one vCPU for each thread of the host the vCPUs queue for the
//! threads too: M/M/c//K with the host's vCPUs as its sources, so there is no such wait while a thread is free for every
//! vCPU. Pools are the queues of [`super::pools`].
//!
//! With an open rate the load is what it is. Users who wait for their answers ask less when answers are slow: the VM's
//! queue is then M/M/c//U, exact for its users, and the load of hosts and pools follows from the rate that results. One
//! number, the intensity (rate over the measured one, weighted by CPU), ties them together.

use crate::domain::choice::Role;
use crate::domain::scenario::{Load, Transactions, UnitMember};

use super::factors::Factors;
use super::plan::{Plan, Resident};
use super::pools::Asking;
use super::queueing::erlang;
use super::queueing::finite_source::{finite_source, stretch_when_busy};
use super::{demand, fit, latency, pools};

/// Rounds in which the intensity is found; each halves the interval that holds it, or better.
const ROUNDS: usize = 40;
/// Relative width of that interval at which it is found.
const SETTLED: f64 = 1e-7;

/// Users of a pool from which on a closed queue is taken for an open one.
const MOST_SOURCES: f64 = 1e5;

/// Response time of one transaction and its parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response {
    pub response_ms: f64,
    /// CPU service, and waiting for the VM's own vCPUs and the host's threads.
    pub cpu_ms: f64,
    /// The part of it without any waiting.
    pub cpu_service_ms: f64,
    /// Reads, and log writes.
    pub disk_ms: f64,
    /// What the measured response has beside CPU and disks: locks, network, client. 0 without a measured response.
    pub other_ms: f64,
    /// Transactions a second of one VM.
    pub per_s: f64,
}

/// The response time of the member's transactions over its limit with so many units on the hosts; infinite when CPU or
/// disks cannot keep up.
pub fn strain(plan: &Plan, factors: &Factors, member: usize, units: f64) -> f64 {
    let limit = plan.scenario.unit[member].vm.transactions.and_then(|t| t.max_response_ms);
    let Some(limit) = limit else { return 0.0 };
    predict(plan, factors, member, units).map_or(f64::INFINITY, |response| response.response_ms / limit)
}

/// The response time of a member's transactions; `None` without transactions, or when CPU or disks cannot keep up.
pub fn predict(plan: &Plan, factors: &Factors, member: usize, units: f64) -> Option<Response> {
    let transactions = plan.scenario.unit[member].vm.transactions?;
    let others = Others::of(plan, factors, member);
    let intensity = if has_users(plan) { intensity(plan, factors, units, &others)? } else { 1.0 };
    let at = Contention::at(plan, factors, units, intensity)?;
    Station::new(plan, factors, member, &transactions, &at)?.response(others.of_member(member))
}

/// What the measured responses have beside CPU and disks, s, by member: the same whatever the number of units.
struct Others(Vec<f64>);

impl Others {
    /// Those of every member where users tie them together, else that of one.
    fn of(plan: &Plan, factors: &Factors, member: usize) -> Self {
        let users = has_users(plan);
        let of = |(index, wanted): (usize, &UnitMember)| match wanted.vm.transactions {
            Some(transactions) if users || index == member => other_s(plan, factors, index, &transactions),
            _ => 0.0,
        };
        Self(plan.scenario.unit.iter().enumerate().map(of).collect())
    }

    fn of_member(&self, member: usize) -> f64 {
        self.0.get(member).copied().unwrap_or(0.0)
    }
}

/// What the measured response has beside CPU and disks, s: the model's own response natively and alone is taken off.
///
/// It stays with every transaction, so what is predicted is how the measured response changes.
fn other_s(plan: &Plan, factors: &Factors, member: usize, transactions: &Transactions) -> f64 {
    let Load::Closed { measured_response_ms: Some(measured_ms), per_s, .. } = transactions.load else { return 0.0 };
    let native = Factors {
        cpu_loss: [0.0; 3],
        cpu_fixed: [0.0; 3],
        disk_loss: [0.0; 3],
        read_added: [0.0; 3],
        write_added: [0.0; 3],
        ..factors.clone()
    };
    // With growth the measurement was at less load; its response is taken as it is.
    let alone = Contention::alone(plan, &native).and_then(|at| {
        let open = Transactions { load: Load::Open { per_s }, max_response_ms: None };
        Station::new(plan, &native, member, &open, &at)?.response(0.0)
    });
    (measured_ms - alone.map_or(0.0, |response| response.response_ms)).max(0.0) / 1000.0
}

fn is_closed(transactions: Option<Transactions>) -> bool {
    matches!(transactions.map(|t| t.load), Some(Load::Closed { .. }))
}

fn has_users(plan: &Plan) -> bool {
    plan.scenario.unit.iter().any(|member| is_closed(member.vm.transactions))
}

/// What the VMs with users do, relative to their measured rates, when hosts, pools and their own queues have settled.
///
/// The rate that follows from an intensity falls as it rises, so there is one at which both agree.
fn intensity(plan: &Plan, factors: &Factors, units: f64, others: &Others) -> Option<f64> {
    let follows = |intensity: f64| -> f64 {
        let rate = || {
            let at = Contention::at(plan, factors, units, intensity)?;
            let (mut got, mut measured) = (0.0, 0.0);
            for (index, member) in plan.scenario.unit.iter().enumerate() {
                let Some(transactions) = member.vm.transactions.filter(|t| is_closed(Some(*t))) else { continue };
                let station = Station::new(plan, factors, index, &transactions, &at)?;
                // By CPU, the resource that all VMs share; without any, by VM.
                let weight = f64::from(member.count) * (station.cpu_s * station.measured).max(1e-9);
                let per_s = station.response(others.of_member(index))?.per_s;
                got += weight * per_s / station.measured;
                measured += weight;
            }
            Some(got / measured)
        };
        // Where hosts or pools cannot keep up, nothing would get through.
        rate().unwrap_or(0.0)
    };
    // Users that never wait ask most.
    let (mut low, mut high) = (0.0, follows(0.0));
    if high <= 0.0 || !high.is_finite() {
        return None;
    }
    let (mut over_at_low, mut short_at_high) = (high, high - follows(high));
    for _ in 0..ROUNDS {
        if high - low <= SETTLED * high {
            break;
        }
        // Regula falsi, halving the end that stays (Illinois).
        let middle = if short_at_high > 0.0 && over_at_low > 0.0 {
            (low * short_at_high + high * over_at_low) / (short_at_high + over_at_low)
        } else {
            high
        };
        let off = follows(middle) - middle;
        if off.abs() <= SETTLED * middle {
            return Some(middle);
        }
        if off > 0.0 {
            (low, over_at_low) = (middle, off);
            short_at_high /= 2.0;
        } else {
            (high, short_at_high) = (middle, -off);
            over_at_low /= 2.0;
        }
    }
    (low > 0.0).then_some(low)
}

/// What all VMs together make of host and pools.
struct Contention {
    /// What waiting for host threads stretches CPU time by.
    stretch: f64,
    pools: Vec<pools::PoolState>,
}

impl Contention {
    /// With so many units whose users ask at `intensity` times the measured rates; `None` when the host cannot keep up.
    fn at(plan: &Plan, factors: &Factors, units: f64, intensity: f64) -> Option<Self> {
        let count = plan.scenario.storage.as_ref().map_or(0, |storage| storage.pools.len());
        let state = |pool| pools::state_at(plan, factors, pool, units, asking(plan, pool, units, intensity));
        let pools = (0..count).map(state).collect::<Option<Vec<_>>>()?;
        Some(Self { stretch: stretch(plan, factors, units, intensity)?, pools })
    }

    /// One unit on idle threads: the machine of the measurement.
    fn alone(plan: &Plan, factors: &Factors) -> Option<Self> {
        let count = plan.scenario.storage.as_ref().map_or(0, |storage| storage.pools.len());
        let pools = (0..count).map(|pool| pools::state(plan, factors, pool, 1.0)).collect::<Option<Vec<_>>>()?;
        Some(Self { stretch: 1.0, pools })
    }
}

/// How the load of a pool comes about: that of VMs without users does not follow the intensity. Users who wait for every
/// I/O make a closed queue; data pages are written without anyone waiting, and make an open one.
fn asking(plan: &Plan, pool: usize, units: f64, intensity: f64) -> Asking {
    let (mut closed, mut waited, mut all) = (0.0, 0.0, 0.0);
    let mut users_per_unit = 0.0;
    let mut counted: Vec<usize> = Vec::new();
    for resident in plan.residents(pool) {
        let member = &plan.scenario.unit[resident.member];
        let volume = &member.vm.volumes[resident.volume];
        let count = f64::from(member.count);
        all += count * volume.iops();
        let Some(Load::Closed { users, .. }) = member.vm.transactions.map(|t| t.load) else { continue };
        closed += count * volume.iops();
        waited += count * (volume.read_iops + if is_log(volume.role) { volume.write_iops } else { 0.0 });
        if !counted.contains(&resident.member) {
            counted.push(resident.member);
            users_per_unit += count * f64::from(users) * plan.growth;
        }
    }
    let users = (units * users_per_unit).round();
    let sources = (all > 0.0 && waited >= all && (1.0..=MOST_SOURCES).contains(&users)).then_some(users as u32);
    Asking { intensity: if all > 0.0 { 1.0 + closed / all * (intensity - 1.0) } else { 1.0 }, sources }
}

const fn is_log(role: Role) -> bool {
    matches!(role, Role::Log | Role::TempdbLog)
}

/// What a transaction of one VM visits.
struct Station {
    vcpus: u32,
    /// CPU of one transaction on one thread without waiting for the VM's own vCPUs, s.
    service_s: f64,
    /// The same without waiting for host threads.
    cpu_s: f64,
    /// Disk time of one transaction, s.
    disk_s: f64,
    /// Rate at which the VM's CPU and I/O figures were measured, with growth.
    measured: f64,
    load: Load,
    growth: f64,
}

impl Station {
    fn new(
        plan: &Plan,
        factors: &Factors,
        member: usize,
        transactions: &Transactions,
        contention: &Contention,
    ) -> Option<Self> {
        let vm = &plan.scenario.unit[member].vm;
        let (Load::Open { per_s } | Load::Closed { per_s, .. }) = transactions.load;
        let measured = per_s * plan.growth;
        let cpu_s = demand::vm_cpu(plan, factors, member) / plan.scenario.host.core_rating / measured;
        let mut disk_s = 0.0;
        for (pool, state) in contention.pools.iter().enumerate() {
            for resident in plan.residents(pool).iter().filter(|resident| resident.member == member) {
                disk_s += waited_for(plan, factors, state, resident)? / measured;
            }
        }
        let service_s = cpu_s * contention.stretch;
        Some(Self { vcpus: vm.vcpus, service_s, cpu_s, disk_s, measured, load: transactions.load, growth: plan.growth })
    }

    /// `other_s` is what a transaction takes beside CPU and disks.
    fn response(&self, other_s: f64) -> Option<Response> {
        let (rate, cpu_s) = match self.load {
            Load::Open { .. } if self.service_s > 0.0 => {
                (self.measured, erlang::mmc(self.measured, self.service_s, self.vcpus)?.response_s)
            }
            Load::Open { .. } => (self.measured, 0.0),
            Load::Closed { users, think_s, .. } => {
                let users = (f64::from(users) * self.growth).round().clamp(1.0, f64::from(erlang::MAX_SERVERS)) as u32;
                self.closed(users, think_s + self.disk_s + other_s)?
            }
        };
        let (cpu_ms, disk_ms, other_ms) = (cpu_s * 1000.0, self.disk_s * 1000.0, other_s * 1000.0);
        let cpu_service_ms = self.cpu_s * 1000.0;
        let response_ms = cpu_ms + disk_ms + other_ms;
        Some(Response { response_ms, cpu_ms, cpu_service_ms, disk_ms, other_ms, per_s: rate })
    }

    /// Rate and CPU time of users who are away from the vCPUs for that long.
    fn closed(&self, users: u32, away_s: f64) -> Option<(f64, f64)> {
        let cycle_s = self.service_s + away_s;
        if cycle_s <= 0.0 {
            return None;
        }
        if self.service_s <= 0.0 {
            return Some((f64::from(users) / cycle_s, 0.0));
        }
        let queue = finite_source(users, self.service_s / cycle_s, self.vcpus)?;
        let cpu_s = self.service_s * queue.stretch;
        Some((f64::from(users) / (cpu_s + away_s), cpu_s))
    }
}

/// Disk time a second of one VM's volume that its transactions wait for at their measured rate, s: reads, and the writes
/// of logs. Data pages are written behind the transaction's back by the checkpoint.
fn waited_for(plan: &Plan, factors: &Factors, state: &pools::PoolState, resident: &Resident) -> Option<f64> {
    let volume = &plan.scenario.unit[resident.member].vm.volumes[resident.volume];
    let latency = latency::of_volume(plan, factors, state, resident);
    if latency.saturated {
        return None;
    }
    let reads = volume.read_iops * latency.read_ms.unwrap_or(0.0);
    let writes = if is_log(volume.role) { volume.write_iops * latency.write_ms.unwrap_or(0.0) } else { 0.0 };
    Some((reads + writes) * plan.growth / 1000.0)
}

/// What the vCPUs of all VMs on the fullest host stretch each other's CPU time by; `None` when the host cannot keep up.
fn stretch(plan: &Plan, factors: &Factors, units: f64, intensity: f64) -> Option<f64> {
    let host = &plan.scenario.host;
    let on_host = units / f64::from(plan.scenario.active_hosts());
    let supply = fit::cpu_supply(plan, factors);
    let (mut per_unit, mut sources) = (0.0, 0.0);
    for (index, member) in plan.scenario.unit.iter().enumerate() {
        let (all, fixed) = (demand::vm_cpu(plan, factors, index), demand::vm_fixed_cpu(plan, factors, index));
        let share = if is_closed(member.vm.transactions) { intensity } else { 1.0 };
        per_unit += f64::from(member.count) * (fixed + (all - fixed) * share);
        // Fewer users than vCPUs leave vCPUs idle, which contend with nobody.
        let users = match member.vm.transactions.map(|t| t.load) {
            Some(Load::Closed { users, .. }) => (f64::from(users) * plan.growth).round().max(1.0),
            _ => f64::INFINITY,
        };
        sources += f64::from(member.count) * f64::from(member.vm.vcpus).min(users);
    }
    let load = on_host * per_unit + supply * plan.scenario.policy.root_cpu;
    if load >= supply {
        return None;
    }
    // With several threads a core the host counts as so many whole cores as its threads together do the work of.
    let servers = (supply / host.core_rating).round().max(1.0) as u32;
    let vcpus = (on_host * sources).ceil().clamp(1.0, 1e6) as u32;
    if vcpus <= servers {
        return Some(1.0);
    }
    stretch_when_busy(vcpus, (load / host.core_rating / f64::from(vcpus)).min(1.0), servers)
}

#[cfg(test)]
mod tests;
