//! `jbb`: a wholesaler in memory, inspired by TPC-C as SPECjbb was: each thread has a warehouse of its own and does orders,
//! payments and the rest on it, without disk or network. Points with 1 to 2 N warehouses are measured; the score is the
//! mean of those from N to 2 N. It is no result of SPECjbb or TPC-C.

mod warehouse;

use serde_json::json;

use super::clock::Clock;
use super::common::Common;
use super::contention::Needs;
use super::control::Control;
use super::environment;
use super::error::{BenchError, Mistakes};
use super::os;
use super::record::Recorder;
use super::result::{BenchResult, Better, Ended, IoFigures, Operation, Point, Score};
use super::runner::{Worker, run_window};
use super::session::{Plan, Session};
use super::statistics::{mean, median};

use warehouse::{MIX, Transaction, Warehouse};

/// Options of `jbb`. `common.time` is the time of each point; the number of threads follows from the warehouses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jbb {
    pub common: Common,
    /// N; the logical processors if none.
    pub warehouses: Option<u32>,
}

const MOST_WAREHOUSES: u32 = 512;

/// Seconds at the start of a point that differ more than this from its median are its start-up.
const STEADY: f64 = 0.10;

impl Jbb {
    /// Runs the benchmark.
    ///
    /// # Errors
    /// Options that cannot be.
    pub fn run(&self, clock: &impl Clock, control: &Control) -> Result<BenchResult, BenchError> {
        let expected = self.warehouses.unwrap_or_else(os::usable_processors);
        let mut mistakes = Mistakes::default();
        self.common.check(&mut mistakes);
        mistakes.unless((1..=MOST_WAREHOUSES).contains(&expected), || {
            format!("--warehouses {expected}: allowed is 1 to {MOST_WAREHOUSES}")
        });
        mistakes.done()?;
        let mut results: Vec<(u32, BenchResult, Vec<Recorder>)> = Vec::new();
        for count in 1..=2 * expected {
            match self.point(clock, control, count, expected) {
                Ok((result, kinds)) => results.push((count, result, kinds)),
                Err(error) if results.is_empty() => return Err(error),
                Err(_) => break,
            }
            if results.last().is_some_and(|(_, result, _)| result.ended != Ended::Complete) {
                break;
            }
        }
        joined(results, expected, control)
    }

    fn point(
        &self,
        clock: &impl Clock,
        control: &Control,
        warehouses: u32,
        expected: u32,
    ) -> Result<(BenchResult, Vec<Recorder>), BenchError> {
        let common = Common { threads: warehouses, ..self.common };
        let plan = Plan {
            mode: "jbb",
            parameters: common.parameters(json!({ "warehouses": expected, "points": 2 * expected })),
            environment: environment::detect(),
            threads: warehouses,
            repeat: common.repeat,
            better: Better::Higher,
            needs: Needs::Processors(warehouses),
            outstanding: None,
        };
        let mut session = Session::new(plan, control, clock);
        let mut kinds = vec![Recorder::new(0); MIX.len()];
        while session.goes_on() {
            let make = |number: usize| Ok(Clerk::new(number as u64 + 1));
            let clerks = run_window(&mut session, clock, control, warehouses, common.limits(), make)?;
            for clerk in &clerks {
                kinds.iter_mut().zip(&clerk.kinds).for_each(|(sum, one)| sum.merge(one));
            }
        }
        let mut result = session.finish()?;
        let trimmed: Vec<f64> =
            result.runs.iter().map(|run| steady_rate(&run.events_each_second, run.events_per_s)).collect();
        result.events_per_s = mean(&trimmed);
        Ok((result, kinds))
    }
}

/// The rate without the seconds before the first that is near the median.
fn steady_rate(seconds: &[u64], whole: f64) -> f64 {
    let rates: Vec<f64> = seconds.iter().map(|&events| events as f64).collect();
    let Some(middle) = median(&rates).filter(|_| rates.len() > 2) else { return whole };
    let near = |rate: &f64| (rate - middle).abs() <= STEADY * middle;
    let first = rates.iter().position(near).unwrap_or(0);
    mean(&rates[first..])
}

