//! `vmfit calibrate`: native and guest runs to an overhead model, old and new machines to a core rating, a curve to a
//! measured pool.

use std::fmt::Write as _;

use clap::{Args, ValueEnum};

use super::error::CliError;
use super::import::read;
use super::output;
use crate::domain::ModelCatalog;
use crate::domain::choice::Attach;
use crate::domain::overhead::ModelInput;
use crate::engine::calibration::rating::Rating;
use crate::import::calibrate::{self, Calibrated, Given, Impossible, MeasuredPool};
use crate::import::{Imported, Options};

/// Make an overhead model of native and guest runs
///
/// Files may be results of any format of `vmfit import list`; repeats of a run weigh more than one. One load gives the loss
/// alone, several give fixed cost and loss. Runs that differ in threads, block size, outstanding, tool generation or clock
/// quality are not compared, and the difference is named. A table that holds both sides is given for both.
#[derive(Args)]
#[command(after_help = "Examples:
  vmfit calibrate --native native*.json --guest guest*.json --vcpus 4 --format json > model.json
  vmfit calibrate --native table4.csv --guest table4.csv --vcpus 4 --base hyperv-2008-sql
  vmfit calibrate --old old.txt --new new.txt         core rating of the new machine
  vmfit calibrate --curve depth*.json                 measured pool for a scenario

The JSON is an overhead model: put it into a scenario as 'overhead', or post it to /api/v1/overhead-models.")]
pub struct Calibrate {
    /// Results of the native machine
    #[arg(long, num_args = 1.., value_name = "FILE", requires = "guest")]
    native: Vec<String>,
    /// Results of the guest
    #[arg(long, num_args = 1.., value_name = "FILE", requires = "native")]
    guest: Vec<String>,
    /// Results of the old machine, for a core rating
    #[arg(long, num_args = 1.., value_name = "FILE", requires = "new", conflicts_with = "native")]
    old: Vec<String>,
    /// Results of the new machine
    #[arg(long, num_args = 1.., value_name = "FILE", requires = "old")]
    new: Vec<String>,
    /// Disk results at rising load, for a measured pool
    #[arg(long, num_args = 1.., value_name = "FILE", conflicts_with_all = ["native", "old"])]
    curve: Vec<String>,
    /// How the result is printed; fit is all that was found, with residuals, as JSON
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// vCPUs of the guest, where the files do not say
    #[arg(long, value_name = "N", value_parser = count)]
    vcpus: Option<f64>,
    /// Logical processors that CPU % is of, where the files do not say
    #[arg(long, value_name = "N", value_parser = count)]
    processors: Option<f64>,
    /// How the guest's disks were attached: pass_through, fixed_vhd, dynamic_vhd
    #[arg(long, value_name = "WAY", value_parser = attach)]
    attach: Option<Attach>,
    /// Model that gives what was not measured, such as memory
    #[arg(long, value_name = "ID")]
    base: Option<String>,
    /// Id of the model: lower-case letters, digits, points and dashes
    #[arg(long)]
    id: Option<String>,
    /// Name of the model, for people
    #[arg(long)]
    name: Option<String>,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Text,
    Json,
    Fit,
}

fn count(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| (1.0..=4096.0).contains(value));
    value.ok_or_else(|| "allowed: 1 to 4096".to_owned())
}

fn attach(text: &str) -> Result<Attach, String> {
    serde_json::from_value(text.into()).map_err(|_| "allowed: pass_through, fixed_vhd, dynamic_vhd".to_owned())
}

impl Calibrate {
    /// Prints what was found.
    ///
    /// # Errors
    /// Files that cannot be imported, each with its reason; runs that cannot be compared, each with its differences.
    pub fn run(self) -> Result<(), CliError> {
        if !self.curve.is_empty() {
            let pool = calibrate::curve(&files(&self.curve)?).map_err(impossible)?;
            return self.print(&pool, curve_text);
        }
        if !self.old.is_empty() {
            let rating = calibrate::rate(&files(&self.old)?, &files(&self.new)?).map_err(impossible)?;
            return self.print(&rating, rating_text);
        }
        if self.native.is_empty() {
            return Err(CliError::input(
                "--native and --guest: missing; allowed are files of each, or --old and --new, or --curve",
            ));
        }
        let base = match &self.base {
            None => None,
            Some(id) => Some(ModelCatalog::built_in().get(id).ok_or_else(|| unknown_model(id))?),
        };
        let given = Given {
            id: self.id.clone(),
            name: self.name.clone(),
            vcpus: self.vcpus,
            processors: self.processors,
            attach: self.attach,
            base: base.as_deref(),
        };
        let found = calibrate::calibrate(&files(&self.native)?, &files(&self.guest)?, &given).map_err(impossible)?;
        check(&found.model)?;
        if self.format == Format::Json {
            // What stands beside the model must not be lost.
            found.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));
            return output::print(&super::json(&found.model)?);
        }
        self.print(&found, model_text)
    }

    fn print<T: serde::Serialize>(&self, value: &T, text: fn(&T) -> String) -> Result<(), CliError> {
        let printed = if self.format == Format::Text { text(value).into_bytes() } else { super::json(value)? };
        output::print(&printed)
    }
}

