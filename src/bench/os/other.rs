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
