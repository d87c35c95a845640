//! A system of which nothing is known beyond the standard library.

use std::time::{SystemTime, UNIX_EPOCH};

use super::{MachineUsage, ThreadUsage};

use crate::bench::environment::{Environment, Hints};

const NAME: &str = if cfg!(target_os = "macos") {
    "macOS"
} else if cfg!(target_os = "freebsd") {
    "FreeBSD"
} else {
    "unknown"
};

/// Nothing is told.
pub fn thread_usage() -> ThreadUsage {
    ThreadUsage::default()
}

/// Only the time.
pub fn machine_usage() -> MachineUsage {
    let wall_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64());
    MachineUsage { wall_s, ..MachineUsage::default() }
}

/// Nothing beyond the name of the system.
pub fn describe(environment: &mut Environment) -> Hints {
    environment.os = Some(NAME.to_owned());
    environment.threads = Some(super::usable_processors());
    Hints::default()
}

/// Nothing is told.
pub fn storage_device(_: &std::path::Path) -> crate::bench::environment::StorageDevice {
    crate::bench::environment::StorageDevice::default()
}

/// Gives the processor to another thread.
pub fn yield_now() {
    std::thread::yield_now();
}

/// Unknown.
pub fn free_space(_: &std::path::Path) -> std::io::Result<Option<u64>> {
    Ok(None)
}

/// A new file for reading and writing. The standard library knows no way past the cache.
///
/// # Errors
/// Direct I/O and writing through are refused.
pub fn create_test_file(path: &std::path::Path, direct: bool, write_through: bool) -> std::io::Result<std::fs::File> {
    if direct || write_through {
        return Err(std::io::ErrorKind::InvalidInput.into());
    }
    std::fs::OpenOptions::new().read(true).write(true).create_new(true).open(path)
}

/// Takes the name from an open file, where the file lives on without.
pub fn forget_name(path: &std::path::Path) -> bool {
    std::fs::remove_file(path).is_ok()
}

/// Nothing is told.
pub fn network_bytes(_: bool) -> Option<super::NetworkBytes> {
    None
}
