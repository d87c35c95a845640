use serde_json::Value;

use super::{EXAMPLE_FILE, command, files_in, run};
use crate::app::TestApp;

fn is_pdf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"%PDF-") && bytes.trim_ascii_end().ends_with(b"%%EOF")
}

#[test]
fn size_writes_both_documents_beside_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (pdf, xlsx) = (folder.path().join("plan.pdf"), folder.path().join("plan.xlsx"));
    let ran = run(&["size", EXAMPLE_FILE, "--pdf", pdf.to_str().unwrap(), "--xlsx", xlsx.to_str().unwrap()]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("3 SQL Server VMs fit"));
    assert!(is_pdf(&std::fs::read(&pdf).unwrap()));
    assert!(std::fs::read(&xlsx).unwrap().starts_with(b"PK"));
    assert_eq!(files_in(folder.path()), ["plan.pdf", "plan.xlsx"], "nothing half-written stays");
}

#[test]
fn the_same_scenario_gives_the_same_bytes() {
    let report = || command(&["report", EXAMPLE_FILE]).output().unwrap();
    let (one, two) = (report(), report());
    assert!(one.status.success() && is_pdf(&one.stdout));
    assert!(one.stdout == two.stdout);
}

#[test]
fn a_wrong_scenario_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("plan.pdf");
    std::fs::write(folder.path().join("wrong.json"), "{}").unwrap();
    let wrong = folder.path().join("wrong.json");
    for arguments in [["report", wrong.to_str().unwrap(), "--out"], ["size", wrong.to_str().unwrap(), "--pdf"]] {
        let ran = run(&[&arguments[..], &[out.to_str().unwrap()]].concat());
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (2, "", 2), "{}", ran.err);
        assert_eq!(files_in(folder.path()), ["wrong.json"]);
    }
}

#[test]
fn a_folder_that_is_missing_is_told() {
    let ran = run(&["size", EXAMPLE_FILE, "--pdf", "no/such/folder/plan.pdf"]);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (2, "", 1), "{}", ran.err);
    assert!(ran.err.contains("--pdf 'no/such/folder/plan.pdf'"), "{}", ran.err);
}

#[tokio::test]
async fn a_kept_sizing_is_reported_as_the_server_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept.db");
    let app = TestApp::over(&file).await;
    let location = app.save("Kept").await;
    let served = app.get(&format!("{location}.pdf")).send().await.unwrap().bytes().await.unwrap();
    let (id, database) = (location.rsplit('/').next().unwrap(), format!("sqlite://{}", file.display()));
    // While the server runs: two programs over one file.
    let printed = command(&["report", id, "--database", &database]).output().unwrap();
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    assert!(is_pdf(&printed.stdout) && printed.stdout == served);

    let none = run(&["report", "0198c2f0-0000-7000-8000-000000000000", "--database", &database]);
    assert_eq!((none.code, none.err.lines().count()), (2, 1), "{}", none.err);
    let missing = folder.path().join("missing.db");
    let ran = run(&["report", id, "--database", &format!("sqlite://{}", missing.display())]);
    assert_eq!((ran.code, missing.exists()), (2, false), "{}", ran.err);
}

#[tokio::test]
async fn a_kept_sizing_comes_as_documents() {
    let app = TestApp::new().await;
    let location = app.save("Für den <Rat>").await;
    for (ending, kind, begin) in [("pdf", "application/pdf", &b"%PDF-"[..]), ("xlsx", "application/vnd.openxml", b"PK")]
    {
        let response = app.get(&format!("{location}.{ending}")).send().await.unwrap();
        assert_eq!(response.status(), 200);
        assert!(crate::app::header(&response, "content-type").starts_with(kind));
        let name = format!("attachment; filename=\"f-r-den-rat.{ending}\"");
        assert_eq!(crate::app::header(&response, "content-disposition"), name);
        let (one, two) =
            (response.bytes().await.unwrap(), app.get(&format!("{location}.{ending}")).send().await.unwrap());
        assert!(one.starts_with(begin));
        assert_eq!(one, two.bytes().await.unwrap(), "the same sizing gives the same bytes");
    }
    let list: Value = app.get("/api/v1/sizings").send().await.unwrap().json().await.unwrap();
    assert_eq!(list["total"], 1);
}
