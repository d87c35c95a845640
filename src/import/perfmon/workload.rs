//! Series to the demand of a VM, in the shape of a scenario's VM, with what was chosen and what is missing.

use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::Knobs;
use super::counter::{Quantity, Series};
use super::header::Header;
use super::names::Object;
use super::samples::Samples;
use crate::import::result::{Imported, LittlesLaw};

/// A counter over time and the value that was chosen of it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct CounterSummary {
    /// As the file writes it; sums over counters have a name of their own.
    pub counter: String,
    pub quantity: &'static str,
    pub instance: String,
    pub unit: &'static str,
    /// Share of the samples that have a value.
    pub coverage_percent: f64,
    pub samples: u64,
    pub blank: u64,
    pub negative: u64,
    pub min: Option<f64>,
    pub mean: Option<f64>,
    pub max: Option<f64>,
    /// The percentile.
    pub chosen: Option<f64>,
    /// The picture: at most 240 steps of equal numbers of samples, each least, mean and most; null where there is no value.
    #[schema(value_type = Vec<Vec<Option<f64>>>)]
    pub series: Vec<Option<[f64; 3]>>,
}

/// A field of the VM that no counter shows.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Missing {
    /// JSON pointer below the VM.
    pub pointer: String,
    pub why: String,
}

/// Demand by the utilization law, `U = D·X + background`.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct DemandFit {
    /// Processor milliseconds of a batch request.
    pub cpu_ms_per_batch: f64,
    pub cpu_ms_per_batch_half_width: Option<f64>,
    /// Busy processors without requests.
    pub background_processors: f64,
    pub r_squared: f64,
    pub samples: u64,
}

/// Little's law on a disk: I/O rate × time against the queue that was counted.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Books {
    pub volume: String,
    pub littles_law: LittlesLaw,
}

/// Demand of a machine that is to become a VM.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Workload {
    pub machine: Option<String>,
    /// First and last sample, local time of the machine.
    pub from: Option<String>,
    pub to: Option<String>,
    /// As the file names it; times are not moved by it.
    pub zone: Option<String>,
    pub interval_s: Option<f64>,
    pub samples: u64,
    pub used_samples: u64,
    pub percentile: f64,
    pub comfort: f64,
    pub target_percent: f64,
    pub processors: Option<f64>,
    /// The VM of a scenario.
    #[schema(value_type = Object)]
    pub vm: Value,
    /// What has to be added before the VM can be sized.
    pub missing: Vec<Missing>,
    pub demand: Option<DemandFit>,
    pub books: Vec<Books>,
    pub counters: Vec<CounterSummary>,
}

/// Fewer samples with a value than this share are told as a warning.
const LEAST_COVERAGE_PERCENT: f64 = 90.0;

pub fn make(header: &Header, samples: Samples, knobs: &Knobs, into: &mut Imported) -> Workload {
    let mut missing = Vec::new();
    let (volumes, books) = volumes(header, &samples, knobs, into);
    for (index, _) in volumes.iter().enumerate() {
        let why = "counters show no size of a volume".to_owned();
        missing.push(Missing { pointer: format!("/volumes/{index}/size_gib"), why });
    }
    let mut vm = json!({ "name": header.machines.first().filter(|name| !name.is_empty()), "kind": "generic" });
    if !samples.batches.steps.is_empty() {
        vm["kind"] = "sql_oltp".into();
    }
    cpu(&samples, knobs, &mut vm, &mut missing);
    memory(header, &samples, knobs, &mut vm, &mut missing);
    vm["volumes"] = volumes.into();
    if let Some(bytes) = samples.network.percentile(knobs.percentile) {
        vm["network_mb_s"] = tidy(bytes * knobs.comfort / 1e6);
    }
    if let Some(batches) = samples.batches.percentile(knobs.percentile).filter(|rate| *rate > 0.0) {
        vm["transactions"] = json!({ "per_s": tidy(batches * knobs.comfort) });
    }
    let demand = samples.regression.solve().map(|demands| {
        let batch = demands.per_request.first().copied();
        DemandFit {
            cpu_ms_per_batch: batch.map_or(0.0, |batch| batch.value * 1000.0),
            cpu_ms_per_batch_half_width: batch.and_then(|batch| batch.half_width).map(|half| half * 1000.0),
            background_processors: demands.background.value,
            r_squared: demands.r_squared,
            samples: demands.samples,
        }
    });
    let counters = summaries(header, &samples, knobs);
    for low in counters.iter().filter(|counter| counter.coverage_percent < LEAST_COVERAGE_PERCENT) {
        into.warn(format!("{}: only {:.0} % of the samples have a value", low.counter, low.coverage_percent));
    }
    Workload {
        machine: header.machines.first().cloned(),
        from: samples.first.map(|time| time.shown()),
        to: samples.last.map(|time| time.shown()),
        zone: header.zone.clone(),
        interval_s: samples.interval_s,
        samples: samples.seen,
        used_samples: samples.used,
        percentile: knobs.percentile,
        comfort: knobs.comfort,
        target_percent: knobs.target_percent,
        processors: samples.processors,
        vm,
        missing,
        demand,
        books,
        counters,
    }
}

