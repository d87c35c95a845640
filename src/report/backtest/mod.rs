//! How far the model is off published measurements: the cases that come with the program, and those of a folder.

mod beside;
mod cases;
mod markdown;
mod schema;
mod text;

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::case::{Case, CaseSet};
use crate::engine::backtest::{self, Group, Verdict};

use super::words::{Word, number, plain, rounded, say};

pub use beside::beside;
pub use cases::{built_in, read_cases};
pub use markdown::markdown;
pub use schema::schema;
pub use text::text;

/// Predictions beside measurements, and their errors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Accuracy {
    /// "Median error 2.1 % on 80 published measurements that the model was not fitted on; 60 % of them lie inside …"
    pub headline: String,
    /// Over the held-out cases.
    pub median_abs_error_percent: f64,
    /// Held-out cases.
    pub held_out_cases: usize,
    pub cases: Vec<CaseResult>,
    pub summary: Vec<SummaryResult>,
}

/// One prediction beside its measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CaseResult {
    pub id: String,
    pub kind: String,
    /// `training` or `held_out`.
    pub set: String,
    /// 0 where the model has no answer.
    pub predicted: f64,
    /// The interval that holds 90 % of the draws.
    pub low: f64,
    pub high: f64,
    pub measured: f64,
    pub unit: String,
    /// Predicted over measured less one.
    pub error_percent: f64,
    /// Whether the interval holds the measurement, up to half of its last printed digit.
    pub inside: bool,
    pub within_tolerance: bool,
    /// In the unit of the measurement.
    pub tolerance: f64,
    /// Why the tolerance is not narrower.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance_reason: Option<String>,
    pub source: String,
    /// What the coefficients rest on.
    pub calibrated_on: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Errors of one kind of case and set; the kind `all` is over every kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SummaryResult {
    pub kind: String,
    pub set: String,
    pub cases: usize,
    pub median_abs_error_percent: f64,
    pub mean_abs_error_percent: f64,
    /// Share of the measurements inside their 90 % interval.
    pub coverage_percent: f64,
}

/// Every resource that can bind, and none.
const RESOURCES: [&str; 12] = [
    "cpu",
    "memory",
    "vcpus",
    "iops",
    "capacity",
    "luns",
    "network",
    "latency",
    "response_time",
    "backup",
    "hypervisor_limit",
    "",
];

/// The cases that come with the program, judged once.
static BUILT_IN: LazyLock<Accuracy> = LazyLock::new(|| accuracy(&built_in().unwrap_or_default()));

/// How far the model is off the measurements that come with the program. The first call judges all cases: some 100 ms.
pub fn summary() -> &'static Accuracy {
    &BUILT_IN
}

/// Judges cases.
pub fn accuracy(cases: &[Case]) -> Accuracy {
    let judged: Vec<(&Case, Verdict)> = cases.iter().map(|case| (case, backtest::judge(case))).collect();
    let rows = backtest::summarize(&judged);
    let held_out = rows.iter().find(|row| row.group == Group::All && row.set == CaseSet::HeldOut);
    let (held_out_cases, median, coverage) =
        held_out.map_or((0, 0.0, 0.0), |row| (row.cases, percent(row.median_abs_error), percent(row.coverage)));
    let words = [
        ("n", Word::Count(held_out_cases as f64)),
        ("count", Word::Text(&number(held_out_cases as f64))),
        ("error", Word::Text(&number(tenth(median)))),
        ("coverage", Word::Text(&number(coverage.round()))),
    ];
    Accuracy {
        headline: say("accuracy-headline", &words),
        median_abs_error_percent: median,
        held_out_cases,
        cases: judged.iter().map(|(case, verdict)| result(case, verdict)).collect(),
        summary: rows
            .iter()
            .map(|row| SummaryResult {
                kind: match row.group {
                    Group::Kind(kind) => kind.as_str().to_owned(),
                    Group::All => "all".to_owned(),
                },
                set: row.set.as_str().to_owned(),
                cases: row.cases,
                median_abs_error_percent: percent(row.median_abs_error),
                mean_abs_error_percent: percent(row.mean_abs_error),
                coverage_percent: percent(row.coverage),
            })
            .collect(),
    }
}

fn result(case: &Case, verdict: &Verdict) -> CaseResult {
    let figure = |of: fn(&backtest::Prediction) -> f64| verdict.prediction.as_ref().map_or(0.0, |p| rounded(of(p)));
    CaseResult {
        id: case.id.clone(),
        kind: case.kind.as_str().to_owned(),
        set: case.set.as_str().to_owned(),
        predicted: figure(|p| p.likely),
        low: figure(|p| p.low),
        high: figure(|p| p.high),
        measured: case.measured,
        unit: case.unit.to_owned(),
        error_percent: percent(verdict.error),
        inside: verdict.inside,
        within_tolerance: verdict.within_tolerance,
        tolerance: rounded(case.tolerance.within),
        tolerance_reason: case.tolerance.why.clone(),
        source: case.source.clone(),
        calibrated_on: case.calibrated_on.clone(),
        note: case.note.clone(),
    }
}

/// The summary as documents show it.
impl From<&Accuracy> for super::pdf::Accuracy {
    fn from(accuracy: &Accuracy) -> Self {
        let row = |row: &SummaryResult| super::pdf::AccuracyRow {
            kind: kind_label(&row.kind),
            set: plain(&format!("accuracy-set-{}", row.set)),
            cases: u32::try_from(row.cases).unwrap_or(u32::MAX),
            median_abs_error_percent: tenth(row.median_abs_error_percent),
            mean_abs_error_percent: tenth(row.mean_abs_error_percent),
            coverage_percent: tenth(row.coverage_percent),
        };
        Self {
            beside: RESOURCES.iter().map(|&one| (one.to_owned(), beside(accuracy, one))).collect(),
            about: format!("{} {}", accuracy.headline, plain("accuracy-coverage")),
            rows: accuracy.summary.iter().map(row).collect(),
        }
    }
}

impl Accuracy {
    /// The cases outside their stated tolerance.
    pub fn outside_tolerance(&self) -> impl Iterator<Item = &CaseResult> {
        self.cases.iter().filter(|case| !case.within_tolerance)
    }
}

/// A share as per cent, without the digits that floating-point arithmetic adds.
fn percent(share: f64) -> f64 {
    rounded((share * 1e8).round() / 1e6)
}

fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// What a kind predicts, in words.
pub fn kind_label(kind: &str) -> String {
    plain(&format!("accuracy-kind-{kind}"))
}

/// Every kind that has words, for a test.
#[cfg(test)]
fn kinds() -> impl Iterator<Item = &'static str> {
    crate::domain::case::CaseKind::ALL.iter().map(|kind| kind.as_str()).chain(["all"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::words;

    #[test]
    fn every_kind_has_words() {
        for kind in kinds() {
            assert!(words::has(&format!("accuracy-kind-{kind}")), "{kind}");
        }
    }

    #[test]
    fn no_case_at_all_is_no_failure() {
        let none = accuracy(&[]);
        assert_eq!((none.held_out_cases, none.cases.len(), none.summary.len()), (0, 0, 0));
    }
}
