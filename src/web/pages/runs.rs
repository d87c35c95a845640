//! Benchmarks that this server runs: the form that starts one, and the page that shows how far it is.

use askama::Template;
use askama_web::WebTemplate;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Redirect, Response};
use serde_json::{Map, Number, Value};
use uuid::Uuid;

use super::benchmarks;
use crate::bench::{Phase, Progress};
use crate::domain::run::RunMode;
use crate::domain::units::{parse_quantity, unit_of_field};
use crate::report::charts;
use crate::report::words::{field_label, number};
use crate::web::error::AppError;
use crate::web::extract::{Form, Path};
use crate::web::runs::{Job, State as RunState, Told, stream};
use crate::web::state::AppState;

/// Name, what an empty field means, a hint, and whether it is of the disk only.
const FIELDS: [(&str, &str, &str, bool); 8] = [
    ("threads", "1", "threads of the load; of fileio the workers", false),
    ("time_s", "10", "0.1 to 600", false),
    ("repeat", "1", "three or more give an interval of the mean", false),
    ("size_gib", "1", "written whole first, removed at the end", true),
    ("block_kib", "8", "SQL Server: 8 for data, up to 60 for the log", true),
    ("read_percent", "67", "the rest is written", true),
    ("random_percent", "100", "0 is one after the other", true),
    ("outstanding", "1", "of each worker; several, as 1 4 16, make a curve", true),
];

/// What each mode loads, in a few words.
const fn about(mode: RunMode) -> &'static str {
    match mode {
        RunMode::Cpu => "processor: prime numbers",
        RunMode::Threads => "scheduler: threads that wait for locks",
        RunMode::Mutex => "locks: lower is better",
        RunMode::Memory => "memory: reads of 1 MiB blocks",
        RunMode::FileIo => "disk: IOPS and latency",
        RunMode::Jbb => "warehouses in memory: transactions",
    }
}

/// The form that starts a run.
#[derive(Template)]
#[template(path = "run_form.html")]
pub struct RunForm {
    modes: Vec<(&'static str, &'static str, bool)>,
    fields: Vec<RunField>,
    /// What is wrong and belongs to no field.
    problems: Vec<String>,
}

struct RunField {
    name: &'static str,
    label: String,
    unit: &'static str,
    default: &'static str,
    help: &'static str,
    of_disk: bool,
    value: String,
    problem: String,
}

impl RunForm {
    /// As it comes first.
    pub fn empty() -> Self {
        Self::with(&[], None)
    }

    /// With what was typed, and what is wrong with it.
    fn with(typed: &[(String, String)], error: Option<&AppError>) -> Self {
        let value = |name: &str| typed.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value);
        let errors = error.map_or(&[][..], |error| &error.errors);
        let told = |name: &str| {
            let own = errors.iter().filter(|one| {
                let pointer = one.pointer.as_deref().unwrap_or_default();
                pointer.split('/').nth(1) == Some(name)
            });
            own.map(|one| one.detail.as_str()).collect::<Vec<_>>().join(" ")
        };
        let field = |(name, default, help, of_disk): (&'static str, _, _, bool)| RunField {
            name,
            label: field_label(&format!("/{name}")),
            unit: unit_of_field(name),
            default,
            help,
            of_disk,
            value: value(name).to_owned(),
            problem: told(name),
        };
        let fields: Vec<RunField> = FIELDS.into_iter().map(field).collect();
        let elsewhere = errors.iter().filter(|one| {
            let pointer = one.pointer.as_deref().unwrap_or_default();
            !FIELDS.iter().any(|(name, ..)| pointer.split('/').nth(1) == Some(name))
        });
        let mode = |mode: RunMode| (mode.as_str(), about(mode), mode.as_str() == value("mode"));
        Self {
            modes: RunMode::ALL.iter().copied().map(mode).collect(),
            problems: elsewhere.map(|one| one.detail.clone()).collect(),
            fields,
        }
    }
}

/// A run that is not over, in the list.
pub struct OpenRow {
    pub id: Uuid,
    pub mode: String,
    pub state: String,
}

impl From<&Job> for OpenRow {
    fn from(job: &Job) -> Self {
        let told = job.told();
        Self { id: job.id, state: heading(&told), mode: told.mode }
    }
}

#[derive(Template, WebTemplate)]
#[template(path = "run.html")]
struct RunPage {
    here: &'static str,
    id: Uuid,
    mode: String,
    created: String,
    over: bool,
    progress: ProgressView,
}

