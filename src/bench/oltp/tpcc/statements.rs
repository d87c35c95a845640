//! The statements of the five transactions.

use crate::bench::database::{Connection, Sql};

pub struct Statements {
    pub warehouse_tax: Sql,
    pub district_next: Sql,
    pub district_advance: Sql,
    pub customer_discount: Sql,
    pub insert_order: Sql,
    pub insert_new_order: Sql,
    pub item: Sql,
    /// By district: each has its own text in the stock.
    pub stock: Vec<Sql>,
    pub update_stock: Sql,
    pub insert_line: Sql,
    pub warehouse_pay: Sql,
    pub warehouse: Sql,
    pub district_pay: Sql,
    pub district: Sql,
    pub customers_by_name: Sql,
    pub customer: Sql,
    pub customer_data: Sql,
    pub customer_pay: Sql,
    pub customer_pay_data: Sql,
    pub insert_history: Sql,
    pub customer_status: Sql,
    pub last_order: Sql,
    pub lines: Sql,
    pub oldest_order: Sql,
    pub delete_new_order: Sql,
    pub order_customer: Sql,
    pub order_deliver: Sql,
    pub lines_deliver: Sql,
    pub lines_sum: Sql,
    pub customer_deliver: Sql,
    pub next_order: Sql,
    pub low_stock: Sql,
}

