//! Saved sizings: list, open, rename, duplicate, compare, delete and take it back.

use super::super::app::{TestApp, header};
use super::{fields, page, send, still, with};

/// The id that an address of a sizing ends in.
fn id_of(address: &str) -> String {
    let from = address.find("id=").unwrap() + 3;
    address[from..from + 36].to_owned()
}

async fn save(app: &TestApp, changes: &[(&str, &str)]) -> String {
    let shown = fields(&page(app, "/").await);
    let mut sent = with(&shown, changes);
    sent.push(("do", "save"));
    let response = send(app, &still(), "/", &sent).await;
    assert_eq!(response.status(), 303);
    id_of(header(&response, "location"))
}

#[tokio::test]
async fn save_list_open_and_save_again() {
    let app = TestApp::new().await;
    assert!(page(&app, "/sizings").await.contains("Sizings that you save stand here"));
    let id = save(&app, &[("name", "First"), ("host.memory_gib", "64")]).await;
    let list = page(&app, "/sizings").await;
    assert!(list.contains(">First</a>") && list.contains("6 SQL Server VMs fit."));
    let saved = page(&app, &format!("/sizings/{id}")).await;
    assert!(saved.contains("6 SQL Server VMs fit.") && saved.contains("model version"));

    let opened = fields(&page(&app, &format!("/?id={id}")).await);
    let response = send(&app, &still(), "/", &with(&opened, &[("name", "Second"), ("do", "save")])).await;
    assert_eq!(id_of(header(&response, "location")), id, "it is the same one");
    let response = send(&app, &still(), "/", &with(&opened, &[("name", "Third"), ("do", "save-new")])).await;
    assert_ne!(id_of(header(&response, "location")), id);
    let list = page(&app, "/sizings").await;
    assert!(list.contains(">Second</a>") && list.contains(">Third</a>") && !list.contains(">First</a>"));
    let found = page(&app, "/sizings?q=thir").await;
    assert!(found.contains(">Third</a>") && !found.contains(">Second</a>"));
    assert!(page(&app, "/sizings?q=nothing+like+it").await.contains("Nothing matches"));

    let copy = fields(&page(&app, &format!("/?copy={id}")).await);
    assert!(!copy.iter().any(|(name, _)| name == "ui.id"), "a duplicate is saved as a new one");
}

#[tokio::test]
async fn a_wrong_form_is_not_saved() {
    let app = TestApp::new().await;
    let shown = fields(&page(&app, "/").await);
    let response = send(&app, &still(), "/", &with(&shown, &[("host.sockets", "0"), ("do", "save")])).await;
    assert!(header(&response, "location").starts_with("/?s="));
    assert!(page(&app, "/sizings").await.contains("Sizings that you save stand here"));
}

#[tokio::test]
async fn rename_delete_and_undo() {
    let app = TestApp::new().await;
    let id = save(&app, &[]).await;
    let response = send(&app, &still(), &format!("/sizings/{id}/rename"), &[("name", "<b>Renamed</b>")]).await;
    assert_eq!(response.status(), 303);
    let saved = page(&app, &format!("/sizings/{id}")).await;
    assert!(saved.contains("Renamed") && !saved.contains("<b>Renamed"));
    let response = send(&app, &still(), &format!("/sizings/{id}/rename"), &[("name", " ")]).await;
    assert_eq!(response.status(), 422);

    let response = send(&app, &still(), &format!("/sizings/{id}/delete"), &[]).await;
    let address = header(&response, "location").to_owned();
    assert!(page(&app, &address).await.contains("Undo"));
    assert_eq!(app.get(&format!("/sizings/{id}")).send().await.unwrap().status(), 404);
    let response = send(&app, &still(), &format!("/sizings/{id}/restore"), &[]).await;
    assert_eq!(response.status(), 303);
    page(&app, &format!("/sizings/{id}")).await;
}

#[tokio::test]
async fn compare_marks_what_differs() {
    let app = TestApp::new().await;
    let small = save(&app, &[("name", "Small")]).await;
    let large = save(&app, &[("name", "Large"), ("host.memory_gib", "64")]).await;
    let html = page(&app, &format!("/compare?id={small}&id={large}")).await;
    assert!(html.contains(">Small</a>") && html.contains(">Large</a>"));
    let row = html.split("<tr").find(|row| row.contains("Memory of the host")).unwrap();
    assert!(row.contains("differs") && row.contains(">32<") && row.contains(">64<"));
    let row = html.split("<tr").find(|row| row.contains("Sockets of the host")).unwrap();
    assert!(!row.contains("differs"));
    for bad in ["/compare".to_owned(), format!("/compare?id={small}"), "/compare?id=x&id=y".to_owned()] {
        assert_eq!(app.get(&bad).send().await.unwrap().status(), 422, "{bad}");
    }
}

#[tokio::test]
async fn models_show_ranges_and_sources() {
    let app = TestApp::new().await;
    let html = page(&app, "/models").await;
    for text in ["hyperv-2008-sql", "CPU loss", "table 4", "Least squares", "assumption"] {
        assert!(html.contains(text), "{text}");
    }
}
