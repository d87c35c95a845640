//! A scenario as it is sent: every field optional, every number possible. `domain::check` turns it into a
//! [`super::Scenario`], which cannot hold a wrong value.
//!
//! Numbers are `f64` throughout, whole ones too, so that "−1 sockets" is told as a value out of range with what is
//! allowed, and not as a failure to read a type.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::{Validate, ValidationError};

use super::case::BizTalkWork;
use super::choice::{Attach, Controller, DiskType, Kind, NicUse, Raid, Role};
use super::name::is_name;

/// A number that counts things: no fraction.
pub(super) fn whole_number(value: f64) -> Result<(), ValidationError> {
    if value.fract() == 0.0 { Ok(()) } else { Err(ValidationError::new("whole")) }
}

/// A text that names something: [`is_name`].
pub(super) fn plain_name(value: &str) -> Result<(), ValidationError> {
    if is_name(value) { Ok(()) } else { Err(ValidationError::new("name")) }
}

/// What is asked: a host, its storage, the unit of VMs to repeat on it, the overhead model and the policy.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Scenario)]
pub struct ScenarioInput {
    /// What the sizing is called.
    #[validate(custom(function = plain_name))]
    pub name: Option<String>,
    #[validate(required, nested)]
    #[schema(required, nullable = false)]
    pub host: Option<HostInput>,
    /// Left out: disks are not a limit, and the answer says so.
    #[validate(nested)]
    pub storage: Option<StorageInput>,
    /// The group of VMs that is repeated.
    #[validate(required, length(min = 1, max = 16), nested)]
    #[schema(required, nullable = false)]
    pub unit: Option<Vec<UnitInput>>,
    /// The id of an overhead model, or a model inline. Default: `none`.
    #[schema(value_type = Option<OverheadChoiceSchema>)]
    pub overhead: Option<OverheadChoice>,
    #[validate(nested)]
    pub policy: Option<PolicyInput>,
    /// A rate that a BizTalk group shall process; the answer says what group carries it and how many of them fit.
    #[validate(nested)]
    pub biztalk: Option<BizTalkWantedInput>,
}

/// Documents a second that one BizTalk group shall process. The unit must have a VM of kind `biztalk`.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = BizTalkWanted)]
pub struct BizTalkWantedInput {
    /// What the group does with a document.
    #[validate(required)]
    #[schema(value_type = BizTalkWork, required)]
    pub scenario: Option<BizTalkWork>,
    /// Documents of 2 KB.
    #[validate(required, range(min = 0.001, max = 1_000_000.0))]
    #[schema(value_type = f64, required, minimum = 0.001, maximum = 1_000_000)]
    pub docs_per_s: Option<f64>,
}

/// The id of a known overhead model, or a model given in place.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum OverheadChoice {
    Id(String),
    Inline(serde_json::Value),
}

/// Stands for [`OverheadChoice`] in the OpenAPI document, where the model given in place has its shape.
#[allow(dead_code, reason = "only its schema is used")]
#[derive(ToSchema)]
#[serde(untagged)]
#[schema(as = OverheadChoice)]
pub enum OverheadChoiceSchema {
    Id(String),
    Inline(super::overhead::ModelInput),
}

impl<'de> Deserialize<'de> for OverheadChoice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(id) => Ok(Self::Id(id)),
            model @ serde_json::Value::Object(_) => Ok(Self::Inline(model)),
            _ => Err(serde::de::Error::custom("expected the id of a model or a model")),
        }
    }
}

/// One kind of host, `count` times.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Host)]
pub struct HostInput {
    /// Make and model, for the reader.
    #[validate(custom(function = plain_name))]
    pub model: Option<String>,
    /// Equal hosts in the cluster. Default: 1.
    #[validate(range(min = 1.0, max = 1000.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    pub count: Option<f64>,
    #[validate(required, range(min = 1.0, max = 64.0), custom(function = whole_number))]
    #[schema(value_type = u32, required, minimum = 1, maximum = 64)]
    pub sockets: Option<f64>,
    #[validate(required, range(min = 1.0, max = 512.0), custom(function = whole_number))]
    #[schema(value_type = u32, required, minimum = 1, maximum = 512)]
    pub cores_per_socket: Option<f64>,
    /// 2 with Hyper-Threading in use. Default: 1.
    #[validate(range(min = 1.0, max = 8.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 8)]
    pub threads_per_core: Option<f64>,
    /// Shown only: clock speed alone never converts between machines.
    #[validate(range(min = 0.1, max = 20.0))]
    #[schema(minimum = 0.1, maximum = 20)]
    pub clock_ghz: Option<f64>,
    /// Work of one core, relative to the core in which demand is given as 1.0. Default: 1.
    #[validate(range(min = 0.01, max = 100.0))]
    #[schema(minimum = 0.01, maximum = 100)]
    pub core_rating: Option<f64>,
    #[validate(required, range(min = 0.5, max = 65536.0))]
    #[schema(value_type = f64, required, minimum = 0.5, maximum = 65536)]
    pub memory_gib: Option<f64>,
    /// Shown, and used by the advice on VMs wider than a node.
    #[validate(range(min = 1.0, max = 64.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 64)]
    pub numa_nodes: Option<f64>,
    /// Left out: the network is not checked, and the answer says so.
    #[validate(length(max = 32), nested)]
    pub nics: Option<Vec<NicInput>>,
}

