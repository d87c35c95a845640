use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::app::{TestApp, header, json};

/// The document as it was looked at last. `UPDATE_SNAPSHOTS=1` writes it anew.
const SNAPSHOT: &str = "tests/it/api/openapi.snapshot.json";

#[test]
fn the_document_is_the_one_that_was_looked_at() {
    let mut now = serde_json::to_string_pretty(&vmfit::web::openapi()).unwrap();
    now.push('\n');
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(SNAPSHOT);
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let then = fs::read_to_string(&path).unwrap_or_default();
    assert!(then == now, "the API changed: run with UPDATE_SNAPSHOTS=1 and look at the difference of {SNAPSHOT}");
}

#[test]
fn every_reference_resolves_and_every_operation_is_described() {
    let document = serde_json::to_value(vmfit::web::openapi()).unwrap();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(document["info"]["title"], "vmfit");
    let mut references = Vec::new();
    collect_references(&document, &mut references);
    assert!(!references.is_empty());
    for reference in references {
        assert!(document.pointer(reference.trim_start_matches('#')).is_some(), "{reference} leads nowhere");
    }
    for (path, item) in document["paths"].as_object().unwrap() {
        for (verb, operation) in item.as_object().unwrap() {
            assert!(operation["summary"].is_string(), "{verb} {path} says nothing");
            assert!(operation["operationId"].is_string(), "{verb} {path}");
        }
    }
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            found.extend(object.get("$ref").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|inner| collect_references(inner, found));
        }
        Value::Array(list) => list.iter().for_each(|inner| collect_references(inner, found)),
        _ => {}
    }
}

#[tokio::test]
async fn the_server_has_the_same_document() {
    let app = TestApp::new().await;
    let served = json(app.get("/api/openapi.json").send().await.unwrap()).await;
    assert_eq!(served, serde_json::to_value(vmfit::web::openapi()).unwrap());
}

#[tokio::test]
async fn the_page_for_it_loads_nothing_from_elsewhere() {
    let app = TestApp::new().await;
    let page = app.get("/api/docs/").send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert!(header(&page, "content-security-policy").contains("default-src 'self'"));
    assert!(!header(&page, "content-security-policy").contains("http"));
    let html = page.text().await.unwrap();
    for source in ["src=\"", "href=\""] {
        for address in html.split(source).skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(!address.starts_with("http") && !address.starts_with("//"), "{address}");
            let path = format!("/api/docs/{}", address.trim_start_matches("./"));
            assert_eq!(app.get(&path).send().await.unwrap().status(), 200, "{path}");
        }
    }
    let script = app.get("/api/docs/swagger-initializer.js").send().await.unwrap().text().await.unwrap();
    assert!(script.contains("/api/openapi.json"), "{script}");
    assert!(script.contains("\"validatorUrl\": \"none\"") || script.contains("validatorUrl: \"none\""), "{script}");
}
