//! The engine's outcome and the words for it, as one [`Answer`].

use crate::domain::choice::Attach;
use crate::domain::scenario::{Scenario, UnitMember};
use crate::engine::curves;
use crate::engine::factors::UncertainInput;
use crate::engine::fit::{Check, MOST_UNITS};
use crate::engine::outcome::{self, Outcome, Row};
use crate::engine::sobol_indices;

use super::answer::{
    Advice, Answer, Binding, Coefficient, Curve, Curves, Fit, NotChecked, Overhead, Probability, Resource, Sensitivity,
    TransactionAnswer, VolumeAnswer,
};
use super::words::{Word, capitalized, nth, number, plain, rounded, say};
use super::{arithmetic, remedies};

/// Version of the laws. It changes with every change of a law or a built-in figure that can change an answer.
pub const MODEL_VERSION: &str = "2026.1";

/// What an answer carries beside the numbers. Documents and pages show [all](Options::SHOWN) but the indices.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Curves over the number of units, for charts.
    pub curves: bool,
    /// The arithmetic of each number, and how each coefficient was derived.
    pub arithmetic: bool,
    /// Sobol indices beside the sensitivity of each input.
    pub indices: bool,
}

impl Options {
    /// What pages, documents and kept sizings have.
    pub const SHOWN: Self = Self { curves: true, arithmetic: true, indices: false };
}

/// Sizes a scenario and says it.
pub fn answer_for(scenario: &Scenario, options: Options) -> Answer {
    let sizing = crate::engine::Sizing::new(scenario);
    let outcome = if options.arithmetic { sizing.outcome() } else { sizing.plain_outcome() };
    answer_from(scenario, &outcome, options)
}

/// Says what the engine found.
pub fn answer_from(scenario: &Scenario, outcome: &Outcome, options: Options) -> Answer {
    Answer {
        name: scenario.name.clone(),
        unit_name: unit_name(scenario, 2),
        headline: headline(scenario, outcome),
        certainty: certainty(scenario, outcome),
        fit: fit(scenario, outcome),
        binding: binding(scenario, outcome),
        resources: outcome.rows.iter().map(|row| resource(scenario, row, options)).collect(),
        volumes: outcome.volumes.iter().map(|row| volume(scenario, row)).collect(),
        transactions: outcome.transactions.iter().map(|row| transaction(scenario, outcome, row)).collect(),
        advice: outcome.advice.iter().map(advice).collect(),
        sensitivity: sensitivities(scenario, outcome, options.indices),
        not_checked: outcome.not_checked.iter().map(not_checked).collect(),
        overhead: overhead(scenario, outcome, options),
        curves: options.curves.then(|| curves_of(scenario, outcome)),
        biztalk: outcome.biztalk.as_ref().map(|group| super::biztalk::answer(group, outcome.likely)),
        model_version: MODEL_VERSION.to_owned(),
    }
}

/// What is counted, in the number that `count` asks for.
fn unit_name(scenario: &Scenario, count: u32) -> String {
    let n = f64::from(count);
    let bare = |name: &str| name.strip_suffix(" VM").unwrap_or(name).to_owned();
    match scenario.unit.as_slice() {
        [UnitMember { count: 1, vm }] => {
            say("unit-vm", &[("n", Word::Count(n)), ("name", Word::Text(&bare(&vm.name)))])
        }
        members => {
            let parts: Vec<String> =
                members.iter().map(|m| format!("{} × {}", number(f64::from(m.count)), bare(&m.vm.name))).collect();
            say("unit-group", &[("n", Word::Count(n)), ("members", Word::Text(&parts.join(" + ")))])
        }
    }
}

fn headline(scenario: &Scenario, outcome: &Outcome) -> String {
    let (all, spare) = (scenario.host.count, scenario.policy.spare_hosts);
    let count = number(f64::from(scenario.active_hosts()));
    let place = match (all, spare) {
        (1, _) => plain("where-host"),
        (_, 0) => say("where-hosts", &[("count", Word::Text(&count))]),
        _ => say(
            "where-spare",
            &[
                ("count", Word::Text(&count)),
                ("spare", Word::Text(&number(f64::from(spare)))),
                ("all", Word::Text(&number(f64::from(all)))),
                ("n", Word::Count(f64::from(spare))),
            ],
        ),
    };
    // "No SQL Server VM fits", "3 SQL Server VMs fit".
    let unit = unit_name(scenario, outcome.likely.max(1));
    say(
        if outcome.likely < MOST_UNITS { "headline" } else { "headline-most" },
        &[
            ("n", Word::Count(f64::from(outcome.likely))),
            ("count", Word::Text(&number(f64::from(outcome.likely)))),
            ("unit", Word::Text(&unit)),
            ("where", Word::Text(&place)),
        ],
    )
}

