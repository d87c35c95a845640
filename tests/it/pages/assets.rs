//! Styles, script and font.

use super::super::app::{TestApp, header};
use super::page;

#[tokio::test]
async fn files_of_a_page_are_there_and_may_be_kept() {
    let app = TestApp::new().await;
    let html = page(&app, "/").await;
    let mut seen = 0;
    for address in html.split('"').filter(|text| text.starts_with("/static/")) {
        let response = app.get(address).send().await.unwrap();
        assert_eq!(response.status(), 200, "{address}");
        assert!(header(&response, "cache-control").contains("immutable"), "{address}");
        let kind = header(&response, "content-type").to_owned();
        let expected = [(".css", "text/css"), (".js", "text/javascript"), (".svg", "image/svg+xml")];
        let expected = expected.iter().find(|(end, _)| address.split('?').next().unwrap().ends_with(end)).unwrap().1;
        assert!(kind.starts_with(expected), "{address}: {kind}");
        let tag = header(&response, "etag").to_owned();
        let again = app.get(address).header("if-none-match", tag).send().await.unwrap();
        assert_eq!(again.status(), 304);
        seen += 1;
    }
    assert_eq!(seen, 4);
    let font = app.get("/static/inter-latin.woff2").send().await.unwrap();
    assert_eq!(header(&font, "content-type"), "font/woff2");
    assert_eq!(app.get("/static/nothing.css").send().await.unwrap().status(), 404);
}

/// The content security policy allows neither inline script nor inline style, so no page may have any.
#[tokio::test]
async fn no_page_has_inline_script_or_style() {
    let app = TestApp::with_examples().await;
    for path in ["/", "/?start=vsan-review-cluster", "/?start=empty", "/sizings", "/models", "/nothing"] {
        let response = app.get(path).send().await.unwrap();
        let policy = header(&response, "content-security-policy").to_owned();
        assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"), "{path}: {policy}");
        let html = response.text().await.unwrap();
        for tag in html.split('<').skip(1) {
            let tag = tag.split('>').next().unwrap();
            assert!(
                !tag.starts_with("style") && !tag.contains(" style=") && !tag.contains(" onclick"),
                "{path}: <{tag}>"
            );
            assert!(!tag.starts_with("script") || tag.contains(" src=\"/static/"), "{path}: <{tag}>");
        }
    }
}
