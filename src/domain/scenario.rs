//! A checked scenario: plain data in which every number is in range and every name resolves. Only `domain::check`
//! makes one from an input.

use std::sync::Arc;

use super::case::BizTalkWork;
use super::choice::{Attach, Controller, DiskType, Kind, NicUse, Raid, Role};
use super::overhead::OverheadModel;
use super::range::Range;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    pub name: String,
    pub host: Host,
    /// `None`: disks are not a limit.
    pub storage: Option<Storage>,
    /// At least one member.
    pub unit: Vec<UnitMember>,
    pub overhead: Arc<OverheadModel>,
    pub policy: Policy,
    /// A rate that a BizTalk group shall process.
    pub biztalk: Option<BizTalkWanted>,
}

/// Documents a second that one BizTalk group shall process.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BizTalkWanted {
    pub work: BizTalkWork,
    pub docs_per_s: f64,
}

/// One kind of host, `count` times.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    pub model: Option<String>,
    pub count: u32,
    pub sockets: u32,
    pub cores_per_socket: u32,
    pub threads_per_core: u32,
    pub clock_ghz: Option<f64>,
    pub core_rating: f64,
    pub memory_gib: f64,
    pub numa_nodes: Option<u32>,
    pub nics: Vec<Nic>,
}

impl Host {
    pub fn cores(&self) -> u32 {
        self.sockets * self.cores_per_socket
    }

    /// Logical processors.
    pub fn threads(&self) -> u32 {
        self.cores() * self.threads_per_core
    }

    /// Speed of the adapters that carry a kind of traffic, Gb/s; `None` when no adapter does.
    pub fn gbps_for(&self, traffic: NicUse) -> Option<f64> {
        let mut carrying = self.nics.iter().filter(|nic| nic.carries.contains(&traffic)).peekable();
        carrying.peek()?;
        Some(carrying.map(|nic| nic.speed_gbps * f64::from(nic.count)).sum())
    }
}

/// Equal network adapters.
#[derive(Clone, Debug, PartialEq)]
pub struct Nic {
    pub speed_gbps: f64,
    pub count: u32,
    pub carries: Vec<NicUse>,
}

/// Disk pools and the LUNs carved from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Storage {
    /// At least one, with names that differ.
    pub pools: Vec<Pool>,
    /// Empty: carved from the pools, one a volume.
    pub luns: Vec<Lun>,
}

/// Equal disks behind one RAID level.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    pub name: String,
    pub raid: Raid,
    pub disks: u32,
    pub disk_type: DiskType,
    pub disk_gb: f64,
    pub iops_per_disk: DiskIops,
    pub write_cache: bool,
    /// Share of reads that the array's cache answers.
    pub read_cache_hit: f64,
    /// Points at rising load; empty without a measurement.
    pub measured: Vec<MeasuredPoint>,
    pub hyperconverged: Option<Hyperconverged>,
}

/// How the IOPS of one disk are known.
#[derive(Clone, Debug, PartialEq)]
pub enum DiskIops {
    Given(f64),
    Rule(Range, &'static str),
    /// Not needed: the pool was measured as a whole.
    Unknown,
}

/// What a benchmark saw of a pool at one load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredPoint {
    pub iops: f64,
    /// Share of reads.
    pub reads: f64,
    pub io_kib: Option<f64>,
    pub outstanding: Option<f64>,
    pub latency_ms: f64,
}

/// Storage made of the hosts' own disks with a flash tier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hyperconverged {
    pub failures_to_tolerate: u32,
    /// Share of the raw capacity kept free.
    pub slack: f64,
    pub flash_gb: f64,
    pub flash_latency_ms: f64,
    /// Share of the stored data that is read again and again.
    pub working_set: f64,
}

/// A LUN.
#[derive(Clone, Debug, PartialEq)]
pub struct Lun {
    pub name: String,
    pub label: Option<String>,
    /// Index into the pools.
    pub pool: usize,
    pub size_gib: f64,
    pub attach: Attach,
    pub controller: Controller,
    pub holds: Vec<Role>,
}

/// One kind of VM in the unit.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitMember {
    pub count: u32,
    pub vm: Vm,
}

/// A VM and what it demands natively.
#[derive(Clone, Debug, PartialEq)]
pub struct Vm {
    pub name: String,
    pub kind: Kind,
    pub vcpus: u32,
    pub memory_gib: f64,
    pub cpu: Option<Cpu>,
    pub volumes: Vec<Volume>,
    pub network_mb_s: Option<f64>,
    pub backup: Option<Backup>,
    pub transactions: Option<Transactions>,
}

/// CPU use of the source machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cpu {
    /// Share of the source machine's cores.
    pub busy: f64,
    pub of_cores: f64,
    pub core_rating: f64,
    /// Relative spread of one VM's demand to both sides.
    pub spread: f64,
}

impl Cpu {
    /// Native demand in cores of rating 1.0.
    pub fn cores(&self) -> f64 {
        self.busy * self.of_cores * self.core_rating
    }
}

/// One volume of a VM.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    pub name: String,
    pub role: Role,
    pub size_gib: f64,
    pub read_iops: f64,
    pub write_iops: f64,
    pub io_kib: Option<f64>,
    pub max_latency_ms: Option<f64>,
    pub attach: Option<Attach>,
    pub controller: Option<Controller>,
}

impl Volume {
    pub fn iops(&self) -> f64 {
        self.read_iops + self.write_iops
    }
}

/// The backup of one VM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backup {
    pub size_gib: f64,
    pub window_h: f64,
    pub compression_ratio: f64,
}

/// The transactions of one VM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transactions {
    pub load: Load,
    pub max_response_ms: Option<f64>,
}

/// How the transactions arrive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// At a rate that does not depend on the answer times.
    Open { per_s: f64 },
    /// From users who wait for the answer, think, and ask again.
    Closed {
        users: u32,
        think_s: f64,
        /// Rate at which the VM's CPU and I/O figures were measured, or what Little's law makes of users, think time
        /// and response.
        per_s: f64,
        measured_response_ms: Option<f64>,
    },
}

/// What may be planned with; shares are fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    pub cpu_target: f64,
    pub memory_target: f64,
    pub iops_target: f64,
    pub capacity_target: f64,
    pub network_target: f64,
    pub max_vcpus_per_thread: Option<f64>,
    pub spare_hosts: u32,
    pub confidence: f64,
    pub growth_per_year: f64,
    pub years: f64,
    pub root_memory_mib: f64,
    pub root_cpu: f64,
}

impl Default for Policy {
    /// The values of a request without a policy.
    fn default() -> Self {
        Self {
            cpu_target: 0.80,
            memory_target: 0.95,
            iops_target: 0.80,
            capacity_target: 0.90,
            network_target: 0.65,
            max_vcpus_per_thread: None,
            spare_hosts: 0,
            confidence: 0.90,
            growth_per_year: 0.0,
            years: 0.0,
            root_memory_mib: 512.0,
            root_cpu: 0.0,
        }
    }
}

impl Policy {
    /// What demand is multiplied by at the end of the planned years.
    pub fn growth(&self) -> f64 {
        libm::pow(1.0 + self.growth_per_year, self.years)
    }
}

impl Scenario {
    /// Hosts that must carry everything: the ones that are left when the spare ones have failed.
    pub fn active_hosts(&self) -> u32 {
        self.host.count - self.policy.spare_hosts
    }

    pub fn vms_per_unit(&self) -> u32 {
        self.unit.iter().map(|member| member.count).sum()
    }
}
