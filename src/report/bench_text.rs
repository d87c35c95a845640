//! The result of a benchmark in lines, as the tools that people know print it.

use std::fmt::Write as _;

use crate::bench::environment::{Environment, Hypervisor, Role};
use crate::bench::result::{BenchResult, Better, Latency, Operation, Point};
use crate::bench::suite::SuiteResult;

/// A result.
pub fn text(result: &BenchResult) -> String {
    let mut out = String::new();
    head(&mut out, result);
    rates(&mut out, result);
    if let Some(latency) = &result.latency_ms {
        latencies(&mut out, "Latency (ms)", latency);
    }
    disk(&mut out, result);
    if !result.operations.is_empty() {
        operations(&mut out, &result.operations);
    }
    if !result.points.is_empty() {
        points(&mut out, &result.points);
    }
    machine(&mut out, result);
    verdict(&mut out, result);
    out
}

/// A suite: a line for each mode, then what was wrong.
pub fn suite_text(suite: &SuiteResult) -> String {
    let mut out = String::new();
    if let Some(first) = suite.results.first() {
        line(&mut out, &environment(&first.environment));
        out.push('\n');
    }
    line(
        &mut out,
        &format!("{:<10}{:>9}{:>16}{:>26}{:>12}{:>12}  ", "mode", "threads", "events/s", "score", "p50 ms", "p99 ms"),
    );
    for result in &suite.results {
        let score =
            result.score.as_ref().map_or_else(String::new, |score| format!("{} {}", number(score.value), score.unit));
        let latency = |figure: fn(&Latency) -> f64| result.latency_ms.as_ref().map_or_else(dash, |l| number(figure(l)));
        let doubt = if result.valid { "" } else { "not valid" };
        line(
            &mut out,
            &format!(
                "{:<10}{:>9}{:>16}{:>26}{:>12}{:>12}  {doubt}",
                result.mode,
                result.threads,
                number(result.events_per_s),
                score,
                latency(|l| l.p50),
                latency(|l| l.p99)
            ),
        );
    }
    for failure in &suite.failed {
        line(&mut out, &format!("{}: no result: {}", failure.step, failure.why));
    }
    for result in suite.results.iter().filter(|result| !result.valid) {
        for warning in &result.warnings {
            line(&mut out, &format!("{} {}: {warning}", result.mode, result.threads));
        }
    }
    out
}

