//! The answer with each uncertain input at its low and its high end, the rest likely: which of them matter.

use crate::domain::choice::Attach;
use crate::domain::range::Range;
use crate::domain::rules;
use crate::domain::scenario::{DiskIops, Scenario};

use super::arithmetic::Source;
use super::factors::{Factors, Known, UncertainInput};
use super::fit::{self, Allowed, Check};
use super::outcome::SensitivityRow;
use super::plan::Plan;

/// One row for each input that is a range and can move a limit, the widest effect first.
pub fn rows(plan: &Plan, known: &[Known], likely: &Factors, allowed: &[(Check, Allowed)]) -> Vec<SensitivityRow> {
    let mut inputs: Vec<UncertainInput> = Vec::new();
    for one in known {
        if !one.range.is_exact() && !inputs.contains(&one.input) {
            inputs.push(one.input);
        }
    }
    let mut found: Vec<SensitivityRow> = Vec::new();
    let mut factors = likely.clone();
    for input in inputs {
        if !allowed.iter().any(|(check, _)| check.depends_on(input)) {
            continue;
        }
        let variants = || known.iter().filter(|one| one.input == input);
        let mut at = |end: fn(&Range) -> f64| {
            variants().for_each(|one| factors.set(one.slot, end(&one.range)));
            let nearest = fit::nearest(plan, &factors, allowed, |check| check.depends_on(input));
            variants().for_each(|one| factors.set(one.slot, one.range.likely()));
            (nearest.fits, nearest.unrounded)
        };
        let (low_fits, low_unrounded) = at(Range::low);
        let (high_fits, high_unrounded) = at(Range::high);
        let (range, source) = shown(plan, known, input);
        found.push(SensitivityRow { input, range, low_fits, high_fits, low_unrounded, high_unrounded, source });
    }
    let width = |row: &SensitivityRow| (row.high_unrounded - row.low_unrounded).abs();
    found.sort_by(|a, b| width(b).total_cmp(&width(a)).then(a.input.cmp(&b.input)));
    found
}

/// The range that is shown of an input: where it differs by way of attaching, that of the VM's volumes.
fn shown(plan: &Plan, known: &[Known], input: UncertainInput) -> (Range, Source) {
    let scenario: &Scenario = plan.scenario;
    match input {
        UncertainInput::Coefficient(name) => {
            let attach = plan.cpu_attach.first().copied().unwrap_or(Attach::PassThrough);
            let coefficient = scenario.overhead.coefficient(name, attach);
            let source = coefficient.map_or(Source::Input, |c| Source::Model(c.source.clone()));
            (scenario.overhead.range(name, attach), source)
        }
        UncertainInput::SmtGain => (rules::SMT_GAIN.range, Source::Rule(rules::SMT_GAIN.source)),
        UncertainInput::BackupWireRate => {
            let rule = rules::BACKUP_WIRE_MB_S_PER_GBPS;
            (rule.range, Source::Rule(rule.source))
        }
        UncertainInput::SequentialRate => {
            let rule = rules::SEQUENTIAL_MB_S_PER_DISK;
            (rule.range, Source::Rule(rule.source))
        }
        UncertainInput::DiskIops(index) => {
            let pool = scenario.storage.as_ref().and_then(|storage| storage.pools.get(index));
            match pool.map(|pool| &pool.iops_per_disk) {
                Some(DiskIops::Rule(range, source)) => (*range, Source::Rule(source)),
                _ => (Range::exact(0.0), Source::Input),
            }
        }
        UncertainInput::CpuDemand(_) => {
            let range = known.iter().find(|one| one.input == input).map(|one| one.range);
            (range.unwrap_or(Range::exact(1.0)), Source::Input)
        }
    }
}
