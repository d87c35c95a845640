//! The nine tables and what is in them at the beginning [1.3, 4.3.3].

use super::{C_NAME_FILL, Size, last_name, nurand};
use crate::bench::control::Control;
use crate::bench::database::{Connection, Dialect, Filler, Stopped, Tables, letters};

const SEED: u64 = 0x7BCC_5EED;

/// Columns of each table, in the order of [`super::TABLES`].
fn definitions(dialect: Dialect) -> [String; 9] {
    let decimal = |digits, fraction| dialect.decimal(digits, fraction);
    let (rate, money, moment) = (decimal(4, 4), decimal(12, 2), dialect.moment());
    let address = |p: &str| {
        format!(
            "{p}_street_1 VARCHAR(20), {p}_street_2 VARCHAR(20), {p}_city VARCHAR(20), {p}_state CHAR(2), {p}_zip CHAR(9)"
        )
    };
    let (w, d, c) = (address("w"), address("d"), address("c"));
    let dist: String = (1..=10).map(|n| format!("s_dist_{n:02} CHAR(24), ")).collect();
    let (price, amount) = (decimal(5, 2), decimal(6, 2));
    [
        format!(
            "i_id INTEGER NOT NULL, i_im_id INTEGER, i_name VARCHAR(24), i_price {price}, i_data VARCHAR(50), \
             PRIMARY KEY (i_id)"
        ),
        format!("w_id INTEGER NOT NULL, w_name VARCHAR(10), {w}, w_tax {rate}, w_ytd {money}, PRIMARY KEY (w_id)"),
        format!(
            "s_w_id INTEGER NOT NULL, s_i_id INTEGER NOT NULL, s_quantity INTEGER, {dist}s_ytd INTEGER, s_order_cnt \
             INTEGER, s_remote_cnt INTEGER, s_data VARCHAR(50), PRIMARY KEY (s_w_id, s_i_id)"
        ),
        format!(
            "d_w_id INTEGER NOT NULL, d_id INTEGER NOT NULL, d_name VARCHAR(10), {d}, d_tax {rate}, d_ytd {money}, \
             d_next_o_id INTEGER, PRIMARY KEY (d_w_id, d_id)"
        ),
        format!(
            "c_w_id INTEGER NOT NULL, c_d_id INTEGER NOT NULL, c_id INTEGER NOT NULL, c_first VARCHAR(16), c_middle \
             CHAR(2), c_last VARCHAR(16), {c}, c_phone CHAR(16), c_since {moment}, c_credit CHAR(2), c_credit_lim \
             {money}, c_discount {rate}, c_balance {money}, c_ytd_payment {money}, c_payment_cnt INTEGER, \
             c_delivery_cnt INTEGER, c_data VARCHAR(500), PRIMARY KEY (c_w_id, c_d_id, c_id)"
        ),
        format!(
            "h_c_id INTEGER, h_c_d_id INTEGER, h_c_w_id INTEGER, h_d_id INTEGER, h_w_id INTEGER, h_date {moment}, \
             h_amount {amount}, h_data VARCHAR(24)"
        ),
        format!(
            "o_w_id INTEGER NOT NULL, o_d_id INTEGER NOT NULL, o_id INTEGER NOT NULL, o_c_id INTEGER, o_entry_d \
             {moment}, o_carrier_id INTEGER, o_ol_cnt INTEGER, o_all_local INTEGER, PRIMARY KEY (o_w_id, o_d_id, o_id)"
        ),
        "no_w_id INTEGER NOT NULL, no_d_id INTEGER NOT NULL, no_o_id INTEGER NOT NULL, \
         PRIMARY KEY (no_w_id, no_d_id, no_o_id)"
            .to_owned(),
        format!(
            "ol_w_id INTEGER NOT NULL, ol_d_id INTEGER NOT NULL, ol_o_id INTEGER NOT NULL, ol_number INTEGER NOT NULL, \
             ol_i_id INTEGER, ol_supply_w_id INTEGER, ol_delivery_d {moment}, ol_quantity INTEGER, ol_amount {amount}, \
             ol_dist_info CHAR(24), PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)"
        ),
    ]
}

