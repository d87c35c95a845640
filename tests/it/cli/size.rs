use serde_json::Value;

use super::{EXAMPLE_FILE, run, run_with};
use crate::app::EXAMPLE;

#[test]
fn text_begins_with_the_answer() {
    let ran = run(&["size", EXAMPLE_FILE]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("3 SQL Server VMs fit"), "{}", ran.out);
    assert!(ran.out.contains("Memory stops the fourth"), "{}", ran.out);
    assert!(!ran.out.contains('\x1b') && !ran.out.contains('█'), "colour and bars are for terminals");
    for line in ran.out.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn the_text_of_every_example() {
    for example in vmfit::store::examples() {
        let ran = run_with(&["size", "-"], example.scenario.to_string().as_bytes());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", example.id);
        insta::assert_snapshot!(format!("size-{}", example.id), ran.out);
    }
}

#[test]
fn json_stands_alone() {
    let ran = run(&["size", EXAMPLE_FILE, "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(answer["fit"]["likely"], 3);
    assert!(answer.get("curves").is_none());
    let with_curves = run(&["size", EXAMPLE_FILE, "--format", "json", "--curves"]);
    assert!(serde_json::from_str::<Value>(&with_curves.out).unwrap()["curves"].is_object());
}

#[test]
fn standard_input_is_read() {
    let ran = run_with(&["size", "-", "--format=json"], EXAMPLE.as_bytes());
    assert_eq!(ran.out, run(&["size", EXAMPLE_FILE, "--format=json"]).out);
}

#[test]
fn nothing_fits_is_an_answer() {
    let small = EXAMPLE.replace("\"memory_gib\": 32", "\"memory_gib\": 4");
    let ran = run_with(&["size", "-", "--format=json"], small.as_bytes());
    assert_eq!(ran.code, 0);
    assert_eq!(serde_json::from_str::<Value>(&ran.out).unwrap()["fit"]["likely"], 0);
}

#[test]
fn every_wrong_field_has_its_line() {
    let wrong = EXAMPLE.replace("\"memory_gib\": 32", "\"memory_gib\": -1").replace("\"sockets\": 4", "\"sockets\": 0");
    let ran = run_with(&["size", "-"], wrong.as_bytes());
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.err);
    assert!(ran.err.contains("/host/memory_gib: ") && ran.err.contains("/host/sockets: "), "{}", ran.err);
    assert!(ran.err.contains("65,536"), "what is allowed is told: {}", ran.err);
}

#[test]
fn input_that_is_no_scenario() {
    for (input, told) in [(&b"{"[..], "not JSON"), (&[0xff, 0x00][..], "not JSON"), (&[b' '; 2 << 20][..], "larger")] {
        let ran = run_with(&["size", "-"], input);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (2, "", 1), "{}", ran.err);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
    for path in ["no/such/file.json", "src"] {
        let ran = run(&["size", path]);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{}", ran.err);
        assert!(ran.err.contains(path), "{}", ran.err);
    }
}

#[test]
fn escape_signs_in_a_file_do_not_reach_the_terminal() {
    let wrong = EXAMPLE.replace("HP DL580", "\\u001b[31mred");
    let ran = run_with(&["size", "-"], wrong.as_bytes());
    assert_eq!(ran.code, 2);
    assert!(!ran.err.contains('\x1b'), "{:?}", ran.err);
}
