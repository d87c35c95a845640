//! What was asked, as tables: every value that was given, and the defaults that stand in for the rest, marked as such.

use serde_json::Value as Json;

use crate::domain::input::{
    HostInput, LunInput, OverheadChoice, PolicyInput, PoolInput, ScenarioInput, UnitInput, VmInput,
};
use crate::domain::rules;
use crate::domain::scenario::Policy;

use super::super::words::{Word, number, plain, say};
use super::{Cell, Kind, Table, choice};
use Kind::{Figures, Text};

/// The tables of a scenario as it was sent. A scenario of another version, which cannot be read, gives none.
pub fn inputs(scenario: &Json) -> Vec<Table> {
    let Ok(input) = serde_json::from_value::<ScenarioInput>(scenario.clone()) else { return Vec::new() };
    let mut tables = Vec::new();
    tables.extend(input.host.as_ref().map(host));
    tables.extend(input.host.as_ref().and_then(adapters));
    if let Some(storage) = &input.storage {
        let pools = storage.pools.as_deref().unwrap_or_default();
        tables.push(self::pools(pools));
        tables.extend(hyperconverged(pools));
        tables.extend(measured(pools));
        tables.extend(storage.luns.as_deref().and_then(luns));
    }
    let unit = input.unit.as_deref().unwrap_or_default();
    tables.push(vms(unit));
    tables.extend(volumes(unit));
    tables.extend(loads(unit));
    tables.push(policy(&input.policy.unwrap_or_default(), input.overhead.as_ref()));
    tables.retain(|table| !table.rows.is_empty());
    let cells = tables.iter_mut().flat_map(|table| table.rows.iter_mut().flatten());
    cells.for_each(|cell| cell.exact = true);
    tables
}

/// Rows of a name and a value.
fn pairs(title: &str, rows: Vec<(&str, Cell)>) -> Table {
    let mut table = Table::new(title, &[("property", Text(2.0)), ("value", Figures)]);
    table.properties = true;
    table.rows = rows.into_iter().map(|(key, cell)| vec![Cell::text(plain(&format!("row-{key}"))), cell]).collect();
    table
}

fn host(host: &HostInput) -> Table {
    let text = |text: &Option<String>| text.as_deref().map_or_else(Cell::nothing, Cell::text);
    pairs(
        "table-host",
        vec![
            ("model", text(&host.model)),
            ("hosts", Cell::or_default(host.count, 1.0)),
            ("sockets", Cell::maybe(host.sockets)),
            ("cores", Cell::maybe(host.cores_per_socket)),
            ("threads", Cell::or_default(host.threads_per_core, 1.0)),
            ("clock", Cell::maybe(host.clock_ghz)),
            ("rating", Cell::or_default(host.core_rating, 1.0)),
            ("memory", Cell::maybe(host.memory_gib)),
            ("numa", Cell::maybe(host.numa_nodes)),
        ],
    )
}

fn adapters(host: &HostInput) -> Option<Table> {
    let mut table = Table::new("table-adapters", &[("speed", Figures), ("adapters", Figures), ("carries", Text(2.0))]);
    for nic in host.nics.as_deref()? {
        let carries = match &nic.carries {
            Some(uses) => Cell::text(uses.iter().map(|u| choice(u.as_str())).collect::<Vec<_>>().join(", ")),
            None => Cell::text(format!("{}, {}", choice("vm"), choice("backup"))).marked("note-default"),
        };
        table.rows.push(vec![Cell::maybe(nic.speed_gbps), Cell::or_default(nic.count, 1.0), carries]);
    }
    Some(table)
}

fn pools(pools: &[PoolInput]) -> Table {
    let mut table = Table::new(
        "table-pools",
        &[
            ("pool", Text(1.4)),
            ("raid", Text(1.0)),
            ("disks", Figures),
            ("disk-type", Text(1.1)),
            ("disk-gb", Figures),
            ("iops-per-disk", Figures),
            ("write-cache", Text(0.9)),
            ("read-cache", Figures),
        ],
    );
    for pool in pools {
        let rule = pool.disk_type.and_then(rules::disk_iops);
        let iops = match (pool.iops_per_disk, &pool.measured, rule) {
            (Some(iops), ..) => Cell::number(iops),
            (None, Some(_), _) => Cell::text(plain("cell-measured")),
            (None, None, Some(rule)) => Cell::number(rule.range.likely()).marked("note-rule"),
            (None, None, None) => Cell::nothing(),
        };
        let cache = match pool.write_cache {
            Some(true) => Cell::text(plain("cell-yes")),
            Some(false) => Cell::text(plain("cell-no")),
            None => Cell::text(plain("cell-no")).marked("note-default"),
        };
        table.rows.push(vec![
            named(&pool.name),
            Cell::text(pool.raid.map_or_else(String::new, |raid| choice(raid.as_str()))),
            Cell::maybe(pool.disks),
            Cell::text(pool.disk_type.map_or_else(String::new, |disk| choice(disk.as_str()))),
            Cell::maybe(pool.disk_gb),
            iops,
            cache,
            Cell::or_default(pool.read_cache_hit_percent, 0.0),
        ]);
    }
    table
}

