//! `empty`: events that do nothing. What is left is what the program itself costs for each event: the reading of the clock,
//! the entry in the histogram, the look whether the time is over.

use super::clock::Clock;
use super::common::Common;
use super::contention::Needs;
use super::control::Control;
use super::environment;
use super::error::{BenchError, Mistakes};
use super::result::{BenchResult, Better, Score};
use super::runner::{Worker, run_window};
use super::session::{Plan, Session};

/// Options of `empty`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Empty {
    pub common: Common,
}

impl Empty {
    /// Runs the benchmark.
    ///
    /// # Errors
    /// Options that cannot be.
    pub fn run(&self, clock: &impl Clock, control: &Control) -> Result<BenchResult, BenchError> {
        let common = self.common;
        let mut mistakes = Mistakes::default();
        common.check(&mut mistakes);
        mistakes.done()?;
        let plan = Plan {
            mode: "empty",
            parameters: common.parameters(serde_json::Value::Null),
            environment: environment::detect(),
            threads: common.threads,
            repeat: common.repeat,
            better: Better::Higher,
            needs: Needs::Processors(common.threads),
            outstanding: None,
        };
        let mut session = Session::new(plan, control, clock);
        while session.goes_on() {
            run_window(&mut session, clock, control, common.threads, common.limits(), |_| Ok(Nothing))?;
        }
        let mut result = session.finish()?;
        let nanos = f64::from(common.threads) * 1e9 / result.events_per_s;
        result.score = Some(Score { name: "bookkeeping".to_owned(), value: nanos, unit: "ns".to_owned() });
        Ok(result)
    }
}

struct Nothing;

impl Worker for Nothing {
    #[inline]
    fn event(&mut self) -> Result<(), BenchError> {
        std::hint::black_box(());
        Ok(())
    }
}
