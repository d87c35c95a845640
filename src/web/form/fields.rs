//! The one table of what the form asks: for each field its place, its label, what help a planner would want, how it is
//! filled in, and what holds when it is left empty. Units come from [`units::unit_of_field`], allowed values from the
//! domain's own lists; limits are not repeated here.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::domain::case::BizTalkWork;
use crate::domain::choice::{Attach, Controller, DiskType, Kind as VmKind, NicUse, Raid, Role};
use crate::domain::units;

/// How a field is filled in.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A quantity in the field's unit.
    Number,
    Text,
    /// One of a set: names in JSON, and words for people.
    Choice(fn() -> Vec<Choice>),
    /// Several of a set, typed with commas between them.
    List(fn() -> Vec<Choice>),
    /// Yes or no.
    Check,
    /// The id of an overhead model, or a model as JSON.
    Model,
}

/// One value of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    pub code: &'static str,
    pub words: &'static str,
}

/// What holds when a field is left empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// There is no answer without it.
    Needed,
    /// This value, shown in the empty field.
    Default(&'static str),
    /// A rule of thumb that depends on the row.
    Rule,
    /// What it is about is not looked at.
    NotUsed,
}

/// A field of the form.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its place with `*` for every number: `storage.pools.*.disks`.
    pub pattern: &'static str,
    pub label: &'static str,
    pub help: &'static str,
    pub kind: Kind,
    pub empty: Empty,
}

impl Field {
    /// The last part of its place: the name in JSON.
    pub fn name(&self) -> &'static str {
        self.pattern.rsplit('.').next().unwrap_or(self.pattern)
    }

    pub fn unit(&self) -> &'static str {
        match self.kind {
            Number => units::unit_of_field(self.name()),
            _ => "",
        }
    }

    /// The field at a place; `None` where the form asks nothing.
    pub fn at(place: &str) -> Option<&'static Field> {
        let pattern = pattern_of(place);
        FIELDS.get(*ORDER.get(&pattern)?).filter(|field| field.pattern == pattern)
    }
}

/// Where each place stands in the form: a field's own position, and for a group that of its first field.
static ORDER: LazyLock<HashMap<String, usize>> = LazyLock::new(|| {
    let mut order = HashMap::new();
    for (position, field) in FIELDS.iter().enumerate() {
        order.insert(field.pattern.to_owned(), position);
        for (end, _) in field.pattern.match_indices('.') {
            order.entry(field.pattern[..end].to_owned()).or_insert(position);
        }
    }
    order
});

/// The position of a place, given as a pattern, in the form; what the form does not know comes last.
pub fn position(pattern: &str) -> usize {
    ORDER.get(pattern).copied().unwrap_or(usize::MAX)
}

/// A place with `*` for every number.
pub fn pattern_of(place: &str) -> String {
    let part = |part: &str| if is_index(part) { "*".to_owned() } else { part.to_owned() };
    place.split('.').map(part).collect::<Vec<_>>().join(".")
}

/// Whether a part of a place counts rows.
pub fn is_index(part: &str) -> bool {
    !part.is_empty() && part.len() <= 6 && part.bytes().all(|b| b.is_ascii_digit())
}

const fn field(pattern: &'static str, label: &'static str, kind: Kind, empty: Empty, help: &'static str) -> Field {
    Field { pattern, label, help, kind, empty }
}

use Empty::{Default, Needed, NotUsed, Rule};
use Kind::{Check, Model, Number, Text};

