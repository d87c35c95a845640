//! When a transaction is meant to start. In a closed loop that is as soon as a connection is free. Otherwise it is fixed
//! by somebody outside: the response is then measured from that moment, waiting for a connection included, so that a
//! server that stalls cannot hide it by holding up those who ask (coordinated omission).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::{Mutex, PoisonError};

use super::random::{exponential, think_time};
use crate::bench::clock::NANOS;

/// Seed of arrivals and users.
const SEED: u64 = 0x0A11_7A15;

/// How often each kind of transaction comes.
#[derive(Clone, Debug)]
pub struct Deck {
    /// Weights of the kinds.
    pub weights: &'static [u32],
}

impl Deck {
    /// The number of the kind that comes next.
    pub fn draw(&self, random: &mut fastrand::Rng) -> usize {
        if self.weights.len() < 2 {
            return 0;
        }
        let mut left = random.u32(0..self.weights.iter().sum());
        for (kind, weight) in self.weights.iter().enumerate() {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return kind,
            }
        }
        0
    }
}

/// What a user waits for a kind of transaction, s.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    /// Before it is sent: keys are typed.
    pub keying_s: f64,
    /// After its answer, on average: it is read.
    pub think_s: f64,
}

/// A transaction that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Due {
    /// Reading of the clock at which it is meant to start.
    pub at_ns: u64,
    pub user: u32,
    pub kind: usize,
}

/// Who decides when a transaction starts.
pub enum Arrivals {
    /// The connection that is free.
    Closed,
    /// A stream of arrivals that are independent of each other (Poisson).
    Rate(Mutex<Stream>),
    /// Users who type, wait for the answer, and think.
    Users(Mutex<Users>),
}

/// Arrivals at a rate.
pub struct Stream {
    random: fastrand::Rng,
    mean_gap_ns: f64,
    next_ns: f64,
}

/// Users in the order in which they will ask.
pub struct Users {
    random: fastrand::Rng,
    deck: Deck,
    waits: &'static [Waits],
    pace: f64,
    waiting: BinaryHeap<Reverse<Due>>,
}

impl Arrivals {
    /// `per_s` transactions a second from `start_ns` on.
    pub fn at_rate(per_s: f64, start_ns: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(SEED);
        let mean_gap_ns = NANOS as f64 / per_s;
        let next_ns = start_ns as f64 + exponential(&mut random, mean_gap_ns);
        Self::Rate(Mutex::new(Stream { random, mean_gap_ns, next_ns }))
    }

    /// Users who begin one after another within the first think time.
    pub fn of_users(count: u32, deck: Deck, waits: &'static [Waits], pace: f64, start_ns: u64) -> Self {
        let random = fastrand::Rng::with_seed(SEED);
        let mut users = Users { random, deck, waits, pace, waiting: BinaryHeap::new() };
        for user in 0..count {
            let kind = users.deck.draw(&mut users.random);
            let spread = users.random.f64();
            let wait = users.waits.get(kind).map_or(0.0, |waits| waits.keying_s + spread * waits.think_s);
            users.push(user, kind, start_ns, wait);
        }
        Self::Users(Mutex::new(users))
    }

    /// Whether a response is more than a service: somebody else decides about starts.
    pub fn is_open(&self) -> bool {
        !matches!(self, Self::Closed)
    }

    /// The next transaction that is due; none in a closed loop, or while every user waits for an answer.
    pub fn next(&self) -> Option<Due> {
        match self {
            Self::Closed => None,
            Self::Rate(stream) => {
                let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                let at_ns = stream.next_ns as u64;
                let mean = stream.mean_gap_ns;
                stream.next_ns += exponential(&mut stream.random, mean);
                Some(Due { at_ns, user: 0, kind: usize::MAX })
            }
            Self::Users(users) => {
                let mut users = users.lock().unwrap_or_else(PoisonError::into_inner);
                users.waiting.pop().map(|Reverse(due)| due)
            }
        }
    }

