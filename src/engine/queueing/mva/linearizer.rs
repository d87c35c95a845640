//! Approximate MVA: the arrival theorem with an estimate in place of the recursion.
//!
//! An arriving customer of class `c` sees the network with one of its own class less. Schweitzer's
//! estimate takes each class's share of the queue as unchanged by that one; Linearizer (Chandy &
//! Neuse 1982, with the sums of de Souza e Silva & Muntz 1990) solves those smaller networks too
//! and carries the change of the shares back. At `m` servers an arrival waits for the queue ahead
//! and, if all are busy, for the first to finish: `R = D + (D/m)(L + P)`, `L` the mean number
//! waiting and `P` the probability that all are busy, as in Conway's multi-server Linearizer (1989).
//! `P` is Erlang's C at first and then that of a finite source, see `close`.

use super::problem::{Change, Problem, Service, State};
use super::waits::Waits;
use crate::engine::queueing::network::{ClosedNetwork, NetworkError, Solution};

/// Rounds of refining the shares. On 1,400 random networks more gained nothing.
const ROUNDS: usize = 2;

/// Most cells, classes² × stations, that Linearizer holds: 160 MB.
pub const MAX_CELLS: f64 = 2e7;

/// Bard–Schweitzer approximation (Schweitzer 1979; Bard 1979). Coarser than [`linearizer`], and off
/// by ten per cent where there are hardly more customers than servers: it is for large populations.
///
/// # Errors
/// [`NetworkError::NotConverged`].
pub fn schweitzer(network: &ClosedNetwork) -> Result<Solution, NetworkError> {
    let problem = Problem::of(network);
    let mut state = problem.start();
    problem.settle(&mut state, None, &Change::none(&problem), None)?;
    Ok(problem.solution(network, &state))
}

/// Linearizer approximation, any population.
///
/// # Errors
/// [`NetworkError::NotConverged`]; [`NetworkError::TooLarge`] above [`MAX_CELLS`].
pub fn linearizer(network: &ClosedNetwork) -> Result<Solution, NetworkError> {
    let cells = super::linearizer_cells(network);
    if cells > MAX_CELLS {
        return Err(NetworkError::TooLarge { states: cells, limit: MAX_CELLS });
    }
    let mut problem = Problem::of(network);
    let mut full = problem.start();
    let mut change = Change::none(&problem);
    problem.settle(&mut full, None, &change, None)?;
    let mut smaller: Vec<State> = Vec::new();
    for round in 0..ROUNDS {
        close(&mut problem, &full);
        if round == 0 {
            smaller = vec![full.clone(); problem.classes];
        }
        let factors = problem.factors(&full);
        for (class, state) in smaller.iter_mut().enumerate() {
            problem.settle(state, Some(class), &change, factors.as_ref())?;
        }
        let measured = between(&problem, &full, &smaller);
        change = if round == 0 { measured } else { midway(change, &measured) };
        problem.settle(&mut full, None, &change, None)?;
    }
    Ok(problem.solution(network, &full))
}

/// What each customer less changed.
fn between(problem: &Problem, full: &State, smaller: &[State]) -> Change {
    let mut change = Change::none(problem);
    let columns = problem.stations;
    let cells = problem.classes * columns;
    let mut busy = vec![0.0; cells];
    for (removed, state) in smaller.iter().enumerate() {
        for c in 0..problem.classes {
            // A class of one customer is gone: it has no share to compare.
            let gone = removed == c && problem.population[c] <= 1.0;
            let slower = full.throughput[c] - state.throughput[c];
            for k in 0..columns {
                let cell = c * columns + k;
                let moved = if gone { 0.0 } else { state.share[cell] - full.share[cell] };
                change.share[removed * cells + cell] = moved;
                change.number[removed * columns + k] += problem.population[c] * moved;
                busy[removed * columns + k] += problem.demand_s[cell] * slower;
            }
        }
    }
    change.busy = Some(busy);
    change
}

/// Halfway between two changes: full steps swing about the answer near saturation.
fn midway(mut change: Change, other: &Change) -> Change {
    let halve = |mine: &mut [f64], theirs: &[f64]| {
        for (a, b) in mine.iter_mut().zip(theirs) {
            *a = 0.5 * (*a + b);
        }
    };
    halve(&mut change.share, &other.share);
    halve(&mut change.number, &other.number);
    if let (Some(mine), Some(theirs)) = (&mut change.busy, &other.busy) {
        halve(mine, theirs);
    }
    change
}

/// Fits each multi-server station's arrivals to the customers that are left to arrive.
///
/// By Norton's theorem the rest of the network sends customers at the rate it has with those not
/// here. A queue there holds `Q = ρ/(1 − ρ)`, so `dQ/d ln X = Q(1 + Q)`; a delay has `Q`. The rate
/// then falls as if `Q_k + Σ dQ/d ln X` sources were left at a delay.
fn close(problem: &mut Problem, state: &State) {
    let number = problem.numbers(state, &problem.population);
    let thinking: f64 = problem.think_s.iter().zip(&state.throughput).map(|(z, x)| z * x).sum();
    let room: Vec<f64> = (0..problem.stations)
        .map(|k| match problem.service[k] {
            Service::Delay => number[k],
            Service::One => number[k] * (1.0 + number[k]),
            Service::Many(..) => {
                let waiting = (number[k] - problem.busy(state, k)).max(0.0);
                number[k] + waiting * (1.0 + waiting)
            }
        })
        .collect();
    let all: f64 = thinking + room.iter().sum::<f64>();
    for (k, service) in problem.service.iter_mut().enumerate() {
        if let Service::Many(servers, waits) = service {
            // One less: an arrival does not compete with itself.
            *waits = Waits::finite(*servers, number[k] + all - room[k] - 1.0);
        }
    }
}
