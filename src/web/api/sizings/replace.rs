use axum::extract::State;

use super::{SizingDocument, parse_id};
use crate::domain::input::ScenarioInput;
use crate::domain::parse_scenario;
use crate::report::Options;
use crate::store::NewSizing;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{JsonBytes, Path};
use crate::web::state::AppState;

/// Replace the scenario of a kept sizing
///
/// It is answered anew.
#[utoipa::path(
    put, path = "/sizings/{id}", tag = "sizings",
    params(("id" = String, Path, format = "uuid")),
    request_body(content = ScenarioInput, content_type = "application/json"),
    responses(
        (status = 200, description = "The new answer and its scenario", body = SizingDocument),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 422, description = "Fields that are wrong, every one", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn replace(
    State(state): State<AppState>,
    Path(id): Path<String>,
    JsonBytes(body): JsonBytes,
) -> Result<SizingDocument, AppError> {
    let id = parse_id(&id)?;
    let scenario = parse_scenario(&body, &state.models())?;
    let name = scenario.name.clone();
    let answer = state.answer(scenario, Options::SHOWN).await?;
    let scenario = serde_json::from_slice(&body).map_err(AppError::internal)?;
    Ok(state.store.update_sizing(id, NewSizing { name, scenario, answer }).await?.into())
}
