//! The published scale-out table, and the law fitted on it.

use std::sync::LazyLock;

use super::{BizTalkModel, Measurement, Scenario};

const TABLE: &str = include_str!("../../../fixtures/measurements/biztalk2010_scaleout_physical.csv");

static ROWS: LazyLock<Vec<Measurement>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(TABLE.as_bytes());
    // A row that does not parse is left out here; a test counts them.
    reader.records().filter_map(|record| row(&record.ok()?)).collect()
});

static MODEL: LazyLock<Option<BizTalkModel>> = LazyLock::new(|| BizTalkModel::fit(&ROWS).ok());

fn row(record: &csv::StringRecord) -> Option<Measurement> {
    let number = |column: usize| record.get(column)?.parse::<f64>().ok();
    Some(Measurement {
        scenario: match record.get(0)? {
            "messaging" => Scenario::Messaging,
            "orchestration" => Scenario::Orchestration,
            _ => return None,
        },
        messageboxes: number(1)? as u32,
        servers: number(2)? as u32,
        docs_per_s: number(3)?,
        processing_cpu_pct: number(4)?,
        sql_cpu_pct: number(5)?,
    })
}

/// The rows of `fixtures/measurements/biztalk2010_scaleout_physical.csv`.
pub fn published_rows() -> &'static [Measurement] {
    &ROWS
}

/// The law fitted on [`published_rows`]; `None` only if the table could not be read.
pub fn published() -> Option<&'static BizTalkModel> {
    MODEL.as_ref()
}
