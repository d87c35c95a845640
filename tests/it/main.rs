//! Integration tests: one binary, a module for each route, command and document.

mod charts;
mod documents;
mod pdf;
mod tidy;
mod xlsx;
