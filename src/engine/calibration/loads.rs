//! Fixed cost and proportional loss from several loads: `guest cores = f·v + native cores / (1 − l)`.
//!
//! Points are the means of the repeats of one load. Processor time is a sum over requests that know nothing of each other,
//! so its variance is proportional to the work; that, and the repeats, are the weights. The native figure of a point has
//! an error too, as large as the guest's at the same work (Deming, 1943: slope² × its variance in the residual). The
//! spread is pooled over all loads from the repeats of both machines, and from the distance of the points to the line
//! where there are more than two.
//!
//! Figures that a table prints to few digits are fitted without weights and get the ranges of [`super::line`].

use serde::Serialize;
use utoipa::ToSchema;

use super::line::{self, Line, LoadPoint};
use super::observation::Repeats;
use super::statistics::{ASSUMED_SPREAD, Basis, Estimate, Sample, half_width};

/// One load: repeats natively and in the guest, each a rate and the busy processors at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Load {
    pub name: String,
    pub native: Vec<Work>,
    pub guest: Vec<Work>,
    /// Half of the last printed digit of the rate and of the rate for each CPU %, where the figures come from a table.
    pub half_digits: Option<[f64; 2]>,
}

/// What a machine did and what it took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Work {
    /// Requests a second.
    pub per_s: f64,
    /// Busy processors of the whole machine: for a guest those of its host.
    pub busy: f64,
}

impl Work {
    fn cost(&self) -> f64 {
        self.busy / self.per_s
    }

    fn good(&self) -> bool {
        self.per_s > 0.0 && self.busy > 0.0 && self.per_s.is_finite() && self.busy.is_finite()
    }
}

/// A load as the line sees it, with its residual.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Residual {
    pub name: String,
    /// Native processors for the guest's rate.
    pub native_busy: f64,
    pub guest_busy: f64,
    /// What the line gives.
    pub fitted: f64,
    /// Guest − fitted.
    pub residual: f64,
    /// Among five loads and more: further from the line than two standard deviations.
    pub outlier: bool,
    pub repeats: Repeats,
    /// Published form of overhead: 1 − (guest rate for each processor) / (native rate for each processor).
    pub overhead: f64,
}

/// What several loads give.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct LoadFit {
    /// The benchmark that the loads are of.
    pub mode: String,
    /// Processors of fixed cost for each vCPU; `None` from one load, which cannot tell it from a loss.
    pub fixed_per_vcpu: Option<Estimate>,
    pub loss: Estimate,
    pub residuals: Vec<Residual>,
    /// Share of the guest's spread that the line explains; `None` below three loads.
    pub r_squared: Option<f64>,
}

struct Point {
    x: f64,
    y: f64,
    weight: f64,
}

/// Fits `f` and `l`. `processors` of the machine that the busy processors are of, `vcpus` of the guest.
///
/// `None` without a load that has good figures on both sides.
pub fn fit(mode: &str, loads: &[Load], processors: f64, vcpus: f64) -> Option<LoadFit> {
    let loads: Vec<&Load> = loads
        .iter()
        .filter(|load| !load.native.is_empty() && !load.guest.is_empty())
        .filter(|load| load.native.iter().chain(&load.guest).all(Work::good))
        .collect();
    if loads.is_empty() || !(processors > 0.0 && vcpus > 0.0) {
        return None;
    }
    let raw: Vec<(f64, f64)> = loads.iter().map(|load| point(load)).collect();
    let printed = printed(&loads, processors, vcpus);
    let weight = |x: f64, load: &Load| if printed.is_some() { 1.0 } else { 1.0 / (x * error_share(load)) };
    let points: Vec<Point> =
        raw.iter().zip(&loads).map(|(&(x, y), load)| Point { x, y, weight: weight(x, load) }).collect();
    let line = line_of(&points)?;
    let (fixed, loss) = printed.unwrap_or_else(|| {
        let (fixed, slope) = intervals(&loads, &points, line);
        let fixed = fixed.map(|estimate| estimate.map(|busy| (busy / vcpus).max(0.0)));
        (fixed, slope.map(|slope| 1.0 - 1.0 / slope.max(1.0)))
    });
    let residuals = residuals(&loads, &points, line);
    Some(LoadFit {
        mode: mode.to_owned(),
        fixed_per_vcpu: fixed.filter(|_| distinct(&points)),
        loss,
        r_squared: r_squared(&points, &residuals),
        residuals,
    })
}

