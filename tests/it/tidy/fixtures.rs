//! Every figure that the project ships says where it was read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{files, read, report, root, shown};

/// The cells of a table, header first.
fn csv(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell, mut quoted) = (Vec::new(), Vec::new(), String::new(), false);
    for c in text.trim_end().chars().chain(['\n']) {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => row.push(std::mem::take(&mut cell)),
            '\n' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            '\r' if !quoted => {}
            c => cell.push(c),
        }
    }
    rows
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", shown(path)))
}

fn says(value: &Value, field: &str) -> bool {
    value[field].as_str().is_some_and(|text| !text.trim().is_empty())
}

fn model_without_source(model: &Value) -> Vec<String> {
    let mut missing = Vec::new();
    for coefficient in model["coefficients"].as_array().into_iter().flatten() {
        for field in ["source", "derivation"] {
            if !says(coefficient, field) {
                missing.push(format!("{} has no {field}", coefficient["name"]));
            }
        }
    }
    if model.get("limits").is_some_and(|limits| !says(limits, "source")) {
        missing.push("limits have no source".to_owned());
    }
    missing
}

fn table_without_source(text: &str) -> Vec<String> {
    let rows = csv(text);
    let Some(column) = rows[0].iter().position(|name| name == "source") else {
        return vec!["no column 'source'".into()];
    };
    let empty = |(line, row): (usize, &Vec<String>)| {
        row.get(column).is_none_or(|cell| cell.trim().is_empty()).then(|| format!("row {line} has no source"))
    };
    rows.iter().enumerate().skip(1).filter_map(empty).collect()
}

/// An index beside the files names each of them, with a source; the files themselves hold only what the program reads.
fn index_without_source(folder: &str) -> Vec<String> {
    let index = json(&root().join(folder).join("index.json"));
    let entries: Vec<&Value> = index.as_array().into_iter().flatten().collect();
    let mut missing: Vec<String> = Vec::new();
    for entry in &entries {
        for field in ["id", "title", "about", "file", "source"] {
            if !says(entry, field) {
                missing.push(format!("{folder}/index.json: {} has no {field}", entry["id"]));
            }
        }
    }
    let listed: BTreeSet<String> = entries.iter().filter_map(|e| e["file"].as_str().map(str::to_owned)).collect();
    let name = |path: PathBuf| path.file_name().map(|n| n.to_string_lossy().into_owned());
    let there: BTreeSet<String> = files(folder).into_iter().filter_map(name).filter(|n| n != "index.json").collect();
    missing.extend(
        there
            .symmetric_difference(&listed)
            .map(|f| format!("{folder}: {f} is in the folder or in the index, not in both")),
    );
    missing
}

#[test]
fn every_fixture_has_a_source() {
    let mut problems = Vec::new();
    for file in files("fixtures") {
        let name = shown(&file);
        let missing = match (name.split('/').nth(1).unwrap_or(""), file.extension().and_then(|e| e.to_str())) {
            ("overhead-models", Some("json")) => model_without_source(&json(&file)),
            ("measurements", Some("csv")) => table_without_source(&read(&file)),
            ("measurements" | "queueing" | "backtest", Some("json")) if says(&json(&file), "source") => Vec::new(),
            ("measurements" | "queueing" | "backtest", Some("json")) => vec!["no field 'source'".to_owned()],
            ("scenarios" | "vm-presets", Some("json")) => Vec::new(),
            // Made for tests, each in the form of a tool: one source for all.
            ("imports", _) if says(&json(&root().join("fixtures/imports/index.json")), "source") => Vec::new(),
            _ => vec!["no rule says where the source of such a file stands".to_owned()],
        };
        problems.extend(missing.into_iter().map(|what| format!("{name}: {what}")));
    }
    problems.extend(["fixtures/scenarios", "fixtures/vm-presets"].into_iter().flat_map(index_without_source));
    report(problems);
}

/// A check that cannot fail keeps nothing: the readers find what they are for.
mod readers {
    use super::*;

    #[test]
    fn a_table_keeps_commas_in_quotes() {
        assert_eq!(csv("a,source\n1,\"x, y\"\n"), [["a", "source"], ["1", "x, y"]]);
        assert_eq!(table_without_source("a,source\n1,\n").len(), 1);
    }
}