fn hyperconverged(pools: &[PoolInput]) -> Option<Table> {
    let mut table = Table::new(
        "table-hyperconverged",
        &[
            ("pool", Text(1.4)),
            ("failures", Figures),
            ("slack", Figures),
            ("flash-gb", Figures),
            ("flash-ms", Figures),
            ("working-set", Figures),
        ],
    );
    for pool in pools {
        let Some(own) = &pool.hyperconverged else { continue };
        table.rows.push(vec![
            named(&pool.name),
            Cell::or_default(own.failures_to_tolerate, 1.0),
            Cell::or_default(own.slack_percent, 30.0),
            Cell::maybe(own.flash_gb),
            Cell::or_default(own.flash_latency_ms, 1.0),
            Cell::or_default(own.working_set_percent, 100.0),
        ]);
    }
    Some(table)
}

fn measured(pools: &[PoolInput]) -> Option<Table> {
    let mut table = Table::new(
        "table-measured",
        &[
            ("pool", Text(1.4)),
            ("iops", Figures),
            ("read-percent", Figures),
            ("io-kib", Figures),
            ("outstanding", Figures),
            ("latency-ms", Figures),
        ],
    );
    for pool in pools {
        for point in pool.measured.as_ref().map(|m| m.points()).unwrap_or_default() {
            table.rows.push(vec![
                named(&pool.name),
                Cell::maybe(point.iops),
                Cell::or_default(point.read_percent, 100.0),
                Cell::maybe(point.io_kib),
                Cell::maybe(point.outstanding),
                Cell::maybe(point.latency_ms),
            ]);
        }
    }
    Some(table)
}

fn luns(luns: &[LunInput]) -> Option<Table> {
    let mut table = Table::new(
        "table-luns",
        &[
            ("lun", Text(0.8)),
            ("label", Text(1.4)),
            ("pool", Text(0.9)),
            ("size-gib", Figures),
            ("attach", Text(1.1)),
            ("controller", Text(1.0)),
            ("holds", Text(1.3)),
        ],
    );
    for lun in luns {
        let holds = match &lun.holds {
            Some(roles) => Cell::text(roles.iter().map(|r| choice(r.as_str())).collect::<Vec<_>>().join(", ")),
            None => Cell::text(choice("any")).marked("note-default"),
        };
        table.rows.push(vec![
            named(&lun.name),
            named(&lun.label),
            named(&lun.pool),
            Cell::maybe(lun.size_gib),
            Cell::choice(lun.attach.map(|a| a.as_str()), "pass_through"),
            Cell::choice(lun.controller.map(|c| c.as_str()), "scsi"),
            holds,
        ]);
    }
    Some(table.without_empty_columns())
}

fn named(name: &Option<String>) -> Cell {
    name.as_deref().map_or_else(Cell::nothing, Cell::text)
}

fn each_vm(unit: &[UnitInput]) -> impl Iterator<Item = (String, Option<f64>, &VmInput)> {
    unit.iter().enumerate().filter_map(|(index, member)| {
        let vm = member.vm.as_ref()?;
        let name =
            vm.name.clone().unwrap_or_else(|| say("vm-unnamed", &[("n", Word::Text(&number(index as f64 + 1.0)))]));
        Some((name, member.count, vm))
    })
}

fn vms(unit: &[UnitInput]) -> Table {
    let mut table = Table::new(
        "table-vms",
        &[
            ("vm", Text(1.5)),
            ("in-unit", Figures),
            ("kind", Text(1.4)),
            ("vcpus", Figures),
            ("memory-gib", Figures),
            ("busy", Figures),
            ("of-cores", Figures),
            ("rating", Figures),
            ("spread", Figures),
        ],
    );
    for (name, count, vm) in each_vm(unit) {
        let cpu = vm.cpu.clone().unwrap_or_default();
        let (rating, spread) = match vm.cpu {
            Some(_) => (Cell::or_default(cpu.core_rating, 1.0), Cell::or_default(cpu.spread_percent, 0.0)),
            None => (Cell::nothing(), Cell::nothing()),
        };
        table.rows.push(vec![
            Cell::text(name),
            Cell::or_default(count, 1.0),
            Cell::choice(vm.kind.map(|k| k.as_str()), "generic"),
            Cell::maybe(vm.vcpus),
            Cell::maybe(vm.memory_gib),
            Cell::maybe(cpu.busy_percent),
            Cell::maybe(cpu.of_cores),
            rating,
            spread,
        ]);
    }
    table
}

