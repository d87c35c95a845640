//! Server-sent events about a run.

use std::convert::Infallible;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;

use super::{Job, Told};

/// Time between two events: a run tells its progress oftener than a reader needs it.
const PACE: Duration = Duration::from_millis(500);

type Events = Sse<axum::response::sse::KeepAliveStream<ReceiverStream<Result<Event, Infallible>>>>;

/// One event, and the end.
pub fn once(event: Event) -> Events {
    let (sender, receiver) = mpsc::channel(1);
    // There is room for one.
    let _ = sender.try_send(Ok(event));
    response(receiver)
}

/// Events until the run ends, the reader goes or the server stops. Who reads slowly gets fewer, not later ones.
pub fn of_job(job: Option<&Job>, stopping: CancellationToken, event: fn(&Told) -> Event) -> Events {
    let (sender, receiver) = mpsc::channel(1);
    if let Some(mut watch) = job.map(Job::watch) {
        tokio::spawn(async move {
            loop {
                let told = watch.borrow_and_update().clone();
                if sender.send(Ok(event(&told))).await.is_err() || told.state.is_over() {
                    break;
                }
                let next = async {
                    tokio::time::sleep(PACE).await;
                    watch.changed().await.is_ok()
                };
                let goes_on = tokio::select! {
                    goes_on = next => goes_on,
                    () = stopping.cancelled() => false,
                    () = sender.closed() => false,
                };
                if !goes_on {
                    break;
                }
            }
        });
    }
    response(receiver)
}

fn response(receiver: mpsc::Receiver<Result<Event, Infallible>>) -> Events {
    Sse::new(ReceiverStream::new(receiver)).keep_alive(KeepAlive::default())
}