fn certainty(scenario: &Scenario, outcome: &Outcome) -> String {
    let distribution = &outcome.distribution;
    let text = |units: u32| number(f64::from(units));
    if distribution.worst >= MOST_UNITS {
        return say("certainty-most", &[("count", Word::Text(&text(MOST_UNITS)))]);
    }
    if distribution.worst == distribution.best {
        let count = text(distribution.worst);
        let words = [("n", Word::Count(f64::from(distribution.worst))), ("count", Word::Text(&count))];
        return say("certainty-sure", &words);
    }
    let confidence = scenario.policy.confidence;
    say(
        "certainty-range",
        &[
            ("low", Word::Text(&text(distribution.with_probability(confidence)))),
            ("confidence", Word::Text(&number(confidence * 100.0))),
            ("worst", Word::Text(&text(distribution.worst))),
            ("best", Word::Text(&text(distribution.best))),
        ],
    )
}

fn fit(scenario: &Scenario, outcome: &Outcome) -> Fit {
    let distribution = &outcome.distribution;
    let confidence = scenario.policy.confidence;
    let at_confidence = distribution.with_probability(confidence);
    // Few units more than the best case say nothing; many between the corners are thinned out.
    let span = distribution.best - distribution.worst + 1;
    let step = span.div_ceil(100).max(1);
    let mut units: Vec<u32> = (distribution.worst..=distribution.best).step_by(step as usize).collect();
    if distribution.best < MOST_UNITS {
        units.push(distribution.best + 1);
    } else if units.last() != Some(&MOST_UNITS) {
        units.push(MOST_UNITS);
    }
    Fit {
        likely: outcome.likely,
        at_confidence,
        confidence_percent: rounded(confidence * 100.0),
        most: distribution.with_probability(1.0 - confidence).max(outcome.likely).max(at_confidence),
        worst_case: distribution.worst,
        best_case: distribution.best,
        draws: distribution.draws,
        counted_to: Some(MOST_UNITS).filter(|most| outcome.likely >= *most),
        probability: units
            .into_iter()
            .map(|units| Probability { units, at_least: rounded(distribution.at_least(units)) })
            .collect(),
    }
}

/// What a limit is about, as the user named it.
pub(super) fn subject(scenario: &Scenario, check: Check) -> String {
    let pool = |index: usize| {
        let pool = scenario.storage.as_ref().and_then(|storage| storage.pools.get(index));
        pool.map_or_else(String::new, |pool| pool.name.clone())
    };
    match check {
        Check::Memory | Check::Cpu | Check::Vcpus => plain("subject-host"),
        Check::HypervisorVms => plain("subject-vms"),
        Check::HypervisorVcpus => plain("subject-vcpus"),
        Check::Network | Check::BackupNetwork(_) => plain("subject-nics"),
        Check::BackupPool(index, _) | Check::Iops(index) | Check::Capacity(index) | Check::Latency(index) => {
            pool(index)
        }
        Check::Luns => plain("subject-luns"),
        Check::LunSpace => plain("subject-lun-space"),
        Check::Response(member) => scenario.unit[member].vm.name.clone(),
    }
}

pub(super) fn resource_label(resource: &str) -> String {
    plain(&format!("resource-{resource}"))
}

fn binding(scenario: &Scenario, outcome: &Outcome) -> Binding {
    let Some(row) = outcome.rows.first().filter(|_| outcome.likely < MOST_UNITS) else {
        return Binding {
            resource: String::new(),
            subject: String::new(),
            reason: say("reason-none", &[("count", Word::Text(&number(f64::from(MOST_UNITS))))]),
            to_fit_one_more: String::new(),
            remedies: Vec::new(),
        };
    };
    let remedies = remedies::list(scenario, outcome);
    Binding {
        resource: row.check.resource().to_owned(),
        subject: subject(scenario, row.check),
        reason: reason(scenario, outcome, row),
        to_fit_one_more: remedies::sentence(outcome, &remedies),
        remedies,
    }
}

