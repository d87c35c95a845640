//! What would have to change for one unit more.

use crate::domain::choice::NicUse;
use crate::domain::rules;
use crate::domain::scenario::{Pool, Scenario};
use crate::domain::units::{GIB_PER_GB, MB_S_PER_GBPS, MIB_PER_GIB};

use super::factors::Factors;
use super::fit::{Allowed, Check, Ratio};
use super::latency;
use super::outcome::{Change, Remedy};
use super::plan::{Layout, Plan};
use super::response;
use super::rows;

/// Disks that a pool is grown by at most when more of them are tried.
const MOST_DISKS: u32 = 10_000;

/// For each check that one unit more than `units` would pass: what it lacks and what to change.
pub fn remedies(plan: &Plan, factors: &Factors, allowed: &[(Check, Allowed)], units: u32) -> Vec<Remedy> {
    let failing = allowed.iter().filter(|(_, allowed)| allowed.fits <= units);
    failing.map(|&(check, _)| remedy(plan, factors, check, units + 1)).collect()
}

fn remedy(plan: &Plan, factors: &Factors, check: Check, wanted: u32) -> Remedy {
    if let Some(ratio) = check.ratio(plan, factors) {
        // A host must carry one unit more than the others if they do not divide evenly.
        let hosts = if check.is_of_host() { plan.scenario.active_hosts() } else { 1 };
        let need = f64::from(wanted.div_ceil(hosts)) * ratio.per_unit;
        let change = change_of_ratio(plan, factors, check, &ratio, need);
        return Remedy { check, lacking: (need - ratio.usable()).max(0.0), change };
    }
    let n = f64::from(wanted);
    match check {
        Check::Iops(pool) => {
            let state = super::pools::state(plan, factors, pool, n);
            let target = plan.scenario.policy.iops_target;
            let lacking = state.map_or(0.0, |s| (s.reads + s.writes - s.supply_iops * target).max(0.0));
            let enough = |trial: &Plan| check.allows(trial, factors, wanted);
            let change = disks_until(plan, pool, enough)
                .map_or(Change::Iops { iops: lacking / target }, |disks| Change::Disks { disks });
            Remedy { check, lacking, change }
        }
        Check::Latency(pool) => {
            let worst = rows::tightest(plan, factors, pool, n);
            let lacking = worst.and_then(|one| Some((one.latency_ms? - one.limit_ms).max(0.0))).unwrap_or(0.0);
            let enough = |trial: &Plan| latency::strain(trial, factors, pool, n) <= 1.0;
            let change = disks_until(plan, pool, enough).map_or(Change::FasterDisks, |disks| Change::Disks { disks });
            Remedy { check, lacking, change }
        }
        Check::Response(member) => {
            let limit = plan.scenario.unit[member].vm.transactions.and_then(|t| t.max_response_ms).unwrap_or(0.0);
            let predicted = response::predict(plan, factors, member, n).map_or(limit, |r| r.response_ms);
            Remedy { check, lacking: (predicted - limit).max(0.0), change: Change::Response }
        }
        _ => luns(plan, factors, check, wanted),
    }
}

