//! A calibration as an overhead model, every coefficient with how it was made.

use super::{Fit, Given};
use crate::domain::choice::{Attach, CoefficientName};
use crate::domain::overhead::{CoefficientInput, ModelInput};
use crate::engine::calibration::statistics::{ASSUMED_SPREAD, CONFIDENCE_PERCENT};
use crate::engine::calibration::{Basis, Calibration, Estimate};

/// Id of a model without a name of its own.
const DEFAULT_ID: &str = "calibrated";

pub fn make(fits: &[Fit], given: &Given, source: &str, warnings: &mut Vec<String>) -> ModelInput {
    let mut coefficients: Vec<CoefficientInput> = Vec::new();
    let mut alone = false;
    for fit in fits {
        alone |= fit.calibration.loss_alone();
        for (name, estimate, how) in found(&fit.calibration) {
            coefficients.push(coefficient(name, fit.attach, estimate, &how, source, warnings));
        }
        if let Some(loss) = fit.calibration.network_loss {
            warnings.push(format!(
                "the network gave {:.1} % less in the guest ({:.1} to {:.1}); the model has no coefficient for it, only for latency",
                loss.likely * 100.0,
                loss.low * 100.0,
                loss.high * 100.0
            ));
        }
    }
    let measured: Vec<CoefficientName> = coefficients.iter().filter_map(|coefficient| coefficient.name).collect();
    let mut about = "Calibrated from native and guest runs.".to_owned();
    if alone {
        about.push_str(" One load only: the loss alone, which holds whatever a fixed cost of a running vCPU would be at that load. Measure at several loads for both.");
    }
    match given.base {
        Some(base) => {
            let rest = base.coefficients.iter().filter(|kept| !measured.contains(&kept.name));
            coefficients.extend(rest.map(|kept| CoefficientInput {
                name: Some(kept.name),
                attach: kept.attach,
                low: Some(kept.range.low()),
                likely: Some(kept.range.likely()),
                high: Some(kept.range.high()),
                source: Some(kept.source.to_string()),
                derivation: kept.derivation.clone(),
            }));
            about.push_str(&format!(" What was not measured is that of {}.", base.id));
        }
        None => about.push_str(
            " What was not measured costs nothing in this model: memory, in any case. Give a base model for it.",
        ),
    }
    let id = given.id.clone().unwrap_or_else(|| DEFAULT_ID.to_owned());
    ModelInput {
        name: Some(given.name.clone().unwrap_or_else(|| "Calibrated".to_owned())),
        id: Some(id),
        about: Some(about),
        coefficients: Some(coefficients),
        limits: given.base.map(|base| base.limits.clone()),
    }
}

/// Coefficients that were found, with how.
fn found(calibration: &Calibration) -> Vec<(CoefficientName, Estimate, String)> {
    let cpu = match &calibration.loads {
        Some(fit) if fit.fixed_per_vcpu.is_some() => format!(
            "Least squares of the guest's busy processors on the native ones at the guest's rate, over {} loads of {}: fixed processors of a vCPU + native / (1 − loss).",
            fit.residuals.len(),
            fit.mode
        ),
        Some(fit) => format!("Guest's busy processors over native ones at the guest's rate, one load of {}: the loss alone.", fit.mode),
        None => "1 − guest rate / native rate of benchmarks that are all processor, geometric mean over them: the loss alone, no fixed cost can be told.".to_owned(),
    };
    let rows = [
        (CoefficientName::CpuFixedCoresPerVcpu, calibration.cpu_fixed_per_vcpu, cpu.as_str()),
        (CoefficientName::CpuLoss, calibration.cpu_loss, cpu.as_str()),
        (CoefficientName::DiskLoss, calibration.disk_loss, "1 − guest IOPS / native IOPS."),
        (CoefficientName::ReadLatencyAddedMs, calibration.read_added_ms, "Mean read time in the guest − natively."),
        (CoefficientName::WriteLatencyAddedMs, calibration.write_added_ms, "Mean write time in the guest − natively."),
        (CoefficientName::NetworkLatencyMs, calibration.network_added_ms, "Mean round trip in the guest − natively."),
    ];
    rows.into_iter().filter_map(|(name, estimate, how)| Some((name, estimate?, how.to_owned()))).collect()
}

fn coefficient(
    name: CoefficientName,
    attach: Option<Attach>,
    estimate: Estimate,
    how: &str,
    source: &str,
    warnings: &mut Vec<String>,
) -> CoefficientInput {
    let (least, most) = name.allowed();
    let kept = estimate.within(least, most);
    if estimate.likely < least || estimate.likely > most {
        warnings.push(format!(
            "{}: {:.4} was measured; {} to {} is possible, so it is {}",
            name.as_str(),
            estimate.likely,
            least,
            most,
            kept.likely
        ));
    }
    let bounds = match estimate.basis {
        Basis::Measured { degrees } => {
            format!("Low and high: {CONFIDENCE_PERCENT} % interval, Student t, {degrees:.1} degrees of freedom.")
        }
        Basis::Assumed => format!(
            "Low and high: assumption, runs spread by {:.0} % of their value, because nothing was repeated; {CONFIDENCE_PERCENT} % interval.",
            ASSUMED_SPREAD * 100.0
        ),
        Basis::Printed => "Low and high: the extremes over all fits in which every printed figure is moved by half its last digit, and over the fits that leave one load out.".to_owned(),
    };
    CoefficientInput {
        name: Some(name),
        attach,
        low: Some(kept.low),
        likely: Some(kept.likely),
        high: Some(kept.high),
        source: Some(source.to_owned()),
        derivation: Some(format!("{how} {bounds}")),
    }
}
