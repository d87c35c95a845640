//! What several measurements say together.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};
use utoipa::ToSchema;

/// Confidence of the intervals that are told.
pub const CONFIDENCE_PERCENT: f64 = 95.0;

/// Largest difference between outstanding and rate × latency before the books are doubted, share (Little 1961 is exact;
/// what is left is starts and ends at the edges of the window and time between two events).
pub const LITTLE_TOLERANCE: f64 = 0.05;

/// Mean of repeated runs and what it may be off by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Interval {
    /// Mean events a second over the runs.
    pub mean: f64,
    /// Sample standard deviation.
    pub stddev: f64,
    /// Bounds of the Student t interval of the mean.
    pub low: f64,
    pub high: f64,
    pub confidence_percent: f64,
    /// Runs that it rests on.
    pub runs: u32,
}

/// How evenly threads or connections got on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Fairness {
    /// Mean events of a thread.
    pub mean: f64,
    /// Population standard deviation over the threads, as sysbench prints it.
    pub stddev: f64,
    pub least: u64,
    pub most: u64,
}

/// Steady state by SNIA's Performance Test Specification: whether the last rounds differ little and have no trend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SteadyState {
    pub reached: bool,
    /// Rounds that were run.
    pub rounds: u32,
    /// (max − min) / mean of the window, %.
    pub range_percent: f64,
    /// Rise or fall of the least-squares line over the window / mean, %.
    pub slope_percent: f64,
}

/// Rounds of the window (SNIA PTS 2.0.1, definition of steady state).
pub const STEADY_ROUNDS: usize = 5;
/// Largest (max − min) / mean of the window.
const STEADY_RANGE: f64 = 0.20;
/// Largest excursion of the least-squares line over the window / mean.
const STEADY_SLOPE: f64 = 0.10;

/// Arithmetic mean; 0 for none.
pub fn mean(values: &[f64]) -> f64 {
    if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// The middle value, or the mean of the two in the middle; none without values.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = sorted.get(middle).copied()?;
    Some(if sorted.len() % 2 == 1 { upper } else { f64::midpoint(sorted[middle - 1], upper) })
}

/// The Student t interval of the mean; none for fewer than two runs.
pub fn interval(values: &[f64]) -> Option<Interval> {
    let count = values.len();
    if count < 2 {
        return None;
    }
    let mean = mean(values);
    let variance = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / (count - 1) as f64;
    let stddev = variance.sqrt();
    let t = StudentsT::new(0.0, 1.0, (count - 1) as f64).ok()?;
    let half = t.inverse_cdf(0.5 + CONFIDENCE_PERCENT / 200.0) * stddev / (count as f64).sqrt();
    let (low, high) = (mean - half, mean + half);
    Some(Interval { mean, stddev, low, high, confidence_percent: CONFIDENCE_PERCENT, runs: count as u32 })
}

/// Fairness over the events of threads; none without threads.
pub fn fairness(events: &[u64]) -> Option<Fairness> {
    let counts: Vec<f64> = events.iter().map(|&n| n as f64).collect();
    let mean = mean(&counts);
    let variance = counts.iter().map(|n| (n - mean) * (n - mean)).sum::<f64>() / counts.len() as f64;
    Some(Fairness { mean, stddev: variance.sqrt(), least: *events.iter().min()?, most: *events.iter().max()? })
}

/// Little's law: outstanding over rate × mean time. 1 when the books are right; none without events.
pub fn little(outstanding: f64, events_per_s: f64, mean_ms: f64) -> Option<f64> {
    let implied = events_per_s * mean_ms / 1000.0;
    (outstanding > 0.0 && implied > 0.0).then(|| implied / outstanding)
}

/// Judges the last [`STEADY_ROUNDS`] rounds; none while there are fewer.
pub fn steady_state(rounds: &[f64]) -> Option<SteadyState> {
    let window = rounds.get(rounds.len().checked_sub(STEADY_ROUNDS)?..)?;
    let average = mean(window);
    let (low, high) = window.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
    let centre = (STEADY_ROUNDS - 1) as f64 / 2.0;
    let offsets = || (0..STEADY_ROUNDS).map(|i| i as f64 - centre);
    let slope =
        offsets().zip(window).map(|(x, y)| x * (y - average)).sum::<f64>() / offsets().map(|x| x * x).sum::<f64>();
    let excursion = slope.abs() * (STEADY_ROUNDS - 1) as f64;
    let share = |value: f64| if average > 0.0 { value / average } else { f64::INFINITY };
    let (range, slope) = (share(high - low), share(excursion));
    Some(SteadyState {
        reached: range <= STEADY_RANGE && slope <= STEADY_SLOPE,
        rounds: rounds.len() as u32,
        range_percent: (range * 100.0).min(f64::MAX),
        slope_percent: (slope * 100.0).min(f64::MAX),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// t(0.975) for 4 degrees of freedom is 2.776 445 (Abramowitz and Stegun, table 26.10).
    #[test]
    fn the_interval_is_students() {
        let got = interval(&[10.0, 12.0, 11.0, 13.0, 9.0]).unwrap();
        let half = 2.776_445 * 2.5_f64.sqrt() / 5.0_f64.sqrt();
        assert!((got.mean - 11.0).abs() < 1e-12);
        assert!((got.high - 11.0 - half).abs() < 1e-5, "{got:?}");
        assert!((11.0 - got.low - half).abs() < 1e-5, "{got:?}");
        assert_eq!(interval(&[1.0]), None);
    }

    #[test]
    fn fairness_is_over_the_population() {
        let got = fairness(&[2, 4, 4, 4, 5, 5, 7, 9]).unwrap();
        assert_eq!((got.mean, got.stddev, got.least, got.most), (5.0, 2.0, 2, 9));
        assert_eq!(fairness(&[]), None);
    }

    #[test]
    fn littles_law_balances() {
        assert_eq!(little(8.0, 4000.0, 2.0), Some(1.0));
        assert_eq!(little(8.0, 0.0, 2.0), None);
    }

    #[test]
    fn steady_state_needs_five_level_rounds() {
        assert_eq!(steady_state(&[1.0; 4]), None);
        assert!(steady_state(&[1.0, 100.0, 101.0, 99.0, 100.0, 100.0]).unwrap().reached);
        // Range 19 % but a trend of 19 %.
        assert!(!steady_state(&[90.5, 95.25, 100.0, 104.75, 109.5]).unwrap().reached);
        // No trend but a range of 24 %.
        assert!(!steady_state(&[100.0, 112.0, 88.0, 100.0, 100.0]).unwrap().reached);
        assert!(!steady_state(&[0.0; 5]).unwrap().reached);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median(&[]), None);
    }
}
