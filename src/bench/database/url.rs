//! Where the database is, as the user wrote it. The password stays inside: everything that is shown is without it.

use std::fmt;

/// Stands where a password was.
const HIDDEN: &str = "***";

/// The kind of database server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    PostgreSql,
    /// MySQL and MariaDB.
    MySql,
    Sqlite,
    SqlServer,
}

impl Engine {
    /// Name of the product, until the server has told its own.
    pub fn product(self) -> &'static str {
        match self {
            Self::PostgreSql => "PostgreSQL",
            Self::MySql => "MySQL",
            Self::Sqlite => "SQLite",
            Self::SqlServer => "SQL Server",
        }
    }

    fn of(scheme: &str) -> Option<Self> {
        Some(match scheme {
            "postgres" | "postgresql" => Self::PostgreSql,
            "mysql" | "mariadb" => Self::MySql,
            "sqlite" => Self::Sqlite,
            "mssql" | "sqlserver" => Self::SqlServer,
            _ => return None,
        })
    }
}

/// The URL of a database. `Debug` and `Display` show it without its password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseUrl {
    engine: Engine,
    full: String,
    shown: String,
    /// As written, and decoded: error messages may quote either.
    secrets: Vec<String>,
}

impl DatabaseUrl {
    /// # Errors
    /// What is wrong with it and what is allowed; never with the password.
    pub fn parse(text: &str) -> Result<Self, String> {
        let allowed = "postgres://, mysql://, mariadb://, sqlite:// or mssql:// with user, password, host, port and \
                       database, for example postgres://user:password@host:5432/database";
        let Some((scheme, rest)) = text.split_once(':') else {
            return Err(format!("a URL is needed: {allowed}"));
        };
        let Some(engine) = Engine::of(scheme) else {
            let scheme: String = scheme.chars().take(20).collect();
            return Err(format!("{scheme}: is not a known database; allowed is {allowed}"));
        };
        let missing = rest.trim_start_matches('/').is_empty() || (engine != Engine::Sqlite && !rest.starts_with("//"));
        if missing {
            return Err(format!("host, file or database is missing; allowed is {allowed}"));
        }
        if engine == Engine::Sqlite && (rest.contains(":memory:") || rest.contains("mode=memory")) {
            return Err("a SQLite database in memory belongs to one connection; a file is needed".to_owned());
        }
        let mut url = Self { engine, full: text.to_owned(), shown: text.to_owned(), secrets: Vec::new() };
        url.hide_passwords();
        Ok(url)
    }

    /// Finds the password of the user part, and parameters that hold one.
    fn hide_passwords(&mut self) {
        let mut found = Vec::new();
        if self.engine != Engine::Sqlite
            && let Some((_, password)) = self.user_part().and_then(|user| user.split_once(':'))
        {
            found.push(password.to_owned());
            let (start, _) = self.authority();
            let at = start + self.user_part().map_or(0, |user| user.len() - password.len());
            self.shown.replace_range(at..at + password.len(), HIDDEN);
        }
        let mut shown = self.shown.clone();
        for (name, value) in self.parameters() {
            if name.to_ascii_lowercase().contains("password") && !value.is_empty() {
                shown = shown.replace(&format!("{name}={value}"), &format!("{name}={HIDDEN}"));
                found.push(value.to_owned());
            }
        }
        self.shown = shown;
        found.retain(|secret| !secret.is_empty());
        let decoded: Vec<String> = found.iter().map(|secret| percent_decoded(secret)).collect();
        self.secrets = found.into_iter().chain(decoded).collect();
        self.secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
        self.secrets.dedup();
    }

    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The URL with its password, for the driver alone.
    pub(super) fn secret(&self) -> &str {
        &self.full
    }

    /// Takes the password out of a message of a driver or a server.
    pub fn hide(&self, message: &str) -> String {
        let mut shown = message.replace(&self.full, &self.shown);
        // A password of one or two characters is part of many words: such a message is shown as it is.
        for secret in self.secrets.iter().filter(|secret| secret.len() > 2) {
            shown = shown.replace(secret, HIDDEN);
        }
        shown
    }

    /// Whether the server is on this machine; unknown for a name.
    pub fn is_local(&self) -> Option<bool> {
        let host = self.host_and_port().0;
        let socket = self.parameters().any(|(name, value)| {
            name == "socket" || (name == "host" && (value.starts_with('/') || value.starts_with("%2F")))
        });
        let local = self.engine == Engine::Sqlite
            || socket
            || ["", "localhost", "127.0.0.1", "::1"].contains(&host.as_str())
            || host.starts_with("%2F");
        local.then_some(true)
    }

    /// Begin and end of user, host and port.
    fn authority(&self) -> (usize, usize) {
        let start = self.full.find("://").map_or(0, |at| at + 3);
        let rest = &self.full[start..];
        // A password may hold what should have been encoded: the last @ before the parameters ends the user part.
        let before_query = rest.find('?').unwrap_or(rest.len());
        let at = rest[..before_query].rfind('@').map_or(0, |at| at + 1);
        let end = rest[at..before_query].find('/').map_or(before_query, |slash| at + slash);
        (start, start + end)
    }

