//! Logs of Performance Monitor, made for each trait.

use super::super::perfmon::{Knobs, Span};
use super::*;

const HEADER: [&str; 12] = [
    r"\\DB1\Processor(0)\% Processor Time",
    r"\\DB1\Processor(1)\% Processor Time",
    r"\\DB1\Processor(_Total)\% Processor Time",
    r"\\DB1\Memory\Committed Bytes",
    r"\\DB1\LogicalDisk(E:)\Disk Reads/sec",
    r"\\DB1\LogicalDisk(E:)\Disk Writes/sec",
    r"\\DB1\LogicalDisk(E:)\Disk Read Bytes/sec",
    r"\\DB1\LogicalDisk(E:)\Disk Write Bytes/sec",
    r"\\DB1\PhysicalDisk(0 E:)\Disk Reads/sec",
    r"\\DB1\Network Interface(isatap.x)\Bytes Total/sec",
    r"\\DB1\Network Interface(NIC 1)\Bytes Total/sec",
    r"\\DB1\MSSQL$APP:SQL Statistics\Batch Requests/sec",
];

struct Log {
    text: String,
    delimiter: char,
    comma: bool,
}

impl Log {
    fn new(delimiter: char, comma: bool, header: &[&str]) -> Self {
        let cells: Vec<String> = std::iter::once("(PDH-CSV 4.0) (Romance Standard Time)(-60)")
            .chain(header.iter().copied())
            .map(|cell| format!("\"{cell}\""))
            .collect();
        Self { text: cells.join(&delimiter.to_string()) + "\r\n", delimiter, comma }
    }

    fn row(&mut self, time: &str, values: &[f64]) {
        let cell = |value: &f64| {
            let text = value.to_string();
            if self.comma { format!("\"{}\"", text.replace('.', ",")) } else { format!("\"{text}\"") }
        };
        let cells: Vec<String> = std::iter::once(format!("\"{time}\"")).chain(values.iter().map(cell)).collect();
        self.text.push_str(&(cells.join(&self.delimiter.to_string()) + "\r\n"));
    }
}

/// A day of samples every 5 minutes: 40 % busy by day, 10 % at night, and a backup from 22:00 on that reads a lot.
fn day(delimiter: char, comma: bool) -> Log {
    let mut log = Log::new(delimiter, comma, &HEADER);
    log.text.push_str("\"08/13/2026 00:00:00.000\"");
    log.text.push_str(&format!("{delimiter}\" \"").repeat(HEADER.len()));
    log.text.push_str("\r\n");
    for sample in 1..288_u32 {
        let (hour, minute) = (sample / 12, sample % 12 * 5);
        let busy = (8..18).contains(&hour);
        let reads = if hour >= 22 {
            5000.0
        } else if busy {
            120.0 + f64::from(sample % 5)
        } else {
            10.0
        };
        let batches = if busy { 500.0 + f64::from(sample % 7) * 10.0 } else { 20.0 };
        let cpu = 2.0 + batches * 0.08;
        let values = [
            cpu,
            cpu,
            cpu,
            6e9,
            reads,
            60.0,
            reads * 8192.0,
            60.0 * 8192.0,
            reads,
            1e9,
            if busy { 12.5e6 } else { 1e5 },
            batches,
        ];
        log.row(&format!("08/13/2026 {hour:02}:{minute:02}:00.000"), &values);
    }
    log
}

fn with(text: &[u8], knobs: Knobs) -> Result<Imported, ImportError> {
    import("auto", text, &Options { perfmon: knobs, ..Options::default() })
}

fn hours() -> Knobs {
    let span = |text| Span::parse("--business-hours", text).expect("a span");
    Knobs { business_hours: Some(span("8-18")), backup_windows: vec![span("22:00-02:00")], ..Knobs::default() }
}

