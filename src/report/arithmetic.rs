//! The arithmetic of a row as lines of text with their sources.

use crate::domain::scenario::Scenario;
use crate::engine::arithmetic::{Factor, Makes, Product, Source, Statement};
use crate::engine::fit::{MOST_UNITS, whole_units};
use crate::engine::outcome::Row;

use super::answer::{Figure, Line};
use super::words::{Word, number, plain, rounded, say};

/// What the hardware has, what is reserved, what may be planned with, what one unit needs, and what follows.
pub(super) fn lines(scenario: &Scenario, row: &Row) -> Vec<Line> {
    let (of_supply, rest): (Vec<&Statement>, Vec<&Statement>) =
        row.arithmetic.iter().partition(|one| matches!(one.makes, Makes::Supply | Makes::Reserved));
    let mut lines: Vec<Line> = of_supply.into_iter().map(line).collect();
    lines.extend(usable(row));
    lines.extend(rest.into_iter().map(line));
    lines.extend(what_follows(scenario, row));
    lines
}

fn usable(row: &Row) -> Option<Line> {
    let share = format!("{} % ×", number(row.target? * 100.0));
    let whole = match row.reserved > 0.0 {
        true => format!("({} − {})", number(row.supply), number(row.reserved)),
        false => number(row.supply),
    };
    let text = format!("{share} {whole} = {} {}", number(row.usable), row.unit);
    Some(Line { label: plain("line-usable"), text, figures: Vec::new() })
}

fn what_follows(scenario: &Scenario, row: &Row) -> Option<Line> {
    let per_unit = row.per_unit.filter(|need| *need > 0.0)?;
    let ratio = row.usable / per_unit;
    let hosts = if row.check.is_of_host() { scenario.active_hosts() } else { 1 };
    let (usable, need, ratio, count) =
        (number(row.usable), number(per_unit), number(ratio), number(f64::from(row.fits)));
    let (each, hosts_text) = (number(f64::from(row.fits / hosts)), number(f64::from(hosts)));
    let words = [
        ("usable", Word::Text(&usable)),
        ("per_unit", Word::Text(&need)),
        ("ratio", Word::Text(&ratio)),
        ("n", Word::Count(f64::from(row.fits))),
        ("count", Word::Text(&count)),
        ("each", Word::Text(&each)),
        ("hosts", Word::Text(&hosts_text)),
    ];
    let whole = whole_units(row.usable / per_unit).saturating_mul(hosts);
    let key = if row.fits >= MOST_UNITS {
        "line-fits-most"
    } else if row.fits != whole {
        // Volumes are laid one by one, and a pool's supply changes with what lies on it: the quotient is not all.
        "line-fits-found"
    } else if hosts > 1 {
        "line-fits-hosts"
    } else {
        "line-fits-text"
    };
    Some(Line { label: plain("line-fits"), text: say(key, &words), figures: Vec::new() })
}

fn line(made: &Statement) -> Line {
    let mut text = String::new();
    for (index, product) in made.sum.0.iter().enumerate() {
        if index > 0 {
            text.push_str(" + ");
        }
        product_text(product, &mut text);
    }
    let figures = made.sum.0.iter().flat_map(|product| &product.0).map(figure).collect();
    let total = number(made.total);
    let unit = if made.total == 1.0 { one(made.unit) } else { made.unit };
    // A figure that is its own sum is said once.
    let text = if text == total { total } else { format!("{text} = {total}") };
    let text = format!("{text} {unit}");
    Line { label: label(&made.makes), text: format!("{}{}", text.trim_end(), when(&made.makes)), figures }
}

/// The unit of one.
fn one(unit: &'static str) -> &'static str {
    match unit {
        "cores" | "vCPUs" | "VMs" | "LUNs" => unit.trim_end_matches('s'),
        _ => unit,
    }
}

fn label(makes: &Makes) -> String {
    plain(match makes {
        Makes::Supply => "line-supply",
        Makes::Reserved => "line-reserved",
        Makes::PerUnit => "line-per-unit",
        Makes::DiskBusy { .. } => "line-disk-busy",
        Makes::Latency { writes: false, .. } => "line-read",
        Makes::Latency { writes: true, .. } => "line-write",
        Makes::Response { .. } => "line-response",
    })
}

/// Of what, and with how many units on the hosts, where a figure depends on them.
fn when(makes: &Makes) -> String {
    let (units, volume) = match makes {
        Makes::Supply | Makes::Reserved | Makes::PerUnit => return String::new(),
        Makes::DiskBusy { units } | Makes::Response { units } => (*units, None),
        Makes::Latency { units, volume, .. } => (*units, Some(volume.as_str())),
    };
    let count = number(f64::from(units));
    let words = [
        ("n", Word::Count(f64::from(units))),
        ("count", Word::Text(&count)),
        ("volume", Word::Text(volume.unwrap_or_default())),
    ];
    say(if volume.is_some() { "line-at-of" } else { "line-at" }, &words)
}

fn product_text(product: &Product, text: &mut String) {
    for (index, factor) in product.0.iter().enumerate() {
        match (index, factor.divides) {
            (0, _) => {}
            (_, true) => text.push_str(" ÷ "),
            (_, false) => text.push_str(" × "),
        }
        text.push_str(&number(factor.value));
        if factor.power != 1.0 {
            text.push('^');
            text.push_str(&number(factor.power));
        }
    }
}

fn figure(factor: &Factor) -> Figure {
    Figure {
        name: plain(&format!("factor-{}", factor.name)),
        value: rounded(factor.value),
        power: Some(factor.power).filter(|power| *power != 1.0),
        unit: factor.unit.to_owned(),
        source: source_text(&factor.source),
        kind: match factor.source {
            Source::Input | Source::Policy => "input",
            Source::Rule(_) => "rule",
            Source::Law(_) => "law",
            Source::Model(_) => "model",
            Source::Result => "result",
        }
        .to_owned(),
    }
}

pub(super) fn source_text(source: &Source) -> String {
    match source {
        Source::Input => plain("source-input"),
        Source::Policy => plain("source-policy"),
        Source::Result => plain("source-result"),
        Source::Rule("") => plain("source-definition"),
        Source::Rule(text) | Source::Law(text) => (*text).to_owned(),
        Source::Model(text) => text.to_string(),
    }
}
