//! `/imports`: files of other tools, read as `vmfit import` reads them, and a VM of a Performance Monitor log.

use askama::Template;
use askama_web::WebTemplate;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::view::upload::{Asked, PlainField, plain_fields};
use crate::import::perfmon::{CounterSummary, Missing, Workload};
use crate::import::{self, Direction, FORMATS, ImportError, Imported, Run};
use crate::report::charts::{self, Series};
use crate::report::words::{field_label, number};
use crate::web::api::imports::{self, Wanted};
use crate::web::error::AppError;
use crate::web::extract::{Upload, parameters};
use crate::web::form::{link, tree};
use crate::web::state::AppState;

/// Charts of a page at most; further counters stand in the table.
const MOST_CHARTS: usize = 24;
/// Runs that are shown whole; a file of thousands is for the command.
const MOST_RUNS: usize = 50;

const FIELDS: [Asked; 9] = [
    field("memory_gib", "Memory of the VM", "GiB", "from Committed Bytes", "counters do not show how much there is"),
    field("processors", "Logical processors", "", "from the file", "where the log has _Total only"),
    field("percentile", "Percentile planned for", "%", "95", "of the samples, nearest rank"),
    field("comfort", "Comfort factor", "", "1", "on every demand: growth, what was not seen"),
    field("target_percent", "Target utilization", "%", "80", "how busy the vCPUs are to be; sets their number"),
    field("business_hours", "Hours that count", "", "all", "as 8-18"),
    field("backup_window", "Backup window", "", "none", "as 22:00-02:00; does not count"),
    field("machine", "Machine", "", "the only one", "where the log holds several"),
    field("concurrency", "Requests under way", "", "from the file", "for benchmarks that do not say"),
];
const fn field(
    name: &'static str,
    label: &'static str,
    unit: &'static str,
    default: &'static str,
    help: &'static str,
) -> Asked {
    Asked { name, label, unit, default, help }
}

#[derive(Template, WebTemplate)]
#[template(path = "imports.html")]
struct Page {
    here: &'static str,
    formats: Vec<(&'static str, &'static str, bool)>,
    fields: Vec<PlainField>,
    weekdays: bool,
    problem: String,
    found: Option<Found>,
}

/// What a file gave.
struct Found {
    title: String,
    facts: String,
    runs: Vec<RunView>,
    more_runs: usize,
    workload: Option<WorkloadView>,
    warnings: Vec<String>,
    ignored: Vec<String>,
}

struct RunView {
    title: String,
    facts: String,
    /// Name, value, unit, and which way is better.
    metrics: Vec<[String; 4]>,
    books: Option<String>,
}

struct WorkloadView {
    title: String,
    facts: String,
    /// The form of a sizing with this VM.
    link: String,
    vm: String,
    missing: Vec<String>,
    demand: Option<String>,
    books: Vec<String>,
    /// Counter, unit, chosen, mean, least, most, coverage.
    counters: Vec<[String; 7]>,
    /// Name of a counter and its chart.
    charts: Vec<(String, String)>,
    more_charts: usize,
}

impl Page {
    /// Whether what is folded away was used, or is wrong.
    fn asks(&self) -> bool {
        self.weekdays
            || self.formats.iter().any(|(.., chosen)| *chosen)
            || self.fields.iter().any(|field| !field.value.is_empty() || !field.problem.is_empty())
    }
}

/// `GET /imports`.
pub async fn show() -> Response {
    page(&Upload::default(), None, None).into_response()
}

/// `POST /imports`: what is in the file.
pub async fn upload(State(state): State<AppState>, upload: Upload) -> Result<Response, AppError> {
    let refused =
        |error: &AppError| Ok((StatusCode::UNPROCESSABLE_ENTITY, page(&upload, Some(error), None)).into_response());
    let unreadable = |told: String| refused(&AppError::unreadable(told));
    let format = upload.field("format").unwrap_or("auto").to_owned();
    let given = upload.fields.iter().filter(|(name, _)| name != "format");
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish();
    let options = match parameters::<Wanted>(&query).and_then(Wanted::options) {
        Ok(options) => options,
        Err(error) => return refused(&error),
    };
    if let Err(error) = import::known(&format) {
        return unreadable(format!("{error}."));
    }
    let Some(file) = upload.files.first().filter(|file| !file.bytes.is_empty()) else {
        return unreadable("Choose a file that is not empty, or drop one here.".to_owned());
    };
    let (name, bytes) = (file.name.clone(), file.bytes.clone());
    let read = move || import::import(&format, bytes.as_ref(), &options).map(|found| Found::from(&found));
    match state.on_a_cpu(read).await? {
        Ok(found) => Ok(page(&upload, None, Some(found)).into_response()),
        Err(error @ ImportError::Knob { .. }) => refused(&imports::refused(&error)),
        Err(error) => unreadable(format!("{name}: {error}.")),
    }
}

fn page(upload: &Upload, error: Option<&AppError>, found: Option<Found>) -> Page {
    let (fields, problem) = plain_fields(&FIELDS, upload, error);
    let chosen = upload.field("format").unwrap_or("auto");
    let formats = FORMATS.iter().map(|format| (format.name, format.about, format.name == chosen)).collect();
    Page { here: "/imports", formats, fields, weekdays: upload.field("weekdays").is_some(), problem, found }
}

