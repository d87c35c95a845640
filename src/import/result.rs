//! What an import gives: runs with their metrics, or a workload, and an account of what was read and what was not.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::perfmon::Workload;

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Higher,
    Lower,
    /// Neither: a size or a count that describes the run.
    Neither,
}

/// One figure of a run.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Metric {
    /// For example `read_iops`, `latency_p95_ms`.
    pub name: String,
    pub value: f64,
    /// For example `1/s`, `ms`, `MiB/s`, `%`.
    pub unit: &'static str,
    pub better: Direction,
}

/// The program that measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Tool {
    pub name: String,
    /// As the file prints it; null where it does not.
    pub version: Option<String>,
    /// Results of different generations of a tool mean different things and are not compared.
    pub generation: Option<String>,
}

/// Little's law: what is under way = rate × time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct LittlesLaw {
    /// Requests a second.
    pub rate_per_s: f64,
    /// Mean time of one, ms.
    pub latency_ms: f64,
    /// Requests under way on average: their product.
    pub implied: f64,
    /// What the file says was under way (threads × outstanding); null where it does not say.
    pub stated: Option<f64>,
    /// Whether the two agree within 10 %; null without a stated number.
    pub holds: Option<bool>,
}

/// How far Little's law may be off: tools round what they print, ramps and think time inside a tool blur it.
pub const LITTLE_TOLERANCE: f64 = 0.10;

impl LittlesLaw {
    /// `None` unless rate and time are positive and finite.
    pub fn of(rate_per_s: f64, latency_ms: f64, stated: Option<f64>) -> Option<Self> {
        let good = |value: f64| value > 0.0 && value.is_finite();
        if !good(rate_per_s) || !good(latency_ms) {
            return None;
        }
        let implied = rate_per_s * latency_ms / 1000.0;
        let stated = stated.filter(|&stated| good(stated));
        let holds = stated.map(|stated| (implied / stated - 1.0).abs() <= LITTLE_TOLERANCE);
        Some(Self { rate_per_s, latency_ms, implied, stated, holds })
    }
}

impl LittlesLaw {
    /// Whether the books balance, in words.
    pub const fn verdict(&self) -> &'static str {
        match self.holds {
            Some(true) => "the books balance",
            Some(false) => "the books do not balance",
            None => "nothing stated to compare with",
        }
    }
}

/// One measured run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Run {
    /// What was measured: `cpu`, `threads`, `mutex`, `memory`, `fileio`, `oltp`, `network`, `jbb`, …
    pub mode: String,
    /// What tells runs of one file apart: access specification, job, load level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Side of a table that has both: `native` or `guest`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Threads, workers, connections or virtual users.
    pub threads: Option<f64>,
    /// I/Os under way at a time for each thread.
    pub outstanding: Option<f64>,
    pub block_kib: Option<f64>,
    pub read_percent: Option<f64>,
    pub duration_s: Option<f64>,
    /// Processors of the machine that was measured, where the file says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processors: Option<f64>,
    /// False when the tool itself says that the run is no good.
    pub valid: bool,
    /// Whether the clock that timed the run can be trusted; null where the file does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    pub metrics: Vec<Metric>,
    pub littles_law: Option<LittlesLaw>,
    /// Further options and facts of the run, as they were read.
    #[serde(skip_serializing_if = "serde_json::Map::is_empty")]
    #[schema(value_type = Object)]
    pub parameters: serde_json::Map<String, Value>,
}

/// Which of the two machines of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Native,
    Guest,
}

impl Run {
    pub fn new(mode: &str) -> Self {
        Self { mode: mode.to_owned(), valid: true, ..Self::default() }
    }

    /// Adds a figure; one that is not finite is left out.
    pub fn add(&mut self, name: &str, value: f64, unit: &'static str, better: Direction) {
        if value.is_finite() && self.metric(name).is_none() {
            self.metrics.push(Metric { name: name.to_owned(), value, unit, better });
        }
    }

    /// Adds a figure where there is one.
    pub fn add_some(&mut self, name: &str, value: Option<f64>, unit: &'static str, better: Direction) {
        if let Some(value) = value {
            self.add(name, value, unit, better);
        }
    }

    /// What is known of how it ran: name, value and unit.
    pub fn facts(&self) -> impl Iterator<Item = (&'static str, f64, &'static str)> {
        let facts = [
            ("threads", self.threads, ""),
            ("outstanding", self.outstanding, ""),
            ("block", self.block_kib, "KiB"),
            ("reads", self.read_percent, "%"),
            ("time", self.duration_s, "s"),
        ];
        facts.into_iter().filter_map(|(name, value, unit)| Some((name, value?, unit)))
    }

