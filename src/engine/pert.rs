//! The PERT distribution: a beta distribution over a range, stretched so that its mode is the likely value.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use crate::domain::range::Range;

/// Weight of the mode.
const LAMBDA: f64 = 4.0;
/// Steps of the table of the distribution function. Linear between them, quantiles are off by less than 10⁻⁴ of the
/// range's width between the 5 % and the 95 % quantile, and by less than half a step outside.
const STEPS: usize = 256;

/// Logarithms of the half steps of the table: 1 − x is a half step too.
static LOGS: LazyLock<Vec<f64>> =
    LazyLock::new(|| (0..=2 * STEPS).map(|half| libm::log(half as f64 / (2 * STEPS) as f64)).collect());

/// Quantiles of a PERT variable.
#[derive(Clone, Debug)]
pub struct Pert {
    range: Range,
    /// Distribution function at equal steps over the range.
    cumulative: Arc<[f64]>,
}

/// Tables by the bits of their mode, made once: most answers rest on the same few coefficients. Emptied when it is full.
static TABLES: LazyLock<RwLock<HashMap<u64, Arc<[f64]>>>> = LazyLock::new(RwLock::default);
/// Tables that are kept, of 2 KiB each.
const MOST_TABLES: usize = 512;

impl Pert {
    pub fn new(range: Range) -> Self {
        let width = range.width();
        let mode = if width > 0.0 { (range.likely() - range.low()) / width } else { 0.5 };
        let kept = TABLES.read().unwrap_or_else(PoisonError::into_inner).get(&mode.to_bits()).cloned();
        let cumulative = kept.unwrap_or_else(|| {
            let made = table(mode);
            let mut tables = TABLES.write().unwrap_or_else(PoisonError::into_inner);
            if tables.len() >= MOST_TABLES {
                tables.clear();
            }
            tables.insert(mode.to_bits(), made.clone());
            made
        });
        Self { range, cumulative }
    }

    /// The value below which that share of the probability lies; `share` in 0 to 1.
    pub fn quantile(&self, share: f64) -> f64 {
        let above = self.cumulative.partition_point(|&c| c <= share).clamp(1, STEPS);
        let (low, high) = (self.cumulative[above - 1], self.cumulative[above]);
        let part = if high > low { ((share - low) / (high - low)).clamp(0.0, 1.0) } else { 0.0 };
        let x = ((above - 1) as f64 + part) / STEPS as f64;
        self.range.low() + self.range.width() * x
    }
}

/// The distribution function of a PERT variable between 0 and 1 with this mode, at equal steps.
fn table(mode: f64) -> Arc<[f64]> {
    // Beta(1 + λ·mode, 1 + λ·(1 − mode)) without its constant, which the normalization supplies: x^a·(1 − x)^b.
    let (a, b) = (LAMBDA * mode, LAMBDA * (1.0 - mode));
    let power = |exponent: f64, log: f64| if exponent == 0.0 { 0.0 } else { exponent * log };
    let density = |half_step: usize| libm::exp(power(a, LOGS[half_step]) + power(b, LOGS[2 * STEPS - half_step]));
    let mut cumulative = Vec::with_capacity(STEPS + 1);
    let (mut sum, mut before) = (0.0, density(0));
    cumulative.push(0.0);
    for index in 1..=STEPS {
        let (middle, after) = (density(2 * index - 1), density(2 * index));
        // Simpson's rule on each step.
        sum += before + 4.0 * middle + after;
        cumulative.push(sum);
        before = after;
    }
    for value in &mut cumulative {
        *value /= sum;
    }
    cumulative.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{Beta, ContinuousCDF};

    #[test]
    fn quantiles_are_those_of_the_beta_distribution() {
        for (low, likely, high) in [(0.0, 0.5, 1.0), (0.0, 0.1, 1.0), (0.0, 0.0, 1.0), (0.0, 1.0, 1.0), (0.0, 0.7, 1.0)]
        {
            let pert = Pert::new(Range::new(low, likely, high).expect("in order"));
            let beta = Beta::new(1.0 + 4.0 * likely, 1.0 + 4.0 * (1.0 - likely)).expect("a shape");
            for share in [0.001, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.999] {
                let (found, exact) = (pert.quantile(share), beta.inverse_cdf(share));
                let most = if (0.05..=0.95).contains(&share) { 1e-4 } else { 2e-3 };
                assert!((found - exact).abs() < most, "mode {likely}: the {share} quantile is {exact}, not {found}");
            }
        }
    }
}
