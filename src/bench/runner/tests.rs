use std::sync::Arc;

use serde_json::Map;

use super::*;
use crate::bench::clock::{NANOS, SimulatedClock};
use crate::bench::contention::Needs;
use crate::bench::environment::Environment;
use crate::bench::result::{BenchResult, Better, Ended};
use crate::bench::session::Plan;

/// An event takes 10 ms, its preparation 90 ms of simulated time.
struct Fixed {
    clock: Arc<SimulatedClock>,
    fails_at: u64,
    done: u64,
}

impl Worker for Fixed {
    const PREPARES: bool = true;

    fn prepare(&mut self) {
        self.clock.advance(90_000_000);
    }

    fn event(&mut self) -> Result<(), BenchError> {
        self.clock.advance(10_000_000);
        self.done += 1;
        if self.done == self.fails_at { Err(BenchError::Other("broke".to_owned())) } else { Ok(()) }
    }
}

fn run(threads: u32, limits: Limits, fails_at: u64) -> Result<BenchResult, BenchError> {
    let clock = Arc::new(SimulatedClock::default());
    let control = Control::silent();
    let plan = Plan {
        mode: "test",
        parameters: Map::new(),
        environment: Environment::default(),
        threads,
        repeat: 1,
        better: Better::Higher,
        needs: Needs::Processors(threads),
        outstanding: None,
    };
    let mut session = Session::new(plan, &control, &*clock);
    while session.goes_on() {
        let make = |_| Ok(Fixed { clock: Arc::clone(&clock), fails_at, done: 0 });
        run_window(&mut session, &*clock, &control, threads, limits, make)?;
    }
    session.finish()
}

const FOR_TIME: Limits = Limits { warm_up: Duration::from_secs(1), time: Some(Duration::from_secs(2)), events: None };

#[test]
fn warm_up_and_preparation_do_not_count() {
    let result = run(1, FOR_TIME, u64::MAX).unwrap();
    assert_eq!((result.events, result.duration_s), (20, 2.0));
    assert_eq!(result.latency_ms.map(|l| (l.min, l.max)), Some((10.0, 10.0)));
    assert_eq!(result.runs[0].events_each_second, [9, 10]);
}

#[test]
fn a_count_of_events_ends_each_thread() {
    let limits = Limits { warm_up: Duration::ZERO, time: None, events: Some(7) };
    let result = run(3, limits, u64::MAX).unwrap();
    assert_eq!(result.events, 21);
    let fairness = result.runs[0].fairness.clone().unwrap();
    assert_eq!((fairness.least, fairness.most), (7, 7));
}

#[test]
fn a_worker_that_fails_ends_all_and_what_was_measured_is_kept() {
    let result = run(2, FOR_TIME, 15).unwrap();
    assert_eq!((result.valid, result.ended), (false, Ended::Failed));
    assert_eq!(result.warnings, ["broke"]);
    assert!(run(1, FOR_TIME, 1).is_err());
}

#[test]
fn a_worker_that_cannot_be_made_is_an_error() {
    let (clock, control) = (SimulatedClock::default(), Control::silent());
    let plan = Plan {
        mode: "test",
        parameters: Map::new(),
        environment: Environment::default(),
        threads: 2,
        repeat: 1,
        better: Better::Higher,
        needs: Needs::QuietMachine,
        outstanding: None,
    };
    let mut session = Session::new(plan, &control, &clock);
    let make = |number| match number {
        0 => Err(BenchError::Other("no memory".to_owned())),
        _ => Ok(Fixed { clock: Arc::default(), fails_at: 1, done: 0 }),
    };
    let limits = Limits { warm_up: Duration::ZERO, time: None, events: Some(1) };
    let error = run_window(&mut session, &clock, &control, 2, limits, make).err().unwrap();
    assert_eq!(error.to_string(), "no memory");
    assert_eq!(NANOS, 1_000_000_000);
}

#[test]
fn rates_are_between_two_looks() {
    let mut rate = Rate::default();
    assert_eq!(rate.of(0.0, 10), None);
    assert_eq!(rate.of(2.0, 30), Some(10.0));
}
