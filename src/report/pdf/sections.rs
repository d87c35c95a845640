//! The pages behind the first: inputs, results, what they rest on.

use serde_json::Value;

use super::super::Answer;
use super::super::answer::{Figure, Resource};
use super::super::charts::{Chart, Picture};
use super::super::tables::{self, Table};
use super::super::words::{Word, number, plain, say};
use super::letters::breakable;
use super::view::{Block, Items, KEPT_LETTERS, Section, chart, subtitle, table};
use super::{Accuracy, DocumentMeta};

/// Sources by their number in the list at the end.
#[derive(Default)]
struct Sources(Vec<String>);

impl Sources {
    /// `[3]`; nothing for what was given or is a definition.
    fn mark(&mut self, source: &str) -> String {
        if source.is_empty()
            || ["source-input", "source-definition", "source-policy", "source-result"]
                .iter()
                .any(|key| source == plain(key))
        {
            return String::new();
        }
        let position = self.0.iter().position(|known| known == source).unwrap_or_else(|| {
            self.0.push(source.to_owned());
            self.0.len() - 1
        });
        format!("[{}]", position + 1)
    }
}

/// Sections that begin on a new page.
const FRESH: [&str; 4] =
    ["pdf-section-inputs", "pdf-section-results", "pdf-section-arithmetic", "pdf-section-assumptions"];

pub(super) fn sections(
    answer: &Answer,
    input: &Value,
    meta: &DocumentMeta,
    pictures: &[(Chart, Picture)],
) -> Vec<Section> {
    let mut sources = Sources::default();
    let mut sections = vec![
        section("pdf-section-inputs", inputs(input)),
        section("pdf-section-results", results(answer)),
        section("pdf-section-latency", latency(answer)),
        section("pdf-section-biztalk", biztalk(answer, &mut sources)),
        section("pdf-section-one-more", one_more(answer)),
        section("pdf-section-range", range(answer, pictures)),
        section("pdf-section-advice", advice(answer, &mut sources)),
        section("pdf-section-arithmetic", arithmetic(answer, &mut sources)),
        section("pdf-section-assumptions", assumptions(answer, &mut sources)),
        section("pdf-section-not-checked", not_checked(answer)),
        section("pdf-section-accuracy", meta.accuracy.as_ref().map(accuracy).unwrap_or_default()),
    ];
    let items = sources.0.iter().enumerate().map(|(index, text)| (format!("[{}]", index + 1), breakable(text)));
    let items: Vec<(String, String)> = items.collect();
    sections.push(section(
        "pdf-section-sources",
        if items.is_empty() { Vec::new() } else { vec![Block::Items { style: Items::Numbered, items }] },
    ));
    sections.retain(|section| !section.blocks.is_empty());
    sections
}

fn section(title: &str, blocks: Vec<Block>) -> Section {
    let fresh = FRESH.contains(&title);
    Section { title: plain(title), fresh, blocks }
}

fn text(key: &str) -> Block {
    Block::Text { text: plain(key) }
}

fn note(text: impl AsRef<str>) -> Block {
    Block::Note { text: breakable(text.as_ref()) }
}

fn rows(made: &Table) -> Option<Block> {
    (!made.rows.is_empty()).then(|| Block::Table(table(made)))
}

fn inputs(input: &Value) -> Vec<Block> {
    let tables = tables::inputs(input);
    // Host and policy are lists of pairs: side by side they save half a page.
    let pairs: Vec<_> = tables.iter().filter(|t| t.properties).map(table).collect();
    let mut blocks = vec![text("pdf-inputs-about")];
    if !pairs.is_empty() {
        blocks.push(Block::Pair { tables: pairs });
    }
    blocks.extend(tables.iter().filter(|t| !t.properties).filter_map(rows));
    if tables.is_empty() { Vec::new() } else { blocks }
}

fn results(answer: &Answer) -> Vec<Block> {
    let Some(table) = rows(&tables::resources(answer)) else { return Vec::new() };
    vec![text("pdf-results-about"), table]
}

fn latency(answer: &Answer) -> Vec<Block> {
    let mut blocks = Vec::new();
    blocks.extend(rows(&tables::volumes(answer)));
    if let Some(transactions) = rows(&tables::transactions(answer)) {
        blocks.push(subtitle(&plain("pdf-transactions")));
        blocks.push(transactions);
    }
    if !blocks.is_empty() {
        blocks.insert(0, text("pdf-latency-about"));
    }
    blocks
}

fn one_more(answer: &Answer) -> Vec<Block> {
    let Some(table) = rows(&tables::remedies(answer)) else { return Vec::new() };
    vec![
        Block::Text { text: breakable(&format!("{} {}", answer.binding.reason, answer.binding.to_fit_one_more)) },
        table,
    ]
}

