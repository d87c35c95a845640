//! The first page: the answer for those who read no further.

use serde::Serialize;
use serde_json::Value;

use super::super::Answer;
use super::super::charts::{Chart, Picture};
use super::super::words::{Word, number, plain, say};
use super::DocumentMeta;
use super::letters::{breakable, has_replaced};
use super::view::{ChartView, chart, short};

#[derive(Serialize)]
pub(super) struct PageOne {
    /// Names and values of the title block.
    facts: Vec<(String, String)>,
    headline: String,
    certainty: String,
    accuracy: String,
    reason: String,
    remedy: String,
    charts: Vec<ChartView>,
    /// Short remarks that lead to later pages.
    remarks: Vec<String>,
}

pub(super) fn page_one(
    answer: &Answer,
    input: &Value,
    meta: &DocumentMeta,
    created: Option<&str>,
    pictures: &[(Chart, Picture)],
) -> PageOne {
    let mut facts = vec![
        (plain("pdf-fact-host"), short(&host(input), 120)),
        (plain("pdf-fact-unit"), short(&answer.unit_name, 120)),
        (plain("pdf-fact-overhead"), short(&answer.overhead.name, 120)),
        (plain("pdf-fact-version"), short(&answer.model_version, 40)),
    ];
    facts.extend(created.map(|date| (plain("pdf-fact-date"), date.to_owned())));
    facts.retain(|(_, value)| !value.is_empty());
    for (_, value) in &mut facts {
        *value = breakable(value);
    }
    let text = |text: &str| breakable(&short(text, 600));
    PageOne {
        facts,
        headline: breakable(&short(&answer.headline, 300)),
        certainty: text(&answer.certainty),
        accuracy: text(&accuracy(answer, meta)),
        reason: text(&answer.binding.reason),
        remedy: text(&answer.binding.to_fit_one_more),
        charts: [Chart::Utilization, Chart::Chance].into_iter().filter_map(|one| chart(pictures, one)).collect(),
        remarks: remarks(answer, input),
    }
}

/// The model's error on what binds.
fn accuracy(answer: &Answer, meta: &DocumentMeta) -> String {
    let all = meta.accuracy.iter().flat_map(|accuracy| &accuracy.beside);
    let binds = all.into_iter().find(|(resource, _)| *resource == answer.binding.resource);
    binds.map_or_else(String::new, |(_, text)| text.clone())
}

/// "4 × HP DL580: 4 sockets × 4 cores, 32 GiB".
fn host(input: &Value) -> String {
    let figure = |name: &str| input.pointer(name).and_then(Value::as_f64);
    let text = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let count = figure("/host/count").unwrap_or(1.0);
    let hardware = say(
        "pdf-hardware",
        &[
            ("sockets", Word::Text(&text(figure("/host/sockets")))),
            ("cores", Word::Text(&text(figure("/host/cores_per_socket")))),
            ("memory", Word::Text(&text(figure("/host/memory_gib")))),
        ],
    );
    let model = input.pointer("/host/model").and_then(Value::as_str).unwrap_or_default();
    let named = if model.is_empty() { hardware } else { format!("{model}: {hardware}") };
    if count > 1.0 { format!("{} × {named}", number(count)) } else { named }
}

fn remarks(answer: &Answer, input: &Value) -> Vec<String> {
    let mut remarks = Vec::new();
    let serious = answer.advice.iter().filter(|advice| advice.severity != "info").count();
    if serious > 0 {
        let count = number(serious as f64);
        let words = [("n", Word::Count(serious as f64)), ("count", Word::Text(&count))];
        remarks.push(say("pdf-remark-advice", &words));
    }
    if !answer.not_checked.is_empty() {
        let list: Vec<String> = answer.not_checked.iter().map(|row| row.label.to_lowercase_first()).collect();
        remarks.push(say("pdf-remark-not-checked", &[("list", Word::Text(&short(&list.join(", "), 300)))]));
    }
    if has_replaced(input) {
        remarks.push(plain("pdf-remark-letters"));
    }
    remarks
}

/// "Disk latency" inside a sentence is "disk latency", but "CPU" stays.
trait LowercaseFirst {
    fn to_lowercase_first(&self) -> String;
}

impl LowercaseFirst for String {
    fn to_lowercase_first(&self) -> String {
        let mut letters = self.chars();
        match (letters.next(), letters.next()) {
            (Some(first), Some(second)) if second.is_lowercase() => {
                first.to_lowercase().chain(std::iter::once(second)).chain(letters).collect()
            }
            _ => self.clone(),
        }
    }
}
