//! The importers beside the crates that they are measured against, on files that `benches/import.sh` has made.
//!
//!     bench-import perfmon FILE | csv FILE | fio FILE | value FILE
//!
//! Prints seconds, seconds of the processor, which other programs disturb less, and the largest memory that it had, MiB.

use std::fs::File;
use std::time::Instant;

use vmfit::import::{Options, import};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [what, file] = arguments.as_slice() else {
        eprintln!("bench-import perfmon|csv|fio|value FILE");
        return;
    };
    let start = Instant::now();
    let done = match what.as_str() {
        "csv" => records(file),
        "value" => value(file),
        format => imported(format, file),
    };
    let seconds = start.elapsed().as_secs_f64();
    match done {
        Ok(count) => println!("{what} {seconds:.3} s {:.2} CPU-s {} MiB {count}", cpu_s(), most_mib()),
        Err(error) => eprintln!("{what}: {error}"),
    }
}

fn imported(format: &str, file: &str) -> Result<u64, Box<dyn std::error::Error>> {
    Ok(import(format, File::open(file)?, &Options::default())?.read.records)
}

/// Reads every record and looks at no cell: the least that the crate can do.
fn records(file: &str) -> Result<u64, Box<dyn std::error::Error>> {
    let mut reader = csv::Reader::from_path(file)?;
    let (mut record, mut count) = (csv::ByteRecord::new(), 0);
    while reader.read_byte_record(&mut record)? {
        count += 1;
    }
    Ok(count)
}

fn value(file: &str) -> Result<u64, Box<dyn std::error::Error>> {
    let value: serde_json::Value = serde_json::from_slice(&std::fs::read(file)?)?;
    Ok(value["jobs"].as_array().map_or(0, Vec::len) as u64)
}

/// User and system time of the process: fields 14 and 15 of `/proc/self/stat`, in hundredths of a second.
fn cpu_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind = stat.rsplit(')').next().unwrap_or_default();
    let ticks = behind.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn most_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}