/// Native and guest processors at the guest's rate.
fn point(load: &Load) -> (f64, f64) {
    let mean = |of: &dyn Fn(&Work) -> f64, works: &[Work]| works.iter().map(of).sum::<f64>() / works.len() as f64;
    let rate = mean(&|work| work.per_s, &load.guest);
    (rate * mean(&Work::cost, &load.native), rate * mean(&Work::cost, &load.guest))
}

/// Variance of a residual in units of that of one run of the guest.
fn error_share(load: &Load) -> f64 {
    1.0 / load.guest.len() as f64 + 1.0 / load.native.len() as f64
}

/// The line of [`Line::fit`], with weights: the same constraints for the same reasons.
fn line_of(points: &[Point]) -> Option<Line> {
    let sums = Sums::of(points)?;
    let through_origin = || {
        let xx: f64 = points.iter().map(|p| p.weight * p.x * p.x).sum();
        let xy: f64 = points.iter().map(|p| p.weight * p.x * p.y).sum();
        Line { fixed: 0.0, slope: (xy / xx).max(1.0) }
    };
    if !distinct(points) {
        return Some(through_origin());
    }
    let slope = sums.xy / sums.xx;
    let fixed = sums.mean_y - slope * sums.mean_x;
    Some(match (fixed < 0.0, slope < 1.0) {
        (false, false) => Line { fixed, slope },
        (true, _) => through_origin(),
        (false, true) => Line { fixed: (sums.mean_y - sums.mean_x).max(0.0), slope: 1.0 },
    })
}

/// Loads this close together (relative spread) cannot tell a fixed cost from a loss.
const LEAST_SPREAD: f64 = 0.03;

fn distinct(points: &[Point]) -> bool {
    Sums::of(points)
        .is_some_and(|sums| sums.xx / sums.weight > (LEAST_SPREAD * sums.mean_x) * (LEAST_SPREAD * sums.mean_x))
}

struct Sums {
    weight: f64,
    mean_x: f64,
    mean_y: f64,
    xx: f64,
    xy: f64,
}

impl Sums {
    fn of(points: &[Point]) -> Option<Self> {
        let weight: f64 = points.iter().map(|p| p.weight).sum();
        if !(weight > 0.0 && weight.is_finite()) {
            return None;
        }
        let mean_x = points.iter().map(|p| p.weight * p.x).sum::<f64>() / weight;
        let mean_y = points.iter().map(|p| p.weight * p.y).sum::<f64>() / weight;
        let xx = points.iter().map(|p| p.weight * (p.x - mean_x) * (p.x - mean_x)).sum();
        let xy = points.iter().map(|p| p.weight * (p.x - mean_x) * (p.y - mean_y)).sum();
        Some(Self { weight, mean_x, mean_y, xx, xy })
    }
}

/// Intervals of the fixed processors (`None` from one load) and of the slope.
fn intervals(loads: &[&Load], points: &[Point], line: Line) -> (Option<Estimate>, Estimate) {
    let Some(sums) = Sums::of(points) else {
        let none = Estimate { low: line.slope, likely: line.slope, high: line.slope, basis: Basis::Assumed };
        return (None, none);
    };
    // The free line carries the intervals; the constrained one is only where it ends up.
    let two = distinct(points);
    let (variance, degrees) = variance(loads, points, line, two);
    let basis = if degrees.is_finite() { Basis::Measured { degrees } } else { Basis::Assumed };
    let t = half_width(degrees);
    let around =
        |likely: f64, error: f64| Estimate { low: likely - t * error, likely, high: likely + t * error, basis };
    if !two {
        let xx: f64 = points.iter().map(|p| p.weight * p.x * p.x).sum();
        return (None, around(line.slope, (variance / xx).sqrt()));
    }
    let error_slope = (variance / sums.xx).sqrt();
    let error_fixed = (variance * (1.0 / sums.weight + sums.mean_x * sums.mean_x / sums.xx)).sqrt();
    (Some(around(line.fixed, error_fixed)), around(line.slope, error_slope))
}

