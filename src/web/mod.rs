//! Pages and API.
pub mod form;
