//! What holds for every request: errors, headers, limits, health, metrics.

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
