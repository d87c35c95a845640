//! Tables of what was found.

use super::super::Answer;
use super::super::answer::VolumeAnswer;
use super::super::pdf::Accuracy;
use super::super::words::{Word, has, number, plain, say};
use super::{Cell, Kind, Table, choice};
use Kind::{Figures, Text};

/// Every resource that was checked, the binding one first.
pub fn resources(answer: &Answer) -> Table {
    let mut table = Table::new(
        "",
        &[
            ("resource", Text(1.5)),
            ("of", Text(1.3)),
            ("unit", Text(0.9)),
            ("supply", Figures),
            ("reserved", Figures),
            ("usable", Figures),
            ("per-unit", Figures),
            ("used", Figures),
            ("used-percent", Figures),
            ("limit-percent", Figures),
            ("fits", Figures),
        ],
    );
    for resource in &answer.resources {
        table.rows.push(vec![
            Cell::text(&resource.label),
            Cell::text(&resource.subject),
            Cell::text(&resource.unit),
            Cell::number(resource.supply),
            Cell::number(resource.reserved),
            Cell::number(resource.usable),
            Cell::maybe(resource.per_unit),
            Cell::number(resource.used),
            Cell::number(resource.utilization_percent),
            Cell::number(resource.limit_percent),
            Cell::number(f64::from(resource.fits)),
        ]);
    }
    table
}

/// What one more would pass, and what to add.
pub fn remedies(answer: &Answer) -> Table {
    let mut table = Table::new(
        "",
        &[("resource", Text(1.2)), ("of", Text(1.0)), ("lacking", Figures), ("unit", Text(0.8)), ("change", Text(3.0))],
    );
    for remedy in &answer.binding.remedies {
        let key = format!("resource-{}", remedy.resource);
        let label = if has(&key) { plain(&key) } else { remedy.resource.clone() };
        table.rows.push(vec![
            Cell::text(label),
            Cell::text(&remedy.subject),
            Cell::number(remedy.lacking),
            Cell::text(&remedy.unit),
            Cell::text(&remedy.text),
        ]);
    }
    table
}

const VOLUME_COLUMNS: [(&str, Kind); 10] = [
    ("units", Text(0.7)),
    ("vm", Text(1.4)),
    ("volume", Text(1.6)),
    ("role", Text(1.0)),
    ("lun", Text(1.0)),
    ("pool", Text(1.0)),
    ("attach", Text(1.1)),
    ("read-ms", Figures),
    ("write-ms", Figures),
    ("limit-ms", Figures),
];

/// Latency of each volume. Volumes that differ only in the unit they belong to share a row: "1–3".
pub fn volumes(answer: &Answer) -> Table {
    let mut groups: Vec<(&VolumeAnswer, Vec<u32>)> = Vec::new();
    let alike = |a: &VolumeAnswer, b: &VolumeAnswer| {
        let b = VolumeAnswer { unit_number: a.unit_number, vm_number: a.vm_number, ..b.clone() };
        *a == b
    };
    for volume in &answer.volumes {
        match groups.iter_mut().find(|(first, _)| alike(first, volume)) {
            Some((_, units)) => units.push(volume.unit_number),
            None => groups.push((volume, vec![volume.unit_number])),
        }
    }
    let mut table = Table::new("", &VOLUME_COLUMNS);
    table.rows = groups.into_iter().map(|(volume, units)| volume_row(volume, Cell::text(ranges(units)))).collect();
    table.without_empty_columns()
}

/// Latency of each volume of each unit.
pub fn volumes_in_all(answer: &Answer) -> Table {
    let mut table = Table::new("", &VOLUME_COLUMNS);
    let row = |volume: &VolumeAnswer| volume_row(volume, Cell::number(f64::from(volume.unit_number)));
    table.rows = answer.volumes.iter().map(row).collect();
    table
}

fn volume_row(volume: &VolumeAnswer, units: Cell) -> Vec<Cell> {
    vec![
        units,
        Cell::text(&volume.vm),
        Cell::text(&volume.volume),
        Cell::text(choice(&volume.role)),
        Cell::text(&volume.lun),
        Cell::text(&volume.pool),
        Cell::text(choice(&volume.attach)),
        Cell::maybe(volume.read_latency_ms),
        Cell::maybe(volume.write_latency_ms),
        Cell::maybe(volume.max_latency_ms),
    ]
}

/// Whole numbers as ranges: "1–3, 5".
fn ranges(mut numbers: Vec<u32>) -> String {
    numbers.sort_unstable();
    numbers.dedup();
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == number => *end = number,
            _ => runs.push((number, number)),
        }
    }
    let text = |value: u32| number(f64::from(value));
    let run = |(start, end): &(u32, u32)| match start == end {
        true => text(*start),
        false => format!("{}–{}", text(*start), text(*end)),
    };
    runs.iter().map(run).collect::<Vec<String>>().join(", ")
}

