//! The model's own error: over the API, on its page, beside the answer and in the report.

use serde_json::Value;

use crate::app::{EXAMPLE, TestApp, json};
use vmfit::report::backtest;

#[tokio::test]
async fn the_api_tells_every_case_and_the_errors() {
    let app = TestApp::new().await;
    let told = json(app.get("/api/v1/accuracy").send().await.unwrap()).await;
    assert_eq!(told, serde_json::to_value(backtest::summary()).unwrap());
}

#[tokio::test]
async fn the_answer_names_its_error_and_the_page_shows_the_cases() {
    let app = TestApp::new().await;
    let text = async |path: &str| app.get(path).send().await.unwrap().text().await.unwrap();
    let accuracy = backtest::summary();
    // Memory binds the example: its error stands beside the answer, and that over all.
    let beside = backtest::beside(accuracy, "memory");
    assert!(beside.starts_with("Memory: median error "), "{beside}");
    assert!(text("/").await.contains(&beside));
    let page = text("/accuracy").await;
    assert!(page.contains(&accuracy.headline));
    for case in &accuracy.cases {
        assert!(page.contains(&format!("<code>{}</code>", case.id)), "{}", case.id);
    }
}

#[tokio::test]
async fn sobol_indices_come_when_asked_for() {
    let app = TestApp::new().await;
    let ask = async |query: &str| {
        let answer: Value = json(app.post(&format!("/api/v1/sizings{query}"), EXAMPLE).send().await.unwrap()).await;
        answer["sensitivity"].as_array().unwrap().clone()
    };
    assert!(ask("").await.iter().all(|row| row.get("total").is_none()));
    let rows = ask("?indices=true").await;
    let total: f64 = rows.iter().map(|row| row["total"].as_f64().unwrap()).sum();
    // Memory binds, and its coefficients are exact: nothing moves the answer.
    assert_eq!(total, 0.0, "{rows:?}");
}
