//! A server of its own for a test: a free port and a fresh database.

use std::path::Path;
use std::sync::Arc;

use reqwest::{Client, RequestBuilder, Response};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use vmfit::store::{DatabaseUrl, Store, load_examples, open};
use vmfit::web::state::{AllowedHosts, Patience};
use vmfit::web::{AppState, Served, Server};

/// The scenario of the README.
pub const EXAMPLE: &str = include_str!("../../fixtures/scenarios/example-dl580.json");

pub struct TestApp {
    pub address: String,
    pub client: Client,
    pub store: Arc<dyn Store>,
    stop: Option<oneshot::Sender<()>>,
    server: Option<JoinHandle<Served>>,
    folder: Option<tempfile::TempDir>,
}

impl TestApp {
    /// With an empty database.
    pub async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut app = Self::over(&folder.path().join("test.db")).await;
        app.folder = Some(folder);
        app
    }

    /// With the examples, as a first start has them.
    pub async fn with_examples() -> Self {
        let app = Self::new().await;
        load_examples(app.store.as_ref()).await.unwrap();
        app
    }

    /// With an empty database, and less patience than people have.
    pub async fn with_patience(patience: Patience) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut app = Self::made(&folder.path().join("test.db"), |state| state.patience = patience).await;
        app.folder = Some(folder);
        app
    }

    /// One that runs benchmarks, with their files in that folder.
    pub async fn with_runs(files: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let allow = |state: &mut AppState| state.allow_runs(files.to_owned()).unwrap();
        let mut app = Self::made(&folder.path().join("test.db"), allow).await;
        app.folder = Some(folder);
        app
    }

    /// Over a database file that stays.
    pub async fn over(database: &Path) -> Self {
        Self::made(database, |_| {}).await
    }

    async fn made(database: &Path, set_up: impl FnOnce(&mut AppState)) -> Self {
        let store = open(&DatabaseUrl::Sqlite(database.into())).await.unwrap();
        let mut state = AppState::new(store.clone(), AllowedHosts::default()).await.unwrap();
        set_up(&mut state);
        let server = Server::bind("127.0.0.1:0".parse().unwrap(), state).await.unwrap();
        let address = format!("http://{}", server.address().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let server = tokio::spawn(server.run(async {
            // A test that ends drops the sender, which stops the server too.
            let _ = stopped.await;
        }));
        Self { address, client: Client::new(), store, stop: Some(stop), server: Some(server), folder: None }
    }

    /// Stops it as a signal would.
    pub async fn stop(mut self) -> Served {
        self.stop.take().unwrap().send(()).unwrap();
        self.server.take().unwrap().await.unwrap()
    }

    pub fn get(&self, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.address))
    }

    pub fn post(&self, path: &str, json: impl Into<reqwest::Body>) -> RequestBuilder {
        let request = self.client.post(format!("{}{path}", self.address));
        request.header("content-type", "application/json").body(json)
    }

    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        self.client.request(method.parse().unwrap(), format!("{}{path}", self.address))
    }

    /// Keeps the example under a name; its address.
    pub async fn save(&self, name: &str) -> String {
        let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
        scenario["name"] = name.into();
        let response = self.post("/api/v1/sizings?save=true", scenario.to_string()).send().await.unwrap();
        assert_eq!(response.status(), 201);
        header(&response, "location").to_owned()
    }
}

pub fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().unwrap())
}

/// The body as JSON.
pub async fn json(response: Response) -> Value {
    response.json().await.unwrap()
}

/// A problem document with this status; its content.
pub async fn problem(response: Response, status: u16) -> Value {
    assert_eq!(header(&response, "content-type"), "application/problem+json");
    assert_eq!(response.status(), status);
    let document = json(response).await;
    assert_eq!(document["status"], status);
    assert_eq!(document["type"], "about:blank");
    assert!(document["title"].as_str().is_some_and(|title| !title.is_empty()), "{document}");
    assert!(document["detail"].as_str().is_some_and(|detail| !detail.is_empty()), "{document}");
    document
}

/// The pointers of a problem document, in their order.
pub fn pointers(problem: &Value) -> Vec<&str> {
    problem["errors"].as_array().into_iter().flatten().filter_map(|error| error["pointer"].as_str()).collect()
}
