//! Positive numbers with a wide exponent: normalizing constants span thousands of decades.

use std::ops::{Add, Mul};

const STEP: f64 = f64::from_bits((1023 + 256) << 52); // 2^256
const UP: f64 = f64::from_bits((1023 + 128) << 52); // 2^128
const DOWN: f64 = f64::from_bits((1023 - 128) << 52); // 2^-128

/// `mantissa × 2^(256·exponent)`, the mantissa zero or within `2^-128..2^128`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scaled {
    mantissa: f64,
    exponent: i32,
}

impl Scaled {
    pub(super) const ZERO: Self = Self { mantissa: 0.0, exponent: i32::MIN / 2 };
    pub(super) const ONE: Self = Self { mantissa: 1.0, exponent: 0 };

    #[inline]
    fn normal(mantissa: f64, exponent: i32) -> Self {
        if mantissa > UP {
            Self { mantissa: mantissa / STEP, exponent: exponent + 1 }
        } else if mantissa >= DOWN {
            Self { mantissa, exponent }
        } else if mantissa > 0.0 {
            Self { mantissa: mantissa * STEP, exponent: exponent - 1 }
        } else {
            Self::ZERO
        }
    }

    /// The quotient as a plain number; zero when the divisor is.
    pub(super) fn over(self, divisor: Self) -> f64 {
        if divisor.mantissa == 0.0 || self.mantissa == 0.0 {
            return 0.0;
        }
        let quotient = self.mantissa / divisor.mantissa;
        match self.exponent - divisor.exponent {
            0 => quotient,
            1 => quotient * STEP,
            -1 => quotient / STEP,
            ..=-2 => 0.0,
            _ => f64::MAX,
        }
    }
}

impl Add for Scaled {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        let (large, small) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        match large.exponent - small.exponent {
            0 => Self::normal(large.mantissa + small.mantissa, large.exponent),
            1 => Self::normal(large.mantissa + small.mantissa / STEP, large.exponent),
            // Two steps are at least 2^256 apart: nothing of the smaller is left.
            _ => large,
        }
    }
}

impl Mul<f64> for Scaled {
    type Output = Self;

    /// By a factor that is zero or within `1e-30..1e30`, or a smaller one that then counts as zero.
    #[inline]
    fn mul(self, factor: f64) -> Self {
        Self::normal(self.mantissa * factor, self.exponent)
    }
}
