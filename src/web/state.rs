//! What every handler can reach.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use axum::http::StatusCode;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::error::AppError;
use super::metrics::Metrics;
use super::runs::{Job, MOST_WAITING, NotTaken, Runs};
use crate::domain::{ModelCatalog, OverheadModel, parse_model, parse_run};
use crate::report::pdf::Renderer;
use crate::store::{Store, StoreError};

/// Shared by all requests; a clone is a few counters up.
#[derive(Clone)]
pub struct AppState {
    pub store: Arc<dyn Store>,
    pub pdf: Renderer,
    catalog: Arc<RwLock<Arc<ModelCatalog>>>,
    pub(super) metrics: Arc<Metrics>,
    /// One for each CPU: who draws samples waits here.
    pub(super) cpus: Arc<Semaphore>,
    pub(super) hosts: Arc<AllowedHosts>,
    pub patience: Patience,
    /// Benchmarks that this server runs; none unless it was told that it may.
    pub runs: Option<Arc<Runs>>,
    /// The server stops: streams end.
    pub stopping: CancellationToken,
}

/// How long the server waits.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For the answer to one request. A PDF that waits behind others is the slowest.
    pub request: Duration,
    /// For the head of a request, waiting between two of them included: who dribbles holds a connection, and they are
    /// finite.
    pub head: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { request: Duration::from_secs(60), head: Duration::from_secs(30) }
    }
}

/// Which names of this server a request may be addressed to.
#[derive(Clone, Debug, Default)]
pub struct AllowedHosts {
    /// Every name: the server is open to the network anyway.
    pub any: bool,
    /// Beside `localhost` and plain IP addresses, which always are.
    pub names: Vec<String>,
}

impl AppState {
    /// The state over a store; reads the overhead models that are kept there.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn new(store: Arc<dyn Store>, hosts: AllowedHosts) -> Result<Self, StoreError> {
        let catalog = ModelCatalog::with(store.stored_models().await?);
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            store,
            pdf: Renderer::new(cpus),
            catalog: Arc::new(RwLock::new(Arc::new(catalog))),
            metrics: Arc::new(Metrics::new()),
            cpus: Arc::new(Semaphore::new(cpus)),
            hosts: Arc::new(hosts),
            patience: Patience::default(),
            runs: None,
            stopping: CancellationToken::new(),
        })
    }

    /// Lets this server run benchmarks whose test files lie in that folder.
    ///
    /// # Errors
    /// When no thread can be had.
    pub fn allow_runs(&mut self, folder: PathBuf) -> std::io::Result<()> {
        self.runs = Some(Arc::new(Runs::new(folder, self.store.clone())?));
        Ok(())
    }

    /// Puts a benchmark into the queue.
    ///
    /// # Errors
    /// 403 when this server runs none, 429 when too many wait, and what is wrong with the request.
    pub fn start_run(&self, json: &[u8]) -> Result<Arc<Job>, AppError> {
        let Some(runs) = &self.runs else {
            let detail = "This server runs no benchmarks. Start it with --allow-benchmarks DIR, or run vmfit bench and \
                          send its result here with --submit.";
            return Err(AppError::new(StatusCode::FORBIDDEN, detail));
        };
        runs.start(parse_run(json)?).map_err(|refused| match refused {
            NotTaken::QueueFull => {
                let detail = format!("{MOST_WAITING} benchmarks wait already; try again when one has ended.");
                AppError::new(StatusCode::TOO_MANY_REQUESTS, detail)
            }
            NotTaken::Stopping => AppError::new(StatusCode::SERVICE_UNAVAILABLE, "The server is stopping."),
        })
    }

    /// A run without a result yet.
    pub fn run(&self, id: Uuid) -> Option<Arc<Job>> {
        self.runs.as_ref()?.find(id)
    }

    /// Ends a run; false when there is none with this id.
    pub fn cancel_run(&self, id: Uuid) -> bool {
        self.runs.as_ref().is_some_and(|runs| runs.cancel(id))
    }

    /// The overhead models that are known now, built-in and stored.
    pub fn models(&self) -> Arc<ModelCatalog> {
        Arc::clone(&self.catalog.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Keeps an overhead model and makes it known.
    ///
    /// # Errors
    /// What is wrong with it, 409 when there is one with its id, and when the store fails.
    pub async fn add_model(&self, json: &[u8]) -> Result<OverheadModel, AppError> {
        let model = parse_model(json)?;
        if self.models().is_built_in(&model.id) {
            let detail =
                format!("The model {} comes with the program and cannot be replaced; choose another id.", model.id);
            return Err(AppError::new(StatusCode::CONFLICT, detail));
        }
        self.store.insert_model(model.clone()).await?;
        self.reload_models().await?;
        Ok(model)
    }

    /// Reads the stored overhead models again, after one was added.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn reload_models(&self) -> Result<(), StoreError> {
        let catalog = Arc::new(ModelCatalog::with(self.store.stored_models().await?));
        *self.catalog.write().unwrap_or_else(PoisonError::into_inner) = catalog;
        Ok(())
    }
}
