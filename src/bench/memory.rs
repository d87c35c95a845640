//! `memory`: an event reads or writes every 8 bytes of a block, one after another or at random, as in sysbench. With
//! `bandwidth` the block lies beyond the last-level cache, and an event is the next MiB of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::clock::Clock;
use super::common::Common;
use super::contention::Needs;
use super::control::Control;
use super::environment::{self, Environment};
use super::error::{BenchError, Mistakes};
use super::result::{BenchResult, Better, Score};
use super::runner::{Worker, run_window};
use super::session::{Plan, Session};

/// What is done with the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Read,
    Write,
}

/// In which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Sequential,
    Random,
}

/// Whose the block is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Each thread has its own, first touched on its processor.
    Local,
    /// All threads share one.
    Global,
}

/// Options of `memory`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    pub common: Common,
    pub block_bytes: u64,
    pub operation: Operation,
    pub access: Access,
    pub scope: Scope,
    /// Measure beyond the last-level cache; the size of the block is found.
    pub bandwidth: bool,
}

/// Words of a line: the loops are unrolled so far, as compilers unroll those of the peers.
const LINE: usize = 8;
const LINE_BYTES: u64 = 64;
const MOST_BLOCK: u64 = 1 << 40;
const MIB: u64 = 1 << 20;

/// A block this many times the last-level cache leaves no more than a quarter of it to hits.
const CACHES: u64 = 4;
/// Last-level cache where the system does not tell.
const USUAL_CACHE_KIB: u64 = 32 << 10;
/// Blocks of all threads may take this share of memory.
const MEMORY_SHARE: f64 = 0.5;

impl Memory {
    /// Runs the benchmark.
    ///
    /// # Errors
    /// Options that cannot be; a block that does not fit into memory.
    pub fn run(&self, clock: &impl Clock, control: &Control) -> Result<BenchResult, BenchError> {
        let common = self.common;
        let mut mistakes = Mistakes::default();
        common.check(&mut mistakes);
        let allowed = |bytes: u64| (LINE_BYTES..=MOST_BLOCK).contains(&bytes) && bytes.is_multiple_of(LINE_BYTES);
        mistakes.unless(allowed(self.block_bytes), || {
            format!("--block-size {}: allowed is a multiple of {LINE_BYTES} B to 1 TiB", self.block_bytes)
        });
        mistakes.done()?;
        let environment = environment::detect();
        let (block, event) = self.sizes(&environment);
        let blocks = if self.scope == Scope::Local { u64::from(common.threads) } else { 1 };
        let memory = environment.memory_gib.map(|gib| gib * (1_u64 << 30) as f64 * MEMORY_SHARE);
        if memory.is_some_and(|most| (block * blocks) as f64 > most) {
            let told =
                format!("--block-size {block}: {blocks} such blocks are more than half of this machine's memory");
            return Err(BenchError::usage(told));
        }
        let plan = Plan {
            mode: "memory",
            parameters: common.parameters(self.parameters(block)),
            environment,
            threads: common.threads,
            repeat: common.repeat,
            better: Better::Higher,
            needs: Needs::Processors(common.threads),
            outstanding: None,
        };
        let shared = if self.scope == Scope::Global { Some(new_block(block)?) } else { None };
        let mut session = Session::new(plan, control, clock);
        while session.goes_on() {
            let make = |number: usize| {
                let words = shared.clone().map_or_else(|| new_block(block), Ok)?;
                // Threads that share a block beyond the cache begin in different parts of it.
                let parts = (block / event) as usize;
                let at = number * parts / common.threads as usize;
                let random = fastrand::Rng::with_seed(number as u64 + 1);
                Ok(Toucher {
                    words,
                    event_words: event as usize / 8,
                    at,
                    operation: self.operation,
                    access: self.access,
                    random,
                })
            };
            run_window(&mut session, clock, control, common.threads, common.limits(), make)?;
        }
        let mut result = session.finish()?;
        let mib_s = result.events_per_s * event as f64 / MIB as f64;
        result.score = Some(Score { name: "throughput".to_owned(), value: mib_s, unit: "MiB/s".to_owned() });
        Ok(result)
    }

    /// Bytes of a block and of an event.
    fn sizes(&self, environment: &Environment) -> (u64, u64) {
        if !self.bandwidth {
            return (self.block_bytes, self.block_bytes);
        }
        let cache = environment.caches.iter().map(|cache| cache.size_kib).max().unwrap_or(USUAL_CACHE_KIB) << 10;
        ((CACHES * cache).next_multiple_of(MIB).max(self.block_bytes.next_multiple_of(MIB)), MIB)
    }

    fn parameters(&self, block: u64) -> serde_json::Value {
        serde_json::json!({
            "block_bytes": block,
            "operation": match self.operation { Operation::Read => "read", Operation::Write => "write" },
            "access": match self.access { Access::Sequential => "seq", Access::Random => "rnd" },
            "scope": match self.scope { Scope::Local => "local", Scope::Global => "global" },
            "bandwidth": self.bandwidth,
        })
    }
}