/// Variance of one run of the guest for each busy processor of work, and its degrees of freedom: infinite where it is
/// assumed.
fn variance(loads: &[&Load], points: &[Point], line: Line, two: bool) -> (f64, f64) {
    let (mut squares, mut degrees) = (0.0, 0.0);
    for (load, point) in loads.iter().zip(points) {
        let rate = load.guest.iter().map(|work| work.per_s).sum::<f64>() / load.guest.len() as f64;
        for (works, slope) in [(&load.guest, 1.0), (&load.native, line.slope)] {
            let costs: Vec<f64> = works.iter().map(|work| slope * rate * work.cost()).collect();
            if let Some(sample) = Sample::of(&costs) {
                squares += sample.squares / point.x;
                degrees += sample.degrees();
            }
        }
    }
    let parameters = if two { 2.0 } else { 1.0 };
    let left = points.len() as f64 - parameters;
    if left > 0.0 {
        squares += points
            .iter()
            .map(|p| p.weight * (p.y - line.fixed - line.slope * p.x) * (p.y - line.fixed - line.slope * p.x))
            .sum::<f64>();
        degrees += left;
    }
    if degrees > 0.0 {
        return (squares / degrees, degrees);
    }
    let mean = points.iter().map(|p| p.y * p.y / p.x).sum::<f64>() / points.len() as f64;
    (ASSUMED_SPREAD * ASSUMED_SPREAD * mean, f64::INFINITY)
}

/// Ranges of figures that a table prints, where every load has one on each side: [`line::ranges`].
fn printed(loads: &[&Load], processors: f64, vcpus: f64) -> Option<(Option<Estimate>, Estimate)> {
    let half = loads.first()?.half_digits?;
    let single = |load: &&&Load| load.native.len() == 1 && load.guest.len() == 1 && load.half_digits == Some(half);
    if loads.len() < 3 || !loads.iter().all(|load| single(&load)) {
        return None;
    }
    let to_percent = processors / 100.0;
    let points: Vec<LoadPoint> = loads
        .iter()
        .map(|load| LoadPoint {
            per_s: load.guest[0].per_s,
            native_per_percent: to_percent / load.native[0].cost(),
            guest_per_percent: to_percent / load.guest[0].cost(),
        })
        .collect();
    let (fixed, loss) = line::ranges(&points, [half[0], half[1], half[1]], processors, vcpus)?;
    let estimate = |range: crate::domain::range::Range| Estimate {
        low: range.low(),
        likely: range.likely(),
        high: range.high(),
        basis: Basis::Printed,
    };
    Some((Some(estimate(fixed)), estimate(loss)))
}

fn residuals(loads: &[&Load], points: &[Point], line: Line) -> Vec<Residual> {
    let of = |point: &Point| point.y - line.fixed - line.slope * point.x;
    let left = (points.len() as f64 - 2.0).max(1.0);
    let spread = (points.iter().map(|point| of(point) * of(point)).sum::<f64>() / left).sqrt();
    loads
        .iter()
        .zip(points)
        .map(|(load, point)| Residual {
            name: load.name.clone(),
            native_busy: point.x,
            guest_busy: point.y,
            fitted: line.fixed + line.slope * point.x,
            residual: of(point),
            outlier: points.len() > 4 && of(point).abs() > 2.0 * spread && spread > 0.0,
            repeats: Repeats { native: load.native.len(), guest: load.guest.len() },
            overhead: 1.0 - point.x / point.y,
        })
        .collect()
}

fn r_squared(points: &[Point], residuals: &[Residual]) -> Option<f64> {
    if points.len() < 3 {
        return None;
    }
    let mean = points.iter().map(|p| p.y).sum::<f64>() / points.len() as f64;
    let total: f64 = points.iter().map(|p| (p.y - mean) * (p.y - mean)).sum();
    let left: f64 = residuals.iter().map(|r| r.residual * r.residual).sum();
    (total > 0.0).then(|| 1.0 - left / total)
}
