//! Sobol indices: which share of the answer's variance comes from which uncertain input.
//!
//! The figure is the number of units before rounding, the least over every limit. The first-order index is the share of
//! its variance that an input explains alone, the total index that with every interaction. Estimators of Jansen (1999),
//! first order as in Saltelli et al., "Variance based sensitivity analysis of model output", Computer Physics
//! Communications 181 (2010), table 2; points of the Sobol sequence, so that the same input gives the same indices.

use super::factors::{Factors, Known, UncertainInput};
use super::fit::{self, Allowed, Check};
use super::pert::Pert;
use super::plan::Plan;
use super::uncertainty::point;

/// Rows of each of the two matrices at most. The estimate of an index is off by some hundredths.
const MOST_ROWS: usize = 1024;
/// Rows at least: the estimate is off by a tenth.
const LEAST_ROWS: usize = 64;
/// Searches for a number of units that all rows of both matrices and their mixtures take: where many inputs matter or a
/// search is dear, there are fewer rows.
const SEARCHES: usize = 16_384;
const DEAR_SEARCHES: usize = 1024;

/// The indices of one input.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Indices {
    pub input: UncertainInput,
    /// Share of the variance that the input explains alone.
    pub first_order: f64,
    /// The same with every interaction.
    pub total: f64,
}

/// The indices of every input that is a range; all 0 where nothing moves the answer.
///
/// Each VM has a demand of its own, and those of the `likely` units on a host average out: the spread of their mean is
/// that of one VM over the root of their number.
///
/// `cheap` tells that a number of units is found in microseconds. Where none fits at the likely values there is nothing to
/// apportion, and all are 0.
pub fn indices(plan: &Plan, known: &[Known], checks: &[Check], likely: u32, cheap: bool) -> Vec<Indices> {
    let mut inputs: Vec<UncertainInput> = Vec::new();
    for one in known.iter().filter(|one| !one.range.is_exact()) {
        if !inputs.contains(&one.input) {
            inputs.push(one.input);
        }
    }
    let mut found: Vec<Indices> =
        inputs.into_iter().map(|input| Indices { input, first_order: 0.0, total: 0.0 }).collect();
    let near = within_reach(plan, known, checks);
    let moves = |one: &Indices| near.iter().any(|(check, _)| check.depends_on(one.input));
    let moving: Vec<usize> = (0..found.len()).filter(|&index| moves(&found[index])).collect();
    if likely == 0 || moving.is_empty() {
        return found;
    }
    let variants: Vec<Vec<(Known, Pert)>> = moving
        .iter()
        .map(|&index| {
            let of = known.iter().filter(|one| one.input == found[index].input && !one.range.is_exact());
            of.map(|one| (*one, Pert::new(one.range))).collect()
        })
        .collect();
    let mut factors = Factors::likely(known);
    let mut units = |coordinate: &dyn Fn(usize) -> f64| {
        for (index, variants) in variants.iter().enumerate() {
            let share = coordinate(index);
            for (known, pert) in variants {
                let value = pert.quantile(share);
                factors.set(known.slot, averaged(plan, known.input, value, likely));
            }
        }
        fit::nearest(plan, &factors, &near, |_| true).unrounded
    };
    let searches = if cheap { SEARCHES } else { DEAR_SEARCHES };
    let rows = (searches / (moving.len() + 2)).clamp(LEAST_ROWS, MOST_ROWS) as u32;
    // Inputs keep their coordinates whichever of them matter.
    let (a, b) = (
        |row: u32, input: usize| point(row, moving[input] as u32),
        |row: u32, input: usize| point(row, (found.len() + moving[input]) as u32),
    );
    let of_a: Vec<f64> = (0..rows).map(|row| units(&|input| a(row, input))).collect();
    let of_b: Vec<f64> = (0..rows).map(|row| units(&|input| b(row, input))).collect();
    let all = || of_a.iter().chain(&of_b);
    let mean = all().sum::<f64>() / (2.0 * f64::from(rows));
    let variance = all().map(|value| (value - mean) * (value - mean)).sum::<f64>() / (2.0 * f64::from(rows));
    if variance <= 1e-18 * mean * mean {
        return found;
    }
    let shares: Vec<(f64, f64)> = (0..moving.len())
        .map(|index| {
            let (mut to_a, mut to_b) = (0.0, 0.0);
            for row in 0..rows {
                let mixed = units(&|other| if other == index { b(row, other) } else { a(row, other) });
                to_a += (of_a[row as usize] - mixed) * (of_a[row as usize] - mixed);
                to_b += (of_b[row as usize] - mixed) * (of_b[row as usize] - mixed);
            }
            let share = |sum: f64| sum / (2.0 * f64::from(rows) * variance);
            // An estimate may lie a little outside of what an index can be; no index is above its total.
            let total = share(to_a).clamp(0.0, 1.0);
            ((1.0 - share(to_b)).clamp(0.0, total), total)
        })
        .collect();
    for (index, (first_order, total)) in moving.into_iter().zip(shares) {
        found[index] = Indices { first_order, total, ..found[index] };
    }
    found
}

