//! What a case asks, answered by the laws of [`crate::engine`].

use std::sync::Arc;

use crate::domain::case::ScenarioGiven;
use crate::domain::case::{
    BizTalkGiven, BizTalkRow, BizTalkRows, BizTalkWork, Case, CaseKind, Fit, Given, Io, Scaling,
};
use crate::domain::choice::CoefficientName;
use crate::domain::overhead::{Coefficient, OverheadModel};
use crate::domain::range::Range;
use crate::domain::scenario::Scenario;
use crate::domain::units::{MB_PER_GIB, SECONDS_PER_HOUR};
use crate::engine::biztalk::{self, BizTalkModel, Measurement, Ratings};
use crate::engine::calibration::{self, LoadPoint};
use crate::engine::checks;
use crate::engine::factors::Factors;
use crate::engine::fit::{self, Check};
use crate::engine::luns::Item;
use crate::engine::plan::{Plan, Resident};
use crate::engine::queueing::Usl;
use crate::engine::{demand, latency, pools, response, uncertainty};

use super::{INTERVAL, Prediction};

pub(super) fn predict(case: &Case) -> Option<Prediction> {
    match &case.given {
        Given::Scenario(given) => scenario(case.kind, given),
        Given::Scaling(given) => scaling(given),
        Given::BizTalk(given) => biztalk(given),
    }
}

fn scenario(kind: CaseKind, given: &ScenarioGiven) -> Option<Prediction> {
    let scenario = match &given.fit {
        Some(fit) => &with_fit(&given.scenario, fit)?,
        None => &given.scenario,
    };
    let plan = Plan::new(scenario);
    let known = Factors::known(scenario);
    let figure = |factors: &Factors| figure(&plan, factors, kind, given).filter(|value| value.is_finite());
    let likely = figure(&Factors::likely(&known))?;
    let (low, high) = uncertainty::interval(&plan, &known, INTERVAL, figure)?;
    // The likely value is no quantile: a skewed range may put it outside by a little.
    Some(Prediction { likely, low: low.min(likely), high: high.max(likely) })
}

/// The scenario with CPU coefficients that are fitted on the case's measurements.
fn with_fit(scenario: &Scenario, fit: &Fit) -> Option<Scenario> {
    let (fixed, loss) = match fit {
        Fit::Loads { points, half_digits, processors, vcpus } => {
            let point = |[per_s, native_per_percent, guest_per_percent]: &[f64; 3]| LoadPoint {
                per_s: *per_s,
                native_per_percent: *native_per_percent,
                guest_per_percent: *guest_per_percent,
            };
            let points: Vec<LoadPoint> = points.iter().map(point).collect();
            calibration::ranges(&points, *half_digits, *processors, *vcpus)?
        }
        Fit::Pairs(pairs) => (Range::exact(0.0), calibration::loss_of_ratios(pairs)?),
    };
    let is_cpu = |name| matches!(name, CoefficientName::CpuLoss | CoefficientName::CpuFixedCoresPerVcpu);
    let mut model: OverheadModel = scenario.overhead.as_ref().clone();
    model.coefficients.retain(|coefficient| !is_cpu(coefficient.name));
    for (name, range) in [(CoefficientName::CpuFixedCoresPerVcpu, fixed), (CoefficientName::CpuLoss, loss)] {
        let source: Arc<str> = Arc::from("fitted on the measurements of the case");
        model.coefficients.push(Coefficient { name, attach: None, range, source, derivation: None });
    }
    Some(Scenario { overhead: Arc::new(model), ..scenario.clone() })
}

/// The figure that a kind asks for, in its unit.
pub(super) fn figure(plan: &Plan, factors: &Factors, kind: CaseKind, given: &ScenarioGiven) -> Option<f64> {
    let units = f64::from(given.units);
    match kind {
        CaseKind::CpuOverhead => Some(100.0 * (1.0 - native_over_host(plan, factors, given.vm))),
        CaseKind::CpuRelative => Some(100.0 * native_over_host(plan, factors, given.vm)),
        CaseKind::Memory => {
            let memory = Check::Memory.ratio(plan, factors)?;
            Some(memory.reserved + units * memory.per_unit)
        }
        CaseKind::RaidIops => {
            let (pool, _) = lies(plan, given)?;
            Some(pools::state(plan, factors, pool, units)?.supply_iops)
        }
        CaseKind::DiskRelative => {
            let (pool, _) = lies(plan, given)?;
            let guest = plan.pool_load(pool, units);
            let (reads, writes) = demand::host_io(factors, &guest);
            let sum = |iops: [f64; 3]| iops.iter().sum::<f64>();
            let share = match given.io {
                Io::Read => sum(guest.reads) / reads,
                Io::Write => sum(guest.writes) / writes,
                Io::All => (sum(guest.reads) + sum(guest.writes)) / (reads + writes),
            };
            Some(100.0 * share)
        }
        CaseKind::AddedLatency => added_latency(plan, factors, given),
        CaseKind::ClosedLoopTps => Some(response::predict(plan, factors, given.vm, units)?.per_s),
        CaseKind::ClosedLoopResponse => Some(response::predict(plan, factors, given.vm, units)?.response_ms),
        CaseKind::BackupRate => {
            let hours = Check::BackupNetwork(given.vm).ratio(plan, factors)?.per_unit;
            let window = plan.scenario.unit[given.vm].vm.backup?.window_h;
            let due = plan.scenario.unit.iter().filter_map(|member| {
                let backup = member.vm.backup.filter(|backup| backup.window_h <= window)?;
                Some(f64::from(member.count) * backup.size_gib * plan.growth)
            });
            Some(due.sum::<f64>() * MB_PER_GIB / (hours * SECONDS_PER_HOUR))
        }
        CaseKind::CountFits => {
            let (checks, _) = checks::checks(plan);
            Some(f64::from(fit::most_units(plan, factors, &fit::allowed(plan, factors, &checks))))
        }
        CaseKind::Consolidation => {
            let all = |units: u32| {
                let one = response::predict(plan, factors, given.vm, f64::from(units))?;
                Some(one.per_s * f64::from(units))
            };
            Some(all(given.units)? / all(given.relative_to)?)
        }
        // Takes a group, not a scenario.
        CaseKind::Biztalk => None,
    }
}

