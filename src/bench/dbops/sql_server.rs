//! SQL Server. Its BACKUP and RESTORE know whole databases: the backup is COPY_ONLY, so that it does not become the base of
//! anybody's differential backup, and is restored under a name of ours. No server was at hand: the texts are tested, not
//! run.

use super::engine::{Job, Maintenance};
use crate::bench::database::{Connection as _, DbError, Kind, Sql, SqlServer, Step};

/// The database that a backup is restored to.
const RESTORED: &str = "vmfit_restored";

/// A name of T-SQL.
fn bracketed(name: &str) -> String {
    format!("[{}]", name.replace(']', "]]"))
}

/// Unicode text of T-SQL.
fn quoted(text: &str) -> String {
    format!("N'{}'", text.replace('\'', "''"))
}

fn backup(database: &str, file: &str, compression: bool) -> String {
    let compression = if compression { "COMPRESSION" } else { "NO_COMPRESSION" };
    format!(
        "BACKUP DATABASE {} TO DISK = {} WITH COPY_ONLY, FORMAT, INIT, {compression}, CHECKSUM",
        bracketed(database),
        quoted(file)
    )
}

/// `files` are logical names and whether they hold the log; `folders` are those of data and log.
fn restore(file: &str, files: &[(String, bool)], folders: (&str, &str)) -> String {
    let moves: Vec<String> = (1..)
        .zip(files)
        .map(|(number, (name, log))| {
            let (folder, ending) = if *log { (folders.1, "ldf") } else { (folders.0, "ndf") };
            format!("MOVE {} TO {}", quoted(name), quoted(&format!("{folder}{RESTORED}_{number}.{ending}")))
        })
        .collect();
    format!("RESTORE DATABASE {RESTORED} FROM DISK = {} WITH {}, CHECKSUM, RECOVERY", quoted(file), moves.join(", "))
}

fn drop_restored() -> String {
    format!(
        "IF DB_ID('{RESTORED}') IS NOT NULL BEGIN ALTER DATABASE {RESTORED} SET SINGLE_USER WITH ROLLBACK IMMEDIATE; DROP \
         DATABASE {RESTORED}; END"
    )
}

fn rebuild(table: &str) -> String {
    format!("ALTER INDEX ALL ON {table} REBUILD")
}

fn check(database: &str) -> String {
    format!("DBCC CHECKDB ({}) WITH NO_INFOMSGS", quoted(database))
}

/// Sizes of the last copy-only backup of the database that one is connected to.
const BACKUP_SIZES: &str = "SELECT TOP (1) CAST(backup_size AS BIGINT), CAST(compressed_backup_size AS BIGINT) FROM \
                            msdb.dbo.backupset WHERE database_name = DB_NAME() AND is_copy_only = 1 ORDER BY backup_set_id \
                            DESC";
const FILES: &str = "SELECT name, CASE WHEN type = 1 THEN 1 ELSE 0 END FROM sys.database_files WHERE type IN (0, 1) ORDER BY \
                     file_id";
const FOLDERS: &str = "SELECT CAST(SERVERPROPERTY('InstanceDefaultDataPath') AS NVARCHAR(4000)), \
                       CAST(SERVERPROPERTY('InstanceDefaultLogPath') AS NVARCHAR(4000))";

fn table_size(table: &str) -> String {
    format!(
        "SELECT CAST(SUM(used_page_count) * 8192 AS BIGINT) FROM sys.dm_db_partition_stats WHERE object_id = \
         OBJECT_ID('{table}')"
    )
}

fn database_size() -> &'static str {
    "SELECT CAST(SUM(used_page_count) * 8192 AS BIGINT) FROM sys.dm_db_partition_stats"
}

impl SqlServer {
    async fn number(&mut self, query: &str) -> Result<u64, DbError> {
        let row = self.first(query, &[Kind::Int]).await?;
        Ok(row.and_then(|row| row[0].int().try_into().ok()).unwrap_or(0))
    }

    async fn database_name(&mut self) -> Result<String, DbError> {
        let row = self.first("SELECT DB_NAME()", &[Kind::Text]).await?;
        Ok(row.map(|row| row[0].text()).unwrap_or_default())
    }
}

impl Maintenance for SqlServer {
    async fn get_ready(&mut self, job: &mut Job) -> Result<(), DbError> {
        if self.number(&format!("SELECT COUNT(*) FROM sys.databases WHERE name = '{RESTORED}'")).await? > 0 {
            return Err(DbError::other(format!("the database {RESTORED} is there: rename or drop it")));
        }
        job.table_bytes = self.number(&table_size(&job.table)).await?;
        job.by("backup", "BACKUP DATABASE … WITH COPY_ONLY, COMPRESSION, CHECKSUM (the whole database)");
        job.by("restore", format!("RESTORE DATABASE {RESTORED} … WITH MOVE, CHECKSUM, RECOVERY"));
        job.by("index_rebuild", "ALTER INDEX ALL … REBUILD");
        job.by("consistency_check", "DBCC CHECKDB (the whole database)");
        Ok(())
    }

