//! How far the model is off published measurements of what decides an answer: the error that is shown beside it.

use super::{Accuracy, SummaryResult, kind_label, tenth};
use crate::domain::case::{CaseKind, CaseSet};
use crate::report::words::{Word, capitalized, number, plain, say};

/// The kinds of cases that judge a resource's law; none where the resource is only counted.
const fn kinds(resource: &str) -> &'static [CaseKind] {
    match resource.as_bytes() {
        b"memory" => &[CaseKind::Memory],
        b"cpu" => &[CaseKind::CpuOverhead],
        b"iops" => &[CaseKind::RaidIops],
        b"latency" => &[CaseKind::AddedLatency],
        b"response_time" => &[CaseKind::ClosedLoopResponse],
        b"backup" => &[CaseKind::BackupRate],
        _ => &[],
    }
}

/// Resources whose figures are only added up, so that there is nothing to measure.
const COUNTED: [&str; 5] = ["vcpus", "capacity", "luns", "network", "hypervisor_limit"];

/// The error on what binds, and over all kinds, in words.
pub fn beside(accuracy: &Accuracy, resource: &str) -> String {
    let all = error_of(accuracy, "all", "accuracy-beside-all");
    if COUNTED.contains(&resource) {
        return format!("{} {all}", plain("accuracy-beside-counted"));
    }
    let of_kind = |kind: &CaseKind| error_of(accuracy, kind.as_str(), "accuracy-beside");
    let mut texts: Vec<String> = kinds(resource).iter().map(of_kind).filter(|text| !text.is_empty()).collect();
    texts.push(all);
    texts.join(" ")
}

/// The error on held-out cases of a kind; on training cases where none was held out.
fn error_of(accuracy: &Accuracy, kind: &str, key: &str) -> String {
    let of = |set: CaseSet| accuracy.summary.iter().find(|row| row.kind == kind && row.set == set.as_str());
    let sentence = |row: &SummaryResult, key: &str| {
        let words = [
            ("kind", Word::Text(&capitalized(&kind_label(kind)))),
            ("error", Word::Text(&number(tenth(row.median_abs_error_percent)))),
            ("n", Word::Count(row.cases as f64)),
            ("count", Word::Text(&number(row.cases as f64))),
        ];
        say(key, &words)
    };
    match (of(CaseSet::HeldOut), of(CaseSet::Training)) {
        (Some(row), _) => sentence(row, key),
        (None, Some(row)) => sentence(row, &format!("{key}-training")),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::backtest::summary;

    #[test]
    fn what_binds_has_its_own_error() {
        let of = |resource: &str| beside(summary(), resource);
        assert!(of("iops").starts_with("IOPS of a pool: median error "), "{}", of("iops"));
        assert!(of("response_time").starts_with("Response time of users: error "), "{}", of("response_time"));
        assert!(of("backup").contains("it was fitted on"), "{}", of("backup"));
        assert!(of("capacity").contains("added up"), "{}", of("capacity"));
        for resource in ["memory", "cpu", "iops", "latency", "response_time", "backup", "capacity", ""] {
            assert!(of(resource).contains("All kinds: median error "), "{resource}: {}", of(resource));
        }
    }
}
