//! Importers on small files with the traits of real ones, on published tables, and on what is no file of theirs.

use super::{ImportError, Imported, Options, Run, import};

mod formats;
mod hostile;
mod perfmon;
mod published;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/");

fn bytes(file: &str) -> Vec<u8> {
    std::fs::read(format!("{FOLDER}{file}")).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// A file of `fixtures/imports`, recognized by its content.
fn fixture(file: &str) -> Imported {
    auto(&bytes(&format!("imports/{file}"))).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// A table of `fixtures/measurements`.
fn table(file: &str) -> Imported {
    auto(&bytes(&format!("measurements/{file}"))).unwrap_or_else(|error| panic!("{file}: {error}"))
}

fn auto(bytes: &[u8]) -> Result<Imported, ImportError> {
    import("auto", bytes, &Options::default())
}

fn figure(run: &Run, name: &str) -> f64 {
    run.metric(name).unwrap_or_else(|| panic!("{name} is missing in {run:?}"))
}

fn near(found: f64, wanted: f64) -> bool {
    (found - wanted).abs() <= 1e-6 * wanted.abs().max(1e-3)
}

#[track_caller]
fn figures(run: &Run, wanted: &[(&str, f64)]) {
    for (name, value) in wanted {
        let found = figure(run, name);
        assert!(near(found, *value), "{name}: {found}, not {value}");
    }
}