fn head(out: &mut String, result: &BenchResult) {
    let threads = if result.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", result.threads) };
    let runs = if result.runs.len() == 1 { String::new() } else { format!(", {} runs", result.runs.len()) };
    line(out, &format!("{}: {threads}, {:.1} s{runs}", result.mode, result.duration_s));
    line(out, &environment(&result.environment));
    let shown: Vec<String> = result
        .parameters
        .iter()
        .filter(|(name, _)| !["threads", "time_s", "warmup_s", "repeat"].contains(&name.as_str()))
        .map(|(name, value)| format!("{name} {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    if !shown.is_empty() {
        line(out, &shown.join(", "));
    }
}

/// Where it ran, in one line; what is unknown is left out.
fn environment(environment: &Environment) -> String {
    let place = match (environment.hypervisor, environment.role) {
        (Hypervisor::None, _) => "bare metal".to_owned(),
        (Hypervisor::Unknown, _) => "hypervisor unknown".to_owned(),
        (hypervisor, role) => {
            let name = match hypervisor {
                Hypervisor::HyperV => "Hyper-V",
                Hypervisor::VMware => "VMware",
                Hypervisor::Kvm => "KVM",
                Hypervisor::Xen => "Xen",
                _ => "other hypervisor",
            };
            format!("{name} {}", if role == Role::RootPartition { "root partition" } else { "guest" })
        }
    };
    let processors = environment.cores.zip(environment.threads);
    let parts = [
        environment.cpu_model.clone(),
        processors.map(|(cores, threads)| format!("{cores} cores, {threads} threads")),
        environment.memory_gib.map(|gib| format!("{gib:.1} GiB")),
        Some(place),
        environment.container.as_ref().map(|name| format!("in {name}")),
        environment.os.clone(),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn rates(out: &mut String, result: &BenchResult) {
    title(out, "Rate");
    if let Some(score) = &result.score {
        let better = if result.better == Better::Lower { ", lower is better" } else { "" };
        row(out, &score.name, &format!("{} {}{better}", number(score.value), score.unit));
    }
    row(out, "events per second", &number(result.events_per_s));
    if let Some(interval) = &result.interval {
        let told = format!(
            "{} to {} ({} % confidence, {} runs)",
            number(interval.low),
            number(interval.high),
            interval.confidence_percent,
            interval.runs
        );
        row(out, "interval", &told);
    }
    row(out, "total number of events", &result.events.to_string());
    if result.errors > 0 {
        row(out, "errors", &result.errors.to_string());
    }
    if let Some(fairness) = result.runs.last().and_then(|run| run.fairness.as_ref()).filter(|_| result.threads > 1) {
        let told = format!("{:.1}/{:.2}", fairness.mean, fairness.stddev);
        row(out, "events per thread (avg/stddev)", &told);
    }
}

fn latencies(out: &mut String, name: &str, latency: &Latency) {
    title(out, name);
    let mut all = vec![
        ("min", latency.min),
        ("avg", latency.avg),
        ("50th percentile", latency.p50),
        ("95th percentile", latency.p95),
        ("99th percentile", latency.p99),
    ];
    all.extend(latency.p999.map(|p999| ("99.9th percentile", p999)));
    all.push(("max", latency.max));
    for (name, value) in all {
        row(out, name, &number(value));
    }
}

fn disk(out: &mut String, result: &BenchResult) {
    let io = &result.io;
    if io.read_iops.is_none() && io.write_iops.is_none() {
        return;
    }
    title(out, "Disk");
    line(out, &format!("    {:<8}{:>12}{:>12}{:>12}{:>12}{:>12}", "", "IOPS", "MiB/s", "avg ms", "p50 ms", "p99 ms"));
    let rows = [
        ("read", io.read_iops, io.read_mib_s, &io.read_latency_ms),
        ("write", io.write_iops, io.write_mib_s, &io.write_latency_ms),
    ];
    for (name, iops, mib_s, latency) in rows {
        let figure = |value: Option<f64>| value.map_or_else(dash, number);
        let time = |pick: fn(&Latency) -> f64| figure(latency.as_ref().map(pick));
        line(
            out,
            &format!(
                "    {name:<8}{:>12}{:>12}{:>12}{:>12}{:>12}",
                figure(iops),
                figure(mib_s),
                time(|l| l.avg),
                time(|l| l.p50),
                time(|l| l.p99)
            ),
        );
    }
    if let Some(state) = &result.steady_state {
        let told = format!(
            "{} after {} rounds: range {:.1} %, slope {:.1} %",
            if state.reached { "reached" } else { "not reached" },
            state.rounds,
            state.range_percent,
            state.slope_percent
        );
        row(out, "steady state", &told);
    }
}

fn operations(out: &mut String, operations: &[Operation]) {
    title(out, "Operations");
    let heads = ["events", "events/s", "MB/s", "CPU %", "avg ms", "p95 ms"];
    let width = operations.iter().map(|one| one.name.chars().count()).max().unwrap_or(0).max(12) + 2;
    let mut told = format!("    {:<width$}", "");
    heads.iter().for_each(|head| push(&mut told, &format!("{head:>12}")));
    line(out, &told);
    for one in operations {
        if let Some(why) = &one.not_done {
            line(out, &format!("    {:<width$}not done: {why}", one.name));
            continue;
        }
        let latency = one.latency_ms.as_ref();
        let figures = [one.events_per_s, one.mb_s, one.cpu_percent, latency.map(|l| l.avg), latency.map(|l| l.p95)];
        let mut told = format!("    {:<width$}{:>12}", one.name, one.events);
        figures.iter().for_each(|figure| push(&mut told, &format!("{:>12}", figure.map_or_else(dash, number))));
        line(out, &told);
    }
}

fn points(out: &mut String, points: &[Point]) {
    let name = points.first().map_or("", |point| point.parameter.as_str());
    title(out, "Curve");
    line(out, &format!("    {name:>12}{:>14}{:>12}{:>12}{:>12}", "events/s", "avg ms", "p50 ms", "p99 ms"));
    for point in points {
        let time = |pick: fn(&Latency) -> f64| point.latency_ms.as_ref().map_or_else(dash, |l| number(pick(l)));
        let doubt = if point.valid { "" } else { "  not valid" };
        line(
            out,
            &format!(
                "    {:>12}{:>14}{:>12}{:>12}{:>12}{doubt}",
                point.value,
                number(point.events_per_s),
                time(|l| l.avg),
                time(|l| l.p50),
                time(|l| l.p99)
            ),
        );
    }
}

fn machine(out: &mut String, result: &BenchResult) {
    title(out, "Machine");
    let percent = |value: Option<f64>| value.map_or_else(|| "unknown".to_owned(), |value| format!("{value:.1} %"));
    row(out, "processors busy", &percent(result.cpu_percent));
    if let Some(micros) = result.cpu_us_per_event {
        row(out, "own CPU per event", &format!("{} µs", number(micros)));
    }
    if let Some(contention) = result.runs.last().map(|run| &run.contention) {
        row(out, "given to others by hypervisor", &percent(contention.steal_percent));
        row(out, "waited for a processor", &percent(contention.waiting_percent));
        row(out, "used by other programs", &percent(contention.other_cpu_percent));
    }
    if let Some(little) = result.little {
        row(out, "Little's law", &format!("{little:.3}"));
    }
}

fn verdict(out: &mut String, result: &BenchResult) {
    out.push('\n');
    if result.valid {
        line(out, "Valid: nothing disturbed the measurement.");
    } else {
        line(out, "Not valid:");
    }
    for warning in &result.warnings {
        line(out, &format!("    {warning}"));
    }
}

fn push(out: &mut String, text: &str) {
    out.push_str(text);
}

/// A line; what a result holds must not draw on a terminal.
fn line(out: &mut String, text: &str) {
    out.extend(text.trim_end().chars().filter(|c| !c.is_control()));
    out.push('\n');
}

fn title(out: &mut String, text: &str) {
    out.push('\n');
    line(out, text);
}

fn row(out: &mut String, name: &str, value: &str) {
    let mut told = String::new();
    // Writing to a string cannot fail.
    let _ = write!(told, "    {:<33}{value}", format!("{name}:"));
    line(out, &told);
}

fn dash() -> String {
    "-".to_owned()
}

/// A figure with four digits or more that say something.
fn number(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if size >= 100_000.0 => format!("{value:.0}"),
        size if size >= 100.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.3}"),
        size if size >= 0.001 => format!("{value:.5}"),
        _ => format!("{value:.3e}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result() -> BenchResult {
        let latency = json!({ "min": 0.1, "avg": 0.35, "p50": 0.349, "p95": 0.36, "p99": 0.5, "max": 4.0 });
        let run = json!({ "duration_s": 1.0, "events": 2870, "events_per_s": 2870.0, "valid": true });
        let interval = json!({ "mean": 2870.0, "stddev": 2.0, "low": 2850.5, "high": 2889.5, "confidence_percent": 95.0, "runs": 2 });
        let result = json!({
            "mode": "cpu", "parameters": { "threads": 1, "cpu_max_prime": 1000 }, "environment": { "hypervisor": "kvm", "role": "guest" },
            "threads": 1, "duration_s": 2.0, "events": 5740, "events_per_s": 2870.0, "better": "higher",
            "latency_ms": latency, "cpu_percent": null, "interval": interval, "valid": true, "warnings": [],
            "runs": [run, run],
        });
        serde_json::from_value(result).unwrap()
    }

    #[test]
    fn the_figures_of_a_result_are_told() {
        let told = text(&result());
        assert!(told.starts_with("cpu: 1 thread, 2.0 s, 2 runs\nKVM guest\ncpu_max_prime 1000\n"), "{told}");
        for wanted in [
            "events per second:               2870.0",
            "2850.5 to 2889.5 (95 % confidence, 2 runs)",
            "95th percentile:                 0.36000",
            "processors busy:                 unknown",
        ] {
            assert!(told.contains(wanted), "{wanted} in {told}");
        }
    }

    #[test]
    fn doubts_are_told_and_cannot_draw_on_the_terminal() {
        let mut doubtful = result();
        doubtful.invalidate("stolen \u{1b}[31m time");
        let told = text(&doubtful);
        assert!(told.contains("Not valid:\n    stolen [31m time\n"), "{told}");
        assert!(text(&result()).ends_with("Valid: nothing disturbed the measurement.\n"));
    }

    #[test]
    fn numbers_keep_four_digits() {
        for (value, told) in
            [(0.0, "0"), (123_456.7, "123457"), (1234.56, "1234.6"), (12.3456, "12.346"), (0.012_345, "0.01235")]
        {
            assert_eq!(number(value), told);
        }
    }
}
