//! From measured windows to a result: repeats, contention, environment. It neither runs threads nor tasks; every mode,
//! blocking or asynchronous, goes through it:
//!
//! ```text
//! let mut session = Session::new(plan, control, clock);
//! while session.goes_on() {
//!     let mut watch = session.open();          // the contention watch starts
//!     …warm up…  watch.restart();  …measure…
//!     session.close(watch, measured);
//! }
//! session.finish()
//! ```

use serde_json::{Map, Value};

use super::clock::{Clock, NANOS};
use super::contention::{Needs, Watch};
use super::control::{Control, Phase, Progress};
use super::environment::Environment;
use super::error::BenchError;
use super::os::ThreadUsage;
use super::record::Recorder;
use super::result::{BenchResult, Better, Ended, IoFigures, Run, Tool};
use super::statistics::{fairness, interval, little};

/// What is measured.
#[derive(Clone, Debug)]
pub struct Plan {
    pub mode: &'static str,
    /// Every option with its value; no secrets.
    pub parameters: Map<String, Value>,
    pub environment: Environment,
    /// Threads, connections or workers.
    pub threads: u32,
    pub repeat: u32,
    pub better: Better,
    pub needs: Needs,
    /// Events in flight all together, for Little's law; none where it does not apply.
    pub outstanding: Option<f64>,
}

/// What one window gave.
#[derive(Debug, Default)]
pub struct Measured {
    /// One a thread, connection or worker.
    pub recorders: Vec<Recorder>,
    /// From the start of the window to the end of its last event, ns.
    pub duration_ns: u64,
    /// What the threads of the load used during the window; empty where tasks share threads.
    pub threads: Vec<ThreadUsage>,
    pub io: IoFigures,
    /// More that is wrong with the window.
    pub warnings: Vec<String>,
    /// Why it broke off.
    pub failure: Option<String>,
}

/// A benchmark that is going on.
pub struct Session<'a> {
    plan: Plan,
    control: &'a Control,
    clock: &'a dyn Clock,
    started: Option<String>,
    runs: Vec<Run>,
    all: Recorder,
    failure: Option<String>,
}

impl<'a> Session<'a> {
    pub fn new(plan: Plan, control: &'a Control, clock: &'a dyn Clock) -> Self {
        Self { plan, control, clock, started: None, runs: Vec::new(), all: Recorder::new(0), failure: None }
    }