type Words = Arc<[AtomicU64]>;

/// A block whose pages are all there: written once by the calling thread.
fn new_block(bytes: u64) -> Result<Words, BenchError> {
    let words = bytes as usize / 8;
    let mut block: Vec<AtomicU64> = Vec::new();
    block.try_reserve_exact(words).map_err(|error| BenchError::failed(format!("{bytes} B of memory"), error))?;
    block.extend((0..words as u64).map(AtomicU64::new));
    Ok(block.into())
}

struct Toucher {
    words: Words,
    event_words: usize,
    /// Which part of the block is next.
    at: usize,
    operation: Operation,
    access: Access,
    random: fastrand::Rng,
}

impl Worker for Toucher {
    fn event(&mut self) -> Result<(), BenchError> {
        let begin = self.at * self.event_words;
        let part = self.words.get(begin..begin + self.event_words).unwrap_or_default();
        self.at = if begin + 2 * self.event_words <= self.words.len() { self.at + 1 } else { 0 };
        match (self.operation, self.access) {
            (Operation::Read, Access::Sequential) => read(part),
            (Operation::Write, Access::Sequential) => write(part),
            (Operation::Read, Access::Random) => {
                for _ in 0..part.len() {
                    part[self.random.usize(..part.len())].load(Ordering::Relaxed);
                }
            }
            (Operation::Write, Access::Random) => {
                for value in 0..part.len() {
                    part[self.random.usize(..part.len())].store(value as u64, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }
}

/// Every word once. Relaxed atomic loads are plain loads that the compiler neither drops nor joins.
#[inline(never)]
fn read(words: &[AtomicU64]) {
    for line in words.as_chunks::<LINE>().0 {
        for word in line {
            word.load(Ordering::Relaxed);
        }
    }
}

/// Every word once: it gets its distance from the end of the part, in words.
#[inline(never)]
fn write(words: &[AtomicU64]) {
    let mut left = words.len() as u64;
    for line in words.as_chunks::<LINE>().0 {
        for (word, behind) in line.iter().zip(0..) {
            word.store(left - behind, Ordering::Relaxed);
        }
        left -= LINE as u64;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bench::clock::SystemClock;
    use crate::bench::environment::Cache;

    fn mode() -> Memory {
        let common = Common { threads: 1, time: Duration::from_millis(20), warm_up: Duration::ZERO, repeat: 1 };
        let (operation, access, scope) = (Operation::Write, Access::Sequential, Scope::Global);
        Memory { common, block_bytes: 1024, operation, access, scope, bandwidth: false }
    }

    fn toucher(operation: Operation, access: Access, words: &Words, event_words: usize) -> Toucher {
        Toucher { words: Arc::clone(words), event_words, at: 0, operation, access, random: fastrand::Rng::with_seed(1) }
    }

    #[test]
    fn writing_in_order_touches_every_word_of_the_event() {
        let words = new_block(1024).unwrap();
        let mut worker = toucher(Operation::Write, Access::Sequential, &words, 64);
        worker.event().unwrap();
        let values = |words: &Words| words.iter().map(|word| word.load(Ordering::Relaxed)).collect::<Vec<_>>();
        assert_eq!(values(&words), (1..=64).rev().chain(64..128).collect::<Vec<_>>());
        worker.event().unwrap();
        assert_eq!(values(&words), (1..=64).rev().chain((1..=64).rev()).collect::<Vec<_>>());
        assert_eq!(worker.at, 0);
    }

    #[test]
    fn reading_changes_nothing() {
        let words = new_block(512).unwrap();
        for access in [Access::Sequential, Access::Random] {
            toucher(Operation::Read, access, &words, 64).event().unwrap();
        }
        assert!(words.iter().enumerate().all(|(at, word)| word.load(Ordering::Relaxed) == at as u64));
    }

    #[test]
    fn bandwidth_lies_beyond_the_cache() {
        let mut environment = Environment::default();
        let beyond = Memory { bandwidth: true, ..mode() };
        assert_eq!(beyond.sizes(&environment), (128 * MIB, MIB));
        environment.caches = vec![Cache { level: 3, kind: "unified".to_owned(), size_kib: 1000 }];
        assert_eq!(beyond.sizes(&environment), (4 * MIB, MIB));
        assert_eq!(mode().sizes(&environment), (1024, 1024));
    }

    #[test]
    fn throughput_is_events_times_block() {
        let result = mode().run(&SystemClock::new(), &Control::silent()).unwrap();
        let wanted = result.events_per_s * 1024.0 / MIB as f64;
        assert_eq!(result.score.map(|score| score.value), Some(wanted));
    }

    #[test]
    fn a_block_that_is_no_whole_number_of_lines_is_a_mistake() {
        for block_bytes in [0, 63, 100, u64::MAX] {
            let error = Memory { block_bytes, ..mode() }.run(&SystemClock::new(), &Control::silent()).unwrap_err();
            assert!(error.is_usage(), "{block_bytes}: {error}");
        }
    }
}
