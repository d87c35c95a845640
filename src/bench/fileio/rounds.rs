//! Several windows on one file: a curve over the outstanding I/Os, and rounds until the device is steady.

use super::FileIo;
use super::file::TestFile;
use crate::bench::clock::Clock;
use crate::bench::control::Control;
use crate::bench::environment::Environment;
use crate::bench::error::BenchError;
use crate::bench::result::{BenchResult, Ended, Point};
use crate::bench::statistics::{STEADY_ROUNDS, SteadyState, steady_state};

/// The rates and times at each number of outstanding I/Os. The figures at the top are those of the point with the highest
/// rate.
pub fn curve(
    spec: &FileIo,
    clock: &impl Clock,
    control: &Control,
    environment: &Environment,
    file: &TestFile,
) -> Result<BenchResult, BenchError> {
    let mut results = Vec::new();
    for &outstanding in &spec.outstanding {
        match spec.windows(clock, control, environment.clone(), file, outstanding) {
            Ok(result) => results.push((outstanding, result)),
            // A stop or a failure keeps the points before it.
            Err(error) if results.is_empty() => return Err(error),
            Err(error) => {
                if let Some((_, last)) = results.last_mut() {
                    last.invalidate(error.to_string());
                    last.ended = if control.is_cancelled() { Ended::Cancelled } else { Ended::Failed };
                }
            }
        }
        if results.last().is_some_and(|(_, result)| result.ended != Ended::Complete) {
            break;
        }
    }
    Ok(joined(results))
}

fn joined(results: Vec<(u32, BenchResult)>) -> BenchResult {
    let points: Vec<Point> = results.iter().map(|(outstanding, result)| point(*outstanding, result)).collect();
    let ended = results.last().map(|(_, result)| result.ended).unwrap_or_default();
    let valid = results.iter().all(|(_, result)| result.valid);
    let warnings = results
        .iter()
        .flat_map(|(outstanding, result)| {
            result.warnings.iter().map(move |w| format!("outstanding {outstanding}: {w}"))
        })
        .collect();
    let best = results.into_iter().map(|(_, result)| result).max_by(|a, b| a.events_per_s.total_cmp(&b.events_per_s));
    // At least one point is there: without, the error was handed back.
    #[allow(clippy::expect_used, reason = "the caller hands over at least one result")]
    let mut best = best.expect("at least one point");
    (best.points, best.valid, best.warnings, best.ended) = (points, valid, warnings, ended);
    best
}

fn point(outstanding: u32, result: &BenchResult) -> Point {
    Point {
        parameter: "outstanding".to_owned(),
        value: f64::from(outstanding),
        events_per_s: result.events_per_s,
        latency_ms: result.latency_ms,
        cpu_percent: result.cpu_percent,
        io: result.io.clone(),
        valid: result.valid,
        warnings: result.warnings.clone(),
    }
}

/// Rounds until the last five are steady, or there are as many as allowed; the figures are those of the last five.
pub fn steady(
    spec: &FileIo,
    clock: &impl Clock,
    control: &Control,
    environment: &Environment,
    file: &TestFile,
    most: u32,
) -> Result<BenchResult, BenchError> {
    let mut rates = Vec::new();
    let one = FileIo { common: crate::bench::common::Common { repeat: 1, ..spec.common }, ..spec.clone() };
    let mut state: Option<SteadyState> = None;
    while rates.len() + STEADY_ROUNDS < most as usize && !control.is_cancelled() {
        let round = one.windows(clock, control, environment.clone(), file, spec.most_outstanding())?;
        rates.push(round.events_per_s);
        state = steady_state(&rates);
        if state.as_ref().is_some_and(|state| state.reached) || round.ended != Ended::Complete {
            break;
        }
    }
    let window =
        FileIo { common: crate::bench::common::Common { repeat: STEADY_ROUNDS as u32, ..spec.common }, ..spec.clone() };
    let mut result = window.windows(clock, control, environment.clone(), file, spec.most_outstanding())?;
    rates.extend(result.runs.iter().map(|run| run.events_per_s));
    let last = steady_state(&rates).or(state);
    if !last.as_ref().is_some_and(|state| state.reached) {
        result.invalidate(format!("the device was not steady after {} rounds", rates.len()));
    }
    result.steady_state = last;
    Ok(result)
}
