//! PostgreSQL, MySQL with MariaDB, and SQLite.

use std::str::FromStr;

use sqlx::mysql::MySqlConnectOptions;
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Arguments, AssertSqlSafe, ConnectOptions, Connection as _, Either, Executor, Row as _};
use tokio_stream::StreamExt as _;

use super::error::{self, Conflict};
use super::url::DatabaseUrl;
use super::{Cell, Connection, DbError, Dialect, Kind, Row, Sql, Value};

/// Statements that a connection keeps prepared: those of a mix over all its tables.
const MOST_STATEMENTS: usize = 20_000;

/// Conflict, and whether the server ended the session, by the code of the engine.
type Sorted = (Option<Conflict>, bool);

fn sorted(error: sqlx::Error, by_code: fn(&dyn sqlx::error::DatabaseError) -> Sorted) -> DbError {
    match &error {
        sqlx::Error::Database(answer) => {
            let text = answer.message();
            match by_code(answer.as_ref()) {
                (Some(conflict), _) => DbError::conflict(conflict, text),
                (None, true) => DbError::lost(text),
                (None, false) => DbError::other(text),
            }
        }
        sqlx::Error::Io(cause) => DbError::lost(format!("the connection broke: {cause}")),
        sqlx::Error::Protocol(text) => DbError::lost(text.clone()),
        sqlx::Error::WorkerCrashed => DbError::lost(error.to_string()),
        _ => DbError::other(error.to_string()),
    }
}

fn postgres_code(answer: &dyn sqlx::error::DatabaseError) -> Sorted {
    let code = answer.code().unwrap_or_default();
    (error::postgres(&code), error::postgres_ends(&code))
}

fn mysql_code(answer: &dyn sqlx::error::DatabaseError) -> Sorted {
    let number = answer.try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>().map_or(0, |answer| answer.number());
    (error::mysql(number), error::mysql_ends(number))
}

fn sqlite_code(answer: &dyn sqlx::error::DatabaseError) -> Sorted {
    (error::sqlite(answer.code().and_then(|code| code.parse().ok()).unwrap_or(0)), false)
}

