//! The closed sets that a scenario chooses from. Their names in JSON are part of the public surface.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Declares a set with its names once: the variants, the names for JSON, and the list that forms and messages offer.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        pub enum $name { $($(#[$variant_meta])* #[serde(rename = $text)] $variant),+ }

        impl $name {
            /// Every value, in the order in which it is offered.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in JSON.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    };
}
pub(super) use choice;

choice! {
    /// How the disks of a pool guard against loss. `raid10` is also written 0+1.
    Raid { Raid0 = "raid0", Raid1 = "raid1", Raid10 = "raid10", Raid5 = "raid5", Raid6 = "raid6" }
}

choice! {
    /// Kind of disk; spinning ones by their revolutions a minute.
    DiskType { Hdd7k2 = "hdd_7k2", Hdd10k = "hdd_10k", Hdd15k = "hdd_15k", Ssd = "ssd", Nvme = "nvme" }
}

choice! {
    /// How a LUN reaches a guest: the whole LUN passed through, or a virtual disk file on it.
    Attach { PassThrough = "pass_through", FixedVhd = "fixed_vhd", DynamicVhd = "dynamic_vhd" }
}

choice! {
    /// The virtual controller that a disk hangs on. `ide` means with integration services.
    Controller { Scsi = "scsi", Ide = "ide", EmulatedIde = "emulated_ide" }
}

choice! {
    /// What a volume is for.
    Role {
        Os = "os", Data = "data", Log = "log", TempdbData = "tempdb_data", TempdbLog = "tempdb_log", Msdtc = "msdtc",
        Backup = "backup",
        /// On a LUN: it may hold every role.
        Any = "any",
    }
}

choice! {
    /// What a VM does.
    Kind {
        SqlOltp = "sql_oltp", SqlReporting = "sql_reporting", Biztalk = "biztalk", BiztalkMessagebox = "biztalk_messagebox",
        Generic = "generic",
    }
}

choice! {
    /// Traffic that an adapter carries.
    NicUse { Vm = "vm", Backup = "backup" }
}

impl Attach {
    /// Position in tables that have one entry for each way of attaching.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl DiskType {
    /// Whether it is flash, for which there is no honest rule of thumb.
    pub const fn is_flash(self) -> bool {
        matches!(self, Self::Ssd | Self::Nvme)
    }
}

impl Role {
    /// Whether a LUN that holds `self` may take a volume of that role.
    pub fn takes(self, volume: Role) -> bool {
        self == Role::Any || self == volume || volume == Role::Any
    }
}

choice! {
    /// A coefficient of an overhead model. Losses are fractions; added latencies are milliseconds for each I/O.
    CoefficientName {
        /// Share of a physical CPU that a guest's work loses: host CPU = native CPU / (1 − loss).
        CpuLoss = "cpu_loss",
        /// Cores that a running VM costs for each vCPU whatever its load.
        CpuFixedCoresPerVcpu = "cpu_fixed_cores_per_vcpu",
        /// Memory of the hypervisor, MiB a host, without the root partition.
        MemoryHostMib = "memory_host_mib",
        /// Memory cost of a VM for its first GiB, MiB.
        MemoryFirstGibMib = "memory_first_gib_mib",
        /// Memory cost of a VM for each further GiB begun, MiB.
        MemoryFurtherGibMib = "memory_further_gib_mib",
        /// Share of a disk's native I/O rate that a guest loses: host IOPS = guest IOPS / (1 − loss).
        DiskLoss = "disk_loss",
        ReadLatencyAddedMs = "read_latency_added_ms",
        WriteLatencyAddedMs = "write_latency_added_ms",
        /// Share of native backup throughput that a guest loses.
        BackupLoss = "backup_loss",
        NetworkLatencyMs = "network_latency_ms",
    }
}

impl CoefficientName {
    /// The values that make sense: least and most.
    pub const fn allowed(self) -> (f64, f64) {
        match self {
            Self::CpuLoss | Self::DiskLoss | Self::BackupLoss => (0.0, 0.95),
            Self::CpuFixedCoresPerVcpu => (0.0, 1.0),
            Self::MemoryHostMib => (0.0, 1_048_576.0),
            Self::MemoryFirstGibMib | Self::MemoryFurtherGibMib => (0.0, 1024.0),
            Self::ReadLatencyAddedMs | Self::WriteLatencyAddedMs | Self::NetworkLatencyMs => (0.0, 1000.0),
        }
    }
}