/// The checks that are the nearest in some corner or draw, with what they allow at the likely values. A check whose worst
/// corner allows more than the best corner of all of them never is.
fn within_reach(plan: &Plan, known: &[Known], checks: &[Check]) -> Vec<(Check, Allowed)> {
    let likely = fit::allowed(plan, &Factors::likely(known), checks);
    let most = fit::nearest(plan, &Factors::best(known), &likely, |_| true);
    let worst = Factors::worst(known);
    let reaches = |check: Check| {
        check.strain(plan, &worst, most.unrounded) > 1.0 - 1e-9 || !check.allows(plan, &worst, most.fits)
    };
    likely.into_iter().filter(|(check, _)| reaches(*check)).collect()
}

/// The mean demand of the VMs of a host where one of them draws `value`; other inputs as they are.
fn averaged(plan: &Plan, input: UncertainInput, value: f64, likely: u32) -> f64 {
    let UncertainInput::CpuDemand(member) = input else { return value };
    let units = likely.div_ceil(plan.scenario.active_hosts()).max(1);
    let vms = f64::from(units.saturating_mul(plan.scenario.unit[member].count));
    1.0 + (value - 1.0) / vms.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ModelCatalog, parse_scenario};
    use crate::engine::checks;

    fn of(text: &str) -> Vec<Indices> {
        let scenario = parse_scenario(text.as_bytes(), ModelCatalog::built_in()).unwrap();
        let plan = Plan::new(&scenario);
        let (checks, _) = checks::checks(&plan);
        indices(&plan, &Factors::known(&scenario), &checks, 4, true)
    }

    const CPU_BOUND: &str = r#"{ "host": { "sockets": 2, "cores_per_socket": 8, "memory_gib": 4096 },
        "unit": [ { "vm": { "vcpus": 4, "memory_gib": 8,
                            "cpu": { "busy_percent": 60, "of_cores": 4, "spread_percent": SPREAD } } } ],
        "overhead": "hyperv-2008-sql" }"#;

    #[test]
    fn shares_of_a_nearly_additive_law_add_up() {
        let found = of(&CPU_BOUND.replace("SPREAD", "20"));
        let first: f64 = found.iter().map(|one| one.first_order).sum();
        let total: f64 = found.iter().map(|one| one.total).sum();
        assert!((first - 1.0).abs() < 0.05, "{found:?}");
        assert!((total - 1.0).abs() < 0.05, "{found:?}");
        for one in &found {
            assert!(one.total >= one.first_order, "{one:?}");
        }
    }

    #[test]
    fn an_input_that_moves_no_limit_has_none() {
        let found = of(&CPU_BOUND.replace("SPREAD", "0"));
        let of = |wanted: &str| {
            let one = found.iter().find(|one| format!("{:?}", one.input).contains(wanted)).unwrap();
            (one.first_order, one.total)
        };
        assert_eq!(of("DiskLoss"), (0.0, 0.0));
        assert_eq!(of("BackupLoss"), (0.0, 0.0));
        assert!(of("CpuLoss").0 > 0.3, "{found:?}");
    }

    #[test]
    fn nothing_uncertain_has_no_indices() {
        let found = of(&CPU_BOUND.replace("SPREAD", "0").replace("hyperv-2008-sql", "none"));
        assert!(found.iter().all(|one| one.total == 0.0), "{found:?}");
    }
}
