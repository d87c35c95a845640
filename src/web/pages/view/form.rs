//! The form as the page shows it: sections of fields, and tables.

use serde_json::Value;

use super::field::FieldView;
use super::problems::Problems;
use crate::domain::ModelCatalog;
use crate::web::form::fields::Kind;
use crate::web::form::presets::{self, Preset};
use crate::web::form::tables::Table;
use crate::web::form::tree;

/// The whole form.
#[derive(Clone, Debug)]
pub struct FormView {
    pub name: Option<FieldView>,
    pub host: Vec<FieldView>,
    pub nics: Option<TableView>,
    pub pools: Option<TableView>,
    pub pool_details: Vec<PoolView>,
    pub luns: Option<TableView>,
    pub members: Vec<MemberView>,
    /// What a BizTalk group shall process.
    pub biztalk: Vec<FieldView>,
    /// Whether the unit has BizTalk servers, or something is filled in.
    pub biztalk_open: bool,
    pub overhead: OverheadView,
    pub policy: Vec<FieldView>,
    /// Whether the fold of the policy is open because something in it needs attention.
    pub policy_open: bool,
    /// Names of pools, to choose from.
    pub pool_names: Vec<String>,
    pub vm_presets: &'static [Preset],
}

/// A table of the form.
#[derive(Clone, Debug)]
pub struct TableView {
    pub place: String,
    /// What a row is: "pool".
    pub row: &'static str,
    pub columns: Vec<ColumnView>,
    pub rows: Vec<RowView>,
}

/// The head of a column.
#[derive(Clone, Debug)]
pub struct ColumnView {
    pub label: &'static str,
    pub unit: &'static str,
    pub number: bool,
}

/// A row of a table.
#[derive(Clone, Debug)]
pub struct RowView {
    pub place: String,
    /// How it is called: its name, or its number.
    pub name: String,
    pub cells: Vec<FieldView>,
}

/// What else is known about a pool.
#[derive(Clone, Debug)]
pub struct PoolView {
    pub name: String,
    pub measured: Option<TableView>,
    pub hyperconverged: Vec<FieldView>,
    pub open: bool,
    pub place: String,
}

/// One VM of the unit.
#[derive(Clone, Debug)]
pub struct MemberView {
    pub index: usize,
    pub place: String,
    pub title: String,
    pub main: Vec<FieldView>,
    pub volumes: Option<TableView>,
    pub more: Vec<FieldView>,
    /// Whether it can be removed: a unit has at least one VM.
    pub removable: bool,
}

/// The choice of the overhead model.
#[derive(Clone, Debug)]
pub struct OverheadView {
    pub models: Vec<ModelOption>,
    pub id: String,
    pub problem: String,
}

/// One overhead model to choose.
#[derive(Clone, Debug)]
pub struct ModelOption {
    pub value: String,
    pub name: String,
    pub chosen: bool,
}

const HOST: [&str; 10] = [
    "host.model",
    "host.count",
    "policy.spare_hosts",
    "host.sockets",
    "host.cores_per_socket",
    "host.threads_per_core",
    "host.memory_gib",
    "host.numa_nodes",
    "host.clock_ghz",
    "host.core_rating",
];
const MEMBER: [&str; 9] = [
    "vm.name",
    "vm.kind",
    "count",
    "vm.vcpus",
    "vm.memory_gib",
    "vm.cpu.busy_percent",
    "vm.cpu.of_cores",
    "vm.cpu.core_rating",
    "vm.cpu.spread_percent",
];
const MEMBER_MORE: [&str; 9] = [
    "vm.network_mb_s",
    "vm.backup.size_gib",
    "vm.backup.window_h",
    "vm.backup.compression_ratio",
    "vm.transactions.per_s",
    "vm.transactions.users",
    "vm.transactions.think_s",
    "vm.transactions.measured_response_ms",
    "vm.transactions.max_response_ms",
];
const POLICY: [&str; 11] = [
    "policy.cpu_target_percent",
    "policy.memory_target_percent",
    "policy.iops_target_percent",
    "policy.capacity_target_percent",
    "policy.network_target_percent",
    "policy.max_vcpus_per_thread",
    "policy.confidence_percent",
    "policy.growth_percent_per_year",
    "policy.years",
    "policy.root_memory_mib",
    "policy.root_cpu_percent",
];
const BIZTALK: [&str; 2] = ["biztalk.scenario", "biztalk.docs_per_s"];
const HYPERCONVERGED: [&str; 5] =
    ["flash_gb", "failures_to_tolerate", "slack_percent", "flash_latency_ms", "working_set_percent"];

