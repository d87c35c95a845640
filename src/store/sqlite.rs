//! SQLite, embedded. Writers queue for one connection, so that none waits for a lock in the file; readers have their own.

use std::path::Path;
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use jiff::Timestamp;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{FromRow, migrate::Migrator};
use uuid::Uuid;

use super::{
    Benchmark, BenchmarkQuery, BenchmarkSummary, NewSizing, Sizing, SizingQuery, SizingSummary, Store, StoreError,
    host_text,
};
use crate::bench::result::BenchResult;
use crate::domain::overhead::ModelInput;
use crate::domain::{OverheadModel, parse_model};

mod benchmarks;

static MIGRATIONS: Migrator = sqlx::migrate!("migrations/sqlite");

/// How long a connection waits for another process that writes.
const BUSY: Duration = Duration::from_secs(10);
const READERS: u32 = 4;

/// The store in a SQLite file.
pub struct SqliteStore {
    reader: SqlitePool,
    writer: SqlitePool,
}

impl SqliteStore {
    /// Opens the file and runs the migrations it lacks.
    ///
    /// # Errors
    /// [`StoreError::Other`] when the file cannot be opened or is no database of this program.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Normal)
            .foreign_keys(true)
            .busy_timeout(BUSY);
        let connect = async || {
            let writer = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
            MIGRATIONS.run(&writer).await?;
            let reader = SqlitePoolOptions::new().max_connections(READERS).connect_with(options.clone()).await?;
            anyhow::Ok(Self { reader, writer })
        };
        connect().await.with_context(|| format!("cannot open {}", path.display())).map_err(StoreError::Other)
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::RowNotFound => Self::NotFound,
            sqlx::Error::Database(ref database) if database.is_unique_violation() => Self::Conflict,
            other => Self::Other(other.into()),
        }
    }
}

#[derive(FromRow)]
struct SizingRow {
    id: Uuid,
    name: String,
    scenario: String,
    answer: String,
    model_version: String,
    created: i64,
    updated: i64,
}

impl TryFrom<SizingRow> for Sizing {
    type Error = StoreError;

    fn try_from(row: SizingRow) -> Result<Self, StoreError> {
        let broken = |what: &str, error: serde_json::Error| {
            StoreError::Other(anyhow::Error::new(error).context(format!("the {what} of sizing {} is broken", row.id)))
        };
        Ok(Self {
            id: row.id,
            scenario: serde_json::from_str(&row.scenario).map_err(|e| broken("scenario", e))?,
            answer: serde_json::from_str(&row.answer).map_err(|e| broken("answer", e))?,
            name: row.name,
            model_version: row.model_version,
            created: time(row.created)?,
            updated: time(row.updated)?,
        })
    }
}

#[derive(FromRow)]
struct SummaryRow {
    id: Uuid,
    name: String,
    headline: String,
    host: String,
    likely: u32,
    at_confidence: u32,
    binding: String,
    unit_name: String,
    created: i64,
    updated: i64,
}

impl TryFrom<SummaryRow> for SizingSummary {
    type Error = StoreError;

    fn try_from(row: SummaryRow) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            name: row.name,
            headline: row.headline,
            host: row.host,
            likely: row.likely,
            at_confidence: row.at_confidence,
            binding: row.binding,
            unit_name: row.unit_name,
            created: time(row.created)?,
            updated: time(row.updated)?,
        })
    }
}

fn time(milliseconds: i64) -> Result<Timestamp, StoreError> {
    Timestamp::from_millisecond(milliseconds).map_err(|error| StoreError::Other(error.into()))
}

fn now() -> i64 {
    Timestamp::now().as_millisecond()
}

fn json(value: &impl serde::Serialize) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|error| StoreError::Other(error.into()))
}

/// A pattern for `LIKE … ESCAPE '\'` that finds the text itself, whatever signs it holds; everything without a text.
fn pattern(search: Option<&str>) -> String {
    let escaped: String = search
        .unwrap_or("")
        .trim()
        .chars()
        .flat_map(|c| matches!(c, '%' | '_' | '\\').then_some('\\').into_iter().chain([c]))
        .collect();
    format!("%{escaped}%")
}

