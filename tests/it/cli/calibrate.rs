use serde_json::Value;

use super::{EXAMPLE_FILE, run, run_with};

const TABLE: &str = "fixtures/measurements/sql08_table4_oltp.csv";

#[test]
fn the_json_is_a_model_that_sizes() {
    let arguments =
        ["calibrate", "--native", TABLE, "--guest", TABLE, "--vcpus", "4", "--base", "hyperv-2008-sql", "--id", "ours"];
    let ran = run(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let model: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(model["id"], "ours");
    let built_in: Value =
        serde_json::from_slice(&std::fs::read("fixtures/overhead-models/hyperv-2008-sql.json").unwrap()).unwrap();
    let likely = |model: &Value, place: usize| model["coefficients"][place]["likely"].as_f64().unwrap();
    for place in 0..4 {
        assert!((likely(&model, place) - likely(&built_in, place)).abs() < 1e-9, "{}", model["coefficients"][place]);
    }
    let mut scenario: Value = serde_json::from_slice(&std::fs::read(EXAMPLE_FILE).unwrap()).unwrap();
    scenario["overhead"] = model;
    let sized = run_with(&["size", "-", "--format", "json"], scenario.to_string().as_bytes());
    assert_eq!((sized.code, sized.err.as_str()), (0, ""));
    assert_eq!(serde_json::from_str::<Value>(&sized.out).unwrap()["fit"]["likely"], 3);
    let fit: Value = serde_json::from_str(&run(&[&arguments[..], &["--format", "fit"]].concat()).out).unwrap();
    assert_eq!(fit["fits"][0]["calibration"]["loads"]["residuals"].as_array().unwrap().len(), 3);
}

#[test]
fn the_text_shows_every_pair() {
    let table = "fixtures/measurements/xen_sysbench.csv";
    let ran = run(&["calibrate", "--native", table, "--guest", table]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for told in ["0.88 %", "2.54 %", "1.33 %", "25.80 %", "the loss alone"] {
        assert!(ran.out.contains(told), "{told}: {}", ran.out);
    }
}

#[test]
fn what_cannot_be_compared_is_named() {
    for (arguments, told) in [
        (&["calibrate"][..], "--native and --guest"),
        (&["calibrate", "--native", TABLE], "--guest"),
        (
            &["calibrate", "--native", "fixtures/imports/sqlio.txt", "--guest", "fixtures/imports/diskspd.txt"],
            "threads: 8 natively, 2 in the guest",
        ),
        (&["calibrate", "--native", TABLE, "--guest", TABLE, "--base", "nonsense"], "allowed: none"),
        (&["calibrate", "--native", TABLE, "--guest", TABLE, "--id", "Not An Id"], "--id"),
        (&["calibrate", "--native", TABLE, "--guest", TABLE, "--attach", "by-mail"], "pass_through"),
        (&["calibrate", "--curve", TABLE], "no disk run"),
        (&["calibrate", "--native", "Cargo.toml", "--guest", TABLE], "no format was recognized"),
    ] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}
