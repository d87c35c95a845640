//! Files and disks on Linux.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use super::describe::text;
use crate::bench::environment::StorageDevice;

/// What a user without privileges may still write below a folder, bytes.
///
/// # Errors
/// What the system says.
pub fn free_space(folder: &Path) -> io::Result<Option<u64>> {
    let found = rustix::fs::statvfs(folder)?;
    Ok(Some(found.f_bavail.saturating_mul(found.f_frsize)))
}

/// A new file for reading and writing, past the cache, and with writes that return when their data is on the medium.
///
/// # Errors
/// When it exists, and what the system says.
pub fn create_test_file(path: &Path, direct: bool, write_through: bool) -> io::Result<File> {
    let mut flags = OFlags::empty();
    flags.set(OFlags::DIRECT, direct);
    flags.set(OFlags::DSYNC, write_through);
    // The flags are bits of an int.
    let flags = flags.bits().cast_signed();
    OpenOptions::new().read(true).write(true).create_new(true).custom_flags(flags).open(path)
}

/// Takes the name from an open file: it lives on until its last handle is closed.
pub fn forget_name(path: &Path) -> bool {
    fs::remove_file(path).is_ok()
}

/// The file system and the device under a folder.
pub fn storage_device(folder: &Path) -> StorageDevice {
    let mut found = StorageDevice::default();
    let Some(number) = fs::metadata(folder).ok().map(|meta| meta.dev()) else { return found };
    let (major, minor) = (rustix::fs::major(number), rustix::fs::minor(number));
    found.file_system =
        text("/proc/self/mountinfo").and_then(|mounts| file_system(&mounts, &format!("{major}:{minor}")));
    let Ok(device) = fs::canonicalize(format!("/sys/dev/block/{major}:{minor}")) else { return found };
    found.device = device.file_name().map(|name| name.to_string_lossy().into_owned());
    // A partition has its queue in the disk above it.
    let disk =
        if device.join("queue").exists() { device } else { device.parent().map(Path::to_owned).unwrap_or(device) };
    let queue = |name: &str| text(disk.join("queue").join(name));
    found.model = text(disk.join("device/model"));
    found.rotational = queue("rotational").map(|text| text == "1");
    found.logical_block_bytes = queue("logical_block_size").and_then(|text| text.parse().ok());
    found.physical_block_bytes = queue("physical_block_size").and_then(|text| text.parse().ok());
    found.scheduler = queue("scheduler").map(|text| chosen(&text));
    found
}

/// The scheduler in brackets.
fn chosen(schedulers: &str) -> String {
    let bracketed = schedulers.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    bracketed.map_or(schedulers, |(name, _)| name).to_owned()
}

/// The type of the mount with this device number (proc_pid_mountinfo(5)).
fn file_system(mounts: &str, number: &str) -> Option<String> {
    let mount = mounts.lines().find(|line| line.split_whitespace().nth(2) == Some(number))?;
    mount.split_once(" - ")?.1.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_files() {
        assert_eq!(chosen("none [mq-deadline] kyber"), "mq-deadline");
        let mounts = "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw\n";
        assert_eq!(file_system(mounts, "254:0").as_deref(), Some("ext4"));
    }

    #[test]
    fn a_file_that_exists_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "kept").unwrap();
        let error = create_test_file(&path, false, false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
        assert!(free_space(folder.path()).unwrap() > Some(0));
    }
}