impl From<&Imported> for Found {
    fn from(imported: &Imported) -> Self {
        let (tool, read) = (&imported.tool, &imported.read);
        let version = tool.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        let count = |count: u64| number(count as f64);
        Self {
            title: format!("{}{version}", tool.name),
            facts: format!(
                "{}: {} lines, {} bytes, {} records, {}",
                imported.format,
                count(read.lines),
                count(read.bytes),
                count(read.records),
                read.encoding
            ),
            runs: imported.runs.iter().take(MOST_RUNS).map(RunView::from).collect(),
            more_runs: imported.runs.len().saturating_sub(MOST_RUNS),
            workload: imported.workload.as_ref().map(WorkloadView::from),
            warnings: imported.warnings.clone(),
            ignored: imported.ignored.iter().map(|one| format!("{} × {}: {}", one.count, one.what, one.why)).collect(),
        }
    }
}

impl From<&Run> for RunView {
    fn from(run: &Run) -> Self {
        let facts =
            run.facts().map(|(name, value, unit)| format!("{name} {} {unit}", number(value)).trim_end().to_owned());
        let metrics = run.metrics.iter().map(|metric| {
            let better = match metric.better {
                Direction::Higher => "higher is better",
                Direction::Lower => "lower is better",
                Direction::Neither => "",
            };
            [metric.name.replace('_', " "), number(metric.value), metric.unit.to_owned(), better.to_owned()]
        });
        Self {
            title: run.label.as_ref().map_or_else(|| run.mode.clone(), |label| format!("{}: {label}", run.mode)),
            facts: facts.collect::<Vec<_>>().join(", "),
            metrics: metrics.collect(),
            books: run.littles_law.map(|law| {
                let stated = law.stated.map(|stated| format!(", {} stated", number(stated))).unwrap_or_default();
                format!("{} under way{stated}: {}", number(law.implied), law.verdict())
            }),
        }
    }
}

impl From<&Workload> for WorkloadView {
    fn from(workload: &Workload) -> Self {
        let time = |time: &Option<String>| time.clone().unwrap_or_else(|| "?".to_owned());
        let (from, to) = (time(&workload.from), time(&workload.to));
        let chart = |counter: &&CounterSummary| {
            let (unit, factor) = readable(counter.unit);
            let steps: Vec<_> = counter.series.iter().map(|step| step.map(|step| step.map(|v| v * factor))).collect();
            let chosen = counter.chosen.map(|value| value * factor);
            let series = Series { title: &counter.counter, unit, steps: &steps, chosen, from: &from, to: &to };
            charts::series(&series).map(|chart| (counter.counter.clone(), chart))
        };
        // Sums tell most, single processors least.
        let mut order: Vec<&CounterSummary> = workload.counters.iter().collect();
        order.sort_by_key(|one| match (one.counter.starts_with("all "), one.unit) {
            (true, _) => 0,
            (false, "%") => 2,
            _ => 1,
        });
        let charts: Vec<_> = order.iter().filter_map(chart).collect();
        let scenario = json!({ "name": workload.machine, "host": {}, "unit": [{ "vm": workload.vm }] });
        let value = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
        Self {
            title: workload.machine.clone().unwrap_or_else(|| "The machine".to_owned()),
            facts: format!(
                "{from} to {to}{}: {} of {} samples count; percentile {}, comfort {}, target {} %",
                workload.zone.as_ref().map(|zone| format!(" ({zone})")).unwrap_or_default(),
                number(workload.used_samples as f64),
                number(workload.samples as f64),
                number(workload.percentile),
                number(workload.comfort),
                number(workload.target_percent)
            ),
            link: format!("/?s={}", link::encode(&tree::from_json(&scenario))),
            vm: serde_json::to_string_pretty(&workload.vm).unwrap_or_default(),
            missing: workload.missing.iter().map(missing).collect(),
            demand: workload.demand.as_ref().map(|demand| {
                format!(
                    "{} ms of a processor for each batch request, {} processors without any (R² {})",
                    number(demand.cpu_ms_per_batch),
                    number(demand.background_processors),
                    number(demand.r_squared)
                )
            }),
            books: workload
                .books
                .iter()
                .map(|one| {
                    let counted = value(one.littles_law.stated);
                    format!(
                        "{}: {} I/Os under way by rate × time, {counted} counted",
                        one.volume,
                        number(one.littles_law.implied)
                    )
                })
                .collect(),
            counters: workload.counters.iter().map(counter_row).collect(),
            more_charts: charts.len().saturating_sub(MOST_CHARTS),
            charts: charts.into_iter().take(MOST_CHARTS).collect(),
        }
    }
}

/// "Size of volume 1: counters show no size of a volume".
fn missing(one: &Missing) -> String {
    format!("{}: {}", field_label(&format!("/unit/0/vm{}", one.pointer)), one.why)
}

/// Bytes are for machines: what people read them in, and the factor.
fn readable(unit: &'static str) -> (&'static str, f64) {
    match unit {
        "B" => ("GiB", 1.0 / 1_073_741_824.0),
        "B/s" => ("MB/s", 1e-6),
        unit => (unit, 1.0),
    }
}

fn counter_row(one: &CounterSummary) -> [String; 7] {
    let (unit, factor) = readable(one.unit);
    let value = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| number(value * factor));
    let coverage = format!("{} %", number(one.coverage_percent.floor()));
    let (chosen, mean) = (value(one.chosen), value(one.mean));
    [one.counter.clone(), unit.to_owned(), chosen, mean, value(one.min), value(one.max), coverage]
}