/// Every field, in the order in which the form shows them.
#[rustfmt::skip]
pub const FIELDS: &[Field] = &[
    field("name", "Name", Text, Default("Unnamed sizing"), ""),

    field("host.model", "Model", Text, NotUsed, "For the reader of the report; nothing is looked up by it."),
    field("host.count", "Hosts", Number, Default("1"), "Equal hosts in the cluster."),
    field("policy.spare_hosts", "Spare hosts", Number, Default("0"), "Hosts that may fail: everything must run on the others."),
    field("host.sockets", "Sockets", Number, Needed, ""),
    field("host.cores_per_socket", "Cores per socket", Number, Needed, ""),
    field("host.threads_per_core", "Threads per core", Number, Default("1"), "2 with Hyper-Threading in use. The second thread adds 15 to 30 %, not a whole core."),
    field("host.clock_ghz", "Clock", Number, NotUsed, "For the reader only: clock speed alone never converts between machines."),
    field("host.core_rating", "Core rating", Number, Default("1"), "Work that one core does, relative to a core of rating 1. From a benchmark of both machines, or SPEC rate per core."),
    field("host.memory_gib", "Memory", Number, Needed, "Of one host."),
    field("host.numa_nodes", "NUMA nodes", Number, NotUsed, "Used by the advice on VMs that are wider than a node."),
    field("host.nics.*.speed_gbps", "Speed", Number, Needed, ""),
    field("host.nics.*.count", "Adapters", Number, Default("1"), ""),
    field("host.nics.*.carries", "Carries", Kind::Choice(carries), Default("VMs and backup"), ""),

    field("storage.pools.*.name", "Name", Text, Needed, ""),
    field("storage.pools.*.raid", "RAID", Kind::Choice(raids), Needed, "A write costs 1, 2, 2, 4 or 6 disk operations on RAID 0, 1, 10, 5 or 6."),
    field("storage.pools.*.disks", "Disks", Number, Needed, ""),
    field("storage.pools.*.disk_type", "Type", Kind::Choice(disk_types), Needed, ""),
    field("storage.pools.*.disk_gb", "Size", Number, Needed, "Decimal, as printed on the disk."),
    field("storage.pools.*.iops_per_disk", "Per disk", Number, Rule, "Empty: a rule of thumb for the type. Flash has none and needs a figure."),
    field("storage.pools.*.write_cache", "Write cache", Check, Default("no"), "A write-back cache answers writes before they reach the disks."),
    field("storage.pools.*.read_cache_hit_percent", "Cache hits", Number, Default("0"), "Reads that the array's cache answers."),
    field("storage.pools.*.measured.*.iops", "IOPS", Number, Needed, "A measurement of the whole pool beats the rule of thumb."),
    field("storage.pools.*.measured.*.read_percent", "Reads", Number, Default("100"), ""),
    field("storage.pools.*.measured.*.io_kib", "Block size", Number, NotUsed, ""),
    field("storage.pools.*.measured.*.outstanding", "Outstanding", Number, NotUsed, "I/Os under way at a time."),
    field("storage.pools.*.measured.*.latency_ms", "Latency", Number, Needed, ""),
    field("storage.pools.*.hyperconverged.flash_gb", "Flash of the cluster", Number, NotUsed, "Filled in, the pool is hyper-converged: the hosts' own disks with a flash tier before them."),
    field("storage.pools.*.hyperconverged.failures_to_tolerate", "Failures to tolerate", Number, Default("1"), "n failures cost n + 1 copies."),
    field("storage.pools.*.hyperconverged.slack_percent", "Slack", Number, Default("30"), "Capacity that is kept free for rebuilds."),
    field("storage.pools.*.hyperconverged.flash_latency_ms", "Flash latency", Number, Default("1"), ""),
    field("storage.pools.*.hyperconverged.working_set_percent", "Working set", Number, Default("100"), "Share of the stored data that is read again and again; it decides the hit ratio."),
    field("storage.luns.*.name", "LUN", Text, Needed, ""),
    field("storage.luns.*.label", "Label", Text, NotUsed, ""),
    field("storage.luns.*.pool", "Pool", Text, Needed, "The name of a pool."),
    field("storage.luns.*.size_gib", "Size", Number, Needed, ""),
    field("storage.luns.*.attach", "Attached as", Kind::Choice(attaches), Default("pass-through"), "A pass-through LUN belongs to one volume of one VM. A LUN with VHDs is shared."),
    field("storage.luns.*.controller", "Controller", Kind::Choice(controllers), Default("SCSI"), ""),
    field("storage.luns.*.holds", "Holds", Kind::List(roles), Default("any"), "Roles of the volumes it may hold, with commas between: os, data, log, tempdb_data, tempdb_log, msdtc, backup, any."),

    field("unit.*.count", "How many", Number, Default("1"), "Of this VM in one unit."),
    field("unit.*.vm.name", "Name", Text, NotUsed, ""),
    field("unit.*.vm.kind", "Kind", Kind::Choice(vm_kinds), Default("other"), "Decides which advice is looked for."),
    field("unit.*.vm.vcpus", "vCPUs", Number, Needed, ""),
    field("unit.*.vm.memory_gib", "Memory", Number, Needed, ""),
    field("unit.*.vm.cpu.busy_percent", "CPU busy", Number, NotUsed, "On the machine where it was measured, at the load that is planned for."),
    field("unit.*.vm.cpu.of_cores", "of how many cores", Number, NotUsed, "Cores of the machine where it was measured."),
    field("unit.*.vm.cpu.core_rating", "Core rating there", Number, Default("1"), "Work that one core of that machine does, relative to a core of rating 1."),
    field("unit.*.vm.cpu.spread_percent", "Spread ±", Number, Default("0"), "How far the demand of one VM may lie from the figure, to both sides."),
    field("unit.*.vm.volumes.*.name", "Volume", Text, NotUsed, ""),
    field("unit.*.vm.volumes.*.role", "Role", Kind::Choice(roles), Default("data"), ""),
    field("unit.*.vm.volumes.*.size_gib", "Size", Number, Needed, ""),
    field("unit.*.vm.volumes.*.read_iops", "Reads", Number, Default("0"), ""),
    field("unit.*.vm.volumes.*.write_iops", "Writes", Number, Default("0"), ""),
    field("unit.*.vm.volumes.*.io_kib", "Block", Number, NotUsed, ""),
    field("unit.*.vm.volumes.*.max_latency_ms", "Latency ≤", Number, NotUsed, "Empty: predicted, but no limit."),
    field("unit.*.vm.volumes.*.attach", "Attach", Kind::Choice(attaches), Default("any way"), "Only LUNs attached this way will do; without LUNs, how the carved one is attached."),
    field("unit.*.vm.volumes.*.controller", "Controller", Kind::Choice(controllers), Default("SCSI"), "Of a carved LUN."),
    field("unit.*.vm.network_mb_s", "Network", Number, NotUsed, ""),
    field("unit.*.vm.backup.size_gib", "Backup", Number, NotUsed, "Empty: the backup window is not checked."),
    field("unit.*.vm.backup.window_h", "Backup window", Number, NotUsed, ""),
    field("unit.*.vm.backup.compression_ratio", "Compression", Number, Default("1"), "Size before compression over size on the wire; 1.7 to 2.0 is usual for SQL Server."),
    field("unit.*.vm.transactions.per_s", "Transactions", Number, NotUsed, "Rate at which CPU and I/O were measured."),
    field("unit.*.vm.transactions.users", "Users", Number, NotUsed, "With think time: the load follows from users who wait for the answer."),
    field("unit.*.vm.transactions.think_s", "Think time", Number, NotUsed, ""),
    field("unit.*.vm.transactions.measured_response_ms", "Measured response", Number, NotUsed, "Checked against users, rate and think time by Little's law."),
    field("unit.*.vm.transactions.max_response_ms", "Response ≤", Number, NotUsed, "Empty: predicted, but no limit."),

    field("biztalk.scenario", "The group does", Kind::Choice(biztalk_work), NotUsed, "Messaging passes documents on; orchestration runs a process on each."),
    field("biztalk.docs_per_s", "Documents wanted", Number, NotUsed, "Of 2 KB. The answer says how many servers and MessageBoxes carry them, and how many such groups fit. Empty: only what the unit carries."),

    field("overhead", "Model", Model, Default("none"), ""),

    field("policy.cpu_target_percent", "CPU up to", Number, Default("80"), "Of what the host has after reserves."),
    field("policy.memory_target_percent", "Memory up to", Number, Default("95"), ""),
    field("policy.iops_target_percent", "IOPS up to", Number, Default("80"), ""),
    field("policy.capacity_target_percent", "Capacity up to", Number, Default("90"), ""),
    field("policy.network_target_percent", "Network up to", Number, Default("65"), ""),
    field("policy.max_vcpus_per_thread", "vCPUs per thread ≤", Number, NotUsed, "Empty: vCPUs count only through the load that they put on the CPU."),
    field("policy.confidence_percent", "Confidence", Number, Default("90"), "How sure the lower number shall be."),
    field("policy.growth_percent_per_year", "Growth per year", Number, Default("0"), "Of CPU, I/O, capacity, network and backup; vCPUs and memory stay as configured."),
    field("policy.years", "Years", Number, Default("0"), ""),
    field("policy.root_memory_mib", "Root memory", Number, Default("512"), "Memory of the root partition or service console."),
    field("policy.root_cpu_percent", "Root CPU", Number, Default("0"), "Share of the host's CPU for the root partition."),
];

