//! What the engine answers: numbers and codes, no prose.

use crate::domain::choice::Attach;
use crate::domain::range::Range;

use super::arithmetic::{Source, Statement};
use super::checks::NotChecked;
use super::factors::UncertainInput;
use super::fit::Check;
use super::groups::Group;
use super::latency::VolumeLatency;
use super::luns::Item;
use super::plan::Place;
use super::response::Response;
use super::uncertainty::Distribution;

/// The answer to a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Units that fit with every range at its likely value.
    pub likely: u32,
    pub distribution: Distribution,
    /// Every limit that was checked, the binding one first.
    pub rows: Vec<Row>,
    pub not_checked: Vec<NotChecked>,
    /// What one unit more would need, for every limit it would pass.
    pub remedies: Vec<Remedy>,
    pub volumes: Vec<VolumeRow>,
    pub transactions: Vec<TransactionRow>,
    pub sensitivity: Vec<SensitivityRow>,
    pub advice: Vec<Advice>,
    /// The ways of attaching that occur, in the order of [`Attach::ALL`].
    pub attachments: Vec<Attach>,
    /// The BizTalk group in the unit.
    pub biztalk: Option<Group>,
}

/// One limit at the likely values.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub check: Check,
    pub unit: &'static str,
    pub supply: f64,
    pub reserved: f64,
    pub usable: f64,
    /// `None` for limits that are no ratio.
    pub per_unit: Option<f64>,
    /// At the likely fit; of one host, the fullest, for limits of a host.
    pub used: f64,
    /// Used, and usable, of supply − reserved.
    pub utilization: f64,
    pub limit: f64,
    pub fits: u32,
    pub unrounded: f64,
    /// How the figures are made; empty where nobody asked.
    pub arithmetic: Vec<Statement>,
    /// Share of supply − reserved that the policy lets plan with; `None` where there is no such share.
    pub target: Option<f64>,
}

/// What a limit lacks for one unit more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remedy {
    pub check: Check,
    /// In the unit of the limit, of what may be planned with.
    pub lacking: f64,
    pub change: Change,
}

/// What would make room; numbers are rounded up to what can be bought.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// GiB in each host.
    Memory { gib: f64 },
    /// Cores of the host's rating in each host.
    Cores { cores: u32 },
    /// vCPUs a thread that the policy would have to allow.
    VcpuRatio { ratio: f64 },
    /// Hosts of the same kind.
    Hosts { hosts: u32 },
    /// Adapters of that speed in each host.
    Nics { count: u32, gbps: f64 },
    /// Disks of the pool's kind.
    Disks { disks: u32 },
    /// IOPS of a pool that is known by measurement only.
    Iops { iops: f64 },
    /// LUNs for the volumes that find none, of at least so many GiB in all.
    Luns { luns: u32, gib: f64 },
    /// GiB on LUNs of virtual disks.
    LunSpace { gib: f64 },
    /// A volume on a controller that is too slow for it.
    Controller,
    /// No number of disks brings the latency down that far: the disks themselves are too slow.
    FasterDisks,
    /// The transactions' response time, ms, has to come down.
    Response,
}

/// Predicted latency of one volume at the likely fit.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumeRow {
    pub item: Item,
    pub place: Place,
    pub lun: Option<usize>,
    pub latency: VolumeLatency,
}

/// Predicted response time at the likely fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TransactionRow {
    pub member: usize,
    /// `None` when CPU or disks cannot keep up.
    pub response: Option<Response>,
}

/// The answer with one input at either end.
#[derive(Clone, Debug, PartialEq)]
pub struct SensitivityRow {
    pub input: UncertainInput,
    pub range: Range,
    pub low_fits: u32,
    pub high_fits: u32,
    pub low_unrounded: f64,
    pub high_unrounded: f64,
    pub source: Source,
}

/// How much a piece of advice matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Critical,
    Warning,
    Info,
}

impl Severity {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

/// Something the planner should know: a code with its names and numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    pub code: &'static str,
    pub severity: Severity,
    /// What it is about, as the user named it.
    pub subject: String,
    /// Texts and numbers that its sentence needs, by name.
    pub texts: Vec<(&'static str, String)>,
    pub numbers: Vec<(&'static str, f64)>,
    pub source: &'static str,
}
