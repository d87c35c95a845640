use serde_json::Value;

use super::{run, run_with};

#[test]
fn formats_are_listed() {
    let ran = run(&["import", "list"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for format in ["auto", "perfmon", "vmfit", "fio", "iometer", "diskspd", "sqlio", "hammerdb", "pgbench", "sysbench"]
    {
        assert!(ran.out.lines().any(|line| line.split_whitespace().next() == Some(format)), "{format}: {}", ran.out);
    }
    let json: Value = serde_json::from_str(&run(&["import", "list", "--format", "json"]).out).unwrap();
    assert_eq!(json[0]["name"], "auto");
}

#[test]
fn a_result_is_printed_with_units_and_direction() {
    let file = "fixtures/imports/iometer-nested.csv";
    let ran = run(&["import", "auto", file]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for told in [
        "269.73 1/s       higher is better",
        "1.00 under way, 4 stated: the books do not balance",
        "ignored: 4 × row WORKER",
    ] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
    let json: Value = serde_json::from_str(&run(&["import", "iometer", file, "--format", "json"]).out).unwrap();
    assert_eq!((&json["format"], &json["runs"][0]["threads"]), (&"iometer".into(), &4.0.into()));
    assert_eq!(
        json["runs"][0]["metrics"][0],
        serde_json::json!({ "name": "iops", "value": 269.73, "unit": "1/s", "better": "higher" })
    );
}

#[test]
fn a_log_on_standard_input_becomes_a_vm() {
    let log = "\"(PDH-CSV 4.0)\",\"\\\\A\\Processor(_Total)\\% Processor Time\",\"\\\\A\\Memory\\Committed Bytes\"\r\n\
               \"08/13/2026 10:00:00.000\",\"40\",\"4294967296\"\r\n\"08/13/2026 22:00:00.000\",\"90\",\"4294967296\"\r\n";
    let arguments = ["import", "perfmon", "-", "--format", "json", "--processors", "4", "--business-hours", "8-18"];
    let ran = run_with(&arguments, log.as_bytes());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    let vm = &json["workload"]["vm"];
    assert_eq!(
        (vm["cpu"]["busy_percent"].as_f64(), vm["vcpus"].as_u64(), vm["memory_gib"].as_f64()),
        (Some(40.0), Some(2), Some(4.0))
    );
}

#[test]
fn what_is_wrong_is_one_line() {
    for (arguments, told) in [
        (&["import", "nonsense", "README.md"][..], "allowed: auto, perfmon"),
        (&["import", "auto"], "FILE"),
        (&["import", "auto", "no-such-file"], "no-such-file"),
        (&["import", "auto", "fixtures"], "a folder"),
        (&["import", "auto", "Cargo.toml"], "no format was recognized"),
        (&["import", "fio", "Cargo.toml"], "not a fio result"),
        (&["import", "auto", "fixtures/imports/pgbench.txt", "--percentile", "0"], "1 to 100"),
        (&["import", "auto", "fixtures/imports/pgbench.txt", "--business-hours", "8"], "as 8-18"),
        (&["import", "auto", "fixtures/imports/pgbench.txt", "--concurrency=-1"], "more than 0"),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}
