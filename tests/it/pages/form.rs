//! The form, its buttons and its links.

use super::super::app::{TestApp, header};
use super::{fields, page, send, still, with};

/// The answer's first line.
fn headline(html: &str) -> &str {
    let from = html.find("<p class=\"number\">").expect("an answer") + 18;
    &html[from..from + html[from..].find('<').unwrap()]
}

#[tokio::test]
async fn the_page_opens_on_an_answered_example() {
    let app = TestApp::new().await;
    let html = page(&app, "/").await;
    assert_eq!(headline(&html), "3 SQL Server VMs fit.");
    for text in ["Memory stops the fourth", "Add 3 GiB of RAM", "180 rule", "8,192 + 32 + 7 × 8", "Not checked"] {
        assert!(html.contains(text), "{text}");
    }
    for start in ["biztalk-guide-lab", "biztalk-group", "vhd-shared", "vsan-review-cluster", "xen-consolidation"] {
        headline(&page(&app, &format!("/?start={start}")).await);
    }
    let empty = page(&app, "/?start=empty").await;
    assert!(empty.contains("Still needed") && !empty.contains("aria-invalid"), "an empty form is not wrong yet");
    assert_eq!(app.get("/?start=none-of-ours").send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn without_script_the_form_is_answered_at_its_own_address() {
    let app = TestApp::new().await;
    let shown = fields(&page(&app, "/").await);
    let sent = with(&shown, &[("host.memory_gib", "65536 MB"), ("do", "calculate")]);
    let response = send(&app, &still(), "/", &sent).await;
    assert_eq!(response.status(), 303);
    let address = header(&response, "location").to_owned();
    assert!(address.starts_with("/?s="), "{address}");
    let html = page(&app, &address).await;
    assert_eq!(headline(&html), "6 SQL Server VMs fit.");
    assert!(html.contains("value=\"65536 MB\""), "what was typed stays");
    let again = fields(&html);
    let response = send(&app, &still(), "/", &with(&again, &[("do", "calculate")])).await;
    assert_eq!(header(&response, "location"), address, "the same form has the same address");
}

#[tokio::test]
async fn a_wrong_form_keeps_what_was_typed_and_the_last_answer() {
    let app = TestApp::new().await;
    let shown = fields(&page(&app, "/").await);
    let sent = with(&shown, &[("host.memory_gib", "-1"), ("storage.pools.0.raid", "RAID 7"), ("do", "calculate")]);
    let response = send(&app, &still(), "/", &sent).await;
    let html = page(&app, header(&response, "location")).await;
    assert!(html.contains("Memory of the host: −1 GiB is not possible; 0.5 to 65,536 GiB."));
    assert!(html.contains("value=\"-1\"") && html.contains(">RAID 7</option>"));
    assert_eq!(html.matches("aria-invalid=\"true\"").count(), 2);
    assert_eq!(headline(&html), "3 SQL Server VMs fit.", "the last complete form's answer");
    assert!(html.contains("class=\"old\"") && html.contains("To fix"));
}

#[tokio::test]
async fn buttons_change_rows_without_script() {
    let app = TestApp::new().await;
    let mut html = page(&app, "/").await;
    for (button, anchor, expected) in [
        ("add:storage.luns", "#storage.luns.0", "name=\"storage.luns.0.size_gib\""),
        ("duplicate:storage.luns.0", "#storage.luns.1", "name=\"storage.luns.1.size_gib\""),
        ("add:unit", "#unit.1", "name=\"unit.1.vm.vcpus\""),
        ("remove:unit.1", "#unit.0", "name=\"unit.0.vm.vcpus\""),
        ("add:storage.pools.0.measured", "#storage.pools.0.measured.0", "name=\"storage.pools.0.measured.0.iops\""),
    ] {
        let shown = fields(&html);
        let response = send(&app, &still(), "/", &with(&shown, &[("do", button)])).await;
        let address = header(&response, "location").to_owned();
        assert!(address.ends_with(anchor), "{button}: {address}");
        html = page(&app, address.split('#').next().unwrap()).await;
        assert!(html.contains(expected), "{button}");
    }
    let shown = fields(&html);
    let sent = with(
        &shown,
        &[("do", "paste:storage.luns:end:0"), ("ui.paste.storage.luns", "X:\tnew\tsan\t7\nY:\tnew\tsan\t8")],
    );
    let response = send(&app, &still(), "/", &sent).await;
    let html = page(&app, header(&response, "location").split('#').next().unwrap()).await;
    assert!(html.contains("value=\"X:\"") && html.contains("value=\"Y:\""));
    let shown = fields(&html);
    let sent = with(&shown, &[("do", "preset-vm:0"), ("ui.preset.0", "biztalk-server")]);
    let response = send(&app, &still(), "/", &sent).await;
    let html = page(&app, header(&response, "location").split('#').next().unwrap()).await;
    assert!(html.contains("value=\"BizTalk server\"") || html.contains("BizTalk"));
}

#[tokio::test]
async fn with_script_only_the_answer_is_sent() {
    let app = TestApp::new().await;
    let shown = fields(&page(&app, "/").await);
    let response = send(&app, &still(), "/answer", &with(&shown, &[("host.memory_gib", "64")])).await;
    assert!(header(&response, "hx-push-url").starts_with("/?s="));
    let html = response.text().await.unwrap();
    assert_eq!(headline(&html), "6 SQL Server VMs fit.");
    assert!(!html.contains("<form") && html.contains("hx-swap-oob"));
    let response = send(&app, &still(), "/answer", &with(&shown, &[("host.memory_gib", "much")])).await;
    assert_eq!(header(&response, "hx-retarget"), "#problems");
    let html = response.text().await.unwrap();
    assert!(html.contains("data-place=\"host.memory_gib\"") && !html.contains("class=\"headline\""));
    let response = send(&app, &still(), "/form", &with(&shown, &[("do", "add:storage.luns")])).await;
    let html = response.text().await.unwrap();
    assert!(html.contains("data-focus=\"storage.luns.0\"") && html.contains("id=\"answer\""));
}

/// A form of a thousand LUNs has no address; it is shown all the same.
#[tokio::test]
async fn a_very_long_form_is_shown_without_an_address() {
    let app = TestApp::new().await;
    let shown = fields(&page(&app, "/").await);
    let rows: String =
        (0..900).map(|i| format!("LUN-{i}-{}\tdata {}\tsan\t1\n", i * 7919 % 9973, i * 31 % 977)).collect();
    let sent = with(&shown, &[("do", "paste:storage.luns:end:0"), ("ui.paste.storage.luns", &rows)]);
    let response = send(&app, &still(), "/", &sent).await;
    assert_eq!(response.status(), 200);
    let html = response.text().await.unwrap();
    assert!(html.contains("name=\"storage.luns.899.name\""));
    headline(&html);
}

#[tokio::test]
async fn files_of_an_unsaved_form() {
    let app = TestApp::new().await;
    let html = page(&app, "/").await;
    let shown = fields(&html);
    let link = shown.iter().find(|(name, _)| name == "ui.good").map(|(_, link)| link.clone()).unwrap();
    for (path, kind, start) in [
        ("report.pdf", "application/pdf", b"%PDF".as_slice()),
        ("report.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", b"PK"),
        ("scenario.json", "application/json", b"{"),
    ] {
        let response = app.get(&format!("/{path}?s={link}")).send().await.unwrap();
        assert_eq!((response.status().as_u16(), header(&response, "content-type")), (200, kind));
        assert!(header(&response, "content-disposition").contains("filename=\"vmfit-biztalk-databases-on-one-dl580."));
        assert!(response.bytes().await.unwrap().starts_with(start), "{path}");
    }
    let pressed = send(&app, &still(), "/", &with(&shown, &[("do", "pdf")])).await;
    let linked = app.get(&format!("/report.pdf?s={link}")).send().await.unwrap();
    assert_eq!(pressed.bytes().await.unwrap(), linked.bytes().await.unwrap(), "the same form, the same bytes");
    assert_eq!(app.get("/report.pdf?s=garbage").send().await.unwrap().status(), 422);
    assert_eq!(app.get("/report.pdf").send().await.unwrap().status(), 422);
}

/// The JSON that the page gives is what the API answers with the same numbers.
#[tokio::test]
async fn page_and_api_agree() {
    let app = TestApp::new().await;
    for start in ["example-dl580", "biztalk-guide-lab", "biztalk-group", "vhd-shared", "vsan-review-cluster"] {
        let html = page(&app, &format!("/?start={start}")).await;
        let link = fields(&html).into_iter().find(|(name, _)| name == "ui.good").unwrap().1;
        let scenario = app.get(&format!("/scenario.json?s={link}")).send().await.unwrap().text().await.unwrap();
        let answer = super::super::app::json(app.post("/api/v1/sizings", scenario).send().await.unwrap()).await;
        assert_eq!(answer["headline"], headline(&html), "{start}");
    }
}

#[tokio::test]
async fn a_biztalk_rate_is_asked_for_in_the_form() {
    let app = TestApp::new().await;
    let shown = fields(&page(&app, "/").await);
    let wanted = [("unit.0.vm.kind", "biztalk"), ("biztalk.scenario", "messaging"), ("biztalk.docs_per_s", "100")];
    let response = send(&app, &still(), "/", &with(&shown, &wanted)).await;
    let html = page(&app, header(&response, "location")).await;
    assert!(html.contains("BizTalk documents per second"), "{html}");
    assert!(html.contains("id=\"more.biztalk\"") && html.contains("value=\"100\""));
    // Wrong ones are told at their field.
    let response = send(&app, &still(), "/", &with(&shown, &[("biztalk.docs_per_s", "-1")])).await;
    let html = page(&app, header(&response, "location")).await;
    assert!(html.contains("data-place=\"biztalk.docs_per_s\"") || html.contains("e-biztalk.docs_per_s"), "{html}");
}
