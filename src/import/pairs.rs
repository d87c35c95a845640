//! Tables that print native and guest figures side by side, as published ones do and as a user may keep his own: the files
//! of `fixtures/measurements` with such columns, and any CSV with a column `native` and a column `guest`.

use super::error::ImportError;
use super::format::{Input, Options};
use super::number::number;
use super::result::{Direction, Imported, Run, Side, shown};

const MOST_BYTES: u64 = 16 << 20;
const NATIVE: [&str; 4] = ["native", "native_s", "physical", "baseline"];
const GUEST: [&str; 6] = ["guest", "guest_s", "vmx", "vmx_s", "pass_through", "virtual"];

pub fn recognizes(head: &str) -> bool {
    let header = head.lines().next().unwrap_or_default();
    let columns: Vec<String> = cells_of(header);
    let has = |names: &[&str]| columns.iter().any(|column| names.contains(&column.as_str()));
    (has(&NATIVE) && has(&GUEST)) || (has(&["configuration"]) && has(&["batches_per_cpu_percent"]))
}

fn cells_of(header: &str) -> Vec<String> {
    header
        .trim_start_matches('\u{feff}')
        .split(',')
        .map(|cell| cell.trim().trim_matches('"').to_ascii_lowercase())
        .collect()
}

/// A table with its columns by name.
struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    fn cell<'t>(&self, row: &'t [String], names: &[&str]) -> Option<&'t str> {
        let index = self.columns.iter().position(|column| names.contains(&column.as_str()))?;
        row.get(index).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
    }

    fn value(&self, row: &[String], names: &[&str]) -> Option<f64> {
        self.cell(row, names).and_then(number)
    }
}

/// # Errors
/// A file too large, a record that is no CSV, or no row with both figures.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let text = input.whole("pairs", MOST_BYTES)?;
    let mut reader = csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(text.as_bytes());
    let mut records = reader.records();
    let bad = |error: csv::Error| ImportError::NotThat { format: "pairs", why: error.to_string() };
    let header = records.next().ok_or(ImportError::Empty)?.map_err(bad)?;
    let columns = header.iter().map(|cell| cell.trim().trim_start_matches('\u{feff}').to_ascii_lowercase()).collect();
    let mut rows = Vec::new();
    for record in records {
        rows.push(record.map_err(bad)?.iter().map(str::to_owned).collect());
    }
    let table = Table { columns, rows };
    if table.columns.iter().any(|column| column == "batches_per_cpu_percent") {
        loads(&table, into);
    } else if table.columns.iter().any(|column| column == "metric") {
        metrics(&table, into);
    } else {
        scores(&table, into);
    }
    if into.runs.is_empty() {
        return Err(ImportError::NotThat { format: "pairs", why: "no row has a native and a guest figure".to_owned() });
    }
    Ok(())
}

fn note_source(table: &Table, row: &[String], run: &mut Run) {
    if let Some(source) = table.cell(row, &["source"]) {
        run.note("source", source);
    }
}

/// Half of the last printed digit: `566` may be 565.5 to 566.5.
fn half_digit(cell: &str) -> f64 {
    let decimals = cell.split_once('.').map_or(0, |(_, part)| part.len().min(12));
    (0..decimals).fold(0.5, |half, _| half / 10.0)
}

/// Loads of one benchmark with what a CPU % serves, natively and in guests: table 4 of "Running SQL Server 2008 in a
/// Hyper-V Environment".
fn loads(table: &Table, into: &mut Imported) {
    for row in &table.rows {
        let configuration = table.cell(row, &["configuration"]).unwrap_or_default();
        let rate = table.cell(row, &["batch_requests_per_s"]);
        let share = table.cell(row, &["batches_per_cpu_percent"]);
        let (Some(per_s), Some(per_percent)) = (rate.and_then(number), share.and_then(number)) else {
            into.ignore(format!("row {configuration}"), "it has no rate or no batches for each CPU %");
            continue;
        };
        let mut run = Run::new("oltp");
        run.label = table.cell(row, &["load"]).map(shown);
        run.processors = table.value(row, &["logical_processors"]);
        run.side = Some(if configuration == "native" { Side::Native } else { Side::Guest });
        run.note("configuration", shown(configuration));
        match configuration.strip_prefix("vm_") {
            Some(attach) => run.note("attach", shown(attach)),
            None if configuration != "native" => run.note("role", shown(configuration)),
            None => {}
        }
        run.note("half_digit_rate", half_digit(rate.unwrap_or_default()));
        run.note("half_digit_per_cpu_percent", half_digit(share.unwrap_or_default()));
        run.add("events_per_s", per_s, "1/s", Direction::Higher);
        run.add("events_per_cpu_percent", per_percent, "1/s per %", Direction::Higher);
        run.add("cpu_percent", per_s / per_percent, "%", Direction::Lower);
        note_source(table, row, &mut run);
        into.read.records += 1;
        into.runs.push(run);
    }
}

