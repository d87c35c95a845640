//! What every handler can reach.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use tokio::sync::Semaphore;

use super::metrics::Metrics;
use crate::domain::ModelCatalog;
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
        })
    }

    /// The overhead models that are known now, built-in and stored.
    pub fn models(&self) -> Arc<ModelCatalog> {
        Arc::clone(&self.catalog.read().unwrap_or_else(PoisonError::into_inner))
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
