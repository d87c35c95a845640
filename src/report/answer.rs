//! The answer as it is shown and sent: one view for page, API, terminal and PDF. Numbers come from the engine, words from
//! [`super::words`].

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::words::number;
use crate::engine::fit::MOST_UNITS;

/// How many units fit, what stops one more, and how sure that is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Answer {
    /// The name of the sizing.
    pub name: String,
    /// What is counted: "SQL Server VMs", or "units of 3 BizTalk and 1 SQL Server VMs".
    pub unit_name: String,
    /// The answer in one sentence: "3 SQL Server VMs fit."
    pub headline: String,
    /// How sure that is, in one sentence.
    pub certainty: String,
    pub fit: Fit,
    pub binding: Binding,
    /// Every resource that was checked, the binding one first.
    pub resources: Vec<Resource>,
    /// Predicted latency of each volume; the first units only where there are very many.
    pub volumes: Vec<VolumeAnswer>,
    /// Predicted response time of transactions, where they are given.
    pub transactions: Vec<TransactionAnswer>,
    pub advice: Vec<Advice>,
    pub sensitivity: Vec<Sensitivity>,
    pub not_checked: Vec<NotChecked>,
    pub overhead: Overhead,
    /// Utilization and latency against the number of units, for charts; only where asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub curves: Option<Curves>,
    /// The BizTalk group in the unit: documents a second, and what an asked rate needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub biztalk: Option<super::biztalk::BizTalkAnswer>,
    /// Version of the laws that made the answer.
    pub model_version: String,
}

/// The number of units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Fit {
    /// With every range at its likely value.
    pub likely: u32,
    /// At least so many fit with the asked confidence.
    pub at_confidence: u32,
    pub confidence_percent: f64,
    /// The other end of the interval: more than this fit only with the complementary probability.
    pub most: u32,
    /// With every range at its worse end, and at its better end: no draw lies outside.
    pub worst_case: u32,
    pub best_case: u32,
    /// Draws that were needed: 0 where both ends agree.
    pub draws: u32,
    /// Units are counted up to this number, and so many or more fit; left out where a limit stops them earlier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counted_to: Option<u32>,
    /// Probability that at least so many fit, from the worst case to one above the best.
    pub probability: Vec<Probability>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Probability {
    pub units: u32,
    pub at_least: f64,
}

/// What stops one more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Binding {
    pub resource: String,
    pub subject: String,
    /// A sentence for a meeting.
    pub reason: String,
    /// What to change so that one unit more fits.
    pub to_fit_one_more: String,
    /// The same as numbers, every limit that one more would pass.
    pub remedies: Vec<Remedy>,
}

/// One change on the way to one unit more.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Remedy {
    pub resource: String,
    pub subject: String,
    /// What is lacking, in `unit`, before rounding up to what can be bought.
    pub lacking: f64,
    pub unit: String,
    /// How much to add, rounded up, in `add_unit`; 0 where adding does not help.
    pub add: f64,
    pub add_unit: String,
    pub text: String,
}

/// One resource that was checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Resource {
    pub resource: String,
    /// "Memory", for people.
    pub label: String,
    pub subject: String,
    pub unit: String,
    /// What the hardware has.
    pub supply: f64,
    /// What host and hypervisor take of it.
    pub reserved: f64,
    /// Policy target × (supply − reserved).
    pub usable: f64,
    /// What one unit needs; null for limits that are no ratio.
    pub per_unit: Option<f64>,
    /// At the likely fit.
    pub used: f64,
    /// At the likely fit, of supply − reserved.
    pub utilization_percent: f64,
    /// Where the policy draws the line, of supply − reserved.
    pub limit_percent: f64,
    pub fits: u32,
    /// How the numbers are made; only where asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arithmetic: Vec<Line>,
}