/// Equal network adapters of one host.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Nic)]
pub struct NicInput {
    #[validate(required, range(min = 0.01, max = 1000.0))]
    #[schema(value_type = f64, required, minimum = 0.01, maximum = 1000)]
    pub speed_gbps: Option<f64>,
    /// Default: 1.
    #[validate(range(min = 1.0, max = 64.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 64)]
    pub count: Option<f64>,
    /// Default: VM traffic and backup.
    pub carries: Option<Vec<NicUse>>,
}

/// LUNs of one storage at most.
pub const MOST_LUNS: u64 = 1000;

/// Disk pools and the LUNs carved from them.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Storage)]
pub struct StorageInput {
    #[validate(required, length(min = 1, max = 64), nested)]
    #[schema(required, nullable = false)]
    pub pools: Option<Vec<PoolInput>>,
    /// Empty: carved from the pools, one a volume.
    #[validate(length(max = MOST_LUNS), nested)]
    pub luns: Option<Vec<LunInput>>,
}

/// Equal disks behind one RAID level.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Pool)]
pub struct PoolInput {
    #[validate(required, custom(function = plain_name))]
    #[schema(value_type = String, required)]
    pub name: Option<String>,
    #[validate(required)]
    #[schema(value_type = Raid, required)]
    pub raid: Option<Raid>,
    #[validate(required, range(min = 1.0, max = 10000.0), custom(function = whole_number))]
    #[schema(value_type = u32, required, minimum = 1, maximum = 10000)]
    pub disks: Option<f64>,
    #[validate(required)]
    #[schema(value_type = DiskType, required)]
    pub disk_type: Option<DiskType>,
    /// Decimal, as printed on the disk.
    #[validate(required, range(min = 1.0, max = 1_000_000.0))]
    #[schema(value_type = f64, required, minimum = 1, maximum = 1_000_000)]
    pub disk_gb: Option<f64>,
    /// Left out on spinning disks: the rule of thumb for the disk type. Flash has none and needs a figure.
    #[validate(range(min = 1.0, max = 10_000_000.0))]
    #[schema(minimum = 1, maximum = 10_000_000)]
    pub iops_per_disk: Option<f64>,
    /// A write-back cache answers writes before they reach the disks. Default: false.
    pub write_cache: Option<bool>,
    /// Reads that the cache of the array answers. Default: 0.
    #[validate(range(min = 0.0, max = 100.0))]
    #[schema(minimum = 0, maximum = 100)]
    pub read_cache_hit_percent: Option<f64>,
    /// A measurement of this pool beats the rule of thumb: one point, or a curve of points at rising load.
    pub measured: Option<MeasuredInput>,
    /// The disks are spread over the hosts of the cluster (VSAN and its like).
    #[validate(nested)]
    pub hyperconverged: Option<HyperconvergedInput>,
}

/// One measured point of a pool, or several.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Measured)]
#[serde(untagged)]
pub enum MeasuredInput {
    Point(MeasuredPointInput),
    Curve(Vec<MeasuredPointInput>),
}

impl MeasuredInput {
    pub fn points(&self) -> &[MeasuredPointInput] {
        match self {
            Self::Point(point) => std::slice::from_ref(point),
            Self::Curve(points) => points,
        }
    }
}

impl<'de> Deserialize<'de> for MeasuredInput {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = MeasuredInput;

