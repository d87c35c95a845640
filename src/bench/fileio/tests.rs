use std::fs;
use std::time::Duration;

use super::*;
use crate::bench::clock::SystemClock;
use crate::bench::common::Common;
use crate::bench::control::Control;
use crate::bench::result::Ended;

const MIB: u64 = 1 << 20;

/// A small test through the cache: it runs on every file system.
pub(super) fn spec() -> FileIo {
    let common = Common { threads: 1, time: Duration::from_millis(30), warm_up: Duration::ZERO, repeat: 1 };
    FileIo {
        common,
        path: PathBuf::new(),
        size: 4 * MIB,
        max_size: 1 << 30,
        block: 8192,
        read_percent: 67,
        random_percent: 100,
        outstanding: vec![4],
        burst: 1,
        align: None,
        sync: Sync::Never,
        cached: true,
        engine: Engine::Auto,
        steady_rounds: None,
    }
}

fn native_4k() -> StorageDevice {
    StorageDevice { logical_block_bytes: Some(4096), ..StorageDevice::default() }
}

#[test]
fn a_block_below_the_sector_of_the_device_is_refused() {
    let direct = FileIo { block: 2048, cached: false, ..spec() };
    let told = direct.check(&native_4k()).unwrap_err();
    assert!(told.is_usage());
    assert!(told.to_string().contains("--block-size 2 KiB: this device takes multiples of 4 KiB"), "{told}");
    assert!(FileIo { block: 4096, ..direct.clone() }.check(&native_4k()).is_ok());
    let told = FileIo { block: 8192, align: Some(512), ..direct }.check(&native_4k()).unwrap_err();
    assert!(told.to_string().starts_with("--align 512 B"), "{told}");
}

#[test]
fn every_mistake_is_told_at_once() {
    let mut wrong = FileIo { read_percent: 101, burst: 9, block: 100, outstanding: vec![0, 4], ..spec() };
    wrong.common.threads = 0;
    let BenchError::Usage(lines) = wrong.check(&StorageDevice::default()).unwrap_err() else { panic!("usage") };
    assert_eq!(lines.len(), 5, "{lines:?}");
    let wrong = FileIo { size: MIB + 8192, ..spec() };
    assert!(wrong.check(&StorageDevice::default()).unwrap_err().to_string().contains("multiples"));
    // The last block of a file need not be whole: 60 KiB divide no MiB.
    assert!(FileIo { block: 60 << 10, ..spec() }.check(&StorageDevice::default()).is_ok());
    let wrong = FileIo { size: 4 << 30, ..spec() };
    assert!(wrong.check(&StorageDevice::default()).unwrap_err().to_string().contains("--max-size 1 GiB"));
}

