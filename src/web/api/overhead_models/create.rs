use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};

use super::ModelDocument;
use crate::domain::overhead::ModelInput;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, JsonBytes};
use crate::web::state::AppState;

/// Add an overhead model
///
/// Scenarios name it by its id. A model is never replaced: answers that are kept name it too.
#[utoipa::path(
    post, path = "/overhead-models", tag = "overhead-models",
    request_body(content = ModelInput, content_type = "application/json"),
    responses(
        (status = 201, description = "Added", body = ModelDocument,
         headers(("location" = String, description = "Address of the model"))),
        (status = 400, description = "Not JSON", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 409, description = "There is one with this id", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 422, description = "Fields that are wrong, every one", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn create(
    State(state): State<AppState>,
    JsonBytes(body): JsonBytes,
) -> Result<(StatusCode, [(HeaderName, HeaderValue); 1], Json<ModelDocument>), AppError> {
    let model = state.add_model(&body).await?;
    let document = ModelDocument::of(&model);
    // The id is of letters, digits, points and dashes, so it stands in an address as it is.
    let location = HeaderValue::from_str(&format!("{}/overhead-models/{}", crate::web::api::BASE, model.id));
    Ok((StatusCode::CREATED, [(header::LOCATION, location.map_err(AppError::internal)?)], Json(document)))
}
