//! Benchmarks that the server runs itself: started, watched, cancelled, and gone when it stops.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::app::{TestApp, header, json, pointers, problem};

const ADDRESS: &str = "/api/v1/benchmarks";

/// A load that ends when it is told to.
fn long() -> String {
    json!({"run": {"mode": "cpu", "time_s": 600, "warmup_s": 0}}).to_string()
}

async fn start(app: &TestApp, body: impl Into<reqwest::Body>) -> String {
    let response = app.post(ADDRESS, body).send().await.unwrap();
    assert_eq!(response.status(), 202);
    let address = header(&response, "location").to_owned();
    let document = json(response).await;
    assert!(address.ends_with(document["id"].as_str().unwrap()), "{address} of {document}");
    address
}

/// Waits until the document at the address is as wanted.
async fn until(app: &TestApp, address: &str, reached: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..600 {
        let document = json(app.get(address).send().await.unwrap()).await;
        if reached(&document) {
            return document;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("not within a minute: {}", app.get(address).send().await.unwrap().text().await.unwrap());
}

fn is_running(document: &Value) -> bool {
    document["run"]["state"] == "running"
}

fn files(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    names.map(|name| name.to_string_lossy().into_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_becomes_a_result_at_its_address() {
    let files = tempfile::tempdir().unwrap();
    let app = TestApp::with_runs(files.path()).await;
    let body = json!({"run": {"mode": "cpu", "time_s": 2.5, "warmup_s": 0, "cpu_max_prime": 100, "threads": 2}});
    let address = start(&app, body.to_string()).await;

    // The stream ends with the run.
    let events = app.get(&format!("{address}/events")).send().await.unwrap();
    assert_eq!(header(&events, "content-type"), "text/event-stream");
    let text = events.text().await.unwrap();
    let last = text.trim_end().rsplit("\n\n").next().unwrap();
    assert!(last.starts_with("event: done\ndata: {"), "{text}");
    let told: Value = serde_json::from_str(last.split_once("data: ").unwrap().1).unwrap();
    assert_eq!((&told["state"], &told["mode"]), (&json!("done"), &json!("cpu")));

    let kept = json(app.get(&address).send().await.unwrap()).await;
    assert_eq!((&kept["result"]["mode"], &kept["result"]["threads"]), (&json!("cpu"), &json!(2)));
    assert!(kept["result"]["events"].as_u64().unwrap() > 0);
    // Who watches afterwards is told the same.
    let again = app.get(&format!("{address}/events")).send().await.unwrap().text().await.unwrap();
    assert!(again.starts_with("event: done\n"), "{again}");
    let page = app.get(&address.replace("/api/v1", "")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("Events a second"), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_runs_the_others_wait_and_both_can_be_cancelled() {
    let files = tempfile::tempdir().unwrap();
    let app = TestApp::with_runs(files.path()).await;
    let first = start(&app, long()).await;
    until(&app, &first, |document| is_running(document) && document["run"]["progress"]["rate"].is_number()).await;
    let second = start(&app, long()).await;
    let waiting = json(app.get(&second).send().await.unwrap()).await;
    assert_eq!((&waiting["run"]["state"], &waiting["run"]["position"]), (&json!("queued"), &json!(1)));
    let list = json(app.get(ADDRESS).send().await.unwrap()).await;
    assert_eq!(list["runs"].as_array().unwrap().len(), 2);
    let page = app.get("/benchmarks").send().await.unwrap().text().await.unwrap();
    assert!(page.contains("Waiting, 1 in the queue"), "{page}");

    assert_eq!(app.request("DELETE", &second).send().await.unwrap().status(), 202);
    let cancelled = json(app.get(&second).send().await.unwrap()).await;
    assert_eq!(cancelled["run"]["state"], "cancelled");
    assert_eq!(app.request("DELETE", &first).send().await.unwrap().status(), 202);
    // What it measured is kept, and says that it broke off.
    let kept = until(&app, &first, |document| document["result"].is_object()).await;
    assert_eq!((&kept["result"]["valid"], &kept["result"]["ended"]), (&json!(false), &json!("cancelled")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_leaves_no_file_and_ends_streams() {
    let files_at = tempfile::tempdir().unwrap();
    let app = TestApp::with_runs(files_at.path()).await;
    let body = json!({"run": {"mode": "fileio", "size_gib": 0.02, "time_s": 600, "warmup_s": 0, "cached": true}});
    let address = start(&app, body.to_string()).await;
    until(&app, &address, |document| document["run"]["progress"]["phase"] == "measure").await;
    let events = app.get(&format!("{address}/events")).send().await.unwrap();
    let reads = tokio::spawn(events.text());
    app.stop().await;
    assert_eq!(files(files_at.path()), [""; 0]);
    let told = tokio::time::timeout(Duration::from_secs(20), reads).await.expect("the stream ends").unwrap();
    assert!(told.unwrap().contains("event: running"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_run_is_refused_with_every_reason() {
    let files = tempfile::tempdir().unwrap();
    let app = TestApp::with_runs(files.path()).await;
    let body = json!({"run": {"mode": "cpu", "threads": 0, "time_s": "soon", "size_gib": 1, "path": "/etc"}});
    let told = problem(app.post(ADDRESS, body.to_string()).send().await.unwrap(), 422).await;
    assert_eq!(pointers(&told), ["/run/path", "/run/size_gib", "/run/threads", "/run/time_s"]);
    let twice = r#"{"run": {"mode": "cpu", "mode": "jbb"}}"#;
    let told = app.post(ADDRESS, twice).send().await.unwrap().status();
    assert!(told == 400 || told == 422, "{told}");
    for _ in 0..=vmfit::web::runs::MOST_WAITING {
        // The first begins at once or stands before sixteen others.
        app.post(ADDRESS, long()).send().await.unwrap();
    }
    problem(app.post(ADDRESS, long()).send().await.unwrap(), 429).await;
}

#[tokio::test]
async fn a_server_that_may_not_runs_none() {
    let app = TestApp::new().await;
    let told = problem(app.post(ADDRESS, long()).send().await.unwrap(), 403).await;
    assert!(told["detail"].as_str().unwrap().contains("--allow-benchmarks"), "{told}");
    let page = app.get("/benchmarks").send().await.unwrap().text().await.unwrap();
    assert!(page.contains("--allow-benchmarks") && !page.contains("Run it on this server"));
    for path in ["/events", ""] {
        problem(app.get(&format!("{ADDRESS}/0197c000-0000-7000-8000-000000000000{path}")).send().await.unwrap(), 404)
            .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_starts_shows_and_cancels() {
    let files = tempfile::tempdir().unwrap();
    let app = TestApp::with_runs(files.path()).await;
    let post = |path: &str, body: &'static str| {
        let request = app.request("POST", path).header("content-type", "application/x-www-form-urlencoded");
        request.body(body).send()
    };
    let refused = post("/benchmarks/runs", "mode=fileio&threads=0&outstanding=1+x&size_gib=").await.unwrap();
    assert_eq!(refused.status(), 422);
    let page = refused.text().await.unwrap();
    assert_eq!(page.matches("aria-invalid").count(), 2, "{page}");
    assert!(page.contains(r#"value="1 x""#), "what was typed is kept: {page}");

    // Redirects are followed: the page of the run.
    let run = post("/benchmarks/runs", "mode=cpu&time_s=600+s&threads=&size_gib=nonsense").await.unwrap();
    assert_eq!(run.status(), 200);
    let address = run.url().path().to_owned();
    let api = format!("/api/v1{address}");
    until(&app, &api, |document| document["run"]["progress"]["phase"] == "measure").await;
    let page = app.get(&address).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("<progress") && page.contains("Cancel") && page.contains("http-equiv=\"refresh\""), "{page}");
    let mut events = app.get(&format!("{address}/events")).send().await.unwrap();
    let first = events.chunk().await.unwrap().unwrap();
    assert!(first.starts_with(b"event: told\ndata: <p>"), "{first:?}");
    drop(events);
    assert_eq!(post(&format!("{address}/cancel"), "").await.unwrap().status(), 200);
    until(&app, &api, |document| document["result"].is_object()).await;
    let over = app.get(&format!("{address}/events")).send().await.unwrap().text().await.unwrap();
    assert!(over.starts_with("event: over"), "{over}");
}
