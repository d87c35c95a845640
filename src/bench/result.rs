//! The result of a benchmark, as it is printed, stored, compared and calibrated from. Its JSON is part of the public
//! surface: fields are added, never renamed. A result of another version is read too: what it has more is ignored, what it
//! lacks is unknown.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

pub use super::contention::Contention;
pub use super::environment::Environment;
pub use super::statistics::{Fairness, Interval, SteadyState};

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    Higher,
    Lower,
}

/// Times of events, ms.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Latency {
    pub min: f64,
    pub avg: f64,
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    #[serde(default)]
    pub p999: Option<f64>,
    pub max: f64,
}

/// The program that measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Tool {
    pub name: String,
    pub version: String,
}

/// The one figure that a mode is known by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Score {
    /// For example `throughput`, `time`, `warehouses`, `nopm`.
    pub name: String,
    pub value: f64,
    /// For example `MiB/s`, `s`, `1/s`.
    pub unit: String,
}

/// Reads and writes of a disk test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct IoFigures {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_iops: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_iops: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_mib_s: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_mib_s: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_latency_ms: Option<Latency>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_latency_ms: Option<Latency>,
    /// I/Os in flight for each worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outstanding: Option<u32>,
}

/// One kind of event, or one step, of a mode that has several: a transaction, a query, a direction, an operation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Operation {
    pub name: String,
    pub events: u64,
    #[serde(default)]
    pub events_per_s: Option<f64>,
    /// From the start of the work to its end.
    #[serde(default)]
    pub latency_ms: Option<Latency>,
    /// From the intended start to the end, where load comes at a rate of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_ms: Option<Latency>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_s: Option<f64>,
    /// MB (10⁶ bytes) a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mb_s: Option<f64>,
    /// Busy share of the whole machine, %.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu_percent: Option<f64>,
    /// MB a second for each % of the machine's processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mb_s_per_cpu_percent: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub errors: Option<u64>,
    /// Times that work was done again after a deadlock or a serialization failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<u64>,
    /// Why it was not done, where it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_done: Option<String>,
}

/// A point of a curve: the same load at another value of one parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Point {
    /// The parameter that differs: `outstanding`, `warehouses`.
    pub parameter: String,
    pub value: f64,
    pub events_per_s: f64,
    #[serde(default)]
    pub latency_ms: Option<Latency>,
    #[serde(default)]
    pub cpu_percent: Option<f64>,
    #[serde(flatten)]
    pub io: IoFigures,
    pub valid: bool,
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// One measured window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Run {
    pub duration_s: f64,
    pub events: u64,
    pub events_per_s: f64,
    #[serde(default)]
    pub errors: u64,
    #[serde(default)]
    pub latency_ms: Option<Latency>,
    #[serde(default)]
    pub cpu_percent: Option<f64>,
    /// CPU time of the program itself, s; null where the system does not tell.
    #[serde(default)]
    pub cpu_s: Option<f64>,
    /// Events of each whole second.
    #[serde(default)]
    pub events_each_second: Vec<u64>,
    /// Over threads or connections.
    #[serde(default)]
    pub fairness: Option<Fairness>,
    #[serde(default)]
    pub contention: Contention,
    #[serde(flatten)]
    pub io: IoFigures,
    pub valid: bool,
    #[serde(default)]
    pub warnings: Vec<String>,
}

/// How a benchmark ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    #[default]
    Complete,
    /// Stopped by the user: what was measured until then.
    Cancelled,
    /// Broke off: what was measured until then; the cause is the first warning.
    Failed,
}

/// What a benchmark measured. Rates and times at the top are over all runs together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BenchResult {
    /// For example `cpu`, `memory`, `fileio`, `oltp`.
    pub mode: String,
    /// Every option of the mode with its value, defaults included; never a secret.
    #[schema(value_type = Object)]
    pub parameters: Map<String, Value>,
    pub environment: Environment,
    #[serde(default)]
    pub tool: Option<Tool>,
    /// When the first measured window began, RFC 3339.
    #[serde(default)]
    pub started: Option<String>,
    /// Threads, connections or workers.
    pub threads: u32,
    /// Measured time, without preparation and warm-up, s.
    pub duration_s: f64,
    pub events: u64,
    /// Mean over the runs.
    pub events_per_s: f64,
    #[serde(default)]
    pub errors: u64,
    pub better: Better,
    /// Null when no event ended.
    pub latency_ms: Option<Latency>,
    /// Busy share of all logical processors of the machine, %; null where the system does not tell.
    pub cpu_percent: Option<f64>,
    /// CPU time of the program itself for each event, µs; null where the system does not tell.
    #[serde(default)]
    pub cpu_us_per_event: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    #[serde(flatten)]
    pub io: IoFigures,
    /// False when something disturbed the measurement, or it broke off; `warnings` says what.
    pub valid: bool,
    pub warnings: Vec<String>,
    #[serde(default)]
    pub ended: Ended,
    /// Interval of the mean rate over the runs; null for one run.
    #[serde(default)]
    pub interval: Option<Interval>,
    /// Rate × mean time / outstanding by Little's law: 1 when the books balance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub little: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steady_state: Option<SteadyState>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<Operation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<Point>,
    /// More figures of a mode.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[schema(value_type = Object)]
    pub details: Map<String, Value>,
    pub runs: Vec<Run>,
}

impl BenchResult {
    /// Notes what makes the result doubtful.
    pub fn invalidate(&mut self, why: impl Into<String>) {
        self.valid = false;
        self.warnings.push(why.into());
    }
}
