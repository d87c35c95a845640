//! The figures that the files' text shows.

use super::super::{Direction, FORMATS};
use super::*;
use crate::bench::result::BenchResult;

#[test]
fn every_fixture_is_recognized_as_what_it_is() {
    for (file, format) in [
        ("sysbench-0.4-fileio.txt", "sysbench"),
        ("sysbench-0.5-oltp.txt", "sysbench"),
        ("sysbench-1.0-cpu.txt", "sysbench"),
        ("sysbench-1.1-fileio.txt", "sysbench"),
        ("fio-json-plus-two-jobs.json", "fio"),
        ("fio-2-microseconds.json", "fio"),
        ("iometer-nested.csv", "iometer"),
        ("iometer-old-mbps.csv", "iometer"),
        ("diskspd.xml", "diskspd-xml"),
        ("diskspd.txt", "diskspd"),
        ("sqlio.txt", "sqlio"),
        ("hammerdb.log", "hammerdb"),
        ("hammerdb-job.json", "hammerdb"),
        ("hammerdb-report.json", "hammerdb"),
        ("pgbench.txt", "pgbench"),
    ] {
        let found = fixture(file);
        assert_eq!(found.format, format, "{file}");
        assert!(found.read.lines > 0 && found.read.bytes > 0 && found.read.records > 0, "{file}");
        let named = import(format, bytes(&format!("imports/{file}")).as_slice(), &Options::default()).expect(file);
        assert_eq!(named.runs, found.runs, "{file}");
        for metric in found.runs.iter().flat_map(|run| &run.metrics) {
            let timed = metric.unit == "ms" && metric.better == Direction::Higher;
            assert!(!timed, "{file}: a time is better when it is lower: {metric:?}");
        }
    }
}

#[test]
fn sysbench_of_every_generation() {
    let old = fixture("sysbench-0.4-fileio.txt");
    assert_eq!(old.tool.generation.as_deref(), Some("0.4"));
    let run = &old.runs[0];
    assert_eq!(
        (run.mode.as_str(), run.threads, run.block_kib, run.read_percent),
        ("fileio", Some(4.0), Some(16.0), Some(60.0))
    );
    figures(
        run,
        &[
            ("iops", 195.31),
            ("mib_s", 3.0518),
            ("read_iops", 6000.0 / 51.2),
            ("latency_avg_ms", 6.14),
            ("latency_p95_ms", 18.02),
        ],
    );
    // Fixed work: less time is better.
    assert!(run.metrics.iter().any(|metric| metric.name == "total_s" && metric.better == Direction::Lower));

    let middle = fixture("sysbench-0.5-oltp.txt");
    assert_eq!(middle.tool.generation.as_deref(), Some("0.5"));
    let run = &middle.runs[0];
    figures(
        run,
        &[
            ("transactions_per_s", 400.0),
            ("requests_per_s", 7200.0),
            ("latency_avg_ms", 20.0),
            ("latency_max_ms", 92.4),
        ],
    );
    assert_eq!(run.littles_law.and_then(|law| law.holds), Some(true));
    assert_eq!(middle.ignored[0].count, 2, "intermediate reports with and without a comma");

    let new = fixture("sysbench-1.0-cpu.txt");
    assert_eq!((new.tool.version.as_deref(), new.tool.generation.as_deref()), (Some("1.0.20"), Some("1.0")));
    figures(&new.runs[0], &[("events_per_s", 2000.0), ("latency_p95_ms", 1.12), ("total_s", 2.0005)]);

    let newest = fixture("sysbench-1.1-fileio.txt");
    assert_eq!(newest.tool.generation.as_deref(), Some("1.1"));
    figures(
        &newest.runs[0],
        &[("iops", 1000.0), ("read_mib_s", 9.38), ("fsyncs_per_s", 130.0), ("events_per_s", 1130.0)],
    );
    assert_eq!(newest.runs[0].littles_law.and_then(|law| law.holds), Some(true));
}

#[test]
fn sysbench_tells_threads_from_mutex_and_splits_reports() {
    let report = |events: &str| {
        format!(
            "sysbench 1.0.20 (x)\n\nNumber of threads: 4\n\nGeneral statistics:\n    total time:                          2.0000s\n    total number of events:              {events}\n\nThreads fairness:\n"
        )
    };
    let both = auto((report("4") + &report("9000")).as_bytes()).expect("two reports");
    assert_eq!(both.runs.iter().map(|run| run.mode.as_str()).collect::<Vec<_>>(), ["mutex", "threads"]);
    let mixed = auto((report("4") + &report("9000").replace("1.0.20", "0.4.12")).as_bytes()).expect("two reports");
    assert_eq!(mixed.tool.generation, None);
    assert!(mixed.warnings[0].contains("not compared"));
}

