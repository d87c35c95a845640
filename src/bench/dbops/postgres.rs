//! PostgreSQL. It has no command that writes a backup of tables: clients read them with COPY, compress and keep them, as
//! pg_dump does; here the same without a second program. REINDEX and the functions of amcheck are the server's own.

use std::io::Read as _;

use tokio_stream::StreamExt as _;

use super::archive::{self, Archive};
use super::engine::{Job, Maintenance};
use super::ledger;
use crate::bench::database::{Connection as _, DbError, Dialect, Kind, PostgreSql, Sql, Step};

/// Bytes that are sent at a time.
const CHUNK: usize = 256 * 1024;

fn broken(error: &sqlx::Error) -> DbError {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) => DbError::lost(error.to_string()),
        _ => DbError::other(error.to_string()),
    }
}

impl Maintenance for PostgreSql {
    async fn get_ready(&mut self, job: &mut Job) -> Result<(), DbError> {
        let size = format!("SELECT pg_total_relation_size('{}'::regclass)", job.table);
        let size = self.first(&size, &[Kind::Int]).await?;
        job.table_bytes = size.and_then(|row| row[0].int().try_into().ok()).unwrap_or(0);
        let installed = "SELECT COUNT(*) FROM pg_extension WHERE extname = 'amcheck'";
        let installed = self.first(installed, &[Kind::Int]).await?.is_some_and(|row| row[0].int() > 0);
        // Without it, or without the right to make it, the check says that it is missing.
        job.extension_made = !installed && self.simple("CREATE EXTENSION amcheck").await.is_ok();
        job.by("backup", "COPY … TO STDOUT (FORMAT binary), gzip on the client");
        job.by("restore", "CREATE TABLE, COPY … FROM STDIN (FORMAT binary), CREATE INDEX, primary key");
        job.by("index_rebuild", "REINDEX TABLE");
        job.by("consistency_check", "amcheck: bt_index_check with heapallindexed, verify_heapam");
        Ok(())
    }

    async fn backup(&mut self, job: &mut Job) -> Result<Step, DbError> {
        let mut archive = Archive::create(&job.file).map_err(|error| job.refused(error))?;
        let copy = format!("COPY {} TO STDOUT (FORMAT binary)", job.table);
        let mut stream = self.raw().copy_out_raw(&copy).await.map_err(|error| broken(&error))?;
        while let Some(bytes) = stream.next().await {
            archive.write(&bytes.map_err(|error| broken(&error))?).map_err(|error| job.refused(error))?;
        }
        let sizes = archive.finish().map_err(|error| job.refused(error))?;
        job.backed_up = Some(sizes);
        Ok(Step::over(sizes.0))
    }

    async fn restore(&mut self, job: &mut Job) -> Result<Step, DbError> {
        let mut archive = archive::open(&job.file).map_err(|error| job.refused(error))?;
        let restored = &job.restored;
        // The primary key comes last, as pg_restore does it.
        let columns = ledger::definition(Dialect::PostgreSql).replace(" PRIMARY KEY", "");
        self.simple(&format!("CREATE TABLE {restored} ({columns})")).await?;
        let copy = format!("COPY {restored} FROM STDIN (FORMAT binary)");
        let mut sink = self.raw().copy_in_raw(&copy).await.map_err(|error| broken(&error))?;
        let (mut chunk, mut bytes) = (vec![0; CHUNK], 0);
        loop {
            match archive.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => {
                    sink.send(&chunk[..count]).await.map_err(|error| broken(&error))?;
                    bytes += count as u64;
                }
                Err(error) => {
                    // The server must hear that no more comes; the error of the file is the one that tells.
                    let _ = sink.abort("the backup cannot be read").await;
                    return Err(job.refused(error));
                }
            }
        }
        sink.finish().await.map_err(|error| broken(&error))?;
        self.simple(&ledger::index(restored)).await?;
        self.simple(&format!("ALTER TABLE {restored} ADD PRIMARY KEY (id)")).await?;
        Ok(Step::over(bytes))
    }

    async fn rebuild(&mut self, job: &mut Job) -> Result<Step, DbError> {
        self.simple(&format!("REINDEX TABLE {}", job.table)).await?;
        Ok(Step::over(job.table_bytes))
    }

    async fn check(&mut self, job: &mut Job) -> Result<Step, DbError> {
        let indexes = format!(
            "SELECT bt_index_check(index => c.oid, heapallindexed => true)::text FROM pg_index i JOIN pg_class c ON c.oid = \
             i.indexrelid WHERE i.indrelid = '{}'::regclass",
            job.table
        );
        self.drain(&Sql::new(Dialect::PostgreSql, &indexes), &[]).await?;
        let heap = format!("SELECT msg FROM verify_heapam('{}'::regclass)", job.table);
        let damage = self.rows(&Sql::new(Dialect::PostgreSql, &heap), &[], &[Kind::Text]).await?;
        match damage.first() {
            Some(row) => Err(DbError::other(format!("damage was found: {}", row[0].text()))),
            None => Ok(Step::over(job.table_bytes)),
        }
    }

    async fn put_away(&mut self, job: &mut Job) -> Vec<String> {
        if !job.extension_made {
            return Vec::new();
        }
        let dropped = self.simple("DROP EXTENSION amcheck").await;
        dropped.err().map(|error| format!("not dropped: extension amcheck: {error}")).into_iter().collect()
    }
}
