//! A case from its file, with every problem at once.

use super::super::check::check_scenario;
use super::super::models::ModelCatalog;
use super::super::problem::{Problem, ProblemKind};
use super::super::read::{Refused, in_order, read};
use super::super::scenario::Scenario;
use super::input::{BizTalkInput, CaseInput, FitInput, GivenInput, ScalingInput, ToleranceInput};
use super::{
    BizTalkGiven, BizTalkRow, BizTalkRows, BizTalkWork, Case, CaseKind, CaseSet, Fit, Given, Io, Scaling,
    ScenarioGiven, Tolerance,
};

/// A case from JSON.
///
/// # Errors
/// All problems at once, each with its JSON pointer, the value and what is allowed.
pub fn parse_case(bytes: &[u8], catalog: &ModelCatalog) -> Result<Case, Refused> {
    let (input, mut problems) = read::<CaseInput>(bytes)?;
    let found = &mut problems;
    let kind = input.kind.unwrap_or(CaseKind::CpuOverhead);
    let given = match (&input.given, input.kind) {
        (Some(given), Some(kind)) => self::given(given, kind, catalog, found),
        _ => None,
    };
    let wanted = input.unit.clone().unwrap_or_default();
    let unit = units(kind, &input).iter().copied().find(|unit| *unit == wanted);
    if unit.is_none() && input.unit.is_some() && input.kind.is_some() {
        let allowed = units(kind, &input).iter().map(|&unit| unit.to_owned()).collect();
        found.push(Problem::new("/unit", Some(wanted), ProblemKind::NotOneOf { allowed }));
    }
    let measured = input.measured.unwrap_or(0.0);
    let tolerance = tolerance(input.tolerance.as_ref(), measured, found);
    match (given, unit) {
        (Some(given), Some(unit)) if problems.is_empty() => Ok(Case {
            id: input.id.unwrap_or_default(),
            kind,
            set: input.set.unwrap_or(CaseSet::Training),
            source: input.source.unwrap_or_default(),
            calibrated_on: input.calibrated_on.unwrap_or_default(),
            note: input.note,
            given,
            measured,
            half_digit: input.half_digit.unwrap_or(0.0),
            unit,
            tolerance,
        }),
        _ => Err(Refused::Problems(in_order(problems))),
    }
}

/// The units that the figure may have: a rate relative to another BizTalk group is a share.
fn units(kind: CaseKind, input: &CaseInput) -> &'static [&'static str] {
    let group = input.given.as_ref().and_then(|given| given.biztalk.as_ref());
    match (kind, group) {
        (CaseKind::Biztalk, Some(group)) if group.relative_to_servers.is_some() => &["%"],
        (CaseKind::Biztalk, Some(_)) => &["docs/s"],
        _ => kind.units(),
    }
}

fn tolerance(input: Option<&ToleranceInput>, measured: f64, found: &mut Vec<Problem>) -> Tolerance {
    let empty = ToleranceInput::default();
    let given = input.unwrap_or(&empty);
    let within = match (given.percent, given.absolute) {
        (Some(percent), None) => percent / 100.0 * measured.abs(),
        (None, Some(absolute)) => absolute,
        _ => {
            if input.is_some() {
                let kind = ProblemKind::OneOfThese { fields: vec!["percent".to_owned(), "absolute".to_owned()] };
                found.push(Problem::new("/tolerance", None, kind));
            }
            0.0
        }
    };
    Tolerance { within, same_side_of: given.same_side_of, why: given.why.clone() }
}

fn given(input: &GivenInput, kind: CaseKind, catalog: &ModelCatalog, found: &mut Vec<Problem>) -> Option<Given> {
    let named = [
        ("scenario", input.scenario.is_some()),
        ("scaling", input.scaling.is_some()),
        ("biztalk", input.biztalk.is_some()),
    ];
    let wanted: &[&str] = match kind {
        CaseKind::Biztalk => &["biztalk"],
        CaseKind::Consolidation => &["scenario", "scaling"],
        _ => &["scenario"],
    };
    let there: Vec<&str> = named.iter().filter(|(_, there)| *there).map(|(name, _)| *name).collect();
    if there.len() != 1 || !wanted.contains(&there[0]) {
        let fields = wanted.iter().map(|&field| field.to_owned()).collect();
        found.push(Problem::new("/given", None, ProblemKind::OneOfThese { fields }));
        return None;
    }
    if let Some(scaling) = &input.scaling {
        return Some(Given::Scaling(self::scaling(scaling)));
    }
    if let Some(group) = &input.biztalk {
        return Some(Given::BizTalk(biztalk(group, found)));
    }
    let scenario = match check_scenario(input.scenario.as_ref()?, catalog) {
        Ok(scenario) => scenario,
        Err(problems) => {
            found.extend(problems.into_iter().map(|mut problem| {
                problem.pointer.insert_str(0, "/given/scenario");
                problem
            }));
            return None;
        }
    };
    let at = |value: Option<f64>, default: u32| value.map_or(default, |v| v as u32);
    let given = ScenarioGiven {
        units: at(input.units, 1),
        relative_to: at(input.relative_to, 1),
        vm: at(input.vm, 0) as usize,
        volume: at(input.volume, 0) as usize,
        io: input.io.unwrap_or(Io::All),
        fit: input.fit.as_ref().and_then(|given| fit(given, found)),
        scenario,
    };
    answers(&given, kind, found);
    Some(Given::Scenario(Box::new(given)))
}