fn raids() -> Vec<Choice> {
    let words = |raid| match raid {
        Raid::Raid0 => "0",
        Raid::Raid1 => "1",
        Raid::Raid10 => "10",
        Raid::Raid5 => "5",
        Raid::Raid6 => "6",
    };
    Raid::ALL.iter().map(|v| Choice { code: v.as_str(), words: words(*v) }).collect()
}

fn disk_types() -> Vec<Choice> {
    let words = |disk| match disk {
        DiskType::Hdd7k2 => "7.2k",
        DiskType::Hdd10k => "10k",
        DiskType::Hdd15k => "15k",
        DiskType::Ssd => "SSD",
        DiskType::Nvme => "NVMe",
    };
    DiskType::ALL.iter().map(|v| Choice { code: v.as_str(), words: words(*v) }).collect()
}

fn attaches() -> Vec<Choice> {
    let words = |attach| match attach {
        Attach::PassThrough => "pass-through",
        Attach::FixedVhd => "fixed VHD",
        Attach::DynamicVhd => "dynamic VHD",
    };
    Attach::ALL.iter().map(|v| Choice { code: v.as_str(), words: words(*v) }).collect()
}

fn controllers() -> Vec<Choice> {
    let words = |controller| match controller {
        Controller::Scsi => "SCSI",
        Controller::Ide => "IDE",
        Controller::EmulatedIde => "emulated IDE",
    };
    Controller::ALL.iter().map(|v| Choice { code: v.as_str(), words: words(*v) }).collect()
}

