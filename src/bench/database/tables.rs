//! The tables of a benchmark: made under a prefix of our own in the database that was given, listed in a table beside
//! them, and dropped at the end. A table of that name that is not in the list belongs to somebody else: it is refused, never
//! touched.

use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::time::Duration;

use super::url::DatabaseUrl;
use super::{Connection, DbError, Dialect, Kind, Sql, Value};
use crate::bench::error::BenchError;
use crate::bench::result::BenchResult;

/// Every table of ours begins with it.
const PREFIX: &str = "vmfit_";
/// The list of our tables.
const LIST: &str = "vmfit_tables";
/// Who made them.
const MARK: &str = "vmfit bench";
/// The number by which PostgreSQL knows our lock: the letters of the name.
const LOCK_NUMBER: i64 = 0x0076_6d66_6974;
/// How often the lock is asked for: the session of a program that was killed holds it until the server notices.
const LOCK_TRIES: u32 = 20;
const LOCK_PAUSE: Duration = Duration::from_millis(100);
/// How long a connection that cleans up waits for the server.
const CLEAN_UP_TIME: Duration = Duration::from_secs(120);

/// Our tables while a benchmark runs. Its connection holds a lock that keeps a second benchmark out of the same database.
pub struct Tables<C: Connection> {
    url: DatabaseUrl,
    keeper: C,
    file_lock: Option<FileLock>,
    made: Vec<String>,
}

impl<C: Connection> Tables<C> {
    /// Connects, locks the database against other benchmarks, drops what a broken run left behind, and makes sure that
    /// every name is free. `names` are without the prefix.
    ///
    /// # Errors
    /// When the database refuses, another benchmark runs in it, or a name is taken by somebody else.
    pub async fn claim(url: &DatabaseUrl, names: &[String]) -> Result<Self, BenchError> {
        let file_lock = FileLock::take(url)?;
        let keeper = connect::<C>(url).await?;
        let mut tables = Self { url: url.clone(), keeper, file_lock, made: Vec::new() };
        match tables.claim_names(names).await {
            Ok(()) => Ok(tables),
            Err(error) => {
                // What was made until then goes again; the first error is the one that tells.
                let _ = tables.drop_all().await;
                Err(error)
            }
        }
    }

    async fn claim_names(&mut self, names: &[String]) -> Result<(), BenchError> {
        let url = self.url.clone();
        let at = |error: DbError| error.at(&url, "");
        let mut tries = 0;
        while !self.lock().await.map_err(at)? {
            tries += 1;
            if tries < LOCK_TRIES {
                tokio::time::sleep(LOCK_PAUSE).await;
                continue;
            }
            return Err(BenchError::Other(format!("--database {url}: another benchmark of vmfit runs in it")));
        }
        let ours = self.listed().await?;
        for name in ours.iter().flatten().filter(|name| *name != LIST && is_ours_by_name(name)) {
            self.keeper.simple(&format!("DROP TABLE IF EXISTS {name}")).await.map_err(at)?;
        }
        let mut taken = Vec::new();
        for name in names {
            let name = table(name);
            if exists(&mut self.keeper, &name).await.map_err(at)? {
                taken.push(name);
            }
        }
        if !taken.is_empty() {
            return Err(BenchError::Other(format!(
                "--database {url}: {} is there and was not made by a benchmark: rename it, or give another database",
                taken.join(", ")
            )));
        }
        if ours.is_none() {
            let text = "table_name VARCHAR(64) NOT NULL PRIMARY KEY, made_by VARCHAR(64) NOT NULL";
            self.keeper.simple(&format!("CREATE TABLE {LIST} ({text})")).await.map_err(at)?;
        }
        self.made.push(LIST.to_owned());
        self.keeper.simple(&format!("DELETE FROM {LIST}")).await.map_err(at)?;
        self.list(LIST).await.map_err(at)
    }

