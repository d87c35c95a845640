//! `pg_test_timing`: what reading the clock costs. It tells whether a machine's clock is good enough to compare latencies.

use super::error::ImportError;
use super::format::{Input, Options};
use super::number::after;
use super::result::{Direction, Imported, Run};

/// A clock that takes longer to read than this is not the processor's own, and a guest with one measures the clock.
const SLOW_CLOCK_NS: f64 = 500.0;

pub fn recognizes(head: &str) -> bool {
    head.starts_with("Testing timing overhead")
}

/// # Errors
/// A text without the time of a loop.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let text = input.whole("pg-test-timing", 1 << 20)?;
    let mut run = Run::new("clock");
    let line = text.lines().find(|line| line.contains("time including overhead"));
    let ns = line.and_then(|line| after(line, "overhead:"));
    let Some(ns) = ns else {
        let why = "no 'Per loop time including overhead' is in it".to_owned();
        return Err(ImportError::Truncated { format: "pg-test-timing", why });
    };
    run.add("clock_read_ns", ns, "ns", Direction::Lower);
    run.clock = Some(if ns <= SLOW_CLOCK_NS { "good" } else { "slow" }.to_owned());
    into.read.records = 1;
    into.runs.push(run);
    Ok(())
}