impl FormView {
    pub fn new(form: &Value, problems: &Problems, models: &ModelCatalog) -> Self {
        let field = |place: &str| FieldView::new(form, problems, place);
        let pools = tree::rows(form, "storage.pools");
        // The parser wants at least one VM; an empty form shows one to fill in.
        let members = tree::rows(form, "unit").max(1);
        Self {
            name: field("name"),
            host: HOST.iter().filter_map(|place| field(place)).collect(),
            nics: TableView::new(form, problems, "host.nics", "adapter"),
            pools: TableView::new(form, problems, "storage.pools", "pool"),
            pool_details: (0..pools).map(|index| PoolView::new(form, problems, index)).collect(),
            luns: TableView::new(form, problems, "storage.luns", "LUN"),
            members: (0..members).map(|index| MemberView::new(form, problems, index, members > 1)).collect(),
            biztalk: BIZTALK.iter().filter_map(|place| field(place)).collect(),
            biztalk_open: tree::get(form, "biztalk").is_some()
                || problems.any_below("biztalk")
                || (0..members).any(|index| tree::text(form, &format!("unit.{index}.vm.kind")).starts_with("biztalk")),
            overhead: OverheadView::new(form, problems, models),
            policy: POLICY.iter().filter_map(|place| field(place)).collect(),
            policy_open: problems.any_below("policy"),
            pool_names: (0..pools)
                .map(|index| tree::text(form, &format!("storage.pools.{index}.name")).to_owned())
                .filter(|name| !name.is_empty())
                .collect(),
            vm_presets: presets::vms(),
        }
    }
}

impl TableView {
    fn new(form: &Value, problems: &Problems, place: &str, row: &'static str) -> Option<Self> {
        let table = Table::at(place)?;
        let column = |name: &&str| {
            let field = table.field(name)?;
            let number = matches!(field.kind, Kind::Number);
            Some(ColumnView { label: field.label, unit: field.unit(), number })
        };
        let rows = (0..tree::rows(form, place)).map(|index| {
            let at = format!("{place}.{index}");
            let name = match tree::text(form, &format!("{at}.name")) {
                "" => format!("{row} {}", index + 1),
                name => name.to_owned(),
            };
            let cell = |column: &&str| {
                let mut cell = FieldView::new(form, problems, &format!("{at}.{column}"))?;
                cell.spoken = format!("{} of {name}", cell.label);
                Some(cell)
            };
            RowView { cells: table.columns.iter().filter_map(cell).collect(), place: at, name }
        });
        Some(Self {
            place: place.to_owned(),
            row,
            columns: table.columns.iter().filter_map(column).collect(),
            rows: rows.collect(),
        })
    }
}

impl PoolView {
    fn new(form: &Value, problems: &Problems, index: usize) -> Self {
        let place = format!("storage.pools.{index}");
        let (measured, hyper) = (format!("{place}.measured"), format!("{place}.hyperconverged"));
        let name = tree::text(form, &format!("{place}.name"));
        Self {
            name: if name.is_empty() { format!("pool {}", index + 1) } else { name.to_owned() },
            open: tree::rows(form, &measured) > 0
                || tree::get(form, &hyper).is_some()
                || problems.any_below(&measured)
                || problems.any_below(&hyper),
            measured: TableView::new(form, problems, &measured, "measured point"),
            hyperconverged: HYPERCONVERGED
                .iter()
                .filter_map(|name| FieldView::new(form, problems, &format!("{hyper}.{name}")))
                .collect(),
            place,
        }
    }
}

impl MemberView {
    fn new(form: &Value, problems: &Problems, index: usize, removable: bool) -> Self {
        let place = format!("unit.{index}");
        let fields = |names: &[&str]| {
            names.iter().filter_map(|name| FieldView::new(form, problems, &format!("{place}.{name}"))).collect()
        };
        let name = tree::text(form, &format!("{place}.vm.name"));
        Self {
            index,
            title: if name.is_empty() { format!("VM {}", index + 1) } else { name.to_owned() },
            main: fields(&MEMBER),
            more: fields(&MEMBER_MORE),
            volumes: TableView::new(form, problems, &format!("{place}.vm.volumes"), "volume"),
            removable,
            place,
        }
    }
}

impl OverheadView {
    fn new(form: &Value, problems: &Problems, models: &ModelCatalog) -> Self {
        let value = match tree::text(form, "overhead") {
            "" => "none",
            text => text,
        };
        let known = models.get(value);
        let mut options: Vec<ModelOption> = models
            .iter()
            .map(|model| ModelOption { value: model.id.clone(), name: model.name.clone(), chosen: model.id == value })
            .collect();
        if known.is_none() {
            let name = if value.trim_start().starts_with('{') { "a model of this sizing's own" } else { value };
            options.push(ModelOption { value: value.to_owned(), name: name.to_owned(), chosen: true });
        }
        Self {
            models: options,
            id: known.map_or_else(String::new, |model| model.id.clone()),
            problem: problems.at("overhead").unwrap_or_default().to_owned(),
        }
    }
}
