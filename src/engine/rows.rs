//! A row of the answer for each limit, with its arithmetic.

use crate::domain::choice::{Attach, CoefficientName, NicUse};
use crate::domain::rules;
use crate::domain::scenario::{DiskIops, Pool};
use crate::domain::units::{GIB_PER_GB, MB_PER_GIB, MB_S_PER_GBPS, MIB_PER_GIB, SECONDS_PER_HOUR};

use super::arithmetic::{Factor, Source, Sum};
use super::demand;
use super::factors::Factors;
use super::fit::{self, Allowed, Check};
use super::latency;
use super::outcome::Row;
use super::plan::{Layout, Plan};
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
        supply_terms: Sum::default(),
        per_unit_terms: Sum::default(),
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
            let shown = n.max(1.0);
            let Some((limit, worst)) = tightest(plan, factors, pool, shown) else { return };
            row.supply = limit;
            row.usable = limit;
            row.used = worst.unwrap_or(limit * 10.0);
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

/// The volume on a pool that is nearest to its limit: limit and predicted latency, ms (`None` when saturated).
pub fn tightest(plan: &Plan, factors: &Factors, pool: usize, units: f64) -> Option<(f64, Option<f64>)> {
    let state = pools::state(plan, factors, pool, units)?;
    let volumes = latency::limited(plan, pool)
        .map(|(resident, limit)| (limit, latency::of_volume(plan, factors, &state, resident).worst_ms()));
    volumes.max_by(|a, b| {
        let share = |(limit, ms): &(f64, Option<f64>)| ms.map_or(f64::INFINITY, |ms| ms / limit);
        share(a).total_cmp(&share(b))
    })
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

/// Adds to a row how its supply and the need of one unit are made.
pub fn explain(plan: &Plan, factors: &Factors, row: &mut Row) {
    (row.supply_terms, row.per_unit_terms) = terms(plan, factors, row.check);
}

/// How supply and need of one unit are made, as sums of products.
fn terms(plan: &Plan, factors: &Factors, check: Check) -> (Sum, Sum) {
    let scenario = plan.scenario;
    let host = &scenario.host;
    let pool_of = |index: usize| scenario.storage.as_ref().map(|storage| &storage.pools[index]);
    match check {
        Check::Memory => {
            let supply = vec![
                Factor::input("memory_gib", host.memory_gib, "GiB"),
                Factor::rule("mib_per_gib", MIB_PER_GIB, "MiB/GiB", ""),
            ];
            (Sum::of(supply), demand::unit_memory_terms(plan, factors))
        }
        Check::Cpu => {
            let mut supply = vec![
                Factor::input("sockets", f64::from(host.sockets), ""),
                Factor::input("cores_per_socket", f64::from(host.cores_per_socket), "cores"),
            ];
            if host.core_rating != 1.0 {
                supply.push(Factor::input("core_rating", host.core_rating, ""));
            }
            if factors.smt_gain > 0.0 {
                let gain = 1.0 + factors.smt_gain;
                supply.push(Factor::rule("smt_gain", gain, "", rules::SMT_GAIN.source));
            }
            (Sum::of(supply), demand::unit_cpu_terms(plan, factors))
        }
        Check::Vcpus | Check::HypervisorVcpus => {
            let ratio = match check {
                Check::Vcpus => scenario.policy.max_vcpus_per_thread,
                _ => scenario.overhead.limits.max_vcpus_per_thread,
            };
            let supply = vec![
                Factor::input("threads", f64::from(host.threads()), "threads"),
                Factor::input("vcpus_per_thread", ratio.unwrap_or(1.0), "vCPUs/thread"),
            ];
            (Sum::of(supply), Sum::of(vec![Factor::input("vcpus", demand::unit_vcpus(plan), "vCPUs")]))
        }
        Check::HypervisorVms => {
            let limit = f64::from(scenario.overhead.limits.max_vms_per_host.unwrap_or(0));
            let source = scenario.overhead.limits.source.as_deref().map(std::sync::Arc::from);
            let factor = Factor::input("vm_limit", limit, "VMs");
            let factor = source.map_or(factor.clone(), |s| Factor { source: Source::Model(s), ..factor });
            let per_unit = Factor::input("vms", f64::from(scenario.vms_per_unit()), "VMs");
            (Sum::of(vec![factor]), Sum::of(vec![per_unit]))
        }
        Check::Network => {
            let gbps = host.gbps_for(NicUse::Vm).unwrap_or(0.0);
            let supply = vec![
                Factor::input("nic_gbps", gbps, "Gb/s"),
                Factor::rule("mb_s_per_gbps", MB_S_PER_GBPS, "MB/s per Gb/s", ""),
            ];
            let need = demand::unit_network(plan).unwrap_or(0.0);
            (Sum::of(supply), Sum::of(vec![Factor::input("network", need, "MB/s")]))
        }
        Check::BackupNetwork(member) => (window(plan, member), backup_network(plan, factors, member)),
        Check::BackupPool(pool, member) => {
            let Some(disks) = pool_of(pool).map(|pool| f64::from(pool.disks)) else { return Default::default() };
            let hours = check.ratio(plan, factors).map_or(0.0, |ratio| ratio.per_unit);
            let rate = disks * factors.sequential;
            let need = vec![
                Factor::input("backup_mb", hours * rate * SECONDS_PER_HOUR, "MB"),
                Factor::input("disks", disks, "disks").under(),
                Factor::rule("sequential", factors.sequential, "MB/s", fit::SEQUENTIAL_SOURCE).under(),
                Factor::rule("seconds_per_hour", SECONDS_PER_HOUR, "s/h", "").under(),
            ];
            (window(plan, member), Sum::of(need))
        }
        Check::Iops(pool) => iops(plan, factors, pool),
        Check::Capacity(index) => {
            let Some(pool) = pool_of(index) else { return Default::default() };
            let mut need = Sum::default();
            for resident in plan.residents(index) {
                let member = &scenario.unit[resident.member];
                let mut product = Vec::new();
                if member.count > 1 {
                    product.push(Factor::input("vms", f64::from(member.count), ""));
                }
                let size = member.vm.volumes[resident.volume].size_gib * plan.growth;
                product.push(Factor::input("volume_size", size, "GiB"));
                need = need.and(product);
            }
            (capacity(pool), need)
        }
        Check::Luns | Check::LunSpace | Check::Latency(_) | Check::Response(_) => Default::default(),
    }
}

fn window(plan: &Plan, member: usize) -> Sum {
    let hours = plan.scenario.unit[member].vm.backup.map_or(0.0, |backup| backup.window_h);
    Sum::of(vec![Factor::input("window", hours, "h")])
}

fn backup_network(plan: &Plan, factors: &Factors, member: usize) -> Sum {
    let scenario = plan.scenario;
    let Some(window) = scenario.unit[member].vm.backup.map(|b| b.window_h) else { return Sum::default() };
    let model = &scenario.overhead;
    let source = model.coefficient(CoefficientName::BackupLoss, Attach::PassThrough);
    let mut sum = Sum::default();
    for wanted in &scenario.unit {
        let Some(backup) = wanted.vm.backup.filter(|b| b.window_h <= window) else { continue };
        let size = f64::from(wanted.count) * backup.size_gib * plan.growth;
        let wire = rules::BACKUP_WIRE_MB_S_PER_GBPS.source;
        let mut product = vec![
            Factor::input("backup_gib", size, "GiB"),
            Factor::rule("mb_per_gib", MB_PER_GIB, "MB/GiB", ""),
            Factor::input("nic_gbps", plan.backup_gbps.unwrap_or(0.0), "Gb/s").under(),
            Factor::rule("backup_wire", factors.backup_wire, "MB/s per Gb/s", wire).under(),
            Factor::input("compression", backup.compression_ratio, "").under(),
        ];
        if let Some(coefficient) = source {
            let left = 1.0 - factors.backup_loss;
            product.push(Factor::model("backup_left", left, "", &coefficient.source).under());
        }
        product.push(Factor::rule("seconds_per_hour", SECONDS_PER_HOUR, "s/h", "").under());
        sum = sum.and(product);
    }
    sum
}

/// Capacity of a pool: disks for data × size, or raw over copies, less slack.
fn capacity(pool: &Pool) -> Sum {
    let mut product = Vec::new();
    match pool.hyperconverged {
        Some(shape) => {
            product.push(Factor::input("disks", f64::from(pool.disks), "disks"));
            product.push(Factor::input("copies", f64::from(1 + shape.failures_to_tolerate), "").under());
            product.push(Factor::input("without_slack", 1.0 - shape.slack, ""));
        }
        None => {
            let disks = rules::data_disks(pool.raid, pool.disks);
            product.push(Factor::rule("data_disks", disks, "disks", rules::WRITE_PENALTY_SOURCE));
        }
    }
    product.push(Factor::input("disk_gb", pool.disk_gb, "GB"));
    product.push(Factor::rule("gib_per_gb", GIB_PER_GB, "GiB/GB", ""));
    Sum::of(product)
}

fn iops(plan: &Plan, factors: &Factors, index: usize) -> (Sum, Sum) {
    let Some(pool) = plan.scenario.storage.as_ref().map(|storage| &storage.pools[index]) else {
        return Default::default();
    };
    let Some(state) = pools::state(plan, factors, index, 1.0) else { return Default::default() };
    let total = state.reads + state.writes;
    let mut supply = Vec::new();
    if pool.measured.is_empty() {
        let per_disk = factors.disk_iops[index];
        supply.push(Factor::input("disks", f64::from(pool.disks), "disks"));
        supply.push(match pool.iops_per_disk {
            DiskIops::Rule(_, source) => Factor::rule("iops_per_disk", per_disk, "IOPS", source),
            DiskIops::Given(_) | DiskIops::Unknown => Factor::input("iops_per_disk", per_disk, "IOPS"),
        });
        if total > 0.0 {
            let operations = pools::operations_per_io(pool, state.reads / total, state.hit);
            supply.push(Factor::rule("operations_per_io", operations, "", rules::WRITE_PENALTY_SOURCE).under());
        }
    } else {
        supply.push(Factor::input("measured_iops", state.supply_iops, "IOPS"));
    }
    let model = &plan.scenario.overhead;
    let mut need = Sum::default();
    for resident in plan.residents(index) {
        let member = &plan.scenario.unit[resident.member];
        let volume = &member.vm.volumes[resident.volume];
        if volume.iops() == 0.0 {
            continue;
        }
        let mut product = vec![Factor::input("guest_iops", volume.iops() * plan.growth, "IOPS")];
        if member.count > 1 {
            product.insert(0, Factor::input("vms", f64::from(member.count), ""));
        }
        let loss = factors.disk_loss[resident.attach.index()];
        if let Some(coefficient) = model.coefficient(CoefficientName::DiskLoss, resident.attach) {
            product.push(Factor::model("disk_left", 1.0 - loss, "", &coefficient.source).under());
        }
        need = need.and(product);
    }
    (Sum::of(supply), need)
}
