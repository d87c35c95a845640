//! From measurements to the model: native and guest runs to coefficients with intervals, machines to a core rating, a
//! curve to a measured pool, a series to demands.

pub mod calibrate;
pub mod conditions;
pub mod curve;
pub mod demand;
pub mod line;
pub mod loads;
pub mod observation;
pub mod rating;
pub mod statistics;

#[cfg(test)]
mod tests;

pub use calibrate::{Calibration, Compared, Sizes, calibrate};
pub use conditions::{Conditions, Difference};
pub use line::{Line, LoadPoint, fixed_and_loss, loss_of_ratios, ranges};
pub use observation::{Observation, Refused};
pub use statistics::{Basis, Estimate};
