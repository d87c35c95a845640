//! Benchmark results in SQLite.

use sqlx::FromRow;
use sqlx::sqlite::SqlitePool;
use uuid::Uuid;

use super::{json, now, time};
use crate::bench::result::BenchResult;
use crate::store::{Benchmark, BenchmarkQuery, BenchmarkSummary, StoreError};

#[derive(FromRow)]
struct Row {
    id: Uuid,
    result: String,
    created: i64,
}

impl TryFrom<Row> for Benchmark {
    type Error = StoreError;

    fn try_from(row: Row) -> Result<Self, StoreError> {
        let result = serde_json::from_str(&row.result).map_err(|error| {
            StoreError::Other(anyhow::Error::new(error).context(format!("benchmark {} is broken", row.id)))
        })?;
        Ok(Self { id: row.id, result, created: time(row.created)? })
    }
}

#[derive(FromRow)]
struct SummaryRow {
    id: Uuid,
    mode: String,
    hypervisor: String,
    role: String,
    cpu_model: String,
    threads: u32,
    events_per_s: f64,
    valid: bool,
    created: i64,
}

pub async fn insert(writer: &SqlitePool, id: Uuid, result: &BenchResult) -> Result<Benchmark, StoreError> {
    let environment = &result.environment;
    let row: Row = sqlx::query_as(
        "INSERT INTO benchmarks (id, mode, hypervisor, role, cpu_model, threads, events_per_s, valid, result, created)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
         RETURNING id, result, created",
    )
    .bind(id)
    .bind(&result.mode)
    .bind(word(&environment.hypervisor))
    .bind(word(&environment.role))
    .bind(environment.cpu_model.as_deref().unwrap_or_default())
    .bind(result.threads)
    .bind(result.events_per_s)
    .bind(result.valid)
    .bind(json(result)?)
    .bind(now())
    .fetch_one(writer)
    .await?;
    row.try_into()
}

pub async fn one(reader: &SqlitePool, id: Uuid) -> Result<Benchmark, StoreError> {
    let row: Row =
        sqlx::query_as("SELECT id, result, created FROM benchmarks WHERE id = ?1").bind(id).fetch_one(reader).await?;
    row.try_into()
}

pub async fn list(reader: &SqlitePool, query: BenchmarkQuery) -> Result<Vec<BenchmarkSummary>, StoreError> {
    let rows: Vec<SummaryRow> = sqlx::query_as(
        "SELECT id, mode, hypervisor, role, cpu_model, threads, events_per_s, valid, created
         FROM benchmarks WHERE ?1 IS NULL OR mode = ?1 ORDER BY created DESC, id DESC LIMIT ?2 OFFSET ?3",
    )
    .bind(query.mode)
    .bind(query.limit)
    .bind(query.offset)
    .fetch_all(reader)
    .await?;
    let summary = |row: SummaryRow| {
        Ok(BenchmarkSummary {
            id: row.id,
            mode: row.mode,
            hypervisor: row.hypervisor,
            role: row.role,
            cpu_model: row.cpu_model,
            threads: row.threads,
            events_per_s: row.events_per_s,
            valid: row.valid,
            created: time(row.created)?,
        })
    };
    rows.into_iter().map(summary).collect()
}

pub async fn count(reader: &SqlitePool, mode: Option<String>) -> Result<u64, StoreError> {
    let count: i64 = sqlx::query_scalar("SELECT count(*) FROM benchmarks WHERE ?1 IS NULL OR mode = ?1")
        .bind(mode)
        .fetch_one(reader)
        .await?;
    Ok(count.unsigned_abs())
}

pub async fn delete(writer: &SqlitePool, id: Uuid) -> Result<(), StoreError> {
    let done = sqlx::query("DELETE FROM benchmarks WHERE id = ?1").bind(id).execute(writer).await?;
    if done.rows_affected() == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}

/// The name in JSON of a value that is one of a few.
fn word(value: &impl serde::Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}
