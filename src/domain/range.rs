//! A value that is known only within bounds.

use serde::Serialize;

/// Lowest, likeliest and highest value of a quantity, in that quantity's unit.
///
/// Every coefficient of a model is one of these; a value that is known exactly is a range of width zero. The order
/// `low ≤ likely ≤ high` and finiteness hold by construction.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Range {
    low: f64,
    likely: f64,
    high: f64,
}

impl Range {
    /// `None` unless all three are finite and in order.
    pub const fn new(low: f64, likely: f64, high: f64) -> Option<Self> {
        let ordered = low <= likely && likely <= high;
        if ordered && low.is_finite() && high.is_finite() { Some(Self { low, likely, high }) } else { None }
    }

    /// A known value: a range of width zero. A value that is not finite counts as zero.
    pub const fn exact(value: f64) -> Self {
        let value = if value.is_finite() { value } else { 0.0 };
        Self { low: value, likely: value, high: value }
    }

    /// `likely` with the same relative error to both sides, for example `0.1` for ±10 %.
    pub fn around(likely: f64, relative: f64) -> Self {
        let half = (likely * relative).abs();
        Self::new(likely - half, likely, likely + half).unwrap_or(Self::exact(likely))
    }

    pub const fn low(&self) -> f64 {
        self.low
    }

    pub const fn likely(&self) -> f64 {
        self.likely
    }

    pub const fn high(&self) -> f64 {
        self.high
    }

    /// High minus low; zero for a known value.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    pub fn is_exact(&self) -> bool {
        self.low == self.high
    }

    /// The same range scaled by a factor that is not negative.
    pub fn scaled(&self, factor: f64) -> Self {
        Self::new(self.low * factor, self.likely * factor, self.high * factor).unwrap_or(*self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_disorder_and_nonsense() {
        assert!(Range::new(1.0, 0.5, 2.0).is_none());
        assert!(Range::new(f64::NAN, 0.5, 2.0).is_none());
        assert!(Range::new(0.0, 0.5, f64::INFINITY).is_none());
        assert_eq!(Range::around(180.0, 0.1).low(), 162.0);
        assert!(Range::exact(3.0).is_exact());
    }
}