    fn user_part(&self) -> Option<&str> {
        let (start, end) = self.authority();
        self.full[start..end].rsplit_once('@').map(|(user, _)| user)
    }

    /// User and password, decoded.
    pub(super) fn user_and_password(&self) -> (String, String) {
        let user = self.user_part().unwrap_or_default();
        let (user, password) = user.split_once(':').unwrap_or((user, ""));
        (percent_decoded(user), percent_decoded(password))
    }

    /// Host and, where given, port.
    pub(super) fn host_and_port(&self) -> (String, Option<u16>) {
        let (start, end) = self.authority();
        let authority = &self.full[start..end];
        let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
        match host.rsplit_once(':').filter(|(name, _)| !name.contains(':') || name.ends_with(']')) {
            Some((name, port)) => (unbracketed(name), port.parse().ok()),
            None => (unbracketed(host), None),
        }
    }

    /// Name of the database; empty when none was given.
    pub(super) fn database(&self) -> String {
        let (_, end) = self.authority();
        let path = self.full[end..].split('?').next().unwrap_or_default();
        percent_decoded(path.trim_start_matches('/'))
    }

    /// File of a SQLite database.
    pub fn file(&self) -> Option<String> {
        if self.engine != Engine::Sqlite {
            return None;
        }
        let rest = self.full.strip_prefix("sqlite:").unwrap_or(&self.full);
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        Some(percent_decoded(rest.split('?').next().unwrap_or_default()))
    }

    pub(super) fn parameters(&self) -> impl Iterator<Item = (&str, &str)> {
        let query = self.full.split_once('?').map_or("", |(_, query)| query);
        query.split('&').filter_map(|pair| pair.split_once('='))
    }
}

impl fmt::Display for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for DatabaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DatabaseUrl({})", self.shown)
    }
}

impl std::str::FromStr for DatabaseUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text)
    }
}

fn unbracketed(host: &str) -> String {
    host.trim_start_matches('[').trim_end_matches(']').to_owned()
}

/// `%41` is `A`; what is no such code stays.
fn percent_decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = bytes.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) => {
                decoded.push(code);
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> DatabaseUrl {
        DatabaseUrl::parse(text).unwrap()
    }

    #[test]
    fn a_password_never_shows() {
        for (text, shown) in [
            ("postgres://me:s3cret@db.example:5432/app", "postgres://me:***@db.example:5432/app"),
            ("mysql://me:p%40ss%2Fw@h/app?ssl-mode=disabled", "mysql://me:***@h/app?ssl-mode=disabled"),
            ("mssql://sa:a@b/c:d@host:1433/master", "mssql://sa:***@host:1433/master"),
            ("postgres://h/app?user=me&password=hidden1", "postgres://h/app?user=me&password=***"),
            ("postgres://me@localhost/app?host=/run/pg", "postgres://me@localhost/app?host=/run/pg"),
            ("sqlite://data/file:1.db", "sqlite://data/file:1.db"),
        ] {
            assert_eq!(url(text).to_string(), shown);
            assert_eq!(format!("{:?}", url(text)), format!("DatabaseUrl({shown})"));
        }
        let hidden = url("mysql://me:p%40ss%2Fw@h/app");
        assert_eq!(hidden.hide("no p@ss/w, no p%40ss%2Fw"), "no ***, no ***");
    }

    #[test]
    fn parts_are_found() {
        let got = url("mssql://sa:p%40ss%3A1@db.example:1444/shop?encrypt=off");
        assert_eq!(got.user_and_password(), ("sa".to_owned(), "p@ss:1".to_owned()));
        assert_eq!(got.host_and_port(), ("db.example".to_owned(), Some(1444)));
        assert_eq!(got.database(), "shop");
        assert_eq!(got.parameters().collect::<Vec<_>>(), [("encrypt", "off")]);
        assert_eq!(url("sqlserver://u@[::1]:1433").host_and_port(), ("::1".to_owned(), Some(1433)));
        assert_eq!(url("sqlserver://u@host").database(), "");
        assert_eq!(url("sqlite:///tmp/a%20b.db?mode=rwc").file().as_deref(), Some("/tmp/a b.db"));
    }

    #[test]
    fn what_is_local_is_known() {
        for local in
            ["postgres://u@localhost/d", "mysql://u@h/d?socket=/run/s", "postgres:///d?host=/run", "sqlite://f"]
        {
            assert_eq!(url(local).is_local(), Some(true), "{local}");
        }
        assert_eq!(url("mysql://u@db.example/d").is_local(), None);
    }

    #[test]
    fn what_is_no_database_is_told_without_secrets() {
        for wrong in ["", "db", "oracle://me:s3cret@h/d", "postgres:", "mysql://", "sqlite::memory:", "postgres:me@h"] {
            let error = DatabaseUrl::parse(wrong).unwrap_err();
            assert!(!error.contains("s3cret") && !error.is_empty(), "{error}");
        }
    }
}