#[test]
fn generations_of_sysbench_are_not_compared() {
    let given = super::super::calibrate::Given::default();
    let newer = fixture("sysbench-1.0-cpu.txt");
    let text = String::from_utf8(bytes("imports/sysbench-1.0-cpu.txt")).expect("text").replace("1.0.20", "0.5");
    let older = auto(text.as_bytes()).expect("a report");
    let refused = super::super::calibrate::calibrate(&[older], &[newer], &given).expect_err("generations differ");
    assert!(refused.0[0].contains("tool generation: 0.5 natively, 1.0 in the guest"), "{refused}");
}

#[test]
fn fio_merges_jobs_by_their_histograms() {
    let found = fixture("fio-json-plus-two-jobs.json");
    assert_eq!(found.ignored[0].count, 2, "lines before the JSON");
    let run = &found.runs[0];
    assert_eq!(
        (run.threads, run.outstanding, run.block_kib, run.read_percent),
        (Some(2.0), Some(4.0), Some(4.0), Some(100.0))
    );
    figures(
        run,
        &[
            ("read_iops", 100.0),
            // (100 × 160 + 300 × 53.333) / 400
            ("read_latency_avg_ms", 80.0),
            // 150 at 30 ms, 199 up to 100 ms, 50 at 200 ms, one at 900 ms, of 400.
            ("read_latency_p50_ms", 100.0),
            ("read_latency_p95_ms", 200.0),
            ("read_latency_p99.9_ms", 900.0),
            ("read_mib_s", 100.0 * 4096.0 / 1_048_576.0),
        ],
    );
    let law = run.littles_law.expect("a rate and a time");
    assert!(near(law.implied, 8.0) && law.holds == Some(true));
}

#[test]
fn old_fio_is_in_microseconds() {
    let found = fixture("fio-2-microseconds.json");
    assert_eq!(found.tool.generation.as_deref(), Some("2"));
    figures(
        &found.runs[0],
        &[
            ("iops", 1000.0),
            ("read_latency_avg_ms", 0.992),
            ("read_latency_p99_ms", 4.0),
            ("read_mib_s", 8000.0 / 1024.0),
        ],
    );
}

#[test]
fn iometer_counts_nothing_twice() {
    let found = fixture("iometer-nested.csv");
    assert_eq!(found.runs.len(), 1);
    let run = &found.runs[0];
    assert_eq!((run.threads, run.outstanding, run.block_kib), (Some(4.0), Some(1.0), Some(2.0)));
    figures(
        run,
        &[
            ("iops", 269.73),
            ("read_iops", 180.73),
            ("mib_s", 0.526816),
            ("read_latency_avg_ms", 5.4066),
            ("cpu_percent", 2.1),
        ],
    );
    let law = run.littles_law.expect("a rate and a time");
    assert_eq!((format!("{:.2}", law.implied), law.stated, law.holds), ("1.00".to_owned(), Some(4.0), Some(false)));
    assert!(found.warnings[0].contains("1.00 under way, but 4 are stated"), "{:?}", found.warnings);
    assert_eq!(found.ignored.iter().map(|ignored| ignored.count).sum::<u64>(), 10);
}

#[test]
fn iometer_of_old_means_mib() {
    let found = fixture("iometer-old-mbps.csv");
    assert_eq!(found.runs.len(), 1);
    figures(&found.runs[0], &[("mib_s", 7.8125), ("iops", 1000.0)]);
    assert_eq!(found.runs[0].parameters["mbps_means"], "MiB/s");
    assert_eq!(found.runs[0].littles_law.and_then(|law| law.holds), Some(true));
}

#[test]
fn diskspd_says_the_same_in_both_ways() {
    for file in ["diskspd.xml", "diskspd.txt"] {
        let found = fixture(file);
        let run = &found.runs[0];
        assert_eq!(
            (run.threads, run.outstanding, run.block_kib, run.read_percent),
            (Some(2.0), Some(4.0), Some(8.0), Some(75.0)),
            "{file}"
        );
        figures(
            run,
            &[
                ("iops", 4000.0),
                ("read_iops", 3000.0),
                ("write_latency_avg_ms", 1.0),
                ("cpu_percent", 12.5),
                ("read_latency_p50_ms", 1.5),
            ],
        );
        assert!(
            (figure(run, "read_latency_avg_ms") - 2.333).abs() < 1e-3
                && (figure(run, "latency_avg_ms") - 2.0).abs() < 1e-3
        );
        assert_eq!(run.littles_law.and_then(|law| law.holds), Some(true), "{file}");
    }
}