fn change_of_ratio(plan: &Plan, factors: &Factors, check: Check, ratio: &Ratio, need: f64) -> Change {
    let scenario = plan.scenario;
    let supply_needed = need / ratio.target + ratio.reserved;
    // Rounded up, but not past a whole number by the last digit.
    let up = |value: f64| (value - 1e-9).ceil().max(1.0);
    let extra = supply_needed - ratio.supply;
    match check {
        Check::Memory => Change::Memory { gib: up(extra / MIB_PER_GIB) },
        Check::Cpu => {
            let core = scenario.host.core_rating * (1.0 + factors.smt_gain);
            // The root partition takes its share of added cores too.
            let cores = (need / ratio.target / (1.0 - scenario.policy.root_cpu) - ratio.supply) / core;
            Change::Cores { cores: up(cores) as u32 }
        }
        Check::Vcpus => Change::VcpuRatio { ratio: need / f64::from(scenario.host.threads()) },
        Check::HypervisorVms | Check::HypervisorVcpus => Change::Hosts { hosts: 1 },
        Check::Network => nics(scenario, NicUse::Vm, extra / MB_S_PER_GBPS),
        Check::BackupNetwork(_) => {
            let gbps = plan.backup_gbps.unwrap_or(1.0);
            nics(scenario, NicUse::Backup, gbps * (need / ratio.supply - 1.0))
        }
        Check::BackupPool(index, _) => match pool(plan, index) {
            Some(pool) => Change::Disks { disks: up(f64::from(pool.disks) * (need / ratio.supply - 1.0)) as u32 },
            None => Change::FasterDisks,
        },
        Check::Iops(index) => match pool(plan, index) {
            Some(pool) if pool.measured.is_empty() => {
                let disks = f64::from(pool.disks) * (supply_needed / ratio.supply - 1.0);
                Change::Disks { disks: whole_group(pool, up(disks) as u32) }
            }
            _ => Change::Iops { iops: extra },
        },
        Check::Capacity(index) => match pool(plan, index) {
            Some(pool) => {
                let data_share = pool.capacity_gib() / (f64::from(pool.disks) * pool.disk_gb * GIB_PER_GB);
                // Parity costs no disk more in a larger group.
                let share = match rules::write_penalty(pool.raid) > 2.0 && pool.hyperconverged.is_none() {
                    true => 1.0,
                    false => data_share,
                };
                let disks = extra / (pool.disk_gb * GIB_PER_GB * share);
                Change::Disks { disks: whole_group(pool, up(disks) as u32) }
            }
            None => Change::LunSpace { gib: extra },
        },
        Check::Luns | Check::LunSpace | Check::Latency(_) | Check::Response(_) => Change::FasterDisks,
    }
}

fn pool<'a>(plan: &Plan<'a>, index: usize) -> Option<&'a Pool> {
    plan.scenario.storage.as_ref()?.pools.get(index)
}

/// Added disks, made even where mirrors want pairs.
fn whole_group(pool: &Pool, disks: u32) -> u32 {
    let (_, even) = rules::disks_allowed(pool.raid);
    if even && pool.hyperconverged.is_none() { disks.next_multiple_of(2) } else { disks }
}

/// Adapters of the fastest kind that already carries the traffic.
fn nics(scenario: &Scenario, traffic: NicUse, gbps: f64) -> Change {
    let speeds = scenario.host.nics.iter().filter(|nic| nic.carries.contains(&traffic)).map(|nic| nic.speed_gbps);
    let speed = speeds.fold(0.0, f64::max);
    Change::Nics { count: ((gbps / speed) - 1e-9).ceil().max(1.0) as u32, gbps: speed }
}

/// The least number of disks to add until `enough` is true of the scenario with them; `None` if none is.
fn disks_until(plan: &Plan, index: usize, enough: impl Fn(&Plan) -> bool) -> Option<u32> {
    let pool = pool(plan, index).filter(|pool| pool.measured.is_empty())?;
    let with = |disks: u32| {
        let mut scenario = plan.scenario.clone();
        if let Some(storage) = &mut scenario.storage {
            storage.pools[index].disks = pool.disks + disks;
        }
        enough(&plan.with_other_disks(&scenario))
    };
    let step = whole_group(pool, 1);
    let (mut fails, mut fits) = (0, step);
    while !with(fits) {
        fails = fits;
        fits *= 2;
        if pool.disks + fits > MOST_DISKS {
            return None;
        }
    }
    while fits - fails > step {
        let middle = (fails + (fits - fails) / 2).next_multiple_of(step).min(fits - step);
        if with(middle) { fits = middle } else { fails = middle }
    }
    Some(fits)
}

fn luns(plan: &Plan, factors: &Factors, check: Check, wanted: u32) -> Remedy {
    let Layout::Assigned(assignment) = &plan.layout else {
        return Remedy { check, lacking: 1.0, change: Change::Controller };
    };
    let size =
        |item: &super::luns::Item| plan.scenario.unit[item.member].vm.volumes[item.volume].size_gib * plan.growth;
    let gib: f64 = assignment.unplaced.iter().map(size).sum();
    if check == Check::LunSpace {
        // What is lacking in all; with room enough in all but none in one place, the volumes that found none.
        let row = rows::row(plan, factors, check, check.allowed(plan, factors), 0);
        let need = f64::from(wanted) * row.per_unit.unwrap_or(0.0) - row.usable;
        let lacking = if need > 0.0 { need } else { gib };
        return Remedy {
            check,
            lacking,
            change: Change::LunSpace { gib: lacking / plan.scenario.policy.capacity_target },
        };
    }
    let luns = assignment.unplaced.len().max(1) as u32;
    Remedy { check, lacking: f64::from(luns), change: Change::Luns { luns, gib } }
}