#[test]
fn a_day_becomes_a_vm() {
    let text = day(',', false).text + "\r\nExiting, please wait...\r\nThe command completed successfully.\r\n";
    let found = with(text.as_bytes(), hours()).expect("a log");
    let workload = found.workload.expect("a workload");
    assert_eq!((workload.samples, workload.used_samples, workload.processors), (288, 120, Some(2.0)));
    assert_eq!(workload.zone.as_deref(), Some("Romance Standard Time, -60"));
    let vm = &workload.vm;
    assert_eq!(vm["volumes"][0]["name"], "E:");
    assert_eq!((vm["volumes"][0]["read_iops"].as_f64(), vm["volumes"][0]["io_kib"].as_f64()), (Some(124.0), Some(8.0)));
    assert_eq!((vm["network_mb_s"].as_f64(), vm["transactions"]["per_s"].as_f64()), (Some(12.5), Some(560.0)));
    assert_eq!((vm["cpu"]["busy_percent"].as_f64(), vm["cpu"]["of_cores"].as_f64()), (Some(46.8), Some(2.0)));
    assert_eq!((vm["vcpus"].as_u64(), vm["memory_gib"].as_f64()), (Some(2), Some(6.0)));
    assert_eq!(
        workload.missing.iter().map(|missing| missing.pointer.as_str()).collect::<Vec<_>>(),
        ["/volumes/0/size_gib"]
    );
    // 0.08 % of two processors for each batch: 1.6 ms; 2 % of two without any.
    let demand = workload.demand.expect("batches and CPU");
    assert!((demand.cpu_ms_per_batch - 1.6).abs() < 1e-6 && (demand.background_processors - 0.04).abs() < 1e-6);
    let told = |what: &str| found.ignored.iter().find(|ignored| ignored.what == what).map(|ignored| ignored.count);
    assert_eq!((told("line"), told("sample"), told("counters of PhysicalDisk")), (Some(2), Some(168), Some(1)));
    // The VM is one that a scenario takes, once the size is known.
    let mut vm = vm.clone();
    vm["volumes"][0]["size_gib"] = 100.into();
    let scenario = serde_json::json!({ "host": { "sockets": 2, "cores_per_socket": 8, "memory_gib": 64 }, "unit": [ { "vm": vm } ], "overhead": "none" });
    let parsed = crate::domain::parse_scenario(
        &serde_json::to_vec(&scenario).expect("JSON"),
        crate::domain::ModelCatalog::built_in(),
    );
    assert!(parsed.is_ok(), "{parsed:?}");
}

#[test]
fn the_three_knobs_are_apart() {
    let text = day(',', false).text;
    let vm = |knobs| with(text.as_bytes(), knobs).expect("a log").workload.expect("a workload").vm;
    let plain = vm(hours());
    let lower = vm(Knobs { percentile: 50.0, ..hours() });
    let more = vm(Knobs { comfort: 1.5, ..hours() });
    let relaxed = vm(Knobs { target_percent: 20.0, ..hours() });
    let rate = |vm: &serde_json::Value| vm["transactions"]["per_s"].as_f64().expect("a rate");
    assert!(rate(&lower) < rate(&plain) && near(rate(&more), 1.5 * rate(&plain)) && near(rate(&relaxed), rate(&plain)));
    assert_eq!((plain["vcpus"].as_u64(), relaxed["vcpus"].as_u64()), (Some(2), Some(5)));
    assert_eq!(relaxed["cpu"], plain["cpu"], "the load is what was seen");
    let night = vm(Knobs::default());
    assert_eq!(night["volumes"][0]["read_iops"].as_f64(), Some(5000.0), "the backup counts unless it is left out");
}

#[test]
fn every_way_of_writing_gives_the_same() {
    let wanted = with(day(',', false).text.as_bytes(), hours()).expect("a log").workload.expect("a workload").vm;
    for (delimiter, comma) in [(';', true), (',', true), ('\t', false)] {
        let text = day(delimiter, comma).text;
        let found = with(text.as_bytes(), hours()).expect("a log");
        assert_eq!(found.workload.expect("a workload").vm, wanted, "{delimiter:?} {comma}");
        let utf16: Vec<u8> =
            std::iter::once(0xFEFF_u16).chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let found = with(&utf16, hours()).expect("a log in UTF-16");
        assert_eq!((found.workload.expect("a workload").vm, found.read.encoding), (wanted.clone(), "UTF-16LE"));
    }
}

