//! IOMeter result CSV. Columns are found by name. Rows of `ALL` sum up those of `MANAGER`, which sum up `PROCESSOR` and
//! `WORKER`, which sum up `DISK`: only the topmost is read, so that nothing is counted twice.
//!
//! `MBps` means MiB in versions that have no other column; later ones print `MBps (Binary)` or `MiBps (Binary)` beside
//! `MBps (Decimal)`.

use super::error::ImportError;
use super::format::{Input, Options};
use super::number::{number, size_kib};
use super::result::{Direction, Imported, Run, shown};
use super::text::decoded;

const MOST_BYTES: u64 = 256 << 20;

pub fn recognizes(head: &str) -> bool {
    head.contains("'Target Type,Target Name,Access Specification Name") || head.contains("'Access specifications")
}

#[derive(Default)]
struct Columns {
    names: Vec<String>,
    /// Whether MB is told apart from MiB.
    decimal: bool,
}

impl Columns {
    fn new(header: &str) -> Self {
        let names: Vec<String> =
            header.trim_start_matches('\'').split(',').map(|name| name.trim().to_ascii_lowercase()).collect();
        let decimal = names.iter().any(|name| name.contains("(decimal)"));
        Self { names, decimal }
    }

    fn cell<'a>(&self, cells: &[&'a str], name: &str) -> Option<&'a str> {
        let index = self.names.iter().position(|known| known == name)?;
        cells.get(index).map(|cell| cell.trim()).filter(|cell| !cell.is_empty())
    }

    fn value(&self, cells: &[&str], name: &str) -> Option<f64> {
        self.cell(cells, name).and_then(number)
    }

    /// MiB/s, whatever the version calls it.
    fn mib_s(&self, cells: &[&str], prefix: &str) -> Option<f64> {
        let named = |unit: &str| self.value(cells, &format!("{prefix}{unit}"));
        named("mibps (binary)").or_else(|| named("mbps (binary)")).or_else(|| {
            if self.decimal { named("mbps (decimal)").map(|mb| mb * 1e6 / 1_048_576.0) } else { named("mbps") }
        })
    }
}

/// An access specification: block size, share of reads and of random I/O.
#[derive(Default)]
struct Access {
    name: String,
    lines: Vec<[f64; 4]>,
}

/// # Errors
/// A file without a result header or without rows.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let mut columns: Option<Columns> = None;
    let mut accesses: Vec<Access> = Vec::new();
    let mut section = String::new();
    let mut duration: Option<f64> = None;
    let mut top: Vec<(String, usize)> = Vec::new();
    let mut next_is = "";
    while let Some(line) = input.next_line()? {
        let line = decoded(line);
        let line = line.trim();
        if input.bytes > MOST_BYTES {
            return Err(ImportError::TooLarge { format: "iometer", most: MOST_BYTES });
        }
        if line.starts_with('\'') {
            let label = line.trim_start_matches('\'');
            next_is = "";
            if label.starts_with("Target Type") {
                columns = Some(Columns::new(line));
                top.clear();
            } else if label.starts_with("Version") {
                next_is = "version";
            } else if label.starts_with("Run Time") {
                next_is = "run time";
            } else if label.starts_with("hours") && section == "run time" {
                next_is = "duration";
            }
            section = label.split(',').next().unwrap_or_default().trim().to_ascii_lowercase();
            continue;
        }
        if line.is_empty() {
            continue;
        }
        let cells: Vec<&str> = line.split(',').collect();
        match (next_is, section.as_str()) {
            ("version", _) => into.tool.version = Some(shown(cells[0])),
            ("duration", _) => duration = hms(&cells),
            (_, "access specification name") => {
                accesses.push(Access { name: cells[0].trim().to_owned(), lines: vec![] })
            }
            (_, "size") => access_line(&mut accesses, &cells),
            (_, "target type") => {
                if let Some(columns) = &columns {
                    row(columns, &cells, &mut top, &accesses, duration, into);
                }
            }
            _ => {}
        }
    }
    if columns.is_none() {
        return Err(ImportError::NotThat {
            format: "iometer",
            why: "no header 'Target Type,Target Name, … is in it".to_owned(),
        });
    }
    if into.runs.is_empty() {
        return Err(ImportError::Truncated { format: "iometer", why: "no result row follows the header".to_owned() });
    }
    Ok(())
}