fn native_over_host(plan: &Plan, factors: &Factors, member: usize) -> f64 {
    demand::native_cpu(plan, member) * factors.cpu_demand[member] / demand::vm_cpu(plan, factors, member)
}

/// The pool of the asked volume, and how it reaches it.
fn lies(plan: &Plan, given: &ScenarioGiven) -> Option<(usize, Resident)> {
    let place = plan.place(Item { unit: 0, member: given.vm, vm: 0, volume: given.volume })?;
    Some((place.pool, Resident { member: given.vm, volume: given.volume, attach: place.attach }))
}

fn added_latency(plan: &Plan, factors: &Factors, given: &ScenarioGiven) -> Option<f64> {
    let (pool, resident) = lies(plan, given)?;
    let state = pools::state(plan, factors, pool, f64::from(given.units))?;
    let guest = latency::of_volume(plan, factors, &state, &resident);
    let read = guest.read_ms.zip(state.read_ms).map(|(guest, native)| guest - native);
    let write = guest.write_ms.zip(state.write_ms).map(|(guest, native)| guest - native);
    match given.io {
        Io::Read => read,
        Io::Write => write,
        Io::All => {
            let volume = &plan.scenario.unit[given.vm].vm.volumes[given.volume];
            let part = |added: Option<f64>, iops: f64| added.map_or(0.0, |ms| ms * iops);
            Some((part(read, volume.read_iops) + part(write, volume.write_iops)) / volume.iops())
        }
    }
}

/// By the Universal Scalability Law, relative to the smallest size; the interval is the largest residual of the points.
fn scaling(given: &Scaling) -> Option<Prediction> {
    let law = Usl::fit(&given.points).ok()?;
    let smallest = given.points.iter().copied().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let likely = law.throughput(given.at) / smallest.1;
    let off = |(size, rate): &(f64, f64)| (law.throughput(*size) / rate - 1.0).abs();
    let spread = given.points.iter().map(off).fold(0.0, f64::max);
    Some(Prediction { likely, low: likely / (1.0 + spread), high: likely * (1.0 + spread) })
}

fn biztalk(given: &BizTalkGiven) -> Option<Prediction> {
    let model = match &given.rows {
        BizTalkRows::All => biztalk::published()?.clone(),
        BizTalkRows::Given(rows) => BizTalkModel::fit(&rows.iter().map(measurement).collect::<Vec<_>>()).ok()?,
        BizTalkRows::Others => {
            let group = |row: &Measurement| (row.messageboxes, row.servers);
            let asked = |row: &Measurement| {
                let same = group(row) == (given.messageboxes, given.servers) || given.relative_to == Some(group(row));
                same && row.scenario == work(given.work)
            };
            let others: Vec<Measurement> =
                biztalk::published_rows().iter().filter(|row| !asked(row)).copied().collect();
            BizTalkModel::fit(&others).ok()?
        }
    };
    let ratings = Ratings { processing: given.processing_rating, sql: given.sql_rating };
    let of = |messageboxes, servers| model.throughput_on(work(given.work), messageboxes, servers, ratings);
    let group = of(given.messageboxes, given.servers)?;
    let scale = match given.relative_to {
        Some((messageboxes, servers)) => 100.0 / of(messageboxes, servers)?.docs_per_s,
        None => 1.0,
    };
    Some(Prediction { likely: group.docs_per_s * scale, low: group.low * scale, high: group.high * scale })
}

fn work(work: BizTalkWork) -> biztalk::Scenario {
    match work {
        BizTalkWork::Messaging => biztalk::Scenario::Messaging,
        BizTalkWork::Orchestration => biztalk::Scenario::Orchestration,
    }
}

fn measurement(row: &BizTalkRow) -> Measurement {
    Measurement {
        scenario: work(row.work),
        messageboxes: row.messageboxes,
        servers: row.servers,
        docs_per_s: row.docs_per_s,
        processing_cpu_pct: row.processing_cpu_percent,
        sql_cpu_pct: row.sql_cpu_percent,
    }
}