    async fn clear(&mut self, _: &mut Job) -> Result<(), DbError> {
        self.simple(&drop_restored()).await
    }

    async fn backup(&mut self, job: &mut Job) -> Result<Step, DbError> {
        let database = self.database_name().await?;
        let file = job.file.to_string_lossy().into_owned();
        if let Err(error) = self.simple(&backup(&database, &file, true)).await {
            // Message 1844: this edition has no compression.
            if !error.to_string().contains("1844") {
                return Err(error);
            }
            self.simple(&backup(&database, &file, false)).await?;
            job.by("backup", "BACKUP DATABASE … WITH COPY_ONLY, NO_COMPRESSION: this edition has no compression");
        }
        let sizes = self.first(BACKUP_SIZES, &[Kind::Int, Kind::Int]).await.ok().flatten();
        let sizes = sizes.and_then(|row| Some((row[0].int().try_into().ok()?, row[1].int().try_into().ok()?)));
        job.backed_up = sizes;
        Ok(Step { bytes: sizes.map(|(read, _)| read), not_done: None })
    }

    async fn restore(&mut self, job: &mut Job) -> Result<Step, DbError> {
        let kinds = [Kind::Text, Kind::Int];
        let files = self.rows(&Sql::new(Self::DIALECT, FILES), &[], &kinds).await?;
        let files: Vec<(String, bool)> = files.iter().map(|row| (row[0].text(), row[1].int() == 1)).collect();
        let folders = self.first(FOLDERS, &[Kind::Text, Kind::Text]).await?;
        let folders = folders.map(|row| (row[0].text(), row[1].text())).unwrap_or_default();
        let text = restore(&job.file.to_string_lossy(), &files, (&folders.0, &folders.1));
        self.simple(&text).await?;
        Ok(Step { bytes: job.backed_up.map(|(read, _)| read), not_done: None })
    }

    async fn rebuild(&mut self, job: &mut Job) -> Result<Step, DbError> {
        self.simple(&rebuild(&job.table)).await?;
        Ok(Step::over(job.table_bytes))
    }

    async fn check(&mut self, _: &mut Job) -> Result<Step, DbError> {
        let (database, bytes) = (self.database_name().await?, self.number(database_size()).await?);
        self.simple(&check(&database)).await?;
        Ok(Step::over(bytes))
    }

    /// The backup lies on the server, where only the server can remove it.
    async fn put_away(&mut self, job: &mut Job) -> Vec<String> {
        let mut left = Vec::new();
        if let Err(error) = self.simple(&drop_restored()).await {
            left.push(format!("not dropped: database {RESTORED}: {error}"));
        }
        let file = job.file.to_string_lossy().into_owned();
        if let Err(error) = self.simple(&format!("EXEC master.sys.xp_delete_file 0, {}", quoted(&file))).await {
            left.push(format!("not removed: {file} on the server: {error}"));
        }
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_leaves_the_chain_of_backups_alone() {
        assert_eq!(
            backup("shop]x", "D:\\b\\it's.bak", true),
            "BACKUP DATABASE [shop]]x] TO DISK = N'D:\\b\\it''s.bak' WITH COPY_ONLY, FORMAT, INIT, COMPRESSION, CHECKSUM"
        );
        assert!(backup("shop", "f", false).ends_with("INIT, NO_COMPRESSION, CHECKSUM"));
    }

    #[test]
    fn a_restore_goes_to_files_of_its_own() {
        let files = [("shop".to_owned(), false), ("shop_log".to_owned(), true)];
        assert_eq!(
            restore("D:\\b.bak", &files, ("D:\\data\\", "L:\\log\\")),
            "RESTORE DATABASE vmfit_restored FROM DISK = N'D:\\b.bak' WITH MOVE N'shop' TO \
             N'D:\\data\\vmfit_restored_1.ndf', MOVE N'shop_log' TO N'L:\\log\\vmfit_restored_2.ldf', CHECKSUM, RECOVERY"
        );
        assert!(
            drop_restored().starts_with("IF DB_ID('vmfit_restored') IS NOT NULL BEGIN ALTER DATABASE vmfit_restored")
        );
    }

    #[test]
    fn rebuild_and_check() {
        assert_eq!(rebuild("vmfit_ledger"), "ALTER INDEX ALL ON vmfit_ledger REBUILD");
        assert_eq!(check("o'b"), "DBCC CHECKDB (N'o''b') WITH NO_INFOMSGS");
    }
}
