//! The table that is backed up, restored, rebuilt and checked.

use crate::bench::control::Control;
use crate::bench::database::{Connection, Dialect, Filler, Stopped, Tables, letters};

/// Names, without the prefix.
pub const NAME: &str = "ledger";
pub const RESTORED: &str = "ledger_restored";

const SEED: u64 = 0x1ED6_5EED;
/// Columns in order.
pub const COLUMNS: &str = "id, account, amount, booked, note";

/// Rows at a scale.
pub fn rows(scale: u32) -> u32 {
    scale.saturating_mul(100_000)
}

/// Columns of the table, and of the restored one.
pub fn definition(dialect: Dialect) -> String {
    let money = dialect.decimal(12, 2);
    format!(
        "id INTEGER NOT NULL PRIMARY KEY, account INTEGER NOT NULL, amount {money} NOT NULL, booked INTEGER NOT NULL, note \
         VARCHAR(160) NOT NULL"
    )
}

/// The index beside the primary key.
pub fn index(table: &str) -> String {
    format!("CREATE INDEX {table}_account ON {table} (account, booked)")
}

/// Makes and fills the table; its full name.
///
/// # Errors
/// When the database refuses, or the user stops.
pub async fn fill<C: Connection>(
    tables: &mut Tables<C>,
    scale: u32,
    control: &Control,
    told: impl Fn(f64),
) -> Result<String, Stopped> {
    let table = tables.create(NAME, &definition(C::DIALECT)).await?;
    let connection = tables.connection();
    let mut filler = Filler::new(connection, control, &table, COLUMNS);
    let mut random = fastrand::Rng::with_seed(SEED);
    let rows = rows(scale);
    for id in 1..=rows {
        let (account, booked) = (random.u32(1..=100_000), random.u32(1..=365));
        let amount = f64::from(random.u32(1..=10_000_000)) / 100.0;
        // Half of a note repeats, as the texts of business data do.
        let note = letters(&mut random, 60);
        filler
            .row(format_args!("{id},{account},{amount:.2},{booked},'payment received, order {account:>10}, {note}'"))
            .await?;
        if id % 20_000 == 0 {
            told(f64::from(id) / f64::from(rows));
        }
    }
    filler.flush().await?;
    connection.simple(&index(&table)).await?;
    connection.simple(&C::DIALECT.analyze(&table)).await?;
    Ok(table)
}
