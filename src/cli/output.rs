//! What a command writes: whole files or none, and standard output that may be closed early.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::error::CliError;

/// Writes to standard output. A reader that has seen enough, such as `head`, is no error.
///
/// # Errors
/// When writing fails otherwise.
pub fn print(bytes: &[u8]) -> Result<(), CliError> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(CliError::Other(anyhow::Error::new(error).context("standard output")))
        }
        _ => Ok(()),
    }
}

/// Whether a file can be written there, as far as its name tells.
///
/// # Errors
/// [`CliError::Input`] when there is no such folder, or a folder in place of the file.
pub fn check_file(flag: &str, path: &Path) -> Result<(), CliError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if path.file_name().is_none() || path.is_dir() || !folder.is_dir() {
        let told = format!("{flag} '{}': allowed is the name of a file in a folder that exists", path.display());
        return Err(CliError::input(told));
    }
    Ok(())
}

/// Writes a file whole or not at all: into a new file beside it, which then takes its place.
///
/// # Errors
/// [`CliError::Input`] when there is no such folder; else [`CliError::Other`].
pub fn write_file(flag: &str, path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    check_file(flag, path)?;
    // A device or pipe, such as /dev/stdout, is written as it is: a file must not take its place.
    if path.exists() && !path.is_file() {
        return Ok(fs::write(path, bytes).with_context(|| path.display().to_string())?);
    }
    let (beside, mut file) = new_file_beside(path).with_context(|| path.display().to_string())?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| fs::rename(&beside, path));
    if let Err(error) = written {
        // The first error is told; the rest of a file must not stay.
        let _ = fs::remove_file(&beside);
        return Err(CliError::Other(anyhow::Error::new(error).context(path.display().to_string())));
    }
    Ok(())
}

fn new_file_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.part", std::process::id()));
    let beside = path.with_file_name(name);
    let file = OpenOptions::new().write(true).create_new(true).open(&beside)?;
    Ok((beside, file))
}
