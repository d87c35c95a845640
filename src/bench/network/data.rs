//! Data that compresses by a known ratio.

/// Parts of this size are random in front and zero behind: any compressor sees them.
const PART: usize = 4096;

/// A block of which one part in `ratio` is random and the rest zero.
pub fn block(length: usize, ratio: f64, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut block = vec![0; length];
    for part in block.chunks_mut(PART) {
        let filled = (part.len() as f64 / ratio).round() as usize;
        let filled = filled.min(part.len());
        random.fill(&mut part[..filled]);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_random_bytes_is_the_ratio() {
        for (ratio, zeros) in [(1.0, 0), (2.0, 32_768), (4.0, 49_152)] {
            let block = block(65_536, ratio, 1);
            let counted = block.iter().filter(|&&byte| byte == 0).count();
            // One random byte in 256 is zero too.
            assert!((zeros..zeros + 512).contains(&counted), "{ratio}: {counted}");
        }
    }
}