#[test]
fn sqlio_is_split_on_its_banner() {
    let found = fixture("sqlio.txt");
    assert_eq!(found.runs.len(), 2);
    let (first, second) = (&found.runs[0], &found.runs[1]);
    assert_eq!(
        (first.threads, first.outstanding, first.block_kib, first.read_percent),
        (Some(8.0), Some(8.0), Some(8.0), Some(100.0))
    );
    figures(first, &[("read_iops", 3200.0), ("mib_s", 25.0), ("latency_avg_ms", 20.0)]);
    assert_eq!(first.littles_law.and_then(|law| law.holds), Some(true));
    assert_eq!((second.block_kib, second.read_percent, second.duration_s), (Some(64.0), Some(0.0), Some(60.0)));
    figures(second, &[("write_iops", 900.0)]);
}

#[test]
fn hammerdb_in_words_of_all_versions() {
    figures(&fixture("hammerdb.log").runs[0], &[("nopm", 12_000.0), ("tpm", 27_850.0), ("transactions_per_s", 200.0)]);
    assert_eq!(fixture("hammerdb.log").runs[0].threads, Some(4.0));
    let job = fixture("hammerdb-job.json");
    figures(&job.runs[0], &[("nopm", 17_400.0), ("tpm", 40_000.0)]);
    assert_eq!((job.runs[0].threads, job.runs[0].parameters["database"].as_str()), (Some(8.0), Some("PostgreSQL")));
    let report = fixture("hammerdb-report.json");
    figures(&report.runs[0], &[("nopm", 61_200.0), ("tpm", 141_000.0)]);
    assert_eq!(
        (report.runs[0].threads, report.runs[0].duration_s, report.tool.generation.as_deref()),
        (Some(16.0), Some(300.0), Some("6"))
    );
}

#[test]
fn pgbench_balances_its_books() {
    let found = fixture("pgbench.txt");
    let run = &found.runs[0];
    figures(run, &[("transactions_per_s", 250.0), ("latency_avg_ms", 8.0), ("transactions", 1000.0), ("errors", 0.0)]);
    assert_eq!((run.threads, found.tool.version.as_deref()), (Some(2.0), Some("15.18")));
    assert_eq!(run.littles_law.and_then(|law| law.holds), Some(true));
}

#[test]
fn own_results_come_with_their_repeats() {
    let latency = r#"{ "min": 0.1, "avg": 2.0, "p50": 1.9, "p95": 3.0, "p99": 4.0, "max": 9.0 }"#;
    let run = |rate: f64| {
        format!(
            r#"{{ "duration_s": 10, "events": 10, "events_per_s": {rate}, "latency_ms": {latency}, "cpu_percent": 50, "read_iops": {}, "write_iops": {}, "valid": true }}"#,
            rate * 0.67,
            rate * 0.33
        )
    };
    let text = format!(
        r#"{{ "mode": "fileio", "parameters": {{ "block_bytes": 8192, "read_percent": 67 }}, "environment": {{ "role": "guest", "threads": 4, "clock_source": "kvm-clock" }},
            "tool": {{ "name": "vmfit", "version": "0.1.0" }}, "threads": 1, "duration_s": 20, "events": 20, "events_per_s": 500, "better": "higher",
            "latency_ms": {latency}, "cpu_percent": 50, "valid": true, "warnings": [], "outstanding": 1, "runs": [ {}, {} ] }}"#,
        run(495.0),
        run(505.0)
    );
    assert!(serde_json::from_str::<BenchResult>(&text).is_ok());
    for text in [text.clone(), format!("[{text}]")] {
        let found = auto(text.as_bytes()).expect("a result");
        assert_eq!((found.format, found.runs.len()), ("vmfit", 2));
        let first = &found.runs[0];
        assert_eq!(
            (first.block_kib, first.read_percent, first.processors, first.clock.as_deref()),
            (Some(8.0), Some(67.0), Some(4.0), Some("good"))
        );
        figures(first, &[("iops", 495.0), ("latency_avg_ms", 2.0)]);
        assert_eq!(first.littles_law.and_then(|law| law.holds), Some(true));
    }
}

#[test]
fn names_of_formats_are_different() {
    for (index, format) in FORMATS.iter().enumerate() {
        assert!(FORMATS[..index].iter().all(|other| other.name != format.name) && !format.about.is_empty());
    }
    let unknown = import("nonsense", &b"x"[..], &Options::default()).expect_err("no such format");
    assert!(unknown.to_string().contains("allowed: auto, perfmon"));
}
