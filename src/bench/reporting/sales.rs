//! A year of sales, and what is asked of it.

use crate::bench::control::Control;
use crate::bench::database::{Connection, Filler, Stopped, Tables, letters};

const SEED: u64 = 0x5A1E_5EED;
const REGIONS: u32 = 12;
const SEGMENTS: u32 = 5;
const CATEGORIES: u32 = 25;
const MONTHS: u32 = 12;

/// How many rows there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub customers: u32,
    pub products: u32,
    pub sales: u32,
}

impl Size {
    /// A hundred thousand sales for each unit of the scale, to customers who buy 20 times.
    pub fn of(scale: u32) -> Self {
        let sales = scale.saturating_mul(100_000);
        Self { customers: sales / 20, products: 2_000, sales }
    }
}

/// Names of the tables, without the prefix.
pub fn names() -> Vec<String> {
    ["buyer", "product", "sale"].map(str::to_owned).to_vec()
}

/// Makes and fills the tables; their full names.
///
/// # Errors
/// When the database refuses, or the user stops.
pub async fn fill<C: Connection>(
    tables: &mut Tables<C>,
    size: Size,
    control: &Control,
    told: impl Fn(f64),
) -> Result<[String; 3], Stopped> {
    let money = C::DIALECT.decimal(10, 2);
    let buyer = "buyer_id INTEGER NOT NULL PRIMARY KEY, region INTEGER NOT NULL, segment INTEGER NOT NULL, \
                 name VARCHAR(24) NOT NULL";
    let buyer = tables.create("buyer", buyer).await?;
    let product = "product_id INTEGER NOT NULL PRIMARY KEY, category INTEGER NOT NULL, name VARCHAR(24) NOT NULL";
    let product = tables.create("product", &format!("{product}, cost {money} NOT NULL")).await?;
    let sale = "sale_id INTEGER NOT NULL PRIMARY KEY, buyer_id INTEGER NOT NULL, product_id INTEGER NOT NULL, \
                sale_month INTEGER NOT NULL, quantity INTEGER NOT NULL";
    let sale = tables.create("sale", &format!("{sale}, price {money} NOT NULL, note VARCHAR(64) NOT NULL")).await?;
    let mut random = fastrand::Rng::with_seed(SEED);
    let connection = tables.connection();
    let mut filler = Filler::new(connection, control, &buyer, "buyer_id, region, segment, name");
    for id in 1..=size.customers {
        let (region, segment) = (random.u32(1..=REGIONS), random.u32(1..=SEGMENTS));
        let name = letters(&mut random, 16);
        filler.row(format_args!("{id},{region},{segment},'{name}'")).await?;
    }
    filler.flush().await?;
    let mut filler = Filler::new(connection, control, &product, "product_id, category, name, cost");
    for id in 1..=size.products {
        let (category, cost) = (random.u32(1..=CATEGORIES), f64::from(random.u32(100..=10_000)) / 100.0);
        let name = letters(&mut random, 16);
        filler.row(format_args!("{id},{category},'{name}',{cost:.2}")).await?;
    }
    filler.flush().await?;
    let columns = "sale_id, buyer_id, product_id, sale_month, quantity, price, note";
    let mut filler = Filler::new(connection, control, &sale, columns);
    for id in 1..=size.sales {
        let (buyer, product) = (random.u32(1..=size.customers.max(1)), random.u32(1..=size.products));
        let (month, quantity) = (random.u32(1..=MONTHS), random.u32(1..=20));
        let price = f64::from(random.u32(200..=20_000)) / 100.0;
        let note = letters(&mut random, 48);
        filler.row(format_args!("{id},{buyer},{product},{month},{quantity},{price:.2},'{note}'")).await?;
        if id % 20_000 == 0 {
            told(f64::from(id) / f64::from(size.sales));
        }
    }
    filler.flush().await?;
    for table in [&buyer, &product, &sale] {
        connection.simple(&C::DIALECT.analyze(table)).await?;
    }
    Ok([buyer, product, sale])
}

/// The four queries with their names. Each reads every sale.
pub fn queries([buyer, product, sale]: &[String; 3]) -> [(&'static str, String); 4] {
    [
        (
            "revenue_by_region_and_month",
            format!(
                "SELECT b.region, s.sale_month, COUNT(*), SUM(s.quantity), SUM(s.quantity * s.price) FROM {sale} s \
                 JOIN {buyer} b ON b.buyer_id = s.buyer_id GROUP BY b.region, s.sale_month \
                 ORDER BY b.region, s.sale_month"
            ),
        ),
        (
            "best_buyers_of_each_region",
            format!(
                "SELECT r.region, r.place, r.buyer_id, r.revenue FROM (SELECT b.region, t.buyer_id, t.revenue, \
                 ROW_NUMBER() OVER (PARTITION BY b.region ORDER BY t.revenue DESC, t.buyer_id) AS place FROM \
                 (SELECT buyer_id, SUM(quantity * price) AS revenue FROM {sale} GROUP BY buyer_id) t \
                 JOIN {buyer} b ON b.buyer_id = t.buyer_id) r WHERE r.place <= 10 ORDER BY r.region, r.place"
            ),
        ),
        (
            "margin_of_products",
            format!(
                "SELECT p.category, p.product_id, SUM(s.quantity * (s.price - p.cost)), \
                 SUM(CASE WHEN s.price < p.cost THEN 1 ELSE 0 END) FROM {sale} s \
                 JOIN {product} p ON p.product_id = s.product_id GROUP BY p.category, p.product_id \
                 HAVING SUM(CASE WHEN s.price < p.cost THEN 1 ELSE 0 END) > 0 ORDER BY p.category, p.product_id"
            ),
        ),
        (
            "different_buyers_by_category",
            format!(
                "SELECT p.category, b.segment, COUNT(DISTINCT s.buyer_id), COUNT(DISTINCT s.note), AVG(s.price) \
                 FROM {sale} s JOIN {product} p ON p.product_id = s.product_id \
                 JOIN {buyer} b ON b.buyer_id = s.buyer_id GROUP BY p.category, b.segment \
                 ORDER BY p.category, b.segment"
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_only_read_our_tables() {
        let tables = ["vmfit_buyer", "vmfit_product", "vmfit_sale"].map(str::to_owned);
        for (name, text) in queries(&tables) {
            assert!(text.starts_with("SELECT ") && text.contains("vmfit_sale"), "{name}");
            for word in ["INSERT", "UPDATE", "DELETE", "$", ";"] {
                assert!(!text.contains(word), "{word} in {name}");
            }
        }
    }
}
