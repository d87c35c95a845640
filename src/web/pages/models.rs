//! `/models`: every overhead model with its figures and their sources.

use askama::Template;
use askama_web::WebTemplate;
use axum::extract::State;
use axum::response::Redirect;

use super::view::answer::coefficient_name;
use crate::domain::overhead::{Limits, OverheadModel};
use crate::domain::rules;
use crate::report::coefficient_unit;
use crate::report::tables::choice;
use crate::report::words::{number, plain};
use crate::web::error::AppError;
use crate::web::extract::Form;
use crate::web::state::AppState;

struct Model {
    id: String,
    name: String,
    about: String,
    built_in: bool,
    coefficients: Vec<Coefficient>,
    limits: String,
    limits_source: String,
}

struct Coefficient {
    name: String,
    /// The way of attaching that it holds for; empty for a rule.
    attach: String,
    unit: &'static str,
    low: String,
    likely: String,
    high: String,
    source: String,
    derivation: String,
}

#[derive(Template, WebTemplate)]
#[template(path = "models.html")]
pub struct ModelsPage {
    here: &'static str,
    models: Vec<Model>,
    rules: Vec<Coefficient>,
}

/// `GET /models`.
pub async fn list(State(state): State<AppState>) -> ModelsPage {
    let catalog = state.models();
    let models = catalog.iter().map(|model| view(model, catalog.is_built_in(&model.id))).collect();
    let rules = rules::LISTED.iter().map(|(name, unit, rule)| Coefficient {
        name: plain(name),
        attach: String::new(),
        unit,
        low: number(rule.range.low()),
        likely: number(rule.range.likely()),
        high: number(rule.range.high()),
        source: rule.source.to_owned(),
        derivation: String::new(),
    });
    ModelsPage { here: "/models", models, rules: rules.collect() }
}

fn view(model: &OverheadModel, built_in: bool) -> Model {
    let coefficient = |c: &crate::domain::overhead::Coefficient| Coefficient {
        name: coefficient_name(c.name.as_str()),
        attach: c.attach.map_or_else(|| "any".to_owned(), |attach| choice(attach.as_str())),
        unit: match coefficient_unit(c.name.as_str()) {
            "" => "fraction",
            unit => unit,
        },
        low: number(c.range.low()),
        likely: number(c.range.likely()),
        high: number(c.range.high()),
        source: c.source.to_string(),
        derivation: c.derivation.clone().unwrap_or_default(),
    };
    Model {
        id: model.id.clone(),
        name: model.name.clone(),
        about: model.about.clone(),
        built_in,
        coefficients: model.coefficients.iter().map(coefficient).collect(),
        limits: limits(&model.limits),
        limits_source: model.limits.source.clone().unwrap_or_default(),
    }
}

fn limits(limits: &Limits) -> String {
    let mut parts = Vec::new();
    let mut add = |value: Option<f64>, what: &str| {
        if let Some(value) = value {
            parts.push(format!("{} {what}", number(value)));
        }
    };
    add(limits.max_vcpus_per_vm.map(f64::from), "vCPUs a VM");
    add(limits.max_memory_gib_per_vm, "GiB a VM");
    add(limits.max_vms_per_host.map(f64::from), "VMs a host");
    add(limits.max_vcpus_per_thread, "vCPUs a logical processor");
    parts.join(", ")
}

/// `POST /models`: keeps a model that a calibration made.
pub async fn keep(State(state): State<AppState>, Form(body): Form) -> Result<Redirect, AppError> {
    let model = form_urlencoded::parse(&body).find(|(name, _)| name == "model").map(|(_, value)| value.into_owned());
    let model = state.add_model(model.unwrap_or_default().as_bytes()).await?;
    Ok(Redirect::to(&format!("/models#{}", model.id)))
}