/// Makes and fills the tables; their full names in the order of [`super::TABLES`].
///
/// # Errors
/// When the database refuses, or the user stops.
pub async fn fill<C: Connection>(
    tables: &mut Tables<C>,
    size: Size,
    control: &Control,
    told: impl Fn(f64),
) -> Result<Vec<String>, Stopped> {
    let mut made = Vec::new();
    for (name, definition) in super::TABLES.iter().zip(definitions(C::DIALECT)) {
        made.push(tables.create(name, &definition).await?);
    }
    let mut fill =
        Fill { connection: tables.connection(), control, size, random: fastrand::Rng::with_seed(SEED), made: &made };
    fill.items().await?;
    for warehouse in 1..=size.warehouses {
        fill.warehouse(warehouse).await?;
        fill.stock(warehouse).await?;
        for district in 1..=size.districts {
            fill.customers(warehouse, district).await?;
            fill.orders(warehouse, district).await?;
            let done = f64::from((warehouse - 1) * size.districts + district);
            told(done / f64::from(size.warehouses * size.districts));
        }
    }
    let connection = tables.connection();
    let (customer, orders) = (&made[4], &made[6]);
    for index in [
        format!("CREATE INDEX {customer}_name ON {customer} (c_w_id, c_d_id, c_last, c_first)"),
        format!("CREATE INDEX {orders}_customer ON {orders} (o_w_id, o_d_id, o_c_id, o_id)"),
    ] {
        connection.simple(&index).await?;
    }
    for table in &made {
        connection.simple(&C::DIALECT.analyze(table)).await?;
    }
    Ok(made)
}

struct Fill<'a, C> {
    connection: &'a mut C,
    control: &'a Control,
    size: Size,
    random: fastrand::Rng,
    made: &'a [String],
}

