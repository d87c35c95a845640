//! The transactions that sysbench's OLTP tests have, on tables of its shape. Their statements and counts are facts of its
//! documentation; a result can be compared with one of sysbench with the same tables, rows, distribution and threads.

use super::load::{Done, Transactions};
use super::options::{Mix, Options};
use super::random::{Distribution, digit_groups};
use crate::bench::control::Control;
use crate::bench::database::{Connection, DbError, Filler, Sql, Stopped, Tables, Value};

/// Keys that a range query spans.
const RANGE: i32 = 100;
const POINT_SELECTS: u32 = 10;
/// Groups of digits in the columns c and pad.
const C_GROUPS: usize = 10;
const PAD_GROUPS: usize = 5;
/// Seed of the rows, and of the draws of the first connection.
const SEED: u64 = 0x5B7E_5701;

/// Names of the tables, without the prefix.
pub fn names(tables: u32) -> Vec<String> {
    (1..=tables).map(|number| format!("sbtest{number}")).collect()
}

/// Makes and fills the tables.
///
/// # Errors
/// When the database refuses, or the user stops.
pub async fn fill<C: Connection>(
    tables: &mut Tables<C>,
    options: &Options,
    control: &Control,
    told: impl Fn(f64),
) -> Result<Vec<String>, Stopped> {
    let mut made = Vec::new();
    let mut random = fastrand::Rng::with_seed(SEED);
    for (number, name) in names(options.scale).iter().enumerate() {
        let columns = "id INTEGER NOT NULL PRIMARY KEY, k INTEGER DEFAULT 0 NOT NULL, c CHAR(120) DEFAULT '' NOT NULL, \
                       pad CHAR(60) DEFAULT '' NOT NULL";
        let table = tables.create(name, columns).await?;
        let connection = tables.connection();
        let mut filler = Filler::new(connection, control, &table, "id, k, c, pad");
        for id in 1..=options.rows {
            let k = options.distribution.key(&mut random, options.rows);
            let (c, pad) = (digit_groups(&mut random, C_GROUPS), digit_groups(&mut random, PAD_GROUPS));
            filler.row(format_args!("{id},{k},'{c}','{pad}'")).await?;
            if id % 10_000 == 0 {
                told((number as f64 + f64::from(id) / f64::from(options.rows)) / f64::from(options.scale));
            }
        }
        filler.flush().await?;
        connection.simple(&format!("CREATE INDEX {table}_k ON {table} (k)")).await?;
        connection.simple(&C::DIALECT.analyze(&table)).await?;
        made.push(table);
    }
    Ok(made)
}

/// The statements on one table.
struct Statements {
    point: Sql,
    /// Simple, sum, ordered, distinct.
    ranges: [Sql; 4],
    update_index: Sql,
    update_text: Sql,
    delete: Sql,
    insert: Sql,
}

impl Statements {
    fn new<C: Connection>(table: &str) -> Self {
        let sql = |text: String| Sql::new(C::DIALECT, &text);
        let range =
            |what: &str, order: &str| sql(format!("SELECT {what} FROM {table} WHERE id BETWEEN $1 AND $2{order}"));
        Self {
            point: sql(format!("SELECT c FROM {table} WHERE id = $1")),
            ranges: [
                range("c", ""),
                range("SUM(k)", ""),
                range("c", " ORDER BY c"),
                range("DISTINCT c", " ORDER BY c"),
            ],
            update_index: sql(format!("UPDATE {table} SET k = k + 1 WHERE id = $1")),
            update_text: sql(format!("UPDATE {table} SET c = $1 WHERE id = $2")),
            delete: sql(format!("DELETE FROM {table} WHERE id = $1")),
            insert: sql(format!("INSERT INTO {table} (id, k, c, pad) VALUES ($1, $2, $3, $4)")),
        }
    }
}

/// What one connection does.
pub struct RowMix {
    tables: Vec<Statements>,
    rows: u32,
    distribution: Distribution,
    random: fastrand::Rng,
    mix: Mix,
}

impl RowMix {
    /// The mix of the `number`-th connection.
    pub fn new<C: Connection>(options: &Options, tables: &[String], number: usize) -> Self {
        Self {
            tables: tables.iter().map(|table| Statements::new::<C>(table)).collect(),
            rows: options.rows,
            distribution: options.distribution,
            random: fastrand::Rng::with_seed(SEED ^ (number as u64 + 1)),
            mix: options.mix,
        }
    }

    fn key(&mut self) -> i32 {
        self.distribution.key(&mut self.random, self.rows)
    }

    fn table(&mut self) -> usize {
        self.random.usize(0..self.tables.len())
    }

    async fn point<C: Connection>(&mut self, connection: &mut C, count: u32) -> Result<(), DbError> {
        let table = self.table();
        for _ in 0..count {
            let key = self.key();
            connection.drain(&self.tables[table].point, &[Value::Int(key)]).await?;
        }
        Ok(())
    }

    async fn read<C: Connection>(&mut self, connection: &mut C) -> Result<(), DbError> {
        self.point(connection, POINT_SELECTS).await?;
        for range in 0..4 {
            let (table, from) = (self.table(), self.key());
            let keys = [Value::Int(from), Value::Int(from + RANGE - 1)];
            connection.drain(&self.tables[table].ranges[range], &keys).await?;
        }
        Ok(())
    }

    async fn write<C: Connection>(&mut self, connection: &mut C) -> Result<(), DbError> {
        let (table, key) = (self.table(), self.key());
        connection.change(&self.tables[table].update_index, &[Value::Int(key)]).await?;
        let (table, key, c) = (self.table(), self.key(), digit_groups(&mut self.random, C_GROUPS));
        connection.change(&self.tables[table].update_text, &[Value::Text(&c), Value::Int(key)]).await?;
        let (table, key, k) = (self.table(), self.key(), self.key());
        connection.change(&self.tables[table].delete, &[Value::Int(key)]).await?;
        let (c, pad) = (digit_groups(&mut self.random, C_GROUPS), digit_groups(&mut self.random, PAD_GROUPS));
        let row = [Value::Int(key), Value::Int(k), Value::Text(&c), Value::Text(&pad)];
        connection.change(&self.tables[table].insert, &row).await?;
        Ok(())
    }
}

impl<C: Connection> Transactions<C> for RowMix {
    async fn run(&mut self, connection: &mut C, _: usize, _: u32) -> Result<Done, DbError> {
        if self.mix == Mix::PointSelect {
            self.point(connection, 1).await?;
            return Ok(Done::Committed);
        }
        let (reads, writes) = (self.mix != Mix::WriteOnly, self.mix != Mix::ReadOnly);
        connection.begin(writes).await?;
        if reads {
            self.read(connection).await?;
        }
        if writes {
            self.write(connection).await?;
        }
        connection.commit().await?;
        Ok(Done::Committed)
    }
}
