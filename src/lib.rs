//! How many VMs fit on this host and SAN, what stops one more, and how sure are we?
//!
//! Arrows point down only: [`cli`] and [`web`] use [`report`] and [`store`], those use [`engine`], and all use [`domain`].

pub mod bench;
pub mod cli;
pub mod config;
pub mod domain;
pub mod engine;
pub mod import;
pub mod report;
pub mod store;
pub mod web;
