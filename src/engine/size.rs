//! The whole question: how many units fit, what stops one more, how sure is that.

use crate::domain::scenario::Scenario;

use super::factors::Factors;
use super::fit::{self, Check, MOST_UNITS};
use super::luns::Item;
use super::outcome::{Outcome, Row, TransactionRow, VolumeRow};
use super::plan::Plan;
use super::{advice, checks, groups, latency, pools, remedy, response, rows, sensitivity, uncertainty};

/// Volumes listed at most; the first units stand for the rest.
const MOST_VOLUME_ROWS: usize = 500;

/// Answers a scenario.
pub fn size(scenario: &Scenario) -> Outcome {
    let plan = Plan::new(scenario);
    let known = Factors::known(scenario);
    let factors = Factors::likely(&known);
    let (checks, not_checked) = checks::checks(&plan);
    let allowed = fit::allowed(&plan, &factors, &checks);
    let likely = allowed.iter().map(|(_, allowed)| allowed.fits).min().unwrap_or(MOST_UNITS);
    let mut listed: Vec<Row> =
        allowed.iter().map(|&(check, allowed)| rows::row(&plan, &factors, check, allowed, likely)).collect();
    listed.sort_by(nearest_first);
    let distribution = uncertainty::distribution(&plan, &known, &checks);
    let sensitivity = sensitivity::rows(&plan, &known, &factors, &allowed);
    let volumes = volumes(&plan, &factors, likely);
    let transactions = transactions(&plan, &factors, likely);
    let remedies = remedy::remedies(&plan, &factors, &allowed, likely);
    let mut outcome = Outcome {
        likely,
        distribution,
        rows: listed,
        not_checked,
        remedies,
        volumes,
        transactions,
        sensitivity,
        advice: Vec::new(),
        biztalk: groups::group(&plan, &known, &factors),
    };
    outcome.advice = advice::advice(&plan, &outcome);
    outcome
}

/// The number of units that fit with every range at its likely value, and the limit that binds.
pub fn likely_units(scenario: &Scenario) -> (u32, Option<Check>) {
    let plan = Plan::new(scenario);
    let factors = Factors::likely(&Factors::known(scenario));
    let (checks, _) = checks::checks(&plan);
    let nearest = fit::allowed(&plan, &factors, &checks)
        .into_iter()
        .min_by(|a, b| a.1.fits.cmp(&b.1.fits).then(a.1.unrounded.total_cmp(&b.1.unrounded)));
    nearest.map_or((MOST_UNITS, None), |(check, allowed)| (allowed.fits, Some(check)))
}

/// Whether no draws are needed, so that the answer costs microseconds: the corners of the ranges agree.
pub fn is_cheap(scenario: &Scenario) -> bool {
    let plan = Plan::new(scenario);
    let known = Factors::known(scenario);
    let (checks, _) = checks::checks(&plan);
    let at = |factors: &Factors| fit::most_units(&plan, factors, &checks);
    at(&Factors::worst(&known)) == at(&Factors::best(&known))
}

/// The limit that stops one more first: least whole units, and among equals the least before rounding.
///
/// For one host the second decides alone. In a cluster a host's limit is met in whole units on every host, so it can
/// stop earlier than one of the cluster that is nearer before rounding.
fn nearest_first(a: &Row, b: &Row) -> std::cmp::Ordering {
    a.fits.cmp(&b.fits).then(a.unrounded.total_cmp(&b.unrounded)).then(a.check.cmp(&b.check))
}

fn volumes(plan: &Plan, factors: &Factors, units: u32) -> Vec<VolumeRow> {
    let pools = plan.scenario.storage.as_ref().map_or(0, |storage| storage.pools.len());
    // With none that fits, the first unit is shown as it would be alone.
    let shown = units.max(1);
    let states: Vec<_> = (0..pools).map(|pool| pools::state(plan, factors, pool, f64::from(shown))).collect();
    let mut found = Vec::new();
    for unit in 0..shown {
        for (member, wanted) in plan.scenario.unit.iter().enumerate() {
            for vm in 0..wanted.count {
                for volume in 0..wanted.vm.volumes.len() {
                    if found.len() == MOST_VOLUME_ROWS {
                        return found;
                    }
                    let item = Item { unit, member, vm, volume };
                    let Some(place) = plan.place(item) else { continue };
                    let Some(Some(state)) = states.get(place.pool) else { continue };
                    let resident = super::plan::Resident { member, volume, attach: place.attach };
                    let latency = latency::of_volume(plan, factors, state, &resident);
                    found.push(VolumeRow { item, place, lun: plan.lun(item), latency });
                }
            }
        }
    }
    found
}

fn transactions(plan: &Plan, factors: &Factors, units: u32) -> Vec<TransactionRow> {
    let members = plan.scenario.unit.iter().enumerate().filter(|(_, member)| member.vm.transactions.is_some());
    members
        .map(|(member, _)| TransactionRow {
            member,
            response: response::predict(plan, factors, member, f64::from(units.max(1))),
        })
        .collect()
}
