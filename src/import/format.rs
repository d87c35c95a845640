//! The one table of formats: name, what it is, how it is recognized, how it is read.

use std::io::Read;

use serde::Serialize;
use utoipa::ToSchema;

use super::error::ImportError;
use super::perfmon;
use super::result::Imported;
use super::text::Text;
use super::{
    diskspd_text, diskspd_xml, fio, fio_text, hammerdb, iometer, pairs, pg_timing, pgbench, sqlio, sysbench, vmfit,
};

/// A file that is being read.
pub type Input<'a> = Text<&'a mut dyn Read>;

/// What the reader of a file may be told.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Requests under way, where the file does not say.
    pub concurrency: Option<f64>,
    /// How demand is made of a series of Performance Monitor.
    pub perfmon: perfmon::Knobs,
}

type Reader = fn(&mut Input, &Options, &mut Imported) -> Result<(), ImportError>;

/// One foreign format.
pub struct Format {
    pub name: &'static str,
    pub about: &'static str,
    /// Whether the first 64 KiB of a text look like it.
    pub recognizes: fn(&str) -> bool,
    pub read: Reader,
    /// Name of the tool that writes it.
    pub tool: &'static str,
}

/// Tried in this order: those with an unmistakable mark first.
pub const FORMATS: [Format; 14] = [
    Format {
        name: "perfmon",
        about: "Performance Monitor CSV (relog, typeperf, logman); gives the demand of a VM",
        recognizes: perfmon::recognizes,
        read: perfmon::read,
        tool: "Performance Monitor",
    },
    Format {
        name: "vmfit",
        about: "JSON result of vmfit bench, one or a list",
        recognizes: vmfit::recognizes,
        read: vmfit::read,
        tool: "vmfit",
    },
    Format {
        name: "fio",
        about: "fio JSON and JSON+, also with text before it",
        recognizes: fio::recognizes,
        read: fio::read,
        tool: "fio",
    },
    Format {
        name: "diskspd-xml",
        about: "DiskSpd with -Rxml",
        recognizes: diskspd_xml::recognizes,
        read: diskspd_xml::read,
        tool: "DiskSpd",
    },
    Format {
        name: "diskspd",
        about: "DiskSpd text report",
        recognizes: diskspd_text::recognizes,
        read: diskspd_text::read,
        tool: "DiskSpd",
    },
    Format {
        name: "iometer",
        about: "IOMeter result CSV",
        recognizes: iometer::recognizes,
        read: iometer::read,
        tool: "IOMeter",
    },
    Format {
        name: "sqlio",
        about: "SQLIO text report",
        recognizes: sqlio::recognizes,
        read: sqlio::read,
        tool: "SQLIO",
    },
    Format {
        name: "pairs",
        about: "table of native and guest figures, as fixtures/measurements has them (CSV)",
        recognizes: pairs::recognizes,
        read: pairs::read,
        tool: "table",
    },
    Format {
        name: "hammerdb",
        about: "HammerDB text log or job JSON",
        recognizes: hammerdb::recognizes,
        read: hammerdb::read,
        tool: "HammerDB",
    },
    Format {
        name: "pgbench",
        about: "pgbench report",
        recognizes: pgbench::recognizes,
        read: pgbench::read,
        tool: "pgbench",
    },
    Format {
        name: "fio-text",
        about: "fio report for people",
        recognizes: fio_text::recognizes,
        read: fio_text::read,
        tool: "fio",
    },
    Format {
        name: "fio-terse",
        about: "fio --output-format=terse, version 3",
        recognizes: fio_text::recognizes_terse,
        read: fio_text::read_terse,
        tool: "fio",
    },
    Format {
        name: "pg-test-timing",
        about: "pg_test_timing: cost and quality of the clock",
        recognizes: pg_timing::recognizes,
        read: pg_timing::read,
        tool: "pg_test_timing",
    },
    Format {
        name: "sysbench",
        about: "sysbench reports, 0.4 to 1.1, all modes",
        recognizes: sysbench::recognizes,
        read: sysbench::read,
        tool: "sysbench",
    },
];

/// A format as it is listed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Listed {
    pub name: &'static str,
    pub about: &'static str,
}

/// All formats, with `auto` first.
pub fn list() -> Vec<Listed> {
    let auto = Listed { name: "auto", about: "recognized by its content" };
    std::iter::once(auto).chain(FORMATS.iter().map(|f| Listed { name: f.name, about: f.about })).collect()
}

/// Names that are allowed, for a message.
pub fn names() -> String {
    list().iter().map(|format| format.name).collect::<Vec<_>>().join(", ")
}
