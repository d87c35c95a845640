//! What the templates show, ready to be shown.

pub mod answer;
pub mod field;
pub mod form;
pub mod problems;
pub mod upload;
