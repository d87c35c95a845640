//! `/api/v1/accuracy`.

use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::report::backtest::Accuracy;
use crate::web::error::AppError;
use crate::web::extract::Json;
use crate::web::state::AppState;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(get))
}

/// How accurate the model is
///
/// Every published measurement that comes with the program beside what the model predicts for it, and the errors by kind.
/// A held-out case was not used to fit anything: its error says how well the model predicts.
#[utoipa::path(
    get, path = "/accuracy", tag = "accuracy",
    responses((status = 200, description = "Cases and errors", body = Accuracy))
)]
async fn get(State(state): State<AppState>) -> Result<Json<&'static Accuracy>, AppError> {
    state.accuracy().await.map(Json)
}