/// The part of the page that changes.
#[derive(Template)]
#[template(path = "run_progress.html")]
struct ProgressView {
    heading: String,
    /// Figures with their names.
    lines: Vec<(&'static str, String)>,
    /// Share of the phase that is done; none while that is not known.
    share: Option<f64>,
    moving: bool,
    chart: Option<String>,
}

impl From<&Told> for ProgressView {
    fn from(told: &Told) -> Self {
        let mut lines = Vec::new();
        let progress = told.progress.as_ref().filter(|_| told.state == RunState::Running);
        if let Some(rate) = progress.and_then(|progress| progress.rate) {
            lines.push(("events a second just now", format!("{} 1/s", number(rate))));
        }
        if let Some((planned, elapsed)) = progress.and_then(|p| Some((p.planned_s?, p.elapsed_s))) {
            lines.push(("left of this phase", format!("{} s", number((planned - elapsed).max(0.0).ceil()))));
        }
        if let Some(why) = &told.why {
            lines.push(("why", why.clone()));
        }
        Self {
            heading: heading(told),
            lines,
            share: progress.and_then(share),
            moving: told.state == RunState::Running,
            chart: charts::rate(&[&told.events_each_second]),
        }
    }
}

fn share(progress: &Progress) -> Option<f64> {
    let timed = || progress.planned_s.filter(|planned| *planned > 0.0).map(|planned| progress.elapsed_s / planned);
    progress.done.or_else(timed).map(|share| share.clamp(0.0, 1.0))
}

/// "Measuring, run 2 of 5".
fn heading(told: &Told) -> String {
    let words = match told.state {
        RunState::Queued => {
            return told.position.map_or("Waiting".to_owned(), |at| format!("Waiting, {at} in the queue"));
        }
        RunState::Done => "Done",
        RunState::Cancelled => "Cancelled before anything was measured",
        RunState::Failed => "Failed",
        RunState::Running => match told.progress.as_ref().map(|progress| progress.phase) {
            None => "Starting",
            Some(Phase::Prepare) => "Preparing",
            Some(Phase::WarmUp) => "Warming up",
            Some(Phase::Measure) => "Measuring",
            Some(Phase::CleanUp) => "Cleaning up",
        },
    };
    match told.progress.as_ref().filter(|progress| !progress.step.is_empty() && !told.state.is_over()) {
        Some(progress) => format!("{words}, {}", progress.step),
        None => words.to_owned(),
    }
}

/// `POST /benchmarks/runs`: starts one, or shows the form with what is wrong.
pub async fn start(State(state): State<AppState>, headers: HeaderMap, Form(body): Form) -> Result<Response, AppError> {
    let typed: Vec<(String, String)> =
        form_urlencoded::parse(&body).map(|(name, value)| (name.into_owned(), value.trim().to_owned())).collect();
    match state.start_run(asked(&typed).to_string().as_bytes()) {
        Ok(job) => Ok(Redirect::to(&format!("/benchmarks/{}", job.id)).into_response()),
        Err(error) if !error.errors.is_empty() => {
            let form = RunForm::with(&typed, Some(&error));
            let page = benchmarks::list_page(&state, benchmarks::Asked::default(), Some(form), &headers).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
        Err(error) => Err(error),
    }
}

/// What the form asks for, as the API takes it. A text that is no number stays one, so that it is refused at its field;
/// fields that the page hides for this mode are left out.
fn asked(typed: &[(String, String)]) -> Value {
    let is_disk = typed.iter().any(|(name, value)| name == "mode" && value == RunMode::FileIo.as_str());
    let mut run = Map::new();
    for (name, value) in typed.iter().filter(|(_, value)| !value.is_empty()) {
        let figure = |text: &str| {
            let parsed = parse_quantity(text, unit_of_field(name)).and_then(Number::from_f64);
            parsed.map_or_else(|| Value::String(text.to_owned()), Value::Number)
        };
        let value = match FIELDS.iter().find(|(own, ..)| own == name) {
            Some((.., true)) if !is_disk => continue,
            Some(("outstanding", ..)) => {
                value.split([',', ';', ' ']).filter(|part| !part.is_empty()).map(figure).collect()
            }
            Some(_) => figure(value),
            None => Value::String(value.clone()),
        };
        run.insert(name.clone(), value);
    }
    Value::Object(run)
}

/// The page of a run that has no result.
pub fn page(job: &Job) -> Response {
    let told = job.told();
    let page = RunPage {
        here: "/benchmarks",
        id: job.id,
        created: job.created.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        over: told.state.is_over(),
        progress: ProgressView::from(&told),
        mode: told.mode,
    };
    page.into_response()
}

/// `GET /benchmarks/{id}/events`: the part that changes, whenever it does; `over` at the end.
pub async fn events(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<Response, AppError> {
    let Some(job) = state.run(id) else {
        state.store.benchmark(id).await?;
        return Ok(stream::once(over()).into_response());
    };
    Ok(stream::of_job(Some(&job), state.stopping.clone(), event).into_response())
}

fn event(told: &Told) -> Event {
    if told.state.is_over() {
        return over();
    }
    let html = ProgressView::from(told).render().unwrap_or_default();
    // An event cannot carry these.
    Event::default().event("told").data(html.replace('\r', ""))
}

fn over() -> Event {
    Event::default().event("over").data("over")
}

/// `POST /benchmarks/{id}/cancel`.
pub async fn cancel(State(state): State<AppState>, Path(id): Path<Uuid>) -> Redirect {
    // One that ended meanwhile has a page, too.
    state.cancel_run(id);
    Redirect::to(&format!("/benchmarks/{id}"))
}
