//! What every engine can do, each in its own way.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use crate::bench::database::{Connection, DatabaseUrl, DbError, Engine, Step};
use crate::bench::error::{BenchError, Doing as _};

/// What is worked on.
#[derive(Debug)]
pub struct Job {
    pub table: String,
    pub restored: String,
    /// Where the backup goes.
    pub file: PathBuf,
    /// Bytes of the table with its indexes.
    pub table_bytes: u64,
    /// Bytes that the last backup read, and bytes that it wrote.
    pub backed_up: Option<(u64, u64)>,
    /// How each operation was done.
    pub how: Map<String, Value>,
    /// The backup lies on the server, not on this machine.
    pub on_server: bool,
    /// An extension of the server that was made for the run.
    pub extension_made: bool,
}

/// Name of the backup in its folder.
const FILE: &str = "vmfit-dbops.backup";

impl Job {
    /// # Errors
    /// When there is a file of the backup's name already: it is somebody else's.
    pub fn new(table: String, restored: String, folder: &Path, url: &DatabaseUrl) -> Result<Self, BenchError> {
        let file = folder.join(FILE);
        let on_server = url.engine() == Engine::SqlServer;
        if !on_server && file.try_exists().doing(|| format!("--path {}", folder.display()))? {
            return Err(BenchError::usage(format!(
                "--path {}: {FILE} is there already; remove it, or give another folder",
                folder.display()
            )));
        }
        let (how, extension_made) = (Map::new(), false);
        Ok(Self { table, restored, file, table_bytes: 0, backed_up: None, how, on_server, extension_made })
    }

    /// Says how an operation is done.
    pub fn by(&mut self, operation: &str, how: impl Into<String>) {
        self.how.insert(operation.to_owned(), Value::String(how.into()));
    }

    /// A file operation that failed.
    pub fn refused(&self, error: impl std::fmt::Display) -> DbError {
        DbError::other(format!("{}: {error}", self.file.display()))
    }

    /// Figures of the run beside its operations.
    pub fn details(&self) -> Map<String, Value> {
        let ratio = self.backed_up.filter(|(_, stored)| *stored > 0).map(|(read, stored)| read as f64 / stored as f64);
        let all = json!({
            "table_bytes": self.table_bytes,
            "backup_read_bytes": self.backed_up.map(|(read, _)| read),
            "backup_stored_bytes": self.backed_up.map(|(_, stored)| stored),
            "backup_compression_ratio": ratio,
            "commands": self.how,
        });
        all.as_object().cloned().unwrap_or_default()
    }
}

impl Drop for Job {
    /// The file is ours: there was none when the run began.
    fn drop(&mut self) {
        if !self.on_server {
            let _ = std::fs::remove_file(&self.file);
        }
    }
}

/// The operations of one engine.
#[allow(async_fn_in_trait, reason = "a future never leaves the thread that drives its connection")]
pub trait Maintenance: Connection {
    /// Finds out sizes and makes what the operations need; not timed.
    async fn get_ready(&mut self, job: &mut Job) -> Result<(), DbError>;

    /// Removes the backup and the restored table of the last repeat; not timed.
    async fn clear(&mut self, job: &mut Job) -> Result<(), DbError> {
        // There is none before the first repeat.
        let _ = std::fs::remove_file(&job.file);
        self.simple(&format!("DROP TABLE IF EXISTS {}", job.restored)).await
    }

    async fn backup(&mut self, job: &mut Job) -> Result<Step, DbError>;

    async fn restore(&mut self, job: &mut Job) -> Result<Step, DbError>;

    async fn rebuild(&mut self, job: &mut Job) -> Result<Step, DbError>;

    async fn check(&mut self, job: &mut Job) -> Result<Step, DbError>;

    /// Undoes what [`Maintenance::get_ready`] made; says what is left behind.
    async fn put_away(&mut self, _: &mut Job) -> Vec<String> {
        Vec::new()
    }
}
