//! Runs of files as observations of two machines.

use serde_json::Value;

use super::super::result::{Direction, Imported, Run, Side, shown};
use super::{Given, sizes_or};
use crate::domain::choice::Attach;
use crate::engine::calibration::{Conditions, Observation, Sizes};

/// An observation with what the model needs of it beside.
pub struct Observed {
    pub observation: Observation,
    pub attach: Option<Attach>,
    pub processors: Option<f64>,
    pub vcpus: Option<f64>,
    pub source: String,
}

/// Options that change what a benchmark measures, as tools name them.
const OPTIONS: [&str; 22] = [
    "cpu-max-prime",
    "cpu_max_prime",
    "operation",
    "scope",
    "access",
    "pattern",
    "rw",
    "readwrite",
    "direct",
    "random_percent",
    "mix",
    "scale",
    "rate",
    "target_rate_per_s",
    "warehouses",
    "engine",
    "cached",
    "burst",
    "size_bytes",
    "streams",
    "compressible",
    "rate_per_s",
];

/// Formats whose labels tell points apart; those of others are names that a user chose.
const LABELLED: [&str; 3] = ["iometer", "pairs", "hammerdb"];

/// Runs of one side. A table of pairs holds both sides and gives its own.
pub fn observations(files: &[Imported], side: Side, given: &Given, warnings: &mut Vec<String>) -> Vec<Observed> {
    let mut found = Vec::new();
    for file in files {
        for run in file.runs.iter().filter(|run| run.side.is_none_or(|own| own == side)) {
            if run.parameters.get("role").and_then(Value::as_str) == Some("root_partition") && side == Side::Guest {
                warn(warnings, "runs of a root partition are left out: it is no guest".to_owned());
                continue;
            }
            if !run.valid {
                warn(
                    warnings,
                    format!(
                        "a run of {} says itself that it is not valid; its figures are used all the same",
                        shown(&run.mode)
                    ),
                );
            }
            if let Some(observed) = observe(file, run, side, given, warnings) {
                found.push(observed);
            }
        }
    }
    found
}

fn warn(warnings: &mut Vec<String>, warning: String) {
    if !warnings.contains(&warning) {
        warnings.push(warning);
    }
}

fn observe(file: &Imported, run: &Run, side: Side, given: &Given, warnings: &mut Vec<String>) -> Option<Observed> {
    let processors = run.processors.or(given.processors);
    let busy = run.metric("cpu_percent").zip(processors).map(|(percent, processors)| percent / 100.0 * processors);
    let text = |name: &str| run.parameters.get(name).and_then(Value::as_str);
    let is_guest = text("role") == Some("guest");
    if is_guest && busy.is_some() && side == Side::Guest {
        let told = "CPU % of the guest is what the guest sees; the fixed cost shows only in the counters of its host";
        warn(warnings, told.to_owned());
    }
    let half = |name: &str| run.parameters.get(name).and_then(Value::as_f64);
    let network = run.mode == "network";
    let observation = Observation {
        conditions: conditions(file, run),
        per_s: rate(run),
        busy,
        iops: run.metric("iops"),
        read_ms: run.metric("read_latency_avg_ms"),
        write_ms: run.metric("write_latency_avg_ms"),
        network_mb_s: run.metric("network_mb_s"),
        network_ms: run.metric("latency_avg_ms").filter(|_| network),
        half_digits: half("half_digit_rate").zip(half("half_digit_per_cpu_percent")).map(|(rate, share)| [rate, share]),
    };
    let shows = [observation.per_s, observation.iops, observation.network_mb_s];
    if shows.iter().all(Option::is_none) {
        return None;
    }
    let attach = text("attach").and_then(|name| serde_json::from_value(Value::from(name)).ok()).or(given.attach);
    let source = match text("source") {
        Some(source) => source.to_owned(),
        None => format!(
            "own measurement with {}{}",
            file.tool.name,
            file.tool.version.as_deref().map(|v| format!(" {v}")).unwrap_or_default()
        ),
    };
    Some(Observed { observation, attach, processors, vcpus: run.processors.filter(|_| is_guest), source })
}

/// Events a second of a run, higher is better.
fn rate(run: &Run) -> Option<f64> {
    let rates = ["transactions_per_s", "events_per_s"].iter().find_map(|name| run.metric(name));
    let score = run.metrics.iter().find(|metric| metric.name == "score");
    let time = run.metric("total_s").or(run.metric("geomean_s"));
    let inverse = |value: f64| Some(1.0 / value).filter(|rate| rate.is_finite() && *rate > 0.0);
    rates
        .or_else(|| {
            score.and_then(
                |score| if score.better == Direction::Lower { inverse(score.value) } else { Some(score.value) },
            )
        })
        .or_else(|| time.and_then(inverse))
        .or_else(|| run.metric("tpm").map(|per_minute| per_minute / 60.0))
}

fn conditions(file: &Imported, run: &Run) -> Conditions {
    let options = OPTIONS.iter().filter_map(|name| {
        let value = run.parameters.get(*name)?;
        let shown = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (!value.is_null()).then(|| ((*name).to_owned(), shown))
    });
    Conditions {
        mode: run.mode.clone(),
        label: run.label.clone().filter(|_| LABELLED.contains(&file.format)),
        tool: file.tool.name.clone(),
        generation: file.tool.generation.clone(),
        threads: run.threads,
        block_kib: run.block_kib,
        outstanding: run.outstanding,
        // What was done by chance differs; what was asked for is compared, where the file says it.
        read_percent: run.read_percent,
        clock: run.clock.clone(),
        options: options.collect(),
    }
}

/// Processors and vCPUs, given or found in the files.
pub fn sizes(native: &[Observed], guests: &[Observed], given: &Given, warnings: &mut Vec<String>) -> Sizes {
    let processors = given.processors.or_else(|| native.iter().chain(guests).find_map(|observed| observed.processors));
    let vcpus = given.vcpus.or_else(|| guests.iter().find_map(|observed| observed.vcpus));
    let needed = guests.iter().any(|observed| observed.observation.work().is_some());
    if needed {
        sizes_or(processors, vcpus, warnings)
    } else {
        Sizes { processors: processors.unwrap_or(1.0), vcpus: vcpus.unwrap_or(1.0) }
    }
}

/// Where the figures come from, each once.
pub fn sources(native: &[Observed], guests: &[Observed]) -> String {
    let mut all: Vec<&str> = Vec::new();
    for observed in native.iter().chain(guests) {
        if !all.contains(&observed.source.as_str()) && all.len() < 4 {
            all.push(&observed.source);
        }
    }
    all.join("; ")
}
