//! `/calibrations`: native and guest results to an overhead model, with what it rests on.

use askama::Template;
use askama_web::WebTemplate;
use axum::extract::{RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::Value;
use uuid::Uuid;

use super::view::answer::coefficient_name;
use super::view::upload::{Asked, PlainField, plain_fields};
use crate::domain::ModelCatalog;
use crate::domain::choice::Attach;
use crate::domain::overhead::CoefficientInput;
use crate::engine::calibration::Compared;
use crate::engine::calibration::loads::Residual;
use crate::import::calibrate::Calibrated;
use crate::import::{self, Imported, Options, published};
use crate::report::charts::{self, Load, Loss};
use crate::report::coefficient_unit;
use crate::report::tables::choice;
use crate::report::words::number;
use crate::web::api::calibrations::Asked as Wanted;
use crate::web::error::AppError;
use crate::web::extract::{Upload, parameters};
use crate::web::form::{link, presets, tree};
use crate::web::state::AppState;

const FIELDS: [Asked; 4] = [
    field("vcpus", "vCPUs of the guest", "from the files", "its fixed cost is told for each"),
    field("processors", "Logical processors", "from the files", "what CPU % is of"),
    field("id", "Id of the model", "calibrated", "lower-case letters, digits, points, dashes"),
    field("name", "Name of the model", "Calibrated", "for people"),
];
const fn field(name: &'static str, label: &'static str, default: &'static str, help: &'static str) -> Asked {
    Asked { name, label, unit: "", default, help }
}
/// Scenario that a new model is tried on.
const TRIED_ON: &str = "example-dl580";

#[derive(Template, WebTemplate)]
#[template(path = "calibrations.html")]
struct Page {
    here: &'static str,
    fields: Vec<PlainField>,
    attach: Vec<(&'static str, String, bool)>,
    bases: Vec<(String, String, bool)>,
    problem: String,
    found: Option<Found>,
}

/// A model and what it rests on.
struct Found {
    title: String,
    about: String,
    warnings: Vec<String>,
    /// Name, way of attaching, unit, low, likely, high, how it was derived.
    coefficients: Vec<[String; 7]>,
    losses: Option<String>,
    /// What was compared: name, runs of both sides, those far from their repeats.
    compared: Vec<[String; 3]>,
    residuals: Vec<String>,
    json: String,
    /// The example with this model.
    link: String,
}

/// `GET /calibrations`, with `native` and `guest` the ids of kept benchmarks: of these.
pub async fn show(State(state): State<AppState>, RawQuery(query): RawQuery) -> Result<Response, AppError> {
    let query = query.unwrap_or_default();
    let ids = |side: &str| -> Vec<Uuid> {
        let values = form_urlencoded::parse(query.as_bytes()).filter(|(key, _)| key == side);
        values.filter_map(|(_, id)| Uuid::try_parse(&id).ok()).take(MOST_KEPT).collect()
    };
    let (native, guest) = (kept(&state, ids("native")).await?, kept(&state, ids("guest")).await?);
    if native.is_empty() || guest.is_empty() {
        return Ok(page(&state.models(), &Upload::default(), None, None).into_response());
    }
    answer(&state, Upload::default(), Wanted::default(), native, guest).await
}

/// Kept results of a side that are compared at most.
const MOST_KEPT: usize = 20;

async fn kept(state: &AppState, ids: Vec<Uuid>) -> Result<Vec<(String, Vec<u8>)>, AppError> {
    let mut found = Vec::new();
    for id in ids {
        let kept = state.store.benchmark(id).await?;
        found.push((
            format!("{} {id}", kept.result.mode),
            serde_json::to_vec(&kept.result).map_err(AppError::internal)?,
        ));
    }
    Ok(found)
}

/// `POST /calibrations`: the model of the files.
pub async fn upload(State(state): State<AppState>, upload: Upload) -> Result<Response, AppError> {
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(&upload.fields).finish();
    let asked = match parameters::<Wanted>(&query) {
        Ok(asked) => asked,
        Err(error) => return Ok(refused(&state, &upload, &error)),
    };
    let of = |side: &str| -> Vec<(String, Vec<u8>)> {
        let files = upload.files.iter().filter(|file| file.field == side && !file.bytes.is_empty());
        files.map(|file| (file.name.clone(), file.bytes.to_vec())).collect()
    };
    let (native, guest) = (of("native"), of("guest"));
    if native.is_empty() || guest.is_empty() {
        let side = if native.is_empty() { "the native machine" } else { "the guest" };
        let error = AppError::unreadable(format!("Choose at least one result of {side}."));
        return Ok(refused(&state, &upload, &error));
    }
    answer(&state, upload, asked, native, guest).await
}

async fn answer(
    state: &AppState,
    upload: Upload,
    asked: Wanted,
    native: Vec<(String, Vec<u8>)>,
    guest: Vec<(String, Vec<u8>)>,
) -> Result<Response, AppError> {
    let models = state.models();
    let work = move || {
        let (native, guest) = (read(native)?, read(guest)?);
        asked.calibrate(&models, &native, &guest).map(|found| Found::from(&found))
    };
    Ok(match state.on_a_cpu(work).await? {
        Ok(found) => page(&state.models(), &upload, None, Some(found)).into_response(),
        Err(error) => refused(state, &upload, &error),
    })
}

/// All files, or what is wrong with each that cannot be read.
fn read(files: Vec<(String, Vec<u8>)>) -> Result<Vec<Imported>, AppError> {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        match import::import("auto", bytes.as_slice(), &Options::default()) {
            Ok(imported) => found.push(imported),
            Err(error) => wrong.push(format!("{name}: {error}.")),
        }
    }
    if wrong.is_empty() { Ok(found) } else { Err(AppError::unreadable(wrong.join(" "))) }
}

fn refused(state: &AppState, upload: &Upload, error: &AppError) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, page(&state.models(), upload, Some(error), None)).into_response()
}