fn reason(scenario: &Scenario, outcome: &Outcome, row: &Row) -> String {
    let remedy = outcome.remedies.iter().find(|remedy| remedy.check == row.check);
    let lacking = remedy.map_or(0.0, |remedy| remedy.lacking);
    let key = match row.check {
        Check::Latency(_) if lacking == 0.0 => "reason-latency-saturated".to_owned(),
        Check::Response(_) if lacking == 0.0 => "reason-response-saturated".to_owned(),
        check => format!("reason-{}", check.resource()),
    };
    say(
        &key,
        &[
            ("nth", Word::Text(&nth(outcome.likely + 1))),
            ("lacking", Word::Text(&number(lacking))),
            ("n", Word::Count(lacking)),
            ("subject", Word::Text(&subject(scenario, row.check))),
            ("supply", Word::Text(&number(row.supply))),
            ("unit", Word::Text(row.unit)),
        ],
    )
}

fn resource(scenario: &Scenario, row: &Row, options: Options) -> Resource {
    let resource = row.check.resource();
    Resource {
        resource: resource.to_owned(),
        label: resource_label(resource),
        subject: subject(scenario, row.check),
        unit: row.unit.to_owned(),
        supply: rounded(row.supply),
        reserved: rounded(row.reserved),
        usable: rounded(row.usable),
        per_unit: row.per_unit.map(rounded),
        used: rounded(row.used),
        utilization_percent: (row.utilization * 1000.0).round() / 10.0,
        limit_percent: rounded(row.limit * 100.0),
        fits: row.fits,
        arithmetic: if options.arithmetic { arithmetic::lines(scenario, row) } else { Vec::new() },
    }
}

fn volume(scenario: &Scenario, row: &outcome::VolumeRow) -> VolumeAnswer {
    let vm = &scenario.unit[row.item.member].vm;
    let volume = &vm.volumes[row.item.volume];
    let storage = scenario.storage.as_ref();
    let pool = storage.and_then(|s| s.pools.get(row.place.pool)).map_or("", |pool| pool.name.as_str());
    let lun = row.lun.and_then(|lun| storage.and_then(|s| s.luns.get(lun))).map_or(pool, |lun| lun.name.as_str());
    VolumeAnswer {
        vm: vm.name.clone(),
        volume: volume.name.clone(),
        role: volume.role.as_str().to_owned(),
        unit_number: row.item.unit + 1,
        vm_number: row.item.vm + 1,
        lun: lun.to_owned(),
        pool: pool.to_owned(),
        attach: row.place.attach.as_str().to_owned(),
        latency_ms: row.latency.worst_ms().map(rounded),
        read_latency_ms: row.latency.read_ms.map(rounded),
        write_latency_ms: row.latency.write_ms.map(rounded),
        max_latency_ms: volume.max_latency_ms,
    }
}

fn transaction(scenario: &Scenario, outcome: &Outcome, row: &outcome::TransactionRow) -> TransactionAnswer {
    let member = &scenario.unit[row.member];
    let per_s = row.response.map_or(0.0, |response| response.per_s);
    TransactionAnswer {
        vm: member.vm.name.clone(),
        per_s: rounded(per_s),
        total_per_s: rounded(per_s * f64::from(member.count) * f64::from(outcome.likely)),
        response_ms: row.response.map(|r| rounded(r.response_ms)),
        cpu_ms: row.response.map(|r| rounded(r.cpu_ms)),
        disk_ms: row.response.map(|r| rounded(r.disk_ms)),
        other_ms: row.response.map(|r| rounded(r.other_ms)),
        max_response_ms: member.vm.transactions.and_then(|t| t.max_response_ms),
    }
}

fn advice(advice: &outcome::Advice) -> Advice {
    let numbers: Vec<(&str, String)> = advice.numbers.iter().map(|(name, value)| (*name, number(*value))).collect();
    let labels: Vec<(&str, String)> = advice
        .texts
        .iter()
        .map(|(name, text)| (*name, if *name == "resource" { resource_label(text) } else { text.clone() }))
        .collect();
    let mut words = vec![("subject", Word::Text(&advice.subject))];
    words.extend(numbers.iter().chain(&labels).map(|(name, text)| (*name, Word::Text(text.as_str()))));
    Advice {
        code: advice.code.to_owned(),
        severity: advice.severity.as_str().to_owned(),
        subject: advice.subject.clone(),
        text: say(&format!("advice-{}", advice.code), &words),
        source: advice.source.to_owned(),
    }
}

