//! The five transactions [2.4 to 2.8].

use super::statements::Statements;
use super::{C_NAME_RUN, Size, customer, item, last_name, nurand};
use crate::bench::database::{Cell, Connection, DbError, Kind, Row, Sql, Value};
use crate::bench::oltp::load::{Done, Transactions};

const SEED: u64 = 0x7BCC_0001;
/// Longest data of a customer, characters.
const MOST_DATA: usize = 500;

/// What one connection does.
pub struct Tpcc {
    size: Size,
    sql: Statements,
    random: fastrand::Rng,
}

/// How a customer is found.
enum Who {
    Number(i32),
    LastName(String),
}

impl Tpcc {
    /// The mix of the `number`-th connection on these tables, in the order of [`super::TABLES`].
    pub fn new<C: Connection>(size: Size, tables: &[String], number: usize) -> Self {
        let random = fastrand::Rng::with_seed(SEED.wrapping_add(number as u64));
        Self { size, sql: Statements::new::<C>(tables), random }
    }

    fn percent(&mut self, share: u32) -> bool {
        self.random.u32(1..=100) <= share
    }

    fn district(&mut self) -> i32 {
        self.random.i32(1..=self.size.districts)
    }

    /// Another warehouse than this; the same when there is none.
    fn other_warehouse(&mut self, home: i32) -> i32 {
        match self.size.warehouses {
            1 => home,
            all => {
                let other = self.random.i32(1..all);
                if other >= home { other + 1 } else { other }
            }
        }
    }

    /// 60 % ask by last name [2.5.1.2].
    fn who(&mut self) -> Who {
        if self.percent(60) {
            let names = self.size.last_names();
            Who::LastName(last_name(nurand(&mut self.random, 255, C_NAME_RUN, 0, names - 1)))
        } else {
            Who::Number(customer(&mut self.random, self.size))
        }
    }

    /// Number of the customer: of several with that name, the one in the middle by first name [2.5.2.2].
    async fn find<C: Connection>(&self, connection: &mut C, w: i32, d: i32, who: Who) -> Result<i32, DbError> {
        match who {
            Who::Number(number) => Ok(number),
            Who::LastName(name) => {
                let key = [Value::Int(w), Value::Int(d), Value::Text(&name)];
                let found = connection.rows(&self.sql.customers_by_name, &key, &[Kind::Int]).await?;
                let middle = found.get(found.len().div_ceil(2).saturating_sub(1)).and_then(|row| row.first());
                Ok(middle.map_or(1, |cell| cell.int() as i32))
            }
        }
    }

