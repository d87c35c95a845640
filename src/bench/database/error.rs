//! What a database refuses, sorted by what a load does about it.

use std::fmt;

use super::url::DatabaseUrl;
use crate::bench::error::BenchError;

/// Why a transaction lost against another and is done again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    Deadlock,
    /// A serialization failure, or a row that changed since it was read.
    Serialization,
    /// A key that another transaction inserted in between.
    DuplicateKey,
    /// A lock that was not given in time.
    LockTimeout,
}

impl Conflict {
    pub const ALL: [Self; 4] = [Self::Deadlock, Self::Serialization, Self::DuplicateKey, Self::LockTimeout];

    pub fn name(self) -> &'static str {
        match self {
            Self::Deadlock => "deadlock",
            Self::Serialization => "serialization",
            Self::DuplicateKey => "duplicate_key",
            Self::LockTimeout => "lock_timeout",
        }
    }
}

/// What to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Conflict(Conflict),
    /// The server is gone, or does not answer.
    Lost,
    Other,
}

/// An answer of a database that is none. Its text is one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DbError {
    cause: Cause,
    text: String,
}

impl DbError {
    pub fn other(text: impl Into<String>) -> Self {
        Self { cause: Cause::Other, text: one_line(&text.into()) }
    }

    pub fn lost(text: impl Into<String>) -> Self {
        Self { cause: Cause::Lost, text: one_line(&text.into()) }
    }

    pub fn conflict(conflict: Conflict, text: impl Into<String>) -> Self {
        Self { cause: Cause::Conflict(conflict), text: one_line(&text.into()) }
    }

    pub fn is_lost(&self) -> bool {
        self.cause == Cause::Lost
    }

    /// Which conflict it was; none when doing it again will not help.
    pub fn conflict_kind(&self) -> Option<Conflict> {
        match self.cause {
            Cause::Conflict(conflict) => Some(conflict),
            _ => None,
        }
    }

    /// The error of a benchmark, with what was being done and to which database; without its password.
    pub fn at(self, url: &DatabaseUrl, doing: &str) -> BenchError {
        let what = if doing.is_empty() { format!("--database {url}") } else { format!("--database {url}: {doing}") };
        BenchError::failed(what, url.hide(&self.text))
    }
}

impl fmt::Display for DbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for DbError {}

fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control() || c == ' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// PostgreSQL, by SQLSTATE (documentation, appendix A).
pub(super) fn postgres(code: &str) -> Option<Conflict> {
    match code {
        "40P01" => Some(Conflict::Deadlock),
        "40001" => Some(Conflict::Serialization),
        "23505" => Some(Conflict::DuplicateKey),
        "55P03" => Some(Conflict::LockTimeout),
        _ => None,
    }
}

/// PostgreSQL: the server ends sessions (class 57P).
pub(super) fn postgres_ends(code: &str) -> bool {
    matches!(code, "57P01" | "57P02" | "57P03" | "57P05")
}

/// MySQL and MariaDB, by error number (server error reference).
pub(super) fn mysql(number: u16) -> Option<Conflict> {
    match number {
        1213 => Some(Conflict::Deadlock),
        1020 => Some(Conflict::Serialization),
        1062 => Some(Conflict::DuplicateKey),
        1205 => Some(Conflict::LockTimeout),
        _ => None,
    }
}

/// MySQL and MariaDB: shutdown in progress, connection killed.
pub(super) fn mysql_ends(number: u16) -> bool {
    matches!(number, 1053 | 1927)
}

/// SQLite, by result code; the low byte is the primary code (`sqlite.org/rescode.html`).
pub(super) fn sqlite(code: u32) -> Option<Conflict> {
    match (code, code & 0xff) {
        // SQLITE_BUSY_SNAPSHOT: the snapshot that was read is no longer the newest.
        (517, _) => Some(Conflict::Serialization),
        // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE, _ROWID
        (1555 | 2067 | 2579, _) => Some(Conflict::DuplicateKey),
        // SQLITE_BUSY, SQLITE_LOCKED
        (_, 5 | 6) => Some(Conflict::LockTimeout),
        _ => None,
    }
}

/// SQL Server, by message number (database engine errors).
pub(super) fn sql_server(number: u32) -> Option<Conflict> {
    match number {
        1205 => Some(Conflict::Deadlock),
        3960 | 41302 | 41305 | 41325 => Some(Conflict::Serialization),
        2601 | 2627 => Some(Conflict::DuplicateKey),
        1222 => Some(Conflict::LockTimeout),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_again_is_told_by_each_engines_code() {
        for (got, wanted) in [
            (postgres("40P01"), Some(Conflict::Deadlock)),
            (postgres("40001"), Some(Conflict::Serialization)),
            (postgres("42P01"), None),
            (mysql(1213), Some(Conflict::Deadlock)),
            (mysql(1205), Some(Conflict::LockTimeout)),
            (mysql(1146), None),
            (sqlite(5), Some(Conflict::LockTimeout)),
            (sqlite(517), Some(Conflict::Serialization)),
            (sqlite(261), Some(Conflict::LockTimeout)),
            (sqlite(1555), Some(Conflict::DuplicateKey)),
            (sqlite(1), None),
            (sql_server(1205), Some(Conflict::Deadlock)),
            (sql_server(3960), Some(Conflict::Serialization)),
            (sql_server(208), None),
        ] {
            assert_eq!(got, wanted);
        }
    }

    #[test]
    fn an_error_is_one_line_and_hides_the_password() {
        let url = DatabaseUrl::parse("postgres://me:s3cret@h/d").unwrap();
        let error = DbError::other("login\nfailed for s3cret").at(&url, "");
        assert_eq!(error.to_string(), "--database postgres://me:***@h/d: login failed for ***");
    }
}
