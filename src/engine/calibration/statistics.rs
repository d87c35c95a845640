//! Means, spreads and intervals of repeats.

use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};
use utoipa::ToSchema;

/// Confidence of every interval that calibration states.
pub const CONFIDENCE_PERCENT: f64 = 90.0;

/// Spread of one run to the next of a benchmark, relative, where nothing was repeated. An assumption: no source gives one
/// figure for all benchmarks. Repeats of `sysbench cpu` on a machine shared with others spread by 1 to 4 % of their CPU
/// time.
pub const ASSUMED_SPREAD: f64 = 0.02;

/// Half width of the two-sided interval, in standard errors: Student t, or the normal quantile for endless degrees.
pub fn half_width(degrees: f64) -> f64 {
    let upper = 0.5 + CONFIDENCE_PERCENT / 200.0;
    // Beyond a million degrees Student t is the normal distribution.
    StudentsT::new(0.0, 1.0, degrees.clamp(0.5, 1e6)).map_or(f64::INFINITY, |t| t.inverse_cdf(upper))
}

/// Values of equal runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    pub count: usize,
    pub mean: f64,
    /// Σ (value − mean)².
    pub squares: f64,
}

impl Sample {
    /// `None` without values or when one is not finite.
    pub fn of(values: &[f64]) -> Option<Self> {
        if values.is_empty() || !values.iter().all(|value| value.is_finite()) {
            return None;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        Some(Self { count: values.len(), mean, squares })
    }

    /// Degrees of freedom of its spread.
    pub fn degrees(&self) -> f64 {
        (self.count - 1) as f64
    }

    /// Variance of the mean; `None` for one value.
    pub fn variance_of_mean(&self) -> Option<f64> {
        (self.count > 1).then(|| self.squares / self.degrees() / self.count as f64)
    }
}

/// An estimate with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct Estimate {
    pub low: f64,
    pub likely: f64,
    pub high: f64,
    /// What the interval rests on.
    pub basis: Basis,
}

/// Where an interval comes from.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Student t over repeats or residuals, with these degrees of freedom.
    Measured { degrees: f64 },
    /// Nothing was repeated: [`ASSUMED_SPREAD`] for each run.
    Assumed,
    /// The digits that a table prints, and fits that leave one load out: see [`super::line::ranges`].
    Printed,
}

impl Estimate {
    /// The same for a value that rises with this one.
    pub fn map(self, of: impl Fn(f64) -> f64) -> Self {
        Self { low: of(self.low), likely: of(self.likely), high: of(self.high), basis: self.basis }
    }

    /// The same for a value that falls with this one.
    pub fn map_falling(self, of: impl Fn(f64) -> f64) -> Self {
        Self { low: of(self.high), likely: of(self.likely), high: of(self.low), basis: self.basis }
    }

    /// Cut to what a quantity can be.
    pub fn within(self, least: f64, most: f64) -> Self {
        self.map(|value| value.clamp(least, most))
    }
}

/// Difference of two means, guest − native, with the interval of Welch: standard errors add in squares, degrees of freedom
/// by Satterthwaite. One value on a side takes the relative spread of the other side, or the assumed one where neither was
/// repeated.
///
/// `None` without values.
pub fn difference(native: &[f64], guest: &[f64]) -> Option<Estimate> {
    let (native, guest) = (Sample::of(native)?, Sample::of(guest)?);
    let scale = |own: &Sample, other: &Sample| if other.mean != 0.0 { own.mean / other.mean } else { 1.0 };
    let parts = [(&guest, &native), (&native, &guest)]
        .map(|(own, other)| variance(own, other, scale(own, other), own.mean * ASSUMED_SPREAD));
    Some(welch(guest.mean - native.mean, parts))
}

