//! `/accuracy`: how far the model is off published measurements.

use askama::Template;
use askama_web::WebTemplate;
use axum::extract::State;

use crate::report::backtest::{Accuracy, CaseResult, kind_label};
use crate::report::words::{capitalized, number, plain};
use crate::web::error::AppError;
use crate::web::state::AppState;

#[derive(Template, WebTemplate)]
#[template(path = "accuracy.html")]
pub struct AccuracyPage {
    here: &'static str,
    headline: &'static str,
    coverage: String,
    summary: Vec<[String; 6]>,
    kinds: Vec<Kind>,
}

/// The cases of one kind.
struct Kind {
    id: String,
    label: String,
    cases: Vec<Case>,
}

struct Case {
    id: String,
    set: String,
    predicted: String,
    interval: String,
    measured: String,
    unit: String,
    error: String,
    inside: bool,
    source: String,
    note: String,
}

/// `GET /accuracy`.
pub async fn show(State(state): State<AppState>) -> Result<AccuracyPage, AppError> {
    let accuracy: &'static Accuracy = state.accuracy().await?;
    let tenth = |value: f64| number((value * 10.0).round() / 10.0);
    let summary = accuracy.summary.iter().map(|row| {
        let set = plain(&format!("accuracy-set-{}", row.set));
        let (median, mean) = (tenth(row.median_abs_error_percent), tenth(row.mean_abs_error_percent));
        let cases = number(row.cases as f64);
        [capitalized(&kind_label(&row.kind)), set, cases, median, mean, tenth(row.coverage_percent)]
    });
    let mut kinds: Vec<Kind> = Vec::new();
    for case in &accuracy.cases {
        let shown = view(case);
        match kinds.iter_mut().find(|kind| kind.id == case.kind) {
            Some(kind) => kind.cases.push(shown),
            None => kinds.push(Kind {
                id: case.kind.clone(),
                label: capitalized(&kind_label(&case.kind)),
                cases: vec![shown],
            }),
        }
    }
    // In the order of the table above them.
    kinds.sort_by_key(|kind| accuracy.summary.iter().position(|row| row.kind == kind.id));
    Ok(AccuracyPage {
        here: "/accuracy",
        headline: &accuracy.headline,
        coverage: plain("accuracy-coverage"),
        summary: summary.collect(),
        kinds,
    })
}

fn view(case: &CaseResult) -> Case {
    let interval = match case.low == case.high {
        true => String::new(),
        false => format!("{} to {}", number(case.low), number(case.high)),
    };
    Case {
        id: case.id.clone(),
        set: plain(&format!("accuracy-set-{}", case.set)),
        predicted: number(case.predicted),
        interval,
        measured: number(case.measured),
        unit: case.unit.clone(),
        error: number((case.error_percent * 10.0).round() / 10.0),
        inside: case.inside,
        source: case.source.clone(),
        note: case.note.clone().or_else(|| case.tolerance_reason.clone()).unwrap_or_default(),
    }
}
