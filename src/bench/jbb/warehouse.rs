//! A warehouse in memory, and what is done with it.

use std::collections::{BTreeMap, VecDeque};

/// What a clerk does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transaction {
    NewOrder,
    Payment,
    OrderStatus,
    Delivery,
    StockLevel,
    CustomerReport,
}

/// Shares of the transactions, in tenths of a percent, as they were measured in SPECjbb2005 runs.
pub const MIX: [(Transaction, u32); 6] = [
    (Transaction::NewOrder, 439),
    (Transaction::Payment, 303),
    (Transaction::OrderStatus, 30),
    (Transaction::Delivery, 30),
    (Transaction::StockLevel, 30),
    (Transaction::CustomerReport, 167),
];

impl Transaction {
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewOrder => "new_order",
            Self::Payment => "payment",
            Self::OrderStatus => "order_status",
            Self::Delivery => "delivery",
            Self::StockLevel => "stock_level",
            Self::CustomerReport => "customer_report",
        }
    }
}

// Numbers of rows as in TPC-C (clause 1.2), items and customers a tenth as SPECjbb has them in memory.
const DISTRICTS: usize = 10;
const CUSTOMERS: usize = 300;
const ITEMS: usize = 20_000;
/// Orders that a district keeps; older ones that were delivered go.
const KEPT_ORDERS: usize = 300;
/// Payments that a customer keeps.
const KEPT_PAYMENTS: usize = 10;
const LEAST_LINES: usize = 5;
const MOST_LINES: usize = 15;
/// Stock below this is short; restocked by a hundred less (TPC-C clause 2.4.2.2).
const SHORT: u32 = 10;
const RESTOCK: u32 = 91;
/// Orders that a look at the stock goes back (TPC-C clause 2.8.2.2).
const RECENT: usize = 20;

struct Item {
    price_cents: u64,
    stock: u32,
    sold: u64,
    data: String,
}

struct Line {
    item: usize,
    quantity: u32,
    amount_cents: u64,
    delivered: bool,
}

struct Order {
    customer: usize,
    lines: Vec<Line>,
    carrier: Option<u32>,
}

#[derive(Default)]
struct Customer {
    last_name: String,
    balance_cents: i64,
    payments: VecDeque<i64>,
    last_order: Option<u64>,
}

struct District {
    customers: Vec<Customer>,
    by_name: BTreeMap<String, Vec<usize>>,
    orders: BTreeMap<u64, Order>,
    undelivered: VecDeque<u64>,
    next_order: u64,
    year_to_date_cents: i64,
}

/// One warehouse with its districts, customers, orders and stock.
pub struct Warehouse {
    items: Vec<Item>,
    districts: Vec<District>,
    random: fastrand::Rng,
    /// What reports add up: work whose result is used cannot be left out.
    pub reported: i64,
}

/// Last names are put together of three syllables by the digits of a number (TPC-C clause 4.3.2.3).
const SYLLABLES: [&str; 10] = ["BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"];

fn last_name(number: usize) -> String {
    [number / 100 % 10, number / 10 % 10, number % 10].map(|digit| SYLLABLES[digit]).concat()
}

