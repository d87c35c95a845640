//! Pools, their measurements, and LUNs.

use super::super::choice::{Attach, Controller, DiskType, Raid, Role};
use super::super::input::{HyperconvergedInput, LunInput, MOST_LUNS, MeasuredPointInput, PoolInput, StorageInput};
use super::super::problem::{Problem, ProblemKind};
use super::super::rules;
use super::super::scenario::{DiskIops, Hyperconverged, Lun, MeasuredPoint, Pool, Storage};
use super::super::units::GIB_PER_GB;
use super::{count, share};

/// How far a measured point may be from Little's law: benchmarks round what they print, and ramps blur it.
const LITTLE_TOLERANCE: f64 = 0.15;

pub(super) fn check(input: &StorageInput, found: &mut Vec<Problem>) -> Storage {
    let pools: Vec<Pool> = input.pools.iter().flatten().enumerate().map(|(i, p)| pool(p, i, found)).collect();
    for (index, pool) in pools.iter().enumerate() {
        if pools[..index].iter().any(|other| other.name == pool.name) {
            let pointer = format!("/storage/pools/{index}/name");
            found.push(Problem::new(pointer, Some(pool.name.clone()), ProblemKind::Duplicate));
        }
    }
    // A list that is too long is told as such, not entry by entry.
    let given = input.luns.as_deref().filter(|luns| luns.len() as u64 <= MOST_LUNS).unwrap_or_default();
    let luns: Vec<Lun> = given.iter().enumerate().map(|(i, l)| lun(l, i, &pools, found)).collect();
    let mut names = std::collections::HashSet::new();
    let mut carved = vec![0.0; pools.len()];
    for (index, lun) in luns.iter().enumerate() {
        if !names.insert(lun.name.as_str()) {
            let pointer = format!("/storage/luns/{index}/name");
            found.push(Problem::new(pointer, Some(lun.name.clone()), ProblemKind::Duplicate));
        }
        let (Some(total), Some(pool)) = (carved.get_mut(lun.pool), pools.get(lun.pool)) else { continue };
        let before = *total;
        *total += lun.size_gib;
        let pool_gib = pool.capacity_gib();
        // Told once a pool: at the first LUN that no longer fits.
        if before <= pool_gib && *total > pool_gib {
            let kind = ProblemKind::LunsExceedPool { luns_gib: *total, pool_gib };
            found.push(Problem::new(format!("/storage/luns/{index}/size_gib"), Some(lun.size_gib.to_string()), kind));
        }
    }
    Storage { pools, luns }
}

impl Pool {
    /// Capacity that data can use, GiB: after RAID, or after replicas and slack in hyper-converged storage.
    pub fn capacity_gib(&self) -> f64 {
        let raw = |disks: f64| disks * self.disk_gb * GIB_PER_GB;
        match self.hyperconverged {
            Some(shape) => raw(f64::from(self.disks)) / f64::from(1 + shape.failures_to_tolerate) * (1.0 - shape.slack),
            None => raw(rules::data_disks(self.raid, self.disks)),
        }
    }
}

fn pool(input: &PoolInput, index: usize, found: &mut Vec<Problem>) -> Pool {
    let pointer = |field: &str| format!("/storage/pools/{index}/{field}");
    let raid = input.raid.unwrap_or(Raid::Raid0);
    let disks = count(input.disks, 1);
    let disk_type = input.disk_type.unwrap_or(DiskType::Hdd15k);
    let (least, even) = rules::disks_allowed(raid);
    let complete = input.raid.is_some() && input.disks.is_some();
    if complete && input.hyperconverged.is_none() && (disks < least || (even && disks % 2 == 1)) {
        let kind = ProblemKind::RaidDisks { raid: raid.as_str(), least, even };
        found.push(Problem::new(pointer("disks"), Some(disks.to_string()), kind));
    }
    let measured = measured(input, &pointer("measured"), found);
    let iops_per_disk = match (input.iops_per_disk, rules::disk_iops(disk_type)) {
        (Some(iops), _) => DiskIops::Given(iops),
        (None, Some(rule)) => DiskIops::Rule(rule.range, rule.source),
        (None, None) => {
            if measured.is_empty() && input.disk_type.is_some() {
                found.push(Problem::new(pointer("iops_per_disk"), None, ProblemKind::NeedsIops));
            }
            DiskIops::Unknown
        }
    };
    Pool {
        name: input.name.clone().unwrap_or_default(),
        raid,
        disks,
        disk_type,
        disk_gb: input.disk_gb.unwrap_or(1.0),
        iops_per_disk,
        write_cache: input.write_cache.unwrap_or(false),
        read_cache_hit: share(input.read_cache_hit_percent, 0.0),
        measured,
        hyperconverged: input.hyperconverged.as_ref().map(hyperconverged),
    }
}

