use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::ModelDocument;
use crate::web::extract::Json;
use crate::web::state::AppState;

/// Every overhead model.
#[derive(Serialize, ToSchema)]
pub(super) struct ModelList {
    items: Vec<ModelDocument>,
}

/// List the overhead models
///
/// Those that come with the program first.
#[utoipa::path(
    get, path = "/overhead-models", tag = "overhead-models",
    responses((status = 200, description = "Every model with its coefficients and their sources", body = ModelList))
)]
pub(super) async fn list(State(state): State<AppState>) -> Json<ModelList> {
    let models = state.models();
    Json(ModelList { items: models.iter().map(|model| ModelDocument::of(model)).collect() })
}
