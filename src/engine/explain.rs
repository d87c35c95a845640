//! How the figures of a row are made: every factor with its name, unit and source.

use std::sync::Arc;

use crate::domain::choice::{Attach, CoefficientName, NicUse};
use crate::domain::rules;
use crate::domain::scenario::{DiskIops, Pool, UnitMember};
use crate::domain::units::{GIB_PER_GB, MB_PER_GIB, MB_S_PER_GBPS, MIB_PER_GIB, SECONDS_PER_HOUR};

use super::arithmetic::{Factor, Makes, Product, Source, Statement, Sum};
use super::factors::Factors;
use super::fit::{self, Check};
use super::outcome::Row;
use super::plan::{Plan, Resident};
use super::pools::{self, WritePath};
use super::{backup, demand, latency, response, rows};

/// Share by which a sum may differ from the figure it explains.
const ROUNDING: f64 = 1e-9;
/// Where the queue of a pool's disks is written.
const DISK_QUEUE_SOURCE: &str =
    "M/M/c queue, one server a disk: L. Kleinrock, Queueing Systems, volume I (1975), section 3.5";

/// Adds to a row how its figures are made, with `units` units on the hosts.
pub fn explain(plan: &Plan, factors: &Factors, row: &mut Row, units: u32) {
    // Where none fits, one is shown as it would be.
    let explain = Explain { plan, factors, units: units.max(1) };
    let mut made = Vec::new();
    let mut say = |makes, sum: Sum, total: f64, unit| {
        if !sum.0.is_empty() {
            made.push(Statement { makes, sum, total, unit });
        }
    };
    say(Makes::Supply, explain.supply(row.check), row.supply, row.unit);
    say(Makes::Reserved, explain.reserved(row), row.reserved, row.unit);
    if let Some(per_unit) = row.per_unit {
        say(Makes::PerUnit, explain.per_unit(row, per_unit), per_unit, row.unit);
    }
    made.extend(explain.times(row.check));
    row.arithmetic = made;
}

struct Explain<'a> {
    plan: &'a Plan<'a>,
    factors: &'a Factors,
    units: u32,
}