/// Whether the scenario has what the kind asks of it.
fn answers(given: &ScenarioGiven, kind: CaseKind, found: &mut Vec<Problem>) {
    let scenario: &Scenario = &given.scenario;
    let mut lacks = |pointer: String| found.push(Problem::new(pointer, None, ProblemKind::Missing));
    let Some(member) = scenario.unit.get(given.vm) else {
        return lacks(format!("/given/scenario/unit/{}", given.vm));
    };
    let vm = format!("/given/scenario/unit/{}/vm", given.vm);
    match kind {
        CaseKind::CpuOverhead | CaseKind::CpuRelative if member.vm.cpu.is_none_or(|cpu| cpu.cores() <= 0.0) => {
            lacks(format!("{vm}/cpu"));
        }
        CaseKind::RaidIops | CaseKind::DiskRelative | CaseKind::AddedLatency => {
            if scenario.storage.is_none() {
                lacks("/given/scenario/storage".to_owned());
            }
            match member.vm.volumes.get(given.volume) {
                None => lacks(format!("{vm}/volumes/{}", given.volume)),
                Some(volume) => {
                    let idle = match given.io {
                        Io::Read => volume.read_iops == 0.0,
                        Io::Write => volume.write_iops == 0.0,
                        Io::All => volume.iops() == 0.0,
                    };
                    if idle {
                        lacks(format!("{vm}/volumes/{}/read_iops", given.volume));
                    }
                }
            }
        }
        CaseKind::ClosedLoopTps | CaseKind::ClosedLoopResponse | CaseKind::Consolidation
            if member.vm.transactions.is_none() =>
        {
            lacks(format!("{vm}/transactions"));
        }
        CaseKind::BackupRate => {
            if member.vm.backup.is_none() {
                lacks(format!("{vm}/backup"));
            }
            if scenario.host.nics.is_empty() {
                lacks("/given/scenario/host/nics".to_owned());
            }
        }
        _ => {}
    }
}

fn fit(input: &FitInput, found: &mut Vec<Problem>) -> Option<Fit> {
    match (&input.loads, &input.pairs) {
        (Some(loads), None) => {
            let point = |load: &super::LoadPointInput| {
                [load.per_s, load.native_per_cpu_percent, load.guest_per_cpu_percent].map(|value| value.unwrap_or(1.0))
            };
            let digits = input.half_digits.as_deref().unwrap_or(&[]);
            let half_digits = std::array::from_fn(|index| digits.get(index).copied().unwrap_or(0.0));
            // A figure that could be zero by its own rounding says nothing.
            let points: Vec<[f64; 3]> = loads.iter().map(point).collect();
            for (index, point) in points.iter().enumerate() {
                if point.iter().zip(&half_digits).any(|(value, half)| !(0.0..*value).contains(half)) {
                    let kind = ProblemKind::OutOfRange { min: Some(0.0), max: point.iter().copied().reduce(f64::min) };
                    found.push(Problem::new("/given/fit/half_digits", Some(format!("for load {index}")), kind));
                }
            }
            let (processors, vcpus) = (input.processors.unwrap_or(4.0), input.vcpus.unwrap_or(4.0));
            Some(Fit::Loads { points, half_digits, processors, vcpus })
        }
        (None, Some(pairs)) => {
            let pair = |pair: &super::PairInput| (pair.native.unwrap_or(1.0), pair.guest.unwrap_or(1.0));
            Some(Fit::Pairs(pairs.iter().map(pair).collect()))
        }
        _ => {
            let kind = ProblemKind::OneOfThese { fields: vec!["loads".to_owned(), "pairs".to_owned()] };
            found.push(Problem::new("/given/fit", None, kind));
            None
        }
    }
}

fn scaling(input: &ScalingInput) -> Scaling {
    let point = |point: &super::ScalePointInput| (point.vms.unwrap_or(1.0), point.throughput.unwrap_or(1.0));
    Scaling { points: input.points.iter().flatten().map(point).collect(), at: input.at.unwrap_or(1.0) }
}

fn biztalk(input: &BizTalkInput, found: &mut Vec<Problem>) -> BizTalkGiven {
    let count = |value: Option<f64>| value.map_or(1, |v| v as u32);
    let relative_to = match (input.relative_to_messageboxes, input.relative_to_servers) {
        (None, None) => None,
        (boxes @ Some(_), servers @ Some(_)) => Some((count(boxes), count(servers))),
        (None, Some(_)) => {
            let kind = ProblemKind::Needs { other: "relative_to_messageboxes" };
            found.push(Problem::new("/given/biztalk/relative_to_servers", None, kind));
            None
        }
        (Some(_), None) => {
            let kind = ProblemKind::Needs { other: "relative_to_servers" };
            found.push(Problem::new("/given/biztalk/relative_to_messageboxes", None, kind));
            None
        }
    };
    let row = |row: &super::BizTalkRowInput| BizTalkRow {
        work: row.work.unwrap_or(BizTalkWork::Messaging),
        messageboxes: count(row.messageboxes),
        servers: count(row.servers),
        docs_per_s: row.docs_per_s.unwrap_or(1.0),
        processing_cpu_percent: row.processing_cpu_percent.unwrap_or(1.0),
        sql_cpu_percent: row.sql_cpu_percent.unwrap_or(1.0),
    };
    let rows = match (&input.rows, input.leave_out.unwrap_or(false)) {
        (Some(rows), _) => BizTalkRows::Given(rows.iter().map(row).collect()),
        (None, true) => BizTalkRows::Others,
        (None, false) => BizTalkRows::All,
    };
    BizTalkGiven {
        work: input.work.unwrap_or(BizTalkWork::Messaging),
        messageboxes: count(input.messageboxes),
        servers: count(input.servers),
        relative_to,
        processing_rating: input.processing_rating.unwrap_or(1.0),
        sql_rating: input.sql_rating.unwrap_or(1.0),
        rows,
    }
}
