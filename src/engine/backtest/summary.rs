//! Errors and coverage of many cases.

use crate::domain::case::{Case, CaseKind, CaseSet};

use super::Verdict;

/// Which cases a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Kind(CaseKind),
    All,
}

/// Errors of a group of cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SummaryRow {
    pub group: Group,
    pub set: CaseSet,
    pub cases: usize,
    /// Of the relative errors, without sign.
    pub median_abs_error: f64,
    pub mean_abs_error: f64,
    /// Share of the measurements that lie in their interval.
    pub coverage: f64,
}

/// A row for each kind and set that has cases, and one for all cases of a set.
pub fn summarize(judged: &[(&Case, Verdict)]) -> Vec<SummaryRow> {
    let groups = CaseKind::ALL.iter().map(|kind| Group::Kind(*kind)).chain([Group::All]);
    let rows = groups.flat_map(|group| CaseSet::ALL.iter().rev().map(move |set| (group, *set)));
    rows.filter_map(|(group, set)| {
        let of = |case: &Case| case.set == set && (group == Group::All || group == Group::Kind(case.kind));
        let members: Vec<&Verdict> = judged.iter().filter(|(case, _)| of(case)).map(|(_, verdict)| verdict).collect();
        row(group, set, &members)
    })
    .collect()
}

fn row(group: Group, set: CaseSet, members: &[&Verdict]) -> Option<SummaryRow> {
    let mut errors: Vec<f64> = members.iter().map(|verdict| verdict.error.abs()).collect();
    errors.sort_by(f64::total_cmp);
    let count = errors.len() as f64;
    let middle = errors.len() / 2;
    let upper = *errors.get(middle)?;
    let median = if errors.len() % 2 == 1 { upper } else { (errors[middle - 1] + upper) / 2.0 };
    let inside = members.iter().filter(|verdict| verdict.inside).count();
    Some(SummaryRow {
        group,
        set,
        cases: errors.len(),
        median_abs_error: median,
        mean_abs_error: errors.iter().sum::<f64>() / count,
        coverage: inside as f64 / count,
    })
}