    /// The tables that our list names; none without a list.
    async fn listed(&mut self) -> Result<Option<Vec<String>>, BenchError> {
        if !exists(&mut self.keeper, LIST).await.map_err(|error| error.at(&self.url, ""))? {
            return Ok(None);
        }
        let query = format!("SELECT table_name, made_by FROM {LIST}");
        let rows = match self.keeper.rows(&Sql::new(C::DIALECT, &query), &[], &[Kind::Text, Kind::Text]).await {
            Err(error) if error.is_lost() => return Err(error.at(&self.url, "")),
            rows => rows.ok(),
        };
        let ours = |rows: &Vec<super::Row>| rows.iter().all(|row| row[1].text() == MARK);
        let Some(rows) = rows.filter(ours) else {
            return Err(BenchError::Other(format!(
                "--database {}: {LIST} is there and was not made by a benchmark: rename it, or give another database",
                self.url
            )));
        };
        Ok(Some(rows.iter().map(|row| row[0].text()).collect()))
    }

    async fn list(&mut self, name: &str) -> Result<(), DbError> {
        let insert = Sql::new(C::DIALECT, &format!("INSERT INTO {LIST} (table_name, made_by) VALUES ($1, $2)"));
        self.keeper.change(&insert, &[Value::Text(name), Value::Text(MARK)]).await?;
        Ok(())
    }

    /// Makes a table whose name was claimed; `definition` is what stands between the brackets. Returns its full name.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn create(&mut self, name: &str, definition: &str) -> Result<String, DbError> {
        let name = table(name);
        self.list(&name).await?;
        self.made.push(name.clone());
        let options = C::DIALECT.table_options();
        self.keeper.simple(&format!("CREATE TABLE {name} ({definition}){options}")).await?;
        Ok(name)
    }

    /// Notes a table that is made by another statement than CREATE TABLE, before it is made. Returns its full name.
    ///
    /// # Errors
    /// When the database refuses.
    pub async fn adopt(&mut self, name: &str) -> Result<String, DbError> {
        let name = table(name);
        self.list(&name).await?;
        self.made.push(name.clone());
        Ok(name)
    }

    /// The connection that keeps the tables.
    pub fn connection(&mut self) -> &mut C {
        &mut self.keeper
    }

    /// Drops every table of ours and hands on how the run ended. What could not be dropped is told with it.
    ///
    /// # Errors
    /// That of the run.
    pub async fn end_with(self, result: Result<BenchResult, BenchError>) -> Result<BenchResult, BenchError> {
        match (result, self.drop_all().await) {
            (result, Ok(())) => result,
            (Ok(mut result), Err(left)) => {
                result.invalidate(left);
                Ok(result)
            }
            (Err(error), Err(left)) => Err(BenchError::failed(left, error)),
        }
    }

    /// Drops every table of ours; a server that came back is asked anew.
    ///
    /// # Errors
    /// A sentence that says what is left behind and why.
    pub async fn drop_all(mut self) -> Result<(), String> {
        let url = self.url.clone();
        let told = |why: String, left: &[String]| format!("not dropped: {}: {}", left.join(", "), url.hide(&why));
        let made = std::mem::take(&mut self.made);
        let dropped = tokio::time::timeout(CLEAN_UP_TIME, async {
            if let Err(error) = drop_tables(&mut self.keeper, &made).await {
                if !error.is_lost() {
                    return Err(error);
                }
                self.keeper = C::open(&url).await?;
                drop_tables(&mut self.keeper, &made).await?;
            }
            self.unlock().await;
            self.keeper.close().await;
            Ok(())
        });
        match dropped.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(told(error.to_string(), &made)),
            Err(_) => Err(told("the server does not answer".to_owned(), &made)),
        }
    }

    /// Gives the lock back now: the end of the session would do so only when the server comes to it.
    async fn unlock(&mut self) {
        let statement = match C::DIALECT {
            Dialect::PostgreSql => "SELECT pg_advisory_unlock_all()",
            Dialect::MySql => "DO RELEASE_LOCK(LEFT(CONCAT('vmfit bench ', DATABASE()), 64))",
            Dialect::Sqlite => return,
            Dialect::SqlServer => "EXEC sp_releaseapplock @Resource = 'vmfit bench', @LockOwner = 'Session'",
        };
        // The end of the session gives it back all the same.
        let _ = self.keeper.simple(statement).await;
    }

    /// Whether the lock was free.
    async fn lock(&mut self) -> Result<bool, DbError> {
        let question = match C::DIALECT {
            Dialect::PostgreSql => format!("SELECT CASE WHEN pg_try_advisory_lock({LOCK_NUMBER}) THEN 1 ELSE 0 END"),
            Dialect::MySql => "SELECT GET_LOCK(LEFT(CONCAT('vmfit bench ', DATABASE()), 64), 0)".to_owned(),
            // The file beside the database is the lock.
            Dialect::Sqlite => return Ok(self.file_lock.is_some()),
            Dialect::SqlServer => "DECLARE @got INT; EXEC @got = sp_getapplock @Resource = 'vmfit bench', @LockMode = \
                                   'Exclusive', @LockOwner = 'Session', @LockTimeout = 0; \
                                   SELECT CASE WHEN @got >= 0 THEN 1 ELSE 0 END"
                .to_owned(),
        };
        let row = self.keeper.first(&question, &[Kind::Int]).await?;
        Ok(row.is_some_and(|row| row[0].int() == 1))
    }
}

