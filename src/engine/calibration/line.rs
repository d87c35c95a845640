//! Least squares of guest CPU % on native CPU %: the fixed cost of a vCPU and the proportional loss.
//!
//! A published table prints a rate and how many batches a CPU % serves, natively and in the guest. Native % is the
//! guest's rate over the native batches for each CPU %, guest % its rate over its own. A line `guest % = a + b · native %`
//! is the law `g = f·v + d / (1 − l)` with `f = a / 100 · processors / vCPUs` and `l = 1 − 1 / b`.

use crate::domain::range::Range;

/// One load as a table prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadPoint {
    /// Rate of the guest, 1/s.
    pub per_s: f64,
    /// Rate that one CPU % serves natively at that load.
    pub native_per_percent: f64,
    /// Rate that one CPU % serves in the guest.
    pub guest_per_percent: f64,
}

impl LoadPoint {
    /// CPU % natively and in the guest.
    pub fn percents(&self) -> (f64, f64) {
        (self.per_s / self.native_per_percent, self.per_s / self.guest_per_percent)
    }

    fn moved(&self, by: [f64; 3]) -> Self {
        Self {
            per_s: self.per_s + by[0],
            native_per_percent: self.native_per_percent + by[1],
            guest_per_percent: self.guest_per_percent + by[2],
        }
    }
}

/// `guest % = fixed + slope · native %`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    pub fixed: f64,
    pub slope: f64,
}

impl Line {
    /// Least squares with `fixed ≥ 0` and `slope ≥ 1`, because a guest is not cheaper than the native machine: where the
    /// free line breaks one of them, it goes through the origin, or has the slope 1. One point gives the slope alone.
    ///
    /// `None` without a point, or when a figure is not positive and finite.
    pub fn fit(points: &[LoadPoint]) -> Option<Self> {
        let good = |value: f64| value > 0.0 && value.is_finite();
        let percents: Vec<(f64, f64)> = points.iter().map(LoadPoint::percents).collect();
        if percents.is_empty() || !percents.iter().all(|&(x, y)| good(x) && good(y)) {
            return None;
        }
        let n = percents.len() as f64;
        let mean_x = percents.iter().map(|p| p.0).sum::<f64>() / n;
        let mean_y = percents.iter().map(|p| p.1).sum::<f64>() / n;
        let sxx: f64 = percents.iter().map(|p| (p.0 - mean_x) * (p.0 - mean_x)).sum();
        let sxy: f64 = percents.iter().map(|p| (p.0 - mean_x) * (p.1 - mean_y)).sum();
        let through_origin = || {
            let xx: f64 = percents.iter().map(|p| p.0 * p.0).sum();
            let xy: f64 = percents.iter().map(|p| p.0 * p.1).sum();
            Self { fixed: 0.0, slope: (xy / xx).max(1.0) }
        };
        // All loads alike: the points tell nothing of a fixed cost.
        if sxx <= 1e-9 * mean_x * mean_x {
            return Some(through_origin());
        }
        let slope = sxy / sxx;
        let fixed = mean_y - slope * mean_x;
        Some(match (fixed < 0.0, slope < 1.0) {
            (false, false) => Self { fixed, slope },
            (true, _) => through_origin(),
            (false, true) => Self { fixed: (mean_y - mean_x).max(0.0), slope: 1.0 },
        })
    }
}

/// Cores of fixed cost for each vCPU, and the proportional loss.
pub fn fixed_and_loss(line: Line, processors: f64, vcpus: f64) -> (f64, f64) {
    (line.fixed / 100.0 * processors / vcpus, 1.0 - 1.0 / line.slope)
}

/// Likely values, and as bounds the extremes over all fits in which every printed figure is moved by half its last digit,
/// and, with three points and more, over the fits that leave one load out.
///
/// `half_digits` is half of the last printed digit of rate, native and guest batches. The usual interval of least squares
/// does not serve for three points: see `docs/model.md`. Points past the fifth are not moved, which bounds the work.
///
/// `None` where [`Line::fit`] is.
pub fn ranges(points: &[LoadPoint], half_digits: [f64; 3], processors: f64, vcpus: f64) -> Option<(Range, Range)> {
    let of = |points: &[LoadPoint]| Line::fit(points).map(|line| fixed_and_loss(line, processors, vcpus));
    let likely = of(points)?;
    let mut fits = vec![likely];
    if points.len() > 2 {
        for left_out in 0..points.len() {
            let mut others = points.to_vec();
            others.remove(left_out);
            fits.extend(of(&others));
        }
    }
    let moved = points.len().min(5);
    for signs in 0..1u32 << (3 * moved) {
        let sign = |bit: usize| if signs >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let mut at = points.to_vec();
        for (index, point) in at.iter_mut().take(moved).enumerate() {
            *point = point.moved(std::array::from_fn(|i| sign(3 * index + i) * half_digits[i]));
        }
        fits.extend(of(&at));
    }
    let bounds = |value: fn(&(f64, f64)) -> f64| {
        let low = fits.iter().map(value).fold(f64::INFINITY, f64::min);
        let high = fits.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
        Range::new(low, value(&likely), high)
    };
    Some((bounds(|fit| fit.0)?, bounds(|fit| fit.1)?))
}

