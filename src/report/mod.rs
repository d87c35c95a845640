//! An answer in words, as JSON, on a terminal, as charts, and as documents. One view of the engine's outcome serves all.

pub mod answer;

pub use answer::Answer;
