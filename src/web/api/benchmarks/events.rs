use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::Event;
use uuid::Uuid;

use crate::web::error::{AppError, ProblemDocument};
use crate::web::extract::Path;
use crate::web::runs::{State as RunState, Told, stream};
use crate::web::state::AppState;

/// Watch a run
///
/// Server-sent events named after the state (`queued`, `running`, `done`, `cancelled`, `failed`), each with how far the run
/// is, the figures of every second so far included, so that whoever connects late misses nothing. The stream ends with the
/// run; that of a kept result is one `done`.
#[utoipa::path(
    get, path = "/benchmarks/{id}/events", tag = "benchmarks",
    params(("id" = String, Path, format = "uuid")),
    responses(
        (status = 200, description = "Events", body = Told, content_type = "text/event-stream"),
        (status = 404, description = "There is none with this id", body = ProblemDocument, content_type = "application/problem+json"),
    )
)]
pub(super) async fn events(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<impl IntoResponse, AppError> {
    let job = state.run(id);
    if job.is_none() {
        // Its end was told before; whoever asks is told again.
        let kept = state.store.benchmark(id).await?;
        return Ok(stream::once(event(&Told::kept(&kept.result))));
    }
    Ok(stream::of_job(job.as_deref(), state.stopping.clone(), event))
}

fn event(told: &Told) -> Event {
    let state: RunState = told.state;
    let event = Event::default().event(state.as_str());
    // A figure that JSON has no word for would be the only failure; the name of the state says enough.
    event.json_data(told).unwrap_or_else(|_| Event::default().event(state.as_str()).data("{}"))
}
