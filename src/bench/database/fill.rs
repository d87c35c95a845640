//! Tables are filled with long INSERT statements of literal values. Nothing a user typed is among them: numbers, and
//! letters and digits of our own making.

use std::fmt::Write as _;

use super::{Connection, DbError};
use crate::bench::control::Control;
use crate::bench::error::BenchError;

/// Longest statement, characters: below the packet limits of all engines in their default settings.
const MOST_CHARACTERS: usize = 400_000;

/// Collects rows of one table and sends them in few statements.
pub struct Filler<'a, C> {
    connection: &'a mut C,
    control: &'a Control,
    head: String,
    text: String,
    rows: usize,
}

impl<'a, C: Connection> Filler<'a, C> {
    /// `columns` as they stand in the INSERT.
    pub fn new(connection: &'a mut C, control: &'a Control, table: &str, columns: &str) -> Self {
        Self {
            connection,
            control,
            head: format!("INSERT INTO {table} ({columns}) VALUES "),
            text: String::new(),
            rows: 0,
        }
    }

    /// Adds a row: its literals, separated by commas.
    ///
    /// # Errors
    /// When the server refuses the rows collected so far, or the user stopped the run ([`Stopped`]).
    pub async fn row(&mut self, literals: std::fmt::Arguments<'_>) -> Result<(), Stopped> {
        self.text.push_str(if self.rows == 0 { "" } else { "," });
        // Writing to a string cannot fail.
        let _ = write!(self.text, "({literals})");
        self.rows += 1;
        if self.rows >= C::DIALECT.rows_per_insert() || self.text.len() >= MOST_CHARACTERS {
            self.flush().await
        } else {
            Ok(())
        }
    }

    /// Sends what is left.
    ///
    /// # Errors
    /// As [`Filler::row`].
    pub async fn flush(&mut self) -> Result<(), Stopped> {
        if self.control.is_cancelled() {
            return Err(Stopped::ByUser);
        }
        if self.rows > 0 {
            let statement = format!("{}{}", self.head, self.text);
            self.connection.simple(&statement).await.map_err(Stopped::ByDatabase)?;
            self.text.clear();
            self.rows = 0;
        }
        Ok(())
    }
}

/// Why filling ended early.
#[derive(Debug)]
pub enum Stopped {
    ByUser,
    ByDatabase(DbError),
}

impl From<DbError> for Stopped {
    fn from(error: DbError) -> Self {
        Self::ByDatabase(error)
    }
}

impl Stopped {
    /// As the error of a benchmark.
    pub fn at(self, url: &super::DatabaseUrl, doing: &str) -> BenchError {
        match self {
            Self::ByUser => BenchError::Cancelled,
            Self::ByDatabase(error) => error.at(url, doing),
        }
    }
}

/// This many random lower-case letters and digits.
pub fn letters(random: &mut fastrand::Rng, count: usize) -> String {
    const SIGNS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    (0..count).map(|_| char::from(SIGNS[random.usize(0..SIGNS.len())])).collect()
}
