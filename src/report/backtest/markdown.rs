//! The back-test as `docs/accuracy.md`.

use std::fmt::Write;

use super::{Accuracy, CaseResult, kind_label, tenth};
use crate::report::words::{number, plain};

/// The page, written by `vmfit backtest --format markdown`.
pub fn markdown(accuracy: &Accuracy) -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "# Accuracy\n\n{}\n\n{}\n", plain("accuracy-about"), accuracy.headline);
    out.push_str(
        "| what | set | cases | median error | mean error | in the 90 % interval |\n|---|---|---|---|---|---|\n",
    );
    for row in &accuracy.summary {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} % | {} % | {} % |",
            kind_label(&row.kind),
            plain(&format!("accuracy-set-{}", row.set)),
            row.cases,
            number(tenth(row.median_abs_error_percent)),
            number(tenth(row.mean_abs_error_percent)),
            number(tenth(row.coverage_percent)),
        );
    }
    let _ = writeln!(out, "\n{}", plain("accuracy-coverage"));
    for set in ["held_out", "training"] {
        let title = plain(&format!("accuracy-set-{set}"));
        let _ = writeln!(out, "\n## {}\n", crate::report::words::capitalized(&title));
        out.push_str(
            "| case | predicted | 90 % interval | measured | error | calibrated on |\n|---|---|---|---|---|---|\n",
        );
        accuracy.cases.iter().filter(|case| case.set == set).for_each(|case| row(case, &mut out));
    }
    let _ = writeln!(out, "\n## {}\n", plain("accuracy-reasons"));
    for case in accuracy.cases.iter() {
        if let Some(why) = &case.tolerance_reason {
            let _ = writeln!(out, "- {}: {} ({} {}).", case.id, cell(why), number(case.tolerance), case.unit);
        }
    }
    let _ = writeln!(out, "\n## {}\n", plain("accuracy-sources"));
    let mut sources: Vec<&str> = accuracy.cases.iter().map(|case| case.source.as_str()).collect();
    sources.sort_unstable();
    sources.dedup();
    for source in sources {
        let _ = writeln!(out, "- {}", cell(source));
    }
    out
}

fn row(case: &CaseResult, out: &mut String) {
    let mark = if case.within_tolerance { "" } else { " (outside its tolerance)" };
    let inside = if case.inside { "" } else { " (not inside)" };
    let _ = writeln!(
        out,
        "| {} | {} | {} to {}{inside} | {} {} | {} %{mark} | {} |",
        cell(&case.id),
        number(case.predicted),
        number(case.low),
        number(case.high),
        number(case.measured),
        case.unit,
        number(tenth(case.error_percent)),
        cell(&case.calibrated_on),
    );
}

/// A text in a table: nothing of it may end the cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace(['\n', '\r'], " ")
}
