//! LUNs carved from the pools as needed, one a volume: which pool each volume of the unit comes from.
//!
//! With one pool there is nothing to choose. With several, the volumes are laid so that the pool which one unit uses most,
//! of its space or of its I/O, is used least: that is the layout of the most units. Every unit lies the same way.

use crate::domain::choice::{Attach, CoefficientName, Controller};
use crate::domain::rules;
use crate::domain::scenario::{DiskIops, Pool, Scenario, Storage, UnitMember, Volume};

use super::plan::Place;
use super::pools;

/// Layouts that are tried one by one; with more of them, volumes are laid one after another, the hardest first.
const MOST_LAYOUTS: usize = 4096;

/// What one volume of every VM of a member takes of a pool: shares of what may be planned with.
#[derive(Clone, Copy, Default)]
struct Claim {
    space: f64,
    io: f64,
}

impl Claim {
    fn and(self, other: Self) -> Self {
        Self { space: self.space + other.space, io: self.io + other.io }
    }

    fn worst(self) -> f64 {
        self.space.max(self.io)
    }
}

/// By unit member and volume.
pub fn carve(scenario: &Scenario, storage: &Storage) -> Vec<Vec<Place>> {
    let place = |volume: &Volume| Place {
        pool: 0,
        attach: volume.attach.unwrap_or(Attach::PassThrough),
        controller: volume.controller.unwrap_or(Controller::Scsi),
    };
    let mut places: Vec<Vec<Place>> =
        scenario.unit.iter().map(|member| member.vm.volumes.iter().map(place).collect()).collect();
    if storage.pools.len() == 1 {
        return places;
    }
    let volumes: Vec<(usize, usize)> =
        places.iter().enumerate().flat_map(|(member, v)| (0..v.len()).map(move |volume| (member, volume))).collect();
    // By volume and pool.
    let claims: Vec<Vec<Claim>> = volumes
        .iter()
        .map(|&(member, volume)| {
            let wanted = &scenario.unit[member];
            let of = |pool: &Pool| claim(scenario, wanted, &wanted.vm.volumes[volume], places[member][volume], pool);
            storage.pools.iter().map(of).collect()
        })
        .collect();
    let layouts = u32::try_from(volumes.len()).ok().and_then(|n| storage.pools.len().checked_pow(n));
    let layout = match layouts {
        Some(count) if count <= MOST_LAYOUTS => best_of_all(&claims, storage.pools.len(), count),
        _ => one_by_one(&claims, storage.pools.len()),
    };
    for ((member, volume), pool) in volumes.into_iter().zip(layout) {
        places[member][volume].pool = pool;
    }
    places
}

fn best_of_all(claims: &[Vec<Claim>], pools: usize, layouts: usize) -> Vec<usize> {
    // A layout's number, written with one digit a volume, is the pool of each.
    let digits = |number: usize| {
        let mut rest = number;
        claims.iter().map(move |_| {
            let pool = rest % pools;
            rest /= pools;
            pool
        })
    };
    let worst = |number: usize| {
        let mut used = vec![Claim::default(); pools];
        digits(number).zip(claims).for_each(|(pool, claim)| used[pool] = used[pool].and(claim[pool]));
        used.into_iter().map(Claim::worst).fold(0.0, f64::max)
    };
    let mut best = (0, f64::INFINITY);
    for number in 0..layouts {
        super::stop::point();
        let found = worst(number);
        if found < best.1 {
            best = (number, found);
        }
    }
    digits(best.0).collect()
}

fn one_by_one(claims: &[Vec<Claim>], pools: usize) -> Vec<usize> {
    let least = |claims: &[Claim]| claims.iter().map(|claim| claim.worst()).fold(f64::INFINITY, f64::min);
    let hardness: Vec<f64> = claims.iter().map(|claims| least(claims)).collect();
    let mut order: Vec<usize> = (0..claims.len()).collect();
    order.sort_by(|&a, &b| hardness[b].total_cmp(&hardness[a]).then(a.cmp(&b)));
    let mut used = vec![Claim::default(); pools];
    let mut layout = vec![0; claims.len()];
    for volume in order {
        super::stop::point();
        let after = |pool: usize| used[pool].and(claims[volume][pool]);
        let best = (0..pools).min_by(|&a, &b| after(a).worst().total_cmp(&after(b).worst()).then(a.cmp(&b)));
        let best = best.unwrap_or(0);
        used[best] = after(best);
        layout[volume] = best;
    }
    layout
}

fn claim(scenario: &Scenario, member: &UnitMember, volume: &Volume, place: Place, pool: &Pool) -> Claim {
    let (count, policy) = (f64::from(member.count), &scenario.policy);
    let loss = scenario.overhead.range(CoefficientName::DiskLoss, place.attach).likely();
    let operations = volume.read_iops * (1.0 - pool.read_cache_hit) + volume.write_iops * pools::penalty(pool);
    Claim {
        space: count * volume.size_gib / (pool.capacity_gib() * policy.capacity_target),
        io: count * operations / (1.0 - loss) / (operations_per_s(pool) * policy.iops_target),
    }
}

/// Disk operations a second that the pool is good for, at likely values.
fn operations_per_s(pool: &Pool) -> f64 {
    let disks = f64::from(pool.disks);
    match (&pool.iops_per_disk, pool.measured.last()) {
        (_, Some(point)) => point.iops * (point.reads + (1.0 - point.reads) * rules::write_penalty(pool.raid)),
        (DiskIops::Given(iops), None) => disks * iops,
        (DiskIops::Rule(range, _), None) => disks * range.likely(),
        (DiskIops::Unknown, None) => f64::INFINITY,
    }
}
