//! The PDF: what is in it, for whom it is readable, and that no text breaks it.

use std::fs;
use std::process::Command;

use vmfit::report::pdf::{Accuracy, AccuracyRow, DocumentMeta, Renderer, render};

use crate::documents::{SCENARIOS, answer_of, example, hostile_texts, input, input_with_text, with_text};

fn meta() -> DocumentMeta {
    DocumentMeta { created: Some("2026-03-04T05:06:07Z".to_owned()), accuracy: None }
}

/// Runs a program of poppler on a PDF and returns what it prints.
fn poppler(program: &str, options: &[&str], pdf: &[u8]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("report.pdf");
    fs::write(&path, pdf).expect("a file");
    let mut command = Command::new(program);
    command.args(options).arg(&path);
    if program == "pdftotext" {
        command.arg("-");
    }
    let output = command.output().expect("poppler-utils are installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text with all white space made one blank.
fn text(pdf: &[u8]) -> String {
    let text = poppler("pdftotext", &["-layout"], pdf).replace('\u{200b}', "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn pages(pdf: &[u8]) -> usize {
    let info = poppler("pdfinfo", &[], pdf);
    let line = info.lines().find_map(|line| line.strip_prefix("Pages:")).expect("a count of pages");
    line.trim().parse().expect("a number")
}

#[test]
fn tells_answer_and_everything_behind_it() {
    let (answer, input) = example();
    let pdf = render(&answer, &input, &meta()).expect("a report");
    let text = text(&pdf);
    for expected in [
        answer.headline.as_str(),
        &answer.binding.reason,
        &answer.binding.to_fit_one_more,
        "Capacity report",
        "BizTalk databases on one DL580",
        "2026-03-04",
        &answer.model_version,
        "What was given",
        "Result for each resource",
        "Predicted latency and response time",
        "What one more needs",
        "How the answer moves",
        "Arithmetic",
        "Assumptions",
        "What was not checked",
        "Sources",
        "30,358.2",
        "8,192 + 32 + 7 × 8 = 8,280 MiB",
        "Running SQL Server 2008 in a Hyper-V Environment",
        "rule of thumb",
    ] {
        assert!(text.contains(expected), "'{expected}' is missing in\n{text}");
    }
    let pages = pages(&pdf);
    for page in 1..=pages {
        assert!(text.contains(&format!("page {page} of {pages}")), "page {page}");
    }
    assert!(!text.contains("How accurate the model is"), "left out without figures");
}

#[test]
fn the_first_page_alone_answers() {
    for (name, _) in SCENARIOS {
        let input = input(name);
        let answer = answer_of(&input);
        let pdf = render(&answer, &input, &meta()).expect("a report");
        let first = poppler("pdftotext", &["-layout", "-l", "1"], &pdf).replace('\u{200b}', "");
        let first = first.split_whitespace().collect::<Vec<_>>().join(" ");
        for expected in [answer.headline.as_str(), "Use of each resource", "Chance that at least so many fit"] {
            assert!(first.contains(expected), "{name}: '{expected}' is missing on page 1\n{first}");
        }
    }
}

#[test]
fn is_tagged_archivable_and_described() {
    let (answer, input) = example();
    let pdf = render(&answer, &input, &meta()).expect("a report");
    let info = poppler("pdfinfo", &[], &pdf);
    let line = |name: &str| {
        let line = info.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.trim().to_owned()
    };
    assert_eq!(line("Title:"), "BizTalk databases on one DL580");
    assert_eq!(line("Tagged:"), "yes");
    assert!(line("Page size:").contains("A4"), "{info}");
    assert!(line("CreationDate:").contains("2026"), "{info}");
    let metadata = poppler("pdfinfo", &["-meta"], &pdf);
    assert!(metadata.contains("<pdfaid:part>2</pdfaid:part>"), "{metadata}");
    assert!(metadata.contains("<pdfaid:conformance>A</pdfaid:conformance>"), "{metadata}");
    let structure = poppler("pdfinfo", &["-struct-text"], &pdf);
    for expected in ["H1", "Table", "TH", "Figure"] {
        assert!(structure.contains(expected), "{expected} is no part of the structure");
    }
}

#[test]
fn bookmarks_lead_to_the_sections() {
    let (answer, input) = example();
    let pdf = render(&answer, &input, &meta()).expect("a report");
    let outlines = pdf.windows(9).any(|bytes| bytes == b"/Outlines");
    assert!(outlines, "no bookmarks");
}

#[test]
fn the_same_answer_gives_the_same_bytes() {
    for (name, _) in SCENARIOS {
        let input = input(name);
        let answer = answer_of(&input);
        let first = render(&answer, &input, &meta()).expect("a report");
        assert_eq!(first, render(&answer, &input, &meta()).expect("a report"), "{name}");
        let undated = render(&answer, &input, &DocumentMeta::default()).expect("a report");
        assert_eq!(undated, render(&answer, &input, &DocumentMeta::default()).expect("a report"), "{name}");
    }
}

#[test]
fn no_text_breaks_it() {
    let (answer, input) = example();
    for hostile in hostile_texts() {
        let answer = with_text(&answer, &hostile);
        let input = input_with_text(&input, &hostile);
        let begin: String = hostile.chars().take(40).collect();
        let pdf = render(&answer, &input, &meta()).unwrap_or_else(|error| panic!("{begin:?}: {error}"));
        assert!(pdf.starts_with(b"%PDF-1.7"), "{begin:?}");
    }
}

#[test]
fn markup_is_shown_as_it_was_typed() {
    let (answer, input) = example();
    let hostile = "#panic(\"x\") $x^2$ *bold* [link] <b>";
    let pdf = render(&with_text(&answer, hostile), &input, &meta()).expect("a report");
    assert!(text(&pdf).contains(hostile));
}

/// A letter without a glyph is replaced, and the reader is told once.
#[test]
fn letters_that_the_fonts_do_not_have() {
    let (answer, input) = example();
    let told = "stands for a letter";
    let plain = render(&answer, &input, &meta()).expect("a report");
    assert!(!text(&plain).contains(told));
    let mut named = input;
    named["host"]["model"] = "東京".into();
    let replaced = render(&answer, &named, &meta()).expect("a report");
    assert!(text(&replaced).contains(told));
}

#[test]
fn the_accuracy_of_the_model_is_told_where_it_is_known() {
    let (answer, input) = example();
    let accuracy = Accuracy {
        about: "Against 42 published measurements.".to_owned(),
        beside: vec![("memory".into(), "Memory: median error 0.6 %.".into())],
        rows: vec![AccuracyRow {
            kind: "CPU overhead".to_owned(),
            set: "held_out".to_owned(),
            cases: 42,
            median_abs_error_percent: 1.25,
            mean_abs_error_percent: 2.5,
            coverage_percent: 90.5,
        }],
    };
    let pdf = render(&answer, &input, &DocumentMeta { accuracy: Some(accuracy), ..meta() }).expect("a report");
    let text = text(&pdf);
    for expected in [
        "Memory: median error 0.6 %.",
        "How accurate the model is",
        "Against 42 published measurements.",
        "held out",
        "90.5",
    ] {
        assert!(text.contains(expected), "{expected}");
    }
}

#[test]
fn an_answer_without_anything_has_a_report() {
    let (mut answer, _) = example();
    answer.resources.clear();
    answer.volumes.clear();
    answer.transactions.clear();
    answer.advice.clear();
    answer.sensitivity.clear();
    answer.not_checked.clear();
    answer.overhead.coefficients.clear();
    answer.binding.remedies.clear();
    answer.fit.probability.clear();
    answer.curves = None;
    for input in [serde_json::json!({}), serde_json::json!(null), serde_json::json!({ "unknown": 1 })] {
        render(&answer, &input, &DocumentMeta::default()).expect("a report");
    }
}

#[tokio::test]
async fn reports_of_a_server_are_those_of_the_command() {
    let (answer, input) = example();
    let renderer = Renderer::new(2);
    let (one, two, three) = tokio::join!(
        renderer.render(&answer, &input, meta()),
        renderer.render(&answer, &input, meta()),
        renderer.render(&answer, &input, meta()),
    );
    let expected = render(&answer, &input, &meta()).expect("a report");
    for made in [one, two, three] {
        assert_eq!(made.expect("a report"), expected);
    }
}
