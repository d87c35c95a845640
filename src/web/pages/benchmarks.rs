//! `/benchmarks`: results that were submitted, one by one and side by side.

use askama::Template;
use askama_web::WebTemplate;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use uuid::Uuid;

use super::runs::{self, OpenRow, RunForm};
use crate::bench::environment::Role;
use crate::bench::result::{BenchResult, Better, Latency};
use crate::report::charts;
use crate::report::words::number;
use crate::store::{Benchmark, BenchmarkQuery, BenchmarkSummary};
use crate::web::error::AppError;
use crate::web::extract::{Path, Query};
use crate::web::state::AppState;

/// Rows of one page.
const ROWS: u32 = 50;
/// Results that stand side by side at most.
const MOST_COMPARED: usize = 4;

#[derive(Default, Deserialize)]
pub struct Asked {
    mode: Option<String>,
    #[serde(default)]
    page: u32,
}

#[derive(Template, WebTemplate)]
#[template(path = "benchmarks.html")]
struct ListPage {
    here: &'static str,
    /// The form that starts a run, where this server runs any.
    form: Option<RunForm>,
    open: Vec<OpenRow>,
    rows: Vec<Row>,
    mode: String,
    /// This server's address, for the command that submits to it.
    server: String,
    previous: Option<u32>,
    next: Option<u32>,
}

struct Row {
    id: Uuid,
    mode: String,
    machine: String,
    role: String,
    threads: String,
    rate: String,
    valid: bool,
    day: String,
}

