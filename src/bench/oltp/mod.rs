//! Transactions on a database: those of sysbench's OLTP tests, or a mix derived from TPC-C, which is never a TPC-C result.

use super::clock::SystemClock;
use super::contention::Needs;
use super::control::{Control, Phase, Progress};
use super::database::{Connection, Dialect, Stopped, Tables, describe, runtime, with_engine};
use super::environment;
use super::error::BenchError;
use super::result::{BenchResult, Better, Score};
use super::session::{Plan, Session};

mod arrivals;
mod figures;
mod load;
mod options;
mod random;
mod rows;
mod tpcc;

use arrivals::{Arrivals, Deck};
use figures::Figures;
use load::{Transactions, Window};
pub use options::{Mix, Options, ROWS};
pub use random::Distribution;

/// What a mix has beside its transactions.
struct MixShape {
    kinds: &'static [&'static str],
    deck: Deck,
    /// Doing what fills the tables, for an error.
    tables: Vec<String>,
}

impl Options {
    /// Fills tables, measures, and drops the tables.
    ///
    /// # Errors
    /// When an option is not possible, or the database refuses. A database that fails later gives a result marked invalid.
    pub fn run(&self, control: &Control) -> Result<BenchResult, BenchError> {
        self.check()?;
        with_engine!(self.url, Engine => run::<Engine>(self, control))
    }

    fn shape(&self) -> MixShape {
        match self.mix {
            Mix::Tpcc => {
                MixShape { kinds: &tpcc::KINDS, deck: Deck { weights: &tpcc::WEIGHTS }, tables: tpcc::names() }
            }
            mix => {
                let kinds: &'static [&'static str] = match mix {
                    Mix::ReadWrite => &["read_write"],
                    Mix::ReadOnly => &["read_only"],
                    Mix::WriteOnly => &["write_only"],
                    _ => &["point_select"],
                };
                MixShape { kinds, deck: Deck { weights: &[1] }, tables: rows::names(self.scale) }
            }
        }
    }

    fn is_open(&self) -> bool {
        self.rate.is_some() || self.users.is_some()
    }
}

fn run<C: Connection>(options: &Options, control: &Control) -> Result<BenchResult, BenchError> {
    let runtime = runtime()?;
    let shape = options.shape();
    let mut tables = runtime.block_on(Tables::<C>::claim(&options.url, &shape.tables))?;
    let result = measured::<C>(options, control, &shape, &mut tables, &runtime);
    control.tell(&progress(Phase::CleanUp, None));
    runtime.block_on(tables.end_with(result))
}

fn progress(phase: Phase, done: Option<f64>) -> Progress {
    Progress { phase, step: String::new(), elapsed_s: 0.0, planned_s: None, done, rate: None }
}

fn measured<C: Connection>(
    options: &Options,
    control: &Control,
    shape: &MixShape,
    tables: &mut Tables<C>,
    runtime: &tokio::runtime::Runtime,
) -> Result<BenchResult, BenchError> {
    let url = &options.url;
    let told = |done: f64| control.tell(&progress(Phase::Prepare, Some(done)));
    let mut environment = environment::detect();
    let server = runtime.block_on(describe(tables.connection(), url));
    environment.database = Some(server.map_err(|error| error.at(url, "asking for its version"))?);
    let stopped = |stopped: Stopped| stopped.at(url, "filling tables");
    match options.mix {
        Mix::Tpcc => {
            let size = tpcc::Size::of(options.scale);
            let made = runtime.block_on(tpcc::fill(tables, size, control, told)).map_err(stopped)?;
            let make = |number| tpcc::Tpcc::new::<C>(size, &made, number);
            windows::<C, _>(options, control, shape, environment, make)
        }
        _ => {
            let made = runtime.block_on(rows::fill(tables, options, control, told)).map_err(stopped)?;
            let make = |number| rows::RowMix::new::<C>(options, &made, number);
            windows::<C, _>(options, control, shape, environment, make)
        }
    }
}

/// Measures every window and puts the result together.
fn windows<C: Connection, T: Transactions<C>>(
    options: &Options,
    control: &Control,
    shape: &MixShape,
    environment: environment::Environment,
    make: impl Fn(usize) -> T + Sync,
) -> Result<BenchResult, BenchError> {
    let clock = SystemClock::new();
    let common = options.common;
    let open = options.is_open();
    let plan = Plan {
        mode: "oltp",
        parameters: options.parameters(),
        environment,
        threads: common.threads,
        repeat: common.repeat,
        better: Better::Higher,
        needs: Needs::Shared,
        // Where load comes from outside, how much of it is in flight is an outcome.
        outstanding: (!open).then_some(f64::from(common.threads)),
    };
    let mut session = Session::new(plan, control, &clock);
    let mut figures = Figures::new(shape.kinds, open);
    while session.goes_on() {
        let window = Window {
            url: &options.url,
            clock: &clock,
            control,
            connections: common.threads,
            limits: common.limits(),
            deck: shape.deck.clone(),
        };
        let arrivals = |start_ns| match (options.rate, options.users) {
            (Some(rate), _) => Arrivals::at_rate(rate, start_ns),
            (None, Some(users)) => Arrivals::of_users(users, shape.deck.clone(), &tpcc::WAITS, options.pace, start_ns),
            (None, None) => Arrivals::Closed,
        };
        load::run_window::<C, T>(&mut session, &window, &mut figures, arrivals, &make)?;
    }
    let mut result = session.finish()?;
    figures.tell(&mut result, if C::DIALECT == Dialect::SqlServer { "batch_requests" } else { "requests" });
    if options.mix == Mix::Tpcc {
        let value = figures.committed_per_minute(tpcc::NEW_ORDER);
        result.score = Some(Score { name: "nopm".to_owned(), value, unit: "1/min".to_owned() });
        let note = "derived from TPC-C; not a TPC-C result and not comparable with one";
        result.details.insert("note".to_owned(), note.into());
    } else {
        let value = result.events_per_s;
        result.score = Some(Score { name: "transactions".to_owned(), value, unit: "1/s".to_owned() });
    }
    Ok(result)
}