impl Statements {
    /// `tables` in the order of [`super::TABLES`].
    pub fn new<C: Connection>(tables: &[String]) -> Self {
        let dialect = C::DIALECT;
        let sql = |text: String| Sql::new(dialect, &text);
        let name = |number: usize| tables.get(number).map_or("", String::as_str);
        let (item, warehouse, stock, district, customer) = (name(0), name(1), name(2), name(3), name(4));
        let (history, orders, new_order, line) = (name(5), name(6), name(7), name(8));
        let (hint, lock) = (dialect.lock_hint(), dialect.for_update());
        let float = |column: &str| dialect.float(column);
        let last = dialect.plain_text("$3", 16);
        let (top, limit) = dialect.limited(1);
        let of_customer = "WHERE c_w_id = $1 AND c_d_id = $2 AND c_id = $3";
        Self {
            warehouse_tax: sql(format!("SELECT {} FROM {warehouse} WHERE w_id = $1", float("w_tax"))),
            district_next: sql(format!(
                "SELECT {}, d_next_o_id FROM {district}{hint} WHERE d_w_id = $1 AND d_id = $2{lock}",
                float("d_tax")
            )),
            district_advance: sql(format!(
                "UPDATE {district} SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = $1 AND d_id = $2"
            )),
            customer_discount: sql(format!(
                "SELECT {}, c_last, c_credit FROM {customer} {of_customer}",
                float("c_discount")
            )),
            insert_order: sql(format!(
                "INSERT INTO {orders} (o_w_id, o_d_id, o_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local) \
                 VALUES ($1, $2, $3, $4, CURRENT_TIMESTAMP, NULL, $5, $6)"
            )),
            insert_new_order: sql(format!("INSERT INTO {new_order} (no_w_id, no_d_id, no_o_id) VALUES ($1, $2, $3)")),
            item: sql(format!("SELECT {}, i_name, i_data FROM {item} WHERE i_id = $1", float("i_price"))),
            stock: (1..=10)
                .map(|d| {
                    sql(format!(
                        "SELECT s_quantity, s_dist_{d:02}, s_data FROM {stock}{hint} WHERE s_w_id = $1 AND s_i_id = \
                         $2{lock}"
                    ))
                })
                .collect(),
            update_stock: sql(format!(
                "UPDATE {stock} SET s_quantity = $1, s_ytd = s_ytd + $2, s_order_cnt = s_order_cnt + 1, s_remote_cnt = \
                 s_remote_cnt + $3 WHERE s_w_id = $4 AND s_i_id = $5"
            )),
            insert_line: sql(format!(
                "INSERT INTO {line} (ol_w_id, ol_d_id, ol_o_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, \
                 ol_amount, ol_dist_info) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
            )),
            warehouse_pay: sql(format!("UPDATE {warehouse} SET w_ytd = w_ytd + $1 WHERE w_id = $2")),
            warehouse: sql(format!(
                "SELECT w_name, w_street_1, w_street_2, w_city, w_state, w_zip FROM {warehouse} WHERE w_id = $1"
            )),
            district_pay: sql(format!("UPDATE {district} SET d_ytd = d_ytd + $1 WHERE d_w_id = $2 AND d_id = $3")),
            district: sql(format!(
                "SELECT d_name, d_street_1, d_street_2, d_city, d_state, d_zip FROM {district} WHERE d_w_id = $1 AND \
                 d_id = $2"
            )),
            customers_by_name: sql(format!(
                "SELECT c_id FROM {customer} WHERE c_w_id = $1 AND c_d_id = $2 AND c_last = {last} ORDER BY c_first"
            )),
            customer: sql(format!(
                "SELECT c_credit, {}, c_first, c_last, c_street_1, c_city, c_phone FROM {customer}{hint} \
                 {of_customer}{lock}",
                float("c_balance")
            )),
            customer_data: sql(format!("SELECT c_data FROM {customer}{hint} {of_customer}{lock}")),
            customer_pay: sql(format!(
                "UPDATE {customer} SET c_balance = c_balance - $1, c_ytd_payment = c_ytd_payment + $2, c_payment_cnt = \
                 c_payment_cnt + 1 WHERE c_w_id = $3 AND c_d_id = $4 AND c_id = $5"
            )),
            customer_pay_data: sql(format!(
                "UPDATE {customer} SET c_balance = c_balance - $1, c_ytd_payment = c_ytd_payment + $2, c_payment_cnt = \
                 c_payment_cnt + 1, c_data = $3 WHERE c_w_id = $4 AND c_d_id = $5 AND c_id = $6"
            )),
            insert_history: sql(format!(
                "INSERT INTO {history} (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data) VALUES \
                 ($1, $2, $3, $4, $5, CURRENT_TIMESTAMP, $6, $7)"
            )),
            customer_status: sql(format!(
                "SELECT {}, c_first, c_middle, c_last FROM {customer} {of_customer}",
                float("c_balance")
            )),
            last_order: sql(format!(
                "{top} o_id, o_carrier_id FROM {orders} WHERE o_w_id = $1 AND o_d_id = $2 AND o_c_id = $3 ORDER BY o_id \
                 DESC{limit}"
            )),
            lines: sql(format!(
                "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM {line} WHERE ol_w_id = $1 \
                 AND ol_d_id = $2 AND ol_o_id = $3"
            )),
            oldest_order: sql(format!(
                "{top} no_o_id FROM {new_order}{hint} WHERE no_w_id = $1 AND no_d_id = $2 ORDER BY no_o_id{limit}{lock}"
            )),
            delete_new_order: sql(format!(
                "DELETE FROM {new_order} WHERE no_w_id = $1 AND no_d_id = $2 AND no_o_id = $3"
            )),
            // Locked although the new order is: InnoDB's plain reads see the rows of the first one in the transaction, and the
            // order may be younger.
            order_customer: sql(format!(
                "SELECT o_c_id FROM {orders}{hint} WHERE o_w_id = $1 AND o_d_id = $2 AND o_id = $3{lock}"
            )),
            order_deliver: sql(format!(
                "UPDATE {orders} SET o_carrier_id = $1 WHERE o_w_id = $2 AND o_d_id = $3 AND o_id = $4"
            )),
            lines_deliver: sql(format!(
                "UPDATE {line} SET ol_delivery_d = CURRENT_TIMESTAMP WHERE ol_w_id = $1 AND ol_d_id = $2 AND ol_o_id = $3"
            )),
            lines_sum: sql(format!(
                "SELECT {} FROM {line} WHERE ol_w_id = $1 AND ol_d_id = $2 AND ol_o_id = $3",
                float("SUM(ol_amount)")
            )),
            customer_deliver: sql(format!(
                "UPDATE {customer} SET c_balance = c_balance + $1, c_delivery_cnt = c_delivery_cnt + 1 WHERE c_w_id = $2 \
                 AND c_d_id = $3 AND c_id = $4"
            )),
            next_order: sql(format!("SELECT d_next_o_id FROM {district} WHERE d_w_id = $1 AND d_id = $2")),
            low_stock: sql(format!(
                "SELECT COUNT(DISTINCT s_i_id) FROM {line} JOIN {stock} ON s_w_id = ol_w_id AND s_i_id = ol_i_id WHERE \
                 ol_w_id = $1 AND ol_d_id = $2 AND ol_o_id >= $3 AND ol_o_id < $4 AND s_quantity < $5"
            )),
        }
    }
}