    /// A user has the answer: thinks, and types what comes next.
    pub fn answered(&self, due: Due, now_ns: u64) {
        if let Self::Users(users) = self {
            let mut users = users.lock().unwrap_or_else(PoisonError::into_inner);
            let think = users.waits.get(due.kind).map_or(0.0, |waits| waits.think_s);
            let think = think_time(&mut users.random, think);
            let Users { deck, random, .. } = &mut *users;
            let kind = deck.draw(random);
            let keying = users.waits.get(kind).map_or(0.0, |waits| waits.keying_s);
            users.push(due.user, kind, now_ns, think + keying);
        }
    }

    /// Transactions that were due before this moment and have not started.
    pub fn late(&self, now_ns: u64) -> u64 {
        match self {
            Self::Closed => 0,
            Self::Rate(stream) => {
                let stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                ((now_ns as f64 - stream.next_ns) / stream.mean_gap_ns).max(0.0) as u64
            }
            Self::Users(users) => {
                let users = users.lock().unwrap_or_else(PoisonError::into_inner);
                users.waiting.iter().filter(|Reverse(due)| due.at_ns < now_ns).count() as u64
            }
        }
    }
}

impl Users {
    fn push(&mut self, user: u32, kind: usize, now_ns: u64, wait_s: f64) {
        let at_ns = now_ns + (wait_s * self.pace * NANOS as f64) as u64;
        self.waiting.push(Reverse(Due { at_ns, user, kind }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_keep_their_rate_whatever_the_server_does_and_repeat() {
        let (one, again) = (Arrivals::at_rate(100.0, 5), Arrivals::at_rate(100.0, 5));
        let times: Vec<u64> = (0..10_000).filter_map(|_| one.next()).map(|due| due.at_ns).collect();
        assert_eq!(times[..50], (0..50).filter_map(|_| again.next()).map(|due| due.at_ns).collect::<Vec<_>>());
        let seconds = *times.last().unwrap() as f64 / NANOS as f64;
        assert!((seconds - 100.0).abs() < 4.0, "{seconds}");
        // Gaps of a Poisson stream vary as much as their mean.
        let gaps: Vec<f64> = times.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 1e7).collect();
        let variance = gaps.iter().map(|gap| (gap - 1.0) * (gap - 1.0)).sum::<f64>() / gaps.len() as f64;
        assert!((variance - 1.0).abs() < 0.1, "{variance}");
        assert_eq!(one.late(0), 0);
        let late = one.late(times.last().unwrap() + 2 * NANOS);
        assert!((190..=210).contains(&late), "{late}");
    }

    #[test]
    fn users_think_before_they_ask_again() {
        static WAITS: [Waits; 2] = [Waits { keying_s: 2.0, think_s: 0.0 }, Waits { keying_s: 3.0, think_s: 0.0 }];
        let users = Arrivals::of_users(2, Deck { weights: &[1, 0] }, &WAITS, 0.5, 10);
        let first = users.next().unwrap();
        assert_eq!((first.at_ns, first.kind), (10 + NANOS, 0));
        assert!(users.next().is_some());
        assert_eq!(users.next(), None);
        users.answered(first, 7 * NANOS);
        let second = users.next().unwrap();
        assert_eq!((second.user, second.at_ns), (first.user, 8 * NANOS));
    }

    #[test]
    fn a_deck_has_its_weights() {
        let deck = Deck { weights: &[45, 43, 4, 4, 4] };
        let mut random = fastrand::Rng::with_seed(2);
        let mut counts = [0; 5];
        (0..100_000).for_each(|_| counts[deck.draw(&mut random)] += 1);
        for (count, weight) in counts.iter().zip(deck.weights) {
            assert!((f64::from(*count) / 1000.0 - f64::from(*weight)).abs() < 0.7, "{counts:?}");
        }
    }
}
