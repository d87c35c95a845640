//! Queueing: how long work waits, given what it asks for and what serves it.
//!
//! | file | law |
//! |---|---|
//! | `erlang` | Erlang B and C, M/M/c: open load on identical servers |
//! | `finite_source` | M/M/c//K: a known number of vCPUs competing for host threads |
//! | `general` | M/G/1 (Pollaczek–Khinchine), G/G/c (Allen–Cunneen) |
//! | `bounds` | asymptotic bounds of a closed network |
//! | `network` | stations, classes and the solution that every network law shares |
//! | `open` | open multi-class networks |
//! | `mva` | closed networks: exact, Bard–Schweitzer, Linearizer |
//! | `usl` | Universal Scalability Law and its fit |
//!
//! Units are seconds and 1/seconds. Nothing here panics, loops without a bound or answers NaN or
//! infinity on finite input: what has no steady state is `None` or a [`NetworkError`]. Sums run in
//! a fixed order and transcendental functions come from `libm`, so that a platform cannot change a
//! digit. The laws, their sources and their tests are listed in `docs/queueing.md`.

pub mod bounds;
pub mod erlang;
pub mod finite_source;
pub mod general;
pub mod mva;
pub mod network;
pub mod open;
pub mod usl;

pub use erlang::{Mmc, mmc};
pub use finite_source::{FiniteSource, cpu_contention, finite_source, stretch_when_busy};
pub use network::{Class, ClosedNetwork, NetworkError, Solution, Station, StationKind};
pub use usl::Usl;

#[cfg(test)]
mod tests;