/// The proportional loss of pairs (native, guest) of a rate: mean, least and most.
///
/// `None` without a pair, when a rate is not positive and finite, or when the loss leaves 0 to 1.
pub fn loss_of_ratios(pairs: &[(f64, f64)]) -> Option<Range> {
    let good = |value: f64| value > 0.0 && value.is_finite();
    if pairs.is_empty() || !pairs.iter().all(|&(native, guest)| good(native) && good(guest)) {
        return None;
    }
    let losses: Vec<f64> = pairs.iter().map(|(native, guest)| (1.0 - guest / native).max(0.0)).collect();
    let mean = losses.iter().sum::<f64>() / losses.len() as f64;
    let low = losses.iter().copied().fold(f64::INFINITY, f64::min).min(mean);
    let high = losses.iter().copied().fold(0.0, f64::max).max(mean);
    Range::new(low, mean, high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ModelCatalog;
    use crate::domain::choice::{Attach, CoefficientName};

    const TABLE_4: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/measurements/sql08_table4_oltp.csv"));
    const HALF_DIGITS: [f64; 3] = [0.5, 0.05, 0.05];

    fn table_4(configuration: &str) -> Vec<LoadPoint> {
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let rows: Vec<Vec<&str>> = TABLE_4.lines().skip(1).map(|line| line.split(',').collect()).collect();
        let of = |wanted: &str| rows.iter().filter(|row| row[0] == wanted).cloned().collect::<Vec<_>>();
        let native = of("native");
        let point = |row: &Vec<&str>| LoadPoint {
            per_s: number(row[2]),
            native_per_percent: number(native.iter().find(|other| other[1] == row[1]).expect("that load")[3]),
            guest_per_percent: number(row[3]),
        };
        of(configuration).iter().map(point).collect()
    }

    #[test]
    fn table_4_gives_the_coefficients_of_the_sql_server_model() {
        let model = ModelCatalog::built_in().get("hyperv-2008-sql").expect("built in");
        for (configuration, attach) in [("vm_pass_through", Attach::PassThrough), ("vm_fixed_vhd", Attach::FixedVhd)] {
            let (fixed, loss) = ranges(&table_4(configuration), HALF_DIGITS, 4.0, 4.0).expect("points");
            for (found, name) in [(fixed, CoefficientName::CpuFixedCoresPerVcpu), (loss, CoefficientName::CpuLoss)] {
                let kept = model.range(name, attach);
                for (a, b) in [(found.low(), kept.low()), (found.likely(), kept.likely()), (found.high(), kept.high())]
                {
                    assert!((a - b).abs() < 1e-9, "{configuration}, {name:?}: {a} is derived, {b} is in the file");
                }
            }
        }
    }

    #[test]
    fn a_root_partition_has_no_fixed_cost() {
        let line = Line::fit(&table_4("root_partition")).expect("points");
        assert_eq!(line.fixed, 0.0);
        assert!((line.slope - 1.0914).abs() < 1e-3, "{line:?}");
    }

    #[test]
    fn one_pair_gives_the_loss_alone_and_nonsense_nothing() {
        let point = |per_s, native, guest| LoadPoint { per_s, native_per_percent: native, guest_per_percent: guest };
        let line = Line::fit(&[point(100.0, 10.0, 9.0)]).expect("a point");
        assert_eq!((line.fixed, (fixed_and_loss(line, 4.0, 4.0).1 * 1000.0).round()), (0.0, 100.0));
        assert!(Line::fit(&[]).is_none());
        assert!(Line::fit(&[point(f64::NAN, 10.0, 9.0)]).is_none());
        assert!(Line::fit(&[point(0.0, 10.0, 9.0)]).is_none());
        let cheaper = Line::fit(&[point(100.0, 10.0, 12.0), point(200.0, 10.0, 13.0)]).expect("points");
        assert_eq!(cheaper, Line { fixed: 0.0, slope: 1.0 });
        assert!(loss_of_ratios(&[]).is_none());
        assert!(loss_of_ratios(&[(0.0, 1.0)]).is_none());
        assert_eq!(loss_of_ratios(&[(100.0, 95.0)]).map(|loss| (loss.likely() * 1e6).round()), Some(50_000.0));
    }
}