fn hyperconverged(input: &HyperconvergedInput) -> Hyperconverged {
    Hyperconverged {
        failures_to_tolerate: count(input.failures_to_tolerate, 1),
        slack: share(input.slack_percent, 0.30),
        flash_gb: input.flash_gb.unwrap_or(1.0),
        flash_latency_ms: input.flash_latency_ms.unwrap_or(1.0),
        working_set: share(input.working_set_percent, 1.0),
    }
}

/// The points at rising load. `validator` does not reach into this choice of shapes, so its rules are called here.
fn measured(input: &PoolInput, base: &str, found: &mut Vec<Problem>) -> Vec<MeasuredPoint> {
    let Some(measured) = &input.measured else { return Vec::new() };
    let one = matches!(measured, super::super::input::MeasuredInput::Point(_));
    let points = measured.points();
    if points.is_empty() || points.len() > 200 {
        found.push(Problem::new(base, None, ProblemKind::Length { min: Some(1), max: Some(200) }));
        return Vec::new();
    }
    let mut checked: Vec<MeasuredPoint> = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let base = if one { base.to_owned() } else { format!("{base}/{index}") };
        let before = found.len();
        super::super::read::apply_field_rules(point, &base, found);
        if found.len() == before {
            checked.push(measured_point(point, &base, found));
        }
    }
    checked.sort_by(|a, b| a.iops.total_cmp(&b.iops));
    checked
}

fn measured_point(input: &MeasuredPointInput, base: &str, found: &mut Vec<Problem>) -> MeasuredPoint {
    let (iops, latency_ms) = (input.iops.unwrap_or(1.0), input.latency_ms.unwrap_or(1.0));
    if let Some(outstanding) = input.outstanding {
        let implied = iops * latency_ms / 1000.0;
        if (implied / outstanding - 1.0).abs() > LITTLE_TOLERANCE {
            let kind = ProblemKind::LittlesLawDisk { outstanding, iops, latency_ms, implied };
            found.push(Problem::new(format!("{base}/outstanding"), Some(outstanding.to_string()), kind));
        }
    }
    MeasuredPoint {
        iops,
        reads: share(input.read_percent, 1.0),
        io_kib: input.io_kib,
        outstanding: input.outstanding,
        latency_ms,
    }
}

fn lun(input: &LunInput, index: usize, pools: &[Pool], found: &mut Vec<Problem>) -> Lun {
    let wanted = input.pool.clone().unwrap_or_default();
    let pool = pools.iter().position(|pool| pool.name == wanted);
    if pool.is_none() && input.pool.is_some() {
        let allowed = pools.iter().map(|pool| pool.name.clone()).collect();
        let kind = ProblemKind::NotOneOf { allowed };
        found.push(Problem::new(format!("/storage/luns/{index}/pool"), Some(wanted), kind));
    }
    let holds = input.holds.clone().filter(|roles| !roles.is_empty());
    Lun {
        name: input.name.clone().unwrap_or_else(|| format!("LUN {}", index + 1)),
        label: input.label.clone(),
        pool: pool.unwrap_or(0),
        size_gib: input.size_gib.unwrap_or(1.0),
        attach: input.attach.unwrap_or(Attach::PassThrough),
        controller: input.controller.unwrap_or(Controller::Scsi),
        holds: holds.unwrap_or_else(|| vec![Role::Any]),
    }
}
