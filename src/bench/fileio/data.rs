//! Memory for I/O, and the data that is written: random, so that neither a disk nor a file system can compress it, and
//! stamped, so that none can store it once.

/// Random data of all workers together, bytes: beyond what a device could keep and recognise.
pub const POOL: u64 = 64 << 20;

/// Start of a buffer, bytes: the largest that a device asks for.
const ALIGNMENT: usize = 4096;

/// Each such part of a block gets a stamp of its own: devices look for equal parts of this size.
const STAMPED: usize = 4096;
const STAMP: usize = 16;

/// Memory that begins at a multiple of 4 KiB.
pub struct Aligned {
    bytes: Vec<u8>,
    start: usize,
    length: usize,
}

impl Aligned {
    /// Memory with random content.
    pub fn random(length: usize, random: &mut fastrand::Rng) -> Self {
        let mut bytes = vec![0; length + ALIGNMENT];
        let start = bytes.as_ptr().align_offset(ALIGNMENT);
        random.fill(&mut bytes[start..start + length]);
        Self { bytes, start, length }
    }

    pub fn slice(&self) -> &[u8] {
        &self.bytes[self.start..self.start + self.length]
    }

    pub fn slice_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[self.start..self.start + self.length]
    }
}

/// The memory of one I/O in flight: a block to read into, and a part of the random pool to write from.
pub struct Slot {
    memory: Aligned,
    block: usize,
    blocks: usize,
    next: usize,
}

impl Slot {
    /// A slot of the pool that `slots` of them share.
    pub fn new(block: u64, slots: u64, random: &mut fastrand::Rng) -> Self {
        let blocks = (POOL / slots.max(1)).div_ceil(block).max(1);
        let (block, blocks) = (block as usize, blocks as usize);
        Self { memory: Aligned::random(block * (blocks + 1), random), block, blocks, next: 0 }
    }

    /// All of it: first the block to read into.
    pub fn memory(&mut self) -> &mut [u8] {
        self.memory.slice_mut()
    }

    /// The block to read into.
    pub fn read_block(&mut self) -> &mut [u8] {
        let block = self.block;
        &mut self.memory.slice_mut()[..block]
    }

    /// Where the next block to write begins; it is stamped with its place in the file and a number.
    pub fn next_write(&mut self, offset: u64, number: u64) -> usize {
        let begin = self.block * (1 + self.next);
        self.next = (self.next + 1) % self.blocks;
        let block = self.block;
        stamp(&mut self.memory.slice_mut()[begin..begin + block], offset, number);
        begin
    }

    /// A block that begins there.
    pub fn block_at(&self, begin: usize) -> &[u8] {
        &self.memory.slice()[begin..begin + self.block]
    }
}

/// Marks each 4 KiB of a block.
pub fn stamp(block: &mut [u8], offset: u64, number: u64) {
    for (part, bytes) in (0..).zip(block.chunks_mut(STAMPED)) {
        let place = offset + part * STAMPED as u64;
        let mark = [place.to_le_bytes(), number.to_le_bytes()].concat();
        if let Some(bytes) = bytes.get_mut(..STAMP) {
            bytes.copy_from_slice(&mark);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_aligned_and_does_not_compress() {
        let memory = Aligned::random(1 << 16, &mut fastrand::Rng::with_seed(1));
        assert_eq!(memory.slice().as_ptr() as usize % ALIGNMENT, 0);
        let mut counts = [0_u32; 256];
        memory.slice().iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        // 256 of each are expected; 6 standard deviations are 96.
        assert!(counts.iter().all(|&count| count.abs_diff(256) < 96), "{counts:?}");
    }

    #[test]
    fn slots_share_a_pool_of_64_mib() {
        for (block, slots) in [(8192, 32), (1 << 20, 7), (60 << 10, 1)] {
            let slot = Slot::new(block, slots, &mut fastrand::Rng::with_seed(1));
            assert!(slot.blocks as u64 * block * slots >= POOL);
        }
    }

    #[test]
    fn no_two_parts_that_are_written_are_equal() {
        let mut slot = Slot::new(8192, 1 << 13, &mut fastrand::Rng::with_seed(1));
        let first = slot.next_write(0, 1);
        let first = slot.block_at(first).to_vec();
        let again = slot.next_write(0, 2);
        let again = slot.block_at(again).to_vec();
        let parts: Vec<&[u8]> = first.chunks(STAMPED).chain(again.chunks(STAMPED)).collect();
        for (at, part) in parts.iter().enumerate() {
            assert!(!parts[..at].contains(part));
        }
        assert_eq!(first[..8], 0_u64.to_le_bytes());
        assert_eq!(first[4096..4104], 4096_u64.to_le_bytes());
    }
}
