//! What is kept: sizings with their scenario, answer and model version together, overhead models that users
//! added, and benchmark results.
//! One trait; a module with hand-written SQL for each database.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use async_trait::async_trait;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::bench::result::BenchResult;
use crate::domain::OverheadModel;
use crate::report::Answer;

mod examples;
mod sqlite;

pub use examples::{Example, examples, load_examples};
pub use sqlite::SqliteStore;

/// Why something could not be kept or found.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is none with this id, or it was deleted.
    #[error("not found")]
    NotFound,
    /// One with this id is there already.
    #[error("there is one with this id already")]
    Conflict,
    /// The database failed; nothing that a user did.
    #[error("database: {0}")]
    Other(#[source] anyhow::Error),
}

/// A sizing to keep.
#[derive(Clone, Debug)]
pub struct NewSizing {
    pub name: String,
    /// As it was sent.
    pub scenario: Value,
    pub answer: Answer,
}

/// A kept sizing.
#[derive(Clone, Debug)]
pub struct Sizing {
    pub id: Uuid,
    pub name: String,
    pub scenario: Value,
    pub answer: Answer,
    /// Version of the laws that made the answer.
    pub model_version: String,
    pub created: Timestamp,
    pub updated: Timestamp,
}

/// One line of the list of sizings.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct SizingSummary {
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    pub name: String,
    pub headline: String,
    /// "2 × HP DL580", or its cores and memory when it has no name.
    pub host: String,
    pub likely: u32,
    pub at_confidence: u32,
    /// The resource that binds.
    pub binding: String,
    pub unit_name: String,
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
    #[schema(value_type = String, format = DateTime)]
    pub updated: Timestamp,
}

/// Which sizings to list, the last changed first.
#[derive(Clone, Debug)]
pub struct SizingQuery {
    /// Text that occurs in the name or the host, upper or lower case.
    pub search: Option<String>,
    pub limit: u32,
    pub offset: u32,
}

impl Default for SizingQuery {
    fn default() -> Self {
        Self { search: None, limit: 50, offset: 0 }
    }
}

/// A kept benchmark result.
#[derive(Clone, Debug)]
pub struct Benchmark {
    pub id: Uuid,
    pub result: BenchResult,
    pub created: Timestamp,
}

/// One line of the list of benchmarks.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BenchmarkSummary {
    #[schema(value_type = String, format = "uuid")]
    pub id: Uuid,
    pub mode: String,
    pub hypervisor: String,
    pub role: String,
    pub cpu_model: String,
    pub threads: u32,
    pub events_per_s: f64,
    /// False when something disturbed the measurement.
    pub valid: bool,
    #[schema(value_type = String, format = DateTime)]
    pub created: Timestamp,
}

/// Which benchmarks to list, the newest first.
#[derive(Clone, Debug)]
pub struct BenchmarkQuery {
    pub mode: Option<String>,
    pub limit: u32,
    pub offset: u32,
}

/// What every database can do.
#[async_trait]
pub trait Store: Send + Sync {
    async fn insert_sizing(&self, sizing: NewSizing) -> Result<Sizing, StoreError>;
    async fn sizing(&self, id: Uuid) -> Result<Sizing, StoreError>;
    async fn sizings(&self, query: SizingQuery) -> Result<Vec<SizingSummary>, StoreError>;
    /// How many the query would list without its limit.
    async fn count_sizings(&self, search: Option<String>) -> Result<u64, StoreError>;
    async fn update_sizing(&self, id: Uuid, sizing: NewSizing) -> Result<Sizing, StoreError>;
    /// Hides it; [`Store::restore_sizing`] brings it back.
    async fn delete_sizing(&self, id: Uuid) -> Result<(), StoreError>;
    async fn restore_sizing(&self, id: Uuid) -> Result<Sizing, StoreError>;
    async fn insert_model(&self, model: OverheadModel) -> Result<(), StoreError>;
    async fn stored_models(&self) -> Result<Vec<OverheadModel>, StoreError>;
    /// Keeps a result under an id that nobody has yet.
    async fn insert_benchmark(&self, id: Uuid, result: BenchResult) -> Result<Benchmark, StoreError>;
    async fn benchmark(&self, id: Uuid) -> Result<Benchmark, StoreError>;
    async fn benchmarks(&self, query: BenchmarkQuery) -> Result<Vec<BenchmarkSummary>, StoreError>;
    /// How many the query would list without its limit.
    async fn count_benchmarks(&self, mode: Option<String>) -> Result<u64, StoreError>;
    async fn delete_benchmark(&self, id: Uuid) -> Result<(), StoreError>;
    /// True while nothing was ever kept, deleted sizings included.
    async fn is_new(&self) -> Result<bool, StoreError>;
    /// Answers when the database does.
    async fn ready(&self) -> Result<(), StoreError>;
    /// Ends all work and closes the files.
    async fn close(&self);
}

/// Where a database is.
#[derive(Clone, Debug, PartialEq)]
pub enum DatabaseUrl {
    /// A file: `sqlite://vmfit.db` beside the working directory, `sqlite:///var/lib/vmfit.db` from the root.
    Sqlite(PathBuf),
}

impl FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = text.strip_prefix("sqlite://").or_else(|| text.strip_prefix("sqlite:"));
        match path {
            Some(path) if !path.is_empty() && !path.contains([':', '?']) => Ok(Self::Sqlite(path.into())),
            _ => {
                Err("allowed is sqlite:// and a file, for example sqlite://vmfit.db or sqlite:///var/lib/vmfit.db"
                    .into())
            }
        }
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sqlite(path) => write!(f, "sqlite://{}", path.display()),
        }
    }
}

/// Opens the database, creates it when it is missing and brings its tables up to date.
///
/// # Errors
/// When the file cannot be opened, is no database, or was written by a newer version.
pub async fn open(url: &DatabaseUrl) -> Result<Arc<dyn Store>, StoreError> {
    match url {
        DatabaseUrl::Sqlite(path) => Ok(Arc::new(SqliteStore::open(path).await?)),
    }
}

/// A host as a list shows it.
fn host_text(scenario: &Value) -> String {
    let host = &scenario["host"];
    let number = |field: &str| host[field].as_f64();
    let name = host["model"].as_str().map(str::to_owned).unwrap_or_else(|| {
        let cores = number("sockets").unwrap_or(0.0) * number("cores_per_socket").unwrap_or(0.0);
        format!("{cores} cores, {} GiB", number("memory_gib").unwrap_or(0.0))
    });
    match number("count") {
        Some(count) if count > 1.0 => format!("{count} × {name}"),
        _ => name,
    }
}