    pub fn metric(&self, name: &str) -> Option<f64> {
        self.metrics.iter().find(|metric| metric.name == name).map(|metric| metric.value)
    }

    pub fn note(&mut self, name: &str, value: impl Into<Value>) {
        self.parameters.insert(name.to_owned(), value.into());
    }

    /// I/Os or requests under way, from threads and outstanding of each; `None` where the file says neither.
    pub fn stated_concurrency(&self) -> Option<f64> {
        match (self.threads, self.outstanding) {
            (Some(threads), Some(outstanding)) => Some(threads * outstanding),
            (one, other) => one.or(other),
        }
    }

    /// Checks Little's law on the named rate and mean time, with the stated concurrency.
    pub fn check_little(&mut self, rate: &str, latency: &str) {
        if let (Some(rate), Some(latency)) = (self.metric(rate), self.metric(latency)) {
            self.littles_law = LittlesLaw::of(rate, latency, self.stated_concurrency());
        }
    }
}

/// Something in the file that was not used.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Ignored {
    pub what: String,
    pub why: String,
    /// How many of them.
    pub count: u64,
}

/// How much of the file was used.
#[derive(Clone, Debug, Default, PartialEq, Serialize, ToSchema)]
pub struct Read {
    pub lines: u64,
    pub bytes: u64,
    /// Sections, rows or samples that gave figures.
    pub records: u64,
    /// How the text was encoded.
    pub encoding: &'static str,
}

/// What was made of a file.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Imported {
    /// Name of the format, as in `vmfit import list`.
    pub format: &'static str,
    pub tool: Tool,
    pub read: Read,
    pub runs: Vec<Run>,
    /// Demand of a VM, from Performance Monitor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<Workload>,
    pub ignored: Vec<Ignored>,
    pub warnings: Vec<String>,
}

/// Kinds of things that are told of at most; it bounds the answer to a hostile file.
const MOST_TOLD: usize = 200;

impl Imported {
    pub fn new(format: &'static str, tool: &str) -> Self {
        Self { format, tool: Tool { name: tool.to_owned(), ..Tool::default() }, ..Self::default() }
    }

    /// Notes what was left out; equal notes are counted.
    pub fn ignore(&mut self, what: impl Into<String>, why: impl Into<String>) {
        let (what, why) = (shown(&what.into()), why.into());
        if let Some(known) = self.ignored.iter_mut().find(|known| known.what == what && known.why == why) {
            known.count += 1;
        } else if self.ignored.len() < MOST_TOLD {
            self.ignored.push(Ignored { what, why, count: 1 });
        }
    }

    pub fn warn(&mut self, warning: impl Into<String>) {
        let warning = warning.into();
        if self.warnings.len() < MOST_TOLD && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Warns of every run whose books do not balance.
    pub fn warn_of_little(&mut self) {
        let off: Vec<String> = self.runs.iter().filter_map(little_warning).collect();
        off.into_iter().for_each(|warning| self.warn(warning));
    }
}

fn little_warning(run: &Run) -> Option<String> {
    let law = run.littles_law.filter(|law| law.holds == Some(false))?;
    let name = run.label.as_deref().unwrap_or(&run.mode);
    Some(format!(
        "{}: {:.2}/s × {:.4} ms = {:.2} under way, but {} are stated",
        shown(name),
        law.rate_per_s,
        law.latency_ms,
        law.implied,
        law.stated.unwrap_or_default()
    ))
}

/// A text from a file, short and without control characters.
pub fn shown(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(121).collect();
    match clean.char_indices().nth(120) {
        Some((cut, _)) => format!("{}…", clean[..cut].trim()),
        None => clean.trim().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_balance_or_not() {
        // "System resource costs on Hyper-V", IOMeter table: 269.73 IOPS at 3.7066 ms, four workers stated.
        let law = LittlesLaw::of(269.73, 3.7066, Some(4.0)).expect("figures");
        assert_eq!(format!("{:.2}", law.implied), "1.00");
        assert_eq!(law.holds, Some(false));
        assert_eq!(LittlesLaw::of(269.73, 3.7066, Some(1.0)).and_then(|law| law.holds), Some(true));
        assert!(LittlesLaw::of(0.0, 1.0, None).is_none() && LittlesLaw::of(1.0, f64::NAN, None).is_none());
    }

    #[test]
    fn figures_that_are_none_are_left_out() {
        let mut run = Run::new("cpu");
        run.add("a", f64::NAN, "1/s", Direction::Higher);
        run.add("b", 1.0, "1/s", Direction::Higher);
        run.add("b", 2.0, "1/s", Direction::Higher);
        assert_eq!(run.metrics.len(), 1);
        assert_eq!(run.metric("b"), Some(1.0));
    }
}
