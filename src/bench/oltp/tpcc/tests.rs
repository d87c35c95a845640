//! Inputs of the mix.

use super::*;
use crate::bench::database::{Dialect, MySql, PostgreSql, SqlServer, Sqlite};
use statements::Statements;

#[test]
fn last_names_of_the_specification() {
    // Clause 4.3.2.3 gives 371 as PRICALLYOUGHT and 40 as BARPRESBAR.
    assert_eq!(last_name(371), "PRICALLYOUGHT");
    assert_eq!(last_name(40), "BARPRESBAR");
}

#[test]
fn the_constants_of_names_differ_as_asked() {
    let delta = C_NAME_RUN - C_NAME_FILL;
    assert!((65..=119).contains(&delta) && delta != 96 && delta != 112);
    assert!((0..=255).contains(&C_NAME_FILL) && (0..=255).contains(&C_NAME_RUN));
    assert!((0..=1023).contains(&C_CUSTOMER) && (0..=8191).contains(&C_ITEM));
}

#[test]
fn keys_stay_within_their_tables_and_have_hot_spots() {
    let mut random = fastrand::Rng::with_seed(1);
    let size = Size::of(1, 100_000);
    assert_eq!((size.customers, size.undelivered(), size.last_names()), (3000, 900, 1000));
    let mut counts = vec![0_u32; 3001];
    for _ in 0..300_000 {
        counts[usize::try_from(customer(&mut random, size)).unwrap()] += 1;
        assert!((1..=size.items).contains(&item(&mut random, size)));
    }
    assert_eq!(counts[0], 0);
    // Even draws would give each 100: the inclusive or of two draws has some often and some seldom.
    assert!(counts.iter().any(|&count| count > 300) && counts[1..].iter().any(|&count| count < 50));
}

#[test]
fn weights_are_those_of_the_mix() {
    assert_eq!(WEIGHTS.iter().sum::<u32>(), 100);
    assert_eq!((KINDS[NEW_ORDER], WEIGHTS[NEW_ORDER]), ("new_order", 45));
}

/// InnoDB's plain reads see the rows as they were at the first one of the transaction; the locking read that finds the
/// oldest order sees a younger one, whose customer a plain read would not find.
#[test]
fn what_was_found_by_a_locking_read_is_read_by_one() {
    let tables: Vec<String> = TABLES.iter().map(|name| format!("vmfit_{name}")).collect();
    let sql = Statements::new::<MySql>(&tables);
    for found in [&sql.oldest_order, &sql.order_customer, &sql.customer, &sql.customer_data, &sql.stock[0]] {
        assert!(found.as_str().ends_with(" FOR UPDATE"), "{}", found.as_str());
    }
}

/// SQL Server was not run: what only it writes is checked as text.
#[test]
fn statements_of_sql_server() {
    let tables: Vec<String> = TABLES.iter().map(|name| format!("vmfit_{name}")).collect();
    let sql = Statements::new::<SqlServer>(&tables);
    assert_eq!(
        sql.oldest_order.as_str(),
        "SELECT TOP (1) no_o_id FROM vmfit_new_order WITH (UPDLOCK, ROWLOCK) WHERE no_w_id = @P1 AND no_d_id = @P2 \
         ORDER BY no_o_id"
    );
    assert_eq!(
        sql.customers_by_name.as_str(),
        "SELECT c_id FROM vmfit_customer WHERE c_w_id = @P1 AND c_d_id = @P2 AND c_last = CAST(@P3 AS VARCHAR(16)) \
         ORDER BY c_first"
    );
    assert_eq!(
        sql.stock[9].as_str(),
        "SELECT s_quantity, s_dist_10, s_data FROM vmfit_stock WITH (UPDLOCK, ROWLOCK) WHERE s_w_id = @P1 AND s_i_id = \
         @P2"
    );
    assert_eq!(sql.warehouse_tax.as_str(), "SELECT CAST(w_tax AS FLOAT) FROM vmfit_warehouse WHERE w_id = @P1");
}

#[test]
fn statements_lock_what_they_change_in_each_engines_way() {
    let tables: Vec<String> = TABLES.iter().map(|name| format!("vmfit_{name}")).collect();
    let stock = |statements: Statements| statements.stock[0].as_str().to_owned();
    assert!(stock(Statements::new::<PostgreSql>(&tables)).ends_with("s_w_id = $1 AND s_i_id = $2 FOR UPDATE"));
    assert!(stock(Statements::new::<MySql>(&tables)).ends_with("s_w_id = ? AND s_i_id = ? FOR UPDATE"));
    assert!(stock(Statements::new::<Sqlite>(&tables)).ends_with("s_w_id = ?1 AND s_i_id = ?2"));
    assert_eq!(Dialect::Sqlite.begin(true), "BEGIN IMMEDIATE");
}