fn hms(cells: &[&str]) -> Option<f64> {
    let at = |index: usize| cells.get(index).and_then(|cell| number(cell));
    Some(at(0)? * 3600.0 + at(1)? * 60.0 + at(2)?)
}

/// `size,% of size,% reads,% random,delay,burst,align,reply`
fn access_line(accesses: &mut [Access], cells: &[&str]) {
    let at = |index: usize| cells.get(index).and_then(|cell| number(cell));
    if let (Some(access), Some(size), Some(share), Some(reads), Some(random)) =
        (accesses.last_mut(), at(0), at(1), at(2), at(3))
    {
        access.lines.push([size, share, reads, random]);
    }
}

/// How far up the sums a row stands.
fn level(kind: &str) -> Option<usize> {
    ["ALL", "MANAGER", "PROCESSOR", "WORKER", "DISK"].iter().position(|known| *known == kind)
}

fn row(
    columns: &Columns,
    cells: &[&str],
    top: &mut Vec<(String, usize)>,
    accesses: &[Access],
    duration: Option<f64>,
    into: &mut Imported,
) {
    let kind = columns.cell(cells, "target type").unwrap_or_default().to_ascii_uppercase();
    let Some(level) = level(&kind) else {
        into.ignore(format!("row {kind}"), "only ALL, MANAGER, WORKER and DISK have results");
        return;
    };
    let access = columns.cell(cells, "access specification name").unwrap_or_default();
    // The first rows of a specification are its topmost; rows below them are in their sums already.
    match top.iter().find(|(known, _)| known == access) {
        Some((_, highest)) if level > *highest => {
            into.ignore(format!("row {kind}"), "it is part of the sums of a row above");
            return;
        }
        Some(_) => {}
        None => top.push((access.to_owned(), level)),
    }
    if kind == "PROCESSOR" {
        into.ignore("row PROCESSOR", "CPU figures stand in the rows above");
        return;
    }
    let mut run = Run::new("fileio");
    run.label = Some(shown(if access.is_empty() { &kind } else { access }));
    run.duration_s = duration;
    let higher = Direction::Higher;
    for (name, column) in [("iops", "iops"), ("read_iops", "read iops"), ("write_iops", "write iops")] {
        run.add_some(name, columns.value(cells, column), "1/s", higher);
    }
    for (name, prefix) in [("mib_s", ""), ("read_mib_s", "read "), ("write_mib_s", "write ")] {
        run.add_some(name, columns.mib_s(cells, prefix), "MiB/s", higher);
    }
    for (name, column) in [
        ("latency_avg_ms", "average response time"),
        ("read_latency_avg_ms", "average read response time"),
        ("write_latency_avg_ms", "average write response time"),
        ("latency_max_ms", "maximum response time"),
    ] {
        run.add_some(name, columns.value(cells, column), "ms", Direction::Lower);
    }
    run.add_some("cpu_percent", columns.value(cells, "% cpu utilization"), "%", Direction::Lower);
    run.add_some("errors", columns.value(cells, "errors"), "", Direction::Lower);
    if run.metric("iops").is_none() {
        into.ignore(format!("row {kind}"), "it has no IOps");
        return;
    }
    run.threads = columns.value(cells, "# workers").filter(|workers| *workers > 0.0);
    run.outstanding = columns.value(cells, "queue depth").filter(|depth| *depth > 0.0);
    run.read_percent = run
        .metric("read_iops")
        .zip(run.metric("iops"))
        .filter(|(_, all)| *all > 0.0)
        .map(|(reads, all)| reads / all * 100.0);
    if let Some([[size, share, reads, random]]) =
        accesses.iter().find(|known| known.name == access).map(|a| a.lines.as_slice())
    {
        if *share == 100.0 {
            run.block_kib = size_kib(&size.to_string());
        }
        run.note("stated_read_percent", *reads);
        run.note("stated_random_percent", *random);
    } else if let (Some(mib_s), Some(iops)) = (run.metric("mib_s"), run.metric("iops").filter(|iops| *iops > 0.0)) {
        run.note("mean_block_kib", mib_s * 1024.0 / iops);
    }
    if !columns.decimal {
        run.note("mbps_means", "MiB/s");
    }
    run.check_little("iops", "latency_avg_ms");
    into.read.records += 1;
    into.runs.push(run);
}
