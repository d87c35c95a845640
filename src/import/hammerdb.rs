//! HammerDB: the line `TEST RESULT` of a log, the JSON of a job (a list of messages, or timing by procedure), and the job
//! report of version 6 (`hammerdb-job-report-v1`).

use serde_json::Value;

use super::error::ImportError;
use super::format::{Input, Options};
use super::json;
use super::number::{leading, number};
use super::result::{Direction, Imported, Run, shown};
use super::text::decoded;

const MOST_BYTES: u64 = 256 << 20;

pub fn recognizes(head: &str) -> bool {
    head.contains("hammerdb-job-report")
        || head.contains("TEST RESULT : ")
        || head.contains("HammerDB")
        || (head.contains("\"NEWORD\"") && head.contains("\"elapsed_ms\""))
}

/// # Errors
/// A file too large, JSON that breaks off, or no result in it.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    // A job may be one line.
    let text = decoded(&input.whole_bytes("hammerdb", MOST_BYTES)?);
    let trimmed = text.trim_start();
    if trimmed.starts_with(['{', '[']) {
        let value: Value = serde_json::from_str(trimmed).map_err(|error| json::error("hammerdb", &error))?;
        if value.get("schema").and_then(Value::as_str).is_some_and(|schema| schema.starts_with("hammerdb-job-report")) {
            report(&value, into);
        } else {
            timing(&value, into);
            let mut messages = Vec::new();
            collect(&value, &mut messages);
            log(messages.iter().flat_map(|message| message.lines()), into);
        }
    } else {
        log(text.lines(), into);
    }
    if into.runs.is_empty() {
        let why = "no line 'TEST RESULT', no timing and no result of a job is in it".to_owned();
        return Err(ImportError::Truncated { format: "hammerdb", why });
    }
    Ok(())
}

/// Every text of a JSON value.
fn collect<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(list) => list.iter().for_each(|item| collect(item, into)),
        Value::Object(object) => object.values().for_each(|item| collect(item, into)),
        _ => {}
    }
}

fn log<'l>(lines: impl Iterator<Item = &'l str>, into: &mut Imported) {
    let mut users = None;
    for line in lines {
        if let Some((_, rest)) = line.split_once("HammerDB CLI v").or(line.split_once("HammerDB v")) {
            into.tool.version = Some(shown(rest.split([' ', ')']).next().unwrap_or_default()));
            into.tool.generation = rest.split('.').next().map(str::to_owned);
        }
        if let Some((before, _)) = line.split_once(" Active Virtual Users") {
            users = before.rsplit([' ', ':', '\t']).next().and_then(number);
        }
        if let Some((_, rest)) = line.split_once("TEST RESULT : System achieved ") {
            let mut run = Run::new("oltp");
            run.threads = users;
            rates(rest, &mut run);
            match run.metric("nopm").is_some() || run.metric("tpm").is_some() {
                true => {
                    into.read.records += 1;
                    into.runs.push(run);
                }
                false => into.ignore("TEST RESULT", "it has neither NOPM nor TPM"),
            }
        } else if let Some((_, rest)) = line.split_once("Geometric mean of query times returning rows") {
            // `… (21) : 1.54`
            let mut run = Run::new("dbops");
            let seconds = rest.rsplit(':').next().and_then(leading).map(|(s, _)| s).or(number(rest));
            run.add_some("geomean_s", seconds, "s", Direction::Lower);
            if !run.metrics.is_empty() {
                into.read.records += 1;
                into.runs.push(run);
            }
        }
    }
}

/// `12345 NOPM from 28000 SQL Server TPM`, in older versions `28000 SQL Server TPM at 12345 NOPM`.
fn rates(text: &str, run: &mut Run) {
    for part in text.split(" from ").flat_map(|part| part.split(" at ")) {
        let Some((value, rest)) = leading(part) else { continue };
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words.as_slice() {
            [first, ..] if *first == "NOPM" => add_rate(run, "nopm", value),
            [database @ .., last] if last.trim_end_matches(['.', '"', '}', ']']) == "TPM" => {
                if !database.is_empty() {
                    run.note("database", shown(&database.join(" ")));
                }
                add_rate(run, "tpm", value);
            }
            _ => {}
        }
    }
}

fn add_rate(run: &mut Run, name: &str, value: f64) {
    run.add(name, value, "1/min", Direction::Higher);
    if name == "nopm" {
        run.add("transactions_per_s", value / 60.0, "1/s", Direction::Higher);
    }
}

/// Times by procedure: `{ "NEWORD": { "calls": …, "avg_ms": …, "p95_ms": … } }`.
fn timing(value: &Value, into: &mut Imported) {
    let Some(object) = value.as_object() else { return };
    for (name, times) in object.iter().filter(|(_, times)| times.get("avg_ms").is_some()) {
        let figure = |key: &str| times.get(key).and_then(|v| v.as_f64().or_else(|| v.as_str().and_then(number)));
        let mut run = Run::new("oltp");
        run.label = Some(shown(name));
        run.duration_s = figure("elapsed_ms").map(|ms| ms / 1000.0);
        run.add_some("events", figure("calls"), "", Direction::Neither);
        for (key, metric) in [
            ("min_ms", "latency_min_ms"),
            ("avg_ms", "latency_avg_ms"),
            ("max_ms", "latency_max_ms"),
            ("p50_ms", "latency_p50_ms"),
            ("p95_ms", "latency_p95_ms"),
            ("p99_ms", "latency_p99_ms"),
        ] {
            run.add_some(metric, figure(key), "ms", Direction::Lower);
        }
        if !run.metrics.is_empty() {
            into.read.records += 1;
            into.runs.push(run);
        }
    }
}

fn report(value: &Value, into: &mut Imported) {
    let text = |path: &str| value.pointer(path).and_then(Value::as_str);
    let figure = |path: &str| value.pointer(path).and_then(|v| v.as_f64().or_else(|| v.as_str().and_then(number)));
    if let Some(version) = text("/job/hdb_version") {
        into.tool.version = Some(shown(version.trim_start_matches('v')));
        into.tool.generation = version.trim_start_matches('v').split('.').next().map(str::to_owned);
    }
    let mut run = Run::new(if text("/job/benchmark") == Some("TPROC-H") { "dbops" } else { "oltp" });
    run.label = text("/job/benchmark").map(shown);
    run.threads = figure("/benchmark_config/virtual_users");
    run.duration_s = figure("/benchmark_config/duration_minutes").map(|minutes| minutes * 60.0);
    for (path, name) in [("/job/database", "database"), ("/benchmark_config/warehouses", "warehouses")] {
        if let Some(found) = value.pointer(path).filter(|found| found.is_string() || found.is_number()) {
            run.note(name, found.clone());
        }
    }
    for name in ["nopm", "tpm"] {
        if let Some(rate) = figure(&format!("/result/{name}")) {
            add_rate(&mut run, name, rate);
        }
    }
    run.add_some("geomean_s", figure("/result/geomean_seconds"), "s", Direction::Lower);
    run.add_some("total_s", figure("/result/total_query_time_seconds"), "s", Direction::Lower);
    if !run.metrics.is_empty() {
        into.read.records += 1;
        into.runs.push(run);
    }
}