fn unknown_model(id: &str) -> CliError {
    let known: Vec<String> = ModelCatalog::built_in().iter().map(|model| model.id.clone()).collect();
    CliError::input(format!("--base: '{id}'; allowed: {}", known.join(", ")))
}

fn impossible(why: Impossible) -> CliError {
    CliError::Input(why.0)
}

/// All files, or a line for each that cannot be read.
fn files(names: &[String]) -> Result<Vec<Imported>, CliError> {
    let (mut read_files, mut problems) = (Vec::new(), Vec::new());
    for name in names {
        match read(name, "auto", &Options::default()) {
            Ok(imported) => read_files.push(imported),
            Err(CliError::Input(lines)) => problems.extend(lines),
            Err(other) => return Err(other),
        }
    }
    if problems.is_empty() { Ok(read_files) } else { Err(CliError::Input(problems)) }
}

/// The product's own parser decides whether the model is one.
fn check(model: &ModelInput) -> Result<(), CliError> {
    let mut problems = Vec::new();
    model.check("", &mut problems);
    if problems.is_empty() {
        return Ok(());
    }
    let line = |problem: &crate::domain::Problem| {
        if problem.pointer == "/id" {
            return format!(
                "--id: '{}'; allowed: 1 to 64 lower-case letters, digits, points and dashes",
                problem.value.as_deref().unwrap_or_default()
            );
        }
        format!("{}: {}", problem.pointer, problem.value.as_deref().unwrap_or_default())
    };
    Err(CliError::Input(problems.iter().map(line).collect()))
}

fn model_text(found: &Calibrated) -> String {
    let mut out = String::new();
    // Writing to a text cannot fail.
    let model = &found.model;
    let _ =
        writeln!(out, "{} ({})", model.name.as_deref().unwrap_or_default(), model.id.as_deref().unwrap_or_default());
    let _ = writeln!(out, "{}\n", model.about.as_deref().unwrap_or_default());
    for coefficient in model.coefficients.iter().flatten() {
        let value = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
        let name = coefficient.name.map_or("", |name| name.as_str());
        let attach = coefficient.attach.map_or("", |attach| attach.as_str());
        let _ = writeln!(
            out,
            "  {name:26} {attach:13} {:>9}  from {} to {}",
            value(coefficient.likely),
            value(coefficient.low),
            value(coefficient.high)
        );
    }
    for fit in &found.fits {
        let attach = fit.attach.map(|attach| format!(", {}", attach.as_str())).unwrap_or_default();
        let _ = writeln!(out, "\nCompared{attach}");
        for compared in &fit.calibration.compared {
            let label = compared.label.as_deref().map(|label| format!(" {label}")).unwrap_or_default();
            let loss = compared.loss;
            let _ = writeln!(
                out,
                "  {:30} loses {:6.2} %  from {:.2} to {:.2}  ({} native, {} guest runs)",
                format!("{}{label}", compared.mode),
                loss.likely * 100.0,
                loss.low * 100.0,
                loss.high * 100.0,
                compared.repeats.native,
                compared.repeats.guest
            );
            if !compared.native_outliers.is_empty() || !compared.guest_outliers.is_empty() {
                let _ = writeln!(
                    out,
                    "    far from their repeats: native {:?}, guest {:?} (from 0)",
                    compared.native_outliers, compared.guest_outliers
                );
            }
        }
        for residual in fit.calibration.loads.iter().flat_map(|fit| &fit.residuals) {
            let _ = writeln!(
                out,
                "  load {:20} native {:.4}, guest {:.4}, fitted {:.4}, residual {:+.4} processors{}",
                residual.name,
                residual.native_busy,
                residual.guest_busy,
                residual.fitted,
                residual.residual,
                if residual.outlier { "  outlier" } else { "" }
            );
        }
    }
    for warning in &found.warnings {
        let _ = writeln!(out, "warning: {warning}");
    }
    out
}

fn rating_text(rating: &Rating) -> String {
    let mut out = String::new();
    let all = rating.rating;
    let _ = writeln!(out, "Core rating {:.3}, from {:.3} to {:.3} (geometric mean)", all.likely, all.low, all.high);
    for mode in &rating.modes {
        let label = mode.label.as_deref().map(|label| format!(" {label}")).unwrap_or_default();
        let _ = writeln!(out, "  {:24} {:.3}", format!("{}{label}", mode.mode), mode.rating.likely);
    }
    out
}

fn curve_text(pool: &MeasuredPool) -> String {
    let mut out = String::new();
    match &pool.fit {
        Some(fit) => {
            let _ = writeln!(
                out,
                "Service time {:.3} ms, {} at a time, saturated at {:.0} IOPS; latency within {:.0} % of the points",
                fit.service_ms,
                fit.parallelism,
                fit.saturation_iops,
                fit.worst_error * 100.0
            );
        }
        None => {
            let _ = writeln!(
                out,
                "No queue is fitted: fewer than three different rates, or different mixes or block sizes"
            );
        }
    }
    for point in &pool.measured {
        let _ = writeln!(
            out,
            "  {:>12.1} IOPS {:>10.3} ms",
            point.iops.unwrap_or_default(),
            point.latency_ms.unwrap_or_default()
        );
    }
    if let Ok(list) = serde_json::to_string(&pool.measured) {
        let _ = writeln!(out, "\nmeasured: {list}");
    }
    out
}