#[async_trait]
impl Store for SqliteStore {
    async fn insert_sizing(&self, sizing: NewSizing) -> Result<Sizing, StoreError> {
        let row: SizingRow = sqlx::query_as(
            "INSERT INTO sizings (id, name, scenario, answer, model_version, headline, host, likely, at_confidence,
                                  binding, unit_name, created, updated)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12)
             RETURNING id, name, scenario, answer, model_version, created, updated",
        )
        .bind(Uuid::now_v7())
        .bind(&sizing.name)
        .bind(json(&sizing.scenario)?)
        .bind(json(&sizing.answer)?)
        .bind(&sizing.answer.model_version)
        .bind(&sizing.answer.headline)
        .bind(host_text(&sizing.scenario))
        .bind(sizing.answer.fit.likely)
        .bind(sizing.answer.fit.at_confidence)
        .bind(&sizing.answer.binding.resource)
        .bind(&sizing.answer.unit_name)
        .bind(now())
        .fetch_one(&self.writer)
        .await?;
        row.try_into()
    }

    async fn sizing(&self, id: Uuid) -> Result<Sizing, StoreError> {
        let row: SizingRow = sqlx::query_as(
            "SELECT id, name, scenario, answer, model_version, created, updated
             FROM sizings WHERE id = ?1 AND deleted IS NULL",
        )
        .bind(id)
        .fetch_one(&self.reader)
        .await?;
        row.try_into()
    }

    async fn sizings(&self, query: SizingQuery) -> Result<Vec<SizingSummary>, StoreError> {
        let rows: Vec<SummaryRow> = sqlx::query_as(
            "SELECT id, name, headline, host, likely, at_confidence, binding, unit_name, created, updated
             FROM sizings
             WHERE deleted IS NULL AND (name LIKE ?1 ESCAPE '\\' OR host LIKE ?1 ESCAPE '\\')
             ORDER BY updated DESC, id DESC LIMIT ?2 OFFSET ?3",
        )
        .bind(pattern(query.search.as_deref()))
        .bind(query.limit)
        .bind(query.offset)
        .fetch_all(&self.reader)
        .await?;
        rows.into_iter().map(SizingSummary::try_from).collect()
    }

    async fn count_sizings(&self, search: Option<String>) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM sizings
             WHERE deleted IS NULL AND (name LIKE ?1 ESCAPE '\\' OR host LIKE ?1 ESCAPE '\\')",
        )
        .bind(pattern(search.as_deref()))
        .fetch_one(&self.reader)
        .await?;
        Ok(count.unsigned_abs())
    }

    async fn update_sizing(&self, id: Uuid, sizing: NewSizing) -> Result<Sizing, StoreError> {
        let row: SizingRow = sqlx::query_as(
            "UPDATE sizings
             SET name = ?2, scenario = ?3, answer = ?4, model_version = ?5, headline = ?6, host = ?7, likely = ?8,
                 at_confidence = ?9, binding = ?10, unit_name = ?11, updated = ?12
             WHERE id = ?1 AND deleted IS NULL
             RETURNING id, name, scenario, answer, model_version, created, updated",
        )
        .bind(id)
        .bind(&sizing.name)
        .bind(json(&sizing.scenario)?)
        .bind(json(&sizing.answer)?)
        .bind(&sizing.answer.model_version)
        .bind(&sizing.answer.headline)
        .bind(host_text(&sizing.scenario))
        .bind(sizing.answer.fit.likely)
        .bind(sizing.answer.fit.at_confidence)
        .bind(&sizing.answer.binding.resource)
        .bind(&sizing.answer.unit_name)
        .bind(now())
        .fetch_one(&self.writer)
        .await?;
        row.try_into()
    }

    async fn delete_sizing(&self, id: Uuid) -> Result<(), StoreError> {
        let done = sqlx::query("UPDATE sizings SET deleted = ?2 WHERE id = ?1 AND deleted IS NULL")
            .bind(id)
            .bind(now())
            .execute(&self.writer)
            .await?;
        if done.rows_affected() == 0 { Err(StoreError::NotFound) } else { Ok(()) }
    }

    async fn restore_sizing(&self, id: Uuid) -> Result<Sizing, StoreError> {
        let row: SizingRow = sqlx::query_as(
            "UPDATE sizings SET deleted = NULL WHERE id = ?1
             RETURNING id, name, scenario, answer, model_version, created, updated",
        )
        .bind(id)
        .fetch_one(&self.writer)
        .await?;
        row.try_into()
    }

    async fn insert_model(&self, model: OverheadModel) -> Result<(), StoreError> {
        sqlx::query("INSERT INTO overhead_models (id, model, created) VALUES (?1, ?2, ?3)")
            .bind(&model.id)
            .bind(json(&ModelInput::from(&model))?)
            .bind(now())
            .execute(&self.writer)
            .await?;
        Ok(())
    }

    async fn stored_models(&self) -> Result<Vec<OverheadModel>, StoreError> {
        let rows: Vec<(String, String)> = sqlx::query_as("SELECT id, model FROM overhead_models ORDER BY created, id")
            .fetch_all(&self.reader)
            .await?;
        let parse = |(id, text): (String, String)| match parse_model(text.as_bytes()) {
            Ok(model) => Some(model),
            Err(refused) => {
                // One model that a later version refuses must not keep the others away.
                tracing::warn!(id, ?refused, "a stored overhead model is left out");
                None
            }
        };
        Ok(rows.into_iter().filter_map(parse).collect())
    }

    async fn insert_benchmark(&self, id: Uuid, result: BenchResult) -> Result<Benchmark, StoreError> {
        benchmarks::insert(&self.writer, id, &result).await
    }

    async fn benchmark(&self, id: Uuid) -> Result<Benchmark, StoreError> {
        benchmarks::one(&self.reader, id).await
    }

    async fn benchmarks(&self, query: BenchmarkQuery) -> Result<Vec<BenchmarkSummary>, StoreError> {
        benchmarks::list(&self.reader, query).await
    }

    async fn count_benchmarks(&self, mode: Option<String>) -> Result<u64, StoreError> {
        benchmarks::count(&self.reader, mode).await
    }

    async fn delete_benchmark(&self, id: Uuid) -> Result<(), StoreError> {
        benchmarks::delete(&self.writer, id).await
    }

    async fn is_new(&self) -> Result<bool, StoreError> {
        let any: bool = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM sizings)").fetch_one(&self.reader).await?;
        Ok(!any)
    }

    async fn ready(&self) -> Result<(), StoreError> {
        sqlx::query("SELECT 1").execute(&self.reader).await?;
        Ok(())
    }

    async fn close(&self) {
        self.reader.close().await;
        self.writer.close().await;
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_search_finds_the_text_itself() {
        assert_eq!(pattern(None), "%%");
        assert_eq!(pattern(Some(" 50%_\\ ")), "%50\\%\\_\\\\%");
    }

    #[test]
    fn hosts_without_a_name_are_told_by_their_size() {
        let host = |text: &str| host_text(&serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(host(r#"{"host":{"model":"HP DL580","count":2}}"#), "2 × HP DL580");
        assert_eq!(host(r#"{"host":{"sockets":2,"cores_per_socket":8,"memory_gib":64}}"#), "16 cores, 64 GiB");
        assert_eq!(host("{}"), "0 cores, 0 GiB");
    }
}