            fn expecting(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
                formatter.write_str("a measured point or a list of them")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                MeasuredPointInput::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                    .map(MeasuredInput::Point)
            }

            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, seq: A) -> Result<Self::Value, A::Error> {
                Vec::deserialize(serde::de::value::SeqAccessDeserializer::new(seq)).map(MeasuredInput::Curve)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// What a benchmark saw of a pool at one load.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = MeasuredPoint)]
pub struct MeasuredPointInput {
    #[validate(required, range(min = 0.001, max = 1e9))]
    #[schema(value_type = f64, required)]
    pub iops: Option<f64>,
    /// Default: 100.
    #[validate(range(min = 0.0, max = 100.0))]
    pub read_percent: Option<f64>,
    #[validate(range(min = 0.5, max = 65536.0))]
    pub io_kib: Option<f64>,
    /// I/Os under way at a time; with the latency it must satisfy Little's law.
    #[validate(range(min = 0.001, max = 1e6))]
    pub outstanding: Option<f64>,
    #[validate(required, range(min = 0.0001, max = 100_000.0))]
    #[schema(value_type = f64, required)]
    pub latency_ms: Option<f64>,
}

/// Storage made of the hosts' own disks, with a flash tier before them.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Hyperconverged)]
pub struct HyperconvergedInput {
    /// Host or disk failures that data must survive: n failures cost n + 1 copies. Default: 1.
    #[validate(range(min = 0.0, max = 3.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 3)]
    pub failures_to_tolerate: Option<f64>,
    /// Capacity kept free for rebuilds. Default: 30.
    #[validate(range(min = 0.0, max = 90.0))]
    pub slack_percent: Option<f64>,
    /// Flash of the whole cluster, decimal GB.
    #[validate(required, range(min = 1.0, max = 100_000_000.0))]
    #[schema(value_type = f64, required)]
    pub flash_gb: Option<f64>,
    /// Answer time of the flash tier. Default: 1 ms.
    #[validate(range(min = 0.001, max = 100.0))]
    pub flash_latency_ms: Option<f64>,
    /// Share of the stored data that is read again and again; it decides the hit ratio. Default: 100.
    #[validate(range(min = 0.01, max = 100.0))]
    pub working_set_percent: Option<f64>,
}

/// A LUN: a slice of a pool that is given to VMs.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Lun)]
pub struct LunInput {
    #[validate(required, custom(function = plain_name))]
    #[schema(value_type = String, required)]
    pub name: Option<String>,
    #[validate(custom(function = plain_name))]
    pub label: Option<String>,
    /// The name of a pool.
    #[validate(required)]
    #[schema(value_type = String, required)]
    pub pool: Option<String>,
    #[validate(required, range(min = 0.1, max = 10_000_000.0))]
    #[schema(value_type = f64, required, minimum = 0.1, maximum = 10_000_000)]
    pub size_gib: Option<f64>,
    /// Default: pass_through.
    pub attach: Option<Attach>,
    /// Default: scsi.
    pub controller: Option<Controller>,
    /// Roles of the volumes it may hold. Default: any.
    #[validate(length(max = 16))]
    pub holds: Option<Vec<Role>>,
}

/// One kind of VM in the unit.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = UnitMember)]
pub struct UnitInput {
    /// How many of this VM the unit has. Default: 1.
    #[validate(range(min = 1.0, max = 1000.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 1000)]
    pub count: Option<f64>,
    #[validate(required, nested)]
    #[schema(required, nullable = false)]
    pub vm: Option<VmInput>,
}

/// A VM and what it demands, as measured natively.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Vm)]
pub struct VmInput {
    #[validate(custom(function = plain_name))]
    pub name: Option<String>,
    /// Default: generic.
    pub kind: Option<Kind>,
    #[validate(required, range(min = 1.0, max = 512.0), custom(function = whole_number))]
    #[schema(value_type = u32, required, minimum = 1, maximum = 512)]
    pub vcpus: Option<f64>,
    #[validate(required, range(min = 0.125, max = 65536.0))]
    #[schema(value_type = f64, required, minimum = 0.125, maximum = 65536)]
    pub memory_gib: Option<f64>,
    /// Left out: an idle VM, which still pays the fixed cost of its vCPUs.
    #[validate(nested)]
    pub cpu: Option<CpuInput>,
    #[validate(length(max = 64), nested)]
    pub volumes: Option<Vec<VolumeInput>>,
    #[validate(range(min = 0.0, max = 1_000_000.0))]
    #[schema(minimum = 0, maximum = 1_000_000)]
    pub network_mb_s: Option<f64>,
    #[validate(nested)]
    pub backup: Option<BackupInput>,
    #[validate(nested)]
    pub transactions: Option<TransactionsInput>,
}

/// CPU use of the source machine at the load that is planned for.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Cpu)]
pub struct CpuInput {
    #[validate(required, range(min = 0.0, max = 100.0))]
    #[schema(value_type = f64, required, minimum = 0, maximum = 100)]
    pub busy_percent: Option<f64>,
    /// Cores of the source machine that the percentage is of.
    #[validate(required, range(min = 0.1, max = 4096.0))]
    #[schema(value_type = f64, required, minimum = 0.1, maximum = 4096)]
    pub of_cores: Option<f64>,
    /// Rating of the source machine's cores. Default: 1.
    #[validate(range(min = 0.01, max = 100.0))]
    #[schema(minimum = 0.01, maximum = 100)]
    pub core_rating: Option<f64>,
    /// How far one VM's demand may lie from the figure to both sides. Default: 0.
    #[validate(range(min = 0.0, max = 100.0))]
    #[schema(minimum = 0, maximum = 100)]
    pub spread_percent: Option<f64>,
}

/// One volume of a VM.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Volume)]
pub struct VolumeInput {
    #[validate(custom(function = plain_name))]
    pub name: Option<String>,
    /// Default: data.
    pub role: Option<Role>,
    #[validate(required, range(min = 0.1, max = 10_000_000.0))]
    #[schema(value_type = f64, required, minimum = 0.1, maximum = 10_000_000)]
    pub size_gib: Option<f64>,
    /// Default: 0.
    #[validate(range(min = 0.0, max = 1e8))]
    #[schema(minimum = 0)]
    pub read_iops: Option<f64>,
    /// Default: 0.
    #[validate(range(min = 0.0, max = 1e8))]
    #[schema(minimum = 0)]
    pub write_iops: Option<f64>,
    #[validate(range(min = 0.5, max = 65536.0))]
    pub io_kib: Option<f64>,
    /// Left out: the latency is predicted but is no limit.
    #[validate(range(min = 0.01, max = 100_000.0))]
    pub max_latency_ms: Option<f64>,
    /// Only LUNs attached this way will do; without LUNs, how the carved LUN is attached.
    pub attach: Option<Attach>,
    /// The controller of a carved LUN.
    pub controller: Option<Controller>,
}

/// The nightly backup of one VM over the network.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Backup)]
pub struct BackupInput {
    #[validate(required, range(min = 0.001, max = 10_000_000.0))]
    #[schema(value_type = f64, required)]
    pub size_gib: Option<f64>,
    #[validate(required, range(min = 0.01, max = 168.0))]
    #[schema(value_type = f64, required)]
    pub window_h: Option<f64>,
    /// Size before compression over size on the wire. Default: 1.
    #[validate(range(min = 1.0, max = 100.0))]
    pub compression_ratio: Option<f64>,
}

/// The transactions of one VM: an open rate, or users who think between requests.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Transactions)]
pub struct TransactionsInput {
    /// Rate at which the CPU and I/O figures were measured.
    #[validate(range(min = 1e-6, max = 1e9))]
    pub per_s: Option<f64>,
    #[validate(range(min = 1.0, max = 1e7), custom(function = whole_number))]
    pub users: Option<f64>,
    #[validate(range(min = 0.0, max = 1e6))]
    pub think_s: Option<f64>,
    /// Response time seen in the measurement; with users, rate and think time it must satisfy Little's law.
    #[validate(range(min = 0.0001, max = 1e7))]
    pub measured_response_ms: Option<f64>,
    #[validate(range(min = 0.001, max = 1e7))]
    pub max_response_ms: Option<f64>,
}

/// What may be planned with.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = Policy)]
pub struct PolicyInput {
    /// Default: 80.
    #[validate(range(min = 1.0, max = 100.0))]
    pub cpu_target_percent: Option<f64>,
    /// Default: 95.
    #[validate(range(min = 1.0, max = 100.0))]
    pub memory_target_percent: Option<f64>,
    /// Default: 80.
    #[validate(range(min = 1.0, max = 100.0))]
    pub iops_target_percent: Option<f64>,
    /// Default: 90.
    #[validate(range(min = 1.0, max = 100.0))]
    pub capacity_target_percent: Option<f64>,
    /// Default: 65.
    #[validate(range(min = 1.0, max = 100.0))]
    pub network_target_percent: Option<f64>,
    /// Left out: vCPUs are counted only through the load they put on the CPU.
    #[validate(range(min = 0.1, max = 100.0))]
    pub max_vcpus_per_thread: Option<f64>,
    /// Hosts that may fail. Default: 0.
    #[validate(range(min = 0.0, max = 999.0), custom(function = whole_number))]
    #[schema(value_type = Option<u32>)]
    pub spare_hosts: Option<f64>,
    /// Default: 90.
    #[validate(range(min = 50.0, max = 99.9))]
    pub confidence_percent: Option<f64>,
    /// Default: 0.
    #[validate(range(min = 0.0, max = 1000.0))]
    pub growth_percent_per_year: Option<f64>,
    /// Default: 0.
    #[validate(range(min = 0.0, max = 30.0))]
    pub years: Option<f64>,
    /// Memory of the root partition or service console. Default: 512.
    #[validate(range(min = 0.0, max = 1_048_576.0))]
    pub root_memory_mib: Option<f64>,
    /// Share of the host's CPU for the root partition. Default: 0.
    #[validate(range(min = 0.0, max = 90.0))]
    pub root_cpu_percent: Option<f64>,
}