#[test]
fn languages_give_the_same() {
    let logs = [
        [
            r"\\S\Prozessor(_Total)\Prozessorzeit (%)",
            r"\\S\Physikalischer Datenträger(0 C:)\Lesevorgänge/s",
            r"\\S\Netzwerkschnittstelle(a)\Gesamtanzahl Bytes/s",
        ],
        [
            r"\\S\Procesador(_Total)\% de tiempo de procesador",
            r"\\S\Disco físico(0 C:)\Lecturas de disco/s",
            r"\\S\Interfaz de red(a)\Total de bytes/s",
        ],
        [
            r"\\S\Processeur(_Total)\% Temps processeur",
            r"\\S\Disque physique(0 C:)\Lectures disque/s",
            r"\\S\Interface réseau(a)\Total des octets/s",
        ],
        [
            r"\\S\Процессор(_Total)\% загруженности процессора",
            r"\\S\Физический диск(0 C:)\Обращений чтения с диска/с",
            r"\\S\Сетевой интерфейс(a)\Всего байт/с",
        ],
        [r"\\S\处理器(_Total)\% 处理器时间", r"\\S\物理磁盘(0 C:)\每秒磁盘读取次数", r"\\S\网络接口(a)\每秒总字节数"],
    ];
    for header in logs {
        let mut log = Log::new(';', true, &header);
        (0..10).for_each(|minute| log.row(&format!("08/13/2026 10:{minute:02}:00.000"), &[50.5, 100.0, 1e6]));
        let knobs = Knobs { processors: Some(4.0), memory_gib: Some(8.0), ..Knobs::default() };
        let vm = with(log.text.as_bytes(), knobs).expect(header[0]).workload.expect("a workload").vm;
        assert_eq!(
            (vm["cpu"]["busy_percent"].as_f64(), vm["volumes"][0]["read_iops"].as_f64(), vm["network_mb_s"].as_f64()),
            (Some(50.5), Some(100.0), Some(1.0)),
            "{}",
            header[0]
        );
    }
}

#[test]
fn clocks_duplicates_and_nonsense_are_counted() {
    let mut log = Log::new(',', false, &HEADER[2..3]);
    for (time, value) in [
        ("10:00:00", 50.0),
        ("10:05:00", 50.0),
        ("10:05:00", 99.0),
        ("09:05:00", 99.0),
        ("10:10:00", -5.0),
        ("10:15:00", f64::NAN),
        ("12:00:00", 50.0),
    ] {
        log.row(&format!("08/13/2026 {time}.000"), &[value]);
    }
    log.text.push_str("\"08/13/2026 12:05:00.000\"\r\n");
    let found = with(log.text.as_bytes(), Knobs::default()).expect("a log");
    let told = |why: &str| found.ignored.iter().find(|ignored| ignored.why.contains(why)).map(|ignored| ignored.count);
    assert_eq!((told("backwards"), told("same time"), told("negative")), (Some(1), Some(1), Some(1)));
    let workload = found.workload.expect("a workload");
    assert_eq!(
        (workload.counters[0].blank, workload.counters[0].negative, workload.counters[0].chosen),
        (2, 1, Some(50.0))
    );
    assert!(
        found.warnings.iter().any(|warning| warning.contains("gap"))
            && found.warnings.iter().any(|warning| warning.contains("fewer cells"))
    );
    assert!(
        found.warnings.iter().any(|warning| warning.contains("50 % of the samples have a value")),
        "{:?}",
        found.warnings
    );
}

#[test]
fn machines_are_not_mixed() {
    let mut log =
        Log::new(',', false, &[r"\\A\Processor(_Total)\% Processor Time", r"\\B\Processor(_Total)\% Processor Time"]);
    log.row("08/13/2026 10:00:00.000", &[10.0, 90.0]);
    let refused = with(log.text.as_bytes(), Knobs::default()).expect_err("two machines");
    assert_eq!(refused.to_string(), "samples of 2 machines in one file (A, B); name one of them");
    let knobs = |name: &str| Knobs { machine: Some(name.into()), ..Knobs::default() };
    let found = with(log.text.as_bytes(), knobs("b")).expect("one machine").workload.expect("a workload");
    assert_eq!(found.counters[0].chosen, Some(90.0));
    assert!(with(log.text.as_bytes(), knobs("C")).expect_err("no such machine").to_string().contains("allowed: A, B"));
}

#[test]
fn knobs_out_of_range_are_refused() {
    let text = day(',', false).text;
    for (knobs, option) in [
        (Knobs { percentile: 0.0, ..Knobs::default() }, "percentile: 0 is"),
        (Knobs { comfort: f64::NAN, ..Knobs::default() }, "comfort: NaN is"),
        (Knobs { target_percent: 101.0, ..Knobs::default() }, "target_percent: 101 is"),
        (Knobs { memory_gib: Some(-1.0), ..Knobs::default() }, "memory_gib: -1 is"),
    ] {
        assert!(with(text.as_bytes(), knobs).expect_err(option).to_string().contains(option));
    }
}
