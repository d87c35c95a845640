//! Long steps one after another, each with its time and the processor time of the machine.

use std::future::Future;
use std::time::Duration;

use super::{DatabaseUrl, DbError};
use crate::bench::clock::{Clock as _, NANOS, SystemClock};
use crate::bench::contention::Watch;
use crate::bench::control::{Control, Phase, Progress};
use crate::bench::error::BenchError;
use crate::bench::record::Recorder;
use crate::bench::result::{BenchResult, Operation};
use crate::bench::session::{Measured, Session};

/// How often it is looked whether the user stopped.
const LOOK: Duration = Duration::from_millis(100);
/// Bytes of a MB.
const MB: f64 = 1e6;

/// What a step did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// Bytes that were worked on; none where there is no such figure.
    pub bytes: Option<u64>,
    /// Why it was not done, where it was not.
    pub not_done: Option<String>,
}

impl Step {
    /// A step over this many bytes.
    pub fn over(bytes: u64) -> Self {
        Self { bytes: Some(bytes), not_done: None }
    }

    pub fn not_done(why: impl Into<String>) -> Self {
        Self { bytes: None, not_done: Some(why.into()) }
    }
}

/// Figures of a step over all repeats.
struct Total {
    name: String,
    times: Recorder,
    bytes: u64,
    /// Sum of busy shares, each weighted by its time: % × s.
    cpu: Option<f64>,
    not_done: Option<String>,
}

/// Steps that are measured, repeat by repeat.
pub struct Steps<'a> {
    url: &'a DatabaseUrl,
    clock: &'a SystemClock,
    control: &'a Control,
    totals: Vec<Total>,
    window: Recorder,
    begun_ns: u64,
    failure: Option<String>,
}

impl<'a> Steps<'a> {
    pub fn new(url: &'a DatabaseUrl, clock: &'a SystemClock, control: &'a Control) -> Self {
        Self { url, clock, control, totals: Vec::new(), window: Recorder::new(0), begun_ns: 0, failure: None }
    }

    /// A repeat begins.
    pub fn begin(&mut self) {
        self.begun_ns = self.clock.now_ns();
        self.window = Recorder::new(self.begun_ns);
    }

    /// Whether another step is to be done.
    pub fn goes_on(&self) -> bool {
        self.failure.is_none() && !self.control.is_cancelled()
    }

    /// Does a step, unless an earlier one ended the run. What the database refuses is noted and the next step goes on; a
    /// connection that breaks ends the run.
    pub async fn step(&mut self, name: &str, work: impl Future<Output = Result<Step, DbError>>) {
        if !self.goes_on() {
            return;
        }
        let (phase, step) = (Phase::Measure, name.to_owned());
        self.control.tell(&Progress { phase, step, elapsed_s: 0.0, planned_s: None, done: None, rate: None });
        let watch = Watch::start(self.clock);
        let begin = self.clock.now_ns();
        let done = tokio::select! {
            done = work => Some(done),
            () = stopped(self.control) => None,
        };
        let end = self.clock.now_ns();
        let watched = watch.stop(&[]);
        let step = match done {
            Some(Ok(step)) => step,
            Some(Err(error)) if error.is_lost() => {
                self.failure = Some(format!("{name}: {}", self.url.hide(&error.to_string())));
                return;
            }
            Some(Err(error)) => Step::not_done(self.url.hide(&error.to_string())),
            None => return,
        };
        let number = self.totals.iter().position(|total| total.name == name).unwrap_or_else(|| {
            let times = Recorder::new(0);
            self.totals.push(Total { name: name.to_owned(), times, bytes: 0, cpu: Some(0.0), not_done: None });
            self.totals.len() - 1
        });
        let total = &mut self.totals[number];
        if step.not_done.is_some() {
            total.not_done = step.not_done;
            return;
        }
        let seconds = (end - begin) as f64 / NANOS as f64;
        total.times.record_ns(end - begin);
        total.bytes += step.bytes.unwrap_or(0);
        total.cpu = total.cpu.zip(watched.cpu_percent).map(|(sum, percent)| sum + percent * seconds);
        self.window.record(begin, end);
    }

    /// A repeat is over.
    pub fn end(&mut self, session: &mut Session<'_>, watch: Watch) {
        let duration_ns = self.clock.now_ns() - self.begun_ns;
        let recorders = vec![std::mem::replace(&mut self.window, Recorder::new(0))];
        session.close(watch, Measured { recorders, duration_ns, failure: self.failure.clone(), ..Measured::default() });
    }

    /// Puts the steps into the result.
    pub fn tell(self, result: &mut BenchResult) {
        for total in self.totals {
            let count = total.times.events();
            let seconds = total.times.sum_ns() as f64 / NANOS as f64;
            let timed = |value: f64| (count > 0 && seconds > 0.0).then(|| value / seconds);
            let mb_s = (total.bytes > 0).then(|| timed(total.bytes as f64 / MB)).flatten();
            let cpu_percent = total.cpu.and_then(timed);
            if let Some(why) = &total.not_done {
                result.warnings.push(format!("{}: not done: {why}", total.name));
            }
            result.operations.push(Operation {
                name: total.name,
                events: count,
                latency_ms: total.times.latency(),
                duration_s: (count > 0).then(|| seconds / count as f64),
                mb_s,
                cpu_percent,
                mb_s_per_cpu_percent: mb_s.zip(cpu_percent.filter(|&cpu| cpu > 0.0)).map(|(mb_s, cpu)| mb_s / cpu),
                not_done: total.not_done,
                ..Operation::default()
            });
        }
    }

    /// The error of a run in which no step could be done.
    pub fn none_done(&self) -> Option<BenchError> {
        let done = self.totals.iter().any(|total| total.times.events() > 0);
        let why: Vec<String> = self
            .totals
            .iter()
            .filter_map(|total| Some(format!("{}: {}", total.name, total.not_done.as_ref()?)))
            .collect();
        (!done && !why.is_empty())
            .then(|| BenchError::Other(format!("--database {}: nothing could be done: {}", self.url, why.join("; "))))
    }
}

/// Ends when the user stops the run.
async fn stopped(control: &Control) {
    while !control.is_cancelled() {
        tokio::time::sleep(LOOK).await;
    }
}
