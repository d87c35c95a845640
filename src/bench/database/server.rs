//! The server as it is found: version, and the settings that decide a result.

use std::collections::BTreeMap;

use super::url::DatabaseUrl;
use super::{Connection, DbError, Dialect, Kind, Sql};
use crate::bench::environment::DatabaseServer;
use crate::bench::error::{BenchError, Doing as _};

/// A runtime for the thread that calls: an answer wakes this thread and no other.
///
/// # Errors
/// When the system gives no more file handles.
pub fn runtime() -> Result<tokio::runtime::Runtime, BenchError> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .doing(|| "starting the runtime of a connection".to_owned())
}

/// Version and settings.
///
/// # Errors
/// When the connection is lost. What a server does not tell this user is left out.
pub async fn describe<C: Connection>(connection: &mut C, url: &DatabaseUrl) -> Result<DatabaseServer, DbError> {
    let mut server = DatabaseServer {
        product: url.engine().product().to_owned(),
        local: url.is_local(),
        ..DatabaseServer::default()
    };
    let (version, settings) = questions(C::DIALECT);
    if let Some(row) = told(connection.first(version, &[Kind::Text]).await)?.flatten() {
        let version = row.first().map(|cell| cell.text()).filter(|text| !text.is_empty());
        if version.as_ref().is_some_and(|version| version.contains("MariaDB")) {
            server.product = "MariaDB".to_owned();
        }
        server.version = version;
    }
    for setting in settings {
        if let Some(name) = setting.strip_prefix("PRAGMA ") {
            let row = told(connection.first(setting, &[Kind::Text]).await)?.flatten();
            server.settings.extend(row.map(|row| (name.to_owned(), row[0].text())));
            continue;
        }
        let rows = connection.rows(&Sql::new(C::DIALECT, setting), &[], &[Kind::Text, Kind::Text]).await;
        let rows = told(rows)?.unwrap_or_default();
        let pairs = rows.iter().filter_map(|row| Some((row.first()?.text(), row.get(1)?.text())));
        server.settings.extend(pairs.collect::<BTreeMap<_, _>>());
    }
    Ok(server)
}

/// A question that is refused is an answer that is not known; a lost connection is a failure.
fn told<T>(answer: Result<T, DbError>) -> Result<Option<T>, DbError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.is_lost() => Err(error),
        Err(_) => Ok(None),
    }
}

/// The query of the version, and those of settings as name and value.
fn questions(dialect: Dialect) -> (&'static str, &'static [&'static str]) {
    match dialect {
        Dialect::PostgreSql => (
            "SELECT current_setting('server_version')",
            &["SELECT name, setting || coalesce(' ' || unit, '') FROM pg_settings WHERE name IN ('fsync', \
               'synchronous_commit', 'full_page_writes', 'wal_compression', 'shared_buffers', 'work_mem', \
               'effective_cache_size', 'max_wal_size', 'checkpoint_timeout', 'max_connections', 'data_checksums', \
               'max_parallel_workers_per_gather', 'default_transaction_isolation')"],
        ),
        Dialect::MySql => (
            "SELECT VERSION()",
            &[
                "SELECT LOWER(VARIABLE_NAME), VARIABLE_VALUE FROM information_schema.GLOBAL_VARIABLES WHERE \
               VARIABLE_NAME IN ('innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', 'innodb_doublewrite', \
               'innodb_buffer_pool_size', 'innodb_log_file_size', 'innodb_flush_method', 'transaction_isolation', \
               'tx_isolation', 'max_connections')",
                // MySQL keeps them elsewhere than MariaDB.
                "SELECT VARIABLE_NAME, VARIABLE_VALUE FROM performance_schema.global_variables WHERE VARIABLE_NAME IN \
               ('innodb_flush_log_at_trx_commit', 'sync_binlog', 'log_bin', 'innodb_doublewrite', \
               'innodb_buffer_pool_size', 'innodb_redo_log_capacity', 'innodb_flush_method', 'transaction_isolation', \
               'max_connections')",
            ],
        ),
        Dialect::Sqlite => (
            "SELECT sqlite_version()",
            &["PRAGMA journal_mode", "PRAGMA synchronous", "PRAGMA page_size", "PRAGMA cache_size"],
        ),
        Dialect::SqlServer => (
            "SELECT CONCAT(CAST(SERVERPROPERTY('ProductVersion') AS NVARCHAR(64)), ' ', \
             CAST(SERVERPROPERTY('Edition') AS NVARCHAR(64)))",
            &[
                "SELECT name, CAST(value_in_use AS NVARCHAR(64)) FROM sys.configurations WHERE name IN \
               ('max server memory (MB)', 'max degree of parallelism', 'cost threshold for parallelism', \
               'backup compression default')",
                "SELECT 'recovery_model', recovery_model_desc FROM sys.databases WHERE database_id = DB_ID()",
                "SELECT 'delayed_durability', delayed_durability_desc FROM sys.databases WHERE database_id = DB_ID()",
                "SELECT 'read_committed_snapshot', CAST(is_read_committed_snapshot_on AS NVARCHAR(8)) FROM \
               sys.databases WHERE database_id = DB_ID()",
            ],
        ),
    }
}
