//! A mix derived from TPC Benchmark C, revision 5.11 (clauses in brackets): nine tables, five transactions, its random
//! inputs, and users with keying and think times. It is not audited and leaves out what the specification asks of a whole
//! system; its figures are never a TPC-C result.

use super::arrivals::Waits;

mod fill;
mod statements;
#[cfg(test)]
mod tests;
mod transactions;

pub use fill::fill;
pub use transactions::Tpcc;

/// The transactions, in the order of their weights.
pub const KINDS: [&str; 5] = ["new_order", "payment", "order_status", "delivery", "stock_level"];
/// Number of the transaction that the score counts.
pub const NEW_ORDER: usize = 0;
/// Shares of the transactions, % [5.2.3].
pub const WEIGHTS: [u32; 5] = [45, 43, 4, 4, 4];
/// Keying and mean think times [5.2.5.7].
pub static WAITS: [Waits; 5] = [
    Waits { keying_s: 18.0, think_s: 12.0 },
    Waits { keying_s: 3.0, think_s: 12.0 },
    Waits { keying_s: 2.0, think_s: 10.0 },
    Waits { keying_s: 2.0, think_s: 5.0 },
    Waits { keying_s: 2.0, think_s: 5.0 },
];

/// Names of the tables, without the prefix.
pub const TABLES: [&str; 9] =
    ["item", "warehouse", "stock", "district", "customer", "history", "orders", "new_order", "order_line"];

/// Names of the tables, as they are claimed.
pub fn names() -> Vec<String> {
    TABLES.iter().map(|&name| name.to_owned()).collect()
}

/// How many rows there are [1.2.1].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub warehouses: i32,
    /// Of a warehouse.
    pub districts: i32,
    /// Of a district; as many orders.
    pub customers: i32,
    /// Items, and rows of stock of a warehouse.
    pub items: i32,
}

impl Size {
    /// The cardinalities of the specification for this many warehouses.
    pub fn of(warehouses: u32) -> Self {
        let warehouses = i32::try_from(warehouses).unwrap_or(i32::MAX);
        Self { warehouses, districts: 10, customers: 3_000, items: 100_000 }
    }

    /// Different last names of customers.
    fn last_names(self) -> i32 {
        self.customers.min(1000)
    }

    /// Orders of a district that are not delivered: the last 30 % [4.3.3.1].
    fn undelivered(self) -> i32 {
        (self.customers * 3 / 10).max(1)
    }
}

/// Constants C of NURand [2.1.6.1]: that of names differs between filling and running by 86, which is in the allowed
/// 65 to 119 and neither 96 nor 112.
const C_NAME_FILL: i32 = 33;
const C_NAME_RUN: i32 = 119;
const C_CUSTOMER: i32 = 259;
const C_ITEM: i32 = 7911;

/// A number from `low` to `high` with hot spots [2.1.6].
fn nurand(random: &mut fastrand::Rng, a: i32, c: i32, low: i32, high: i32) -> i32 {
    let mixed = random.i32(0..=a) | random.i32(low..=high);
    (mixed + c) % (high - low + 1) + low
}

/// A customer's number.
fn customer(random: &mut fastrand::Rng, size: Size) -> i32 {
    nurand(random, 1023, C_CUSTOMER, 1, size.customers)
}

/// An item's number.
fn item(random: &mut fastrand::Rng, size: Size) -> i32 {
    nurand(random, 8191, C_ITEM, 1, size.items)
}

/// The last name with this number: three syllables [4.3.2.3].
fn last_name(number: i32) -> String {
    const SYLLABLES: [&str; 10] = ["BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"];
    let digits = [number / 100, number / 10, number].map(|number| SYLLABLES[(number.unsigned_abs() % 10) as usize]);
    digits.concat()
}
