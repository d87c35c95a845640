//! Where the load strikes: keys, names and waits, from fixed seeds.

/// How keys are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// Each key as likely as the others.
    Uniform,
    /// Hot rows, with the figures that sysbench 1.0 has as its default: 75 % of the draws fall evenly on the middle 1 %
    /// of the keys, the others are the mean of 12 even draws over all keys.
    Special,
}

/// Share of the draws that strike the hot keys (sysbench 1.0, `--rand-spec-res`).
const HOT_SHARE: f64 = 0.75;
/// Share of the keys that are hot (`--rand-spec-pct`).
const HOT_KEYS: f64 = 0.01;
/// Even draws whose mean the others are (`--rand-spec-iter`).
const DRAWS: u32 = 12;

impl Distribution {
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Special => "special",
        }
    }

    /// A key from 1 to `most`.
    pub fn key(self, random: &mut fastrand::Rng, most: u32) -> i32 {
        let key = match self {
            Self::Uniform => random.u32(1..=most),
            Self::Special if random.f64() < HOT_SHARE => {
                let hot = ((f64::from(most) * HOT_KEYS) as u32).max(1);
                most / 2 - hot / 2 + random.u32(1..=hot)
            }
            Self::Special => {
                let sum: u64 = (0..DRAWS).map(|_| u64::from(random.u32(1..=most))).sum();
                (sum / u64::from(DRAWS)) as u32
            }
        };
        i32::try_from(key.clamp(1, most)).unwrap_or(i32::MAX)
    }
}

/// A time with this mean from the negative exponential distribution, at most ten times the mean (TPC-C 5.11, clause
/// 5.2.5.4, for think times).
pub fn think_time(random: &mut fastrand::Rng, mean: f64) -> f64 {
    exponential(random, mean).min(10.0 * mean)
}

/// A gap between two arrivals that come independently of each other.
pub fn exponential(random: &mut fastrand::Rng, mean: f64) -> f64 {
    -mean * libm::log(1.0 - random.f64())
}

/// Groups of eleven digits joined by hyphens: the text of sysbench's rows.
pub fn digit_groups(random: &mut fastrand::Rng, groups: usize) -> String {
    let mut text = String::with_capacity(groups * 12);
    for group in 0..groups {
        if group > 0 {
            text.push('-');
        }
        // Eleven digits from one draw.
        let mut digits = random.u64(0..100_000_000_000);
        for _ in 0..11 {
            text.push(char::from(b'0' + (digits % 10) as u8));
            digits /= 10;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_stay_within_the_table() {
        let mut random = fastrand::Rng::with_seed(1);
        for most in [1, 2, 99, 1000] {
            for _ in 0..1000 {
                for distribution in [Distribution::Uniform, Distribution::Special] {
                    let key = distribution.key(&mut random, most);
                    assert!((1..=most as i32).contains(&key), "{key} of {most}");
                }
            }
        }
    }

    /// 75 % on the middle hundredth, and some of the rest too.
    #[test]
    fn special_keys_are_hot_in_the_middle() {
        let mut random = fastrand::Rng::with_seed(7);
        let keys: Vec<i32> = (0..20_000).map(|_| Distribution::Special.key(&mut random, 10_000)).collect();
        let hot = keys.iter().filter(|key| (4951..=5050).contains(*key)).count();
        assert!((14_700..=15_900).contains(&hot), "{hot}");
    }

    #[test]
    fn texts_have_the_lengths_of_their_columns() {
        let mut random = fastrand::Rng::with_seed(3);
        assert_eq!((digit_groups(&mut random, 10).len(), digit_groups(&mut random, 5).len()), (119, 59));
    }

    #[test]
    fn waits_have_their_mean_and_their_limit() {
        let mut random = fastrand::Rng::with_seed(5);
        let times: Vec<f64> = (0..50_000).map(|_| think_time(&mut random, 12.0)).collect();
        let mean = times.iter().sum::<f64>() / times.len() as f64;
        assert!((mean - 12.0).abs() < 0.3, "{mean}");
        assert!(times.iter().all(|&time| (0.0..=120.0).contains(&time)));
    }
}