fn page(models: &ModelCatalog, upload: &Upload, error: Option<&AppError>, found: Option<Found>) -> Page {
    let (fields, problem) = plain_fields(&FIELDS, upload, error);
    let chosen = |name: &str, value: &str| upload.field(name) == Some(value);
    let way = |attach: &Attach| (attach.as_str(), choice(attach.as_str()), chosen("attach", attach.as_str()));
    Page {
        here: "/models",
        attach: Attach::ALL.iter().map(way).collect(),
        bases: models.iter().map(|model| (model.id.clone(), model.name.clone(), chosen("base", &model.id))).collect(),
        problem,
        fields,
        found,
    }
}

impl From<&Calibrated> for Found {
    fn from(found: &Calibrated) -> Self {
        let model = &found.model;
        let figure = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
        let coefficient = |one: &CoefficientInput| {
            let name = one.name.map_or("", |name| name.as_str());
            let unit = match coefficient_unit(name) {
                "" => "fraction",
                unit => unit,
            };
            let attach = one.attach.map_or_else(|| "any".to_owned(), |attach| choice(attach.as_str()));
            let how = one.derivation.clone().or_else(|| one.source.clone()).unwrap_or_default();
            let (low, likely, high) = (figure(one.low), figure(one.likely), figure(one.high));
            [coefficient_name(name), attach, unit.to_owned(), low, likely, high, how]
        };
        let compared =
            || found.fits.iter().flat_map(|fit| fit.calibration.compared.iter().map(move |one| (fit.attach, one)));
        // The way of attaching tells comparisons apart where there are several.
        let several = found.fits.len() > 1;
        let label = |attach: Option<Attach>, one: &Compared| {
            let way = attach.filter(|_| several).map(|attach| choice(attach.as_str()));
            let own = one.label.clone().filter(|label| !label.is_empty());
            let parts: Vec<String> = own.into_iter().chain(way).collect();
            if parts.is_empty() { one.mode.clone() } else { format!("{}: {}", one.mode, parts.join(", ")) }
        };
        let own = compared().map(|(attach, one)| Loss {
            label: label(attach, one),
            likely: one.loss.likely * 100.0,
            range: Some((one.loss.low * 100.0, one.loss.high * 100.0)),
        });
        let known = published::losses().iter().filter(|known| compared().any(|(_, one)| one.mode == known.mode));
        let known = known.map(|known| Loss {
            label: format!("{}, {}", known.mode, known.of),
            likely: known.loss * 100.0,
            range: None,
        });
        let row = |(attach, one): (Option<Attach>, &Compared)| {
            let far: Vec<String> = [("native", &one.native_outliers), ("guest", &one.guest_outliers)]
                .into_iter()
                .flat_map(|(side, places)| places.iter().map(move |place| format!("{side} run {}", place + 1)))
                .collect();
            let far = if far.is_empty() { "none".to_owned() } else { far.join(", ") };
            [label(attach, one), format!("{} native, {} guest", one.repeats.native, one.repeats.guest), far]
        };
        let loads = found.fits.iter().filter_map(|fit| fit.calibration.loads.as_ref());
        let residuals = loads.filter_map(|fit| {
            let load = |one: &Residual| Load {
                label: one.name.clone(),
                native: one.native_busy,
                residual: one.residual,
                outlier: one.outlier,
            };
            charts::residuals(&fit.residuals.iter().map(load).collect::<Vec<_>>())
        });
        let json = serde_json::to_value(model).unwrap_or_default();
        Self {
            title: model.name.clone().unwrap_or_default(),
            about: model.about.clone().unwrap_or_default(),
            warnings: found.warnings.clone(),
            coefficients: model.coefficients.iter().flatten().map(coefficient).collect(),
            losses: charts::losses(&own.chain(known).collect::<Vec<_>>()),
            compared: compared().map(row).collect(),
            residuals: residuals.collect(),
            link: tried(&json),
            json: serde_json::to_string_pretty(&json).unwrap_or_default(),
        }
    }
}

/// The address of the example with this model.
fn tried(model: &Value) -> String {
    let mut scenario = presets::scenario(TRIED_ON).unwrap_or_default();
    if let Some(scenario) = scenario.as_object_mut() {
        scenario.insert("overhead".to_owned(), model.clone());
    }
    format!("/?s={}", link::encode(&tree::from_json(&scenario)))
}
