//! What is no file of theirs: an error or a reported skip, never a panic, in bounded memory.

use std::io::Read;

use proptest::prelude::*;

use super::super::FORMATS;
use super::*;

const FIXTURES: [&str; 15] = [
    "sysbench-0.4-fileio.txt",
    "sysbench-0.5-oltp.txt",
    "sysbench-1.0-cpu.txt",
    "sysbench-1.1-fileio.txt",
    "fio-json-plus-two-jobs.json",
    "fio-2-microseconds.json",
    "iometer-nested.csv",
    "iometer-old-mbps.csv",
    "diskspd.xml",
    "diskspd.txt",
    "sqlio.txt",
    "hammerdb.log",
    "hammerdb-job.json",
    "hammerdb-report.json",
    "pgbench.txt",
];

#[test]
fn empty_and_binary_are_told() {
    assert!(matches!(auto(b""), Err(ImportError::Empty)));
    assert!(matches!(auto(b"  \n\n"), Err(ImportError::Empty)));
    assert!(matches!(auto(b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff"), Err(ImportError::Binary { .. })));
    assert!(auto(b"just some words").expect_err("no format").to_string().contains("allowed: auto"));
    for format in &FORMATS {
        for nonsense in [&b"x"[..], b"\xff\xfe", b"\0\0\0\0", b"{", b"[", b"<", b"{}", b"[]", b"\"", b"\xef\xbb\xbf"] {
            let result = import(format.name, nonsense, &Options::default());
            assert!(result.is_err(), "{} of {nonsense:?}: {result:?}", format.name);
        }
    }
}

#[test]
fn cut_files_are_told() {
    for file in FIXTURES {
        let whole = bytes(&format!("imports/{file}"));
        for part in 1..20 {
            let cut = &whole[..whole.len() * part / 20];
            // Half of a text report may hold whole runs; half of a JSON or XML never does.
            let result = auto(cut);
            if file.ends_with(".xml") || file.ends_with(".json") {
                assert!(result.is_err(), "{file} cut to {part} of 20: {result:?}");
            }
        }
    }
}

#[test]
fn a_line_without_end_is_no_use_of_memory() {
    let starts: [&[u8]; 6] = [
        b"\"(PDH-CSV 4.0)\",\"\\\\A\\Processor(_Total)\\% Processor Time\"\n\"08/13/2026 10:00:00.000\",\"1",
        b"\"(PDH-CSV 4.0)\",\"\\\\A\\Processor(_Total)\\% Processor Time",
        b"'Target Type,Target Name,Access Specification Name,IOps\nALL,",
        b"<Results><System><ComputerName>",
        b"sysbench 1.0.20 (",
        b"sqlio v",
    ];
    for start in starts {
        // Ten gigabytes that are never all there.
        let endless = start.chain(std::io::repeat(b'7').take(10 << 30));
        let result = import("auto", endless, &Options::default());
        assert!(result.is_err(), "{}", String::from_utf8_lossy(start));
    }
}

#[test]
fn entities_never_grow() {
    let mut text = "<?xml version=\"1.0\"?><!DOCTYPE Results [<!ENTITY a \"lol\">".to_owned();
    for level in 0..20 {
        text.push_str(&format!(
            "<!ENTITY {0}{0} \"&{1};&{1};&{1};&{1};&{1};&{1};&{1};&{1};\">",
            (b'b' + level) as char,
            (b'a' + level) as char
        ));
    }
    text.push_str(
        "]><Results><System>&uu;</System><TimeSpan><TestTimeSeconds>&uu;</TestTimeSeconds></TimeSpan></Results>",
    );
    assert!(import("diskspd-xml", text.as_bytes(), &Options::default()).is_err());
}

#[test]
fn depth_is_bounded() {
    let xml = "<a>".repeat(100_000);
    assert!(matches!(import("diskspd-xml", xml.as_bytes(), &Options::default()), Err(ImportError::TooDeep { .. })));
    for (format, start) in [
        ("fio", "{\"fio version\":\"fio-3\",\"x\":"),
        ("hammerdb", "{\"schema\":"),
        ("vmfit", "{\"mode\":\"cpu\",\"environment\":"),
    ] {
        let deep = start.to_owned() + &"[".repeat(100_000);
        let result = import(format, deep.as_bytes(), &Options::default());
        assert!(result.is_err(), "{format}");
    }
}

#[test]
fn figures_that_are_none_do_no_harm() {
    let text = String::from_utf8(bytes("imports/fio-2-microseconds.json")).expect("text");
    for (old, new) in [
        ("1000.0", "-5"),
        ("1000.0", "0"),
        ("1000.0", "1e308"),
        ("10000", "0"),
        ("990.0", "-1e308"),
        ("1000.0", "\"many\""),
    ] {
        if let Ok(found) = auto(text.replace(old, new).as_bytes()) {
            assert!(
                found.runs.iter().flat_map(|run| &run.metrics).all(|metric| metric.value.is_finite()),
                "{old} {new}"
            );
        }
    }
    let nan = text.replace("1000.0", "nan");
    assert!(auto(nan.as_bytes()).is_err());
}

proptest! {

    /// Bytes changed, taken out and put in at random places of real files.
    #[test]
    fn mutated_files_never_panic(
        which in 0..FIXTURES.len() + 3,
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8, any::<u8>(), 0..40_usize), 1..12),
        named in any::<prop::sample::Index>(),
        by_name in any::<bool>(),
    ) {
        let tables = ["measurements/sql08_table4_oltp.csv", "measurements/bts_iometer_passthrough.csv", "measurements/xen_sysbench.csv"];
        let mut file = match FIXTURES.get(which) {
            Some(file) => bytes(&format!("imports/{file}")),
            None => bytes(tables[which - FIXTURES.len()]),
        };
        for (place, kind, byte, length) in edits {
            if file.is_empty() { break }
            let at = place.index(file.len());
            let end = (at + length).min(file.len());
            match kind {
                0 => file[at] = byte,
                1 => { file.drain(at..end); }
                2 => { let copy = file[at..end].to_vec(); file.splice(at..at, copy); }
                _ => { file.splice(at..at, b"-1e999,\"NaN\"<{[".iter().copied().take(length)); }
            }
        }
        let format = if by_name { FORMATS[named.index(FORMATS.len())].name } else { "auto" };
        if let Ok(found) = import(format, file.as_slice(), &Options::default()) {
            let json = serde_json::to_string(&found);
            prop_assert!(json.is_ok());
            let files = [found];
            let _ = super::super::calibrate::calibrate(&files, &files, &super::super::calibrate::Given::default());
            let _ = super::super::calibrate::curve(&files);
            let _ = super::super::calibrate::rate(&files, &files);
        }
    }

    /// Logs of any cells at all.
    #[test]
    fn logs_of_anything_never_panic(
        header in prop::collection::vec("[ -~]{0,40}|\\\\\\\\A\\\\(Processor|LogicalDisk)\\((_Total|0|C:)\\)\\\\(% Processor Time|Disk Reads/sec)", 0..6),
        rows in prop::collection::vec((r"0[1-9]/1[0-9]/20[0-9]{2} [0-2][0-9]:[0-5][0-9]:00\.[0-9]{3}|[ -~]{0,30}", prop::collection::vec("[-0-9.,eE\" a-z]{0,12}", 0..6)), 0..20),
    ) {
        let mut text = "\"(PDH-CSV 4.0)\"".to_owned();
        header.iter().for_each(|cell| text.push_str(&format!(",\"{cell}\"")));
        for (time, cells) in rows {
            text.push_str(&format!("\n\"{time}\""));
            cells.iter().for_each(|cell| text.push_str(&format!(",\"{cell}\"")));
        }
        if let Ok(found) = import("perfmon", text.as_bytes(), &Options::default()) {
            prop_assert!(found.workload.is_some_and(|workload| workload.used_samples > 0));
        }
    }
}