    /// Whether another window is to be measured.
    pub fn goes_on(&self) -> bool {
        self.failure.is_none() && !self.control.is_cancelled() && self.runs.len() < self.plan.repeat as usize
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The environment, for what is found out on the way, such as the version of a server.
    pub fn environment_mut(&mut self) -> &mut Environment {
        &mut self.plan.environment
    }

    /// Which of several windows is next, for [`Progress::step`]; empty for one.
    pub fn step(&self) -> String {
        match self.plan.repeat {
            0 | 1 => String::new(),
            repeat => format!("run {} of {repeat}", self.runs.len() + 1),
        }
    }

    /// Tells how far the window is.
    pub fn tell(&self, phase: Phase, elapsed_s: f64, planned_s: Option<f64>, rate: Option<f64>) {
        self.control.tell(&Progress { phase, step: self.step(), elapsed_s, planned_s, done: None, rate });
    }

    /// Begins a window.
    pub fn open(&mut self) -> Watch {
        self.started.get_or_insert_with(|| jiff::Timestamp::now().to_string());
        Watch::start(self.clock)
    }

    /// Ends a window.
    pub fn close(&mut self, watch: Watch, measured: Measured) {
        let watched = watch.stop(&measured.threads);
        let window = Recorder::merged(&measured.recorders);
        let duration_s = measured.duration_ns as f64 / NANOS as f64;
        let mut warnings = watched.contention.reasons(self.plan.needs, duration_s);
        warnings.extend(measured.warnings);
        let stopped = self.control.is_cancelled().then(|| "stopped before its time".to_owned());
        warnings.splice(0..0, measured.failure.iter().cloned().chain(stopped));
        let counts: Vec<u64> = measured.recorders.iter().map(Recorder::events).collect();
        self.runs.push(Run {
            duration_s,
            events: window.events(),
            events_per_s: if duration_s > 0.0 { window.events() as f64 / duration_s } else { 0.0 },
            errors: window.errors(),
            latency_ms: window.latency(),
            cpu_percent: watched.cpu_percent,
            cpu_s: watched.cpu_s,
            events_each_second: window.per_second(measured.duration_ns),
            fairness: fairness(&counts),
            contention: watched.contention,
            io: measured.io,
            valid: warnings.is_empty() && window.events() > 0,
            warnings,
        });
        self.all.merge(&window);
        self.failure = measured.failure;
    }

    /// Puts the result together.
    ///
    /// # Errors
    /// [`BenchError::Cancelled`] when no window was measured; the failure, when it broke off without a single event.
    pub fn finish(self) -> Result<BenchResult, BenchError> {
        let Self { plan, control, started, runs, all, failure, .. } = self;
        let cancelled = control.is_cancelled();
        if all.events() == 0 {
            return Err(match failure {
                Some(failure) => BenchError::Other(failure),
                None if cancelled || runs.is_empty() => BenchError::Cancelled,
                None => BenchError::Other("no event ended in the measured time: a longer --time is needed".to_owned()),
            });
        }
        let rates: Vec<f64> = runs.iter().map(|run| run.events_per_s).collect();
        let events_per_s = super::statistics::mean(&rates);
        let mean = |figure: fn(&Run) -> Option<f64>| {
            let known: Option<Vec<f64>> = runs.iter().map(figure).collect();
            known.filter(|known| !known.is_empty()).map(|known| super::statistics::mean(&known))
        };
        let cpu_s: Option<f64> = runs.iter().map(|run| run.cpu_s).sum();
        let balance = plan.outstanding.and_then(|outstanding| little(outstanding, events_per_s, all.mean_ns()? / 1e6));
        let mut result = BenchResult {
            mode: plan.mode.to_owned(),
            parameters: plan.parameters,
            environment: plan.environment,
            tool: Some(Tool { name: "vmfit".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }),
            started,
            threads: plan.threads,
            duration_s: runs.iter().map(|run| run.duration_s).sum(),
            events: all.events(),
            events_per_s,
            errors: all.errors(),
            better: plan.better,
            latency_ms: all.latency(),
            cpu_percent: mean(|run| run.cpu_percent),
            cpu_us_per_event: cpu_s.map(|cpu_s| cpu_s * 1e6 / all.events() as f64),
            score: None,
            io: runs.last().map(|run| run.io.clone()).unwrap_or_default(),
            valid: runs.iter().all(|run| run.valid),
            warnings: warnings(&runs),
            ended: match (&failure, cancelled) {
                (Some(_), _) => Ended::Failed,
                (None, true) => Ended::Cancelled,
                (None, false) => Ended::Complete,
            },
            interval: interval(&rates),
            little: balance,
            steady_state: None,
            operations: Vec::new(),
            points: Vec::new(),
            details: Map::new(),
            runs,
        };
        if let Some(balance) = balance.filter(|b| (b - 1.0).abs() > super::statistics::LITTLE_TOLERANCE) {
            result.warnings.push(format!(
                "rate × mean time is {balance:.3} times the outstanding events, where Little's law asks for 1"
            ));
        }
        Ok(result)
    }
}

/// What was wrong with the runs: each once, with its run where there are several.
fn warnings(runs: &[Run]) -> Vec<String> {
    let mut all = Vec::new();
    for (number, run) in (1..).zip(runs) {
        for warning in &run.warnings {
            all.push(if runs.len() == 1 { warning.clone() } else { format!("run {number}: {warning}") });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::clock::SimulatedClock;

    const SECOND: u64 = NANOS;

    fn plan(repeat: u32) -> Plan {
        Plan {
            mode: "test",
            parameters: Map::new(),
            environment: Environment::default(),
            threads: 2,
            repeat,
            better: Better::Higher,
            needs: Needs::Processors(2),
            outstanding: Some(2.0),
        }
    }

    /// Two threads that do an event each `step` without a pause, for a second.
    fn window(step: u64) -> Measured {
        let mut recorders = vec![Recorder::new(0), Recorder::new(0)];
        for recorder in &mut recorders {
            (0..SECOND / step).for_each(|n| recorder.record(n * step, (n + 1) * step));
        }
        Measured { recorders, duration_ns: SECOND, ..Measured::default() }
    }

    fn run(
        repeat: u32,
        control: &Control,
        mut measure: impl FnMut(u32) -> Measured,
    ) -> Result<BenchResult, BenchError> {
        let clock = SimulatedClock::default();
        let mut session = Session::new(plan(repeat), control, &clock);
        let mut number = 0;
        while session.goes_on() {
            let watch = session.open();
            number += 1;
            session.close(watch, measure(number));
        }
        session.finish()
    }

    #[test]
    fn repeats_give_a_mean_and_an_interval() {
        let result = run(3, &Control::silent(), |n| window(SECOND / (10 * u64::from(n)))).unwrap();
        assert_eq!(result.runs.iter().map(|run| run.events).collect::<Vec<_>>(), [20, 40, 60]);
        assert_eq!((result.events, result.events_per_s, result.duration_s), (120, 40.0, 3.0));
        assert_eq!(result.interval.as_ref().map(|i| (i.mean, i.runs)), Some((40.0, 3)));
        assert!(result.valid);
        assert_eq!(result.ended, Ended::Complete);
        assert_eq!(result.runs[0].fairness.as_ref().map(|f| f.mean), Some(10.0));
        // What a simulated clock cannot tell is unknown.
        assert_eq!((result.cpu_percent, result.cpu_us_per_event), (None, None));
    }

    #[test]
    fn a_closed_loop_obeys_littles_law() {
        let result = run(1, &Control::silent(), |_| window(SECOND / 100)).unwrap();
        assert!((result.little.unwrap() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn what_was_measured_before_a_failure_is_kept_and_marked() {
        let broke = |n| Measured { failure: (n == 2).then(|| "server went away".to_owned()), ..window(SECOND / 10) };
        let result = run(5, &Control::silent(), broke).unwrap();
        assert_eq!((result.runs.len(), result.valid, result.ended), (2, false, Ended::Failed));
        assert_eq!(result.warnings, ["run 2: server went away"]);
        let nothing = |_| Measured { failure: Some("refused".to_owned()), ..Measured::default() };
        assert_eq!(run(1, &Control::silent(), nothing).unwrap_err().to_string(), "refused");
    }

    #[test]
    fn what_was_measured_before_a_stop_is_kept_and_marked() {
        let control = Control::silent();
        let result = run(3, &control, |_| {
            control.cancel();
            window(SECOND / 10)
        });
        let result = result.unwrap();
        assert_eq!((result.runs.len(), result.valid, result.ended), (1, false, Ended::Cancelled));
        assert!(matches!(run(1, &control, |_| window(SECOND)), Err(BenchError::Cancelled)));
    }

    #[test]
    fn a_result_survives_json_and_another_version() {
        let result = run(2, &Control::silent(), |_| window(SECOND / 10)).unwrap();
        let mut json = serde_json::to_value(&result).unwrap();
        assert_eq!(serde_json::from_value::<BenchResult>(json.clone()).unwrap(), result);
        json["from_the_future"] = serde_json::json!({ "any": 1 });
        json["environment"]["hypervisor"] = "qnx".into();
        for field in ["tool", "started", "interval", "cpu_us_per_event", "ended"] {
            json.as_object_mut().unwrap().remove(field);
        }
        let read: BenchResult = serde_json::from_value(json).unwrap();
        assert_eq!(read.environment.hypervisor, crate::bench::environment::Hypervisor::Unknown);
        assert_eq!(read.events, result.events);
    }
}
