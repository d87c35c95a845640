//! MySQL and MariaDB. The servers have no command that writes a backup: their clients read rows and keep them as INSERT
//! statements, as mysqldump does; here the same without a second program. OPTIMIZE TABLE and CHECK TABLE are the server's.

use std::io::{BufRead as _, BufReader};

use super::archive::{self, Archive};
use super::engine::{Job, Maintenance};
use super::ledger;
use crate::bench::database::{Connection as _, DbError, Dialect, Kind, MySql, Row, Sql, Step, Value};

/// Rows that are read at a time, and stand in one statement.
const ROWS: usize = 2_000;

/// A statement as it stands in the backup.
fn insert(table: &str, rows: &[Row]) -> String {
    let row = |row: &Row| {
        let [id, account, amount, booked, note] = [0, 1, 2, 3, 4].map(|column| row[column].text());
        format!("({id},{account},{amount},{booked},'{note}')")
    };
    let rows: Vec<String> = rows.iter().map(row).collect();
    format!("INSERT INTO {table} ({}) VALUES {}\n", ledger::COLUMNS, rows.join(","))
}

/// OPTIMIZE and CHECK answer with rows of table, operation, kind and text; what is wrong is of the kind error.
async fn ask(connection: &mut MySql, statement: &str) -> Result<(), DbError> {
    let kinds = [Kind::Text, Kind::Text, Kind::Text, Kind::Text];
    let rows = connection.rows(&Sql::new(Dialect::MySql, statement), &[], &kinds).await?;
    match rows.iter().find(|row| row[2].text().eq_ignore_ascii_case("error")) {
        Some(row) => Err(DbError::other(row[3].text())),
        None => Ok(()),
    }
}

impl Maintenance for MySql {
    async fn get_ready(&mut self, job: &mut Job) -> Result<(), DbError> {
        let size = format!(
            "SELECT CAST(DATA_LENGTH + INDEX_LENGTH AS SIGNED) FROM information_schema.TABLES WHERE TABLE_SCHEMA = \
             DATABASE() AND TABLE_NAME = '{}'",
            job.table
        );
        let size = self.first(&size, &[Kind::Int]).await?;
        job.table_bytes = size.and_then(|row| row[0].int().try_into().ok()).unwrap_or(0);
        job.by("backup", "SELECT in the order of the primary key, INSERT statements, gzip on the client");
        job.by("restore", "CREATE TABLE, INSERT statements in one transaction, CREATE INDEX");
        job.by("index_rebuild", "OPTIMIZE TABLE (InnoDB makes the table and its indexes anew)");
        job.by("consistency_check", "CHECK TABLE … EXTENDED");
        Ok(())
    }

    async fn backup(&mut self, job: &mut Job) -> Result<Step, DbError> {
        let mut archive = Archive::create(&job.file).map_err(|error| job.refused(error))?;
        let text = format!(
            "SELECT id, account, CAST(amount AS CHAR), booked, note FROM {} WHERE id > $1 ORDER BY id LIMIT {ROWS}",
            job.table
        );
        let select = Sql::new(Dialect::MySql, &text);
        let kinds = [Kind::Int, Kind::Int, Kind::Text, Kind::Int, Kind::Text];
        let mut last = 0;
        loop {
            let rows = self.rows(&select, &[Value::Long(last)], &kinds).await?;
            let Some(row) = rows.last() else { break };
            last = row[0].int();
            archive.write(insert(&job.restored, &rows).as_bytes()).map_err(|error| job.refused(error))?;
        }
        let sizes = archive.finish().map_err(|error| job.refused(error))?;
        job.backed_up = Some(sizes);
        Ok(Step::over(sizes.0))
    }

    async fn restore(&mut self, job: &mut Job) -> Result<Step, DbError> {
        let archive = archive::open(&job.file).map_err(|error| job.refused(error))?;
        let columns = ledger::definition(Dialect::MySql);
        let options = Dialect::MySql.table_options();
        self.simple(&format!("CREATE TABLE {} ({columns}){options}", job.restored)).await?;
        self.begin(true).await?;
        let mut bytes = 0;
        for line in BufReader::new(archive).lines() {
            let line = line.map_err(|error| job.refused(error))?;
            bytes += line.len() as u64 + 1;
            self.simple(&line).await?;
        }
        self.commit().await?;
        self.simple(&ledger::index(&job.restored)).await?;
        Ok(Step::over(bytes))
    }

    async fn rebuild(&mut self, job: &mut Job) -> Result<Step, DbError> {
        ask(self, &format!("OPTIMIZE TABLE {}", job.table)).await?;
        Ok(Step::over(job.table_bytes))
    }

    async fn check(&mut self, job: &mut Job) -> Result<Step, DbError> {
        ask(self, &format!("CHECK TABLE {} EXTENDED", job.table)).await?;
        Ok(Step::over(job.table_bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::database::Cell;

    #[test]
    fn rows_are_kept_as_one_statement() {
        let row =
            |id| vec![Cell::Int(id), Cell::Int(7), Cell::Text("1.50".into()), Cell::Int(3), Cell::Text("paid".into())];
        assert_eq!(
            insert("vmfit_x", &[row(1), row(2)]),
            "INSERT INTO vmfit_x (id, account, amount, booked, note) VALUES (1,7,1.50,3,'paid'),(2,7,1.50,3,'paid')\n"
        );
    }
}
