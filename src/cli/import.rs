//! `vmfit import`: results of other tools, and Performance Monitor logs.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;

use clap::{Args, ValueEnum};

use super::error::CliError;
use super::output;
use crate::config;
use crate::import::perfmon::{Knobs, Span, Workload};
use crate::import::{self, ImportError, Imported, Options, Run};

/// Read what another tool measured
///
/// FORMAT is a name from `vmfit import list`, or `auto` to recognize it by content. Benchmark results become runs with
/// metrics, units and the direction that is better; Performance Monitor logs become the demand of a VM. What was ignored
/// is told with the reason, and Little's law is checked wherever rate, time and number under way are known.
#[derive(Args)]
#[command(after_help = "Examples:
  vmfit import list
  vmfit import auto result.json
  vmfit import iometer results.csv --format json
  vmfit import perfmon day.csv --percentile 95 --comfort 1.2 --target 70 \\
        --business-hours 8-18 --weekdays --backup-window 22:00-02:00 --memory-gib 16")]
pub struct Import {
    /// Name of a format, auto, or list
    #[arg(value_name = "FORMAT")]
    name: String,
    /// The file; - reads standard input
    file: Option<String>,
    /// How the result is printed
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Requests under way, where the file does not say (threads × outstanding)
    #[arg(long, value_name = "N")]
    concurrency: Option<f64>,
    #[command(flatten)]
    perfmon: PerfmonArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// How demand is made of a Performance Monitor log.
#[derive(Args)]
struct PerfmonArgs {
    /// Percentile of the samples that is planned for
    #[arg(long, default_value_t = 95.0, value_name = "PERCENT")]
    percentile: f64,
    /// Factor on top of it, for growth and what was not seen
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR")]
    comfort: f64,
    /// Utilization that the vCPUs are meant to run at
    #[arg(long, default_value_t = 80.0, value_name = "PERCENT")]
    target: f64,
    /// Only these hours count, as 8-18
    #[arg(long, value_name = "FROM-TO")]
    business_hours: Option<String>,
    /// Saturday and Sunday do not count
    #[arg(long)]
    weekdays: bool,
    /// These hours do not count, as 22:00-02:00; may be given several times
    #[arg(long, value_name = "FROM-TO")]
    backup_window: Vec<String>,
    /// The machine, where the file holds several
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Memory of the VM, which counters do not show
    #[arg(long, value_name = "GIB")]
    memory_gib: Option<f64>,
    /// Logical processors of the machine, where the file has _Total only
    #[arg(long, value_name = "N")]
    processors: Option<f64>,
}

impl PerfmonArgs {
    fn knobs(&self) -> Result<Knobs, CliError> {
        let mut problems = Vec::new();
        let mut span =
            |knob: &'static str, text: &str| Span::parse(knob, text).map_err(|error| problems.push(told(&error))).ok();
        let business_hours = self.business_hours.as_deref().and_then(|text| span("business_hours", text));
        let backup_windows = self.backup_window.iter().filter_map(|text| span("backup_window", text)).collect();
        let knobs = Knobs {
            percentile: self.percentile,
            comfort: self.comfort,
            target_percent: self.target,
            business_hours,
            weekdays_only: self.weekdays,
            backup_windows,
            machine: self.machine.clone(),
            memory_gib: self.memory_gib,
            processors: self.processors,
        };
        problems.extend(knobs.problems().map(|error| told(&error)));
        if problems.is_empty() { Ok(knobs) } else { Err(CliError::Input(problems)) }
    }
}

impl Import {
    /// Prints what was read.
    ///
    /// # Errors
    /// An unknown format, a file that cannot be read or is not of that format, an option out of range.
    pub fn run(self) -> Result<(), CliError> {
        if self.name == "list" {
            let formats = import::list();
            return output::print(&match self.format {
                Format::Json => super::json(&formats)?,
                Format::Text => {
                    formats.iter().map(|f| format!("{:15} {}\n", f.name, f.about)).collect::<String>().into_bytes()
                }
            });
        }
        if let Err(error) = import::known(&self.name) {
            return Err(CliError::input(format!("FORMAT: {error}")));
        }
        let Some(file) = &self.file else {
            return Err(CliError::input("FILE: missing; allowed is the name of a file, or - for standard input"));
        };
        if let Some(concurrency) = self.concurrency.filter(|n| !(n.is_finite() && *n > 0.0)) {
            return Err(CliError::input(format!("--concurrency: {concurrency}; allowed: more than 0")));
        }
        let options = Options { concurrency: self.concurrency, perfmon: self.perfmon.knobs()? };
        let imported = read(file, &self.name, &options)?;
        output::print(&match self.format {
            Format::Json => super::json(&imported)?,
            Format::Text => text(&imported, config::terminal().interactive).into_bytes(),
        })
    }
}

/// A knob is told by the name of its option.
fn told(error: &ImportError) -> String {
    match error {
        ImportError::Knob { knob: "target_percent", value, allowed } => {
            format!("--target: {value}; allowed: {allowed}")
        }
        ImportError::Knob { knob, value, allowed } => {
            format!("--{}: {value}; allowed: {allowed}", knob.replace('_', "-"))
        }
        other => other.to_string(),
    }
}

/// Imports a file by name; `-` is standard input.
///
/// # Errors
/// [`CliError::Input`]: the file cannot be read, or is not what it should be.
pub fn read(file: &str, format: &str, options: &Options) -> Result<Imported, CliError> {
    let source: Box<dyn Read> = if file == "-" {
        Box::new(std::io::stdin())
    } else {
        let told = |error: &dyn std::fmt::Display| CliError::input(format!("{file}: {error}"));
        if std::fs::metadata(file).is_ok_and(|meta| meta.is_dir()) {
            return Err(told(&"a folder; allowed is a file"));
        }
        Box::new(File::open(file).map_err(|error| told(&error))?)
    };
    import::import(format, source, options).map_err(|error| match error {
        ImportError::Knob { .. } | ImportError::UnknownFormat { .. } => CliError::input(told(&error)),
        other => CliError::input(format!("{file}: {other}")),
    })
}

/// Bars are for terminals.
fn text(imported: &Imported, bars: bool) -> String {
    let mut out = String::new();
    // Writing to a text cannot fail.
    let tool = &imported.tool;
    let version = tool.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let read = &imported.read;
    let _ = writeln!(
        out,
        "{}{version} ({}): {} lines, {} bytes, {} records",
        tool.name, imported.format, read.lines, read.bytes, read.records
    );
    imported.runs.iter().for_each(|run| run_text(run, &mut out));
    if let Some(workload) = &imported.workload {
        workload_text(workload, bars, &mut out);
    }
    for ignored in &imported.ignored {
        let _ = writeln!(out, "ignored: {} × {}: {}", ignored.count, ignored.what, ignored.why);
    }
    for warning in &imported.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    out
}

fn run_text(run: &Run, out: &mut String) {
    let facts = run.facts().map(|(name, value, unit)| format!("{name} {} {unit}", short(value)).trim_end().to_owned());
    let facts: Vec<String> = facts.collect();
    let label = run.label.as_deref().map(|label| format!(" {label}")).unwrap_or_default();
    let _ = writeln!(out, "\n{}{label}: {}", run.mode, facts.join(", "));
    for metric in &run.metrics {
        let better = match metric.better {
            import::Direction::Higher => "higher is better",
            import::Direction::Lower => "lower is better",
            import::Direction::Neither => "",
        };
        let _ = writeln!(out, "  {:28} {:>16} {:9} {better}", metric.name, short(metric.value), metric.unit);
    }
    if let Some(law) = run.littles_law {
        let stated = law.stated.map(|stated| format!(", {} stated", short(stated))).unwrap_or_default();
        let _ = writeln!(out, "  Little's law: {:.2} under way{stated}: {}", law.implied, law.verdict());
    }
}

fn workload_text(workload: &Workload, bars: bool, out: &mut String) {
    let from = workload.from.as_deref().unwrap_or("?");
    let to = workload.to.as_deref().unwrap_or("?");
    let _ = writeln!(
        out,
        "\n{} from {from} to {to}: {} of {} samples count; percentile {}, comfort {}, target {} %",
        workload.machine.as_deref().unwrap_or("machine"),
        workload.used_samples,
        workload.samples,
        workload.percentile,
        workload.comfort,
        workload.target_percent
    );
    for counter in &workload.counters {
        let value = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), short);
        let _ = writeln!(
            out,
            "  {:50} {:>12} {:4} chosen; mean {}, most {}, {:.0} % covered{}",
            counter.counter,
            value(counter.chosen),
            counter.unit,
            value(counter.mean),
            value(counter.max),
            counter.coverage_percent,
            if bars { format!("  {}", picture(&counter.series)) } else { String::new() }
        );
    }
    for books in &workload.books {
        let law = &books.littles_law;
        let _ = writeln!(
            out,
            "  {}: {:.2} I/Os under way by Little's law, {} counted",
            books.volume,
            law.implied,
            law.stated.map_or_else(|| "none".to_owned(), short)
        );
    }
    if let Some(demand) = &workload.demand {
        let _ = writeln!(
            out,
            "  demand: {:.3} ms of a processor for each batch request, {:.2} processors without any (R² {:.2})",
            demand.cpu_ms_per_batch, demand.background_processors, demand.r_squared
        );
    }
    if let Ok(vm) = serde_json::to_string_pretty(&workload.vm) {
        let _ = writeln!(out, "\nVM for a scenario:\n{vm}");
    }
    for missing in &workload.missing {
        let _ = writeln!(out, "missing: {}: {}", missing.pointer, missing.why);
    }
}

/// Means over time as a row of bars.
fn picture(series: &[Option<[f64; 3]>]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const WIDTH: usize = 48;
    let most = series.iter().flatten().map(|step| step[1]).fold(0.0, f64::max);
    let part = series.len().div_ceil(WIDTH).max(1);
    let bar = |steps: &[Option<[f64; 3]>]| {
        let means: Vec<f64> = steps.iter().flatten().map(|step| step[1]).collect();
        if means.is_empty() {
            return ' ';
        }
        let mean = means.iter().sum::<f64>() / means.len() as f64;
        let place = if most > 0.0 { (mean / most * 7.0).round() as usize } else { 0 };
        BARS[place.min(7)]
    };
    series.chunks(part).map(bar).collect()
}

/// Six significant digits.
fn short(value: f64) -> String {
    format!("{value:.5e}").parse::<f64>().map_or_else(|_| value.to_string(), |value| value.to_string())
}