/// Six significant digits: more is noise of the arithmetic.
fn tidy(value: f64) -> Value {
    format!("{value:.5e}").parse::<f64>().map_or(Value::Null, Value::from)
}

/// vCPUs so that the chosen load, with comfort, keeps them at the target; the load in busy cores stays what was seen.
fn cpu(samples: &Samples, knobs: &Knobs, vm: &mut Value, missing: &mut Vec<Missing>) {
    let told = |pointer: &str, why: &str| Missing { pointer: pointer.to_owned(), why: why.to_owned() };
    let Some(percent) = samples.cpu.percentile(knobs.percentile) else {
        missing.push(told("/cpu", "no counter % Processor Time is in the file"));
        missing.push(told("/vcpus", "no counter % Processor Time is in the file"));
        return;
    };
    let Some(processors) = samples.processors else {
        missing
            .push(told("/cpu/of_cores", "the file has _Total only; say how many logical processors the machine has"));
        missing.push(told("/vcpus", "it follows from the logical processors"));
        vm["cpu"] = json!({ "busy_percent": tidy((percent * knobs.comfort).min(100.0)), "of_cores": null });
        return;
    };
    let busy = percent / 100.0 * processors * knobs.comfort;
    let vcpus = (busy / (knobs.target_percent / 100.0)).ceil().clamp(1.0, 512.0);
    vm["vcpus"] = (vcpus as u64).into();
    // A load beyond all processors, by comfort, needs more of them in the denominator.
    let of_cores = processors.max(busy);
    vm["cpu"] = json!({ "busy_percent": tidy(busy / of_cores * 100.0), "of_cores": tidy(of_cores) });
}

fn memory(header: &Header, samples: &Samples, knobs: &Knobs, vm: &mut Value, missing: &mut Vec<Missing>) {
    if let Some(gib) = knobs.memory_gib {
        vm["memory_gib"] = tidy(gib);
        return;
    }
    let committed = header.columns.iter().position(|column| column.quantity == Quantity::CommittedBytes);
    let bytes = committed.and_then(|place| samples.series[place].percentile(knobs.percentile));
    match bytes {
        // What programs were promised is what the machine needs, whatever it has.
        Some(bytes) => vm["memory_gib"] = (bytes * knobs.comfort / 1_073_741_824.0).ceil().max(1.0).into(),
        None => missing.push(Missing {
            pointer: "/memory_gib".to_owned(),
            why: "no counter Committed Bytes is in the file, and free memory does not tell how much there is"
                .to_owned(),
        }),
    }
}

