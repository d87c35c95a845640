//! Counters and times of requests in the Prometheus text format. Labels are the template of the route, the method and
//! the status: their number does not grow with what clients send.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use axum::extract::State;
use axum::http::{Method, StatusCode, header};
use axum::response::IntoResponse;
use metrics::{Counter, Histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

use super::state::AppState;

/// Upper bounds of the time buckets, seconds: from one sizing to one PDF that waits for others.
const BUCKETS: [f64; 11] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1.0, 5.0, 30.0];

const REQUESTS: &str = "http_requests_total";
const SECONDS: &str = "http_request_duration_seconds";

/// The numbers of one server. Not global, so that servers in one process do not mix theirs.
pub struct Metrics {
    recorder: PrometheusRecorder,
    handle: PrometheusHandle,
    /// By route: looking a metric up by its labels costs a request more than noting it.
    known: RwLock<HashMap<String, Vec<Known>>>,
}

/// What is noted of the requests of one route that have these in common.
struct Known {
    method: &'static str,
    status: StatusCode,
    seconds: Histogram,
    requests: Counter,
}

impl Metrics {
    pub fn new() -> Self {
        let builder = PrometheusBuilder::new();
        // Refused for an empty list only.
        let builder = builder.set_buckets(&BUCKETS).unwrap_or_else(|_| PrometheusBuilder::new());
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        metrics::with_local_recorder(&recorder, || {
            metrics::describe_counter!(REQUESTS, "Requests by route, method and status");
            metrics::describe_histogram!(SECONDS, metrics::Unit::Seconds, "Time to answer by route and method");
        });
        Self { recorder, handle, known: RwLock::default() }
    }

    /// Notes one answered request.
    pub fn request(&self, method: &Method, route: &str, status: StatusCode, took: Duration) {
        let method = method_label(method);
        let note = |known: &Known| {
            known.seconds.record(took.as_secs_f64());
            known.requests.increment(1);
        };
        let same = |known: &&Known| known.method == method && known.status == status;
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known.get(route).and_then(|all| all.iter().find(same)) {
            return note(known);
        }
        drop(known);
        let new = self.register(method, route, status);
        note(&new);
        // Two requests may do so at once: both are handles to the same numbers.
        self.known.write().unwrap_or_else(PoisonError::into_inner).entry(route.to_owned()).or_default().push(new);
    }

    fn register(&self, method: &'static str, route: &str, status: StatusCode) -> Known {
        let route = route.to_owned();
        metrics::with_local_recorder(&self.recorder, || Known {
            method,
            status,
            seconds: metrics::histogram!(SECONDS, "method" => method, "route" => route.clone()),
            requests: metrics::counter!(
                REQUESTS, "method" => method, "route" => route, "status" => status.as_str().to_owned()
            ),
        })
    }

    /// Sorts the times into their buckets; they pile up one by one until someone does.
    pub fn upkeep(&self) {
        self.handle.run_upkeep();
    }
}

/// A client may send any word as method.
fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// `GET /metrics`.
pub async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], state.metrics.handle.render())
}