fn sensitivities(scenario: &Scenario, outcome: &Outcome, with_indices: bool) -> Vec<Sensitivity> {
    let indices = if with_indices { sobol_indices(scenario, outcome.likely) } else { Vec::new() };
    let rows = outcome.sensitivity.iter().map(|row| {
        let of_input = indices.iter().find(|one| one.input == row.input);
        Sensitivity {
            first_order: of_input.map(|one| rounded(one.first_order)),
            total: of_input.map(|one| rounded(one.total)),
            ..sensitivity(scenario, row)
        }
    });
    rows.collect()
}

fn sensitivity(scenario: &Scenario, row: &outcome::SensitivityRow) -> Sensitivity {
    let vm = |member: usize| scenario.unit[member].vm.name.as_str();
    let pool = |index: usize| {
        let pool = scenario.storage.as_ref().and_then(|storage| storage.pools.get(index));
        pool.map_or("", |pool| pool.name.as_str())
    };
    let (key, of, unit) = match row.input {
        UncertainInput::Coefficient(name) => (format!("input-{}", name.as_str()), "", coefficient_unit(name.as_str())),
        UncertainInput::SmtGain => ("input-smt_gain".to_owned(), "", ""),
        UncertainInput::DiskIops(index) => ("input-disk_iops".to_owned(), pool(index), "IOPS"),
        UncertainInput::BackupWireRate => ("input-backup_wire".to_owned(), "", "MB/s per Gb/s"),
        UncertainInput::SequentialRate => ("input-sequential".to_owned(), "", "MB/s"),
        UncertainInput::CpuDemand(member) => ("input-cpu_demand".to_owned(), vm(member), "× the figure"),
    };
    Sensitivity {
        input: say(&key, &[("subject", Word::Text(of))]),
        low: rounded(row.range.low()),
        high: rounded(row.range.high()),
        unit: unit.to_owned(),
        low_fits: row.low_fits,
        high_fits: row.high_fits,
        low_unrounded: rounded(row.low_unrounded),
        high_unrounded: rounded(row.high_unrounded),
        first_order: None,
        total: None,
        source: arithmetic::source_text(&row.source),
    }
}

/// The unit of a coefficient by the ending of its name; losses are fractions.
pub fn coefficient_unit(name: &str) -> &'static str {
    match name {
        "cpu_fixed_cores_per_vcpu" => "cores a vCPU",
        name if name.ends_with("_mib") => "MiB",
        name if name.ends_with("_ms") => "ms",
        _ => "",
    }
}

fn not_checked(one: &crate::engine::checks::NotChecked) -> NotChecked {
    NotChecked {
        resource: one.resource.to_owned(),
        label: resource_label(one.resource),
        why: plain(&format!("why-{}", one.why)),
    }
}

fn overhead(scenario: &Scenario, outcome: &Outcome, options: Options) -> Overhead {
    let model = &scenario.overhead;
    let used =
        model.coefficients.iter().filter(|c| c.attach.is_none_or(|attach| outcome.attachments.contains(&attach)));
    let coefficients = used.map(|coefficient| Coefficient {
        name: coefficient.name.as_str().to_owned(),
        attach: coefficient.attach.map(|attach: Attach| attach.as_str().to_owned()),
        low: coefficient.range.low(),
        likely: coefficient.range.likely(),
        high: coefficient.range.high(),
        unit: coefficient_unit(coefficient.name.as_str()).to_owned(),
        source: coefficient.source.to_string(),
        derivation: coefficient.derivation.clone().filter(|_| options.arithmetic),
    });
    Overhead {
        id: model.id.clone(),
        name: model.name.clone(),
        about: model.about.clone(),
        coefficients: coefficients.collect(),
    }
}

fn curves_of(scenario: &Scenario, outcome: &Outcome) -> Curves {
    let made = curves::curves(scenario, outcome.likely);
    let label = |check: Check| {
        let subject = subject(scenario, check);
        capitalized(&format!("{}, {subject}", resource_label(check.resource())))
    };
    let drawn = |curve: &curves::Curve, scale: f64| Curve {
        label: label(curve.check),
        limit: Some(rounded(curve.limit * scale)),
        values: curve.values.iter().map(|value| value.map(|v| rounded(v * scale))).collect(),
    };
    Curves {
        utilization: made.utilization.iter().map(|curve| drawn(curve, 100.0)).collect(),
        latency: made.latency.iter().map(|curve| drawn(curve, 1.0)).collect(),
        units: made.units,
    }
}
