//! The back-test: what must come out, the command, its schema and its page.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use vmfit::report::backtest::{self, CaseResult};

fn backtest(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_vmfit")).arg("backtest").args(args).output().expect("the program runs")
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn cases(prefix: &str) -> Vec<&'static CaseResult> {
    let found: Vec<_> = backtest::summary().cases.iter().filter(|case| case.id.starts_with(prefix)).collect();
    assert!(!found.is_empty(), "{prefix}");
    found
}

fn off(case: &CaseResult) -> f64 {
    (case.predicted - case.measured).abs()
}

#[test]
fn every_case_file_is_read_and_within_its_tolerance() {
    if let Err(problems) = backtest::built_in() {
        panic!("{}", problems.join("\n"));
    }
    let files = std::fs::read_dir(root().join("fixtures/backtest")).expect("cases").count();
    assert_eq!(backtest::summary().cases.len(), files);
    let outside: Vec<_> = backtest::summary().outside_tolerance().map(|case| &case.id).collect();
    assert!(outside.is_empty(), "{outside:?}");
}

#[test]
fn the_published_tables_come_out() {
    for case in cases("sql08-table4-").iter().filter(|case| !case.id.ends_with("left-out")) {
        assert!(off(case) <= if case.id.contains("root") { 1.0 } else { 0.5 }, "{case:?}");
    }
    for metric in ["total-iops", "read-iops", "write-iops", "throughput"] {
        cases(&format!("bts-iometer-{metric}")).iter().for_each(|case| assert!(off(case) <= 1.0, "{case:?}"));
    }
    for case in cases("bts-iometer-added-") {
        assert!(case.error_percent.abs() <= 5.0, "{case:?}");
    }
    for vm in ["vsan-review-tps", "vsan-review-tps-slowest-vm", "vsan-review-tps-fastest-vm"] {
        let case = cases(vm).into_iter().find(|case| case.id == vm).expect("the case");
        assert!(case.error_percent.abs() <= 0.5, "{case:?}");
    }
    for case in cases("bts-memory-") {
        assert_eq!(case.predicted, case.measured, "{case:?}");
    }
    for case in cases("biztalk2010-").iter().filter(|case| case.id.ends_with("server-left-out")) {
        assert!(case.error_percent.abs() <= 12.0, "{case:?}");
        if case.id.contains("third") {
            assert!(case.predicted < 100.0 && case.measured < 100.0, "{case:?}");
        }
    }
}

#[test]
fn every_kind_has_cases_and_both_sets_are_told_apart() {
    let accuracy = backtest::summary();
    for kind in vmfit::domain::case::CaseKind::ALL {
        assert!(accuracy.summary.iter().any(|row| row.kind == kind.as_str()), "no case of {kind:?}");
    }
    let all = |set: &str| accuracy.summary.iter().find(|row| row.kind == "all" && row.set == set).expect("a row");
    assert_eq!(all("training").cases + all("held_out").cases, accuracy.cases.len());
    assert_eq!(accuracy.held_out_cases, all("held_out").cases);
    assert!(accuracy.headline.contains(&accuracy.held_out_cases.to_string()), "{}", accuracy.headline);
}

#[test]
fn json_has_the_published_fields() {
    let output = backtest(&["--format", "json"]);
    assert!(output.status.success());
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON alone");
    for field in [
        "id",
        "kind",
        "set",
        "predicted",
        "low",
        "high",
        "measured",
        "unit",
        "error_percent",
        "inside",
        "within_tolerance",
        "source",
    ] {
        assert!(told["cases"][0].get(field).is_some(), "{field}");
    }
    for field in ["kind", "set", "cases", "median_abs_error_percent", "mean_abs_error_percent", "coverage_percent"] {
        assert!(told["summary"][0].get(field).is_some(), "{field}");
    }
    assert_eq!(output.stdout, backtest(&["--format", "json"]).stdout);
}

#[test]
fn a_folder_takes_the_place_of_the_cases_inside() {
    let folder = tempfile::tempdir().expect("a folder");
    let one = std::fs::read_to_string(root().join("fixtures/backtest/bts-memory-1-vm.json")).expect("a case");
    std::fs::write(folder.path().join("mine.json"), &one).expect("written");
    let output = backtest(&[path(folder.path()), "--format", "json"]);
    assert_eq!(output.status.code(), Some(0));
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(told["cases"].as_array().map(Vec::len), Some(1));
    // The same case with another measurement is outside its tolerance: told in full, and on standard error.
    std::fs::write(folder.path().join("mine.json"), one.replace("2388", "3000")).expect("written");
    let output = backtest(&[path(folder.path())]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("OUTSIDE"));
    assert!(String::from_utf8_lossy(&output.stderr).contains("bts-memory-1-vm"));
}

#[test]
fn every_problem_of_every_file_is_told_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write(
        "a.json",
        r#"{ "id": "a", "kind": "memory", "set": "spare", "given": { "scenario": { "host": { "sockets": -1 } } } }"#,
    );
    write("b.json", "not JSON");
    write("c.json", r#"{ "kind": "biztalk", "unit": "GB", "given": { "biztalk": { "servers": 0 } }, "measured": -3 }"#);
    let output = backtest(&[path(folder.path())]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    for wanted in [
        "a.json: /set",
        "a.json: /given/scenario/host/sockets",
        "a.json: /given/scenario/unit",
        "a.json: /measured",
        "b.json",
        "c.json: /given/biztalk/servers",
        "c.json: /given/biztalk/work",
        "c.json: /measured",
        "c.json: /unit",
    ] {
        assert!(told.lines().any(|line| line.contains(wanted)), "{wanted} is missing in\n{told}");
    }
    assert!(output.stdout.is_empty());
    for missing in ["/no/such/folder", path(&root().join("src"))] {
        assert_eq!(backtest(&[missing]).status.code(), Some(2), "{missing}");
    }
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path that is a text")
}

/// To write the two files anew: `vmfit backtest --schema > docs/backtest-case.schema.json`, `vmfit backtest --format
/// markdown > docs/accuracy.md`.
#[test]
fn schema_and_page_are_in_step() {
    let kept = |name: &str| std::fs::read_to_string(root().join("docs").join(name)).unwrap_or_default();
    let schema = serde_json::to_string_pretty(&backtest::schema()).expect("JSON") + "\n";
    assert!(kept("backtest-case.schema.json") == schema, "docs/backtest-case.schema.json is not what --schema prints");
    let page = backtest::markdown(backtest::summary());
    assert!(kept("accuracy.md") == page, "docs/accuracy.md is not what --format markdown prints");
}