impl Warehouse {
    pub fn new(seed: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed);
        let items = (0..ITEMS)
            .map(|_| Item {
                price_cents: random.u64(100..=10_000),
                stock: random.u32(10..=100),
                sold: 0,
                data: (0..random.usize(26..=50)).map(|_| random.alphanumeric()).collect(),
            })
            .collect();
        let districts = (0..DISTRICTS).map(|_| District::new()).collect();
        Self { items, districts, random, reported: 0 }
    }

    /// The next transaction by the mix.
    pub fn choose(&mut self) -> Transaction {
        let all: u32 = MIX.iter().map(|(_, share)| share).sum();
        let mut drawn = self.random.u32(..all);
        for (kind, share) in MIX {
            if drawn < share {
                return kind;
            }
            drawn -= share;
        }
        Transaction::NewOrder
    }

    pub fn perform(&mut self, kind: Transaction) {
        match kind {
            Transaction::NewOrder => self.new_order(),
            Transaction::Payment => self.payment(),
            Transaction::OrderStatus => self.order_status(),
            Transaction::Delivery => self.delivery(),
            Transaction::StockLevel => self.stock_level(),
            Transaction::CustomerReport => self.customer_report(),
        }
    }

    fn new_order(&mut self) {
        let Self { items, districts, random, .. } = self;
        let district = &mut districts[random.usize(..DISTRICTS)];
        let customer = random.usize(..CUSTOMERS);
        let lines = (0..random.usize(LEAST_LINES..=MOST_LINES)).map(|_| {
            let (item, quantity) = (random.usize(..ITEMS), random.u32(1..=10));
            let stocked = &mut items[item];
            stocked.stock = match stocked.stock.checked_sub(quantity) {
                Some(left) if left >= SHORT => left,
                _ => stocked.stock + RESTOCK - quantity,
            };
            stocked.sold += u64::from(quantity);
            Line { item, quantity, amount_cents: stocked.price_cents * u64::from(quantity), delivered: false }
        });
        let order = Order { customer, lines: lines.collect(), carrier: None };
        let number = district.next_order;
        district.next_order += 1;
        district.customers[customer].last_order = Some(number);
        district.orders.insert(number, order);
        district.undelivered.push_back(number);
        district.forget_old();
    }

    fn payment(&mut self) {
        let Self { districts, random, .. } = self;
        let district = &mut districts[random.usize(..DISTRICTS)];
        let amount = random.i64(100..=500_000);
        let customer = district.find(random);
        district.year_to_date_cents += amount;
        let customer = &mut district.customers[customer];
        customer.balance_cents -= amount;
        customer.payments.push_back(amount);
        if customer.payments.len() > KEPT_PAYMENTS {
            customer.payments.pop_front();
        }
    }

    fn order_status(&mut self) {
        let Self { districts, random, reported, .. } = self;
        let district = &districts[random.usize(..DISTRICTS)];
        let customer = &district.customers[district.find(random)];
        let order = customer.last_order.and_then(|number| district.orders.get(&number));
        let amount: u64 = order.iter().flat_map(|order| &order.lines).map(|line| line.amount_cents).sum();
        *reported += customer.balance_cents + amount as i64;
    }

    /// The oldest order of each district that is not delivered yet.
    fn delivery(&mut self) {
        let carrier = self.random.u32(1..=10);
        for district in &mut self.districts {
            let Some(order) = district.undelivered.pop_front().and_then(|number| district.orders.get_mut(&number))
            else {
                continue;
            };
            order.carrier = Some(carrier);
            let mut amount = 0;
            for line in &mut order.lines {
                line.delivered = true;
                amount += line.amount_cents;
            }
            district.customers[order.customer].balance_cents += amount as i64;
        }
    }

    /// Items of recent orders that are short.
    fn stock_level(&mut self) {
        let Self { items, districts, random, reported } = self;
        let district = &districts[random.usize(..DISTRICTS)];
        let limit = random.u32(10..=20);
        let recent = district.orders.values().rev().take(RECENT);
        let mut short: Vec<usize> =
            recent.flat_map(|order| &order.lines).map(|line| line.item).filter(|&i| items[i].stock < limit).collect();
        short.sort_unstable();
        short.dedup();
        *reported += short.iter().map(|&item| items[item].data.len() as i64).sum::<i64>();
    }

    /// What a customer paid and ordered.
    fn customer_report(&mut self) {
        let Self { districts, random, reported, .. } = self;
        let district = &districts[random.usize(..DISTRICTS)];
        let number = random.usize(..CUSTOMERS);
        let customer = &district.customers[number];
        let paid: i64 = customer.payments.iter().sum();
        let orders = district.orders.values().filter(|order| order.customer == number);
        let ordered: u64 =
            orders.flat_map(|order| &order.lines).map(|line| line.amount_cents * u64::from(line.quantity > 0)).sum();
        *reported += paid - ordered as i64 + customer.last_name.len() as i64;
    }
}