fn roles() -> Vec<Choice> {
    let words = |role| match role {
        Role::Os => "OS",
        Role::Data => "data",
        Role::Log => "log",
        Role::TempdbData => "TempDB data",
        Role::TempdbLog => "TempDB log",
        Role::Msdtc => "MSDTC",
        Role::Backup => "backup",
        Role::Any => "any",
    };
    Role::ALL.iter().map(|v| Choice { code: v.as_str(), words: words(*v) }).collect()
}

fn vm_kinds() -> Vec<Choice> {
    let words = |kind| match kind {
        VmKind::SqlOltp => "SQL Server OLTP",
        VmKind::SqlReporting => "SQL Server reporting",
        VmKind::Biztalk => "BizTalk server",
        VmKind::BiztalkMessagebox => "BizTalk MessageBox SQL",
        VmKind::Generic => "other",
    };
    VmKind::ALL.iter().map(|v| Choice { code: v.as_str(), words: words(*v) }).collect()
}

fn biztalk_work() -> Vec<Choice> {
    let words = |work| match work {
        BizTalkWork::Messaging => "messaging",
        BizTalkWork::Orchestration => "orchestration",
    };
    BizTalkWork::ALL.iter().map(|v| Choice { code: v.as_str(), words: words(*v) }).collect()
}

/// An adapter's traffic as one choice; its codes are the lists in JSON with commas between.
fn carries() -> Vec<Choice> {
    const { assert!(NicUse::ALL.len() == 2) }
    vec![
        Choice { code: "vm,backup", words: "VMs and backup" },
        Choice { code: "vm", words: "VMs" },
        Choice { code: "backup", words: "backup" },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_by_its_place() {
        let field = Field::at("unit.0.vm.volumes.12.size_gib").unwrap();
        assert_eq!((field.label, field.unit()), ("Size", "GiB"));
        assert!(Field::at("unit.0.vm.volumes").is_none());
    }

    #[test]
    fn every_place_stands_once() {
        let mut seen = std::collections::HashSet::new();
        for field in FIELDS {
            assert!(seen.insert(field.pattern), "{} stands twice", field.pattern);
        }
    }
}
