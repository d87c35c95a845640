//! From pairs of native and guest runs to coefficients of an overhead model.

pub mod line;

pub use line::{Line, LoadPoint, fixed_and_loss, loss_of_ratios, ranges};
