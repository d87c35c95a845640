//! Why a benchmark could not be run.

use std::io;

/// Why there is no result. A run that broke off after it had measured something is a result marked invalid instead.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// What was asked is not possible: a line for each mistake with the flag, the value and what is allowed. Exit code 2.
    #[error("{}", .0.join("; "))]
    Usage(Vec<String>),
    /// Something outside refused. Exit code 1.
    #[error("{what}: {source}")]
    Failed {
        /// What was done, with the name of the file, address or database.
        what: String,
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A failure without a cause of its own. Exit code 1.
    #[error("{0}")]
    Other(String),
    /// Stopped by the user before anything was measured. Exit code 1.
    #[error("stopped before anything was measured")]
    Cancelled,
}

impl BenchError {
    /// One mistake of the user.
    pub fn usage(line: impl Into<String>) -> Self {
        Self::Usage(vec![line.into()])
    }

    /// A failure and what was being done.
    pub fn failed(what: impl Into<String>, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Failed { what: what.into(), source: source.into() }
    }

    /// Whether the user can mend it by asking differently.
    pub fn is_usage(&self) -> bool {
        matches!(self, Self::Usage(_))
    }
}

/// Names what was being done when the system refused.
pub trait Doing<T> {
    /// # Errors
    /// [`BenchError::Failed`] in place of the system's error.
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, BenchError>;
}

impl<T> Doing<T> for io::Result<T> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, BenchError> {
        self.map_err(|error| BenchError::failed(what(), error))
    }
}

/// Collects mistakes so that all are told at once.
#[derive(Debug, Default)]
pub struct Mistakes(Vec<String>);

impl Mistakes {
    /// Notes a mistake unless the value is allowed.
    pub fn unless(&mut self, allowed: bool, line: impl FnOnce() -> String) {
        if !allowed {
            self.0.push(line());
        }
    }

    /// # Errors
    /// [`BenchError::Usage`] with every line noted.
    pub fn done(self) -> Result<(), BenchError> {
        if self.0.is_empty() { Ok(()) } else { Err(BenchError::Usage(self.0)) }
    }
}