/// How the answer moves: with the number of units, and with what is uncertain.
fn range(answer: &Answer, pictures: &[(Chart, Picture)]) -> Vec<Block> {
    let mut blocks = Vec::new();
    for one in [Chart::CurvesUtilization, Chart::CurvesLatency, Chart::Tornado] {
        blocks.extend(chart(pictures, one).map(Block::Chart));
    }
    let mut moving = answer.clone();
    moving.sensitivity.retain(|row| row.low_unrounded != row.high_unrounded || row.low_fits != row.high_fits);
    if let Some(table) = rows(&tables::sensitivity(&moving)) {
        let still = answer.sensitivity.len() - moving.sensitivity.len();
        blocks.push(subtitle(&plain("pdf-sensitivity")));
        blocks.push(table);
        if still > 0 {
            let words = [("n", Word::Count(still as f64)), ("count", Word::Text(&number(still as f64)))];
            blocks.push(note(say("pdf-sensitivity-still", &words)));
        }
    }
    blocks
}

fn advice(answer: &Answer, sources: &mut Sources) -> Vec<Block> {
    rows(&tables::advice(answer, |source| sources.mark(source))).into_iter().collect()
}

fn arithmetic(answer: &Answer, sources: &mut Sources) -> Vec<Block> {
    let mut blocks = Vec::new();
    for resource in answer.resources.iter().filter(|resource| !resource.arithmetic.is_empty()) {
        let lines: Vec<(String, String)> =
            resource.arithmetic.iter().map(|line| (line.label.clone(), breakable(&line.text))).collect();
        let figures = figures(resource, sources);
        let letters = figures.len() + lines.iter().map(|(_, text)| text.len()).sum::<usize>();
        let mut group = vec![subtitle(&name(resource)), Block::Items { style: Items::Lines, items: lines }];
        if !figures.is_empty() {
            group.push(note(say("pdf-figures", &[("list", Word::Text(&figures))])));
        }
        match letters > KEPT_LETTERS {
            true => blocks.extend(group),
            false => blocks.push(Block::Together { blocks: group }),
        }
    }
    if !blocks.is_empty() {
        blocks.insert(0, text("pdf-arithmetic-about"));
    }
    blocks
}

/// "IOPS, san"; what is called like its subject is named once.
fn name(resource: &Resource) -> String {
    match resource.label == resource.subject {
        true => resource.label.clone(),
        false => format!("{}, {}", resource.label, resource.subject),
    }
}

/// The figures behind the lines, each once: `memory of the VM 8,192 MiB, given; cost of the first GiB 32 MiB [1]`.
fn figures(resource: &Resource, sources: &mut Sources) -> String {
    let mut texts: Vec<String> = Vec::new();
    for figure in resource.arithmetic.iter().flat_map(|line| &line.figures) {
        let text = figure_text(figure, sources);
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join("; ")
}

fn figure_text(figure: &Figure, sources: &mut Sources) -> String {
    let mut text = format!("{} {}", figure.name, number(figure.value));
    if !figure.unit.is_empty() {
        text.push(' ');
        text.push_str(&figure.unit);
    }
    let mark = sources.mark(&figure.source);
    if mark.is_empty() {
        text.push_str(", ");
        text.push_str(&figure.source);
    } else {
        text.push(' ');
        text.push_str(&mark);
    }
    text.trim_end_matches(", ").to_owned()
}

fn assumptions(answer: &Answer, sources: &mut Sources) -> Vec<Block> {
    let overhead = &answer.overhead;
    let mut blocks = vec![
        Block::Text { text: breakable(&say("pdf-model", &[("name", Word::Text(&overhead.name))])) },
        note(&overhead.about),
    ];
    blocks.extend(rows(&tables::coefficients(answer, |source| sources.mark(source))));

    // One derivation often serves several coefficients.
    let mut derivations: Vec<(Vec<String>, &str)> = Vec::new();
    for coefficient in &overhead.coefficients {
        let Some(derivation) = coefficient.derivation.as_deref() else { continue };
        let mut name = tables::coefficient_name(&coefficient.name);
        if let Some(attach) = &coefficient.attach {
            name = format!("{name}, {}", tables::choice(attach));
        }
        match derivations.iter_mut().find(|(_, known)| *known == derivation) {
            Some((names, _)) => names.push(name),
            None => derivations.push((vec![name], derivation)),
        }
    }
    if !derivations.is_empty() {
        blocks.push(subtitle(&plain("pdf-derivations")));
        let items = derivations.into_iter().map(|(names, text)| (breakable(&names.join("; ")), breakable(text)));
        blocks.push(Block::Items { style: Items::RunIn, items: items.collect() });
    }
    blocks
}

fn biztalk(answer: &Answer, sources: &mut Sources) -> Vec<Block> {
    let Some(group) = &answer.biztalk else { return Vec::new() };
    let mut lines: Vec<&str> = group.rates.iter().map(|rate| rate.text.as_str()).collect();
    lines.extend(group.wanted.as_ref().map(|wanted| wanted.text.as_str()));
    let mut blocks: Vec<Block> = lines.into_iter().map(|line| Block::Text { text: breakable(line) }).collect();
    blocks.push(note(format!("{} {}", group.about, sources.mark(&group.source))));
    blocks
}

fn not_checked(answer: &Answer) -> Vec<Block> {
    let Some(table) = rows(&tables::not_checked(answer)) else { return Vec::new() };
    vec![text("pdf-not-checked-about"), table]
}

fn accuracy(accuracy: &Accuracy) -> Vec<Block> {
    vec![Block::Text { text: breakable(&accuracy.about) }, Block::Table(table(&tables::accuracy(accuracy)))]
}
