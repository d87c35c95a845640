//! Benchmarks that are kept and compared, files of other tools, and overhead models made of both.

use serde_json::{Value, json};

use crate::app::{EXAMPLE, TestApp, header, json, pointers, problem};

/// A result as `vmfit bench` prints it, with this rate and place.
fn result(rate: f64, role: &str) -> Value {
    json!({
        "mode": "cpu", "parameters": { "cpu_max_prime": 10000, "threads": 2 },
        "environment": { "hypervisor": if role == "guest" { "hyper-v" } else { "none" }, "role": role,
                         "cpu_model": "A <processor>", "cores": 2, "threads": 2, "memory_gib": 8, "os": "an OS" },
        "tool": { "name": "vmfit", "version": "0.1.0" },
        "threads": 2, "duration_s": 10.0, "events": (rate * 10.0) as u64, "events_per_s": rate, "better": "higher",
        "latency_ms": { "min": 0.1, "avg": 2000.0 / rate, "p50": 0.1, "p95": 0.2, "p99": 0.3, "max": 1.0 },
        "cpu_percent": 99.0, "valid": true, "warnings": [], "runs": []
    })
}

async fn keep(app: &TestApp, result: &Value) -> String {
    let response = app.post("/api/v1/benchmarks", result.to_string()).send().await.unwrap();
    assert_eq!(response.status(), 201);
    header(&response, "location").to_owned()
}

#[tokio::test]
async fn a_benchmark_is_kept_listed_shown_compared_and_deleted() {
    let app = TestApp::new().await;
    let native = keep(&app, &result(1000.0, "bare_metal")).await;
    let guest = keep(&app, &result(900.0, "guest")).await;
    let told = json(app.get(&native).send().await.unwrap()).await;
    assert_eq!(told["result"]["events_per_s"], 1000.0);
    let list = json(app.get("/api/v1/benchmarks?mode=cpu&limit=1").send().await.unwrap()).await;
    assert_eq!((list["total"].as_u64(), list["items"].as_array().map(Vec::len)), (Some(2), Some(1)));
    assert_eq!(list["items"][0]["role"], "guest");
    let none = json(app.get("/api/v1/benchmarks?mode=memory").send().await.unwrap()).await;
    assert_eq!(none["total"], 0);
    problem(app.get("/api/v1/benchmarks?limit=0").send().await.unwrap(), 422).await;

    let id = |location: &str| location.rsplit('/').next().unwrap().to_owned();
    let text = async |path: &str| app.get(path).send().await.unwrap().text().await.unwrap();
    let page = text("/benchmarks").await;
    assert!(page.contains("A &#60;processor&#62;") && page.contains("guest, hyper-v"), "{page}");
    assert!(text(&format!("/benchmarks/{}", id(&native))).await.contains("1,000 1/s"));
    let side_by_side = text(&format!("/benchmarks/compare?id={}&id={}", id(&native), id(&guest))).await;
    assert!(side_by_side.contains("1,000 1/s") && side_by_side.contains("900 1/s") && side_by_side.contains("differs"));
    assert_eq!(app.get("/benchmarks/compare?id=7").send().await.unwrap().status(), 422);

    assert_eq!(app.request("DELETE", &native).send().await.unwrap().status(), 204);
    problem(app.get(&native).send().await.unwrap(), 404).await;
    problem(app.request("DELETE", &native).send().await.unwrap(), 404).await;
}

#[tokio::test]
async fn what_is_no_result_is_refused_at_its_place() {
    let app = TestApp::new().await;
    for (field, value, pointer) in [
        ("mode", json!("<b>"), "/mode"),
        ("mode", json!(""), "/mode"),
        ("events_per_s", json!(-1), "/events_per_s"),
        ("threads", json!("many"), "/threads"),
    ] {
        let mut wrong = result(1.0, "guest");
        wrong[field] = value;
        let told = problem(app.post("/api/v1/benchmarks", wrong.to_string()).send().await.unwrap(), 422).await;
        assert_eq!(pointers(&told), [pointer]);
    }
    problem(app.post("/api/v1/benchmarks", "{").send().await.unwrap(), 400).await;
    assert_eq!(json(app.get("/api/v1/benchmarks").send().await.unwrap()).await["total"], 0);
}