/// One result of all points: its figures are those of the highest, its score the mean of N to 2 N.
fn joined(
    results: Vec<(u32, BenchResult, Vec<Recorder>)>,
    expected: u32,
    control: &Control,
) -> Result<BenchResult, BenchError> {
    let points: Vec<Point> = results
        .iter()
        .map(|(count, result, _)| Point {
            parameter: "warehouses".to_owned(),
            value: f64::from(*count),
            events_per_s: result.events_per_s,
            latency_ms: result.latency_ms,
            cpu_percent: result.cpu_percent,
            io: IoFigures::default(),
            valid: result.valid,
            warnings: result.warnings.clone(),
        })
        .collect();
    let scored: Vec<f64> =
        points.iter().filter(|point| point.value >= f64::from(expected)).map(|point| point.events_per_s).collect();
    let complete = points.len() == 2 * expected as usize;
    let best = results.into_iter().max_by(|a, b| a.1.events_per_s.total_cmp(&b.1.events_per_s));
    let (_, mut result, kinds) = best.ok_or(BenchError::Cancelled)?;
    result.operations =
        MIX.iter().zip(&kinds).map(|((kind, _), times)| figures(*kind, times, result.duration_s)).collect();
    result.valid = complete && points.iter().all(|point| point.valid);
    result.warnings = points
        .iter()
        .flat_map(|point| point.warnings.iter().map(|w| format!("{} warehouses: {w}", point.value)))
        .collect();
    if complete {
        result.score = Some(Score { name: "warehouses".to_owned(), value: mean(&scored), unit: "1/s".to_owned() });
    } else {
        result.ended = if control.is_cancelled() { Ended::Cancelled } else { Ended::Failed };
        result.warnings.insert(0, format!("{} of {} points were measured: no score", points.len(), 2 * expected));
    }
    result.points = points;
    Ok(result)
}

fn figures(kind: Transaction, times: &Recorder, duration_s: f64) -> Operation {
    Operation {
        name: kind.name().to_owned(),
        events: times.events(),
        events_per_s: (duration_s > 0.0).then(|| times.events() as f64 / duration_s),
        latency_ms: times.latency(),
        ..Operation::default()
    }
}

/// A thread and its warehouse.
struct Clerk {
    warehouse: Warehouse,
    next: Transaction,
    kinds: Vec<Recorder>,
}

impl Clerk {
    fn new(seed: u64) -> Self {
        Self { warehouse: Warehouse::new(seed), next: Transaction::NewOrder, kinds: vec![Recorder::new(0); MIX.len()] }
    }
}

impl Worker for Clerk {
    const PREPARES: bool = true;

    fn prepare(&mut self) {
        self.next = self.warehouse.choose();
    }

    fn event(&mut self) -> Result<(), BenchError> {
        self.warehouse.perform(self.next);
        Ok(())
    }

    fn measured(&mut self, begin_ns: u64, ended_ns: u64) {
        self.kinds[self.next as usize].record_ns(ended_ns.saturating_sub(begin_ns));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::clock::SystemClock;

    #[test]
    fn the_start_of_a_point_is_trimmed() {
        assert_eq!(steady_rate(&[10, 50, 100, 101, 99], 72.0), 100.0);
        assert_eq!(steady_rate(&[100, 101, 99, 10, 100], 82.0), 82.0);
        assert_eq!(steady_rate(&[10, 100], 55.0), 55.0);
    }

    #[test]
    fn points_go_to_twice_the_warehouses_and_the_score_is_the_mean_of_the_upper_half() {
        let common = Common { threads: 1, time: Duration::from_millis(20), warm_up: Duration::ZERO, repeat: 1 };
        let jbb = Jbb { common, warehouses: Some(2) };
        let result = jbb.run(&SystemClock::new(), &Control::silent()).unwrap();
        assert_eq!(result.points.iter().map(|point| point.value).collect::<Vec<_>>(), [1.0, 2.0, 3.0, 4.0]);
        let upper: Vec<f64> = result.points[1..].iter().map(|point| point.events_per_s).collect();
        assert_eq!(result.score.map(|score| score.value), Some(mean(&upper)));
        assert_eq!(result.operations.iter().map(|op| op.events).sum::<u64>(), result.events);
    }

    #[test]
    fn no_warehouse_is_a_mistake() {
        let common = Common { threads: 1, time: Duration::from_millis(20), warm_up: Duration::ZERO, repeat: 1 };
        let error = Jbb { common, warehouses: Some(0) }.run(&SystemClock::new(), &Control::silent()).unwrap_err();
        assert!(error.is_usage());
    }
}
