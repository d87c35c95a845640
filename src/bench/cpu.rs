//! `cpu`: primes by trial division. An event is one pass over 3 to the limit, as in sysbench: the divisor counts from 2 to
//! the square root, and counter and root are compared as floating point numbers.

use super::clock::Clock;
use super::common::Common;
use super::contention::Needs;
use super::control::Control;
use super::environment;
use super::error::{BenchError, Mistakes};
use super::result::{BenchResult, Better};
use super::runner::{Worker, run_window};
use super::session::{Plan, Session};

/// Options of `cpu`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cpu {
    pub common: Common,
    /// Numbers below this are tested.
    pub max_prime: u32,
}

/// Largest limit: a pass would take hours.
const MOST_PRIME: u32 = 100_000_000;

impl Cpu {
    /// Runs the benchmark.
    ///
    /// # Errors
    /// Options that cannot be; a load that broke off at once.
    pub fn run(&self, clock: &impl Clock, control: &Control) -> Result<BenchResult, BenchError> {
        let mut mistakes = Mistakes::default();
        self.common.check(&mut mistakes);
        mistakes.unless((4..=MOST_PRIME).contains(&self.max_prime), || {
            format!("--cpu-max-prime {}: allowed is 4 to {MOST_PRIME}", self.max_prime)
        });
        mistakes.done()?;
        let threads = self.common.threads;
        let plan = Plan {
            mode: "cpu",
            parameters: self.common.parameters(serde_json::json!({ "cpu_max_prime": self.max_prime })),
            environment: environment::detect(),
            threads,
            repeat: self.common.repeat,
            better: Better::Higher,
            needs: Needs::Processors(threads),
            outstanding: None,
        };
        let mut session = Session::new(plan, control, clock);
        let max_prime = u64::from(self.max_prime);
        while session.goes_on() {
            run_window(&mut session, clock, control, threads, self.common.limits(), |_| Ok(Pass { max_prime }))?;
        }
        session.finish()
    }
}

struct Pass {
    max_prime: u64,
}

impl Worker for Pass {
    #[inline]
    fn event(&mut self) -> Result<(), BenchError> {
        std::hint::black_box(primes_below(std::hint::black_box(self.max_prime)));
        Ok(())
    }
}

/// How many primes there are from 3 to below the limit.
#[inline]
fn primes_below(limit: u64) -> u64 {
    let mut count = 0;
    for candidate in 3..limit {
        let root = (candidate as f64).sqrt();
        // The first divisor is a constant: compilers make a test of one bit of its division, for the peers and here.
        let mut divisor = 2_u64;
        if divisor as f64 <= root && !candidate.is_multiple_of(divisor) {
            divisor += 1;
            while divisor as f64 <= root && remainder(candidate, divisor) != 0 {
                divisor += 1;
            }
        }
        count += u64::from(divisor as f64 > root);
    }
    count
}

/// Remainder by a division of 64 bits. Compilers put a test before a division, to take the one of 32 bits where the
/// numbers are small: on processors before 2019 that is up to three times as fast, and no longer what the peers measure.
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "no safe operation promises a division of 64 bits")]
#[inline(always)]
fn remainder(number: u64, divisor: u64) -> u64 {
    let rest;
    // SAFETY: the divisor is at least 2 and the upper half of the dividend is 0, so the quotient fits and the
    // instruction cannot trap; it touches neither memory nor stack.
    unsafe {
        std::arch::asm!(
            "div {divisor}",
            divisor = in(reg) divisor,
            inout("rax") number => _,
            inout("rdx") 0_u64 => rest,
            options(pure, nomem, nostack),
        );
    }
    rest
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn remainder(number: u64, divisor: u64) -> u64 {
    number % divisor
}

#[cfg(test)]
mod tests {
    use super::*;

    /// π(10 000) = 1 229 (OEIS A006880), less the 2 that is not tested.
    #[test]
    fn a_pass_counts_the_primes() {
        assert_eq!(primes_below(10_000), 1228);
        assert_eq!(primes_below(4), 1);
        assert_eq!(primes_below(3), 0);
    }
}
