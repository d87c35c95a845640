//! The back-test on a terminal.

use std::fmt::Write;

use super::{Accuracy, kind_label, tenth};
use crate::report::words::{number, plain};

/// Summary, then every case with its error, the largest first.
pub fn text(accuracy: &Accuracy) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "{}\n", accuracy.headline);
    for row in &accuracy.summary {
        let _ = writeln!(
            out,
            "{:<28} {:<10} {:>4}   median {:>6} %   mean {:>6} %   in interval {:>5} %",
            kind_label(&row.kind),
            plain(&format!("accuracy-set-{}", row.set)),
            row.cases,
            number(tenth(row.median_abs_error_percent)),
            number(tenth(row.mean_abs_error_percent)),
            number(tenth(row.coverage_percent)),
        );
    }
    out.push('\n');
    let mut cases: Vec<_> = accuracy.cases.iter().collect();
    cases.sort_by(|a, b| b.error_percent.abs().total_cmp(&a.error_percent.abs()).then(a.id.cmp(&b.id)));
    for case in cases {
        let mark = if case.within_tolerance { "" } else { "  OUTSIDE ITS TOLERANCE" };
        let _ = writeln!(
            out,
            "{:<58} {:<9} {:>10} ({} to {}) for {} {}, {} %{mark}",
            case.id,
            plain(&format!("accuracy-set-{}", case.set)),
            number(case.predicted),
            number(case.low),
            number(case.high),
            number(case.measured),
            case.unit,
            number(tenth(case.error_percent)),
        );
    }
    out
}
