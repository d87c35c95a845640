//! Windows: what the standard library reaches without calling the system directly.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::windows::fs::{FileExt, OpenOptionsExt};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use super::{MachineUsage, ThreadUsage};
use crate::bench::environment::{Environment, Hints, StorageDevice};

/// CreateFile, dwFlagsAndAttributes (learn.microsoft.com, "CreateFileW function").
const FILE_FLAG_WRITE_THROUGH: u32 = 0x8000_0000;
const FILE_FLAG_NO_BUFFERING: u32 = 0x2000_0000;
const FILE_FLAG_DELETE_ON_CLOSE: u32 = 0x0400_0000;

/// Nothing is told.
pub fn thread_usage() -> ThreadUsage {
    ThreadUsage::default()
}

/// Only the time.
pub fn machine_usage() -> MachineUsage {
    let wall_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    MachineUsage { wall_s, ..MachineUsage::default() }
}

/// The name of the system; what lies under it is asked of the processor.
pub fn describe(environment: &mut Environment) -> Hints {
    environment.os = Some("Windows".to_owned());
    environment.threads = Some(super::usable_processors());
    Hints::default()
}

/// Nothing is told: a device refuses a block that does not fit it.
pub fn storage_device(_: &Path) -> StorageDevice {
    StorageDevice::default()
}

/// Unknown: writing the file finds out.
pub fn free_space(_: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}

/// A new file for reading and writing that goes away with its last handle; past the cache as SQL Server opens its files.
///
/// # Errors
/// When it exists, and what the system says.
pub fn create_test_file(path: &Path, direct: bool, write_through: bool) -> io::Result<File> {
    let mut flags = FILE_FLAG_DELETE_ON_CLOSE;
    if direct {
        flags |= FILE_FLAG_NO_BUFFERING;
    }
    if write_through {
        flags |= FILE_FLAG_WRITE_THROUGH;
    }
    OpenOptions::new().read(true).write(true).create_new(true).custom_flags(flags).open(path)
}

/// The file goes away when it is closed.
pub fn forget_name(_: &Path) -> bool {
    true
}

/// Gives the processor to another thread.
pub fn yield_now() {
    std::thread::yield_now();
}

/// Reads the whole buffer from there.
///
/// # Errors
/// What the system says, and an end of the file before the end of the buffer.
pub fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
        }
    }
    Ok(())
}

/// Writes the whole buffer to there.
///
/// # Errors
/// What the system says.
pub fn write_all_at(file: &File, mut buffer: &[u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_write(buffer, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => {
                buffer = &buffer[written..];
                offset += written as u64;
            }
        }
    }
    Ok(())
}

/// Nothing is told.
pub fn network_bytes(_: bool) -> Option<super::NetworkBytes> {
    None
}
