use serde_json::{Value, json};

use crate::app::{EXAMPLE, TestApp, header, json as body, pointers, problem};

#[tokio::test]
async fn the_example_is_answered() {
    let app = TestApp::new().await;
    let response = app.post("/api/v1/sizings", EXAMPLE).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(header(&response, "content-type"), "application/json");
    let answer = body(response).await;
    assert_eq!(answer["fit"]["likely"], 3);
    assert_eq!(answer["binding"]["resource"], "memory");
    let fits = |name: &str| {
        let found = answer["resources"].as_array().unwrap().iter().find(|r| r["resource"] == name);
        found.unwrap_or_else(|| panic!("{name} was not checked"))["fits"].clone()
    };
    assert_eq!([fits("memory"), fits("cpu"), fits("iops"), fits("capacity")], [3, 6, 8, 6]);
    assert_eq!(answer["resources"][0]["resource"], "memory");
    assert!(answer.get("curves").is_none());
    assert!(app.store.is_new().await.unwrap(), "a question that is not saved leaves nothing behind");
}

#[tokio::test]
async fn curves_come_when_asked_for() {
    let app = TestApp::new().await;
    let answer = body(app.post("/api/v1/sizings?curves=true", EXAMPLE).send().await.unwrap()).await;
    assert!(!answer["curves"]["units"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn a_saved_sizing_comes_back_as_it_was() {
    let app = TestApp::new().await;
    let response = app.post("/api/v1/sizings?save=true", EXAMPLE).send().await.unwrap();
    assert_eq!(response.status(), 201);
    let location = header(&response, "location").to_owned();
    let created = body(response).await;
    assert_eq!(location, format!("/api/v1/sizings/{}", created["id"].as_str().unwrap()));
    assert_eq!(created["fit"]["likely"], 3);
    assert_eq!(created["scenario"], serde_json::from_str::<Value>(EXAMPLE).unwrap());
    assert!(created["model_version"].is_string());

    let got = body(app.get(&location).send().await.unwrap()).await;
    assert_eq!(got, created);
    let file = app.get(&format!("{location}.json")).send().await.unwrap();
    assert_eq!(header(&file, "content-disposition"), "attachment; filename=\"biztalk-databases-on-one-dl580.json\"");
    assert_eq!(body(file).await, created);
}

#[tokio::test]
async fn the_list_is_searched_and_paged() {
    let app = TestApp::new().await;
    for name in ["Alpha 50%", "Beta", "Gamma 50_"] {
        app.save(name).await;
    }
    let names = async |query: &str| {
        let list = body(app.get(&format!("/api/v1/sizings{query}")).send().await.unwrap()).await;
        let items = list["items"].as_array().unwrap().iter();
        (items.map(|item| item["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>(), list["total"].clone())
    };
    assert_eq!(names("").await, (vec!["Gamma 50_".into(), "Beta".into(), "Alpha 50%".into()], json!(3)));
    assert_eq!(names("?search=beta").await.0, ["Beta"]);
    assert_eq!(names("?search=50%25").await.0, ["Alpha 50%"]);
    assert_eq!(names("?search=_").await.0, ["Gamma 50_"]);
    assert_eq!(names("?search=%27%20OR%201%3D1%20--").await.0, Vec::<String>::new());
    assert_eq!(names("?search=dl580").await.1, json!(3));
    assert_eq!(names("?limit=1&offset=1").await, (vec!["Beta".into()], json!(3)));

    let list = body(app.get("/api/v1/sizings?limit=1").send().await.unwrap()).await;
    let item = &list["items"][0];
    assert_eq!((&item["host"], &item["likely"], &item["binding"]), (&json!("HP DL580"), &json!(3), &json!("memory")));
}

#[tokio::test]
async fn parameters_that_are_wrong_are_named() {
    let app = TestApp::new().await;
    for (query, name) in
        [("limit=0", "limit"), ("limit=201", "limit"), ("limit=x", "limit"), ("offset=-1", "offset"), ("pge=2", "pge")]
    {
        let told = problem(app.get(&format!("/api/v1/sizings?{query}")).send().await.unwrap(), 422).await;
        assert_eq!(told["errors"][0]["parameter"], name, "{told}");
    }
    let told = problem(app.get("/api/v1/sizings?serch=x").send().await.unwrap(), 422).await;
    assert!(told["detail"].as_str().unwrap().contains("serch"), "{told}");
    problem(app.post("/api/v1/sizings?save=perhaps", EXAMPLE).send().await.unwrap(), 422).await;
}

#[tokio::test]
async fn a_deleted_sizing_is_gone_until_it_is_restored() {
    let app = TestApp::new().await;
    let location = app.save("Once").await;
    assert_eq!(app.request("DELETE", &location).send().await.unwrap().status(), 204);
    problem(app.get(&location).send().await.unwrap(), 404).await;
    problem(app.request("DELETE", &location).send().await.unwrap(), 404).await;
    let list = body(app.get("/api/v1/sizings").send().await.unwrap()).await;
    assert_eq!(list["total"], 0);
    let restored = app.request("POST", &format!("{location}/restore")).send().await.unwrap();
    assert_eq!(restored.status(), 200);
    assert_eq!(body(restored).await["name"], "Once");
    assert_eq!(app.get(&location).send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn a_new_name_leaves_the_answer_alone() {
    let app = TestApp::new().await;
    let location = app.save("Before").await;
    let before = body(app.get(&location).send().await.unwrap()).await;
    let patch = |json: &'static str| {
        app.request("PATCH", &location).header("content-type", "application/json").body(json).send()
    };
    let after = body(patch(r#"{"name":"After"}"#).await.unwrap()).await;
    assert_eq!((&after["name"], &after["scenario"]["name"]), (&json!("After"), &json!("After")));
    assert_eq!(after["fit"], before["fit"]);
    assert_eq!(after["created"], before["created"]);

    for (bad, pointer) in [(r#"{"name":" "}"#, "/name"), (r#"{"name":7}"#, "/name"), (r#"{"title":"x"}"#, "/title")] {
        let told = problem(patch(bad).await.unwrap(), 422).await;
        assert_eq!(pointers(&told), [pointer], "{told}");
    }
    problem(patch("{").await.unwrap(), 400).await;
}

#[tokio::test]
async fn a_new_scenario_is_answered_anew() {
    let app = TestApp::new().await;
    let location = app.save("Grows").await;
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["host"]["memory_gib"] = json!(64);
    let put = app.request("PUT", &location).header("content-type", "application/json").body(scenario.to_string());
    let replaced = body(put.send().await.unwrap()).await;
    assert!(replaced["fit"]["likely"].as_u64().unwrap() > 3, "{}", replaced["fit"]);
    assert_eq!(replaced["scenario"]["host"]["memory_gib"], 64);
}

/// A refused element of a list of words takes nothing else with it.
#[tokio::test]
async fn a_wrong_word_in_a_list_hides_nothing_else() {
    let app = TestApp::new().await;
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["host"]["nics"] = json!([{ "speed_gbps": -1, "count": 1, "carries": ["doves", "vm", "pigeons"] }]);
    let refused = problem(app.post("/api/v1/sizings", scenario.to_string()).send().await.unwrap(), 422).await;
    let wrong = ["/host/nics/0/carries/0", "/host/nics/0/carries/2", "/host/nics/0/speed_gbps"];
    assert_eq!(pointers(&refused), wrong);
}

#[tokio::test]
async fn every_wrong_field_is_told_at_once() {
    let app = TestApp::new().await;
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["host"]["memory_gib"] = json!(-1);
    scenario["host"]["colour"] = json!("red");
    scenario["unit"][0]["vm"]["vcpus"] = json!("four");
    let told = problem(app.post("/api/v1/sizings", scenario.to_string()).send().await.unwrap(), 422).await;
    let mut found = pointers(&told);
    found.sort_unstable();
    assert_eq!(found, ["/host/colour", "/host/memory_gib", "/unit/0/vm/vcpus"], "{told}");
    let memory = told["errors"].as_array().unwrap().iter().find(|e| e["pointer"] == "/host/memory_gib").unwrap();
    assert!(memory["detail"].as_str().unwrap().contains("65,536"), "{memory}");
}

#[tokio::test]
async fn ids_that_name_nothing_are_not_found() {
    let app = TestApp::new().await;
    for id in ["0198c2f0-0000-7000-8000-000000000000", "1", "..%2f..%2fetc%2fpasswd", "%00", "x.json"] {
        problem(app.get(&format!("/api/v1/sizings/{id}")).send().await.unwrap(), 404).await;
        problem(app.request("DELETE", &format!("/api/v1/sizings/{id}")).send().await.unwrap(), 404).await;
    }
    let location = app.save("There").await;
    problem(app.get(&format!("{location}.exe")).send().await.unwrap(), 404).await;
}

#[tokio::test]
async fn a_first_start_has_the_examples() {
    let app = TestApp::with_examples().await;
    let list = body(app.get("/api/v1/sizings").send().await.unwrap()).await;
    assert_eq!(list["items"][0]["name"], "BizTalk databases on one DL580");
    assert_eq!(list["total"], vmfit::store::examples().len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_save_at_once() {
    let app = std::sync::Arc::new(TestApp::new().await);
    let savers = (0..40).map(|n| {
        let app = app.clone();
        tokio::spawn(async move { app.save(&format!("Number {n}")).await })
    });
    let mut locations = Vec::new();
    for saver in savers.collect::<Vec<_>>() {
        locations.push(saver.await.unwrap());
    }
    locations.sort_unstable();
    locations.dedup();
    assert_eq!(locations.len(), 40);
    let list = body(app.get("/api/v1/sizings?limit=200").send().await.unwrap()).await;
    assert_eq!(list["total"], 40);
}

#[tokio::test]
async fn a_restart_keeps_everything() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("kept.db");
    let app = TestApp::over(&database).await;
    let location = app.save("Kept").await;
    let before = body(app.get(&location).send().await.unwrap()).await;
    app.stop().await;
    let app = TestApp::over(&database).await;
    assert_eq!(body(app.get(&location).send().await.unwrap()).await, before);
}
