//! Files of other tools on the pages: what is in them, and the model of a pair.

use reqwest::Response;

use super::super::app::{TestApp, header};
use super::{page, pairs, still};

/// Native, root and guest rows of "Running SQL Server 2008 in a Hyper-V Environment", table 4.
const TABLE_4: &str = include_str!("../../../fixtures/measurements/sql08_table4_oltp.csv");
const IOMETER: &str = include_str!("../../../fixtures/imports/iometer-nested.csv");
const LOG: &str = "\"(PDH-CSV 4.0)\",\"\\\\A\\Processor(_Total)\\% Processor Time\",\"\\\\A\\Memory\\Committed Bytes\"\r\n\
                   \"08/13/2026 10:00:00.000\",\"40\",\"4294967296\"\r\n\
                   \"08/13/2026 11:00:00.000\",\"44\",\"4294967296\"\r\n\
                   \"08/13/2026 22:00:00.000\",\"90\",\"4294967296\"\r\n";

/// A field of a form: its value, or a file's name and text.
enum Part<'a> {
    Text(&'a str, &'a str),
    File(&'a str, &'a str, &'a str),
}
use Part::{File, Text};

/// Sends a form as a browser does.
async fn upload(app: &TestApp, path: &str, parts: &[Part<'_>]) -> Response {
    let mut body = String::new();
    for part in parts {
        body.push_str("--edge\r\nContent-Disposition: form-data; ");
        body.push_str(&match part {
            Text(name, value) => format!("name=\"{name}\"\r\n\r\n{value}\r\n"),
            File(name, file, text) => {
                format!("name=\"{name}\"; filename=\"{file}\"\r\nContent-Type: text/plain\r\n\r\n{text}\r\n")
            }
        });
    }
    body.push_str("--edge--\r\n");
    let request = app.client.post(format!("{}{path}", app.address));
    request.header("content-type", "multipart/form-data; boundary=edge").body(body).send().await.unwrap()
}

/// The page and its status.
async fn shown(response: Response) -> (u16, String) {
    (response.status().as_u16(), response.text().await.unwrap())
}

/// Where the first link with these words leads.
fn target(html: &str, words: &str) -> String {
    let end = html.find(&format!("\">{words}</a>")).unwrap_or_else(|| panic!("no {words}: {html}"));
    let from = html[..end].rfind("href=\"").unwrap() + 6;
    html[from..end].replace("&#38;", "&").replace("&amp;", "&")
}

#[tokio::test]
async fn a_result_of_another_tool_is_shown_with_units() {
    let app = TestApp::new().await;
    assert!(page(&app, "/imports").await.contains("Read it"));
    let (status, html) = shown(upload(&app, "/imports", &[File("file", "<b>.csv", IOMETER)]).await).await;
    assert_eq!(status, 200, "{html}");
    for told in ["269.73", "higher is better", "the books do not balance", "What was ignored"] {
        assert!(html.contains(told), "{told}: {html}");
    }
    assert!(!html.contains("<b>.csv"));
}

#[tokio::test]
async fn a_log_becomes_a_vm_that_the_form_opens_with() {
    let app = TestApp::new().await;
    let parts =
        [Text("processors", "4"), Text("business_hours", "8-18"), Text("percentile", ""), File("file", "a.csv", LOG)];
    let (status, html) = shown(upload(&app, "/imports", &parts).await).await;
    assert_eq!(status, 200, "{html}");
    assert!(html.contains("2 of 3 samples count") && html.contains("<svg"), "{html}");
    assert!(html.contains("value=\"8-18\""), "what was asked stays in the form");
    let form = page(&app, &target(&html, "Size with this VM")).await;
    let of = |name: &str| {
        let fields = super::fields(&form);
        fields.into_iter().find(|(own, _)| own == name).map(|(_, value)| value)
    };
    assert_eq!(of("unit.0.vm.cpu.busy_percent").as_deref(), Some("44"));
    assert_eq!(of("unit.0.vm.memory_gib").as_deref(), Some("4"));
    assert_eq!(of("unit.0.vm.vcpus").as_deref(), Some("3"));
}

#[tokio::test]
async fn what_cannot_be_read_is_told_on_the_page() {
    let app = TestApp::new().await;
    for (parts, told) in [
        (vec![], "Choose a file"),
        (vec![File("file", "empty.csv", "")], "Choose a file"),
        (vec![File("file", "notes.txt", "a shopping list")], "notes.txt: no format was recognized"),
        (vec![File("file", "<i>x</i>", "milk")], "&#60;i&#62;x&#60;/i&#62;"),
        (vec![Text("format", "fio"), File("file", "a.csv", IOMETER)], "not a fio result"),
        (vec![Text("format", "abacus"), File("file", "a.csv", IOMETER)], "abacus"),
        (vec![Text("percentile", "200"), File("file", "a.csv", LOG)], "aria-invalid=\"true\""),
        (vec![Text("percentile", "many"), File("file", "a.csv", LOG)], "aria-invalid=\"true\""),
        (vec![Text("business_hours", "9 to 5"), File("file", "a.csv", LOG)], "aria-invalid=\"true\""),
    ] {
        let (status, html) = shown(upload(&app, "/imports", &parts).await).await;
        assert_eq!(status, 422, "{told}");
        assert!(html.contains(told), "{told}: {html}");
    }
    // Every wrong field is told at itself.
    let parts = [
        Text("percentile", "200"),
        Text("concurrency", "-1"),
        Text("backup_window", "9-9"),
        File("file", "a.csv", LOG),
    ];
    let (_, html) = shown(upload(&app, "/imports", &parts).await).await;
    assert_eq!(html.matches("aria-invalid=\"true\"").count(), 3, "{html}");
    let (_, html) = shown(upload(&app, "/imports", &[Text("machine", "B"), File("file", "a.csv", LOG)]).await).await;
    assert!(html.contains("B is not possible; allowed: A."), "{html}");
    let plain = app.client.post(format!("{}/imports", app.address)).body("x").send().await.unwrap();
    assert_eq!(plain.status(), 415);
    let cut = app.client.post(format!("{}/imports", app.address));
    let cut = cut.header("content-type", "multipart/form-data; boundary=edge").body("--edge\r\nContent-Disp");
    assert_eq!(cut.send().await.unwrap().status(), 400);
    let many: Vec<Part> = (0..600).map(|_| Text("a", "b")).collect();
    assert_eq!(upload(&app, "/imports", &many).await.status(), 422);
}

#[tokio::test]
async fn a_pair_becomes_a_model_that_can_be_kept_and_tried() {
    let app = TestApp::new().await;
    let parts = [
        Text("vcpus", "4"),
        Text("id", "table-4"),
        Text("name", "Table 4"),
        Text("base", "hyperv-2008-sql"),
        File("native", "table.csv", TABLE_4),
        File("guest", "table.csv", TABLE_4),
    ];
    let (status, html) = shown(upload(&app, "/calibrations", &parts).await).await;
    assert_eq!(status, 200, "{html}");
    // As docs/model.md has it for pass-through disks.
    for told in ["0.0311", "0.0801", "What the guest loses", "Distance of each load", "Size with it"] {
        assert!(html.contains(told), "{told}: {html}");
    }
    let sized = page(&app, &target(&html, "Size with it")).await;
    assert!(sized.contains("SQL Server VMs fit") && sized.contains("Table 4"), "{sized}");

    let from = html.find("name=\"model\" value=\"").unwrap() + 20;
    let model = html[from..from + html[from..].find('"').unwrap()].replace("&#34;", "\"").replace("&#38;", "&");
    let kept = still().post(format!("{}/models", app.address));
    let kept = kept.header("content-type", "application/x-www-form-urlencoded");
    let kept = kept.body(pairs(&[("model", &model)])).send().await.unwrap();
    assert_eq!(kept.status(), 303, "{}", kept.text().await.unwrap());
    assert!(header(&kept, "location").starts_with("/models"));
    assert!(page(&app, "/models").await.contains("table-4"));
}

#[tokio::test]
async fn pairs_that_do_not_match_are_named() {
    let app = TestApp::new().await;
    let sysbench = include_str!("../../../fixtures/imports/sysbench-1.0-cpu.txt");
    let wrong = "a shopping list";
    for (parts, told) in [
        (vec![File("native", "n", IOMETER)], "Choose at least one result of the guest."),
        (vec![File("guest", "g", IOMETER)], "Choose at least one result of the native machine."),
        (vec![File("native", "n", sysbench), File("guest", "g", IOMETER)], "mode"),
        (vec![File("native", "milk.txt", wrong), File("guest", "g", IOMETER)], "milk.txt: no format was recognized"),
        (vec![Text("vcpus", "-1"), File("native", "n", IOMETER), File("guest", "g", IOMETER)], "vCPU"),
        (
            vec![Text("id", "No Id!"), File("native", "n", IOMETER), File("guest", "g", IOMETER)],
            "aria-invalid=\"true\"",
        ),
        (vec![Text("base", "nobody"), File("native", "n", IOMETER), File("guest", "g", IOMETER)], "nobody"),
        (vec![Text("attach", "glue"), File("native", "n", IOMETER), File("guest", "g", IOMETER)], "glue"),
    ] {
        let (status, html) = shown(upload(&app, "/calibrations", &parts).await).await;
        assert_eq!(status, 422, "{told}: {html}");
        assert!(html.contains(told), "{told}: {html}");
    }
}

#[tokio::test]
async fn kept_benchmarks_are_compared_by_their_ids() {
    let app = TestApp::new().await;
    let result = |rate: f64, role: &str| {
        serde_json::json!({
            "mode": "cpu", "parameters": { "cpu_max_prime": 10000, "threads": 2 },
            "environment": { "hypervisor": if role == "guest" { "hyper-v" } else { "none" }, "role": role,
                             "cpu_model": "A", "cores": 2, "threads": 2, "memory_gib": 8, "os": "an OS" },
            "tool": { "name": "vmfit", "version": "0.1.0" },
            "threads": 2, "duration_s": 10.0, "events": (rate * 10.0) as u64, "events_per_s": rate, "better": "higher",
            "latency_ms": { "min": 0.1, "avg": 2000.0 / rate, "p50": 0.1, "p95": 0.2, "p99": 0.3, "max": 1.0 },
            "cpu_percent": 99.0, "valid": true, "warnings": [], "runs": []
        })
    };
    let mut ids = Vec::new();
    for (rate, role) in [(1000.0, "bare_metal"), (900.0, "guest")] {
        let kept = app.post("/api/v1/benchmarks", result(rate, role).to_string()).send().await.unwrap();
        ids.push(header(&kept, "location").rsplit('/').next().unwrap().to_owned());
    }
    let html = page(&app, &format!("/calibrations?native={}&guest={}", ids[0], ids[1])).await;
    assert!(html.contains("cpu: 10 %") && html.contains("Xen, 2008"), "{html}");
    let unknown = app.get("/calibrations?native=0190b1c2-0000-7000-8000-000000000000&guest=x").send().await.unwrap();
    assert_eq!(unknown.status(), 404);
    assert!(page(&app, "/calibrations?native=7&guest=x").await.contains("Make the model"));
}
