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

/// The place of one value in [`Factors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    CpuLoss(usize),
    CpuFixed(usize),
    MemoryHost,
    MemoryFirst,
    MemoryFurther,
    DiskLoss(usize),
    ReadAdded(usize),
    WriteAdded(usize),
    BackupLoss,
    NetworkLatency,
    SmtGain,
    DiskIops(usize),
    BackupWire,
    Sequential,
    CpuDemand(usize),
}

/// One value of a scenario that the laws need, and what is known of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    pub input: UncertainInput,
    pub slot: Slot,
    pub range: Range,
}

impl Factors {
    /// Every value that the laws need of a scenario.
    pub fn known(scenario: &Scenario) -> Vec<Known> {
        use CoefficientName as Name;
        let model: &OverheadModel = &scenario.overhead;
        let mut known = Vec::with_capacity(32);
        let mut add = |input, slot, range| known.push(Known { input, slot, range });
        for (name, slot) in [
            (Name::MemoryHostMib, Slot::MemoryHost),
            (Name::MemoryFirstGibMib, Slot::MemoryFirst),
            (Name::MemoryFurtherGibMib, Slot::MemoryFurther),
            (Name::BackupLoss, Slot::BackupLoss),
            (Name::NetworkLatencyMs, Slot::NetworkLatency),
        ] {
            add(UncertainInput::Coefficient(name), slot, model.range(name, Attach::PassThrough));
        }
        type SlotOf = fn(usize) -> Slot;
        let by_attach: [(Name, SlotOf); 5] = [
            (Name::CpuLoss, Slot::CpuLoss),
            (Name::CpuFixedCoresPerVcpu, Slot::CpuFixed),
            (Name::DiskLoss, Slot::DiskLoss),
            (Name::ReadLatencyAddedMs, Slot::ReadAdded),
            (Name::WriteLatencyAddedMs, Slot::WriteAdded),
        ];
        for (name, slot) in by_attach {
            for attach in Attach::ALL {
                add(UncertainInput::Coefficient(name), slot(attach.index()), model.range(name, *attach));
            }
        }
        if scenario.host.threads_per_core > 1 {
            add(UncertainInput::SmtGain, Slot::SmtGain, rules::SMT_GAIN.range);
        }
        for (index, pool) in scenario.storage.iter().flat_map(|storage| &storage.pools).enumerate() {
            let range = match pool.iops_per_disk {
                DiskIops::Given(iops) => Range::exact(iops),
                DiskIops::Rule(range, _) => range,
                DiskIops::Unknown => Range::exact(0.0),
            };
            add(UncertainInput::DiskIops(index), Slot::DiskIops(index), range);
        }
        add(UncertainInput::BackupWireRate, Slot::BackupWire, rules::BACKUP_WIRE_MB_S_PER_GBPS.range);
        add(UncertainInput::SequentialRate, Slot::Sequential, rules::SEQUENTIAL_MB_S_PER_DISK.range);
        for (index, member) in scenario.unit.iter().enumerate() {
            let spread = member.vm.cpu.map_or(0.0, |cpu| cpu.spread);
            add(UncertainInput::CpuDemand(index), Slot::CpuDemand(index), Range::around(1.0, spread));
        }
        known
    }

    /// The values that `at` picks.
    pub fn pick(known: &[Known], mut at: impl FnMut(&Known) -> f64) -> Self {
        let count = |wanted: fn(&Slot) -> bool| known.iter().filter(|k| wanted(&k.slot)).count();
        let mut factors = Self {
            cpu_loss: [0.0; 3],
            cpu_fixed: [0.0; 3],
            memory_host: 0.0,
            memory_first: 0.0,
            memory_further: 0.0,
            disk_loss: [0.0; 3],
            read_added: [0.0; 3],
            write_added: [0.0; 3],
            backup_loss: 0.0,
            network_latency: 0.0,
            smt_gain: 0.0,
            disk_iops: vec![0.0; count(|slot| matches!(slot, Slot::DiskIops(_)))],
            backup_wire: 0.0,
            sequential: 0.0,
            cpu_demand: vec![1.0; count(|slot| matches!(slot, Slot::CpuDemand(_)))],
        };
        for one in known {
            factors.set(one.slot, at(one));
        }
        factors
    }

    pub fn set(&mut self, slot: Slot, value: f64) {
        let place = match slot {
            Slot::CpuLoss(i) => &mut self.cpu_loss[i],
            Slot::CpuFixed(i) => &mut self.cpu_fixed[i],
            Slot::MemoryHost => &mut self.memory_host,
            Slot::MemoryFirst => &mut self.memory_first,
            Slot::MemoryFurther => &mut self.memory_further,
            Slot::DiskLoss(i) => &mut self.disk_loss[i],
            Slot::ReadAdded(i) => &mut self.read_added[i],
            Slot::WriteAdded(i) => &mut self.write_added[i],
            Slot::BackupLoss => &mut self.backup_loss,
            Slot::NetworkLatency => &mut self.network_latency,
            Slot::SmtGain => &mut self.smt_gain,
            Slot::DiskIops(i) => &mut self.disk_iops[i],
            Slot::BackupWire => &mut self.backup_wire,
            Slot::Sequential => &mut self.sequential,
            Slot::CpuDemand(i) => &mut self.cpu_demand[i],
        };
        *place = value;
    }

    /// Every input at its likely value.
    pub fn likely(known: &[Known]) -> Self {
        Self::pick(known, |one| one.range.likely())
    }

    /// Every input at the end that is worse for the planner: a lower bound of every draw.
    pub fn worst(known: &[Known]) -> Self {
        Self::pick(known, |one| if one.input.more_is_better() { one.range.low() } else { one.range.high() })
    }

    /// Every input at the end that is better for the planner: an upper bound of every draw.
    pub fn best(known: &[Known]) -> Self {
        Self::pick(known, |one| if one.input.more_is_better() { one.range.high() } else { one.range.low() })
    }
}
