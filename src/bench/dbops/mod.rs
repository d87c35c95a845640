//! What a database administrator's night is made of: backup with compression, restore, index rebuild, consistency check,
//! each by the engine's own commands where it has them. On tables of our own in the database that was given; where a command
//! knows only whole databases (backups of SQLite and SQL Server, the checks of both), it reads the whole database.

use std::path::PathBuf;

use serde_json::{Map, Value, json};

use super::clock::SystemClock;
use super::contention::Needs;
use super::control::{Control, Phase, Progress};
use super::database::{
    Connection, DatabaseUrl, DbError, Steps, Stopped, Tables, connect, describe, runtime, with_engine,
};
use super::environment;
use super::error::{BenchError, Mistakes};
use super::result::{BenchResult, Better, Score};
use super::session::{Plan, Session};
use engine::{Job, Maintenance};

mod archive;
mod engine;
mod ledger;
mod mysql;
mod postgres;
mod sql_server;
mod sqlite;

/// The options of `bench dbops`.
#[derive(Clone, Debug)]
pub struct Options {
    pub url: DatabaseUrl,
    /// Hundred thousands of rows.
    pub scale: u32,
    /// Times that each operation is done.
    pub repeat: u32,
    /// Folder for the backup; of the server for SQL Server, of this machine for the others.
    pub path: PathBuf,
}

const MOST_SCALE: u32 = 10_000;
const MOST_REPEATS: u32 = 1000;

impl Options {
    /// # Errors
    /// A line for each option that is not possible.
    pub fn check(&self) -> Result<(), BenchError> {
        let mut mistakes = Mistakes::default();
        let Self { scale, repeat, path, url } = self;
        mistakes.unless((1..=MOST_SCALE).contains(scale), || format!("--scale {scale}: allowed is 1 to {MOST_SCALE}"));
        mistakes.unless((1..=MOST_REPEATS).contains(repeat), || {
            format!("--repeat {repeat}: allowed is 1 to {MOST_REPEATS}")
        });
        let on_server = url.engine() == super::database::Engine::SqlServer;
        mistakes.unless(on_server || path.is_dir(), || {
            format!("--path {}: a folder that is there is needed", path.display())
        });
        mistakes.done()
    }

    /// Fills a table, does the operations, and drops what it made.
    ///
    /// # Errors
    /// When an option is not possible, or the database refuses.
    pub fn run(&self, control: &Control) -> Result<BenchResult, BenchError> {
        self.check()?;
        with_engine!(self.url, Engine => self.on::<Engine>(control))
    }

    fn on<C: Connection + Maintenance>(&self, control: &Control) -> Result<BenchResult, BenchError> {
        let runtime = runtime()?;
        runtime.block_on(async {
            let names = [ledger::NAME, ledger::RESTORED].map(str::to_owned);
            let mut tables = Tables::<C>::claim(&self.url, &names).await?;
            let result = self.measured(&mut tables, control).await;
            tables.end_with(result).await
        })
    }

    async fn measured<C: Connection + Maintenance>(
        &self,
        tables: &mut Tables<C>,
        control: &Control,
    ) -> Result<BenchResult, BenchError> {
        let url = &self.url;
        let at = |error: DbError| error.at(url, "");
        let mut environment = environment::detect();
        environment.database = Some(describe(tables.connection(), url).await.map_err(at)?);
        let told = |done| {
            let (phase, step) = (Phase::Prepare, String::new());
            control.tell(&Progress { phase, step, elapsed_s: 0.0, planned_s: None, done: Some(done), rate: None });
        };
        let filled = ledger::fill(tables, self.scale, control, told).await;
        let table = filled.map_err(|stopped: Stopped| stopped.at(url, "filling the table"))?;
        let restored = tables.adopt(ledger::RESTORED).await.map_err(at)?;
        let mut job = Job::new(table, restored, &self.path, url)?;
        let mut connection = connect::<C>(url).await?;
        connection.get_ready(&mut job).await.map_err(|error| error.at(url, "getting ready"))?;
        let result = self.repeats(&mut connection, &mut job, control, environment).await;
        let left = connection.put_away(&mut job).await;
        connection.close().await;
        result.map(|mut result| {
            result.warnings.extend(left);
            result
        })
    }

    async fn repeats<C: Connection + Maintenance>(
        &self,
        connection: &mut C,
        job: &mut Job,
        control: &Control,
        environment: environment::Environment,
    ) -> Result<BenchResult, BenchError> {
        let clock = SystemClock::new();
        let plan = Plan {
            mode: "dbops",
            parameters: self.parameters(),
            environment,
            threads: 1,
            repeat: self.repeat,
            better: Better::Higher,
            needs: Needs::Shared,
            outstanding: None,
        };
        let mut session = Session::new(plan, control, &clock);
        let mut steps = Steps::new(&self.url, &clock, control);
        while session.goes_on() {
            connection.clear(job).await.map_err(|error| error.at(&self.url, "clearing the last backup"))?;
            let watch = session.open();
            steps.begin();
            steps.step("backup", connection.backup(job)).await;
            steps.step("restore", connection.restore(job)).await;
            steps.step("index_rebuild", connection.rebuild(job)).await;
            steps.step("consistency_check", connection.check(job)).await;
            steps.end(&mut session, watch);
        }
        if let Some(error) = steps.none_done() {
            return Err(error);
        }
        let mut result = session.finish()?;
        steps.tell(&mut result);
        let backup =
            result.operations.iter().find(|operation| operation.name == "backup").and_then(|backup| backup.mb_s);
        result.score = backup.map(|value| Score { name: "backup".to_owned(), value, unit: "MB/s".to_owned() });
        result.details = job.details();
        Ok(result)
    }

    fn parameters(&self) -> Map<String, Value> {
        let all = json!({
            "database": self.url.to_string(),
            "scale": self.scale,
            "rows": ledger::rows(self.scale),
            "path": self.path.display().to_string(),
            "repeat": self.repeat,
        });
        all.as_object().cloned().unwrap_or_default()
    }
}
