//! Connections to the databases that are put under load. [`Connection`] is what a mix may ask of an engine; PostgreSQL,
//! MySQL with MariaDB and SQLite are reached through sqlx, SQL Server through tiberius. Each thread of a load drives a
//! connection of its own on a runtime of its own: no other thread wakes up for an answer.

use std::sync::Arc;

mod dialect;
mod error;
mod fill;
mod mssql;
mod server;
mod sqlx_engines;
mod steps;
mod tables;
mod url;

pub use dialect::Dialect;
pub use error::{Conflict, DbError};
pub use fill::{Filler, Stopped, letters};
pub use mssql::SqlServer;
pub use server::{describe, runtime};
pub use sqlx_engines::{MySql, PostgreSql, Sqlite};
pub use steps::{Step, Steps};
pub use tables::{Tables, connect};
pub use url::{DatabaseUrl, Engine};

/// A statement that is prepared once a connection and then called by its text. Clones share the text.
#[derive(Clone, Debug)]
pub struct Sql(Arc<str>);

impl Sql {
    /// `text` has parameters as `$1`, `$2`, …, in ascending order, each once; they become those of the engine.
    pub fn new(dialect: Dialect, text: &str) -> Self {
        Self(dialect.parameters(text).into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn shared(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

/// A value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Int(i32),
    Long(i64),
    Float(f64),
    Text(&'a str),
}

/// How a column of an answer is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An integer of any width.
    Int,
    /// A floating-point number; decimal columns are cast to one in the statement.
    Float,
    Text,
}

/// A value of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Null,
    Int(i64),
    Float(f64),
    Text(String),
}

impl Cell {
    /// The number; 0 for what is none, as an aggregate over no row.
    pub fn int(&self) -> i64 {
        match self {
            Self::Int(value) => *value,
            Self::Float(value) => *value as i64,
            Self::Text(text) => text.trim().parse().unwrap_or(0),
            Self::Null => 0,
        }
    }

    /// The number; 0 for what is none.
    pub fn float(&self) -> f64 {
        match self {
            Self::Float(value) => *value,
            Self::Int(value) => *value as f64,
            Self::Text(text) => text.trim().parse().unwrap_or(0.0),
            Self::Null => 0.0,
        }
    }

    /// The text; numbers as they are written.
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Int(value) => value.to_string(),
            Self::Float(value) => value.to_string(),
            Self::Null => String::new(),
        }
    }
}

/// A row of an answer.
pub type Row = Vec<Cell>;

/// A connection to one engine. A method is one request to the server unless it says otherwise.
#[allow(async_fn_in_trait, reason = "a future never leaves the thread that drives its connection")]
pub trait Connection: Sized + 'static {
    const DIALECT: Dialect;

    /// Connects and logs in; several requests.
    async fn open(url: &DatabaseUrl) -> Result<Self, DbError>;

    /// Runs text without parameters, of one or several statements, and drops its answer.
    async fn simple(&mut self, sql: &str) -> Result<(), DbError>;

    /// Runs a prepared statement that changes rows; how many it changed.
    async fn change(&mut self, sql: &Sql, values: &[Value<'_>]) -> Result<u64, DbError>;

    /// Runs a prepared query, receives every row and drops it.
    async fn drain(&mut self, sql: &Sql, values: &[Value<'_>]) -> Result<(), DbError>;

    /// Runs a prepared query and reads every row.
    async fn rows(&mut self, sql: &Sql, values: &[Value<'_>], kinds: &[Kind]) -> Result<Vec<Row>, DbError>;

    /// Requests sent so far.
    fn requests(&self) -> u64;

    /// Ends the connection in order. One that is already gone is no failure.
    async fn close(self);

    /// Begins a transaction; `writes` says whether it will change rows.
    async fn begin(&mut self, writes: bool) -> Result<(), DbError> {
        self.simple(Self::DIALECT.begin(writes)).await
    }

    async fn commit(&mut self) -> Result<(), DbError> {
        self.simple(Self::DIALECT.commit()).await
    }

    /// Ends a transaction that failed. Some engines have already ended it: that is no failure.
    async fn roll_back(&mut self) -> Result<(), DbError> {
        match self.simple(Self::DIALECT.roll_back()).await {
            Err(error) if error.is_lost() => Err(error),
            _ => Ok(()),
        }
    }

    /// Lets the server look at a table that was filled.
    async fn analyze(&mut self, table: &str) -> Result<(), DbError> {
        match Self::DIALECT.analyze(table) {
            statement if statement.is_empty() => Ok(()),
            statement => self.simple(&statement).await,
        }
    }

    /// The first row of a query that is asked once.
    async fn first(&mut self, text: &str, kinds: &[Kind]) -> Result<Option<Row>, DbError> {
        Ok(self.rows(&Sql::new(Self::DIALECT, text), &[], kinds).await?.into_iter().next())
    }
}

/// Runs `$body` with `$connection` as the type of connection that the engine of `$url` needs.
macro_rules! with_engine {
    ($url:expr, $connection:ident => $body:expr) => {
        match $url.engine() {
            $crate::bench::database::Engine::PostgreSql => {
                type $connection = $crate::bench::database::PostgreSql;
                $body
            }
            $crate::bench::database::Engine::MySql => {
                type $connection = $crate::bench::database::MySql;
                $body
            }
            $crate::bench::database::Engine::Sqlite => {
                type $connection = $crate::bench::database::Sqlite;
                $body
            }
            $crate::bench::database::Engine::SqlServer => {
                type $connection = $crate::bench::database::SqlServer;
                $body
            }
        }
    };
}
pub(crate) use with_engine;
