//! Reports for a server: a few at a time, never on an async worker.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::Semaphore;

use super::super::Answer;
use super::{DocumentMeta, PdfError};

/// Makes reports, at most so many at a time. Cheap to clone; nothing of Typst or its fonts is loaded before the first
/// report.
#[derive(Clone, Debug)]
pub struct Renderer {
    places: Arc<Semaphore>,
}

impl Renderer {
    /// `max_parallel` reports at a time, at least one.
    pub fn new(max_parallel: usize) -> Self {
        Self { places: Arc::new(Semaphore::new(max_parallel.clamp(1, Semaphore::MAX_PERMITS))) }
    }

    /// The report as PDF; waits for a place. When the caller gives up, a report that has begun is finished and thrown
    /// away, and keeps its place until then: there are never more than `max_parallel` at work.
    ///
    /// # Errors
    /// As of [`super::render`], and [`PdfError::GivenUp`] when the server stops.
    pub async fn render(&self, answer: &Answer, input: &Value, meta: DocumentMeta) -> Result<Vec<u8>, PdfError> {
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|_| PdfError::GivenUp)?;
        let (answer, input) = (answer.clone(), input.clone());
        let work = move || {
            let result = super::render(&answer, &input, &meta);
            drop(place);
            result
        };
        tokio::task::spawn_blocking(work).await.map_err(|_| PdfError::GivenUp)?
    }
}
