//! I/O by io_uring: each worker has a ring, a fixed file and registered buffers, keeps its I/Os in flight, and records an
//! I/O when its completion is seen.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

use io_uring::{IoUring, opcode, squeue, types};

use super::blocking::failed;
use super::data::Slot;
use super::pattern::{Io, Pattern};
use super::run::{Outcome, Tally};
use super::{FileIo, Sync};
use crate::bench::clock::Clock;
use crate::bench::error::BenchError;
use crate::bench::runner::LoadThread;

/// What a worker needs.
pub struct Ring {
    ring: IoUring,
    slots: Vec<Slot>,
    /// Buffers are registered: the kernel need not look up their pages for each I/O.
    registered: bool,
}

/// The place of the test file in the ring's table of files.
const FILE: types::Fixed = types::Fixed(0);

impl Ring {
    /// A ring with a slot for each I/O in flight.
    ///
    /// # Errors
    /// Where the kernel has no io_uring or refuses it, as in many containers.
    pub fn new(file: &File, slots: Vec<Slot>) -> io::Result<Self> {
        let entries = u32::try_from(slots.len()).unwrap_or(u32::MAX).next_power_of_two();
        // Completions are only wanted when the worker asks for them: no interrupts in between (Linux 6.1).
        let ring = IoUring::builder()
            .setup_single_issuer()
            .setup_defer_taskrun()
            .build(entries)
            .or_else(|_| IoUring::new(entries))?;
        ring.submitter().register_files(&[file.as_raw_fd()])?;
        let mut made = Self { ring, slots, registered: false };
        made.registered = made.register_buffers().is_ok();
        Ok(made)
    }

    #[allow(unsafe_code, reason = "registering memory with the kernel has no safe form")]
    fn register_buffers(&mut self) -> io::Result<()> {
        let buffers: Vec<io::IoSliceMut<'_>> =
            self.slots.iter_mut().map(|slot| io::IoSliceMut::new(slot.memory())).collect();
        // SAFETY: the standard library promises that `IoSliceMut` has the layout of `iovec`. The memory belongs to
        // `self.slots`, whose buffers are never reallocated, and `self.ring` is dropped before them.
        unsafe {
            let vectors = std::slice::from_raw_parts(buffers.as_ptr().cast(), buffers.len());
            self.ring.submitter().register_buffers(vectors)
        }
    }

    /// The entry for an I/O of a slot; `begin` is where a block to write lies in the slot.
    fn entry(&mut self, number: usize, io: Io, begin: usize, block: u32) -> squeue::Entry {
        let slot = &mut self.slots[number];
        let index = number as u16;
        let entry = if io.write {
            let from = slot.block_at(begin).as_ptr();
            match self.registered {
                true => opcode::WriteFixed::new(FILE, from, block, index).offset(io.offset).build(),
                false => opcode::Write::new(FILE, from, block).offset(io.offset).build(),
            }
        } else {
            let into = slot.read_block().as_mut_ptr();
            match self.registered {
                true => opcode::ReadFixed::new(FILE, into, block, index).offset(io.offset).build(),
                false => opcode::Read::new(FILE, into, block).offset(io.offset).build(),
            }
        };
        entry.user_data(number as u64)
    }

    #[allow(unsafe_code, reason = "handing memory to the kernel has no safe form")]
    fn push(&mut self, entry: &squeue::Entry) -> io::Result<()> {
        // SAFETY: the entry points into a slot that is not touched until its completion was seen, and every I/O in
        // flight is waited for before the slots are dropped (`drain`).
        unsafe { self.ring.submission().push(entry) }.map_err(|_| io::Error::other("the submission queue is full"))
    }
}

/// What is in flight.
struct Flight {
    ios: Vec<(Io, u64)>,
    free: Vec<usize>,
    /// Completions of one look: slot and what the kernel said.
    seen: Vec<(usize, i32)>,
    number: u64,
}

impl Flight {
    fn new(slots: usize) -> Self {
        let idle = (Io { write: false, offset: 0 }, 0);
        Self { ios: vec![idle; slots], free: (0..slots).rev().collect(), seen: Vec::with_capacity(slots), number: 0 }
    }

    fn in_flight(&self) -> usize {
        self.ios.len() - self.free.len()
    }
}

