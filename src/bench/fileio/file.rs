//! The test file: new, whole, and gone afterwards whatever happens.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

use super::data::{self, Aligned};
use super::{FileIo, Sync};
use crate::bench::common::size_text;
use crate::bench::control::{Control, Phase, Progress};
use crate::bench::error::{BenchError, Doing};
use crate::bench::os;

/// The file is filled in blocks of this size.
pub const FILL_BLOCK: u64 = 1 << 20;

/// Left free beside the file: a full disk harms others.
const SPARE: u64 = 64 << 20;

/// The open test file. It has no name any more where the system allows that; else dropping it removes it.
#[derive(Debug)]
pub struct TestFile {
    file: File,
    /// Where it still has a name.
    named: Option<PathBuf>,
}

impl TestFile {
    /// Makes the file and writes it whole.
    ///
    /// # Errors
    /// A folder that is none, too little space, a system that refuses; a stop by the user. Nothing stays behind.
    pub fn create(spec: &FileIo, control: &Control) -> Result<Self, BenchError> {
        let folder = &spec.path;
        if !folder.is_dir() {
            return Err(BenchError::usage(format!("--path '{}': allowed is a folder that exists", folder.display())));
        }
        if let Some(free) = os::free_space(folder).doing(|| folder.display().to_string())? {
            let needed = spec.size.saturating_add(SPARE);
            if free < needed {
                return Err(BenchError::usage(format!(
                    "--size {}: '{}' has {} free, and {} stay free beside the file",
                    size_text(spec.size),
                    folder.display(),
                    size_text(free / FILL_BLOCK * FILL_BLOCK),
                    size_text(SPARE)
                )));
            }
        }
        let path = folder.join(format!("vmfit-fileio-{}.tmp", std::process::id()));
        let file = os::create_test_file(&path, !spec.cached, spec.sync == Sync::Each).map_err(|error| {
            // Linux says so when a file system cannot pass its cache by; by then the file is there.
            let refused = !spec.cached && error.kind() == std::io::ErrorKind::InvalidInput;
            if error.kind() == std::io::ErrorKind::AlreadyExists {
                BenchError::failed(format!("'{}' is not overwritten", path.display()), error)
            } else if refused {
                let _ = fs::remove_file(&path);
                BenchError::usage(format!(
                    "--path '{}': its file system knows no direct I/O; --cached measures with the system's cache",
                    folder.display()
                ))
            } else {
                BenchError::failed(format!("'{}'", path.display()), error)
            }
        })?;
        // Without a name the file is gone with its last handle, even if the program is killed.
        let named = (!os::forget_name(&path)).then(|| path.clone());
        let made = Self { file, named };
        made.fill(spec.size, control, &path)?;
        Ok(made)
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Writes random data from the first to the last byte: a device must read what it is asked for.
    fn fill(&self, size: u64, control: &Control, path: &Path) -> Result<(), BenchError> {
        let mut random = fastrand::Rng::with_seed(size);
        let mut block = Aligned::random(FILL_BLOCK as usize, &mut random);
        let began = Instant::now();
        let mut told = began;
        for offset in (0..size).step_by(FILL_BLOCK as usize) {
            if control.is_cancelled() {
                return Err(BenchError::Cancelled);
            }
            random.fill(block.slice_mut());
            data::stamp(block.slice_mut(), offset, 0);
            os::write_all_at(&self.file, block.slice(), offset)
                .doing(|| format!("'{}' at {}", path.display(), size_text(offset)))?;
            if told.elapsed().as_millis() >= 200 {
                told = Instant::now();
                let elapsed_s = began.elapsed().as_secs_f64();
                let done = offset as f64 / size as f64;
                let planned_s = (done > 0.0).then(|| elapsed_s / done);
                let (step, rate) =
                    ("writing the test file".to_owned(), Some(offset as f64 / FILL_BLOCK as f64 / elapsed_s));
                control.tell(&Progress { phase: Phase::Prepare, step, elapsed_s, planned_s, done: Some(done), rate });
            }
        }
        self.file.sync_all().doing(|| format!("'{}'", path.display()))
    }
}

impl Drop for TestFile {
    fn drop(&mut self) {
        if let Some(path) = &self.named {
            // There is nobody left to tell.
            let _ = fs::remove_file(path);
        }
    }
}
