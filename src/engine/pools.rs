//! What a disk pool can give, and how long it takes to answer.

use crate::domain::rules;
use crate::domain::scenario::{Hyperconverged, MeasuredPoint, Pool};
use crate::domain::units::GIB_PER_GB;

use super::demand::host_io;
use super::factors::Factors;
use super::plan::{Plan, PoolLoad};
use super::queueing::erlang;
use super::queueing::finite_source::stretch_when_busy;

/// Response of a pool to a load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoolState {
    /// Host reads and writes a second.
    pub reads: f64,
    pub writes: f64,
    /// Front-end IOPS that the pool can give at this mix.
    pub supply_iops: f64,
    /// Answer times at the host, without what virtualization adds; `None` when the pool cannot keep up.
    pub read_ms: Option<f64>,
    pub write_ms: Option<f64>,
    /// Answer time of a disk with its queue; `None` when it cannot keep up, or where only the whole pool was measured.
    pub disk_ms: Option<f64>,
    /// Share of reads that a cache answers.
    pub hit: f64,
}

impl PoolState {
    /// Front-end load over supply; 0 for an idle pool.
    pub fn utilization(&self) -> f64 {
        let load = self.reads + self.writes;
        if load > 0.0 { load / self.supply_iops } else { 0.0 }
    }
}

/// Disk operations that a front-end I/O costs on average: `r·(1 − hit) + (1 − r)·w`.
///
/// Front-end IOPS of a RAID pool are `n·d` over this. The form `raw·r + raw·(1 − r)/w`, also found, overstates.
pub fn operations_per_io(pool: &Pool, read_share: f64, hit: f64) -> f64 {
    read_share * (1.0 - hit) + (1.0 - read_share) * penalty(pool)
}

/// Disk operations of one write: the RAID penalty, or one for each copy in hyper-converged storage.
pub fn penalty(pool: &Pool) -> f64 {
    match pool.hyperconverged {
        Some(shape) => f64::from(1 + shape.failures_to_tolerate),
        None => rules::write_penalty(pool.raid),
    }
}

/// The pool under `units` units.
pub fn state(plan: &Plan, factors: &Factors, index: usize, units: f64) -> Option<PoolState> {
    state_at(plan, factors, index, units, Asking { intensity: 1.0, sources: None })
}

/// How a pool's load comes about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Asking {
    /// I/O relative to that of the measurement.
    pub intensity: f64,
    /// Users who each wait for one I/O before they ask again, where there is no other load: a closed queue.
    pub sources: Option<u32>,
}

/// The pool under `units` units that ask in such a way.
pub fn state_at(plan: &Plan, factors: &Factors, index: usize, units: f64, asking: Asking) -> Option<PoolState> {
    let pool = plan.scenario.storage.as_ref()?.pools.get(index)?;
    let mut load = plan.pool_load(index, units);
    load.reads = load.reads.map(|iops| iops * asking.intensity);
    load.writes = load.writes.map(|iops| iops * asking.intensity);
    Some(pool_state(pool, factors, factors.disk_iops[index], &load, asking.sources))
}

fn pool_state(pool: &Pool, factors: &Factors, disk_iops: f64, load: &PoolLoad, sources: Option<u32>) -> PoolState {
    let (reads, writes) = host_io(factors, load);
    let total = reads + writes;
    let read_share = if total > 0.0 { reads / total } else { 1.0 };
    let hit = pool.hyperconverged.map_or(pool.read_cache_hit, |shape| flash_hit(shape, load.stored));
    let operations = operations_per_io(pool, read_share, hit);
    if let Some(most) = pool.measured.last() {
        return measured_state(pool, most, reads, writes, operations);
    }
    let disks = f64::from(pool.disks);
    // All reads from cache: the disks set no limit.
    let supply_iops = if operations > 0.0 { disks * disk_iops / operations } else { f64::INFINITY };
    let disk_ms = match sources {
        Some(sources) => {
            let busy = total * operations / disk_iops / f64::from(sources);
            stretch_when_busy(sources, busy, pool.disks).map(|stretch| stretch / disk_iops * 1000.0)
        }
        None => erlang::mmc(total * operations, 1.0 / disk_iops, pool.disks).map(|queue| queue.response_s * 1000.0),
    };
    let cached_ms = cached_read_ms(pool);
    let read_ms = disk_ms.map(|ms| hit * cached_ms + (1.0 - hit) * ms);
    let write_ms = disk_ms.map(|ms| match write_path(pool) {
        WritePath::Cache(cached_ms) => cached_ms,
        WritePath::Disks { rounds } => rounds * ms,
    });
    PoolState { reads, writes, supply_iops, read_ms, write_ms, disk_ms, hit }
}

/// What a read that a cache answers takes, ms.
pub fn cached_read_ms(pool: &Pool) -> f64 {
    pool.hyperconverged.map_or(rules::CACHED_READ_MS.range.likely(), |shape| shape.flash_latency_ms)
}

/// What a write waits for.
pub enum WritePath {
    /// A cache, so many ms.
    Cache(f64),
    /// Disks, so many rounds one after the other.
    Disks { rounds: f64 },
}

/// What a write to a pool waits for.
pub fn write_path(pool: &Pool) -> WritePath {
    match pool.hyperconverged {
        Some(shape) => WritePath::Cache(shape.flash_latency_ms),
        None if pool.write_cache => WritePath::Cache(rules::CACHED_WRITE_MS.range.likely()),
        // Parity is read before it is written: two rounds. Mirrors write side by side: one.
        None if rules::write_penalty(pool.raid) > 2.0 => WritePath::Disks { rounds: 2.0 },
        None => WritePath::Disks { rounds: 1.0 },
    }
}

/// A measured pool: the largest measured rate is its supply, converted between mixes by the disk operations they cost,
/// and latency follows the measured points.
fn measured_state(pool: &Pool, most: &MeasuredPoint, reads: f64, writes: f64, operations: f64) -> PoolState {
    // The measured latency and rate have the cache's hits in them already; only the mix is converted.
    let cost = |read_share: f64| read_share + (1.0 - read_share) * penalty(pool);
    let total = reads + writes;
    let mix = if total > 0.0 { cost(reads / total) } else { operations.max(f64::MIN_POSITIVE) };
    let supply_iops = most.iops * cost(most.reads) / mix;
    let latency = latency_on_curve(&pool.measured, total * mix, |point| point.iops * cost(point.reads));
    PoolState { reads, writes, supply_iops, read_ms: latency, write_ms: latency, disk_ms: None, hit: 0.0 }
}

/// Latency at a load between measured points, straight between neighbours; the first point's below it, none behind the last.
fn latency_on_curve(points: &[MeasuredPoint], load: f64, load_of: impl Fn(&MeasuredPoint) -> f64) -> Option<f64> {
    let first = points.first()?;
    if load <= load_of(first) {
        return Some(first.latency_ms);
    }
    points.windows(2).find(|pair| load <= load_of(&pair[1])).map(|pair| {
        let (from, to) = (load_of(&pair[0]), load_of(&pair[1]));
        let part = if to > from { (load - from) / (to - from) } else { 1.0 };
        pair[0].latency_ms + (pair[1].latency_ms - pair[0].latency_ms) * part
    })
}

/// Share of reads that the flash tier answers: its read cache over the working set, at most all.
pub fn flash_hit(shape: Hyperconverged, stored_gib: f64) -> f64 {
    let cache_gib = rules::FLASH_READ_SHARE * shape.flash_gb * GIB_PER_GB;
    let working_set_gib = stored_gib * shape.working_set;
    if working_set_gib > cache_gib { cache_gib / working_set_gib } else { 1.0 }
}