/// Name of a metric in a table, ours, and its unit.
const METRICS: [(&str, &str, &str); 9] = [
    ("total_iops", "iops", "1/s"),
    ("iops", "iops", "1/s"),
    ("read_iops", "read_iops", "1/s"),
    ("write_iops", "write_iops", "1/s"),
    ("throughput", "mib_s", "MiB/s"),
    ("read_response", "read_latency_avg_ms", "ms"),
    ("write_response", "write_latency_avg_ms", "ms"),
    ("io_response", "latency_avg_ms", "ms"),
    ("latency", "latency_avg_ms", "ms"),
];

/// One run a side, a metric a row.
fn metrics(table: &Table, into: &mut Imported) {
    let (mut native, mut guest) = (Run::new("fileio"), Run::new("fileio"));
    (native.side, guest.side) = (Some(Side::Native), Some(Side::Guest));
    if table.columns.iter().any(|column| column == "pass_through") {
        guest.note("attach", "pass_through");
    }
    let mut relative = serde_json::Map::new();
    for row in &table.rows {
        let name = table.cell(row, &["metric"]).unwrap_or_default();
        let Some((_, ours, unit)) = METRICS.iter().find(|(theirs, ..)| *theirs == name) else {
            into.ignore(format!("row {name}"), "no such metric is known");
            continue;
        };
        let (Some(before), Some(behind)) = (table.value(row, &NATIVE), table.value(row, &GUEST)) else {
            into.ignore(format!("row {name}"), "it lacks a figure");
            continue;
        };
        let better = if unit == &"ms" { Direction::Lower } else { Direction::Higher };
        native.add(ours, before, unit, better);
        guest.add(ours, behind, unit, better);
        let percent = 100.0 * if better == Direction::Lower { before / behind } else { behind / before };
        if percent.is_finite() {
            relative.insert((*ours).to_owned(), libm::round(percent * 100.0).into());
            check_printed(table, row, name, percent, into);
        }
        note_source(table, row, &mut native);
        note_source(table, row, &mut guest);
        into.read.records += 1;
    }
    // Two decimals, as such tables print them.
    for value in relative.values_mut() {
        *value = value.as_f64().map_or(serde_json::Value::Null, |hundredths| (hundredths / 100.0).into());
    }
    guest.note("relative_percent", relative);
    for mut run in [native, guest] {
        let reads = run.metric("read_iops").zip(run.metric("iops")).filter(|(_, all)| *all > 0.0);
        run.read_percent = reads.map(|(reads, all)| libm::round(reads / all * 100.0));
        run.check_little("iops", "latency_avg_ms");
        if !run.metrics.is_empty() {
            into.runs.push(run);
        }
    }
}

/// A table that prints the quotient too may not agree with itself.
fn check_printed(table: &Table, row: &[String], name: &str, percent: f64, into: &mut Imported) {
    let Some(printed) = table.value(row, &["relative_percent_published"]) else { return };
    // Half a unit of the second decimal, and a little for figures that end in 5.
    if (printed - percent).abs() > 0.0051 {
        into.warn(format!("{}: the table prints {printed:.2} %, its figures give {percent:.2} %", shown(name)));
    }
}

/// A pair of figures a row: one score of a benchmark natively and in a guest.
fn scores(table: &Table, into: &mut Imported) {
    for row in &table.rows {
        let (Some(before), Some(behind)) = (table.value(row, &NATIVE), table.value(row, &GUEST)) else {
            into.ignore("row", "it lacks a native or a guest figure");
            continue;
        };
        let lower = table.cell(row, &["better"]) == Some("lower");
        let seconds = table.columns.iter().any(|column| column.ends_with("_s") && NATIVE.contains(&column.as_str()));
        // A table without a column for the mode holds one benchmark, told by its environment.
        let environment = table.cell(row, &["environment", "label", "load"]);
        let mode = table.cell(row, &["mode", "benchmark", "test"]).unwrap_or("jbb");
        for (side, value) in [(Side::Native, before), (Side::Guest, behind)] {
            let mut run = Run::new(&shown(mode));
            run.side = Some(side);
            run.label = environment.map(shown);
            run.threads = table.value(row, &["threads"]);
            run.outstanding = table.value(row, &["outstanding"]);
            run.block_kib = table.value(row, &["block_kib"]);
            match (lower, seconds) {
                (true, true) => run.add("total_s", value, "s", Direction::Lower),
                (true, false) => run.add("score", value, "", Direction::Lower),
                (false, _) => run.add("score", value, "1/s", Direction::Higher),
            }
            note_source(table, row, &mut run);
            into.runs.push(run);
        }
        into.read.records += 1;
    }
}
