//! What to change for one unit more, in words.

use crate::domain::scenario::Scenario;
use crate::engine::outcome::{Change, Outcome, Remedy};

use super::answer;
use super::build::subject;
use super::words::{Word, capitalized, number, plain, rounded, say};

/// Every change that is needed, as numbers and words.
pub(super) fn list(scenario: &Scenario, outcome: &Outcome) -> Vec<answer::Remedy> {
    outcome.remedies.iter().map(|remedy| one(scenario, outcome, remedy)).collect()
}

/// The changes in one sentence: "Add 3 GiB of RAM and 2 cores, and 4 fit."
pub(super) fn sentence(outcome: &Outcome, remedies: &[answer::Remedy]) -> String {
    // Two limits can ask for the same thing, each for its own amount: the larger serves both.
    let mut texts: Vec<&answer::Remedy> = Vec::new();
    for remedy in remedies {
        let same = |other: &answer::Remedy| other.add_unit == remedy.add_unit && other.subject == remedy.subject;
        match texts.iter().position(|other| same(other)) {
            Some(index) if texts[index].add < remedy.add => texts[index] = remedy,
            Some(_) => {}
            None => texts.push(remedy),
        }
    }
    if texts.is_empty() {
        return String::new();
    }
    let joined: Vec<&str> = texts.iter().map(|remedy| remedy.text.as_str()).collect();
    let joined = capitalized(&joined.join(&plain("remedies-and")));
    // Only what was counted is promised.
    let certain = !outcome.remedies.iter().any(|r| matches!(r.change, Change::FasterDisks | Change::Response));
    let units = outcome.likely + 1;
    let words = [
        ("list", Word::Text(&joined)),
        ("n", Word::Count(f64::from(units))),
        ("count", Word::Text(&number(f64::from(units)))),
    ];
    say(if certain { "remedies-end" } else { "remedies-more" }, &words)
}

fn one(scenario: &Scenario, outcome: &Outcome, remedy: &Remedy) -> answer::Remedy {
    let each = scenario.host.count > 1;
    let (key, add, unit, extra) = match remedy.change {
        Change::Memory { gib } => (if each { "remedy-memory-each" } else { "remedy-memory" }, gib, "GiB", 0.0),
        Change::Cores { cores } => {
            (if each { "remedy-cores-each" } else { "remedy-cores" }, f64::from(cores), "cores", 0.0)
        }
        Change::VcpuRatio { ratio } => ("remedy-vcpu-ratio", ratio, "vCPUs a thread", 0.0),
        Change::Hosts { hosts } => ("remedy-hosts", f64::from(hosts), "hosts", 0.0),
        Change::Nics { count, gbps } => ("remedy-nics", f64::from(count), "adapters", gbps),
        Change::Disks { disks } => ("remedy-disks", f64::from(disks), "disks", 0.0),
        Change::Iops { iops } => ("remedy-iops", iops, "IOPS", 0.0),
        Change::Luns { luns, gib } => ("remedy-luns", f64::from(luns), "LUNs", gib),
        Change::LunSpace { gib } => ("remedy-lun-space", gib, "GiB", 0.0),
        Change::Controller => ("remedy-controller", 0.0, "", 0.0),
        Change::FasterDisks => ("remedy-faster-disks", 0.0, "", 0.0),
        Change::Response => ("remedy-response", 0.0, "", 0.0),
    };
    let subject = subject(scenario, remedy.check);
    let row = outcome.rows.iter().find(|row| row.check == remedy.check);
    let words = [
        ("amount", Word::Text(&number(add))),
        ("n", Word::Count(add)),
        ("gbps", Word::Text(&number(extra))),
        ("gib", Word::Text(&number(extra))),
        ("subject", Word::Text(&subject)),
        ("lacking", Word::Text(&number(remedy.lacking))),
    ];
    answer::Remedy {
        text: say(key, &words),
        resource: remedy.check.resource().to_owned(),
        lacking: rounded(remedy.lacking),
        unit: row.map_or("", |row| row.unit).to_owned(),
        add: rounded(add),
        add_unit: unit.to_owned(),
        subject,
    }
}