/// Keeps the I/Os of a worker in flight until the time is over.
pub fn work<C: Clock>(
    thread: &LoadThread<'_, C>,
    spec: &FileIo,
    file: &File,
    mut ring: Ring,
    mut pattern: Pattern,
) -> Outcome {
    let mut flight = Flight::new(ring.slots.len());
    let mut tally = Tally::new(thread);
    let clock = thread.clock();
    let run = |tally: &mut Tally<'_, C>, ring: &mut Ring, flight: &mut Flight, pattern: &mut Pattern, counts: bool| {
        while if counts { tally.goes_on() } else { tally.warms_up() } {
            submit(ring, flight, pattern, spec, clock)?;
            complete(ring, flight, tally, spec, file, counts)?;
        }
        // The ramp-up ends when its pending I/Os are done; so does the window.
        while flight.in_flight() > 0 {
            complete(ring, flight, tally, spec, file, counts)?;
        }
        Ok::<(), BenchError>(())
    };
    let mut done = run(&mut tally, &mut ring, &mut flight, &mut pattern, false);
    tally.begin();
    if done.is_ok() {
        done = run(&mut tally, &mut ring, &mut flight, &mut pattern, true);
    }
    if let Err(error) = done {
        thread.fail(error);
        drain(&mut ring, &mut flight);
    }
    tally.end(spec.sync, || file.sync_data())
}

/// Fills free slots, whole bursts only.
fn submit<C: Clock>(
    ring: &mut Ring,
    flight: &mut Flight,
    pattern: &mut Pattern,
    spec: &FileIo,
    clock: &C,
) -> Result<(), BenchError> {
    let burst = spec.burst as usize;
    let block = u32::try_from(spec.block).unwrap_or(u32::MAX);
    while flight.free.len() >= burst {
        for slot in flight.free.split_off(flight.free.len() - burst) {
            let io = pattern.next_io();
            flight.number += 1;
            let begin = if io.write { ring.slots[slot].next_write(io.offset, flight.number) } else { 0 };
            let entry = ring.entry(slot, io, begin, block);
            flight.ios[slot] = (io, clock.now_ns());
            ring.push(&entry).map_err(|error| failed(io, error))?;
        }
    }
    Ok(())
}

/// Waits for a completion, and takes all that are there.
fn complete<C: Clock>(
    ring: &mut Ring,
    flight: &mut Flight,
    tally: &mut Tally<'_, C>,
    spec: &FileIo,
    file: &File,
    counts: bool,
) -> Result<(), BenchError> {
    match ring.ring.submit_and_wait(1) {
        Err(error) if error.kind() != io::ErrorKind::Interrupted => return Err(BenchError::failed("io_uring", error)),
        _ => {}
    }
    flight.seen.clear();
    flight.seen.extend(ring.ring.completion().map(|entry| (entry.user_data() as usize, entry.result())));
    if flight.seen.is_empty() {
        return Ok(());
    }
    let ended = tally.now_ns();
    let mut wrong = None;
    for &(slot, result) in &flight.seen {
        let (io, begun) = flight.ios[slot];
        flight.free.push(slot);
        if result < 0 {
            wrong.get_or_insert(failed(io, io::Error::from_raw_os_error(-result)));
        } else if u64::from(result.unsigned_abs()) < spec.block {
            wrong.get_or_insert(failed(io, io::ErrorKind::UnexpectedEof.into()));
        } else if counts {
            tally.record(io.write, begun, ended);
        }
    }
    if let Some(wrong) = wrong {
        return Err(wrong);
    }
    if matches!(spec.sync, Sync::Every(_)) {
        for at in 0..flight.seen.len() {
            if flight.ios[flight.seen[at].0].0.write {
                tally.wrote(spec.sync, tally.clock(), || file.sync_data())?;
            }
        }
    }
    Ok(())
}

/// Waits for what is in flight after a failure: the kernel still uses its memory.
fn drain(ring: &mut Ring, flight: &mut Flight) {
    while flight.in_flight() > 0 {
        if ring.ring.submit_and_wait(1).is_err_and(|error| error.kind() != io::ErrorKind::Interrupted) {
            // The kernel may write into this memory as long as the program lives.
            let _ = std::mem::take(&mut ring.slots).leak();
            break;
        }
        let ended: Vec<usize> = ring.ring.completion().map(|entry| entry.user_data() as usize).collect();
        flight.free.extend(ended);
    }
}
