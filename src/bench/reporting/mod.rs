//! Long reports: four read-only aggregate queries one after another over a year of sales, each with its time and the
//! processor time it took. What a reporting server does, next to what `oltp` does.

use serde_json::{Map, Value, json};

use super::clock::SystemClock;
use super::contention::Needs;
use super::control::{Control, Phase, Progress};
use super::database::{
    Connection, DatabaseUrl, Sql, Step, Steps, Stopped, Tables, connect, describe, runtime, with_engine,
};
use super::environment;
use super::error::{BenchError, Mistakes};
use super::result::{BenchResult, Better, Score};
use super::session::{Plan, Session};

mod sales;

/// The options of `bench report`.
#[derive(Clone, Debug)]
pub struct Options {
    pub url: DatabaseUrl,
    /// Hundred thousands of sales.
    pub scale: u32,
    /// Times that each query is run.
    pub repeat: u32,
    /// Runs the queries once before, uncounted.
    pub warm_up: bool,
}

const MOST_SCALE: u32 = 10_000;
const MOST_REPEATS: u32 = 1000;

impl Options {
    /// # Errors
    /// A line for each option that is not possible.
    pub fn check(&self) -> Result<(), BenchError> {
        let mut mistakes = Mistakes::default();
        let Self { scale, repeat, .. } = *self;
        mistakes.unless((1..=MOST_SCALE).contains(&scale), || format!("--scale {scale}: allowed is 1 to {MOST_SCALE}"));
        mistakes.unless((1..=MOST_REPEATS).contains(&repeat), || {
            format!("--repeat {repeat}: allowed is 1 to {MOST_REPEATS}")
        });
        mistakes.done()
    }

    /// Fills tables, runs the queries, and drops the tables.
    ///
    /// # Errors
    /// When an option is not possible, or the database refuses.
    pub fn run(&self, control: &Control) -> Result<BenchResult, BenchError> {
        self.check()?;
        with_engine!(self.url, Engine => self.on::<Engine>(control))
    }

    fn on<C: Connection>(&self, control: &Control) -> Result<BenchResult, BenchError> {
        let runtime = runtime()?;
        runtime.block_on(async {
            let mut tables = Tables::<C>::claim(&self.url, &sales::names()).await?;
            let result = self.measured(&mut tables, control).await;
            tables.end_with(result).await
        })
    }

    async fn measured<C: Connection>(
        &self,
        tables: &mut Tables<C>,
        control: &Control,
    ) -> Result<BenchResult, BenchError> {
        let url = &self.url;
        let mut environment = environment::detect();
        let server = describe(tables.connection(), url).await;
        environment.database = Some(server.map_err(|error| error.at(url, "asking for its version"))?);
        let told = |done| {
            let (phase, step) = (Phase::Prepare, String::new());
            control.tell(&Progress { phase, step, elapsed_s: 0.0, planned_s: None, done: Some(done), rate: None });
        };
        let filled = sales::fill(tables, sales::Size::of(self.scale), control, told).await;
        let names = filled.map_err(|stopped: Stopped| stopped.at(url, "filling tables"))?;
        let queries = sales::queries(&names).map(|(name, text)| (name, Sql::new(C::DIALECT, &text)));
        let mut connection = connect::<C>(url).await?;
        if self.warm_up {
            for (_, sql) in &queries {
                connection.drain(sql, &[]).await.map_err(|error| error.at(url, "warming up"))?;
            }
        }
        let clock = SystemClock::new();
        let plan = Plan {
            mode: "report",
            parameters: self.parameters(),
            environment,
            threads: 1,
            repeat: self.repeat,
            better: Better::Lower,
            needs: Needs::Shared,
            outstanding: None,
        };
        let mut session = Session::new(plan, control, &clock);
        let mut steps = Steps::new(url, &clock, control);
        while session.goes_on() {
            let watch = session.open();
            steps.begin();
            for (name, sql) in &queries {
                let query = async { connection.drain(sql, &[]).await.map(|()| Step::default()) };
                steps.step(name, query).await;
            }
            steps.end(&mut session, watch);
        }
        if let Some(error) = steps.none_done() {
            return Err(error);
        }
        let mut result = session.finish()?;
        steps.tell(&mut result);
        let value = result.operations.iter().filter_map(|operation| operation.duration_s).sum();
        result.score = Some(Score { name: "time".to_owned(), value, unit: "s".to_owned() });
        Ok(result)
    }

    fn parameters(&self) -> Map<String, Value> {
        let all = json!({
            "database": self.url.to_string(),
            "scale": self.scale,
            "sales": sales::Size::of(self.scale).sales,
            "repeat": self.repeat,
            "warmup": self.warm_up,
        });
        all.as_object().cloned().unwrap_or_default()
    }
}
