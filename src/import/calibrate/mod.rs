//! From imported files to an overhead model, a core rating or a measured pool: runs become observations, the engine
//! calibrates, and the result is put into the form that the product takes.

mod model;
mod observe;

use serde::Serialize;
use utoipa::ToSchema;

use super::result::{Imported, Side};
use crate::domain::OverheadModel;
use crate::domain::choice::Attach;
use crate::domain::input::MeasuredPointInput;
use crate::domain::overhead::ModelInput;
use crate::engine::calibration::curve::{self, CurvePoint, DeviceFit};
use crate::engine::calibration::rating::{self, Rating};
use crate::engine::calibration::{Calibration, Refused, Sizes, calibrate as compare};

/// What files do not tell.
#[derive(Clone, Debug, Default)]
pub struct Given<'m> {
    /// Id and name of the model.
    pub id: Option<String>,
    pub name: Option<String>,
    pub vcpus: Option<f64>,
    /// Logical processors of the machines.
    pub processors: Option<f64>,
    /// How the guest's disks were attached: the coefficients then hold for that way only.
    pub attach: Option<Attach>,
    /// Where coefficients come from that were not measured, such as memory.
    pub base: Option<&'m OverheadModel>,
}

/// A model with the fit that it stands on.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Calibrated {
    pub model: ModelInput,
    pub fits: Vec<Fit>,
    pub warnings: Vec<String>,
}

/// What was found for one way of attaching disks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Fit {
    pub attach: Option<Attach>,
    pub calibration: Calibration,
}

/// Why nothing could be calibrated, a line for each reason.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct Impossible(pub Vec<String>);

/// Native and guest files to an overhead model.
///
/// # Errors
/// [`Impossible`] when no pair of runs can be compared: it names every difference.
pub fn calibrate(native: &[Imported], guest: &[Imported], given: &Given) -> Result<Calibrated, Impossible> {
    let mut warnings = Vec::new();
    let native = observe::observations(native, Side::Native, given, &mut warnings);
    let guests = observe::observations(guest, Side::Guest, given, &mut warnings);
    if native.is_empty() || guests.is_empty() {
        let side = if native.is_empty() { "native" } else { "guest" };
        return Err(Impossible(vec![format!("--{side}: no run with a figure that can be compared is in the files")]));
    }
    let mut ways: Vec<Option<Attach>> = Vec::new();
    for observed in &guests {
        if !ways.contains(&observed.attach) {
            ways.push(observed.attach);
        }
    }
    let natives: Vec<_> = native.iter().map(|observed| observed.observation.clone()).collect();
    let (mut fits, mut refused) = (Vec::new(), Vec::new());
    for attach in ways {
        let of_way = guests.iter().filter(|observed| observed.attach == attach);
        let runs: Vec<_> = of_way.map(|observed| observed.observation.clone()).collect();
        let sizes = observe::sizes(&native, &guests, given, &mut warnings);
        match compare(&natives, &runs, sizes) {
            Ok(calibration) => fits.push(Fit { attach, calibration }),
            Err(several) => refused.extend(several),
        }
    }
    if fits.is_empty() {
        return Err(Impossible(refused.iter().map(refusal).collect()));
    }
    let told = fits.iter().flat_map(|fit| &fit.calibration.refused).chain(&refused).map(refusal);
    warnings.extend(told.map(|line| format!("not used: {line}")));
    let sources = observe::sources(&native, &guests);
    let model = model::make(&fits, given, &sources, &mut warnings);
    Ok(Calibrated { model, fits, warnings })
}

/// Which runs could not be compared, and why.
fn refusal(refused: &Refused) -> String {
    let label = refused.label.as_deref().map(|label| format!(" {label}")).unwrap_or_default();
    let run = format!("--guest: run {}{label}", refused.mode);
    if refused.differences.is_empty() {
        return format!("{run}: no native run of that kind to compare it with");
    }
    let differences: Vec<String> = refused.differences.iter().map(ToString::to_string).collect();
    format!("{run} cannot be compared with a native one: {}", differences.join(", "))
}