impl Resource {
    /// How many units it allows, as people read it; "≥ 1,000,000" where none are counted beyond.
    pub fn fits_text(&self) -> String {
        let count = number(f64::from(self.fits));
        if self.fits < MOST_UNITS { count } else { format!("≥ {count}") }
    }
}

/// One line of arithmetic: `8,192 + 32 + 7 × 8 = 8,280 MiB`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Line {
    /// What it makes: "One unit needs".
    pub label: String,
    pub text: String,
    /// Its figures with their sources.
    pub figures: Vec<Figure>,
}

/// A figure in a line of arithmetic.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Figure {
    pub name: String,
    pub value: f64,
    /// To what power it is raised; left out where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub power: Option<f64>,
    pub unit: String,
    pub source: String,
    /// `input` (given), `rule` (of thumb, or a definition), `law`, `model` (a coefficient) or `result` (calculated).
    pub kind: String,
}

/// Predicted latency of one volume at the likely fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct VolumeAnswer {
    pub vm: String,
    pub volume: String,
    pub role: String,
    pub unit_number: u32,
    /// Which of the unit's VMs of that name.
    pub vm_number: u32,
    /// The name of the LUN; for a carved LUN the name of its pool.
    pub lun: String,
    pub pool: String,
    pub attach: String,
    /// The larger of read and write; null when there is no I/O or the pool cannot keep up.
    pub latency_ms: Option<f64>,
    pub read_latency_ms: Option<f64>,
    pub write_latency_ms: Option<f64>,
    pub max_latency_ms: Option<f64>,
}

/// Predicted response time of a VM's transactions at the likely fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TransactionAnswer {
    pub vm: String,
    /// Transactions a second of one VM, and of all.
    pub per_s: f64,
    pub total_per_s: f64,
    /// Null when CPU or disks cannot keep up.
    pub response_ms: Option<f64>,
    pub cpu_ms: Option<f64>,
    pub disk_ms: Option<f64>,
    /// What the measured response has beside CPU and disks: locks, network, client. 0 without a measured response.
    #[serde(default)]
    pub other_ms: Option<f64>,
    pub max_response_ms: Option<f64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Advice {
    pub code: String,
    /// `info`, `warning` or `critical`.
    pub severity: String,
    pub subject: String,
    pub text: String,
    pub source: String,
}

/// The answer with one input at its low and at its high end, the rest likely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Sensitivity {
    pub input: String,
    pub low: f64,
    pub high: f64,
    pub unit: String,
    pub low_fits: u32,
    pub high_fits: u32,
    /// Before rounding: how far the nearest limit moves.
    pub low_unrounded: f64,
    pub high_unrounded: f64,
    /// Sobol index: share of the variance of the number of units before rounding that this input explains alone; only where
    /// asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_order: Option<f64>,
    /// The same with its interactions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<f64>,
    pub source: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NotChecked {
    pub resource: String,
    pub label: String,
    pub why: String,
}

/// The overhead model that was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Overhead {
    pub id: String,
    pub name: String,
    pub about: String,
    /// Those of the ways of attaching that occur.
    pub coefficients: Vec<Coefficient>,
}

/// A coefficient with the range it was used with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = UsedCoefficient)]
pub struct Coefficient {
    pub name: String,
    /// The way of attaching it holds for; left out where it holds for all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attach: Option<String>,
    pub low: f64,
    pub likely: f64,
    pub high: f64,
    pub unit: String,
    pub source: String,
    /// How it was derived from the source; only where asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub derivation: Option<String>,
}

/// What the charts over the number of units show.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Curves {
    pub units: Vec<u32>,
    /// Percent of supply − reserved, by resource, for each number of units.
    pub utilization: Vec<Curve>,
    /// Milliseconds, the worst volume of each pool and each transaction, for each number of units; null where saturated.
    pub latency: Vec<Curve>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Curve {
    pub label: String,
    /// Where the limit is drawn.
    pub limit: Option<f64>,
    pub values: Vec<Option<f64>>,
}
