//! The whole question: how many units fit, what stops one more, how sure is that.

use crate::domain::scenario::{Load, Scenario, UnitMember};

use super::factors::{Factors, Known};
use super::fit::{self, Allowed, Check, MOST_UNITS};
use super::indices::{self, Indices};
use super::luns::Item;
use super::outcome::{Outcome, Row, TransactionRow, VolumeRow};
use super::plan::Plan;
use super::{advice, checks, explain, groups, latency, pools, remedy, response, rows, sensitivity, uncertainty};

/// Volumes listed at most; the first units stand for the rest.
const MOST_VOLUME_ROWS: usize = 500;

/// Volumes, times the pools that each may come from, of a scenario that is still [small](is_small).
const FEW_CHOICES: usize = 64;

/// A scenario made ready, with the corners of its ranges.
pub struct Sizing<'a> {
    plan: Plan<'a>,
    known: Vec<Known>,
    checks: Vec<Check>,
    not_checked: Vec<checks::NotChecked>,
    likely: Factors,
    allowed: Vec<(Check, Allowed)>,
    corners: (u32, u32),
}

impl<'a> Sizing<'a> {
    pub fn new(scenario: &'a Scenario) -> Self {
        let plan = Plan::new(scenario);
        let known = Factors::known(scenario);
        let (checks, not_checked) = checks::checks(&plan);
        let likely = Factors::likely(&known);
        let allowed = fit::allowed(&plan, &likely, &checks);
        let corners = uncertainty::corners(&plan, &known, &allowed);
        Self { plan, known, checks, not_checked, likely, allowed, corners }
    }

    /// The answer with the arithmetic of each number.
    pub fn outcome(self) -> Outcome {
        let explained = |plan: &Plan, factors: &Factors, listed: &mut [Row], units: u32| {
            listed.iter_mut().for_each(|row| explain::explain(plan, factors, row, units));
        };
        self.outcome_with(explained)
    }

    /// The answer as numbers alone.
    pub fn plain_outcome(self) -> Outcome {
        self.outcome_with(|_, _, _, _| {})
    }

    fn outcome_with(self, finish: impl Fn(&Plan, &Factors, &mut [Row], u32)) -> Outcome {
        let Self { plan, known, checks, not_checked, likely: factors, allowed, corners } = self;
        let likely = allowed.iter().map(|(_, allowed)| allowed.fits).min().unwrap_or(MOST_UNITS);
        let mut listed: Vec<Row> =
            allowed.iter().map(|&(check, allowed)| rows::row(&plan, &factors, check, allowed, likely)).collect();
        listed.sort_by(nearest_first);
        finish(&plan, &factors, &mut listed, likely);
        let mut outcome = Outcome {
            likely,
            distribution: uncertainty::distribution(&plan, &known, &checks, corners),
            rows: listed,
            not_checked,
            remedies: if likely < MOST_UNITS {
                remedy::remedies(&plan, &factors, &allowed, likely)
            } else {
                Vec::new()
            },
            volumes: volumes(&plan, &factors, likely),
            transactions: transactions(&plan, &factors, likely),
            sensitivity: sensitivity::rows(&plan, &known, &factors, &allowed),
            advice: Vec::new(),
            attachments: plan.attachments(),
            biztalk: groups::group(&plan, &known, &factors),
        };
        outcome.advice = advice::advice(&plan, &outcome);
        outcome
    }
}

/// Answers a scenario.
pub fn size(scenario: &Scenario) -> Outcome {
    Sizing::new(scenario).outcome()
}

/// The Sobol indices of a scenario's uncertain inputs, around the number of units that likely fit.
pub fn sobol_indices(scenario: &Scenario, likely: u32) -> Vec<Indices> {
    let plan = Plan::new(scenario);
    let (checks, _) = checks::checks(&plan);
    indices::indices(&plan, &Factors::known(scenario), &checks, likely, is_small(scenario))
}

/// Whether a scenario is made ready in microseconds, told from its shape alone: few volumes and pools, no LUNs to be shared
/// out, no users whose queueing network has to be solved.
pub fn is_small(scenario: &Scenario) -> bool {
    let volumes: usize = scenario.unit.iter().map(|member| member.count as usize * member.vm.volumes.len()).sum();
    let (pools, luns) = scenario.storage.as_ref().map_or((0, 0), |storage| (storage.pools.len(), storage.luns.len()));
    let has_users = |member: &UnitMember| member.vm.transactions.is_some_and(|t| matches!(t.load, Load::Closed { .. }));
    volumes * pools <= FEW_CHOICES && luns == 0 && !scenario.unit.iter().any(has_users) && scenario.biztalk.is_none()
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