#[derive(Template, WebTemplate)]
#[template(path = "benchmark.html")]
struct ResultPage {
    here: &'static str,
    id: Uuid,
    title: String,
    created: String,
    warnings: Vec<String>,
    valid: bool,
    /// Figures, parameters, environment: a heading and its lines.
    sections: Vec<(&'static str, Vec<(String, String)>)>,
    runs: Vec<[String; 5]>,
    /// Events a second.
    chart: Option<String>,
}

#[derive(Template, WebTemplate)]
#[template(path = "benchmark_compare.html")]
struct ComparePage {
    here: &'static str,
    /// Name and address of each.
    heads: Vec<(Uuid, String)>,
    rows: Vec<CompareRow>,
    /// Native and guest of two results of one mode, in this order.
    pair: Option<(Uuid, Uuid)>,
}

struct CompareRow {
    label: String,
    values: Vec<String>,
    differs: bool,
}

/// `GET /benchmarks`.
pub async fn list(
    State(state): State<AppState>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    Ok(list_page(&state, asked, None, &headers).await?.into_response())
}

/// The list, with the form as it was filled in.
pub(super) async fn list_page(
    state: &AppState,
    asked: Asked,
    form: Option<RunForm>,
    headers: &HeaderMap,
) -> Result<impl IntoResponse, AppError> {
    let mode = asked.mode.filter(|mode| !mode.is_empty());
    let query = BenchmarkQuery { mode: mode.clone(), limit: ROWS + 1, offset: asked.page.saturating_mul(ROWS) };
    let mut found = state.store.benchmarks(query).await?;
    let more = found.len() > ROWS as usize;
    found.truncate(ROWS as usize);
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost:8080");
    let open: Vec<OpenRow> =
        state.runs.iter().flat_map(|runs| runs.open()).map(|job| OpenRow::from(job.as_ref())).collect();
    Ok(ListPage {
        here: "/benchmarks",
        form: state.runs.as_ref().map(|_| form.unwrap_or_else(RunForm::empty)),
        open,
        rows: found.into_iter().map(row).collect(),
        mode: mode.unwrap_or_default(),
        server: format!("http://{host}"),
        previous: asked.page.checked_sub(1),
        next: more.then(|| asked.page.saturating_add(1)),
    })
}

fn row(summary: BenchmarkSummary) -> Row {
    Row {
        id: summary.id,
        mode: summary.mode,
        machine: if summary.cpu_model.is_empty() { "unknown".to_owned() } else { summary.cpu_model },
        role: place(&summary.hypervisor, &summary.role),
        threads: number(f64::from(summary.threads)),
        rate: number(summary.events_per_s),
        valid: summary.valid,
        day: summary.created.strftime("%Y-%m-%d %H:%M").to_string(),
    }
}

/// "guest, kvm", "bare metal".
fn place(hypervisor: &str, role: &str) -> String {
    let role = role.replace('_', " ");
    match hypervisor {
        "none" | "unknown" | "" => role,
        hypervisor => format!("{role}, {hypervisor}"),
    }
}

/// `GET /benchmarks/{id}`: the result; how far it is, while there is none.
pub async fn show(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<Response, AppError> {
    if let Some(job) = state.run(id) {
        return Ok(runs::page(&job));
    }
    let Benchmark { id, result, created } = state.store.benchmark(id).await?;
    let run = |(index, run): (usize, &crate::bench::result::Run)| {
        let late = run.latency_ms.map_or_else(|| "–".to_owned(), |latency| number(latency.p95));
        let told = if run.valid { "yes".to_owned() } else { format!("no: {}", run.warnings.join("; ")) };
        [number((index + 1) as f64), number(run.duration_s), number(run.events_per_s), late, told]
    };
    let parameters = result.parameters.iter().map(|(name, value)| (name.replace('_', " "), plain(value)));
    let each_second = |run: &crate::bench::result::Run| run.events_each_second.iter().map(|n| *n as f64).collect();
    let windows: Vec<Vec<f64>> = result.runs.iter().map(each_second).collect();
    let page = ResultPage {
        here: "/benchmarks",
        id,
        title: title(&result),
        created: created.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        warnings: result.warnings.clone(),
        valid: result.valid,
        sections: vec![
            ("Figures", figures(&result)),
            ("Parameters", parameters.collect()),
            ("Where it ran", environment(&result)),
        ],
        runs: result.runs.iter().enumerate().map(run).collect(),
        chart: charts::rate(&windows.iter().map(Vec::as_slice).collect::<Vec<_>>()),
    };
    Ok(page.into_response())
}

/// `GET /benchmarks/compare?id=…&id=…`.
pub async fn compare(
    State(state): State<AppState>,
    axum::extract::RawQuery(query): axum::extract::RawQuery,
) -> Result<Response, AppError> {
    let query = query.unwrap_or_default();
    let ids: Vec<Uuid> = form_urlencoded::parse(query.as_bytes())
        .filter(|(key, _)| key == "id")
        .filter_map(|(_, value)| Uuid::try_parse(&value).ok())
        .collect();
    if !(2..=MOST_COMPARED).contains(&ids.len()) {
        return Err(AppError::parameter("id", format!("{} results; two to {MOST_COMPARED} are compared.", ids.len())));
    }
    let mut results = Vec::new();
    for id in ids {
        results.push(state.store.benchmark(id).await?);
    }
    let heads = results.iter().map(|one| (one.id, title(&one.result))).collect();
    let columns: Vec<Vec<(String, String)>> = results
        .iter()
        .map(|one| {
            let parameters = one.result.parameters.iter().map(|(name, value)| (name.replace('_', " "), plain(value)));
            [figures(&one.result), environment(&one.result), parameters.collect()].concat()
        })
        .collect();
    let mut labels: Vec<&String> = Vec::new();
    for (label, _) in columns.iter().flatten() {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    let rows = labels.into_iter().map(|label| {
        let value = |column: &Vec<(String, String)>| {
            column.iter().find(|(own, _)| own == label).map_or_else(|| "–".to_owned(), |(_, value)| value.clone())
        };
        let values: Vec<String> = columns.iter().map(value).collect();
        CompareRow { label: label.clone(), differs: values.windows(2).any(|pair| pair[0] != pair[1]), values }
    });
    let pair = match results.as_slice() {
        [one, other] if one.result.mode == other.result.mode => {
            let is_guest = |kept: &Benchmark| kept.result.environment.role == Role::Guest;
            Some(if is_guest(one) && !is_guest(other) { (other.id, one.id) } else { (one.id, other.id) })
        }
        _ => None,
    };
    Ok(ComparePage { here: "/benchmarks", heads, rows: rows.collect(), pair }.into_response())
}

/// `POST /benchmarks/{id}/delete`.
pub async fn delete(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<Redirect, AppError> {
    state.store.delete_benchmark(id).await?;
    Ok(Redirect::to("/benchmarks"))
}

fn title(result: &BenchResult) -> String {
    let threads = number(f64::from(result.threads));
    let machine = result.environment.cpu_model.as_deref().unwrap_or("unknown machine");
    format!("{}, {threads} × on {machine}", result.mode)
}

/// The figures of a result, with their units.
fn figures(result: &BenchResult) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut add = |label: &str, value: Option<f64>, unit: &str| {
        if let Some(value) = value {
            found.push((label.to_owned(), format!("{} {unit}", number(value)).trim_end().to_owned()));
        }
    };
    if let Some(score) = &result.score {
        add(&score.name.replace('_', " "), Some(score.value), &score.unit);
    }
    let better = match result.better {
        Better::Higher => "events a second (higher is better)",
        Better::Lower => "events a second",
    };
    add(better, Some(result.events_per_s), "1/s");
    let mut times = |name: &str, latency: &Option<Latency>| {
        if let Some(latency) = latency {
            add(&format!("{name}, mean"), Some(latency.avg), "ms");
            add(&format!("{name}, 95th percentile"), Some(latency.p95), "ms");
            add(&format!("{name}, 99th percentile"), Some(latency.p99), "ms");
            add(&format!("{name}, longest"), Some(latency.max), "ms");
        }
    };
    times("time of an event", &result.latency_ms);
    times("time of a read", &result.io.read_latency_ms);
    times("time of a write", &result.io.write_latency_ms);
    add("reads", result.io.read_iops, "IOPS");
    add("writes", result.io.write_iops, "IOPS");
    add("read", result.io.read_mib_s, "MiB/s");
    add("written", result.io.write_mib_s, "MiB/s");
    add("busy processors", result.cpu_percent, "%");
    add("measured time", Some(result.duration_s), "s");
    add("events", Some(result.events as f64), "");
    found
}

fn environment(result: &BenchResult) -> Vec<(String, String)> {
    let environment = &result.environment;
    let word = |value: serde_json::Result<serde_json::Value>| value.map(|value| plain(&value)).unwrap_or_default();
    let place =
        place(&word(serde_json::to_value(environment.hypervisor)), &word(serde_json::to_value(environment.role)));
    let mut found = vec![("place".to_owned(), place)];
    let mut add = |label: &str, value: Option<String>| found.extend(value.map(|value| (label.to_owned(), value)));
    add("processor", environment.cpu_model.clone());
    add("cores", environment.cores.map(|n| number(f64::from(n))));
    add("logical processors", environment.threads.map(|n| number(f64::from(n))));
    add("memory", environment.memory_gib.map(|gib| format!("{} GiB", number(gib))));
    add("system", environment.os.clone());
    add("kernel", environment.kernel.clone());
    add("governor", environment.governor.clone());
    add("tool", result.tool.as_ref().map(|tool| format!("{} {}", tool.name, tool.version)));
    found
}

/// A value as text, without quotation marks.
fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => text.clone(),
        serde_json::Value::Number(figure) => figure.as_f64().map_or_else(|| figure.to_string(), number),
        other => other.to_string(),
    }
}
