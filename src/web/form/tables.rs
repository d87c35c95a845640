//! The tables of the form: their columns, what a new row holds, and what may be done with rows.

use serde_json::{Value, json};

use super::fields::{Field, pattern_of};
use super::tree;

/// A table of the form.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The place of its list with `*` for every number.
    pub pattern: &'static str,
    /// The names of its columns, in order; parts of a place below the row.
    pub columns: &'static [&'static str],
    /// Rows at most; the domain's own limit.
    pub most: usize,
}

/// Every table. A VM of the unit is a row too, shown as a block of its own.
pub const TABLES: &[Table] = &[
    Table { pattern: "host.nics", columns: &["speed_gbps", "count", "carries"], most: 32 },
    Table {
        pattern: "storage.pools",
        columns: &[
            "name",
            "raid",
            "disks",
            "disk_type",
            "disk_gb",
            "iops_per_disk",
            "read_cache_hit_percent",
            "write_cache",
        ],
        most: 64,
    },
    Table {
        pattern: "storage.pools.*.measured",
        columns: &["iops", "latency_ms", "read_percent", "io_kib", "outstanding"],
        most: 200,
    },
    Table {
        pattern: "storage.luns",
        columns: &["name", "label", "pool", "size_gib", "attach", "controller", "holds"],
        most: 1000,
    },
    Table { pattern: "unit", columns: &[], most: 16 },
    Table {
        pattern: "unit.*.vm.volumes",
        columns: &[
            "name",
            "role",
            "size_gib",
            "read_iops",
            "write_iops",
            "io_kib",
            "max_latency_ms",
            "attach",
            "controller",
        ],
        most: 64,
    },
];

impl Table {
    /// The table whose list is at a place.
    pub fn at(place: &str) -> Option<&'static Table> {
        let pattern = pattern_of(place);
        TABLES.iter().find(|table| table.pattern == pattern)
    }

    /// The field of a column.
    pub fn field(&self, column: &str) -> Option<&'static Field> {
        Field::at(&format!("{}.*.{column}", self.pattern))
    }
}

/// What a new row holds, so that a form that was complete stays so.
pub fn new_row(form: &Value, place: &str) -> Value {
    let number = tree::rows(form, place) + 1;
    match pattern_of(place).as_str() {
        "host.nics" => json!({ "speed_gbps": "1", "count": "1" }),
        "storage.pools" => json!({
            "name": free_name(form, place, "pool"), "raid": "raid10", "disks": "8", "disk_type": "hdd_15k", "disk_gb": "300",
        }),
        "storage.pools.*.measured" => json!({ "read_percent": "67", "io_kib": "8" }),
        "storage.luns" => json!({
            "name": free_name(form, place, "LUN"), "pool": tree::text(form, "storage.pools.0.name"), "size_gib": "100",
            "attach": "pass_through", "controller": "scsi", "holds": "any",
        }),
        "unit" => json!({ "count": "1", "vm": {
            "name": free_name(form, place, "VM"), "kind": "generic", "vcpus": "1", "memory_gib": "2",
        } }),
        "unit.*.vm.volumes" => json!({ "name": format!("Volume {number}"), "role": "data", "size_gib": "10" }),
        _ => json!({}),
    }
}

/// A name that no other row has: the wanted one with the next free number behind it.
fn free_name(form: &Value, place: &str, wanted: &str) -> String {
    let names: Vec<&str> = (0..tree::rows(form, place)).map(|row| row_name(form, place, row)).collect();
    let mut number = names.len() + 1;
    while names.contains(&format!("{wanted} {number}").as_str()) {
        number += 1;
    }
    format!("{wanted} {number}")
}

fn row_name<'a>(form: &'a Value, place: &str, row: usize) -> &'a str {
    let of = if place == "unit" { "vm.name" } else { "name" };
    tree::text(form, &format!("{place}.{row}.{of}"))
}

/// A copy of a row under a name that no other row has.
pub fn copied_row(form: &Value, place: &str, row: usize) -> Option<Value> {
    let mut copy = tree::get(form, &format!("{place}.{row}"))?.clone();
    let name = row_name(form, place, row);
    // Volumes and VMs may share a name; pools and LUNs are referred to by theirs.
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    if matches!(place, "storage.pools" | "storage.luns") && !name.is_empty() {
        let stem = if stem.is_empty() { name } else { stem };
        copy.as_object_mut()?.insert("name".to_owned(), Value::String(free_name(form, place, stem)));
    }
    Some(copy)
}
