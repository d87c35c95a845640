//! What the engines write differently.

use super::url::Engine;

/// The SQL of one engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    PostgreSql,
    MySql,
    Sqlite,
    SqlServer,
}

impl From<Engine> for Dialect {
    fn from(engine: Engine) -> Self {
        match engine {
            Engine::PostgreSql => Self::PostgreSql,
            Engine::MySql => Self::MySql,
            Engine::Sqlite => Self::Sqlite,
            Engine::SqlServer => Self::SqlServer,
        }
    }
}

impl Dialect {
    /// `$1` as the engine writes it.
    pub fn parameters(self, text: &str) -> String {
        let replaced = match self {
            Self::PostgreSql => return text.to_owned(),
            // SQLite's numbered parameters; `$1` would be a named one.
            Self::Sqlite => "?",
            Self::SqlServer => "@P",
            Self::MySql => {
                let mut parts = text.split('$');
                let mut written = parts.next().unwrap_or_default().to_owned();
                for part in parts {
                    written.push('?');
                    written.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
                }
                return written;
            }
        };
        text.replace('$', replaced)
    }

    pub fn begin(self, writes: bool) -> &'static str {
        match self {
            Self::PostgreSql | Self::MySql => "BEGIN",
            // A transaction that reads first and then writes fails when another has written in between: lock at once.
            Self::Sqlite if writes => "BEGIN IMMEDIATE",
            Self::Sqlite => "BEGIN",
            Self::SqlServer => "BEGIN TRANSACTION",
        }
    }

    pub fn commit(self) -> &'static str {
        match self {
            Self::SqlServer => "COMMIT TRANSACTION",
            _ => "COMMIT",
        }
    }

    pub fn roll_back(self) -> &'static str {
        match self {
            // After a deadlock the server has already rolled back.
            Self::SqlServer => "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION",
            _ => "ROLLBACK",
        }
    }

    /// Type of money and rates: exact decimals where the engine has them.
    pub fn decimal(self, digits: u32, fraction: u32) -> String {
        match self {
            Self::Sqlite => "REAL".to_owned(),
            _ => format!("DECIMAL({digits},{fraction})"),
        }
    }

    /// Type of a moment.
    pub fn moment(self) -> &'static str {
        match self {
            Self::PostgreSql => "TIMESTAMP",
            Self::MySql => "DATETIME",
            Self::Sqlite => "TEXT",
            Self::SqlServer => "DATETIME2(3)",
        }
    }

    /// A decimal column as a floating-point number.
    pub fn float(self, column: &str) -> String {
        match self {
            Self::PostgreSql => format!("CAST({column} AS DOUBLE PRECISION)"),
            // CAST to DOUBLE came late to MySQL; a sum with a floating-point number is one in every version.
            Self::MySql => format!("({column} + 0e0)"),
            Self::Sqlite => format!("CAST({column} AS REAL)"),
            Self::SqlServer => format!("CAST({column} AS FLOAT)"),
        }
    }

    /// A text parameter that is compared with a column of plain characters: SQL Server sends text as Unicode, and would
    /// convert the column of every row instead.
    pub fn plain_text(self, parameter: &str, length: u32) -> String {
        match self {
            Self::SqlServer => format!("CAST({parameter} AS VARCHAR({length}))"),
            _ => parameter.to_owned(),
        }
    }

    /// After a name in FROM: rows are locked that will be changed.
    pub fn lock_hint(self) -> &'static str {
        match self {
            Self::SqlServer => " WITH (UPDLOCK, ROWLOCK)",
            _ => "",
        }
    }

    /// At the end of a query: rows are locked that will be changed.
    pub fn for_update(self) -> &'static str {
        match self {
            Self::PostgreSql | Self::MySql => " FOR UPDATE",
            // SQLite locks the database when the transaction begins.
            Self::Sqlite | Self::SqlServer => "",
        }
    }

    /// `SELECT` and its end for at most this many rows.
    pub fn limited(self, rows: u32) -> (String, String) {
        match self {
            Self::SqlServer => (format!("SELECT TOP ({rows})"), String::new()),
            _ => ("SELECT".to_owned(), format!(" LIMIT {rows}")),
        }
    }

    /// What stands after the columns of CREATE TABLE.
    pub fn table_options(self) -> &'static str {
        match self {
            Self::MySql => " ENGINE=InnoDB",
            _ => "",
        }
    }

    /// Rows in one INSERT with literal values: SQL Server takes 1,000.
    pub fn rows_per_insert(self) -> usize {
        match self {
            Self::SqlServer => 1000,
            _ => 2000,
        }
    }

    /// What is done once tables are filled, so that plans rest on what is there.
    pub fn analyze(self, table: &str) -> String {
        match self {
            Self::PostgreSql => format!("VACUUM (ANALYZE) {table}"),
            Self::MySql => format!("ANALYZE TABLE {table}"),
            Self::Sqlite => format!("ANALYZE {table}"),
            Self::SqlServer => format!("UPDATE STATISTICS {table} WITH FULLSCAN"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_each_engine() {
        let text = "UPDATE t SET a = $1 WHERE b = $2 AND c < $12";
        for (dialect, wanted) in [
            (Dialect::PostgreSql, text),
            (Dialect::MySql, "UPDATE t SET a = ? WHERE b = ? AND c < ?"),
            (Dialect::Sqlite, "UPDATE t SET a = ?1 WHERE b = ?2 AND c < ?12"),
            (Dialect::SqlServer, "UPDATE t SET a = @P1 WHERE b = @P2 AND c < @P12"),
        ] {
            assert_eq!(dialect.parameters(text), wanted);
        }
    }
}