fn volumes(unit: &[UnitInput]) -> Option<Table> {
    let mut table = Table::new(
        "table-volumes",
        &[
            ("vm", Text(1.3)),
            ("volume", Text(1.6)),
            ("role", Text(1.0)),
            ("size-gib", Figures),
            ("read-iops", Figures),
            ("write-iops", Figures),
            ("io-kib", Figures),
            ("limit-ms", Figures),
            ("attach", Text(1.0)),
            ("controller", Text(0.9)),
        ],
    );
    for (vm_name, _, vm) in each_vm(unit) {
        for volume in vm.volumes.as_deref().unwrap_or_default() {
            let or_nothing = |name: Option<&str>| name.map_or_else(Cell::nothing, |name| Cell::text(choice(name)));
            table.rows.push(vec![
                Cell::text(&vm_name),
                named(&volume.name),
                Cell::choice(volume.role.map(|r| r.as_str()), "data"),
                Cell::maybe(volume.size_gib),
                Cell::or_default(volume.read_iops, 0.0),
                Cell::or_default(volume.write_iops, 0.0),
                Cell::maybe(volume.io_kib),
                Cell::maybe(volume.max_latency_ms),
                or_nothing(volume.attach.map(|a| a.as_str())),
                or_nothing(volume.controller.map(|c| c.as_str())),
            ]);
        }
    }
    Some(table.without_empty_columns())
}

/// Network, backup and transactions of each VM, as far as they are given.
fn loads(unit: &[UnitInput]) -> Option<Table> {
    let mut table = Table::new(
        "table-loads",
        &[
            ("vm", Text(1.5)),
            ("network", Figures),
            ("backup-gib", Figures),
            ("window-h", Figures),
            ("compression", Figures),
            ("per-s", Figures),
            ("users", Figures),
            ("think-s", Figures),
            ("measured-ms", Figures),
            ("limit-ms", Figures),
        ],
    );
    for (name, _, vm) in each_vm(unit) {
        let (backup, load) = (vm.backup.clone(), vm.transactions.clone().unwrap_or_default());
        if vm.network_mb_s.is_none() && backup.is_none() && vm.transactions.is_none() {
            continue;
        }
        table.rows.push(vec![
            Cell::text(name),
            Cell::maybe(vm.network_mb_s),
            Cell::maybe(backup.as_ref().and_then(|b| b.size_gib)),
            Cell::maybe(backup.as_ref().and_then(|b| b.window_h)),
            backup.map_or_else(Cell::nothing, |b| Cell::or_default(b.compression_ratio, 1.0)),
            Cell::maybe(load.per_s),
            Cell::maybe(load.users),
            Cell::maybe(load.think_s),
            Cell::maybe(load.measured_response_ms),
            Cell::maybe(load.max_response_ms),
        ]);
    }
    Some(table.without_empty_columns())
}

fn policy(given: &PolicyInput, overhead: Option<&OverheadChoice>) -> Table {
    let default = Policy::default();
    // Shares are written as percent: 0.95 × 100 must not show as 94.999….
    let percent = |share: f64| (share * 1e6).round() / 1e4;
    let ratio = match given.max_vcpus_per_thread {
        Some(ratio) => Cell::number(ratio),
        None => Cell::text(plain("cell-no-limit")).marked("note-default"),
    };
    let model = match overhead {
        Some(OverheadChoice::Id(id)) => Cell::text(id),
        Some(OverheadChoice::Inline(_)) => Cell::text(plain("cell-inline")),
        None => Cell::text("none").marked("note-default"),
    };
    pairs(
        "table-policy",
        vec![
            ("overhead", model),
            ("confidence", Cell::or_default(given.confidence_percent, percent(default.confidence))),
            ("cpu-target", Cell::or_default(given.cpu_target_percent, percent(default.cpu_target))),
            ("memory-target", Cell::or_default(given.memory_target_percent, percent(default.memory_target))),
            ("iops-target", Cell::or_default(given.iops_target_percent, percent(default.iops_target))),
            ("capacity-target", Cell::or_default(given.capacity_target_percent, percent(default.capacity_target))),
            ("network-target", Cell::or_default(given.network_target_percent, percent(default.network_target))),
            ("vcpu-ratio", ratio),
            ("spare", Cell::or_default(given.spare_hosts, f64::from(default.spare_hosts))),
            ("growth", Cell::or_default(given.growth_percent_per_year, percent(default.growth_per_year))),
            ("years", Cell::or_default(given.years, default.years)),
            ("root-memory", Cell::or_default(given.root_memory_mib, default.root_memory_mib)),
            ("root-cpu", Cell::or_default(given.root_cpu_percent, percent(default.root_cpu))),
        ],
    )
}
