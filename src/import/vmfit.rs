//! JSON of `vmfit bench`: one result or a list of them. Every repeat of a result is a run, because calibration weighs by
//! repeats; a result of several points gives one for each.

use serde_json::Value;

use super::error::ImportError;
use super::format::{Input, Options};
use super::json;
use super::result::{Direction, Imported, Run, shown};
use crate::bench::environment::Role;
use crate::bench::result::{BenchResult, IoFigures, Latency};

const MOST_BYTES: u64 = 256 << 20;

pub fn recognizes(head: &str) -> bool {
    let start = head.trim_start();
    start.starts_with(['{', '[']) && head.contains("\"mode\"") && head.contains("\"environment\"")
}

/// # Errors
/// A file too large, JSON that breaks off, or is none of vmfit's.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let bytes = input.whole_bytes("vmfit", MOST_BYTES)?;
    let start = bytes.trim_ascii_start();
    let results: Vec<BenchResult> = if start.starts_with(b"[") {
        serde_json::from_slice(start).map_err(|error| json::error("vmfit", &error))?
    } else {
        let documents = serde_json::Deserializer::from_slice(start).into_iter::<BenchResult>();
        documents.collect::<Result<_, _>>().map_err(|error| json::error("vmfit", &error))?
    };
    for result in &results {
        one(result, into);
    }
    if into.runs.is_empty() {
        return Err(ImportError::NotThat { format: "vmfit", why: "no result is in it".to_owned() });
    }
    Ok(())
}

fn one(result: &BenchResult, into: &mut Imported) {
    if let Some(tool) = &result.tool {
        into.tool.version = Some(shown(&tool.version));
        into.tool.generation = tool.version.split('.').next().map(str::to_owned);
    }
    result.warnings.iter().for_each(|warning| into.warn(format!("{}: {}", shown(&result.mode), shown(warning))));
    for point in &result.points {
        let mut run = base(result);
        run.label = Some(format!("{} {}", shown(&point.parameter), point.value));
        if point.parameter == "outstanding" {
            run.outstanding = Some(point.value);
        }
        run.valid = point.valid;
        let io = &point.io;
        figures(&mut run, point.events_per_s, point.latency_ms.as_ref(), point.cpu_percent, io);
        push(run, into);
    }
    if !result.points.is_empty() {
        return;
    }
    if result.runs.is_empty() {
        let mut run = base(result);
        run.duration_s = Some(result.duration_s);
        run.valid = result.valid;
        let (latency, cpu) = (result.latency_ms.as_ref(), result.cpu_percent);
        figures(&mut run, result.events_per_s, latency, cpu, &result.io);
        push(run, into);
    }
    for repeat in &result.runs {
        let mut run = base(result);
        run.duration_s = Some(repeat.duration_s);
        run.valid = repeat.valid;
        figures(&mut run, repeat.events_per_s, repeat.latency_ms.as_ref(), repeat.cpu_percent, &repeat.io);
        push(run, into);
    }
}

/// What every run of a result shares.
fn base(result: &BenchResult) -> Run {
    let mut run = Run::new(&shown(&result.mode));
    run.threads = Some(f64::from(result.threads));
    run.outstanding = result.io.outstanding.map(f64::from);
    run.processors = result.environment.threads.map(f64::from);
    let text = |name: &str| result.parameters.get(name);
    let block = text("block_bytes").or_else(|| text("block_size"));
    run.block_kib = block.and_then(|size| match size {
        Value::String(size) => super::number::size_kib(size),
        other => other.as_f64().map(|bytes| bytes / 1024.0).filter(|kib| *kib > 0.0),
    });
    run.read_percent = text("read_percent").and_then(Value::as_f64);
    if result.environment.role != Role::Unknown
        && let Ok(role) = serde_json::to_value(result.environment.role)
    {
        run.note("role", role);
    }
    run.clock = result.environment.clock_source.as_deref().map(|source| clock_quality(source).to_owned());
    score(&mut run, result);
    for (name, value) in &result.parameters {
        if !value.is_object() && !value.is_array() {
            run.note(name, value.clone());
        }
    }
    run
}

/// The figure that a mode is known by, where it is a rate of the network.
fn score(run: &mut Run, result: &BenchResult) {
    let Some(score) = result.score.as_ref().filter(|_| result.mode == "network") else { return };
    let factor = match score.unit.as_str() {
        "MB/s" => 1.0,
        "MiB/s" => 1.048_576,
        "Mb/s" | "Mbit/s" => 0.125,
        "Gb/s" | "Gbit/s" => 125.0,
        _ => return,
    };
    run.add("network_mb_s", score.value * factor, "MB/s", Direction::Higher);
}

/// Clocks that are read in the processor are as good as each other; those that leave the guest or count ticks are not.
fn clock_quality(source: &str) -> &'static str {
    let source = source.to_ascii_lowercase();
    let slow = ["hpet", "acpi_pm", "pit", "jiffies", "pmtimer", "pm timer", "rtc"];
    if slow.iter().any(|name| source.contains(name)) { "slow" } else { "good" }
}

fn figures(run: &mut Run, rate: f64, latency: Option<&Latency>, cpu: Option<f64>, io: &IoFigures) {
    run.add("events_per_s", rate, "1/s", Direction::Higher);
    times(run, "latency", latency);
    run.add_some("cpu_percent", cpu, "%", Direction::Lower);
    run.add_some("read_iops", io.read_iops, "1/s", Direction::Higher);
    run.add_some("write_iops", io.write_iops, "1/s", Direction::Higher);
    run.add_some("read_mib_s", io.read_mib_s, "MiB/s", Direction::Higher);
    run.add_some("write_mib_s", io.write_mib_s, "MiB/s", Direction::Higher);
    times(run, "read_latency", io.read_latency_ms.as_ref());
    times(run, "write_latency", io.write_latency_ms.as_ref());
    run.outstanding = io.outstanding.map(f64::from).or(run.outstanding);
    if let (Some(reads), Some(writes)) = (io.read_iops, io.write_iops) {
        run.add("iops", reads + writes, "1/s", Direction::Higher);
    }
    run.check_little("events_per_s", "latency_avg_ms");
}

fn times(run: &mut Run, name: &str, latency: Option<&Latency>) {
    let Some(latency) = latency else { return };
    for (what, value) in [
        ("min", latency.min),
        ("avg", latency.avg),
        ("p50", latency.p50),
        ("p95", latency.p95),
        ("p99", latency.p99),
        ("max", latency.max),
    ] {
        run.add(&format!("{name}_{what}_ms"), value, "ms", Direction::Lower);
    }
}

fn push(run: Run, into: &mut Imported) {
    into.read.records += 1;
    into.runs.push(run);
}