/// Files of an old and a new machine to a core rating.
///
/// # Errors
/// [`Impossible`] when no mode can be compared.
pub fn rate(old: &[Imported], new: &[Imported]) -> Result<Rating, Impossible> {
    let mut warnings = Vec::new();
    let given = Given::default();
    let plain = |files: &[Imported], side: Side, warnings: &mut Vec<String>| -> Vec<_> {
        observe::observations(files, side, &given, warnings).into_iter().map(|observed| observed.observation).collect()
    };
    let (old, new) = (plain(old, Side::Native, &mut warnings), plain(new, Side::Guest, &mut warnings));
    rating::rate(&old, &new).map_err(|refused| {
        let mut lines: Vec<String> =
            refused.iter().map(|one| refusal(one).replace("--guest", "--new").replace("native", "old")).collect();
        lines.push("--old, --new: a rating needs cpu, memory, threads, mutex or jbb on both".to_owned());
        Impossible(lines)
    })
}

/// A measured pool, ready for a scenario.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MeasuredPool {
    /// The list that a pool's `measured` takes.
    pub measured: Vec<MeasuredPointInput>,
    /// The queue that fits the points; null with fewer than three, or when they differ in mix or block size.
    pub fit: Option<DeviceFit>,
}

/// Points of a pool at most: the scenario takes no more.
const MOST_POINTS: usize = 200;

/// Disk runs at rising load to a measured pool.
///
/// # Errors
/// [`Impossible`] without a disk run that has a rate and a latency.
pub fn curve(files: &[Imported]) -> Result<MeasuredPool, Impossible> {
    let mut points: Vec<CurvePoint> = Vec::new();
    for run in files.iter().flat_map(|file| &file.runs).filter(|run| run.mode == "fileio") {
        let rate = run.metric("iops").or(run.metric("events_per_s"));
        if let (Some(iops), Some(latency_ms)) = (rate, run.metric("latency_avg_ms"))
            && iops > 0.0
            && latency_ms > 0.0
        {
            let holds = run.littles_law.and_then(|law| law.holds);
            points.push(CurvePoint {
                iops,
                latency_ms,
                // A number that the books contradict would be refused by the scenario.
                outstanding: run.stated_concurrency().filter(|_| holds == Some(true)),
                read_percent: run.read_percent,
                io_kib: run.block_kib,
            });
        }
    }
    if points.is_empty() {
        return Err(Impossible(vec!["--curve: no disk run with a rate and a latency is in the files".to_owned()]));
    }
    points.sort_by(|a, b| a.iops.total_cmp(&b.iops));
    points.truncate(MOST_POINTS);
    let measured = points
        .iter()
        .map(|point| MeasuredPointInput {
            iops: Some(point.iops),
            read_percent: point.read_percent.map(|share| share.clamp(0.0, 100.0)),
            io_kib: point.io_kib,
            outstanding: point.outstanding,
            latency_ms: Some(point.latency_ms),
        })
        .collect();
    Ok(MeasuredPool { fit: if alike(&points) { curve::fit(&points) } else { None }, measured })
}

/// Whether points are of one mix and block size: only those are one curve.
fn alike(points: &[CurvePoint]) -> bool {
    let spread = |of: fn(&CurvePoint) -> Option<f64>| {
        let values = || points.iter().filter_map(of);
        values().fold(0.0, f64::max) - values().fold(f64::INFINITY, f64::min).min(values().fold(0.0, f64::max))
    };
    spread(|point| point.read_percent) <= MIX_TOLERANCE && spread(|point| point.io_kib) < 1e-9
}

/// Points of the share of reads by which the runs of one mix may differ.
const MIX_TOLERANCE: f64 = 3.0;

/// Sizes that the engine needs, with a warning where they are a guess.
fn sizes_or(processors: Option<f64>, vcpus: Option<f64>, warnings: &mut Vec<String>) -> Sizes {
    let processors = processors.unwrap_or(1.0);
    let vcpus = vcpus.unwrap_or_else(|| {
        let told = format!(
            "the vCPUs of the guest are not told; as many as the processors, {processors}, are assumed (--vcpus)"
        );
        if !warnings.contains(&told) {
            warnings.push(told);
        }
        processors
    });
    Sizes { processors, vcpus }
}
