//! Which I/O comes next.

use super::FileIo;

/// One I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Io {
    pub write: bool,
    pub offset: u64,
}

/// The sequence of one worker: each I/O is a read or a write by chance, and follows the last one or goes anywhere.
#[derive(Clone, Debug)]
pub struct Pattern {
    random: fastrand::Rng,
    read_percent: u32,
    random_percent: u32,
    align: u64,
    /// Multiples of the alignment at which a block may begin.
    places: u64,
    block: u64,
    next: u64,
}

impl Pattern {
    /// The sequence of worker `number` of `workers`; sequential ones begin in different parts of the file.
    pub fn new(spec: &FileIo, number: u64, workers: u64, seed: u64) -> Self {
        let align = spec.align.unwrap_or(spec.block);
        let places = ((spec.size - spec.block) / align) + 1;
        let random = fastrand::Rng::with_seed(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number + 1));
        let next = places * number / workers.max(1) * align;
        let (read_percent, random_percent) = (spec.read_percent, spec.random_percent);
        Self { random, read_percent, random_percent, align, places, block: spec.block, next }
    }

    /// The next I/O.
    #[inline]
    pub fn next_io(&mut self) -> Io {
        let chance = |random: &mut fastrand::Rng, percent: u32| match percent {
            0 => false,
            100 => true,
            percent => random.u32(..100) < percent,
        };
        let offset = if chance(&mut self.random, self.random_percent) {
            self.random.u64(..self.places) * self.align
        } else if self.next / self.align < self.places {
            self.next
        } else {
            0
        };
        self.next = (offset + self.block).next_multiple_of(self.align);
        Io { write: !chance(&mut self.random, self.read_percent), offset }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::spec;
    use super::*;

    fn ios(spec: &FileIo, count: usize) -> Vec<Io> {
        let mut pattern = Pattern::new(spec, 0, 1, 1);
        (0..count).map(|_| pattern.next_io()).collect()
    }

    #[test]
    fn sequential_io_follows_and_begins_again() {
        let spec = FileIo { random_percent: 0, read_percent: 100, size: 3 << 20, block: 1 << 20, ..spec() };
        let offsets: Vec<u64> = ios(&spec, 5).iter().map(|io| io.offset >> 20).collect();
        assert_eq!(offsets, [0, 1, 2, 0, 1]);
        assert!(ios(&spec, 100).iter().all(|io| !io.write));
        assert_eq!(Pattern::new(&spec, 2, 3, 1).next_io().offset, 2 << 20);
    }

    #[test]
    fn shares_are_as_asked_and_places_are_within_the_file() {
        let spec = FileIo { read_percent: 67, random_percent: 100, align: Some(4096), ..spec() };
        let ios = ios(&spec, 100_000);
        let writes = ios.iter().filter(|io| io.write).count();
        // 33 000 are expected; 6 standard deviations are 892.
        assert!(writes.abs_diff(33_000) < 892, "{writes}");
        assert!(ios.iter().all(|io| io.offset.is_multiple_of(4096) && io.offset + spec.block <= spec.size));
        assert!(ios.iter().any(|io| !io.offset.is_multiple_of(8192)));
        let last = ios.iter().map(|io| io.offset).max();
        assert_eq!(last, Some(spec.size - spec.block));
    }
}
