//! SQL Server. A call with parameters is one `sp_executesql` request, whose plan the server keeps by its text.

use std::time::Duration;

use tiberius::{AuthMethod, Client, ColumnData, Config, EncryptionLevel, Query, QueryItem};
use tokio::net::TcpStream;
use tokio_stream::StreamExt as _;
use tokio_util::compat::{Compat, TokioAsyncWriteCompatExt as _};

use super::error;
use super::url::DatabaseUrl;
use super::{Cell, Connection, DbError, Dialect, Kind, Row, Sql, Value};

const DEFAULT_PORT: u16 = 1433;

/// SQL Server.
pub struct SqlServer {
    client: Client<Compat<TcpStream>>,
    requests: u64,
}

fn sorted(error: tiberius::error::Error) -> DbError {
    use tiberius::error::Error;
    match &error {
        Error::Server(answer) => match error::sql_server(answer.code()) {
            Some(conflict) => DbError::conflict(conflict, answer.message()),
            None => DbError::other(format!("{} (error {})", answer.message(), answer.code())),
        },
        Error::Io { message, .. } => DbError::lost(format!("the connection broke: {message}")),
        Error::Protocol(_) => DbError::lost(error.to_string()),
        _ => DbError::other(error.to_string()),
    }
}

/// What the URL says beside host, user and database: `encrypt=on|off|required`, `trust_cert=true`.
fn config(url: &DatabaseUrl) -> Result<Config, DbError> {
    let (user, password) = url.user_and_password();
    let (host, port) = url.host_and_port();
    let mut config = Config::new();
    config.host(&host);
    config.port(port.unwrap_or(DEFAULT_PORT));
    if !url.database().is_empty() {
        config.database(url.database());
    }
    config.authentication(AuthMethod::sql_server(&user, &password));
    config.application_name("vmfit bench");
    config.handshake_timeout(Some(Duration::from_secs(15)));
    for (name, value) in url.parameters() {
        match (name, value) {
            ("encrypt", "on") => config.encryption(EncryptionLevel::On),
            ("encrypt", "off") => config.encryption(EncryptionLevel::Off),
            ("encrypt", "none") => config.encryption(EncryptionLevel::NotSupported),
            ("encrypt", "required") => config.encryption(EncryptionLevel::Required),
            ("trust_cert", "true") => config.trust_cert(),
            ("trust_cert", "false") => {}
            _ => {
                return Err(DbError::other(format!(
                    "{name}={value} is not possible; allowed is encrypt=none, off, on or required, and trust_cert=true \
                     or false"
                )));
            }
        }
    }
    Ok(config)
}

async fn connected(config: Config) -> Result<Client<Compat<TcpStream>>, tiberius::error::Error> {
    let stream = TcpStream::connect(config.get_addr()).await?;
    stream.set_nodelay(true)?;
    Client::connect(config, stream.compat_write()).await
}

impl SqlServer {
    fn query<'a>(sql: &'a Sql, values: &[Value<'a>]) -> Query<'a> {
        let mut query = Query::new(sql.as_str());
        for value in values {
            match *value {
                Value::Int(value) => query.bind(value),
                Value::Long(value) => query.bind(value),
                Value::Float(value) => query.bind(value),
                Value::Text(value) => query.bind(value),
            }
        }
        query
    }
}

impl Connection for SqlServer {
    const DIALECT: Dialect = Dialect::SqlServer;

    async fn open(url: &DatabaseUrl) -> Result<Self, DbError> {
        let mut config = config(url)?;
        let client = match connected(config.clone()).await {
            // A gateway sends on to the server that has the database.
            Err(tiberius::error::Error::Routing { host, port }) => {
                config.host(&host);
                config.port(port);
                connected(config).await
            }
            client => client,
        };
        Ok(Self { client: client.map_err(sorted)?, requests: 0 })
    }

    async fn simple(&mut self, sql: &str) -> Result<(), DbError> {
        self.requests += 1;
        let answers = self.client.simple_query(sql).await.map_err(sorted)?;
        answers.into_results().await.map_err(sorted)?;
        Ok(())
    }

    async fn change(&mut self, sql: &Sql, values: &[Value<'_>]) -> Result<u64, DbError> {
        self.requests += 1;
        let done = Self::query(sql, values).execute(&mut self.client).await.map_err(sorted)?;
        Ok(done.total())
    }

    async fn drain(&mut self, sql: &Sql, values: &[Value<'_>]) -> Result<(), DbError> {
        self.requests += 1;
        let mut answers = Self::query(sql, values).query(&mut self.client).await.map_err(sorted)?;
        while let Some(item) = answers.next().await {
            item.map_err(sorted)?;
        }
        Ok(())
    }

    async fn rows(&mut self, sql: &Sql, values: &[Value<'_>], kinds: &[Kind]) -> Result<Vec<Row>, DbError> {
        self.requests += 1;
        let mut answers = Self::query(sql, values).query(&mut self.client).await.map_err(sorted)?;
        let mut rows = Vec::new();
        while let Some(item) = answers.next().await {
            if let QueryItem::Row(row) = item.map_err(sorted)? {
                rows.push(row.into_iter().take(kinds.len()).map(cell).collect());
            }
        }
        Ok(rows)
    }

    fn requests(&self) -> u64 {
        self.requests
    }

    async fn close(self) {
        // The server ends a session whose connection is gone all the same.
        let _ = self.client.close().await;
    }
}

fn cell(data: ColumnData<'_>) -> Cell {
    let int = |value: Option<i64>| value.map(Cell::Int);
    let known = match data {
        ColumnData::U8(value) => int(value.map(i64::from)),
        ColumnData::I16(value) => int(value.map(i64::from)),
        ColumnData::I32(value) => int(value.map(i64::from)),
        ColumnData::I64(value) => int(value),
        ColumnData::Bit(value) => int(value.map(i64::from)),
        ColumnData::F32(value) => value.map(|value| Cell::Float(value.into())),
        ColumnData::F64(value) => value.map(Cell::Float),
        ColumnData::Numeric(value) => value.map(|value| Cell::Float(value.into())),
        ColumnData::String(value) => value.map(|value| Cell::Text(value.into_owned())),
        _ => None,
    };
    known.unwrap_or(Cell::Null)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_url_may_say() {
        let url = |text| DatabaseUrl::parse(text).unwrap();
        let got = config(&url("mssql://sa:pw@db.example:1444/shop?encrypt=off&trust_cert=true")).unwrap();
        assert_eq!(got.get_addr(), "db.example:1444");
        assert_eq!(config(&url("sqlserver://sa:pw@h")).unwrap().get_addr(), "h:1433");
        let told = config(&url("mssql://sa:pw@h?encrypt=maybe")).unwrap_err().to_string();
        assert!(told.starts_with("encrypt=maybe is not possible; allowed is"), "{told}");
    }
}
