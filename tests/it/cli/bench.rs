use serde_json::Value;

use super::{files_in, run};

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn a_result_has_the_fields_of_the_contract() {
    let ran = run(&["bench", "cpu", "--threads", "1", "--time", "0.2", "--warmup", "0", "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let result = json(&ran.out);
    for field in [
        "mode",
        "parameters",
        "environment",
        "threads",
        "duration_s",
        "events",
        "events_per_s",
        "better",
        "latency_ms",
        "cpu_percent",
        "valid",
        "warnings",
        "runs",
    ] {
        assert!(result.get(field).is_some(), "{field} is missing: {result}");
    }
    for field in ["hypervisor", "role", "cpu_model", "cores", "threads", "memory_gib", "os"] {
        assert!(result["environment"].get(field).is_some(), "{field} is missing: {result}");
    }
    for field in ["min", "avg", "p50", "p95", "p99", "max"] {
        assert!(result["latency_ms"][field].as_f64() > Some(0.0), "{field}: {result}");
    }
    assert_eq!(result["parameters"]["cpu_max_prime"], 10_000);
    assert_eq!(result["mode"], "cpu");
}

#[test]
fn text_is_the_default_and_a_file_gets_json() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("result.json");
    let ran = run(&["bench", "empty", "--time", "0.1", "--warmup", "0", "--out", file.to_str().unwrap()]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("empty: 1 thread"), "{}", ran.out);
    assert_eq!(json(&std::fs::read_to_string(&file).unwrap())["mode"], "empty");
    assert_eq!(files_in(folder.path()), ["result.json"]);
}

#[test]
fn a_disk_is_tested_and_nothing_stays_behind() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let options = ["bench", "fileio", "--path", path, "--size", "8MiB", "--time", "0.2", "--ramp", "0", "--cached"];
    let ran = run(&[&options[..], &["--format", "json", "--outstanding", "1,4"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let result = json(&ran.out);
    for field in
        ["read_iops", "write_iops", "read_mib_s", "write_mib_s", "read_latency_ms", "write_latency_ms", "outstanding"]
    {
        assert!(!result[field].is_null(), "{field} is missing: {result}");
    }
    assert_eq!(result["points"].as_array().map(Vec::len), Some(2));
    assert!(files_in(folder.path()).is_empty());
}

#[test]
fn what_cannot_be_is_one_line_each_with_flag_and_value() {
    for (arguments, lines) in [
        (&["cpu", "--threads", "0", "--repeat", "0"][..], &["--threads 0: allowed", "--repeat 0: allowed"][..]),
        (&["memory", "--block-size", "100B"], &["--block-size 100: allowed"]),
        (&["mutex", "--locks", "0"], &["--locks 0: allowed"]),
        (&["fileio", "--path", "/nowhere/at/all"], &["--path '/nowhere/at/all': allowed"]),
        (&["fileio", "--path", ".", "--profile", "oracle"], &["--profile oracle: allowed is sql-data"]),
        (&["jbb", "--warehouses", "0"], &["--warehouses 0: allowed"]),
        (&["network", "--connect", "x:1", "--compressible", "0"], &["--compressible 0: allowed"]),
        (&["cpu", "--time", "-1"], &["--time -1: allowed"]),
        (&["cpu", "--out", "/nowhere/at/all"], &["--out '/nowhere/at/all': allowed"]),
        (&["cpu", "--submit", "nowhere"], &["--submit nowhere: allowed"]),
    ] {
        let ran = run(&[&["bench"], arguments].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), lines.len(), "{arguments:?}: {}", ran.err);
        for (line, told) in ran.err.lines().zip(lines) {
            assert!(line.contains(told), "{line} lacks {told}");
        }
    }
}

#[test]
fn nobody_to_submit_to_is_told_after_the_result_was_printed() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let url = format!("http://{free}");
    let ran = run(&["bench", "cpu", "--time", "0.1", "--warmup", "0", "--submit", &url]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("events per second"), "{}", ran.out);
    assert!(ran.err.contains(&format!("{url}/api/v1/benchmarks")), "{}", ran.err);
}

#[test]
fn the_modes_are_listed_and_the_schema_is_published() {
    let list = run(&["bench", "list"]);
    let listed = json(&run(&["bench", "list", "--format", "json"]).out);
    for mode in listed.as_array().unwrap() {
        assert!(list.out.contains(mode["name"].as_str().unwrap()), "{mode}");
    }
    let schema = json(&run(&["bench", "schema"]).out);
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(schema["$defs"]["Environment"].is_object(), "{schema}");
}
