//! From what was asked to a mode of the runner.

use std::path::Path;
use std::time::Duration;

use crate::bench::clock::SystemClock;
use crate::bench::common::Common;
use crate::bench::cpu::Cpu;
use crate::bench::fileio::{Engine, FileIo, Sync};
use crate::bench::jbb::Jbb;
use crate::bench::memory::{Access, Memory, Operation, Scope};
use crate::bench::mutex::MutexMode;
use crate::bench::threads::Threads;
use crate::bench::{BenchError, BenchResult, Control};
use crate::domain::run::{Load, MemoryAccess, MemoryOperation, Run};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

/// Runs it; test files lie in `folder` and nowhere else.
pub fn run(run: &Run, folder: &Path, control: &Control) -> Result<BenchResult, BenchError> {
    let clock = SystemClock::new();
    let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or_default();
    let common =
        Common { threads: run.threads, time: seconds(run.time_s), warm_up: seconds(run.warmup_s), repeat: run.repeat };
    match &run.load {
        Load::Cpu { max_prime } => Cpu { common, max_prime: *max_prime }.run(&clock, control),
        Load::Threads { yields, locks } => Threads { common, yields: *yields, locks: *locks }.run(&clock, control),
        Load::Mutex { mutexes, locks, loops } => {
            MutexMode { common, mutexes: *mutexes, locks: *locks, loops: *loops }.run(&clock, control)
        }
        Load::Memory { block_kib, operation, access } => {
            let memory = Memory {
                common,
                block_bytes: u64::from(*block_kib) * KIB,
                operation: match operation {
                    MemoryOperation::Read => Operation::Read,
                    MemoryOperation::Write => Operation::Write,
                },
                access: match access {
                    MemoryAccess::Sequential => Access::Sequential,
                    MemoryAccess::Random => Access::Random,
                },
                scope: Scope::Local,
                bandwidth: false,
            };
            memory.run(&clock, control)
        }
        Load::FileIo { size_mib, block_kib, read_percent, random_percent, outstanding, cached } => {
            let fileio = FileIo {
                common,
                path: folder.to_owned(),
                size: size_mib * MIB,
                max_size: u64::MAX,
                block: u64::from(*block_kib) * KIB,
                read_percent: *read_percent,
                random_percent: *random_percent,
                outstanding: outstanding.clone(),
                burst: 1,
                align: None,
                sync: Sync::Never,
                cached: *cached,
                engine: Engine::Auto,
                steady_rounds: None,
            };
            fileio.run(&clock, control)
        }
        Load::Jbb { warehouses } => Jbb { common, warehouses: *warehouses }.run(&clock, control),
    }
}