#[test]
fn reads_and_writes_are_counted_apart_and_nothing_stays_behind() {
    let folder = tempfile::tempdir().unwrap();
    for engine in [Engine::Auto, Engine::Threads] {
        let spec = FileIo { path: folder.path().to_owned(), engine, sync: Sync::Every(16), ..spec() };
        let result = spec.run(&SystemClock::new(), &Control::silent()).unwrap();
        let (reads, writes) = (result.io.read_iops.unwrap(), result.io.write_iops.unwrap());
        assert!(reads > writes && writes > 0.0);
        assert!(((reads + writes) / result.events_per_s - 1.0).abs() < 1e-6);
        assert!((result.io.read_mib_s.unwrap() - reads / 128.0).abs() < 1e-6);
        assert_eq!(result.io.outstanding, Some(4));
        assert_eq!(result.operations.first().map(|op| op.name.as_str()), Some("fsync"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_curve_has_a_point_for_each_number() {
    let folder = tempfile::tempdir().unwrap();
    let spec = FileIo { path: folder.path().to_owned(), outstanding: vec![1, 2, 8], ..spec() };
    let result = spec.run(&SystemClock::new(), &Control::silent()).unwrap();
    assert_eq!(result.points.iter().map(|point| point.value).collect::<Vec<_>>(), [1.0, 2.0, 8.0]);
    let best = result.points.iter().map(|point| point.events_per_s).fold(0.0, f64::max);
    assert_eq!(result.events_per_s, best);
}

#[test]
fn a_folder_that_is_none_and_a_file_beyond_the_space_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let missing = FileIo { path: folder.path().join("missing"), ..spec() };
    let told = missing.run(&SystemClock::new(), &Control::silent()).unwrap_err();
    assert!(told.is_usage() && told.to_string().contains("allowed is a folder that exists"), "{told}");
    let size = 1 << 50;
    let huge = FileIo { path: folder.path().to_owned(), size, max_size: size, ..spec() };
    let told = huge.run(&SystemClock::new(), &Control::silent()).unwrap_err();
    assert!(told.is_usage() && told.to_string().contains("free"), "{told}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_that_is_there_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("vmfit-fileio-{}.tmp", std::process::id()));
    fs::write(&path, "kept").unwrap();
    let spec = FileIo { path: folder.path().to_owned(), ..spec() };
    let told = spec.run(&SystemClock::new(), &Control::silent()).unwrap_err();
    assert!(told.to_string().contains("is not overwritten"), "{told}");
    assert_eq!(fs::read_to_string(path).unwrap(), "kept");
}

#[test]
fn a_stop_while_the_file_is_written_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let spec = FileIo { path: folder.path().to_owned(), ..spec() };
    let control = Control::silent();
    control.cancel();
    assert!(matches!(spec.run(&SystemClock::new(), &control), Err(BenchError::Cancelled)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A device on which the time of an I/O is known and the tenth write fails.
mod simulated {
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::bench::clock::SimulatedClock;
    use crate::bench::contention::Needs;
    use crate::bench::environment::Environment;
    use crate::bench::fileio::blocking::{self, Device};
    use crate::bench::fileio::data::Slot;
    use crate::bench::fileio::pattern::Pattern;
    use crate::bench::result::Better;
    use crate::bench::runner::{LoadThread, run_threads};
    use crate::bench::session::{Plan, Session};

    struct Disk {
        clock: Arc<SimulatedClock>,
        writes: AtomicU32,
        broken_at: u32,
    }

    impl Device for Disk {
        fn read(&self, _: &mut [u8], _: u64) -> io::Result<()> {
            self.clock.advance(5_000_000);
            Ok(())
        }

        fn write(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
            assert_eq!(buffer[..8], offset.to_le_bytes());
            self.clock.advance(10_000_000);
            match self.writes.fetch_add(1, Ordering::Relaxed) + 1 {
                n if n == self.broken_at => Err(io::Error::other("medium error")),
                _ => Ok(()),
            }
        }

        fn sync(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn run(spec: &FileIo, broken_at: u32) -> Result<crate::bench::BenchResult, BenchError> {
        let clock = Arc::new(SimulatedClock::default());
        let disk = Disk { clock: Arc::clone(&clock), writes: AtomicU32::new(0), broken_at };
        let control = Control::silent();
        let plan = Plan {
            mode: "fileio",
            parameters: serde_json::Map::new(),
            environment: Environment::default(),
            threads: 1,
            repeat: 1,
            better: Better::Higher,
            needs: Needs::QuietMachine,
            outstanding: Some(1.0),
        };
        let mut session = Session::new(plan, &control, &*clock);
        while session.goes_on() {
            let slot = |_| Ok(Slot::new(spec.block, 1 << 13, &mut fastrand::Rng::with_seed(1)));
            let body = |thread: &LoadThread<'_, SimulatedClock>, slot| {
                blocking::work(thread, spec, &disk, slot, Pattern::new(spec, 0, 1, 1))
            };
            let load = run_threads(&mut session, &*clock, &control, 1, spec.common.limits(), slot, body)?;
            run::close_for_tests(&mut session, load, spec.block);
        }
        session.finish()
    }

    #[test]
    fn times_and_littles_law_are_exact() {
        let mut spec = spec();
        spec.common.warm_up = Duration::from_secs(1);
        spec.common.time = Duration::from_secs(60);
        let result = run(&spec, u32::MAX).unwrap();
        let io = &result.runs[0].io;
        assert_eq!(io.read_latency_ms.map(|l| (l.min, l.max)), Some((5.0, 5.0)));
        assert_eq!(io.write_latency_ms.map(|l| (l.min, l.max)), Some((10.0, 10.0)));
        assert!((result.little.unwrap() - 1.0).abs() < 1e-9, "{:?}", result.little);
        assert!(result.duration_s >= 60.0 && result.duration_s < 60.02);
    }

    #[test]
    fn a_device_that_breaks_ends_the_window_and_keeps_what_was_measured() {
        let mut spec = spec();
        spec.common.time = Duration::from_secs(60);
        let result = run(&spec, 10).unwrap();
        assert_eq!((result.valid, result.ended), (false, Ended::Failed));
        assert!(result.warnings[0].contains("medium error"), "{:?}", result.warnings);
        assert!(result.events > 0);
    }
}
