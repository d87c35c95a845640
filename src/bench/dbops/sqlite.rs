//! SQLite. VACUUM INTO writes a backup of the whole database, without compression: SQLite has none.

use super::engine::{Job, Maintenance};
use super::ledger;
use crate::bench::database::{Connection as _, DbError, Dialect, Kind, Sql, Sqlite, Step};

/// Text of SQL: a quotation mark is doubled.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

impl Sqlite {
    /// Bytes of the database that hold something.
    async fn used(&mut self) -> Result<u64, DbError> {
        let mut figures = [0; 3];
        for (figure, pragma) in figures.iter_mut().zip(["page_count", "freelist_count", "page_size"]) {
            let row = self.first(&format!("PRAGMA {pragma}"), &[Kind::Int]).await?;
            *figure = row.and_then(|row| row[0].int().try_into().ok()).unwrap_or(0);
        }
        let [pages, free, size] = figures;
        Ok((pages - free) * size)
    }
}

impl Maintenance for Sqlite {
    async fn get_ready(&mut self, job: &mut Job) -> Result<(), DbError> {
        job.table_bytes = self.used().await?;
        job.by("backup", "VACUUM INTO (the whole database, without compression)");
        job.by("restore", "ATTACH, CREATE TABLE, INSERT … SELECT, CREATE INDEX");
        job.by("index_rebuild", "REINDEX");
        job.by("consistency_check", "PRAGMA integrity_check (the whole database)");
        Ok(())
    }

    async fn backup(&mut self, job: &mut Job) -> Result<Step, DbError> {
        let read = self.used().await?;
        self.simple(&format!("VACUUM INTO {}", quoted(&job.file.to_string_lossy()))).await?;
        let stored = std::fs::metadata(&job.file).map_err(|error| job.refused(error))?.len();
        job.backed_up = Some((read, stored));
        Ok(Step::over(read))
    }

    async fn restore(&mut self, job: &mut Job) -> Result<Step, DbError> {
        let (table, restored) = (&job.table, &job.restored);
        self.simple(&format!("ATTACH DATABASE {} AS vmfit_saved", quoted(&job.file.to_string_lossy()))).await?;
        let columns = ledger::definition(Dialect::Sqlite);
        let copied = self
            .simple(&format!(
                "BEGIN IMMEDIATE; CREATE TABLE main.{restored} ({columns}); INSERT INTO main.{restored} SELECT {} FROM \
                 vmfit_saved.{table}; CREATE INDEX main.{restored}_account ON {restored} (account, booked); COMMIT",
                ledger::COLUMNS
            ))
            .await;
        if copied.is_err() {
            self.roll_back().await?;
        }
        self.simple("DETACH DATABASE vmfit_saved").await?;
        copied?;
        Ok(Step::over(job.backed_up.map_or(0, |(_, stored)| stored)))
    }

    async fn rebuild(&mut self, job: &mut Job) -> Result<Step, DbError> {
        self.simple(&format!("REINDEX {}", job.table)).await?;
        Ok(Step::over(job.table_bytes))
    }

    async fn check(&mut self, _: &mut Job) -> Result<Step, DbError> {
        let bytes = self.used().await?;
        let rows = self.rows(&Sql::new(Dialect::Sqlite, "PRAGMA integrity_check"), &[], &[Kind::Text]).await?;
        let told = rows.first().map(|row| row[0].text()).unwrap_or_default();
        if told == "ok" { Ok(Step::over(bytes)) } else { Err(DbError::other(format!("damage was found: {told}"))) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quotation_mark_in_a_path_does_not_end_it() {
        assert_eq!(quoted("/a'b/c"), "'/a''b/c'");
    }
}