/// Response time of each VM's transactions.
pub fn transactions(answer: &Answer) -> Table {
    let mut table = Table::new(
        "",
        &[
            ("vm", Text(1.5)),
            ("per-s", Figures),
            ("total-per-s", Figures),
            ("cpu-ms", Figures),
            ("disk-ms", Figures),
            ("other-ms", Figures),
            ("response-ms", Figures),
            ("limit-ms", Figures),
        ],
    );
    for row in &answer.transactions {
        table.rows.push(vec![
            Cell::text(&row.vm),
            Cell::number(row.per_s),
            Cell::number(row.total_per_s),
            Cell::maybe(row.cpu_ms),
            Cell::maybe(row.disk_ms),
            Cell::maybe(row.other_ms),
            Cell::maybe(row.response_ms),
            Cell::maybe(row.max_response_ms),
        ]);
    }
    table
}

/// The answer at both ends of each uncertain input.
pub fn sensitivity(answer: &Answer) -> Table {
    let mut table = Table::new(
        "",
        &[
            ("input", Text(1.6)),
            ("unit", Text(0.9)),
            ("low", Figures),
            ("high", Figures),
            ("units-at-low", Figures),
            ("units-at-high", Figures),
            ("fits-at-low", Figures),
            ("fits-at-high", Figures),
        ],
    );
    for row in &answer.sensitivity {
        table.rows.push(vec![
            Cell::text(&row.input),
            Cell::text(&row.unit),
            Cell::number(row.low),
            Cell::number(row.high),
            Cell::number(row.low_unrounded),
            Cell::number(row.high_unrounded),
            Cell::number(f64::from(row.low_fits)),
            Cell::number(f64::from(row.high_fits)),
        ]);
    }
    table.without_empty_columns()
}

/// The coefficients of the overhead model. `source` says what stands in the column of sources.
pub fn coefficients(answer: &Answer, mut source: impl FnMut(&str) -> String) -> Table {
    let mut table = Table::new(
        "",
        &[
            ("coefficient", Text(1.6)),
            ("attach", Text(1.0)),
            ("low", Figures),
            ("likely", Figures),
            ("high", Figures),
            ("unit", Text(1.0)),
            ("source", Text(0.8)),
        ],
    );
    for coefficient in &answer.overhead.coefficients {
        let attach = coefficient.attach.as_deref().map_or_else(|| plain("attach-all"), choice);
        table.rows.push(vec![
            Cell::text(coefficient_name(&coefficient.name)),
            Cell::text(attach),
            Cell::number(coefficient.low),
            Cell::number(coefficient.likely),
            Cell::number(coefficient.high),
            Cell::text(if coefficient.unit.is_empty() { plain("unit-fraction") } else { coefficient.unit.clone() }),
            Cell::text(source(&coefficient.source)),
        ]);
    }
    table
}

/// The words for a coefficient: "CPU loss" for `cpu_loss`.
pub fn coefficient_name(name: &str) -> String {
    let key = format!("input-{name}");
    if has(&key) { super::super::words::capitalized(&plain(&key)) } else { name.to_owned() }
}

/// What to look at.
pub fn advice(answer: &Answer, mut source: impl FnMut(&str) -> String) -> Table {
    let mut table = Table::new(
        "",
        &[("severity", Text(0.7)), ("subject", Text(1.2)), ("advice", Text(4.0)), ("source", Text(0.7))],
    );
    for advice in &answer.advice {
        table.rows.push(vec![
            Cell::text(severity(&advice.severity)),
            Cell::text(&advice.subject),
            Cell::text(&advice.text),
            Cell::text(source(&advice.source)),
        ]);
    }
    table
}

fn severity(name: &str) -> String {
    let key = format!("severity-{name}");
    if has(&key) { say(&key, &[("name", Word::Text(name))]) } else { name.to_owned() }
}

/// What is no part of the answer, and why.
pub fn not_checked(answer: &Answer) -> Table {
    let mut table = Table::new("", &[("limit", Text(1.0)), ("why", Text(3.0))]);
    for row in &answer.not_checked {
        table.rows.push(vec![Cell::text(&row.label), Cell::text(super::super::words::capitalized(&row.why))]);
    }
    table
}

/// The model's error on published measurements.
pub fn accuracy(accuracy: &Accuracy) -> Table {
    let mut table = Table::new(
        "",
        &[
            ("case-kind", Text(2.0)),
            ("case-set", Text(1.0)),
            ("cases", Figures),
            ("median-error", Figures),
            ("mean-error", Figures),
            ("coverage", Figures),
        ],
    );
    for row in &accuracy.rows {
        table.rows.push(vec![
            Cell::text(choice(&row.kind)),
            Cell::text(choice(&row.set)),
            Cell::number(f64::from(row.cases)),
            Cell::number(row.median_abs_error_percent),
            Cell::number(row.mean_abs_error_percent),
            Cell::number(row.coverage_percent),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn units_read_as_ranges() {
        assert_eq!(ranges(vec![3, 1, 2, 5, 2]), "1–3, 5");
        assert_eq!(ranges(vec![7]), "7");
        assert_eq!(ranges(Vec::new()), "");
    }
}
