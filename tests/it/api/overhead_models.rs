use serde_json::{Value, json};

use crate::app::{EXAMPLE, TestApp, header, json as body, pointers, problem};

const MODEL: &str = r#"{ "id": "ours-2024", "name": "Measured here",
    "coefficients": [ { "name": "cpu_loss", "low": 0.2, "likely": 0.25, "high": 0.3, "source": "our lab" } ] }"#;

#[tokio::test]
async fn built_in_models_are_listed_with_their_sources() {
    let app = TestApp::new().await;
    let list = body(app.get("/api/v1/overhead-models").send().await.unwrap()).await;
    let items = list["items"].as_array().unwrap();
    for id in ["none", "hyperv-2008-biztalk", "hyperv-2008-sql", "xen-3.0-vmx", "vmware-vsan-hybrid"] {
        let model = items.iter().find(|model| model["id"] == id).unwrap_or_else(|| panic!("{id} is missing"));
        assert_eq!(model["built_in"], true);
        assert!(model["coefficients"].as_array().unwrap().iter().all(|c| c["source"].is_string()), "{model}");
    }
}

#[tokio::test]
async fn an_added_model_can_be_named_by_a_scenario() {
    let app = TestApp::new().await;
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["overhead"] = json!("ours-2024");
    let told = problem(app.post("/api/v1/sizings", scenario.to_string()).send().await.unwrap(), 422).await;
    assert_eq!(pointers(&told), ["/overhead"]);

    let added = app.post("/api/v1/overhead-models", MODEL).send().await.unwrap();
    assert_eq!((added.status().as_u16(), header(&added, "location")), (201, "/api/v1/overhead-models/ours-2024"));
    let got = body(app.get("/api/v1/overhead-models/ours-2024").send().await.unwrap()).await;
    assert_eq!(got, body(added).await);
    assert_eq!(got["built_in"], false);

    let answer = body(app.post("/api/v1/sizings", scenario.to_string()).send().await.unwrap()).await;
    assert_eq!(answer["overhead"]["id"], "ours-2024");
}

#[tokio::test]
async fn a_restart_keeps_models() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("kept.db");
    let app = TestApp::over(&database).await;
    assert_eq!(app.post("/api/v1/overhead-models", MODEL).send().await.unwrap().status(), 201);
    app.stop().await;
    let app = TestApp::over(&database).await;
    assert_eq!(app.get("/api/v1/overhead-models/ours-2024").send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn no_model_is_replaced() {
    let app = TestApp::new().await;
    assert_eq!(app.post("/api/v1/overhead-models", MODEL).send().await.unwrap().status(), 201);
    problem(app.post("/api/v1/overhead-models", MODEL).send().await.unwrap(), 409).await;
    let built_in = MODEL.replace("ours-2024", "none");
    problem(app.post("/api/v1/overhead-models", built_in).send().await.unwrap(), 409).await;
}

#[tokio::test]
async fn a_wrong_model_is_explained() {
    let app = TestApp::new().await;
    for (bad, pointer) in [
        (MODEL.replace("ours-2024", "Ours!"), "/id"),
        (MODEL.replace("0.3", "7"), "/coefficients/0"),
        (MODEL.replace("cpu_loss", "cpu_gain"), "/coefficients/0/name"),
        (MODEL.replace("source", "origin"), "/coefficients/0/origin"),
    ] {
        let told = problem(app.post("/api/v1/overhead-models", bad).send().await.unwrap(), 422).await;
        assert!(pointers(&told).contains(&pointer), "{told}");
    }
    problem(app.post("/api/v1/overhead-models", "nonsense").send().await.unwrap(), 400).await;
    problem(app.get("/api/v1/overhead-models/nothing").send().await.unwrap(), 404).await;
}
