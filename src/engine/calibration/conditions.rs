//! What two runs must have in common to be compared, and how they differ.

use serde::Serialize;
use utoipa::ToSchema;

/// How a run was made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conditions {
    /// What was measured: `cpu`, `fileio`, `oltp`, …
    pub mode: String,
    /// Access specification, job, load level; runs of different labels are different points.
    pub label: Option<String>,
    pub tool: String,
    /// Generation of the tool: figures of two generations mean different things.
    pub generation: Option<String>,
    pub threads: Option<f64>,
    pub block_kib: Option<f64>,
    pub outstanding: Option<f64>,
    pub read_percent: Option<f64>,
    /// Quality of the clock, as `good` and `slow`.
    pub clock: Option<String>,
    /// Further options that change what is measured, by name.
    pub options: Vec<(String, String)>,
}

/// One thing in which two runs differ.
#[derive(Clone, Debug, PartialEq, thiserror::Error, Serialize, ToSchema)]
#[error("{what}: {native} natively, {guest} in the guest")]
pub struct Difference {
    pub what: String,
    pub native: String,
    pub guest: String,
}

/// Shares of reads this close are the same mix: what a run did differs a little from what it was asked to.
const READ_TOLERANCE: f64 = 3.0;

impl Conditions {
    /// In what two runs differ so that they must not be compared. What one of them does not say is no difference.
    pub fn differences(&self, guest: &Self) -> Vec<Difference> {
        let mut found = Vec::new();
        let mut texts = |what: &str, a: Option<&str>, b: Option<&str>| {
            if let (Some(a), Some(b)) = (a, b)
                && a != b
            {
                found.push(Difference { what: what.to_owned(), native: a.to_owned(), guest: b.to_owned() });
            }
        };
        texts("mode", Some(&self.mode), Some(&guest.mode));
        texts("tool", Some(&self.tool), Some(&guest.tool));
        texts("tool generation", self.generation.as_deref(), guest.generation.as_deref());
        texts("clock quality", self.clock.as_deref(), guest.clock.as_deref());
        for (name, value) in &self.options {
            let other = guest.options.iter().find(|(known, _)| known == name);
            texts(name, Some(value), other.map(|(_, value)| value.as_str()));
        }
        let mut numbers = |what: &str, a: Option<f64>, b: Option<f64>, tolerance: f64| {
            if let (Some(a), Some(b)) = (a, b)
                && (a - b).abs() > tolerance
            {
                found.push(Difference { what: what.to_owned(), native: a.to_string(), guest: b.to_string() });
            }
        };
        numbers("threads", self.threads, guest.threads, 1e-9);
        numbers("block size KiB", self.block_kib, guest.block_kib, 1e-9);
        numbers("outstanding", self.outstanding, guest.outstanding, 1e-9);
        numbers("read percent", self.read_percent, guest.read_percent, READ_TOLERANCE);
        found
    }

    /// Whether both are repeats of one point: nothing differs, and both carry the same label.
    pub fn same_point(&self, other: &Self) -> bool {
        self.label == other.label && self.differences(other).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_named() {
        let native = Conditions {
            mode: "fileio".into(),
            tool: "fio".into(),
            generation: Some("3".into()),
            threads: Some(1.0),
            block_kib: Some(8.0),
            outstanding: Some(1.0),
            clock: Some("good".into()),
            ..Conditions::default()
        };
        assert!(native.differences(&native).is_empty());
        let guest = Conditions {
            generation: Some("2".into()),
            threads: Some(4.0),
            block_kib: Some(4.0),
            outstanding: Some(8.0),
            clock: Some("slow".into()),
            ..native.clone()
        };
        let named: Vec<String> = native.differences(&guest).into_iter().map(|difference| difference.what).collect();
        assert_eq!(named, ["tool generation", "clock quality", "threads", "block size KiB", "outstanding"]);
        let silent = Conditions { threads: None, clock: None, generation: None, ..native.clone() };
        assert!(native.differences(&silent).is_empty());
        assert_eq!(native.differences(&guest)[2].to_string(), "threads: 1 natively, 4 in the guest");
    }
}
