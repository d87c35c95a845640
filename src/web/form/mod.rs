//! The form: what a browser sends, as a tree of texts, and back.
//!
//! One tree for everything. Pairs of a form are read into it ([`decode`]), buttons change it ([`action`]), an address
//! carries it ([`link`]), a saved scenario becomes one ([`tree::from_json`]), and [`normalize`] makes of it the JSON that the
//! one parser reads. Because it holds what was typed and not what was meant, a wrong form survives all of these.

pub mod action;
pub mod decode;
pub mod fields;
pub mod link;
pub mod normalize;
pub mod paste;
pub mod presets;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod tree;