/// The same methods over each of sqlx's connection types.
macro_rules! engine {
    ($name:ident, $doc:literal, $database:ty, $connection:ty, $arguments:ty, $options:ty, $dialect:expr, $code:ident,
     |$configured:ident| $configure:expr) => {
        #[doc = $doc]
        pub struct $name {
            connection: $connection,
            requests: u64,
        }

        impl $name {
            /// The connection itself, for what only this engine can do. Its requests are not counted.
            pub fn raw(&mut self) -> &mut $connection {
                &mut self.connection
            }

            fn arguments(values: &[Value<'_>]) -> Result<$arguments, DbError> {
                let mut arguments = <$arguments>::default();
                for value in values {
                    match *value {
                        Value::Int(value) => arguments.add(value),
                        Value::Long(value) => arguments.add(value),
                        Value::Float(value) => arguments.add(value),
                        Value::Text(value) => arguments.add(value),
                    }
                    .map_err(|error| DbError::other(error.to_string()))?;
                }
                Ok(arguments)
            }

            fn row(row: &<$database as sqlx::Database>::Row, kinds: &[Kind]) -> Result<Row, sqlx::Error> {
                let cell = |(column, kind): (usize, &Kind)| {
                    let cell = match kind {
                        Kind::Int => row.try_get_unchecked::<Option<i64>, _>(column)?.map(Cell::Int),
                        Kind::Float => row.try_get_unchecked::<Option<f64>, _>(column)?.map(Cell::Float),
                        Kind::Text => row.try_get_unchecked::<Option<String>, _>(column)?.map(Cell::Text),
                    };
                    Ok(cell.unwrap_or(Cell::Null))
                };
                kinds.iter().enumerate().map(cell).collect()
            }
        }

        impl Connection for $name {
            const DIALECT: Dialect = $dialect;

            async fn open(url: &DatabaseUrl) -> Result<Self, DbError> {
                let $configured = <$options>::from_str(url.secret()).map_err(|error| sorted(error, $code))?;
                let options: $options = $configure;
                let options = options.disable_statement_logging();
                let connection = match Self::DIALECT {
                    // There is no socket to a file.
                    Dialect::Sqlite => options.connect().await,
                    _ => options.connect().await,
                };
                Ok(Self { connection: connection.map_err(|error| sorted(error, $code))?, requests: 0 })
            }

            async fn simple(&mut self, sql: &str) -> Result<(), DbError> {
                self.requests += 1;
                let sql = sqlx::raw_sql(AssertSqlSafe(sql));
                (&mut self.connection).execute(sql).await.map_err(|error| sorted(error, $code))?;
                Ok(())
            }

            async fn change(&mut self, sql: &Sql, values: &[Value<'_>]) -> Result<u64, DbError> {
                self.requests += 1;
                let query = sqlx::query_with(AssertSqlSafe(sql.shared()), Self::arguments(values)?);
                let done = query.execute(&mut self.connection).await.map_err(|error| sorted(error, $code))?;
                Ok(done.rows_affected())
            }

            async fn drain(&mut self, sql: &Sql, values: &[Value<'_>]) -> Result<(), DbError> {
                self.requests += 1;
                let query = sqlx::query_with(AssertSqlSafe(sql.shared()), Self::arguments(values)?);
                if Self::DIALECT == Dialect::PostgreSql {
                    // Receives every row as fetch_many does, through one stream of the driver less.
                    let first = (&mut self.connection).fetch_optional(query).await;
                    return first.map(drop).map_err(|error| sorted(error, $code));
                }
                let mut answers = (&mut self.connection).fetch_many(query);
                while let Some(answer) = answers.next().await {
                    answer.map_err(|error| sorted(error, $code))?;
                }
                Ok(())
            }

            async fn rows(&mut self, sql: &Sql, values: &[Value<'_>], kinds: &[Kind]) -> Result<Vec<Row>, DbError> {
                self.requests += 1;
                let query = sqlx::query_with(AssertSqlSafe(sql.shared()), Self::arguments(values)?);
                let mut answers = (&mut self.connection).fetch_many(query);
                let mut rows = Vec::new();
                while let Some(answer) = answers.next().await {
                    if let Either::Right(row) = answer.map_err(|error| sorted(error, $code))? {
                        rows.push(Self::row(&row, kinds).map_err(|error| sorted(error, $code))?);
                    }
                }
                Ok(rows)
            }

            fn requests(&self) -> u64 {
                self.requests
            }

            async fn close(self) {
                // The server ends a session whose connection is gone all the same.
                let _ = self.connection.close().await;
            }
        }
    };
}

engine!(
    PostgreSql,
    "PostgreSQL.",
    sqlx::Postgres,
    sqlx::PgConnection,
    sqlx::postgres::PgArguments,
    PgConnectOptions,
    Dialect::PostgreSql,
    postgres_code,
    |options| options.application_name("vmfit bench").statement_cache_capacity(MOST_STATEMENTS)
);

engine!(
    MySql,
    "MySQL and MariaDB.",
    sqlx::MySql,
    sqlx::MySqlConnection,
    sqlx::mysql::MySqlArguments,
    MySqlConnectOptions,
    Dialect::MySql,
    mysql_code,
    |options| options.statement_cache_capacity(MOST_STATEMENTS)
);

engine!(
    Sqlite,
    "SQLite. Its driver runs each connection on a thread of its own.",
    sqlx::Sqlite,
    sqlx::SqliteConnection,
    sqlx::sqlite::SqliteArguments,
    SqliteConnectOptions,
    Dialect::Sqlite,
    sqlite_code,
    |options| options.statement_cache_capacity(MOST_STATEMENTS)
);
