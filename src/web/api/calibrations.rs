//! `/api/v1/calibrations`: native and guest runs to an overhead model, as `vmfit calibrate` makes it.

use axum::extract::{DefaultBodyLimit, State};
use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::domain::ModelCatalog;
use crate::domain::choice::Attach;
use crate::import::calibrate::{self, Calibrated, Given};
use crate::import::{self, Imported, Options};
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, JsonBytes, parse};
use crate::web::state::AppState;

/// Largest request: results of a suite with their series.
pub(in crate::web) const MOST_BYTES: usize = 16 << 20;
/// Files of one side at most.
const MOST_FILES: usize = 200;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(create)).layer(DefaultBodyLimit::max(MOST_BYTES))
}

/// Runs of both sides, and what the files do not say.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CalibrationInput {
    /// Each a benchmark result as JSON, or the text of a file of any format of `vmfit import list`.
    #[schema(value_type = Vec<Value>)]
    native: Vec<Value>,
    /// The same of the guest.
    #[schema(value_type = Vec<Value>)]
    guest: Vec<Value>,
    id: Option<String>,
    name: Option<String>,
    /// vCPUs of the guest.
    vcpus: Option<f64>,
    /// Logical processors that CPU % is of.
    processors: Option<f64>,
    /// How the guest's disks were attached.
    attach: Option<Attach>,
    /// Id of the model that gives what was not measured, such as memory.
    base: Option<String>,
}

/// Make an overhead model of native and guest runs
///
/// One load gives the loss alone, several give fixed cost and loss. Runs that differ in threads, block size, outstanding,
/// tool generation or clock quality are not compared, and the difference is named.
#[utoipa::path(
    post, path = "/calibrations", tag = "calibrations",
    request_body(content = CalibrationInput, content_type = "application/json"),
    responses(
        (status = 200, description = "The model; nothing is kept", body = Calibrated),
        (status = 400, description = "Not JSON", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 422, description = "Files that cannot be read, or runs that cannot be compared", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
async fn create(State(state): State<AppState>, JsonBytes(body): JsonBytes) -> Result<Json<Calibrated>, AppError> {
    let models = state.models();
    state
        .on_a_cpu(move || {
            let input: CalibrationInput = parse(&body)?;
            let (native, guest) = (files("/native", &input.native)?, files("/guest", &input.guest)?);
            let CalibrationInput { id, name, vcpus, processors, attach, base, .. } = input;
            let found = Asked { id, name, vcpus, processors, attach, base }.calibrate(&models, &native, &guest)?;
            Ok(Json(found))
        })
        .await?
}

/// What the files of a calibration do not say.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::web) struct Asked {
    pub id: Option<String>,
    pub name: Option<String>,
    pub vcpus: Option<f64>,
    pub processors: Option<f64>,
    pub attach: Option<Attach>,
    pub base: Option<String>,
}

impl Asked {
    /// The model of these runs.
    ///
    /// # Errors
    /// A field that is not possible, or why the runs cannot be compared.
    pub(in crate::web) fn calibrate(
        self,
        models: &ModelCatalog,
        native: &[Imported],
        guest: &[Imported],
    ) -> Result<Calibrated, AppError> {
        let base = match &self.base {
            None => None,
            Some(id) => Some(models.get(id).ok_or_else(|| {
                let known: Vec<String> = models.iter().map(|model| model.id.clone()).collect();
                AppError::pointer("/base", format!("“{id}” is no model; one of {}.", known.join(", ")))
            })?),
        };
        for (pointer, value) in [("/vcpus", self.vcpus), ("/processors", self.processors)] {
            if let Some(value) = value.filter(|value| !(1.0..=4096.0).contains(value)) {
                return Err(AppError::pointer(pointer, format!("{value} is not possible; 1 to 4,096.")));
            }
        }
        let given = Given {
            id: self.id,
            name: self.name,
            vcpus: self.vcpus,
            processors: self.processors,
            attach: self.attach,
            base: base.as_deref(),
        };
        let found = calibrate::calibrate(native, guest, &given)
            .map_err(|why| AppError::pointer(String::new(), format!("{}.", why.0.join("; "))))?;
        let mut problems = Vec::new();
        found.model.check("", &mut problems);
        if problems.is_empty() { Ok(found) } else { Err(AppError::unprocessable(&problems)) }
    }
}

fn files(pointer: &str, values: &[Value]) -> Result<Vec<Imported>, AppError> {
    if values.is_empty() || values.len() > MOST_FILES {
        let detail = format!("{} results are not possible; 1 to {MOST_FILES}.", values.len());
        return Err(AppError::pointer(pointer.to_owned(), detail));
    }
    let read = |(index, value): (usize, &Value)| {
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        import::import("auto", text.as_bytes(), &Options::default())
            .map_err(|error| AppError::pointer(format!("{pointer}/{index}"), format!("{error}.")))
    };
    values.iter().enumerate().map(read).collect()
}