/// Quotient guest / native of positive figures, by the difference of their logarithms, so that a quotient and its inverse
/// have the same interval.
///
/// `None` without values or when one is not positive.
pub fn quotient(native: &[f64], guest: &[f64]) -> Option<Estimate> {
    let logs = |values: &[f64]| -> Option<Vec<f64>> {
        values.iter().map(|&value| (value > 0.0 && value.is_finite()).then(|| libm::log(value))).collect()
    };
    let (native, guest) = (Sample::of(&logs(native)?)?, Sample::of(&logs(guest)?)?);
    // A relative spread is an absolute one of the logarithm.
    let parts = [(&guest, &native), (&native, &guest)].map(|(own, other)| variance(own, other, 1.0, ASSUMED_SPREAD));
    Some(welch(guest.mean - native.mean, parts).map(libm::exp))
}

/// Variance of a mean and its degrees of freedom: its own, that of the other side scaled to it, or an assumed one.
fn variance(own: &Sample, other: &Sample, scale: f64, assumed: f64) -> (f64, f64) {
    match (own.variance_of_mean(), other.variance_of_mean()) {
        (Some(variance), _) => (variance, own.degrees()),
        (None, Some(_)) => (other.squares / other.degrees() * scale * scale, other.degrees()),
        (None, None) => (assumed * assumed, f64::INFINITY),
    }
}

fn welch(likely: f64, parts: [(f64, f64); 2]) -> Estimate {
    let error = parts[0].0 + parts[1].0;
    let measured = parts.iter().all(|(_, degrees)| degrees.is_finite());
    let weighed: f64 = parts.iter().map(|(variance, degrees)| variance * variance / degrees).sum();
    // Values without any spread: there is nothing to widen.
    let degrees = if measured && weighed > 0.0 { error * error / weighed } else { f64::INFINITY };
    let half = if error > 0.0 { half_width(degrees) * error.sqrt() } else { 0.0 };
    let basis = if measured { Basis::Measured { degrees: degrees.min(1e6) } } else { Basis::Assumed };
    Estimate { low: likely - half, likely, high: likely + half, basis }
}

/// Values far from the others of equal runs: more than 3.5 robust deviations from the median (Iglewicz and Hoaglin, 1993:
/// 0.6745 · |x − median| / median absolute deviation). Fewer than five values show none.
pub fn outliers(values: &[f64]) -> Vec<usize> {
    if values.len() < 5 {
        return Vec::new();
    }
    let middle = median(values);
    let deviations: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    let spread = median(&deviations);
    let far = |index: &usize| 0.6745 * deviations[*index] > 3.5 * spread && spread > 0.0;
    (0..values.len()).filter(far).collect()
}

/// The middle value; 0 for none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_t_is_the_table_of_books() {
        // Two-sided 90 %: Student (1908), as printed in every table.
        for (degrees, t) in [(1.0, 6.314), (2.0, 2.920), (4.0, 2.132), (10.0, 1.812), (30.0, 1.697), (1e9, 1.645)] {
            assert!((half_width(degrees) - t).abs() < 1e-3, "{degrees}");
        }
    }

    #[test]
    fn a_quotient_needs_no_repeats_and_says_what_it_rests_on() {
        let one = quotient(&[100.0], &[95.0]).expect("figures");
        assert_eq!(one.basis, Basis::Assumed);
        assert!((one.likely - 0.95).abs() < 1e-12 && one.low < 0.95 && one.high > 0.95);
        let more = quotient(&[100.0, 101.0, 99.0], &[95.0, 95.5, 94.5]).expect("figures");
        assert!(matches!(more.basis, Basis::Measured { degrees } if degrees > 2.0 && degrees < 4.1));
        assert!(quotient(&[0.0], &[1.0]).is_none() && quotient(&[], &[1.0]).is_none());
    }

    #[test]
    fn far_values_are_shown() {
        assert_eq!(outliers(&[10.0, 10.1, 9.9, 10.05, 14.0, 9.95]), [4]);
        assert!(outliers(&[1.0, 100.0, 1.0]).is_empty());
        assert!(outliers(&[5.0; 8]).is_empty());
    }
}
