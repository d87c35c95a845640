//! The model against what was measured: each case through the same laws that size a host, with the interval that the
//! coefficients' ranges give it.

mod predict;
mod summary;
#[cfg(test)]
mod tests;

use crate::domain::case::Case;

pub use summary::{Group, SummaryRow, summarize};

/// Share of draws that the interval holds.
pub const INTERVAL: f64 = 0.9;

/// Slack for the rounding of floating-point arithmetic.
const ROUNDING: f64 = 1e-9;

/// A figure and the interval that holds [`INTERVAL`] of its draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction {
    pub likely: f64,
    pub low: f64,
    pub high: f64,
}

/// A prediction beside the measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Verdict {
    /// `None` when the model has no answer: a queue without a steady state, or rows that no law fits.
    pub prediction: Option<Prediction>,
    /// Predicted over measured less one; −1 without a prediction.
    pub error: f64,
    /// Whether the interval holds the measurement, up to half of its last printed digit.
    pub inside: bool,
    pub within_tolerance: bool,
}

/// Predicts a case and compares.
pub fn judge(case: &Case) -> Verdict {
    let Some(prediction) = predict::predict(case) else {
        return Verdict { prediction: None, error: -1.0, inside: false, within_tolerance: false };
    };
    let off = prediction.likely - case.measured;
    let slack = case.half_digit + ROUNDING * case.measured;
    let same_side = case.tolerance.same_side_of.is_none_or(|line| {
        let side = |value: f64| value.total_cmp(&line);
        side(prediction.likely) == side(case.measured)
    });
    Verdict {
        prediction: Some(prediction),
        error: off / case.measured,
        inside: prediction.low - slack <= case.measured && case.measured <= prediction.high + slack,
        within_tolerance: same_side && off.abs() <= case.tolerance.within + ROUNDING * case.measured,
    }
}
