//! LUNs carved from the pools as needed, one a volume: which pool each volume of the unit comes from.
//!
//! With one pool there is nothing to choose. With several, volumes go where the pool's room and I/O are used least in
//! proportion, largest claim first; every unit lies the same way.

use crate::domain::choice::{Attach, Controller};
use crate::domain::rules;
use crate::domain::scenario::{DiskIops, Pool, Scenario, Storage};

use super::plan::Place;

/// By unit member and volume.
pub fn carve(scenario: &Scenario, storage: &Storage, growth: f64) -> Vec<Vec<Place>> {
    let mut places: Vec<Vec<Place>> = scenario
        .unit
        .iter()
        .map(|member| {
            let place = |volume: &crate::domain::scenario::Volume| Place {
                pool: 0,
                attach: volume.attach.unwrap_or(Attach::PassThrough),
                controller: volume.controller.unwrap_or(Controller::Scsi),
            };
            member.vm.volumes.iter().map(place).collect()
        })
        .collect();
    if storage.pools.len() == 1 {
        return places;
    }
    // Shares of each pool that one unit would take: of its capacity and of its disk operations.
    let claim = |member: usize, volume: usize, pool: &Pool| {
        let wanted = &scenario.unit[member];
        let volume = &wanted.vm.volumes[volume];
        let count = f64::from(wanted.count) * growth;
        let penalty = rules::write_penalty(pool.raid);
        let operations = volume.read_iops * (1.0 - pool.read_cache_hit) + volume.write_iops * penalty;
        (count * volume.size_gib / pool.capacity_gib(), count * operations / operations_per_s(pool))
    };
    let mut order: Vec<(usize, usize)> =
        places.iter().enumerate().flat_map(|(m, volumes)| (0..volumes.len()).map(move |v| (m, v))).collect();
    let least = |&(member, volume): &(usize, usize)| {
        let worst = |pool| {
            let (space, io) = claim(member, volume, pool);
            space.max(io)
        };
        storage.pools.iter().map(worst).fold(f64::INFINITY, f64::min)
    };
    order.sort_by(|a, b| least(b).total_cmp(&least(a)).then(a.cmp(b)));
    let mut used = vec![(0.0, 0.0); storage.pools.len()];
    for (member, volume) in order {
        let after = |index: usize| {
            let (space, io) = claim(member, volume, &storage.pools[index]);
            (used[index].0 + space, used[index].1 + io)
        };
        let best = (0..storage.pools.len()).min_by(|&a, &b| {
            let worst = |(space, io): (f64, f64)| f64::max(space, io);
            worst(after(a)).total_cmp(&worst(after(b))).then(a.cmp(&b))
        });
        let best = best.unwrap_or(0);
        used[best] = after(best);
        places[member][volume].pool = best;
    }
    places
}

/// Disk operations a second that the pool is good for, at likely values.
fn operations_per_s(pool: &Pool) -> f64 {
    let disks = f64::from(pool.disks);
    match (&pool.iops_per_disk, pool.measured.last()) {
        (_, Some(point)) => point.iops,
        (DiskIops::Given(iops), None) => disks * iops,
        (DiskIops::Rule(range, _), None) => disks * range.likely(),
        (DiskIops::Unknown, None) => f64::INFINITY,
    }
}
