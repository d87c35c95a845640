//! Backups: how long those of one unit take, over the network and from the disks.

use crate::domain::scenario::Scenario;
use crate::domain::units::{MB_PER_GIB, SECONDS_PER_HOUR};

use super::factors::Factors;
use super::luns;
use super::plan::Plan;

/// For each window in which backups must end: a unit member that has it.
pub fn windows(scenario: &Scenario) -> Vec<usize> {
    let mut found: Vec<(f64, usize)> = Vec::new();
    for (index, member) in scenario.unit.iter().enumerate() {
        let Some(backup) = member.vm.backup else { continue };
        if !found.iter().any(|(window, _)| *window == backup.window_h) {
            found.push((backup.window_h, index));
        }
    }
    found.into_iter().map(|(_, index)| index).collect()
}

/// GiB of one unit that must be backed up within the member's window, in all or from one pool.
///
/// Backups share what they share in order of their windows, so within a window all those with it or a shorter one count.
pub fn gib(plan: &Plan, member: usize, pool: Option<usize>) -> f64 {
    let Some(window) = plan.scenario.unit[member].vm.backup.map(|b| b.window_h) else { return 0.0 };
    let due = plan.scenario.unit.iter().enumerate().filter_map(|(index, m)| {
        let backup = m.vm.backup.filter(|b| b.window_h <= window)?;
        let share = pool.map_or(1.0, |pool| stored_share(plan, index, pool));
        Some(f64::from(m.count) * backup.size_gib * share)
    });
    due.sum::<f64>() * plan.growth
}

/// Share of a member's backup that is read from a pool: it reads the VM's volumes in proportion to their size.
pub fn stored_share(plan: &Plan, member: usize, pool: usize) -> f64 {
    let (mut here, mut all) = (0.0, 0.0);
    for (volume, size) in plan.scenario.unit[member].vm.volumes.iter().map(|v| v.size_gib).enumerate() {
        all += size;
        let place = plan.place(luns::Item { unit: 0, member, vm: 0, volume });
        here += if place.is_some_and(|place| place.pool == pool) { size } else { 0.0 };
    }
    if all > 0.0 { here / all } else { 0.0 }
}

/// Hours that the backups of one unit keep the network adapters busy.
///
/// Time = size / (wire rate × compression ratio × (1 − guest loss)). Source: "Running SQL Server 2008 in a Hyper-V
/// Environment": 50 to 60 MB/s native on one 1 Gb/s adapter, guests lose 10 to 15 %.
pub fn network_hours(plan: &Plan, factors: &Factors, member: usize) -> f64 {
    let Some(window) = plan.scenario.unit[member].vm.backup.map(|b| b.window_h) else { return 0.0 };
    let wire_mb_s = plan.backup_gbps.unwrap_or(0.0) * factors.backup_wire;
    let due = plan.scenario.unit.iter().filter_map(|m| {
        let backup = m.vm.backup.filter(|b| b.window_h <= window)?;
        let rate = wire_mb_s * backup.compression_ratio * (1.0 - factors.backup_loss);
        Some(f64::from(m.count) * backup.size_gib * plan.growth * MB_PER_GIB / rate / SECONDS_PER_HOUR)
    });
    due.sum()
}
