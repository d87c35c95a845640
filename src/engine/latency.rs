//! Latency that a guest sees on its volumes: the pool's answer time under the load of all units, and what virtualization
//! adds to each I/O.

use super::factors::Factors;
use super::plan::{Plan, Resident};
use super::pools::{self, PoolState};

/// Predicted latency of one volume, ms; `None` where there is no such I/O or the pool cannot keep up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VolumeLatency {
    pub read_ms: Option<f64>,
    pub write_ms: Option<f64>,
    /// The pool cannot keep up, so there is no steady latency.
    pub saturated: bool,
}

impl VolumeLatency {
    /// The larger of the two: a limit holds for reads and writes alike.
    pub fn worst_ms(&self) -> Option<f64> {
        match (self.read_ms, self.write_ms) {
            _ if self.saturated => None,
            (Some(read), Some(write)) => Some(read.max(write)),
            (one, other) => one.or(other),
        }
    }
}

/// Latency of a volume on a pool in that state.
///
/// What is added to each I/O by way of attaching is a coefficient of the overhead model; "System resource costs on
/// Hyper-V" measured +0.373 ms a read and +0.117 ms a write on pass-through disks.
pub fn of_volume(plan: &Plan, factors: &Factors, state: &PoolState, resident: &Resident) -> VolumeLatency {
    let volume = &plan.scenario.unit[resident.member].vm.volumes[resident.volume];
    let attach = resident.attach.index();
    let read = state.read_ms.map(|ms| ms + factors.read_added[attach]).filter(|_| volume.read_iops > 0.0);
    let write = state.write_ms.map(|ms| ms + factors.write_added[attach]).filter(|_| volume.write_iops > 0.0);
    VolumeLatency { read_ms: read, write_ms: write, saturated: state.read_ms.is_none() || state.write_ms.is_none() }
}

/// Latency of the volume on the pool that is nearest to its limit, over that limit, under the load of so many units;
/// infinite where the pool cannot keep up.
pub fn strain(plan: &Plan, factors: &Factors, pool: usize, units: f64) -> f64 {
    let Some(state) = pools::state(plan, factors, pool, units) else { return 0.0 };
    let of = |(resident, limit): (&Resident, f64)| {
        let latency = of_volume(plan, factors, &state, resident);
        match latency.worst_ms() {
            Some(ms) => ms / limit,
            None if latency.saturated => f64::INFINITY,
            None => 0.0,
        }
    };
    limited(plan, pool).map(of).fold(0.0, f64::max)
}

/// Whether a volume on the pool has a latency limit.
pub fn is_limited(plan: &Plan, pool: usize) -> bool {
    limited(plan, pool).next().is_some()
}

/// The volumes on a pool that do I/O and have a limit, ms.
pub fn limited<'p>(plan: &'p Plan, pool: usize) -> impl Iterator<Item = (&'p Resident, f64)> {
    plan.residents(pool).iter().filter_map(|resident| {
        let volume = &plan.scenario.unit[resident.member].vm.volumes[resident.volume];
        volume.max_latency_ms.filter(|_| volume.iops() > 0.0).map(|limit| (resident, limit))
    })
}
