//! Native rules of thumb: what planners assume of hardware that nobody has measured yet. Each is a range with its source.

use super::choice::{DiskType, Raid};
use super::range::Range;

/// A rule of thumb.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub range: Range,
    pub source: &'static str,
}

const RAID_SOURCE: &str =
    "RAID write penalty and IOPS by spindle type, common convention (virtualtarzan.com, RAID penalty calculations)";

/// Extra capacity that a core gains from its further threads: capacity of a core is `1 + gain`.
pub const SMT_GAIN: Rule = Rule {
    range: ordered(0.15, 0.25, 0.30),
    source: "Hyper-Threading gain of 15 to 30 %, likely 25 % (Intel, stated for server workloads)",
};

/// IOPS of one spinning disk at random I/O, ±10 %.
pub const HDD_7K2_IOPS: Rule = disk_rule(72.0, 80.0, 88.0);
/// See [`HDD_7K2_IOPS`].
pub const HDD_10K_IOPS: Rule = disk_rule(126.0, 140.0, 154.0);
/// See [`HDD_7K2_IOPS`].
pub const HDD_15K_IOPS: Rule = disk_rule(162.0, 180.0, 198.0);

const fn disk_rule(low: f64, likely: f64, high: f64) -> Rule {
    Rule { range: ordered(low, likely, high), source: RAID_SOURCE }
}

/// Wire rate of a native backup to a file share, MB/s for each Gb/s of the network adapter.
pub const BACKUP_WIRE_MB_S_PER_GBPS: Rule = Rule {
    range: ordered(50.0, 55.0, 60.0),
    source: "Running SQL Server 2008 in a Hyper-V Environment (Microsoft, 2008), backup and restore: 50 to 60 MB/s on one 1 Gb/s adapter",
};

/// Sequential read rate of one spinning disk, MB/s.
pub const SEQUENTIAL_MB_S_PER_DISK: Rule = Rule {
    range: ordered(90.0, 107.5, 125.0),
    source: "SQL Server storage best practices (sqlservercentral.com): 90 to 125 MB/s sequential for each drive",
};

/// Answer time of a write that a write-back cache takes, ms.
pub const CACHED_WRITE_MS: Rule = Rule {
    range: Range::exact(0.2544),
    source: "System resource costs on Hyper-V (Microsoft BizTalk Server Hyper-V guide): native write response 0.2544 ms",
};

/// Answer time of a read that the array's cache answers, ms: taken to be that of a cached write.
pub const CACHED_READ_MS: Rule = CACHED_WRITE_MS;

/// Latency up to which a BizTalk or SQL Server disk is healthy, ms.
pub const HEALTHY_LATENCY_MS: f64 = 15.0;
/// Latency above which a disk is critical, ms.
pub const CRITICAL_LATENCY_MS: f64 = 25.0;
/// Where the two thresholds are written.
pub const LATENCY_SOURCE: &str = "Checklist: Measuring Performance on Hyper-V (Microsoft BizTalk Server Hyper-V guide): 1 to 15 ms healthy, 15 to 25 warning, above critical";

/// Share of the flash of a hybrid hyper-converged pool that caches reads.
pub const FLASH_READ_SHARE: f64 = 0.7;
/// Flash that a hybrid pool should have, as a share of the consumed capacity before replicas.
pub const FLASH_OF_CONSUMED: f64 = 0.1;
/// Where both are written.
pub const FLASH_SOURCE: &str = "VMware vSphere 6.5, Designing and sizing Virtual SAN: cache at least 10 % of consumed capacity; hybrid split 70 % read cache, 30 % write buffer";

/// Every rule that is a range, with the key of its name and its unit.
pub const LISTED: [(&str, &str, Rule); 7] = [
    ("rule-smt_gain", "", SMT_GAIN),
    ("rule-disk_iops_7k2", "IOPS", HDD_7K2_IOPS),
    ("rule-disk_iops_10k", "IOPS", HDD_10K_IOPS),
    ("rule-disk_iops_15k", "IOPS", HDD_15K_IOPS),
    ("rule-backup_wire", "MB/s per Gb/s", BACKUP_WIRE_MB_S_PER_GBPS),
    ("rule-sequential", "MB/s", SEQUENTIAL_MB_S_PER_DISK),
    ("rule-cached_write", "ms", CACHED_WRITE_MS),
];

/// IOPS of one spinning disk at random I/O; `None` for flash, which has no honest default.
pub fn disk_iops(disk: DiskType) -> Option<Rule> {
    Some(match disk {
        DiskType::Hdd7k2 => HDD_7K2_IOPS,
        DiskType::Hdd10k => HDD_10K_IOPS,
        DiskType::Hdd15k => HDD_15K_IOPS,
        DiskType::Ssd | DiskType::Nvme => return None,
    })
}

/// Disk operations that one small write costs.
pub const fn write_penalty(raid: Raid) -> f64 {
    match raid {
        Raid::Raid0 => 1.0,
        Raid::Raid1 | Raid::Raid10 => 2.0,
        Raid::Raid5 => 4.0,
        Raid::Raid6 => 6.0,
    }
}

/// Where the write penalties are written.
pub const WRITE_PENALTY_SOURCE: &str = RAID_SOURCE;

/// Disks whose capacity is left for data, of `disks` in one group.
pub const fn data_disks(raid: Raid, disks: u32) -> f64 {
    match raid {
        Raid::Raid0 => disks as f64,
        Raid::Raid1 | Raid::Raid10 => disks as f64 / 2.0,
        Raid::Raid5 => disks.saturating_sub(1) as f64,
        Raid::Raid6 => disks.saturating_sub(2) as f64,
    }
}

/// Least number of disks of a RAID level, and whether the number must be even.
pub const fn disks_allowed(raid: Raid) -> (u32, bool) {
    match raid {
        Raid::Raid0 => (1, false),
        Raid::Raid1 | Raid::Raid10 => (2, true),
        Raid::Raid5 => (3, false),
        Raid::Raid6 => (4, false),
    }
}

/// A range written in order in this file.
const fn ordered(low: f64, likely: f64, high: f64) -> Range {
    match Range::new(low, likely, high) {
        Some(range) => range,
        None => panic!("a rule's range is out of order; this is checked when the program is compiled"),
    }
}
