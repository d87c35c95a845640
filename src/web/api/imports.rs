//! `/api/v1/imports/{format}`: results of other tools, read on the server as `vmfit import` reads them.

use axum::extract::{DefaultBodyLimit, State};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::import::perfmon::{Knobs, Span};
use crate::import::{self, ImportError, Imported, Options};
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, Path, Query, RawBytes};
use crate::web::state::AppState;

/// Largest file that is taken over HTTP. The command reads files of any size.
pub(in crate::web) const MOST_BYTES: usize = 64 << 20;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(create)).layer(DefaultBodyLimit::max(MOST_BYTES))
}

/// How it is read; all but the first are for Performance Monitor.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(in crate::web) struct Wanted {
    /// Requests under way, where the file does not say
    concurrency: Option<f64>,
    /// Percentile of the samples that is planned for; 95 when it is left out
    percentile: Option<f64>,
    /// Factor on top of it; 1 when it is left out
    comfort: Option<f64>,
    /// Utilization that the vCPUs are meant to run at; 80 when it is left out
    target_percent: Option<f64>,
    /// Only these hours count, as 8-18
    business_hours: Option<String>,
    /// Saturday and Sunday do not count
    #[serde(default)]
    weekdays: bool,
    /// These hours do not count, as 22:00-02:00
    backup_window: Option<String>,
    /// The machine, where the file holds several
    machine: Option<String>,
    /// Memory of the VM, which counters do not show
    memory_gib: Option<f64>,
    /// Logical processors of the machine, where the file has `_Total` only
    processors: Option<f64>,
}

impl Wanted {
    /// The same for the importer.
    ///
    /// # Errors
    /// Every parameter that is out of its range.
    pub(in crate::web) fn options(self) -> Result<Options, AppError> {
        let mut problems = Vec::new();
        if let Some(concurrency) = self.concurrency.filter(|n| !(n.is_finite() && *n > 0.0)) {
            problems.push(("concurrency", format!("{concurrency} is not possible; allowed: more than 0.")));
        }
        let mut span = |knob: &'static str, text: Option<String>| {
            Span::parse(knob, &text?).map_err(|error| problems.push(told(&error))).ok()
        };
        let usual = Knobs::default();
        let knobs = Knobs {
            percentile: self.percentile.unwrap_or(usual.percentile),
            comfort: self.comfort.unwrap_or(usual.comfort),
            target_percent: self.target_percent.unwrap_or(usual.target_percent),
            business_hours: span("business_hours", self.business_hours),
            weekdays_only: self.weekdays,
            backup_windows: span("backup_window", self.backup_window).into_iter().collect(),
            machine: self.machine,
            memory_gib: self.memory_gib,
            processors: self.processors,
        };
        problems.extend(knobs.problems().map(|error| told(&error)));
        if problems.is_empty() {
            Ok(Options { concurrency: self.concurrency, perfmon: knobs })
        } else {
            Err(AppError::parameters(problems))
        }
    }
}

/// The parameter that an error is about, empty for the file, and its text.
fn told(error: &ImportError) -> (&'static str, String) {
    match error {
        ImportError::Knob { knob, value, allowed } => (knob, format!("{value} is not possible; allowed: {allowed}.")),
        other => ("", format!("The file: {other}.")),
    }
}

/// What reading a file came to, as a problem: of a parameter, or of the body.
pub(in crate::web) fn refused(error: &ImportError) -> AppError {
    match told(error) {
        ("", detail) => AppError::pointer(String::new(), detail),
        of_a_parameter => AppError::parameters([of_a_parameter]),
    }
}

/// Read a result of another tool
///
/// `format` is a name that `vmfit import list` prints, or `auto` to recognize it by content. The body is the file as it
/// is, at most 64 MiB. A benchmark becomes runs with metrics, units and the direction that is better; a Performance Monitor
/// log becomes the demand of a VM.
#[utoipa::path(
    post, path = "/imports/{format}", tag = "imports",
    params(("format" = String, Path)),
    request_body(content = Vec<u8>, content_type = "application/octet-stream"),
    responses(
        (status = 200, description = "What was read", body = Imported),
        (status = 413, description = "Larger than 64 MiB", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 422, description = "Not of that format, or a parameter is wrong", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
async fn create(
    State(state): State<AppState>,
    Path(format): Path<String>,
    Query(wanted): Query<Wanted>,
    RawBytes(body): RawBytes,
) -> Result<Json<Imported>, AppError> {
    if let Err(error) = import::known(&format) {
        return Err(AppError::parameter("format", format!("{error}.")));
    }
    let options = wanted.options()?;
    let read = state.on_a_cpu(move || import::import(&format, body.as_ref(), &options)).await?;
    read.map(Json).map_err(|error| refused(&error))
}
