//! A row of the answer for each limit.

use crate::domain::choice::Attach;

use super::factors::Factors;
use super::fit::{Allowed, Check};
use super::latency;
use super::outcome::Row;
use super::plan::{Layout, Plan, Resident};
use super::pools;
use super::response;

/// The row of a check that allows so many, when `units` units are on the hosts.
pub fn row(plan: &Plan, factors: &Factors, check: Check, allowed: Allowed, units: u32) -> Row {
    let mut row = Row {
        check,
        unit: unit(check),
        supply: 0.0,
        reserved: 0.0,
        usable: 0.0,
        per_unit: None,
        used: 0.0,
        utilization: 0.0,
        limit: 1.0,
        fits: allowed.fits,
        unrounded: allowed.unrounded,
        arithmetic: Vec::new(),
        target: None,
    };
    if let Some(ratio) = check.ratio(plan, factors) {
        let hosts = if check.is_of_host() { plan.scenario.active_hosts() } else { 1 };
        row.supply = ratio.supply;
        row.reserved = ratio.reserved;
        row.usable = ratio.usable();
        row.per_unit = Some(ratio.per_unit);
        row.used = f64::from(units.div_ceil(hosts)) * ratio.per_unit;
        row.limit = ratio.target;
        row.target = (ratio.target < 1.0 || ratio.reserved > 0.0).then_some(ratio.target);
    } else {
        fill(plan, factors, check, units, &mut row);
    }
    let whole = row.supply - row.reserved;
    row.utilization = if whole > 0.0 { row.used / whole } else { f64::from(u8::from(row.used > 0.0)) };
    row
}

/// Rows of limits that are no ratio.
fn fill(plan: &Plan, factors: &Factors, check: Check, units: u32, row: &mut Row) {
    let n = f64::from(units);
    match check {
        Check::Iops(pool) => {
            // The supply depends on the number of units: shown at the likely fit, or at one where none fits.
            let shown = n.max(1.0);
            let Some(state) = pools::state(plan, factors, pool, shown) else { return };
            row.supply = state.supply_iops;
            row.limit = plan.scenario.policy.iops_target;
            row.target = Some(row.limit);
            row.usable = row.supply * row.limit;
            row.per_unit = Some((state.reads + state.writes) / shown);
            row.used = if units > 0 { state.reads + state.writes } else { 0.0 };
        }
        Check::Latency(pool) => {
            let Some(tightest) = tightest(plan, factors, pool, n.max(1.0)) else { return };
            row.supply = tightest.limit_ms;
            row.usable = tightest.limit_ms;
            row.used = tightest.latency_ms.unwrap_or(tightest.limit_ms * 10.0);
        }
        Check::Response(member) => {
            let limit = plan.scenario.unit[member].vm.transactions.and_then(|t| t.max_response_ms).unwrap_or(0.0);
            row.supply = limit;
            row.usable = limit;
            let predicted = response::predict(plan, factors, member, n.max(1.0));
            row.used = predicted.map_or(limit * 10.0, |response| response.response_ms);
        }
        Check::Luns | Check::LunSpace => luns(plan, check, n, row),
        _ => {}
    }
}

/// The volume on a pool that is nearest to its limit.
pub struct Tightest<'p> {
    pub resident: &'p Resident,
    pub limit_ms: f64,
    /// `None` when the pool cannot keep up.
    pub latency_ms: Option<f64>,
}

/// The volume on a pool that is nearest to its limit, with so many units.
pub fn tightest<'p>(plan: &'p Plan, factors: &Factors, pool: usize, units: f64) -> Option<Tightest<'p>> {
    let state = pools::state(plan, factors, pool, units)?;
    let volumes = latency::limited(plan, pool).map(|(resident, limit_ms)| Tightest {
        resident,
        limit_ms,
        latency_ms: latency::of_volume(plan, factors, &state, resident).worst_ms(),
    });
    let share = |one: &Tightest| one.latency_ms.map_or(f64::INFINITY, |ms| ms / one.limit_ms);
    volumes.max_by(|a, b| share(a).total_cmp(&share(b)))
}

fn luns(plan: &Plan, check: Check, units: f64, row: &mut Row) {
    let (Layout::Assigned(assignment), Some(storage)) = (&plan.layout, &plan.scenario.storage) else { return };
    let shared = |lun: usize| storage.luns[lun].attach != Attach::PassThrough;
    let volume_size =
        |item: &super::luns::Item| plan.scenario.unit[item.member].vm.volumes[item.volume].size_gib * plan.growth;
    if check == Check::Luns {
        row.supply = storage.luns.len() as f64;
        row.usable = row.supply;
        row.per_unit = Some(plan.volumes().map(|(_, _, member, _)| f64::from(member.count)).sum());
    } else {
        row.supply = storage.luns.iter().filter(|l| l.attach != Attach::PassThrough).map(|l| l.size_gib).sum();
        row.limit = plan.scenario.policy.capacity_target;
        row.target = Some(row.limit);
        row.usable = row.supply * row.limit;
        let on_shared = assignment.placed.iter().filter(|(_, lun)| shared(*lun));
        let placed: f64 = on_shared.map(|(item, _)| volume_size(item)).sum();
        let all: f64 = plan.volumes().map(|(_, _, m, v)| f64::from(m.count) * v.size_gib * plan.growth).sum();
        row.per_unit = Some(if assignment.units > 0 { placed / f64::from(assignment.units) } else { all });
    }
    row.used = units * row.per_unit.unwrap_or(0.0);
}

const fn unit(check: Check) -> &'static str {
    match check {
        Check::Memory => "MiB",
        Check::Cpu => "cores",
        Check::Vcpus | Check::HypervisorVcpus => "vCPUs",
        Check::HypervisorVms => "VMs",
        Check::Network => "MB/s",
        Check::BackupNetwork(_) | Check::BackupPool(..) => "h",
        Check::Iops(_) => "IOPS",
        Check::Capacity(_) | Check::LunSpace => "GiB",
        Check::Luns => "LUNs",
        Check::Latency(_) | Check::Response(_) => "ms",
    }
}