fn volumes(header: &Header, samples: &Samples, knobs: &Knobs, into: &mut Imported) -> (Vec<Value>, Vec<Books>) {
    let of = |object: Object, quantity: Quantity, instance: &str| {
        let found = header
            .columns
            .iter()
            .position(|column| column.object == object && column.quantity == quantity && column.instance == instance);
        found.map(|place| &samples.series[place])
    };
    let instances = |object: Object| {
        let mut names: Vec<&str> = Vec::new();
        for column in header.columns.iter().filter(|column| column.object == object) {
            if matches!(column.quantity, Quantity::Reads | Quantity::Writes)
                && !names.contains(&column.instance.as_str())
            {
                names.push(&column.instance);
            }
        }
        let single: Vec<&str> = names.iter().copied().filter(|name| !name.eq_ignore_ascii_case("_total")).collect();
        if single.is_empty() { names } else { single }
    };
    let (logical, physical) = (instances(Object::LogicalDisk), instances(Object::PhysicalDisk));
    // The same I/O is counted on both: only one of them is read.
    let named = logical.iter().any(|name| !name.eq_ignore_ascii_case("_total"));
    let logical_first = !logical.is_empty() && (named || physical.is_empty());
    let (object, names) =
        if logical_first { (Object::LogicalDisk, logical.clone()) } else { (Object::PhysicalDisk, physical.clone()) };
    if !logical.is_empty() && !physical.is_empty() {
        let other = if logical_first { "PhysicalDisk" } else { "LogicalDisk" };
        into.ignore(format!("counters of {other}"), "they count the same I/O");
    }
    let (mut volumes, mut books) = (Vec::new(), Vec::new());
    for name in names {
        let get = |quantity: Quantity| of(object, quantity, name);
        let rate = |quantity| {
            get(quantity).and_then(|series| series.percentile(knobs.percentile)).unwrap_or(0.0) * knobs.comfort
        };
        let (reads, writes) = (rate(Quantity::Reads), rate(Quantity::Writes));
        let total =
            |quantities: [Quantity; 2]| quantities.iter().filter_map(|&q| get(q)).filter_map(Series::mean).sum::<f64>();
        let (operations, bytes) =
            (total([Quantity::Reads, Quantity::Writes]), total([Quantity::ReadBytes, Quantity::WriteBytes]));
        let mut volume = json!({ "name": name, "role": "data", "size_gib": null, "read_iops": tidy(reads), "write_iops": tidy(writes) });
        if operations > 0.0 && bytes > 0.0 {
            volume["io_kib"] = tidy((bytes / operations / 1024.0).clamp(0.5, 65_536.0));
        }
        volumes.push(volume);
        let time = |count: Quantity, seconds: Quantity| {
            Some(get(count).and_then(Series::mean)? * get(seconds).and_then(Series::mean)?)
        };
        let under_way = time(Quantity::Reads, Quantity::ReadSeconds).unwrap_or(0.0)
            + time(Quantity::Writes, Quantity::WriteSeconds).unwrap_or(0.0);
        let queue = get(Quantity::Queue).and_then(Series::mean);
        let law =
            LittlesLaw::of(operations, if operations > 0.0 { under_way / operations * 1000.0 } else { 0.0 }, queue);
        if let Some(littles_law) = law {
            books.push(Books { volume: name.to_owned(), littles_law });
        }
    }
    (volumes, books)
}

fn summaries(header: &Header, samples: &Samples, knobs: &Knobs) -> Vec<CounterSummary> {
    let sums =
        [("all processors", &samples.cpu), ("all adapters", &samples.network), ("all SQL Servers", &samples.batches)];
    let columns = header
        .columns
        .iter()
        .zip(&samples.series)
        .map(|(column, series)| (column.path.as_str(), column.instance.as_str(), series));
    let sums = sums.into_iter().filter(|(_, series)| !series.steps.is_empty()).map(|(name, series)| (name, "", series));
    columns.chain(sums).map(|(path, instance, series)| summary(path, instance, series, knobs)).collect()
}

fn summary(path: &str, instance: &str, series: &Series, knobs: &Knobs) -> CounterSummary {
    let all = series.count + series.blank + series.negative;
    let some = |value: f64| Some(value).filter(|_| series.count > 0);
    CounterSummary {
        counter: path.to_owned(),
        quantity: series.quantity.name(),
        instance: instance.to_owned(),
        unit: series.quantity.unit(),
        coverage_percent: if all > 0 { series.count as f64 / all as f64 * 100.0 } else { 0.0 },
        samples: all,
        blank: series.blank,
        negative: series.negative,
        min: some(series.min),
        mean: series.mean(),
        max: some(series.max),
        // Free memory is short when it is low.
        chosen: series.percentile(if series.quantity == Quantity::AvailableMib {
            100.0 - knobs.percentile
        } else {
            knobs.percentile
        }),
        series: series
            .steps
            .iter()
            .map(|step| (step.count > 0).then(|| [step.min, step.sum / step.count as f64, step.max]))
            .collect(),
    }
}