/// Connects within a time that a person waits.
///
/// # Errors
/// One sentence with the URL without its password.
pub async fn connect<C: Connection>(url: &DatabaseUrl) -> Result<C, BenchError> {
    const PATIENCE: Duration = Duration::from_secs(15);
    match tokio::time::timeout(PATIENCE, C::open(url)).await {
        Ok(opened) => opened.map_err(|error| error.at(url, "")),
        Err(_) => Err(DbError::lost(format!("no answer for {} s", PATIENCE.as_secs())).at(url, "")),
    }
}

/// The list goes last: what is listed and gone is dropped by the next run without harm.
async fn drop_tables<C: Connection>(connection: &mut C, made: &[String]) -> Result<(), DbError> {
    for name in made.iter().rev() {
        connection.simple(&format!("DROP TABLE IF EXISTS {name}")).await?;
    }
    Ok(())
}

/// The full name of a table.
pub(super) fn table(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// Whether a name can have come from us: nothing else is ever put into a statement.
fn is_ours_by_name(name: &str) -> bool {
    name.starts_with(PREFIX) && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// Whether anything of this name stands where our tables would.
async fn exists<C: Connection>(connection: &mut C, name: &str) -> Result<bool, DbError> {
    let query = match C::DIALECT {
        Dialect::PostgreSql => {
            "SELECT COUNT(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = current_schema() AND c.relname = $1"
        }
        Dialect::MySql => {
            "SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = $1"
        }
        Dialect::Sqlite => "SELECT COUNT(*) FROM sqlite_master WHERE name = $1",
        Dialect::SqlServer => "SELECT COUNT(*) FROM sys.objects WHERE schema_id = SCHEMA_ID() AND name = $1",
    };
    let rows = connection.rows(&Sql::new(C::DIALECT, query), &[Value::Text(name)], &[Kind::Int]).await?;
    Ok(rows.first().is_some_and(|row| row[0].int() > 0))
}

/// SQLite has no lock for its users: a file beside the database is one. It is removed at the end.
struct FileLock {
    path: PathBuf,
    _file: File,
}

impl FileLock {
    fn take(url: &DatabaseUrl) -> Result<Option<Self>, BenchError> {
        let Some(database) = url.file() else { return Ok(None) };
        let path = PathBuf::from(format!("{database}.vmfit-lock"));
        let refused = |error| BenchError::failed(format!("--database {url}: {}", path.display()), error);
        let file = File::options().create(true).truncate(false).write(true).open(&path).map_err(refused)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { path, _file: file })),
            Err(TryLockError::WouldBlock) => {
                Err(BenchError::Other(format!("--database {url}: another benchmark of vmfit runs in it")))
            }
            Err(TryLockError::Error(error)) => Err(refused(error)),
        }
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // A lock file that stays does no harm: the lock on it ends with the program.
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_ours_reach_a_statement() {
        assert!(is_ours_by_name("vmfit_sbtest1"));
        for name in ["orders", "vmfit_x; DROP TABLE y", "vmfit_\"", "VMFIT_x", ""] {
            assert!(!is_ours_by_name(name), "{name}");
        }
    }
}
