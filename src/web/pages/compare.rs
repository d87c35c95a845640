//! `/compare`: two to four saved sizings side by side.

use std::collections::HashSet;

use askama::Template;
use askama_web::WebTemplate;
use axum::extract::{RawQuery, State};
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use uuid::Uuid;

use crate::report::answer::Resource;
use crate::report::words;
use crate::store::Sizing;
use crate::web::error::AppError;
use crate::web::form::fields::{Empty, Field, Kind, is_index};
use crate::web::form::tree;
use crate::web::state::AppState;

/// Sizings that fit side by side.
const MOST: usize = 4;

struct Head {
    id: Uuid,
    name: String,
}

/// A table of the comparison.
struct Part {
    title: &'static str,
    rows: Vec<Row>,
}

struct Row {
    label: String,
    cells: Vec<String>,
    differs: bool,
}

#[derive(Template, WebTemplate)]
#[template(path = "compare.html")]
struct ComparePage {
    here: &'static str,
    heads: Vec<Head>,
    parts: Vec<Part>,
}

/// `GET /compare?id=…&id=…`.
pub async fn show(State(state): State<AppState>, RawQuery(query): RawQuery) -> Result<Response, AppError> {
    let query = query.unwrap_or_default();
    let ids: Vec<_> =
        form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == "id").map(|(_, id)| id).collect();
    if !(2..=MOST).contains(&ids.len()) {
        return Err(AppError::parameter("id", "Select two to four sizings in the list to compare them."));
    }
    let mut sizings = Vec::new();
    for id in ids {
        let id = id.parse().map_err(|_| AppError::parameter("id", "This is no id of a sizing."))?;
        sizings.push(state.store.sizing(id).await?);
    }
    let page = ComparePage {
        here: "/sizings",
        parts: vec![
            Part { title: "Answer", rows: answers(&sizings) },
            Part { title: "Resources", rows: resources(&sizings) },
            Part { title: "Input", rows: inputs(&sizings) },
        ],
        heads: sizings.into_iter().map(|sizing| Head { id: sizing.id, name: sizing.name }).collect(),
    };
    Ok(page.into_response())
}

fn row(label: impl Into<String>, cells: Vec<String>) -> Row {
    let differs = cells.windows(2).any(|pair| pair[0] != pair[1]);
    Row { label: label.into(), cells, differs }
}

fn answers(sizings: &[Sizing]) -> Vec<Row> {
    let of = |label: &str, cell: fn(&Sizing) -> String| row(label, sizings.iter().map(cell).collect());
    vec![
        of("Answer", |s| s.answer.headline.clone()),
        of("Certainty", |s| s.answer.certainty.clone()),
        of("What stops one more", |s| s.answer.binding.reason.clone()),
        of("For one more", |s| s.answer.binding.to_fit_one_more.clone()),
        of("Model version", |s| s.model_version.clone()),
    ]
}

fn resources(sizings: &[Sizing]) -> Vec<Row> {
    let mut keys: Vec<(&str, &str, &str)> = Vec::new();
    for resource in sizings.iter().flat_map(|sizing| &sizing.answer.resources) {
        if !keys.iter().any(|(code, _, subject)| *code == resource.resource && *subject == resource.subject) {
            keys.push((&resource.resource, &resource.label, &resource.subject));
        }
    }
    let text = |resource: &Resource| {
        format!("fits {}, {} % used", resource.fits_text(), words::number(resource.utilization_percent.round()))
    };
    let line = |(code, label, subject): (&str, &str, &str)| {
        let of = |sizing: &Sizing| {
            let found = sizing.answer.resources.iter().find(|r| r.resource == code && r.subject == subject);
            found.map_or_else(|| "–".to_owned(), text)
        };
        let label = if label == subject { label.to_owned() } else { format!("{label}, {subject}") };
        row(label, sizings.iter().map(of).collect())
    };
    keys.into_iter().map(line).collect()
}

/// Every field that one of them has, in the order of the form.
fn inputs(sizings: &[Sizing]) -> Vec<Row> {
    let forms: Vec<Value> = sizings.iter().map(|sizing| tree::from_json(&sizing.scenario)).collect();
    let mut places: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for form in &forms {
        for (place, _) in tree::pairs(form) {
            if place != "name" && seen.insert(place.clone()) {
                places.push(place);
            }
        }
    }
    let line = |place: String| {
        let field = Field::at(&place);
        let shown = |form: &Value| {
            let text = match (tree::text(form, &place), field.map(|field| field.empty)) {
                ("", Some(Empty::Default(value))) if has_row(form, &place) => value,
                (text, _) => text,
            };
            let choice = match field.map(|field| field.kind) {
                Some(Kind::Choice(choices)) => choices().into_iter().find(|choice| choice.code == text),
                _ => None,
            };
            choice.map_or_else(|| text.to_owned(), |choice| choice.words.to_owned())
        };
        let cells: Vec<String> = forms.iter().map(shown).collect();
        let unit = field.map_or("", |field| field.unit());
        let label = words::field_label(&format!("/{}", place.replace('.', "/")));
        row(if unit.is_empty() { label } else { format!("{label}, {unit}") }, cells)
    };
    places.into_iter().map(line).collect()
}

/// Whether the row that a place is in is there at all; what belongs to no row always is.
fn has_row(form: &Value, place: &str) -> bool {
    let parts: Vec<&str> = place.split('.').collect();
    let row = parts.iter().rposition(|part| is_index(part));
    row.is_none_or(|last| tree::get(form, &parts[..=last].join(".")).is_some())
}
