//! What can be asked of `bench oltp`.

use serde_json::{Map, Value, json};

use super::random::Distribution;
use crate::bench::common::Common;
use crate::bench::database::DatabaseUrl;
use crate::bench::error::{BenchError, Mistakes};

/// Which transactions are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    ReadWrite,
    ReadOnly,
    WriteOnly,
    PointSelect,
    Tpcc,
}

impl Mix {
    pub const ALL: [Self; 5] = [Self::ReadWrite, Self::ReadOnly, Self::WriteOnly, Self::PointSelect, Self::Tpcc];

    pub fn name(self) -> &'static str {
        match self {
            Self::ReadWrite => "read_write",
            Self::ReadOnly => "read_only",
            Self::WriteOnly => "write_only",
            Self::PointSelect => "point_select",
            Self::Tpcc => "tpcc",
        }
    }
}

/// The options of `bench oltp`.
#[derive(Clone, Debug)]
pub struct Options {
    pub common: Common,
    pub url: DatabaseUrl,
    pub mix: Mix,
    /// Tables, or warehouses of the mix `tpcc`.
    pub scale: u32,
    /// Rows of a table; not for `tpcc`.
    pub rows: u32,
    pub distribution: Distribution,
    /// Transactions a second that arrive, whatever the server does; none for a closed loop.
    pub rate: Option<f64>,
    /// Users of `tpcc` with keying and think time; none for transactions without a pause.
    pub users: Option<u32>,
    /// Keying and think time as a multiple of those of the TPC-C specification.
    pub pace: f64,
}

/// Rows of a table, as sysbench has them.
pub const ROWS: u32 = 10_000;
const MOST_SCALE: u32 = 10_000;
/// Fewest rows: more than a range query reads.
const LEAST_ROWS: u32 = 1_000;
const MOST_ROWS: u32 = 100_000_000;
const MOST_RATE: f64 = 1e6;
const MOST_USERS: u32 = 1_000_000;
const MOST_PACE: f64 = 10.0;

impl Options {
    /// # Errors
    /// A line for each option that is not possible.
    pub fn check(&self) -> Result<(), BenchError> {
        let mut mistakes = Mistakes::default();
        self.common.check(&mut mistakes);
        let Self { scale, rows, pace, .. } = *self;
        mistakes.unless((1..=MOST_SCALE).contains(&scale), || format!("--scale {scale}: allowed is 1 to {MOST_SCALE}"));
        mistakes.unless((LEAST_ROWS..=MOST_ROWS).contains(&rows), || {
            format!("--rows {rows}: allowed is {LEAST_ROWS} to {MOST_ROWS}")
        });
        if let Some(rate) = self.rate {
            mistakes.unless(rate > 0.0 && rate <= MOST_RATE, || {
                format!("--rate {rate}: allowed is more than 0 to {MOST_RATE} a second")
            });
        }
        if let Some(users) = self.users {
            mistakes
                .unless((1..=MOST_USERS).contains(&users), || format!("--users {users}: allowed is 1 to {MOST_USERS}"));
            mistakes.unless(self.mix == Mix::Tpcc, || {
                format!("--users {users}: only the mix tpcc has users, not {}", self.mix.name())
            });
            mistakes.unless(self.rate.is_none(), || {
                format!("--users {users}: users set the rate by their think time; leave out --rate")
            });
        }
        mistakes.unless((0.0..=MOST_PACE).contains(&pace), || format!("--pace {pace}: allowed is 0 to {MOST_PACE}"));
        mistakes.done()
    }

    /// Every option with its value, as a result lists it.
    pub fn parameters(&self) -> Map<String, Value> {
        let mut more = json!({ "database": self.url.to_string(), "mix": self.mix.name(), "scale": self.scale });
        match self.mix {
            Mix::Tpcc => {
                more["users"] = self.users.into();
                more["pace"] = self.users.map(|_| self.pace).into();
            }
            _ => {
                more["rows"] = self.rows.into();
                more["distribution"] = self.distribution.name().into();
            }
        }
        more["rate"] = self.rate.into();
        self.common.parameters(more)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_mistake_is_told_at_once_and_no_password() {
        let options = Options {
            common: Common { threads: 0, time: Duration::from_secs(1), warm_up: Duration::ZERO, repeat: 1 },
            url: DatabaseUrl::parse("mysql://me:s3cret@h/d").unwrap(),
            mix: Mix::ReadOnly,
            scale: 0,
            rows: 7,
            distribution: Distribution::Uniform,
            rate: Some(f64::NAN),
            users: Some(5),
            pace: -1.0,
        };
        let told = options.check().unwrap_err().to_string();
        for flag in
            ["--threads 0", "--scale 0", "--rows 7", "--rate NaN", "--users 5: only", "--users 5: users", "--pace -1"]
        {
            assert!(told.contains(flag), "{flag} in {told}");
        }
        assert!(!format!("{:?}", options.parameters()).contains("s3cret"));
    }
}
