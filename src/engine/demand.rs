//! Native demand to host demand: what one unit costs the host.

use crate::domain::units::MIB_PER_GIB;

use super::factors::Factors;
use super::plan::{Plan, PoolLoad};

/// Host CPU of one VM of a member, in cores of rating 1.0: `g = f·v + d / (1 − l)`.
///
/// `f` is the fixed cost of a vCPU, `v` the VM's vCPUs, `d` its native demand, `l` the proportional loss. Sources: "System
/// resource costs on Hyper-V" (9–12 % loss) and "Running SQL Server 2008 in a Hyper-V Environment", table 4 (both terms).
pub fn vm_cpu(plan: &Plan, factors: &Factors, member: usize) -> f64 {
    let attach = plan.cpu_attach[member].index();
    let native = native_cpu(plan, member) * factors.cpu_demand[member];
    vm_fixed_cpu(plan, factors, member) + native / (1.0 - factors.cpu_loss[attach])
}

/// The part of [`vm_cpu`] that does not depend on load.
pub fn vm_fixed_cpu(plan: &Plan, factors: &Factors, member: usize) -> f64 {
    f64::from(plan.scenario.unit[member].vm.vcpus) * factors.cpu_fixed[plan.cpu_attach[member].index()]
}

/// Native demand of one VM with growth, in cores of rating 1.0.
pub fn native_cpu(plan: &Plan, member: usize) -> f64 {
    plan.scenario.unit[member].vm.cpu.map_or(0.0, |cpu| cpu.cores()) * plan.growth
}

/// Host CPU of one unit, in cores of rating 1.0.
pub fn unit_cpu(plan: &Plan, factors: &Factors) -> f64 {
    let members = plan.scenario.unit.iter().enumerate();
    members.map(|(index, member)| f64::from(member.count) * vm_cpu(plan, factors, index)).sum()
}

/// Host memory of one unit, MiB: each VM's RAM, the cost of its first GiB, and that of each further GiB begun.
///
/// Source: "System resource costs on Hyper-V": 32 MB for the first GB of RAM and 8 MB for each additional GB.
pub fn unit_memory(plan: &Plan, factors: &Factors) -> f64 {
    let of = |gib: f64| gib * MIB_PER_GIB + factors.memory_first + further_gib(gib) * factors.memory_further;
    plan.scenario.unit.iter().map(|member| f64::from(member.count) * of(member.vm.memory_gib)).sum()
}

/// GiB begun behind the first.
pub fn further_gib(gib: f64) -> f64 {
    (gib.ceil() - 1.0).max(0.0)
}

/// vCPUs of one unit.
pub fn unit_vcpus(plan: &Plan) -> f64 {
    plan.scenario.unit.iter().map(|member| f64::from(member.count) * f64::from(member.vm.vcpus)).sum()
}

/// Network traffic of one unit, MB/s; `None` when no VM names any.
pub fn unit_network(plan: &Plan) -> Option<f64> {
    let given = plan.scenario.unit.iter().filter_map(|m| Some(f64::from(m.count) * m.vm.network_mb_s?));
    let mut given = given.peekable();
    given.peek()?;
    Some(given.sum::<f64>() * plan.growth)
}

/// Host reads and writes a second that a pool's load costs: guest I/O over one minus the disk loss.
///
/// Source: "System resource costs on Hyper-V": a pass-through disk gives a guest 92 to 94 % of the native I/O.
pub fn host_io(factors: &Factors, load: &PoolLoad) -> (f64, f64) {
    let host = |guest: &[f64; 3]| guest.iter().zip(&factors.disk_loss).map(|(iops, loss)| iops / (1.0 - loss)).sum();
    (host(&load.reads), host(&load.writes))
}
