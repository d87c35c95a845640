//! What holds for every request: errors, headers, limits, health, metrics.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use vmfit::web::state::Patience;

use crate::app::{EXAMPLE, TestApp, header, problem};

#[tokio::test]
async fn errors_under_api_are_problem_documents() {
    let app = TestApp::new().await;
    problem(app.get("/api").send().await.unwrap(), 404).await;
    problem(app.get("/api/v1/nothing").send().await.unwrap(), 404).await;
    let response = app.request("PUT", "/api/v1/sizings").send().await.unwrap();
    let allow = header(&response, "allow").to_owned();
    problem(response, 405).await;
    assert!(allow.contains("GET") && allow.contains("POST"), "{allow}");
    let form = app.client.post(format!("{}/api/v1/sizings", app.address)).body("a=b");
    problem(form.send().await.unwrap(), 415).await;
    let text = app.client.post(format!("{}/api/v1/sizings", app.address)).header("content-type", "text/plain");
    problem(text.body(EXAMPLE).send().await.unwrap(), 415).await;
}

#[tokio::test]
async fn errors_elsewhere_are_pages() {
    let app = TestApp::new().await;
    let response = app.get("/nothing/here").send().await.unwrap();
    assert_eq!(response.status(), 404);
    assert!(header(&response, "content-type").starts_with("text/html"));
}

#[tokio::test]
async fn every_response_has_the_headers() {
    let app = TestApp::new().await;
    for path in ["/api/v1/sizings", "/healthz", "/nothing", "/api/nothing", "/api/docs/"] {
        let response = app.get(path).send().await.unwrap();
        assert_eq!(header(&response, "x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header(&response, "referrer-policy"), "same-origin", "{path}");
        assert!(header(&response, "content-security-policy").contains("frame-ancestors 'none'"), "{path}");
        assert_eq!(header(&response, "x-request-id").len(), 36, "{path}");
    }
    let given = app.get("/healthz").header("x-request-id", "from-a-proxy").send().await.unwrap();
    assert_eq!(header(&given, "x-request-id"), "from-a-proxy");
}

#[tokio::test]
async fn pages_of_other_sites_are_refused() {
    let app = TestApp::new().await;
    let post = || app.post("/api/v1/sizings", EXAMPLE);
    problem(post().header("sec-fetch-site", "cross-site").send().await.unwrap(), 403).await;
    problem(post().header("origin", "https://evil.example").send().await.unwrap(), 403).await;
    problem(post().header("host", "evil.example").send().await.unwrap(), 421).await;
    let own = post().header("origin", app.address.clone()).header("sec-fetch-site", "same-origin");
    assert_eq!(own.send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn compression_comes_when_asked_for() {
    let app = TestApp::new().await;
    let plain = app.post("/api/v1/sizings", EXAMPLE).send().await.unwrap();
    assert_eq!(header(&plain, "content-encoding"), "");
    for encoding in ["gzip", "br"] {
        let packed = app.post("/api/v1/sizings", EXAMPLE).header("accept-encoding", encoding).send().await.unwrap();
        assert_eq!(header(&packed, "content-encoding"), encoding);
    }
}

#[tokio::test]
async fn health_and_metrics() {
    let app = TestApp::new().await;
    assert_eq!(app.get("/healthz").send().await.unwrap().text().await.unwrap(), "ok\n");
    assert_eq!(app.get("/readyz").send().await.unwrap().text().await.unwrap(), "ready\n");
    for n in 0..3 {
        app.get(&format!("/api/v1/sizings/{n}")).send().await.unwrap();
        app.get(&format!("/nothing-{n}")).send().await.unwrap();
    }
    let metrics = app.get("/metrics").send().await.unwrap();
    assert!(header(&metrics, "content-type").starts_with("text/plain"));
    let metrics = metrics.text().await.unwrap();
    let line = "http_requests_total{method=\"GET\",route=\"/api/v1/sizings/{id}\",status=\"404\"} 3";
    assert!(metrics.contains(line), "{metrics}");
    assert!(metrics.contains("route=\"unmatched\",status=\"404\"} 3"), "{metrics}");
    assert!(metrics.contains("http_request_duration_seconds_bucket"), "{metrics}");
    assert!(!metrics.contains("nothing-"), "labels must not grow with what clients send");
}

#[tokio::test]
async fn readiness_tells_when_the_database_is_gone() {
    let app = TestApp::new().await;
    app.store.close().await;
    assert_eq!(app.get("/readyz").send().await.unwrap().status(), 503);
    assert_eq!(app.get("/healthz").send().await.unwrap().status(), 200);
    let told = problem(app.get("/api/v1/sizings").send().await.unwrap(), 500).await;
    assert!(!told.to_string().contains("pool"), "the cause belongs in the log: {told}");
}

/// A question that keeps a CPU busy for seconds: volumes on as many shared LUNs as there may be, with indices.
const LONG: &str = "/api/v1/sizings?indices=true";

fn long_question() -> String {
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    let lun = |number: u32| json!({ "name": format!("L{number}"), "pool": "san", "size_gib": 20, "attach": "fixed_vhd", "holds": ["any"] });
    let volume = |number: u32| json!({ "name": format!("v{number}"), "size_gib": 5, "read_iops": 2, "write_iops": 1, "max_latency_ms": 15 });
    scenario["host"]["memory_gib"] = 8192.into();
    scenario["storage"]["pools"][0]["disks"] = 400.into();
    scenario["storage"]["luns"] = (0..1000).map(lun).collect();
    scenario["unit"][0]["vm"]["volumes"] = (0..16).map(volume).collect();
    scenario.to_string()
}

/// A request that takes too long is told so, and its work ends: the next one is answered.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_has_its_time() {
    let patience = Patience { request: Duration::from_millis(300), ..Patience::default() };
    let app = TestApp::with_patience(patience).await;
    for _ in 0..2 {
        let late = app.post(LONG, long_question()).send().await.unwrap();
        let told = problem(late, 503).await;
        assert!(told["detail"].as_str().unwrap().contains("0.3 s"), "{told}");
    }
    assert_eq!(app.post("/api/v1/sizings", EXAMPLE).send().await.unwrap().status(), 200);
}

/// Who sends the head of a request too slowly loses the connection.
#[tokio::test]
async fn the_head_of_a_request_has_its_time() {
    let patience = Patience { head: Duration::from_millis(200), ..Patience::default() };
    let app = TestApp::with_patience(patience).await;
    let mut stream = TcpStream::connect(app.address.trim_start_matches("http://")).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-").await.unwrap();
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).await.unwrap();
    assert!(!rest.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&rest));
}

/// Work whose client has gone ends and makes room: those who come after would wait behind all of it until their time is up.
#[tokio::test(flavor = "multi_thread")]
async fn work_that_nobody_waits_for_makes_room() {
    let app = TestApp::with_patience(Patience { request: Duration::from_secs(5), ..Patience::default() }).await;
    let question = long_question();
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..8 * cpus {
        // Sent, and given up before it is answered.
        let asked = tokio::time::timeout(Duration::from_millis(100), app.post(LONG, question.clone()).send()).await;
        assert!(asked.is_err(), "the question is not long enough");
    }
    let answered = app.post("/api/v1/sizings?curves=true", EXAMPLE).send().await.unwrap();
    assert_eq!(answered.status(), 200);
}