impl<C: Connection> Fill<'_, C> {
    fn text(&mut self, least: usize, most: usize) -> String {
        let length = self.random.usize(least..=most);
        letters(&mut self.random, length)
    }

    /// Text of which every tenth row is marked [4.3.3.1].
    fn data(&mut self) -> String {
        let mut data = self.text(26, 50);
        if self.random.u32(0..10) == 0 {
            let at = self.random.usize(0..=data.len() - 8);
            data.replace_range(at..at + 8, "ORIGINAL");
        }
        data
    }

    /// Streets, city, state and zip as literals.
    fn address(&mut self) -> String {
        let (street, more, city) = (self.text(10, 20), self.text(10, 20), self.text(10, 20));
        let (state, zip) = (letters(&mut self.random, 2), self.random.u32(0..10_000));
        format!("'{street}','{more}','{city}','{state}','{zip:04}11111'")
    }

    /// A rate from 0 to `most` ten-thousandths.
    fn rate(&mut self, most: u32) -> f64 {
        f64::from(self.random.u32(0..=most)) / 10_000.0
    }

    fn filler(&mut self, table: usize, columns: &str) -> Filler<'_, C> {
        Filler::new(self.connection, self.control, &self.made[table], columns)
    }

    async fn items(&mut self) -> Result<(), Stopped> {
        let mut rows = Vec::new();
        for id in 1..=self.size.items {
            let (name, data, image) = (self.text(14, 24), self.data(), self.random.u32(1..=10_000));
            let price = f64::from(self.random.u32(100..=10_000)) / 100.0;
            rows.push(format!("{id},{image},'{name}',{price:.2},'{data}'"));
        }
        self.send(0, "i_id, i_im_id, i_name, i_price, i_data", rows).await
    }

    async fn warehouse(&mut self, w: i32) -> Result<(), Stopped> {
        let (name, address, tax) = (self.text(6, 10), self.address(), self.rate(2000));
        let columns = "w_id, w_name, w_street_1, w_street_2, w_city, w_state, w_zip, w_tax, w_ytd";
        self.send(1, columns, vec![format!("{w},'{name}',{address},{tax:.4},300000.00")]).await?;
        let mut rows = Vec::new();
        for d in 1..=self.size.districts {
            let (name, address, tax) = (self.text(6, 10), self.address(), self.rate(2000));
            let next = self.size.customers + 1;
            rows.push(format!("{w},{d},'{name}',{address},{tax:.4},30000.00,{next}"));
        }
        let columns = "d_w_id, d_id, d_name, d_street_1, d_street_2, d_city, d_state, d_zip, d_tax, d_ytd, d_next_o_id";
        self.send(3, columns, rows).await
    }

    async fn stock(&mut self, w: i32) -> Result<(), Stopped> {
        let mut rows = Vec::new();
        for i in 1..=self.size.items {
            let (quantity, data) = (self.random.u32(10..=100), self.data());
            let dist: String = (0..10).map(|_| format!("'{}',", letters(&mut self.random, 24))).collect();
            rows.push(format!("{w},{i},{quantity},{dist}0,0,0,'{data}'"));
        }
        let dist: String = (1..=10).map(|n| format!("s_dist_{n:02}, ")).collect();
        let columns = format!("s_w_id, s_i_id, s_quantity, {dist}s_ytd, s_order_cnt, s_remote_cnt, s_data");
        self.send(2, &columns, rows).await
    }

    async fn customers(&mut self, w: i32, d: i32) -> Result<(), Stopped> {
        let (mut rows, mut history) = (Vec::new(), Vec::new());
        let names = self.size.last_names();
        for c in 1..=self.size.customers {
            let number = if c <= names { c - 1 } else { nurand(&mut self.random, 255, C_NAME_FILL, 0, names - 1) };
            let (last, first, address) = (last_name(number), self.text(8, 16), self.address());
            let phone = self.random.u64(0..10_000_000_000_000_000);
            let credit = if self.random.u32(0..10) == 0 { "BC" } else { "GC" };
            let (discount, data) = (self.rate(5000), self.text(300, 500));
            rows.push(format!(
                "{w},{d},{c},'{first}','OE','{last}',{address},'{phone:016}',CURRENT_TIMESTAMP,'{credit}',50000.00,\
                 {discount:.4},-10.00,10.00,1,0,'{data}'"
            ));
            let data = self.text(12, 24);
            history.push(format!("{c},{d},{w},{d},{w},CURRENT_TIMESTAMP,10.00,'{data}'"));
        }
        let columns = "c_w_id, c_d_id, c_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, \
                       c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance, c_ytd_payment, c_payment_cnt, \
                       c_delivery_cnt, c_data";
        self.send(4, columns, rows).await?;
        let columns = "h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data";
        self.send(5, columns, history).await
    }

    /// An order of each customer, in random order of the customers; the last ones are not delivered.
    async fn orders(&mut self, w: i32, d: i32) -> Result<(), Stopped> {
        let mut customers: Vec<i32> = (1..=self.size.customers).collect();
        self.random.shuffle(&mut customers);
        let (mut orders, mut new, mut lines) = (Vec::new(), Vec::new(), Vec::new());
        let delivered = self.size.customers - self.size.undelivered();
        for (o, c) in (1..).zip(customers) {
            let open = o > delivered;
            let carrier = if open { "NULL".to_owned() } else { self.random.u32(1..=10).to_string() };
            let count = self.random.i32(5..=15);
            orders.push(format!("{w},{d},{o},{c},CURRENT_TIMESTAMP,{carrier},{count},1"));
            if open {
                new.push(format!("{w},{d},{o}"));
            }
            for number in 1..=count {
                let item = self.random.i32(1..=self.size.items);
                let amount = if open { f64::from(self.random.u32(1..=999_999)) / 100.0 } else { 0.0 };
                let date = if open { "NULL" } else { "CURRENT_TIMESTAMP" };
                let info = letters(&mut self.random, 24);
                lines.push(format!("{w},{d},{o},{number},{item},{w},{date},5,{amount:.2},'{info}'"));
            }
        }
        let columns = "o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local";
        self.send(6, columns, orders).await?;
        self.send(7, "no_w_id, no_d_id, no_o_id", new).await?;
        let columns = "ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, \
                       ol_amount, ol_dist_info";
        self.send(8, columns, lines).await
    }

    async fn send(&mut self, table: usize, columns: &str, rows: Vec<String>) -> Result<(), Stopped> {
        let mut filler = self.filler(table, columns);
        for row in rows {
            filler.row(format_args!("{row}")).await?;
        }
        filler.flush().await
    }
}
