//! Bodies that no planner sends. Each is refused with a problem document, quickly, and the server lives on.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::{EXAMPLE, TestApp, pointers, problem};

async fn refused(body: impl Into<reqwest::Body>, status: u16) -> Value {
    let app = TestApp::new().await;
    let began = Instant::now();
    let told = problem(app.post("/api/v1/sizings", body).send().await.unwrap(), status).await;
    assert!(began.elapsed() < Duration::from_secs(10));
    assert_eq!(app.post("/api/v1/sizings", EXAMPLE).send().await.unwrap().status(), 200);
    told
}

fn example() -> Value {
    serde_json::from_str(EXAMPLE).unwrap()
}

#[tokio::test]
async fn five_megabytes() {
    refused(vec![b' '; 5 << 20], 413).await;
}

#[tokio::test]
async fn deep_nesting() {
    refused("[".repeat(100_000), 400).await;
    let mut deep = example();
    deep["overhead"] = serde_json::from_str(&format!("{}{}", "[".repeat(100), "]".repeat(100))).unwrap();
    assert_eq!(pointers(&refused(deep.to_string(), 422).await), ["/overhead"]);
}

#[tokio::test]
async fn no_json() {
    for body in ["", "{", "NaN", "{\"host\": NaN}", "<xml/>", "{\"host\":1e999}"] {
        refused(body, 400).await;
    }
    refused(vec![0xff, 0xfe, b'{', b'}'], 400).await;
    refused(b"{\"name\": \"\xff\"}".to_vec(), 400).await;
}

#[tokio::test]
async fn json_of_another_shape() {
    for body in ["null", "[]", "7", "\"text\"", "{}"] {
        refused(body, 422).await;
    }
}

#[tokio::test]
async fn numbers_beyond_reason() {
    for memory in [json!(1e300), json!(-1e300), json!(0), json!(1e-300)] {
        let mut scenario = example();
        scenario["host"]["memory_gib"] = memory;
        assert_eq!(pointers(&refused(scenario.to_string(), 422).await), ["/host/memory_gib"]);
    }
}

#[tokio::test]
async fn ten_thousand_luns() {
    let mut scenario = example();
    let lun = |n: usize| json!({ "name": format!("L{n}"), "pool": "san", "size_gib": 1, "holds": ["any"] });
    scenario["storage"]["luns"] = (0..10_000).map(lun).collect();
    assert!(pointers(&refused(scenario.to_string(), 422).await).contains(&"/storage/luns"));
}

#[tokio::test]
async fn a_thousand_unknown_fields_are_cut_short() {
    let mut scenario = example();
    for n in 0..1000 {
        scenario["host"][format!("x{n}")] = json!(1);
    }
    let told = refused(scenario.to_string(), 422).await;
    assert!(told["errors"].as_array().unwrap().len() <= 65, "{told}");
}

#[tokio::test]
async fn a_field_that_stands_twice_is_refused_at_its_place() {
    let twice = EXAMPLE.replacen("\"memory_gib\": 32", "\"memory_gib\": 32, \"memory_gib\": 64", 1);
    assert_eq!(pointers(&refused(twice, 422).await), ["/host/memory_gib"]);
}

#[tokio::test]
async fn markup_in_a_name_stays_text() {
    let app = TestApp::new().await;
    let mut scenario = example();
    scenario["name"] = json!("<script>alert(1)</script>'; DROP TABLE sizings; --");
    let response = app.post("/api/v1/sizings?save=true", scenario.to_string()).send().await.unwrap();
    assert_eq!(response.status(), 201);
    let list: Value = app.get("/api/v1/sizings").send().await.unwrap().json().await.unwrap();
    assert_eq!(list["items"][0]["name"], scenario["name"]);
}