#[tokio::test]
async fn a_pair_becomes_a_model_that_sizes() {
    let app = TestApp::new().await;
    let pair = json!({
        "native": [result(1000.0, "bare_metal")], "guest": [result(900.0, "guest")],
        "id": "measured-here", "base": "hyperv-2008-sql"
    });
    let response = app.post("/api/v1/calibrations", pair.to_string()).send().await.unwrap();
    let status = response.status();
    let told = json(response).await;
    assert_eq!(status, 200, "{told}");
    let loss = told["model"]["coefficients"].as_array().unwrap().iter().find(|c| c["name"] == "cpu_loss").unwrap();
    assert!((loss["likely"].as_f64().unwrap() - 0.1).abs() < 1e-9, "{loss}");
    // One load gives the loss alone, and says so.
    assert!(!told["warnings"].as_array().unwrap().is_empty(), "{told}");
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["overhead"] = told["model"].clone();
    let answer = json(app.post("/api/v1/sizings", scenario.to_string()).send().await.unwrap()).await;
    assert_eq!(answer["overhead"]["id"], "measured-here", "{answer}");
    assert_eq!(answer["fit"]["likely"], 3);
    assert_eq!(
        app.post("/api/v1/overhead-models", told["model"].to_string()).send().await.unwrap().status(),
        201,
        "the model can be kept"
    );
    // Another number of threads is another load.
    let mut other = result(900.0, "guest");
    other["threads"] = json!(1);
    let pair = json!({ "native": [result(1000.0, "bare_metal")], "guest": [other] });
    let told = problem(app.post("/api/v1/calibrations", pair.to_string()).send().await.unwrap(), 422).await;
    assert!(told["detail"].as_str().unwrap().contains("threads"), "{told}");
}

#[tokio::test]
async fn a_file_of_another_tool_is_read() {
    let app = TestApp::new().await;
    let text = "sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)\n\nRunning the test with following options:\n\
                Number of threads: 1\n\nPrime numbers limit: 10000\n\nThreads started!\n\nCPU speed:\n    \
                events per second:   500.00\n\nGeneral statistics:\n    total time:                          10.0000s\n    \
                total number of events:              5000\n\nLatency (ms):\n         min:                                    \
                1.90\n         avg:                                    2.00\n         max:                                    \
                5.00\n         95th percentile:                        2.10\n         sum:                                \
                10000.00\n\nThreads fairness:\n    events (avg/stddev):           5000.0000/0.00\n    execution time \
                (avg/stddev):   10.0000/0.00\n";
    let send = |format: &str, body: &'static str| {
        app.client.post(format!("{}/api/v1/imports/{format}", app.address)).body(body).send()
    };
    let told = json(send("auto", text).await.unwrap()).await;
    assert_eq!(told["format"], "sysbench", "{told}");
    let metrics = told["runs"][0]["metrics"].as_array().unwrap();
    let rate = metrics.iter().find(|metric| metric["name"] == "events_per_s").unwrap();
    assert_eq!((rate["value"].as_f64(), rate["better"].as_str()), (Some(500.0), Some("higher")));
    problem(send("abacus", text).await.unwrap(), 422).await;
    problem(send("auto", "").await.unwrap(), 422).await;
    problem(send("fio", text).await.unwrap(), 422).await;
    let told = problem(send("perfmon?percentile=200&comfort=0&business_hours=8", text).await.unwrap(), 422).await;
    let named: Vec<_> = told["errors"].as_array().unwrap().iter().map(|error| error["parameter"].as_str()).collect();
    assert_eq!(named, [Some("business_hours"), Some("percentile"), Some("comfort")], "{told}");
}
