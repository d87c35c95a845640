//! What nobody should send, and what nobody should see of it.

use super::super::app::{TestApp, header};
use super::{fields, page, send, still, with};

const TEXTS: [&str; 4] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'{{ 7*7 }}{% raw %}",
    "</textarea></pre>&lt;b&gt;",
];

#[tokio::test]
async fn every_typed_text_is_escaped() {
    let app = TestApp::new().await;
    let shown = fields(&page(&app, "/").await);
    for text in TEXTS {
        let mut changes: Vec<(&str, &str)> = Vec::new();
        for (name, value) in &shown {
            if !name.starts_with("ui.") && value.parse::<f64>().is_err() {
                changes.push((name, text));
            }
        }
        for wrong in [&[][..], &[("host.memory_gib", text), ("unit.0.vm.count", text)][..]] {
            let mut changes = changes.clone();
            changes.extend(wrong);
            changes.push(("nonsense.<i>.0", text));
            for path in ["/answer", "/form", "/"] {
                let response = send(&app, &app.client, path, &with(&shown, &changes)).await;
                assert_eq!(response.status(), 200, "{path}");
                let html = response.text().await.unwrap();
                assert!(
                    html.contains("alert(1)") || html.contains("7*7") || html.contains("textarea"),
                    "{path} shows it"
                );
                for raw in ["<script>alert", "<img", "\"><", "onerror=alert(1)>", "</textarea></pre>", "<i>"] {
                    let ours = raw == "\"><" && !html.contains("\"><img");
                    assert!(ours || !html.contains(raw), "{path} lets {raw} through");
                }
            }
        }
    }
}

#[tokio::test]
async fn saved_texts_are_escaped() {
    let app = TestApp::new().await;
    let shown = fields(&page(&app, "/").await);
    let text = TEXTS[0];
    let changes = [
        ("name", text),
        ("host.model", text),
        ("unit.0.vm.name", text),
        ("unit.0.vm.volumes.0.name", text),
        ("do", "save"),
    ];
    let response = send(&app, &still(), "/", &with(&shown, &changes)).await;
    let id = header(&response, "location")[5..41].to_owned();
    for path in
        ["/sizings".to_owned(), format!("/sizings/{id}"), format!("/?id={id}"), format!("/compare?id={id}&id={id}")]
    {
        let html = page(&app, &path).await;
        assert!(html.contains("alert(1)") && !html.contains("<script>alert"), "{path}");
    }
    let html = app.get(&format!("/sizings?q={}", "%3Cscript%3Ealert(1)")).send().await.unwrap().text().await.unwrap();
    assert!(!html.contains("<script>alert"));
}

#[tokio::test]
async fn hostile_links_get_a_page_with_a_way_back() {
    let app = TestApp::new().await;
    for path in [
        "/?s=garbage",
        "/?s=%00",
        "/?s=AAAA",
        "/?id=x",
        "/sizings/x",
        "/sizings?page=-1",
        "/static/../Cargo.toml",
        "/nothing",
    ] {
        let response = app.get(path).send().await.unwrap();
        assert!(matches!(response.status().as_u16(), 404 | 422), "{path}: {}", response.status());
        assert!(header(&response, "content-type").starts_with("text/html"), "{path}");
        assert!(response.text().await.unwrap().contains("href=\"/\""), "{path}");
    }
    let long = format!("/?s={}", "A".repeat(60_000));
    let status = app.get(&long).send().await.unwrap().status().as_u16();
    assert!(matches!(status, 414 | 422 | 431), "{status}");
    let response = app.request("DELETE", "/sizings").send().await.unwrap();
    assert_eq!(response.status(), 405);
    assert!(response.text().await.unwrap().contains("href=\"/\""));
}

#[tokio::test]
async fn forms_that_are_too_much_are_refused() {
    let app = TestApp::new().await;
    let send = async |body: String| {
        let request = app.client.post(format!("{}/answer", app.address));
        request
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body)
            .send()
            .await
            .unwrap()
            .status()
            .as_u16()
    };
    assert_eq!(send("a=1&".repeat(20_000)).await, 422);
    assert_eq!(send(format!("{}=1", "a.".repeat(500))).await, 422);
    assert_eq!(send("x".repeat(3 << 20)).await, 413);
    assert_eq!(send("%ff%fe=%00&host.memory_gib=1e999&host.sockets=NaN".to_owned()).await, 200);
    assert_eq!(send(String::new()).await, 200);
}

#[tokio::test]
async fn a_page_of_another_site_saves_nothing() {
    let app = TestApp::new().await;
    let shown = fields(&page(&app, "/").await);
    let body = super::pairs(&with(&shown, &[("do", "save")]));
    let request = app.client.post(format!("{}/", app.address)).header("sec-fetch-site", "cross-site");
    let response = request.header("content-type", "application/x-www-form-urlencoded").body(body).send().await.unwrap();
    assert_eq!(response.status(), 403);
}
