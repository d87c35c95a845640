//! A case of the back-test: what was measured somewhere, and what the model is given to predict it.

mod check;
mod input;

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::choice::choice;
use super::scenario::Scenario;

pub use check::parse_case;
pub use input::{
    BizTalkInput, BizTalkRowInput, CaseInput, FitInput, GivenInput, LoadPointInput, PairInput, ScalePointInput,
    ScalingInput, ToleranceInput,
};

choice! {
    /// What a case predicts.
    CaseKind {
        /// `1 − native CPU / host CPU` of one VM, %.
        CpuOverhead = "cpu_overhead",
        /// Native CPU / host CPU of one VM, %: the rate of a guest whose CPU is the limit, relative to native.
        CpuRelative = "cpu_relative",
        /// Memory of one host with hypervisor, root partition and VMs, MiB.
        Memory = "memory",
        /// Front-end IOPS that a pool gives at the unit's mix.
        RaidIops = "raid_iops",
        /// I/O rate of a guest relative to native, %.
        DiskRelative = "disk_relative",
        /// What virtualization adds to the latency of an I/O, ms.
        AddedLatency = "added_latency",
        /// Transactions a second of one VM.
        ClosedLoopTps = "closed_loop_tps",
        /// Response time of one VM's transactions, ms.
        ClosedLoopResponse = "closed_loop_response",
        /// Backup rate before compression, MB/s.
        BackupRate = "backup_rate",
        /// How many units fit.
        CountFits = "count_fits",
        /// Throughput of several VMs relative to fewer of them.
        Consolidation = "consolidation",
        /// Documents a second of a BizTalk group, or its rate relative to another group.
        Biztalk = "biztalk",
    }
}

choice! {
    /// Whether a coefficient was fitted on the measurement.
    CaseSet { Training = "training", HeldOut = "held_out" }
}

choice! {
    /// Which I/O of a volume.
    Io { Read = "read", Write = "write", All = "all" }
}

choice! {
    /// What a BizTalk group does with a document.
    BizTalkWork { Messaging = "messaging", Orchestration = "orchestration" }
}

/// A checked case.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    pub id: String,
    pub kind: CaseKind,
    pub set: CaseSet,
    pub source: String,
    /// What the coefficients rest on.
    pub calibrated_on: String,
    pub note: Option<String>,
    pub given: Given,
    pub measured: f64,
    /// Half of the last digit that was printed, in the unit of the measurement.
    pub half_digit: f64,
    pub unit: &'static str,
    pub tolerance: Tolerance,
}

/// How far a prediction may be off.
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// In the unit of the measurement.
    pub within: f64,
    /// Prediction and measurement must lie on the same side of this.
    pub same_side_of: Option<f64>,
    pub why: Option<String>,
}

/// What the model is given.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    Scenario(Box<ScenarioGiven>),
    Scaling(Scaling),
    BizTalk(BizTalkGiven),
}

/// A scenario, and what of it is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioGiven {
    pub scenario: Scenario,
    /// Units on the hosts.
    pub units: u32,
    /// Units that a relative rate is relative to.
    pub relative_to: u32,
    /// Index of the unit's member.
    pub vm: usize,
    /// Index of the VM's volume.
    pub volume: usize,
    pub io: Io,
    /// CPU coefficients fitted on these instead of the model's own.
    pub fit: Option<Fit>,
}

/// Measurements to fit CPU coefficients on.
#[derive(Clone, Debug, PartialEq)]
pub enum Fit {
    /// Loads: rate, native and guest rate for each CPU %.
    Loads { points: Vec<[f64; 3]>, half_digits: [f64; 3], processors: f64, vcpus: f64 },
    /// Pairs of a native and a guest rate.
    Pairs(Vec<(f64, f64)>),
}

/// Points (size, throughput) of one system, to predict another size from.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    pub points: Vec<(f64, f64)>,
    pub at: f64,
}

/// A BizTalk group.
#[derive(Clone, Debug, PartialEq)]
pub struct BizTalkGiven {
    pub work: BizTalkWork,
    pub messageboxes: u32,
    pub servers: u32,
    /// The group that the rate is relative to: MessageBoxes and servers.
    pub relative_to: Option<(u32, u32)>,
    /// CPU of a processing and of a SQL server relative to the lab's.
    pub processing_rating: f64,
    pub sql_rating: f64,
    pub rows: BizTalkRows,
}

/// What the law is fitted on.
#[derive(Clone, Debug, PartialEq)]
pub enum BizTalkRows {
    /// The published table.
    All,
    /// The published table without the rows of this group and of the one it is relative to.
    Others,
    /// These rows.
    Given(Arc<[BizTalkRow]>),
}

/// One measured run of a BizTalk group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BizTalkRow {
    pub work: BizTalkWork,
    pub messageboxes: u32,
    pub servers: u32,
    pub docs_per_s: f64,
    pub processing_cpu_percent: f64,
    pub sql_cpu_percent: f64,
}

impl CaseKind {
    /// The units in which such a figure is told.
    pub const fn units(self) -> &'static [&'static str] {
        match self {
            Self::CpuOverhead | Self::CpuRelative | Self::DiskRelative => &["%"],
            Self::Memory => &["MiB"],
            Self::RaidIops => &["IOPS"],
            Self::AddedLatency | Self::ClosedLoopResponse => &["ms"],
            Self::ClosedLoopTps => &["1/s"],
            Self::BackupRate => &["MB/s"],
            Self::CountFits => &["units"],
            Self::Consolidation => &["×"],
            Self::Biztalk => &["docs/s", "%"],
        }
    }
}
