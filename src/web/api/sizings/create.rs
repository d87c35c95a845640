use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{SizingDocument, location};
use crate::domain::input::ScenarioInput;
use crate::domain::parse_scenario;
use crate::report::{Answer, Options};
use crate::store::NewSizing;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, JsonBytes, Query};
use crate::web::state::AppState;

/// What else is wanted of the answer.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// Keep the sizing; the response is 201 with its address.
    #[serde(default)]
    save: bool,
    /// Add utilization and latency against the number of units.
    #[serde(default)]
    curves: bool,
    /// Add the arithmetic of each number with the source of its figures, and how each coefficient was derived.
    #[serde(default)]
    arithmetic: bool,
    /// Add the Sobol indices of each uncertain input: the share of the answer's variance that comes from it.
    #[serde(default)]
    indices: bool,
}

/// Size a scenario
///
/// How many units fit, what stops one more, how sure that is, and the arithmetic behind it.
#[utoipa::path(
    post, path = "/sizings", tag = "sizings",
    request_body(content = ScenarioInput, content_type = "application/json"),
    responses(
        (status = 200, description = "The answer; nothing is kept", body = Answer),
        (status = 201, description = "Kept", body = SizingDocument,
         headers(("location" = String, description = "Address of the sizing"))),
        (status = 400, description = "Not JSON", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 413, description = "Larger than 1 MiB", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 415, description = "Not said to be JSON", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 422, description = "Fields that are wrong, every one", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn create(
    State(state): State<AppState>,
    Query(wanted): Query<Wanted>,
    JsonBytes(body): JsonBytes,
) -> Result<Response, AppError> {
    let scenario = parse_scenario(&body, &state.models())?;
    let options = Options { curves: wanted.curves, arithmetic: wanted.arithmetic, indices: wanted.indices };
    if !wanted.save {
        let answer = state.answer(scenario, options).await?;
        return Ok(Json(answer).into_response());
    }
    let name = scenario.name.clone();
    let answer = state.answer(scenario, Options { indices: wanted.indices, ..Options::SHOWN }).await?;
    let scenario = serde_json::from_slice(&body).map_err(AppError::internal)?;
    let sizing = state.store.insert_sizing(NewSizing { name, scenario, answer }).await?;
    let headers = [(header::LOCATION, location(sizing.id)?)];
    Ok((StatusCode::CREATED, headers, SizingDocument::from(sizing)).into_response())
}