impl District {
    fn new() -> Self {
        let customers: Vec<Customer> = (0..CUSTOMERS)
            .map(|number| Customer { last_name: last_name(number % 100), ..Customer::default() })
            .collect();
        let mut by_name: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (number, customer) in customers.iter().enumerate() {
            by_name.entry(customer.last_name.clone()).or_default().push(number);
        }
        let (orders, undelivered) = (BTreeMap::new(), VecDeque::new());
        Self { customers, by_name, orders, undelivered, next_order: 0, year_to_date_cents: 0 }
    }

    /// A customer: by name in 60 of 100 times, then the one in the middle of those (TPC-C clause 2.5.1.2); else by number.
    fn find(&self, random: &mut fastrand::Rng) -> usize {
        if random.u32(..100) >= 60 {
            return random.usize(..CUSTOMERS);
        }
        let named = self.by_name.get(&last_name(random.usize(..100)));
        named.and_then(|numbers| numbers.get(numbers.len() / 2)).copied().unwrap_or(0)
    }

    /// Old orders go, delivered or not: memory stays the same however long the load lasts.
    fn forget_old(&mut self) {
        let old = if self.orders.len() > KEPT_ORDERS { self.orders.pop_first() } else { None };
        if old.is_some_and(|(number, _)| self.undelivered.front() == Some(&number)) {
            self.undelivered.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mix_is_as_published() {
        assert_eq!(MIX.iter().map(|(_, share)| share).sum::<u32>(), 999);
        let mut warehouse = Warehouse::new(1);
        let orders = (0..100_000).filter(|_| warehouse.choose() == Transaction::NewOrder).count();
        // 43 944 are expected; 6 standard deviations are 942.
        assert!(orders.abs_diff(43_944) < 942, "{orders}");
        for (at, (kind, _)) in MIX.iter().enumerate() {
            assert_eq!(*kind as usize, at);
        }
    }

    #[test]
    fn an_order_takes_stock_and_is_delivered_once() {
        let mut warehouse = Warehouse::new(7);
        warehouse.perform(Transaction::NewOrder);
        let sold: u64 = warehouse.items.iter().map(|item| item.sold).sum();
        let district = warehouse.districts.iter().find(|district| !district.orders.is_empty()).unwrap();
        let order = district.orders.values().next().unwrap();
        assert_eq!(order.lines.iter().map(|line| u64::from(line.quantity)).sum::<u64>(), sold);
        let owed: i64 = order.lines.iter().map(|line| line.amount_cents as i64).sum();
        warehouse.perform(Transaction::Delivery);
        warehouse.perform(Transaction::Delivery);
        let balance = |warehouse: &Warehouse| -> i64 {
            warehouse.districts.iter().flat_map(|d| &d.customers).map(|customer| customer.balance_cents).sum()
        };
        assert_eq!(balance(&warehouse), owed);
        let delivered = |order: &Order| order.carrier.is_some() && order.lines.iter().all(|line| line.delivered);
        assert!(warehouse.districts.iter().flat_map(|d| d.orders.values()).all(delivered));
    }

    #[test]
    fn payments_balance_and_memory_is_bounded() {
        let mut warehouse = Warehouse::new(3);
        for _ in 0..20_000 {
            let kind = warehouse.choose();
            warehouse.perform(kind);
        }
        let districts = &warehouse.districts;
        assert!(districts.iter().all(|d| d.orders.len() <= KEPT_ORDERS));
        assert!(districts.iter().all(|d| d.undelivered.iter().all(|number| d.orders.contains_key(number))));
        assert!(districts.iter().all(|d| d.year_to_date_cents > 0));
        assert!(warehouse.items.iter().all(|item| item.stock <= 200));
        assert_ne!(warehouse.reported, 0);
    }

    #[test]
    fn names_follow_the_digits() {
        assert_eq!(last_name(371), "PRICALLYOUGHT");
    }
}
