//! The uncertain inputs of an answer, and one set of values for them.

use crate::domain::choice::{Attach, CoefficientName};
use crate::domain::overhead::OverheadModel;
use crate::domain::range::Range;
use crate::domain::rules;
use crate::domain::scenario::{DiskIops, Scenario};

/// An input whose value is known only as a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UncertainInput {
    /// A coefficient of the overhead model. Its variants by way of attaching move together.
    Coefficient(CoefficientName),
    SmtGain,
    /// IOPS of one disk of the pool with this index.
    DiskIops(usize),
    BackupWireRate,
    SequentialRate,
    /// CPU demand of one VM of the unit member with this index; each VM draws its own.
    CpuDemand(usize),
}

impl UncertainInput {
    /// Whether more of it is better for the planner. Overheads and demand are worse the larger they are.
    pub const fn more_is_better(self) -> bool {
        matches!(self, Self::SmtGain | Self::DiskIops(_) | Self::BackupWireRate | Self::SequentialRate)
    }
}

/// One value for every uncertain input. Entries by way of attaching are indexed by [`Attach::index`].
#[derive(Clone, Debug, PartialEq)]
pub struct Factors {
    /// Fraction.
    pub cpu_loss: [f64; 3],
    /// Cores a vCPU.
    pub cpu_fixed: [f64; 3],
    /// MiB a host.
    pub memory_host: f64,
    /// MiB a VM.
    pub memory_first: f64,
    /// MiB for each further GiB begun.
    pub memory_further: f64,
    /// Fraction.
    pub disk_loss: [f64; 3],
    /// ms an I/O.
    pub read_added: [f64; 3],
    /// ms an I/O.
    pub write_added: [f64; 3],
    /// Fraction.
    pub backup_loss: f64,
    /// ms.
    pub network_latency: f64,
    /// Fraction; 0 with one thread a core.
    pub smt_gain: f64,
    /// IOPS of one disk, by pool; 0 where only a measurement of the pool is known.
    pub disk_iops: Vec<f64>,
    /// MB/s on the wire for each Gb/s.
    pub backup_wire: f64,
    /// MB/s a spinning disk.
    pub sequential: f64,
    /// Multiplier of the CPU demand of every VM, by unit member; 1 at the likely value.
    pub cpu_demand: Vec<f64>,
}

impl Factors {
    /// The values that `at` picks from each range.
    pub fn pick(scenario: &Scenario, mut at: impl FnMut(UncertainInput, Range) -> f64) -> Self {
        use CoefficientName as Name;
        let model: &OverheadModel = &scenario.overhead;
        let mut one = |name| at(UncertainInput::Coefficient(name), model.range(name, Attach::PassThrough));
        let (memory_host, memory_first) = (one(Name::MemoryHostMib), one(Name::MemoryFirstGibMib));
        let (memory_further, backup_loss) = (one(Name::MemoryFurtherGibMib), one(Name::BackupLoss));
        let network_latency = one(Name::NetworkLatencyMs);
        let mut by_attach = |name| {
            [Attach::PassThrough, Attach::FixedVhd, Attach::DynamicVhd]
                .map(|attach| at(UncertainInput::Coefficient(name), model.range(name, attach)))
        };
        let (cpu_loss, cpu_fixed) = (by_attach(Name::CpuLoss), by_attach(Name::CpuFixedCoresPerVcpu));
        let disk_loss = by_attach(Name::DiskLoss);
        let (read_added, write_added) = (by_attach(Name::ReadLatencyAddedMs), by_attach(Name::WriteLatencyAddedMs));
        let smt_gain = match scenario.host.threads_per_core {
            1 => 0.0,
            _ => at(UncertainInput::SmtGain, rules::SMT_GAIN.range),
        };
        let pools = scenario.storage.iter().flat_map(|storage| &storage.pools);
        let disk_iops = pools
            .enumerate()
            .map(|(index, pool)| match pool.iops_per_disk {
                DiskIops::Given(iops) => iops,
                DiskIops::Rule(range, _) => at(UncertainInput::DiskIops(index), range),
                DiskIops::Unknown => 0.0,
            })
            .collect();
        Self {
            cpu_loss,
            cpu_fixed,
            memory_host,
            memory_first,
            memory_further,
            disk_loss,
            read_added,
            write_added,
            backup_loss,
            network_latency,
            smt_gain,
            disk_iops,
            backup_wire: at(UncertainInput::BackupWireRate, rules::BACKUP_WIRE_MB_S_PER_GBPS.range),
            sequential: at(UncertainInput::SequentialRate, rules::SEQUENTIAL_MB_S_PER_DISK.range),
            cpu_demand: scenario
                .unit
                .iter()
                .enumerate()
                .map(|(index, member)| {
                    let spread = member.vm.cpu.map_or(0.0, |cpu| cpu.spread);
                    at(UncertainInput::CpuDemand(index), Range::around(1.0, spread))
                })
                .collect(),
        }
    }

    /// Every input at its likely value.
    pub fn likely(scenario: &Scenario) -> Self {
        Self::pick(scenario, |_, range| range.likely())
    }

    /// Every input at the end that is worse for the planner: a lower bound of every draw.
    pub fn worst(scenario: &Scenario) -> Self {
        Self::pick(scenario, |input, range| if input.more_is_better() { range.low() } else { range.high() })
    }

    /// Every input at the end that is better for the planner: an upper bound of every draw.
    pub fn best(scenario: &Scenario) -> Self {
        Self::pick(scenario, |input, range| if input.more_is_better() { range.high() } else { range.low() })
    }

    /// The inputs of a scenario that are ranges, with their ranges; an input with several ranges (by way of attaching)
    /// comes once for each.
    pub fn uncertain(scenario: &Scenario) -> Vec<(UncertainInput, Range)> {
        let mut found = Vec::new();
        Self::pick(scenario, |input, range| {
            if !range.is_exact() {
                found.push((input, range));
            }
            range.likely()
        });
        found
    }
}
