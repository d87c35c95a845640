//! I/O at a place of a file, as POSIX systems have it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// Reads the whole buffer from there.
///
/// # Errors
/// What the system says, and an end of the file before the end of the buffer.
pub fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// Writes the whole buffer to there.
///
/// # Errors
/// What the system says.
pub fn write_all_at(file: &File, buffer: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(buffer, offset)
}
