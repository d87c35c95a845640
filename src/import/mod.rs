//! Results of other people's tools, one file a format: text in, runs with their metrics or the demand of a VM out.
//!
//! Files are read as they are found: any size within a bound that suits the format, any encoding that Windows and Linux
//! tools write. What is not understood is reported, never guessed.

use std::io::Read as IoRead;

pub mod calibrate;
mod diskspd_text;
mod diskspd_xml;
mod error;
mod fio;
mod fio_text;
mod format;
mod hammerdb;
mod iometer;
mod json;
mod number;
mod pairs;
pub mod perfmon;
mod pg_timing;
mod pgbench;
pub mod published;
pub mod result;
mod sqlio;
mod sysbench;
mod text;
mod vmfit;

#[cfg(test)]
mod tests;

pub use error::ImportError;
pub use format::{FORMATS, Format, Listed, Options, list};
pub use result::{Direction, Imported, LittlesLaw, Metric, Run, Side};

/// Reads a file of a named format, or of the one that its content shows (`auto`).
///
/// # Errors
/// That the format is unknown or not recognized, or why nothing could be made of the content.
pub fn import(name: &str, mut file: impl IoRead, options: &Options) -> Result<Imported, ImportError> {
    let named = known(name)?;
    let file: &mut dyn IoRead = &mut file;
    let mut input = text::Text::new(file)?;
    let head = input.head()?;
    let format = match named {
        Some(format) => format,
        None => FORMATS.iter().find(|format| (format.recognizes)(&head)).ok_or_else(|| unrecognized(&head))?,
    };
    let mut imported = Imported::new(format.name, format.tool);
    (format.read)(&mut input, options, &mut imported)?;
    if let Some(concurrency) = options.concurrency {
        state_concurrency(&mut imported, concurrency);
    }
    imported.warn_of_little();
    imported.read.lines = input.lines;
    imported.read.bytes = input.bytes;
    imported.read.encoding = input.encoding;
    Ok(imported)
}

/// The format of a name; `None` for `auto`.
///
/// # Errors
/// [`ImportError::UnknownFormat`] with the names that are allowed.
pub fn known(name: &str) -> Result<Option<&'static Format>, ImportError> {
    let named = FORMATS.iter().find(|format| format.name == name);
    if named.is_none() && name != "auto" {
        return Err(ImportError::UnknownFormat { name: result::shown(name), allowed: format::names() });
    }
    Ok(named)
}

fn unrecognized(head: &str) -> ImportError {
    match head.bytes().position(|byte| byte == 0) {
        Some(position) => ImportError::Binary { position: position as u64 },
        None if head.trim().is_empty() => ImportError::Empty,
        None => ImportError::Unrecognized { allowed: format::names() },
    }
}

fn state_concurrency(imported: &mut Imported, concurrency: f64) {
    for run in &mut imported.runs {
        if run.stated_concurrency().is_none() {
            run.threads = Some(concurrency);
        }
        if let Some(law) = run.littles_law.filter(|law| law.stated.is_none()) {
            run.littles_law = LittlesLaw::of(law.rate_per_s, law.latency_ms, run.stated_concurrency());
        }
    }
}
