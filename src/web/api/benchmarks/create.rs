use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};

use super::BenchmarkDocument;
use crate::bench::result::BenchResult;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, JsonBytes, parse};
use crate::web::state::AppState;

/// Longest name of a mode.
const LONGEST_MODE: usize = 40;

/// Keep a benchmark result
///
/// What `vmfit bench MODE --format json` prints, or `--submit` sends.
#[utoipa::path(
    post, path = "/benchmarks", tag = "benchmarks",
    request_body(content = BenchResult, content_type = "application/json"),
    responses(
        (status = 201, description = "Kept", body = BenchmarkDocument,
         headers(("location" = String, description = "Address of the result"))),
        (status = 400, description = "Not JSON", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 422, description = "No benchmark result", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn create(
    State(state): State<AppState>,
    JsonBytes(body): JsonBytes,
) -> Result<(StatusCode, [(HeaderName, HeaderValue); 1], Json<BenchmarkDocument>), AppError> {
    let result: BenchResult = parse(&body)?;
    let plain =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit());
    if result.mode.is_empty() || result.mode.len() > LONGEST_MODE || !plain(&result.mode) {
        let detail = format!("Mode: 1 to {LONGEST_MODE} lower-case letters, digits and underscores.");
        return Err(AppError::pointer("/mode".to_owned(), detail));
    }
    for (pointer, value) in [("/events_per_s", result.events_per_s), ("/duration_s", result.duration_s)] {
        if value < 0.0 {
            return Err(AppError::pointer(pointer.to_owned(), format!("{value} is not possible; 0 or more.")));
        }
    }
    let kept = state.store.insert_benchmark(result).await?;
    let location = HeaderValue::from_str(&format!("{}/benchmarks/{}", crate::web::api::BASE, kept.id));
    Ok((StatusCode::CREATED, [(header::LOCATION, location.map_err(AppError::internal)?)], Json(kept.into())))
}
