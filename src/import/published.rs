//! Losses of guests as they were published, by the same way as a user's own pairs: what stands beside them.

use std::sync::LazyLock;

use super::calibrate::{Given, calibrate};
use super::{Imported, Options, import};

/// A published loss.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedLoss {
    /// As [`Run::mode`](super::Run::mode).
    pub mode: String,
    /// What tells it from others of the mode; empty for the only one.
    pub label: String,
    /// Hypervisor and year, for a label.
    pub of: &'static str,
    /// Share of the native figure.
    pub loss: f64,
}

/// Table, and what it is of. Each table names its source in its last column.
const TABLES: [(&str, &str); 3] = [
    ("Xen, 2008", include_str!("../../fixtures/measurements/xen_sysbench.csv")),
    ("Xen, 2008", include_str!("../../fixtures/measurements/xen_specjbb.csv")),
    ("Hyper-V, 2008", include_str!("../../fixtures/measurements/bts_iometer_passthrough.csv")),
];

/// Every published loss, in the order of its table.
pub fn losses() -> &'static [PublishedLoss] {
    static LOSSES: LazyLock<Vec<PublishedLoss>> = LazyLock::new(|| TABLES.into_iter().flat_map(table).collect());
    &LOSSES
}

fn table((of, text): (&'static str, &str)) -> Vec<PublishedLoss> {
    let read = |text: &str| -> Option<Imported> { import("auto", text.as_bytes(), &Options::default()).ok() };
    let both = read(text).map(|table| vec![table]).unwrap_or_default();
    let found = calibrate(&both, &both, &Given::default()).ok();
    let compared = found.into_iter().flat_map(|found| found.fits).flat_map(|fit| fit.calibration.compared);
    let loss = |one: crate::engine::calibration::Compared| PublishedLoss {
        mode: one.mode,
        label: one.label.unwrap_or_default(),
        of,
        loss: one.loss.likely,
    };
    compared.map(loss).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_has_its_losses() {
        let told: Vec<String> =
            losses().iter().map(|one| format!("{} {} {:.2}", one.of, one.mode, one.loss * 100.0)).collect();
        assert_eq!(
            told,
            [
                "Xen, 2008 cpu 0.88",
                "Xen, 2008 threads 4.77",
                "Xen, 2008 mutex 2.54",
                "Xen, 2008 memory 1.33",
                "Xen, 2008 fileio 46.64",
                "Xen, 2008 oltp 25.80",
                "Xen, 2008 jbb 11.76",
                "Xen, 2008 jbb 5.23",
                "Hyper-V, 2008 fileio 7.14",
            ]
        );
    }
}
