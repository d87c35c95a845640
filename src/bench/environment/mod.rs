//! Where a benchmark ran: hypervisor, role, processor, memory, system. What cannot be found out is null or `unknown`,
//! never guessed.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What lies between the program and the hardware.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Hypervisor {
    #[serde(rename = "none")]
    None,
    #[serde(rename = "hyper-v")]
    HyperV,
    #[serde(rename = "vmware")]
    VMware,
    #[serde(rename = "kvm")]
    Kvm,
    #[serde(rename = "xen")]
    Xen,
    #[serde(rename = "other")]
    Other,
    #[default]
    #[serde(rename = "unknown", other)]
    Unknown,
}

/// What the system is to the hypervisor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    BareMetal,
    /// The system that manages the hypervisor and its devices: Hyper-V's root partition, Xen's domain 0.
    RootPartition,
    Guest,
    #[default]
    #[serde(other)]
    Unknown,
}

/// A cache of the processor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Cache {
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    pub size_kib: u64,
}

/// The device and file system of a test file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct StorageDevice {
    pub file_system: Option<String>,
    /// Name of the device in the system.
    pub device: Option<String>,
    pub model: Option<String>,
    pub rotational: Option<bool>,
    /// Smallest I/O that the device takes, bytes.
    pub logical_block_bytes: Option<u32>,
    /// Smallest I/O that it does without reading first, bytes.
    pub physical_block_bytes: Option<u32>,
    pub scheduler: Option<String>,
}

/// The database server of a test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DatabaseServer {
    /// For example `PostgreSQL`.
    pub product: String,
    pub version: Option<String>,
    /// Settings that decide the result, by name: durability, memory, parallelism.
    #[serde(default)]
    pub settings: std::collections::BTreeMap<String, String>,
    /// Whether it runs on the machine that measures; null when unknown.
    pub local: Option<bool>,
}

/// Where a benchmark ran.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Environment {
    #[serde(default)]
    pub hypervisor: Hypervisor,
    #[serde(default)]
    pub role: Role,
    /// What the hypervisor calls itself in CPUID, and the product name of the firmware.
    #[serde(default)]
    pub hypervisor_signature: Option<String>,
    #[serde(default)]
    pub product: Option<String>,
    /// `docker`, `kubernetes`, `lxc`, …; null outside a container.
    #[serde(default)]
    pub container: Option<String>,
    #[serde(default)]
    pub cpu_model: Option<String>,
    #[serde(default)]
    pub sockets: Option<u32>,
    /// Cores of all sockets that the system sees.
    #[serde(default)]
    pub cores: Option<u32>,
    /// Logical processors of all sockets that the system sees.
    #[serde(default)]
    pub threads: Option<u32>,
    /// Logical processors that the program may use: fewer in a container or under `taskset`.
    #[serde(default)]
    pub usable_threads: Option<u32>,
    #[serde(default)]
    pub caches: Vec<Cache>,
    #[serde(default)]
    pub numa_nodes: Option<u32>,
    #[serde(default)]
    pub memory_gib: Option<f64>,
    /// Frequency governor, where the system has one.
    #[serde(default)]
    pub governor: Option<String>,
    #[serde(default)]
    pub clock_source: Option<String>,
    #[serde(default)]
    pub os: Option<String>,
    #[serde(default)]
    pub kernel: Option<String>,
    /// Instruction set, as `x86_64`.
    #[serde(default)]
    pub architecture: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub storage: Option<StorageDevice>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<DatabaseServer>,
}

mod cpuid;
mod detect;

pub use detect::{Hints, detect, reports_steal};
