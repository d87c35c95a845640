//! `fileio`: an access specification as IOMeter knows it, on a file that the benchmark writes itself: block, read share,
//! random share, burst, alignment, workers, outstanding I/Os of each worker, ramp-up.
//!
//! The file is written whole with data that does not compress before anything is measured, I/O goes past the system's
//! cache unless asked otherwise, and a block that does not fit the device is refused, never rounded.

mod blocking;
mod data;
mod file;
mod pattern;
mod profiles;
mod rounds;
mod run;
#[cfg(target_os = "linux")]
mod uring;

use std::path::PathBuf;

use serde_json::{Value, json};

use super::common::{Common, size_text};
use super::environment::StorageDevice;
use super::error::{BenchError, Mistakes};

pub use profiles::{PROFILES, Profile};

/// When written data is forced to the medium.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sync {
    Never,
    /// Each write returns when its data is there.
    Each,
    /// After so many writes of a worker.
    Every(u32),
    /// Once, at the end of the window.
    End,
}

/// How I/O reaches the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// io_uring where there is one, else threads.
    Auto,
    IoUring,
    /// A thread for each outstanding I/O.
    Threads,
}

/// Options of `fileio`. `common.threads` is the number of workers, `common.warm_up` the ramp-up.
#[derive(Clone, Debug, PartialEq)]
pub struct FileIo {
    pub common: Common,
    /// Folder of the test file.
    pub path: PathBuf,
    pub size: u64,
    /// Largest file that may be asked for.
    pub max_size: u64,
    pub block: u64,
    pub read_percent: u32,
    pub random_percent: u32,
    /// I/Os of each worker in flight; several make a curve.
    pub outstanding: Vec<u32>,
    /// I/Os that are issued together.
    pub burst: u32,
    /// Offsets are multiples of this; the block if none.
    pub align: Option<u64>,
    pub sync: Sync,
    /// Through the system's cache.
    pub cached: bool,
    pub engine: Engine,
    /// Rounds of `--time` until five of them are steady by SNIA's rule, at most so many.
    pub steady_rounds: Option<u32>,
}

const MOST_OUTSTANDING: u32 = 1024;
const MOST_BLOCK: u64 = 64 << 20;
const MOST_WORKERS: u32 = 256;

impl FileIo {
    /// Notes what cannot be. `device` is what the file lies on.
    fn check(&self, device: &StorageDevice) -> Result<(), BenchError> {
        let mut mistakes = Mistakes::default();
        self.common.check(&mut mistakes);
        let workers = self.common.threads;
        mistakes.unless(workers <= MOST_WORKERS, || format!("--workers {workers}: allowed is 1 to {MOST_WORKERS}"));
        for (flag, share) in [("--read-percent", self.read_percent), ("--random-percent", self.random_percent)] {
            mistakes.unless(share <= 100, || format!("{flag} {share}: allowed is 0 to 100"));
        }
        mistakes.unless(!self.outstanding.is_empty(), || "--outstanding: at least one number is needed".to_owned());
        for &outstanding in &self.outstanding {
            mistakes.unless((1..=MOST_OUTSTANDING).contains(&outstanding), || {
                format!("--outstanding {outstanding}: allowed is 1 to {MOST_OUTSTANDING}")
            });
        }
        let most_burst = self.outstanding.iter().copied().min().unwrap_or(1).max(1);
        mistakes.unless((1..=most_burst).contains(&self.burst), || {
            format!("--burst {}: allowed is 1 to the outstanding I/Os, {most_burst}", self.burst)
        });
        mistakes
            .unless(self.sync != Sync::Every(0), || "--fsync 0: allowed is none, each, end or 1 and more".to_owned());
        self.check_sizes(device, &mut mistakes);
        mistakes.done()
    }

    fn check_sizes(&self, device: &StorageDevice, mistakes: &mut Mistakes) {
        let block = self.block;
        let logical = u64::from(device.logical_block_bytes.unwrap_or(SECTOR)).max(1);
        let in_range = (SECTOR.into()..=MOST_BLOCK).contains(&block);
        mistakes.unless(in_range, || {
            format!("--block-size {}: allowed is {SECTOR} B to {}", size_text(block), size_text(MOST_BLOCK))
        });
        if !in_range {
            return;
        }
        let fits = |bytes: u64| self.cached || bytes.is_multiple_of(logical);
        mistakes.unless(fits(block), || {
            format!("--block-size {}: this device takes multiples of {}", size_text(block), size_text(logical))
        });
        let align = self.align.unwrap_or(block);
        mistakes.unless(align > 0 && fits(align), || {
            format!("--align {}: this device takes multiples of {}", size_text(align), size_text(logical))
        });
        let in_flight = u64::from(self.most_outstanding()) * u64::from(self.common.threads);
        let least = block.saturating_mul(in_flight.max(1)).max(file::FILL_BLOCK);
        mistakes.unless(self.size >= least && self.size <= self.max_size, || {
            let (size, least, most) = (size_text(self.size), size_text(least), size_text(self.max_size));
            format!("--size {size}: allowed is {least} (every I/O in flight its own block) to --max-size {most}")
        });
        mistakes.unless(self.size.is_multiple_of(file::FILL_BLOCK), || {
            format!("--size {}: allowed are multiples of {}", size_text(self.size), size_text(file::FILL_BLOCK))
        });
    }

    fn most_outstanding(&self) -> u32 {
        self.outstanding.iter().copied().max().unwrap_or(1)
    }

    fn parameters(&self, engine: &str) -> Value {
        json!({
            "path": self.path.display().to_string(),
            "size_bytes": self.size,
            "block_bytes": self.block,
            "read_percent": self.read_percent,
            "random_percent": self.random_percent,
            "outstanding": self.outstanding,
            "workers": self.common.threads,
            "burst": self.burst,
            "align_bytes": self.align.unwrap_or(self.block),
            "fsync": match self.sync {
                Sync::Never => "none".to_owned(),
                Sync::Each => "each".to_owned(),
                Sync::End => "end".to_owned(),
                Sync::Every(writes) => writes.to_string(),
            },
            "cached": self.cached,
            "engine": engine,
        })
    }
}

/// Smallest I/O of any disk, bytes.
const SECTOR: u32 = 512;

#[cfg(test)]
mod tests;
