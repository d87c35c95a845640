use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{BenchmarkDocument, RunDocument};
use crate::bench::result::BenchResult;
use crate::domain::run::RunInput;
use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::{Json, JsonBytes, parse};
use crate::web::state::AppState;

/// Longest name of a mode.
const LONGEST_MODE: usize = 40;

/// A benchmark to start on the machine of the server.
#[derive(ToSchema)]
#[schema(as = BenchmarkStart)]
#[expect(dead_code, reason = "the description of what the domain reads")]
pub(super) struct Start {
    run: RunInput,
}

/// What is sent: a result, or a benchmark to start.
#[derive(ToSchema)]
#[schema(as = BenchmarkSent)]
#[serde(untagged)]
#[expect(dead_code, reason = "the description of a body that is read in two steps")]
pub(super) enum Sent {
    Result(Box<BenchResult>),
    Start(Box<Start>),
}

/// Keep a benchmark result, or start a benchmark
///
/// A result is what `vmfit bench MODE --format json` prints, or `--submit` sends. A server that was started with
/// `--allow-benchmarks DIR` also runs benchmarks itself: `{"run": {"mode": "cpu", "threads": 2}}` puts one into its queue.
#[utoipa::path(
    post, path = "/benchmarks", tag = "benchmarks",
    request_body(content = Sent, content_type = "application/json"),
    responses(
        (status = 201, description = "Kept", body = BenchmarkDocument,
         headers(("location" = String, description = "Address of the result"))),
        (status = 202, description = "In the queue", body = RunDocument,
         headers(("location" = String, description = "Address of the run, and of its result when it has ended"))),
        (status = 403, description = "This server runs no benchmarks", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 429, description = "Too many wait already", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 400, description = "Not JSON", body = ProblemDocument, content_type = "application/problem+json"),
        (status = 422, description = "No benchmark result", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn create(State(state): State<AppState>, JsonBytes(body): JsonBytes) -> Result<Response, AppError> {
    // A repeated key is refused by whoever reads the whole.
    if let Ok(Wrapped { run: Some(run) }) = serde_json::from_slice(&body) {
        let job = state.start_run(run.get().as_bytes()).map_err(|error| error.below("/run"))?;
        let headers = [(header::LOCATION, location(job.id)?)];
        return Ok((StatusCode::ACCEPTED, headers, Json(RunDocument::from(job.as_ref()))).into_response());
    }
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
    let kept = state.store.insert_benchmark(Uuid::now_v7(), result).await?;
    let headers = [(header::LOCATION, location(kept.id)?)];
    Ok((StatusCode::CREATED, headers, Json(BenchmarkDocument::from(kept))).into_response())
}

/// A body that has a `run` is no result.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wrapped<'a> {
    #[serde(borrow)]
    run: Option<&'a RawValue>,
}

fn location(id: Uuid) -> Result<HeaderValue, AppError> {
    HeaderValue::from_str(&format!("{}/benchmarks/{id}", crate::web::api::BASE)).map_err(AppError::internal)
}
