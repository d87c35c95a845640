//! The arithmetic of a row as lines of text with their sources.

use crate::domain::scenario::Scenario;
use crate::engine::arithmetic::{Factor, Product, Source, Sum};
use crate::engine::outcome::Row;

use super::answer::{Figure, Line};
use super::words::{Word, number, plain, rounded, say};

/// What the hardware has, what may be planned with, what one unit needs, and what follows.
pub(super) fn lines(scenario: &Scenario, row: &Row) -> Vec<Line> {
    let mut lines = Vec::new();
    if !row.supply_terms.0.is_empty() {
        lines.push(line("line-supply", &row.supply_terms, row.supply, row.unit));
    }
    if let Some(target) = row.target {
        let share = format!("{} % ×", number(target * 100.0));
        let whole = match row.reserved > 0.0 {
            true => format!("({} − {})", number(row.supply), number(row.reserved)),
            false => number(row.supply),
        };
        let text = format!("{share} {whole} = {} {}", number(row.usable), row.unit);
        lines.push(Line { label: plain("line-usable"), text, figures: Vec::new() });
    }
    let Some(per_unit) = row.per_unit.filter(|need| *need > 0.0) else { return lines };
    if !row.per_unit_terms.0.is_empty() {
        lines.push(line("line-per-unit", &row.per_unit_terms, per_unit, row.unit));
    }
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
    let key = if hosts > 1 { "line-fits-hosts" } else { "line-fits-text" };
    lines.push(Line { label: plain("line-fits"), text: say(key, &words), figures: Vec::new() });
    lines
}

fn line(label: &str, sum: &Sum, total: f64, unit: &str) -> Line {
    let mut text = String::new();
    for (index, product) in sum.0.iter().enumerate() {
        if index > 0 {
            text.push_str(" + ");
        }
        product_text(product, &mut text);
    }
    let text = format!("{text} = {} {unit}", number(total));
    let figures = sum.0.iter().flat_map(|product| &product.0).map(figure).collect();
    Line { label: plain(label), text, figures }
}

fn product_text(product: &Product, text: &mut String) {
    for (index, factor) in product.0.iter().enumerate() {
        match (index, factor.divides) {
            (0, _) => {}
            (_, true) => text.push_str(" ÷ "),
            (_, false) => text.push_str(" × "),
        }
        text.push_str(&number(factor.value));
    }
}

fn figure(factor: &Factor) -> Figure {
    Figure {
        name: plain(&format!("factor-{}", factor.name)),
        value: rounded(factor.value),
        unit: factor.unit.to_owned(),
        source: source_text(&factor.source),
        kind: match factor.source {
            Source::Input => "input",
            Source::Rule(_) => "rule",
            Source::Model(_) => "model",
        }
        .to_owned(),
    }
}

pub(super) fn source_text(source: &Source) -> String {
    match source {
        Source::Input => plain("source-input"),
        Source::Rule("") => plain("source-definition"),
        Source::Rule(text) => (*text).to_owned(),
        Source::Model(text) => text.to_string(),
    }
}