    /// The only row of a query; missing rows are a broken table.
    async fn one<C: Connection>(
        connection: &mut C,
        sql: &Sql,
        values: &[Value<'_>],
        kinds: &[Kind],
    ) -> Result<Row, DbError> {
        let rows = connection.rows(sql, values, kinds).await?;
        rows.into_iter().next().ok_or_else(|| DbError::other(format!("no row for: {}", sql.as_str())))
    }

    /// An order of 5 to 15 items; of 100 orders one names an item that does not exist and is rolled back [2.4.1.4].
    async fn new_order<C: Connection>(&mut self, connection: &mut C, w: i32) -> Result<Done, DbError> {
        let (d, c, count) = (self.district(), customer(&mut self.random, self.size), self.random.i32(5..=15));
        let fails = self.percent(1);
        let lines: Vec<(i32, i32, i32)> = (1..=count)
            .map(|number| {
                let unused = fails && number == count;
                let item = if unused { self.size.items + 1 } else { item(&mut self.random, self.size) };
                let supply = if self.percent(1) { self.other_warehouse(w) } else { w };
                (item, supply, self.random.i32(1..=10))
            })
            .collect();
        let local = lines.iter().all(|(_, supply, _)| *supply == w);
        connection.begin(true).await?;
        Self::one(connection, &self.sql.warehouse_tax, &[Value::Int(w)], &[Kind::Float]).await?;
        let place = [Value::Int(w), Value::Int(d)];
        let next = Self::one(connection, &self.sql.district_next, &place, &[Kind::Float, Kind::Int]).await?;
        let o = next[1].int() as i32;
        connection.change(&self.sql.district_advance, &place).await?;
        let kinds = [Kind::Float, Kind::Text, Kind::Text];
        let key = [Value::Int(w), Value::Int(d), Value::Int(c)];
        Self::one(connection, &self.sql.customer_discount, &key, &kinds).await?;
        let key = [w, d, o, c, count, i32::from(local)].map(Value::Int);
        connection.change(&self.sql.insert_order, &key).await?;
        connection.change(&self.sql.insert_new_order, &[w, d, o].map(Value::Int)).await?;
        for (number, (item, supply, quantity)) in (1..).zip(lines) {
            let found = connection.rows(&self.sql.item, &[Value::Int(item)], &kinds).await?;
            let Some(price) = found.first().and_then(|row| row.first()).map(Cell::float) else {
                connection.roll_back().await?;
                return Ok(Done::RolledBack);
            };
            let key = [Value::Int(supply), Value::Int(item)];
            let stock = &self.sql.stock[(d - 1) as usize % self.sql.stock.len()];
            let stock = Self::one(connection, stock, &key, &[Kind::Int, Kind::Text, Kind::Text]).await?;
            let left = stock[0].int() as i32 - quantity;
            let left = if left < 10 { left + 91 } else { left };
            let remote = i32::from(supply != w);
            let values = [left, quantity, remote, supply, item].map(Value::Int);
            connection.change(&self.sql.update_stock, &values).await?;
            let info = stock[1].text();
            let values = [
                Value::Int(w),
                Value::Int(d),
                Value::Int(o),
                Value::Int(number),
                Value::Int(item),
                Value::Int(supply),
                Value::Int(quantity),
                Value::Float(price * f64::from(quantity)),
                Value::Text(&info),
            ];
            connection.change(&self.sql.insert_line, &values).await?;
        }
        connection.commit().await?;
        Ok(Done::Committed)
    }

    /// 15 % of the customers pay in another warehouse than their own [2.5.1.2].
    async fn payment<C: Connection>(&mut self, connection: &mut C, w: i32) -> Result<Done, DbError> {
        let d = self.district();
        let (c_w, c_d) = if self.percent(85) { (w, d) } else { (self.other_warehouse(w), self.district()) };
        let (who, amount) = (self.who(), f64::from(self.random.u32(100..=500_000)) / 100.0);
        connection.begin(true).await?;
        connection.change(&self.sql.warehouse_pay, &[Value::Float(amount), Value::Int(w)]).await?;
        let names = [Kind::Text; 6];
        let warehouse = Self::one(connection, &self.sql.warehouse, &[Value::Int(w)], &names).await?;
        connection.change(&self.sql.district_pay, &[Value::Float(amount), Value::Int(w), Value::Int(d)]).await?;
        let district = Self::one(connection, &self.sql.district, &[Value::Int(w), Value::Int(d)], &names).await?;
        let c = self.find(connection, c_w, c_d, who).await?;
        let key = [c_w, c_d, c].map(Value::Int);
        let kinds = [Kind::Text, Kind::Float, Kind::Text, Kind::Text, Kind::Text, Kind::Text, Kind::Text];
        let found = Self::one(connection, &self.sql.customer, &key, &kinds).await?;
        let money = Value::Float(amount);
        if found[0].text().trim() == "BC" {
            let old = Self::one(connection, &self.sql.customer_data, &key, &[Kind::Text]).await?[0].text();
            let data: String = format!("{c} {c_d} {c_w} {d} {w} {amount:.2} {old}").chars().take(MOST_DATA).collect();
            let values = [money, money, Value::Text(&data), key[0], key[1], key[2]];
            connection.change(&self.sql.customer_pay_data, &values).await?;
        } else {
            connection.change(&self.sql.customer_pay, &[money, money, key[0], key[1], key[2]]).await?;
        }
        let data = format!("{}    {}", warehouse[0].text(), district[0].text());
        let values =
            [Value::Int(c), Value::Int(c_d), Value::Int(c_w), Value::Int(d), Value::Int(w), money, Value::Text(&data)];
        connection.change(&self.sql.insert_history, &values).await?;
        connection.commit().await?;
        Ok(Done::Committed)
    }

    async fn order_status<C: Connection>(&mut self, connection: &mut C, w: i32) -> Result<Done, DbError> {
        let (d, who) = (self.district(), self.who());
        connection.begin(false).await?;
        let c = self.find(connection, w, d, who).await?;
        let key = [w, d, c].map(Value::Int);
        let kinds = [Kind::Float, Kind::Text, Kind::Text, Kind::Text];
        Self::one(connection, &self.sql.customer_status, &key, &kinds).await?;
        let last = connection.rows(&self.sql.last_order, &key, &[Kind::Int, Kind::Int]).await?;
        if let Some(o) = last.first().and_then(|row| row.first()) {
            let key = [Value::Int(w), Value::Int(d), Value::Int(o.int() as i32)];
            connection.drain(&self.sql.lines, &key).await?;
        }
        connection.commit().await?;
        Ok(Done::Committed)
    }

    /// The oldest order of every district; a district without one is passed over [2.7.4.2].
    async fn delivery<C: Connection>(&mut self, connection: &mut C, w: i32) -> Result<Done, DbError> {
        let carrier = self.random.i32(1..=10);
        connection.begin(true).await?;
        for d in 1..=self.size.districts {
            let oldest = connection.rows(&self.sql.oldest_order, &[w, d].map(Value::Int), &[Kind::Int]).await?;
            let Some(o) = oldest.first().and_then(|row| row.first()).map(|cell| cell.int() as i32) else { continue };
            let key = [w, d, o].map(Value::Int);
            if connection.change(&self.sql.delete_new_order, &key).await? == 0 {
                continue;
            }
            let c = Self::one(connection, &self.sql.order_customer, &key, &[Kind::Int]).await?[0].int() as i32;
            connection.change(&self.sql.order_deliver, &[carrier, w, d, o].map(Value::Int)).await?;
            connection.change(&self.sql.lines_deliver, &key).await?;
            let sum = Self::one(connection, &self.sql.lines_sum, &key, &[Kind::Float]).await?[0].float();
            let values = [Value::Float(sum), Value::Int(w), Value::Int(d), Value::Int(c)];
            connection.change(&self.sql.customer_deliver, &values).await?;
        }
        connection.commit().await?;
        Ok(Done::Committed)
    }

    /// Items of the last 20 orders of a district that run low [2.8.2.2].
    async fn stock_level<C: Connection>(&mut self, connection: &mut C, w: i32, d: i32) -> Result<Done, DbError> {
        let least = self.random.i32(10..=20);
        connection.begin(false).await?;
        let place = [w, d].map(Value::Int);
        let next = Self::one(connection, &self.sql.next_order, &place, &[Kind::Int]).await?[0].int() as i32;
        connection.rows(&self.sql.low_stock, &[w, d, next - 20, next, least].map(Value::Int), &[Kind::Int]).await?;
        connection.commit().await?;
        Ok(Done::Committed)
    }
}

impl<C: Connection> Transactions<C> for Tpcc {
    /// Each user has a warehouse, and for the stock level a district of it [2.4.1.1, 2.8.1.1].
    async fn run(&mut self, connection: &mut C, kind: usize, user: u32) -> Result<Done, DbError> {
        let user = i32::try_from(user).unwrap_or(0);
        let w = user % self.size.warehouses + 1;
        let d = user / self.size.warehouses % self.size.districts + 1;
        match kind {
            0 => self.new_order(connection, w).await,
            1 => self.payment(connection, w).await,
            2 => self.order_status(connection, w).await,
            3 => self.delivery(connection, w).await,
            _ => self.stock_level(connection, w, d).await,
        }
    }
}
