use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use super::{SizingDocument, parse_id};
use crate::domain::scenario_from_value;
use crate::store::NewSizing;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{JsonBytes, Path, parse};
use crate::web::state::AppState;

/// What can change without a new answer.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Rename {
    /// What the sizing is called.
    name: String,
}

/// Rename a kept sizing
///
/// Its answer stays as it is, with the version of the model that made it.
#[utoipa::path(
    patch, path = "/sizings/{id}", tag = "sizings",
    params(("id" = String, Path, format = "uuid")),
    request_body(content = Rename, content_type = "application/json"),
    responses(
        (status = 200, description = "The sizing with its new name", body = SizingDocument),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 422, description = "The name is not possible", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn rename(
    State(state): State<AppState>,
    Path(id): Path<String>,
    JsonBytes(body): JsonBytes,
) -> Result<SizingDocument, AppError> {
    let id = parse_id(&id)?;
    let Rename { name } = parse(&body)?;
    let mut sizing = state.store.sizing(id).await?;
    if let Some(scenario) = sizing.scenario.as_object_mut() {
        scenario.insert("name".to_owned(), name.clone().into());
    }
    // The rule on names is the domain's. Other fields were accepted when they were sent and are not asked again.
    if let Err(mut problems) = scenario_from_value(sizing.scenario.clone(), &state.models()) {
        problems.retain(|problem| problem.pointer == "/name");
        if !problems.is_empty() {
            return Err(AppError::unprocessable(&problems));
        }
    }
    sizing.answer.name.clone_from(&name);
    let new = NewSizing { name, scenario: sizing.scenario, answer: sizing.answer };
    Ok(state.store.update_sizing(id, new).await?.into())
}