impl Explain<'_> {
    fn units(&self) -> f64 {
        f64::from(self.units)
    }

    fn pool(&self, index: usize) -> Option<&Pool> {
        self.plan.scenario.storage.as_ref()?.pools.get(index)
    }

    fn members(&self) -> impl Iterator<Item = (usize, &UnitMember)> {
        self.plan.scenario.unit.iter().enumerate()
    }

    /// The source of a coefficient's value.
    fn model(&self, name: CoefficientName, attach: Attach) -> Source {
        let coefficient = self.plan.scenario.overhead.coefficient(name, attach);
        coefficient.map_or(Source::Input, |c| Source::Model(c.source.clone()))
    }

    /// A product for each VM of a member.
    fn of_vms(&self, member: &UnitMember, factors: Vec<Factor>) -> Product {
        let mut product = Vec::new();
        if member.count > 1 {
            product.push(Factor::input("vms", f64::from(member.count), ""));
        }
        product.extend(factors);
        Product(product)
    }

    /// The same of a demand that grows.
    fn growing(&self, member: &UnitMember, mut factors: Vec<Factor>) -> Product {
        let policy = &self.plan.scenario.policy;
        if self.plan.growth != 1.0 {
            // Behind the figure that grows, before what it is divided by.
            let at = factors.iter().position(|factor| factor.divides).unwrap_or(factors.len());
            factors.insert(
                at,
                Factor::new("growth", 1.0 + policy.growth_per_year, "", Source::Policy).to_the(policy.years),
            );
        }
        self.of_vms(member, factors)
    }

    fn supply(&self, check: Check) -> Sum {
        let scenario = self.plan.scenario;
        let host = &scenario.host;
        match check {
            Check::Memory => Sum::of(vec![
                Factor::input("memory_gib", host.memory_gib, "GiB"),
                Factor::rule("mib_per_gib", MIB_PER_GIB, "MiB/GiB", ""),
            ]),
            Check::Cpu => Sum::of(self.host_cores()),
            Check::Vcpus | Check::HypervisorVcpus => {
                let ratio = match check {
                    Check::Vcpus => scenario.policy.max_vcpus_per_thread,
                    _ => scenario.overhead.limits.max_vcpus_per_thread,
                };
                Sum::of(vec![
                    Factor::input("threads", f64::from(host.threads()), "threads"),
                    Factor::new("vcpus_per_thread", ratio.unwrap_or(1.0), "vCPUs/thread", self.limit_source(check)),
                ])
            }
            Check::HypervisorVms => {
                let limit = f64::from(scenario.overhead.limits.max_vms_per_host.unwrap_or(0));
                Sum::of(vec![Factor::new("vm_limit", limit, "VMs", self.limit_source(check))])
            }
            Check::Network => Sum::of(vec![
                Factor::input("nic_gbps", host.gbps_for(NicUse::Vm).unwrap_or(0.0), "Gb/s"),
                Factor::rule("mb_s_per_gbps", MB_S_PER_GBPS, "MB/s per Gb/s", ""),
            ]),
            Check::BackupNetwork(member) | Check::BackupPool(_, member) => {
                let hours = scenario.unit[member].vm.backup.map_or(0.0, |backup| backup.window_h);
                Sum::of(vec![Factor::input("window", hours, "h")])
            }
            Check::Iops(pool) => self.pool_iops(pool),
            Check::Capacity(index) => self.pool(index).map(capacity).unwrap_or_default(),
            Check::Luns => {
                let luns = scenario.storage.as_ref().map_or(0, |storage| storage.luns.len());
                Sum::of(vec![Factor::input("luns", luns as f64, "LUNs")])
            }
            Check::LunSpace => self.shared_luns(),
            Check::Latency(_) | Check::Response(_) => Sum::default(),
        }
    }

    fn limit_source(&self, check: Check) -> Source {
        let limits = &self.plan.scenario.overhead.limits;
        match (check, limits.source.as_deref()) {
            (Check::HypervisorVms | Check::HypervisorVcpus, Some(source)) => Source::Model(Arc::from(source)),
            (Check::Vcpus, _) => Source::Policy,
            _ => Source::Input,
        }
    }

    fn host_cores(&self) -> Vec<Factor> {
        let host = &self.plan.scenario.host;
        let mut cores = vec![
            Factor::input("sockets", f64::from(host.sockets), ""),
            Factor::input("cores_per_socket", f64::from(host.cores_per_socket), "cores"),
        ];
        if host.core_rating != 1.0 {
            cores.push(Factor::input("core_rating", host.core_rating, ""));
        }
        if self.factors.smt_gain > 0.0 {
            cores.push(Factor::rule("smt_gain", 1.0 + self.factors.smt_gain, "", rules::SMT_GAIN.source));
        }
        cores
    }

    fn reserved(&self, row: &Row) -> Sum {
        let policy = &self.plan.scenario.policy;
        match row.check {
            _ if row.reserved == 0.0 => Sum::default(),
            Check::Memory => {
                let mut sum = Sum::default();
                if self.factors.memory_host > 0.0 {
                    let source = self.model(CoefficientName::MemoryHostMib, Attach::PassThrough);
                    sum = sum.and(vec![Factor::new("memory_host", self.factors.memory_host, "MiB", source)]);
                }
                if policy.root_memory_mib > 0.0 {
                    sum = sum.and(vec![Factor::new("root_memory", policy.root_memory_mib, "MiB", Source::Policy)]);
                }
                sum
            }
            Check::Cpu => {
                let share = Factor::new("root_cpu", policy.root_cpu, "", Source::Policy);
                Sum::of(vec![share, Factor::result("host_cores", row.supply, "cores")])
            }
            _ => Sum::default(),
        }
    }

    fn per_unit(&self, row: &Row, per_unit: f64) -> Sum {
        match row.check {
            Check::Memory => self.memory(),
            Check::Cpu => self.cpu(),
            Check::Vcpus | Check::HypervisorVcpus => {
                let of = |(_, member): (usize, &UnitMember)| {
                    self.of_vms(member, vec![Factor::input("vcpus", f64::from(member.vm.vcpus), "vCPUs")])
                };
                Sum(self.members().map(of).collect())
            }
            Check::HypervisorVms => {
                Sum::of(vec![Factor::input("vms", f64::from(self.plan.scenario.vms_per_unit()), "VMs")])
            }
            Check::Network => {
                let of = |(_, member): (usize, &UnitMember)| {
                    let rate = member.vm.network_mb_s.filter(|rate| *rate > 0.0)?;
                    Some(self.growing(member, vec![Factor::input("network", rate, "MB/s")]))
                };
                Sum(self.members().filter_map(of).collect())
            }
            Check::BackupNetwork(member) => self.backup_network(member),
            Check::BackupPool(pool, member) => self.backup_pool(pool, member),
            Check::Iops(pool) => self.or_average(self.guest_iops(pool), per_unit, "IOPS"),
            Check::Capacity(pool) => self.or_average(self.stored(pool), per_unit, "GiB"),
            Check::Luns => {
                let of = |(_, member): (usize, &UnitMember)| {
                    let volumes = member.vm.volumes.len() as f64;
                    self.of_vms(member, vec![Factor::input("volumes", volumes, "")])
                };
                Sum(self.members().filter(|(_, member)| !member.vm.volumes.is_empty()).map(of).collect())
            }
            Check::LunSpace => {
                let pools = self.plan.scenario.storage.as_ref().map_or(0, |storage| storage.pools.len());
                let shared = |resident: &&Resident| resident.attach != Attach::PassThrough;
                let all = (0..pools).flat_map(|pool| self.plan.residents(pool)).filter(shared);
                self.or_average(Sum(all.map(|resident| self.volume_size(resident)).collect()), per_unit, "GiB")
            }
            Check::Latency(_) | Check::Response(_) => Sum::default(),
        }
    }

    /// Where units lie differently, what one needs is the average of those there are.
    fn or_average(&self, sum: Sum, per_unit: f64, unit: &'static str) -> Sum {
        if (sum.value() - per_unit).abs() <= ROUNDING * per_unit.abs() {
            return sum;
        }
        let all = Factor::result("all_units", per_unit * self.units(), unit);
        Sum::of(vec![all, Factor::result("units", self.units(), "").under()])
    }

    fn cpu(&self) -> Sum {
        let mut sum = Sum::default();
        for (index, member) in self.members() {
            let attach = self.plan.cpu_attach[index];
            let fixed = self.factors.cpu_fixed[attach.index()];
            if fixed > 0.0 {
                let source = self.model(CoefficientName::CpuFixedCoresPerVcpu, attach);
                let vcpus = Factor::input("vcpus", f64::from(member.vm.vcpus), "");
                sum.0.push(self.of_vms(member, vec![vcpus, Factor::new("cpu_fixed", fixed, "cores", source)]));
            }
            let Some(cpu) = member.vm.cpu.filter(|cpu| cpu.cores() > 0.0) else { continue };
            let mut native =
                vec![Factor::input("busy_share", cpu.busy, ""), Factor::input("of_cores", cpu.of_cores, "cores")];
            if cpu.core_rating != 1.0 {
                native.push(Factor::input("source_rating", cpu.core_rating, ""));
            }
            let left = 1.0 - self.factors.cpu_loss[attach.index()];
            if left < 1.0 {
                native.push(Factor::new("cpu_left", left, "", self.model(CoefficientName::CpuLoss, attach)).under());
            }
            sum.0.push(self.growing(member, native));
        }
        sum
    }

    fn memory(&self) -> Sum {
        let mut sum = Sum::default();
        for (_, member) in self.members() {
            let gib = member.vm.memory_gib;
            let source = |name| self.model(name, Attach::PassThrough);
            let mut part = |factors| sum.0.push(self.of_vms(member, factors));
            part(vec![Factor::input("vm_memory", gib * MIB_PER_GIB, "MiB")]);
            if self.factors.memory_first > 0.0 {
                let source = source(CoefficientName::MemoryFirstGibMib);
                part(vec![Factor::new("memory_first_gib", self.factors.memory_first, "MiB", source)]);
            }
            let further = demand::further_gib(gib);
            if further > 0.0 && self.factors.memory_further > 0.0 {
                let source = source(CoefficientName::MemoryFurtherGibMib);
                let cost = Factor::new("memory_further_gib", self.factors.memory_further, "MiB", source);
                part(vec![Factor::input("further_gib", further, ""), cost]);
            }
        }
        sum
    }

    fn backup_network(&self, member: usize) -> Sum {
        let Some(window) = self.plan.scenario.unit[member].vm.backup.map(|b| b.window_h) else { return Sum::default() };
        let wire = rules::BACKUP_WIRE_MB_S_PER_GBPS.source;
        let mut sum = Sum::default();
        for (_, wanted) in self.members() {
            let Some(backup) = wanted.vm.backup.filter(|b| b.window_h <= window) else { continue };
            let mut product = vec![
                Factor::input("backup_gib", backup.size_gib, "GiB"),
                Factor::rule("mb_per_gib", MB_PER_GIB, "MB/GiB", ""),
                Factor::input("nic_gbps", self.plan.backup_gbps.unwrap_or(0.0), "Gb/s").under(),
                Factor::rule("backup_wire", self.factors.backup_wire, "MB/s per Gb/s", wire).under(),
                Factor::input("compression", backup.compression_ratio, "").under(),
            ];
            let left = 1.0 - self.factors.backup_loss;
            if left < 1.0 {
                let source = self.model(CoefficientName::BackupLoss, Attach::PassThrough);
                product.push(Factor::new("backup_left", left, "", source).under());
            }
            product.push(Factor::rule("seconds_per_hour", SECONDS_PER_HOUR, "s/h", "").under());
            sum.0.push(self.growing(wanted, product));
        }
        sum
    }

    fn backup_pool(&self, pool: usize, member: usize) -> Sum {
        let window = self.plan.scenario.unit[member].vm.backup.map(|b| b.window_h);
        let (Some(window), Some(disks)) = (window, self.pool(pool).map(|pool| f64::from(pool.disks))) else {
            return Sum::default();
        };
        let mut sum = Sum::default();
        for (index, wanted) in self.members() {
            let Some(backup) = wanted.vm.backup.filter(|b| b.window_h <= window) else { continue };
            let share = backup::stored_share(self.plan, index, pool);
            if share == 0.0 {
                continue;
            }
            let mut product = vec![Factor::input("backup_gib", backup.size_gib, "GiB")];
            if share < 1.0 {
                product.push(Factor::result("stored_share", share, ""));
            }
            product.extend([
                Factor::rule("mb_per_gib", MB_PER_GIB, "MB/GiB", ""),
                Factor::input("disks", disks, "disks").under(),
                Factor::rule("sequential", self.factors.sequential, "MB/s", fit::SEQUENTIAL_SOURCE).under(),
                Factor::rule("seconds_per_hour", SECONDS_PER_HOUR, "s/h", "").under(),
            ]);
            sum.0.push(self.growing(wanted, product));
        }
        sum
    }

    fn volume_size(&self, resident: &Resident) -> Product {
        let member = &self.plan.scenario.unit[resident.member];
        let size = member.vm.volumes[resident.volume].size_gib;
        self.growing(member, vec![Factor::input("volume_size", size, "GiB")])
    }

    fn stored(&self, pool: usize) -> Sum {
        Sum(self.plan.residents(pool).iter().map(|resident| self.volume_size(resident)).collect())
    }

    /// Sizes of the LUNs that hold virtual disks, equal ones together.
    fn shared_luns(&self) -> Sum {
        let Some(storage) = &self.plan.scenario.storage else { return Sum::default() };
        let mut sizes: Vec<(f64, f64)> = Vec::new();
        for lun in storage.luns.iter().filter(|lun| lun.attach != Attach::PassThrough) {
            match sizes.iter_mut().find(|(size, _)| *size == lun.size_gib) {
                Some((_, count)) => *count += 1.0,
                None => sizes.push((lun.size_gib, 1.0)),
            }
        }
        let mut sum = Sum::default();
        for (size, count) in sizes {
            sum = sum.and(vec![Factor::input("luns", count, "LUNs"), Factor::input("lun_size", size, "GiB")]);
        }
        sum
    }

    fn pool_iops(&self, index: usize) -> Sum {
        let (Some(pool), Some(state)) = (self.pool(index), pools::state(self.plan, self.factors, index, self.units()))
        else {
            return Sum::default();
        };
        if !pool.measured.is_empty() {
            return Sum::of(vec![Factor::input("measured_iops", state.supply_iops, "IOPS")]);
        }
        let mut supply = vec![Factor::input("disks", f64::from(pool.disks), "disks"), self.disk_iops(index, pool)];
        if let Some(operations) = operations(pool, &state) {
            supply.push(operations.under());
        }
        Sum::of(supply)
    }

    fn disk_iops(&self, index: usize, pool: &Pool) -> Factor {
        let per_disk = self.factors.disk_iops[index];
        match pool.iops_per_disk {
            DiskIops::Rule(_, source) => Factor::rule("iops_per_disk", per_disk, "IOPS", source),
            DiskIops::Given(_) | DiskIops::Unknown => Factor::input("iops_per_disk", per_disk, "IOPS"),
        }
    }

    fn guest_iops(&self, index: usize) -> Sum {
        let mut need = Sum::default();
        for resident in self.plan.residents(index) {
            let member = &self.plan.scenario.unit[resident.member];
            let volume = &member.vm.volumes[resident.volume];
            if volume.iops() == 0.0 {
                continue;
            }
            let mut product = vec![Factor::input("guest_iops", volume.iops(), "IOPS")];
            let left = 1.0 - self.factors.disk_loss[resident.attach.index()];
            if left < 1.0 {
                let source = self.model(CoefficientName::DiskLoss, resident.attach);
                product.push(Factor::new("disk_left", left, "", source).under());
            }
            need.0.push(self.growing(member, product));
        }
        need
    }

    /// What takes time, for limits of time.
    fn times(&self, check: Check) -> Vec<Statement> {
        match check {
            Check::Latency(pool) => self.latency(pool),
            Check::Response(member) => self.response(member),
            _ => Vec::new(),
        }
    }

    fn latency(&self, index: usize) -> Vec<Statement> {
        let (Some(pool), Some(state), Some(tightest)) = (
            self.pool(index),
            pools::state(self.plan, self.factors, index, self.units()),
            rows::tightest(self.plan, self.factors, index, self.units()),
        ) else {
            return Vec::new();
        };
        let mut made = Vec::new();
        let load = state.reads + state.writes;
        if pool.measured.is_empty()
            && let Some(operations) = operations(pool, &state)
        {
            let busy = Sum::of(vec![
                Factor::result("host_iops", load, "IOPS"),
                operations,
                Factor::input("disks", f64::from(pool.disks), "disks").under(),
                self.disk_iops(index, pool).under(),
            ]);
            let total = busy.value();
            made.push(Statement { makes: Makes::DiskBusy { units: self.units }, sum: busy, total, unit: "" });
        }
        let Some(total) = tightest.latency_ms else { return made };
        let resident = tightest.resident;
        let of_volume = latency::of_volume(self.plan, self.factors, &state, resident);
        let writes = of_volume.write_ms == Some(total);
        let volume = self.plan.scenario.unit[resident.member].vm.volumes[resident.volume].name.clone();
        let sum = self.latency_terms(index, pool, &state, resident.attach, writes);
        made.push(Statement { makes: Makes::Latency { units: self.units, volume, writes }, sum, total, unit: "ms" });
        made
    }

    /// A read or a write: what cache, disk and its queue take, and what virtualization adds.
    fn latency_terms(&self, index: usize, pool: &Pool, state: &pools::PoolState, attach: Attach, writes: bool) -> Sum {
        let mut sum = Sum::default();
        let cached = |ms| match pool.hyperconverged {
            Some(_) => Factor::input("flash_ms", ms, "ms"),
            None => Factor::rule("cached_ms", ms, "ms", rules::CACHED_WRITE_MS.source),
        };
        let disk = |sum: &mut Sum, share: Option<Factor>| {
            let Some(disk_ms) = state.disk_ms else { return };
            let service_ms = 1000.0 / self.factors.disk_iops[index];
            let parts = [
                Factor::result("disk_service", service_ms, "ms"),
                Factor::new("disk_wait", (disk_ms - service_ms).max(0.0), "ms", Source::Law(DISK_QUEUE_SOURCE)),
            ];
            for part in parts {
                sum.0.push(Product(share.iter().cloned().chain([part]).collect()));
            }
        };
        if state.disk_ms.is_none() {
            let measured = if writes { state.write_ms } else { state.read_ms };
            sum = sum.and(vec![Factor::input("measured_ms", measured.unwrap_or(0.0), "ms")]);
        } else if writes {
            match pools::write_path(pool) {
                WritePath::Cache(ms) => sum = sum.and(vec![cached(ms)]),
                WritePath::Disks { rounds } => {
                    let rounds = Factor::rule("rounds", rounds, "", rules::WRITE_PENALTY_SOURCE);
                    disk(&mut sum, Some(rounds).filter(|rounds| rounds.value > 1.0));
                }
            }
        } else {
            let share = |name, value| Some(Factor::result(name, value, "")).filter(|_| state.hit > 0.0);
            if state.hit > 0.0 {
                sum = sum.and(vec![Factor::result("hit", state.hit, ""), cached(pools::cached_read_ms(pool))]);
            }
            disk(&mut sum, share("miss", 1.0 - state.hit));
        }
        let (name, added) = match writes {
            true => (CoefficientName::WriteLatencyAddedMs, self.factors.write_added[attach.index()]),
            false => (CoefficientName::ReadLatencyAddedMs, self.factors.read_added[attach.index()]),
        };
        if added > 0.0 {
            sum = sum.and(vec![Factor::new("latency_added", added, "ms", self.model(name, attach))]);
        }
        sum
    }

    fn response(&self, member: usize) -> Vec<Statement> {
        let predicted = response::predict(self.plan, self.factors, member, self.units());
        let Some(response) = predicted else { return Vec::new() };
        let mut sum = Sum::default();
        let service_ms = response.cpu_service_ms;
        for (name, ms) in [
            ("cpu_service", service_ms),
            ("cpu_wait", response.cpu_ms - service_ms),
            ("disk_time", response.disk_ms),
            ("other_time", response.other_ms),
        ] {
            if ms > 0.0 {
                sum = sum.and(vec![Factor::result(name, ms, "ms")]);
            }
        }
        let makes = Makes::Response { units: self.units };
        vec![Statement { makes, sum, total: response.response_ms, unit: "ms" }]
    }
}

/// Disk operations an I/O; `None` for an idle pool.
fn operations(pool: &Pool, state: &pools::PoolState) -> Option<Factor> {
    let total = state.reads + state.writes;
    let operations = |share| pools::operations_per_io(pool, share, state.hit);
    let value = (total > 0.0).then(|| operations(state.reads / total))?;
    Some(Factor::rule("operations_per_io", value, "", rules::WRITE_PENALTY_SOURCE))
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
