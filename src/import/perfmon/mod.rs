//! Performance Monitor CSV (relog, typeperf, logman): hours to weeks of samples, streamed, to the demand of a VM.
//!
//! Counters are found by object and name in the language of the file. Rate counters have no first sample, tools write
//! lines before and after the samples, clocks are set back: what cannot be used is counted and told. Memory does not grow
//! with the file.

mod counter;
mod header;
mod names;
mod row;
mod samples;
mod time;
mod workload;

use super::error::ImportError;
use super::format::{Input, Options};
use super::result::Imported;

pub use counter::Quantity;
pub use time::Span;
pub use workload::{Books, CounterSummary, DemandFit, Missing, Workload};

/// How demand is made of a series. The three knobs are apart: a percentile of what was seen, a comfort factor on top of
/// it, and the utilization that vCPUs are meant to run at.
#[derive(Clone, Debug)]
pub struct Knobs {
    /// Percentile of the samples that is planned for. Default: 95.
    pub percentile: f64,
    /// What is added for growth and what was not seen, as a factor. Default: 1, nothing.
    pub comfort: f64,
    /// Busy share of its vCPUs that the VM is to run at, %. Default: 80.
    pub target_percent: f64,
    /// Only samples of these hours count.
    pub business_hours: Option<Span>,
    /// Saturday and Sunday do not count.
    pub weekdays_only: bool,
    /// Samples of these hours do not count.
    pub backup_windows: Vec<Span>,
    /// The machine, where a file holds several.
    pub machine: Option<String>,
    /// Memory of the VM, GiB, which counters do not show.
    pub memory_gib: Option<f64>,
    /// Logical processors of the machine, where their counters are not in the file.
    pub processors: Option<f64>,
}

impl Default for Knobs {
    fn default() -> Self {
        Self {
            percentile: 95.0,
            comfort: 1.0,
            target_percent: 80.0,
            business_hours: None,
            weekdays_only: false,
            backup_windows: Vec::new(),
            machine: None,
            memory_gib: None,
            processors: None,
        }
    }
}

impl Knobs {
    /// Every knob that is out of its range, as [`ImportError::Knob`].
    pub fn problems(&self) -> impl Iterator<Item = ImportError> {
        let rows = [
            ("percentile", Some(self.percentile), 1.0, 100.0),
            ("comfort", Some(self.comfort), 0.1, 100.0),
            ("target_percent", Some(self.target_percent), 1.0, 100.0),
            ("memory_gib", self.memory_gib, 0.125, 65_536.0),
            ("processors", self.processors, 1.0, 4096.0),
        ];
        rows.into_iter().filter_map(|(knob, value, least, most)| {
            let value = value.filter(|value| !(least..=most).contains(value))?;
            Some(ImportError::Knob { knob, value: value.to_string(), allowed: format!("{least} to {most}") })
        })
    }
}

pub fn recognizes(head: &str) -> bool {
    head.lines().take(50).any(|line| header::is_header(line.as_bytes()))
}

/// # Errors
/// A knob out of range, no header, several machines without a choice, no sample, or a line too long.
pub fn read(input: &mut Input, options: &Options, into: &mut Imported) -> Result<(), ImportError> {
    if let Some(problem) = options.perfmon.problems().next() {
        return Err(problem);
    }
    let not_that = |why: &str| ImportError::NotThat { format: "perfmon", why: why.to_owned() };
    let header = loop {
        match input.next_line()? {
            Some(line) if header::is_header(line) => break header::read(line),
            Some(line) if line.trim_ascii().is_empty() => {}
            Some(_) => into.ignore("line before the header", "it is no part of the log"),
            None => return Err(not_that("no header that begins with (PDH-CSV is in it")),
        }
    };
    for _ in 0..header.unknown {
        into.ignore("column", "a counter that the model does not need, or in a language that the table does not have");
    }
    for _ in 0..header.over_limit {
        into.ignore("column", "more counters than are followed");
    }
    let header = of_one_machine(header, &options.perfmon, into)?;
    if header.columns.is_empty() {
        return Err(not_that(
            "none of its counters is known; needed are those of processor, memory, disks, network or SQL Server",
        ));
    }
    let mut samples = samples::Samples::new(&header, &options.perfmon, into);
    let mut cells = row::Row::new(&header);
    while let Some(line) = input.next_line()? {
        if header::is_header(line) {
            into.ignore("header", "repeated: the columns of the first are taken");
            continue;
        }
        match cells.split(line) {
            Some(time) => samples.add(time, &cells.values),
            None if line.trim_ascii().is_empty() => {}
            None => into.ignore("line", "it has no date, as the last lines of typeperf"),
        }
    }
    into.read.records = samples.used;
    if cells.short > 0 {
        into.warn(format!("{} samples have fewer cells than the header; what is missing counts as blank", cells.short));
    }
    samples.report(into);
    if samples.used == 0 {
        return Err(not_that("no sample is left: the file breaks off, or the hours that count leave nothing"));
    }
    into.tool.version = Some("PDH-CSV 4.0".to_owned());
    into.workload = Some(workload::make(&header, samples, &options.perfmon, into));
    Ok(())
}

fn of_one_machine(
    mut header: header::Header,
    knobs: &Knobs,
    into: &mut Imported,
) -> Result<header::Header, ImportError> {
    let same = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let wanted = match &knobs.machine {
        Some(name) => {
            let name = name.trim_start_matches('\\');
            if !header.machines.iter().any(|machine| same(machine, name)) {
                let allowed = header.machines.join(", ");
                return Err(ImportError::Knob { knob: "machine", value: name.to_owned(), allowed });
            }
            name.to_owned()
        }
        None if header.machines.len() > 1 => {
            return Err(ImportError::MixedMachines { machines: header.machines });
        }
        None => return Ok(header),
    };
    let before = header.columns.len();
    header.columns.retain(|column| same(&column.machine, &wanted));
    for _ in header.columns.len()..before {
        into.ignore("column", "of another machine");
    }
    header.machines = vec![wanted];
    Ok(header)
}
