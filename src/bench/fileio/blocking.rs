//! I/O by threads that wait for it: the way without io_uring, one thread for each outstanding I/O.

use std::io;

use super::data::Slot;
use super::pattern::{Io, Pattern};
use super::run::{Outcome, Tally};
use super::{FileIo, Sync};
use crate::bench::clock::Clock;
use crate::bench::error::BenchError;
use crate::bench::os;
use crate::bench::runner::LoadThread;

/// What I/O is done on: a file, or a simulated device in a test.
pub trait Device: std::marker::Sync {
    /// # Errors
    /// What the system says.
    fn read(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
    /// # Errors
    /// What the system says.
    fn write(&self, buffer: &[u8], offset: u64) -> io::Result<()>;
    /// # Errors
    /// What the system says.
    fn sync(&self) -> io::Result<()>;
}

impl Device for std::fs::File {
    fn read(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        os::read_exact_at(self, buffer, offset)
    }

    fn write(&self, buffer: &[u8], offset: u64) -> io::Result<()> {
        os::write_all_at(self, buffer, offset)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Does one I/O after another until the time is over.
pub fn work<C: Clock>(
    thread: &LoadThread<'_, C>,
    spec: &FileIo,
    device: &impl Device,
    mut slot: Slot,
    mut pattern: Pattern,
) -> Outcome {
    let clock = thread.clock();
    let mut number = 0;
    let mut one = |io: Io, tally: &mut Tally<'_, C>| -> Result<(u64, u64), BenchError> {
        number += 1;
        let begin = if io.write { slot.next_write(io.offset, number) } else { 0 };
        let begun = clock.now_ns();
        let done = if io.write {
            device.write(slot.block_at(begin), io.offset)
        } else {
            device.read(slot.read_block(), io.offset)
        };
        let ended = clock.now_ns();
        done.map_err(|error| failed(io, error))?;
        if io.write && spec.sync != Sync::Never {
            tally.wrote(spec.sync, clock, || device.sync())?;
        }
        Ok((begun, ended))
    };
    let mut tally = Tally::new(thread);
    while tally.warms_up() {
        let io = pattern.next_io();
        if let Err(error) = one(io, &mut tally) {
            thread.fail(error);
            break;
        }
    }
    tally.begin();
    while tally.goes_on() {
        let io = pattern.next_io();
        match one(io, &mut tally) {
            Ok((begun, ended)) => tally.record(io.write, begun, ended),
            Err(error) => {
                thread.fail(error);
                break;
            }
        }
    }
    tally.end(spec.sync, || device.sync())
}

/// Names the I/O that failed.
pub fn failed(io: Io, error: io::Error) -> BenchError {
    let what = if io.write { "write" } else { "read" };
    BenchError::failed(format!("{what} at byte {} of the test file", io.offset), error)
}
