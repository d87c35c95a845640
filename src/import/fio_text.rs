//! fio's report for people, and its terse line of version 3. The JSON says more; these are read because they are what is
//! often kept.

use super::error::ImportError;
use super::format::{Input, Options};
use super::number::{after, leading, number, size_kib};
use super::result::{Direction, Imported, Run, shown};

const MOST_BYTES: u64 = 64 << 20;

pub fn recognizes(head: &str) -> bool {
    head.lines().any(|line| line.starts_with("fio-") && line[4..].starts_with(|c: char| c.is_ascii_digit()))
        && head.contains("(groupid=")
}

pub fn recognizes_terse(head: &str) -> bool {
    head.lines().any(is_terse)
}

fn is_terse(line: &str) -> bool {
    line.starts_with("3;fio-") && line.matches(';').count() > 60
}

/// # Errors
/// A file too large, or without a group in it.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let text = input.whole("fio-text", MOST_BYTES)?;
    let (mut depth, mut block) = (None, None);
    let mut current: Option<(Run, &str)> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(version) =
            trimmed.strip_prefix("fio-").filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        {
            into.tool.version = Some(shown(version));
            into.tool.generation = Some(version.chars().take_while(char::is_ascii_digit).collect());
        } else if let Some((_, options)) = trimmed.split_once(": (g=") {
            depth = after(options, "iodepth=");
            block = options.split_once("bs=").and_then(|(_, rest)| {
                size_kib(rest.trim_start_matches("(R) ").split(['-', ',']).next().unwrap_or_default())
            });
        } else if let Some((name, rest)) = trimmed.split_once(": (groupid=") {
            close(current.take(), into);
            let mut run = Run::new("fileio");
            run.label = Some(shown(name));
            (run.threads, run.outstanding, run.block_kib) = (after(rest, "jobs="), depth, block);
            run.valid = after(rest, "err=").is_none_or(|error| error == 0.0);
            current = Some((run, ""));
        } else if let Some((run, side)) = &mut current {
            group_line(run, side, trimmed);
        }
    }
    close(current, into);
    if into.runs.is_empty() {
        return Err(ImportError::NotThat {
            format: "fio-text",
            why: "no line '(groupid=' with I/O is in it".to_owned(),
        });
    }
    Ok(())
}

fn group_line(run: &mut Run, side: &mut &str, line: &str) {
    for (mark, name) in [("read:", "read"), ("read :", "read"), ("write:", "write"), ("write :", "write")] {
        if let Some(rest) = line.strip_prefix(mark) {
            *side = name;
            // `IOPS=2254, BW=9019KiB/s (9235kB/s)(35.3MiB/4005msec)`; 12.3k is thousands.
            run.add_some(
                &format!("{name}_iops"),
                with_letter(rest, "IOPS=").or(with_letter(rest, "iops=")),
                "1/s",
                Direction::Higher,
            );
            let kib = rest.split_once("BW=").and_then(|(_, bw)| size_kib(bw.split("/s").next().unwrap_or_default()));
            run.add_some(&format!("{name}_mib_s"), kib.map(|kib| kib / 1024.0), "MiB/s", Direction::Higher);
            let ms =
                rest.rsplit_once('/').and_then(|(_, time)| leading(time)).filter(|(_, unit)| unit.starts_with("msec"));
            run.duration_s = run.duration_s.or(ms.map(|(ms, _)| ms / 1000.0));
            return;
        }
    }
    if line.starts_with("fsync/fdatasync") || line.starts_with("cpu ") {
        *side = "";
        if line.starts_with("fsync") {
            // Threads are in a flush as well, which is no I/O of the rates.
            run.note("fsync", true);
        }
    }
    let factor = match () {
        () if line.starts_with("lat (nsec)") => 1e-6,
        () if line.starts_with("lat (usec)") => 1e-3,
        () if line.starts_with("lat (msec)") => 1.0,
        () => return,
    };
    // Buckets of all I/O start with the same words and have no average.
    if let (false, Some(mean)) = (side.is_empty(), after(line, "avg=")) {
        run.add(&format!("{side}_latency_avg_ms"), mean * factor, "ms", Direction::Lower);
        run.add_some(
            &format!("{side}_latency_min_ms"),
            with_letter(line, "min=").map(|v| v * factor),
            "ms",
            Direction::Lower,
        );
        run.add_some(
            &format!("{side}_latency_max_ms"),
            with_letter(line, "max=").map(|v| v * factor),
            "ms",
            Direction::Lower,
        );
    }
}

/// A number that may be followed by k or M for thousands and millions.
fn with_letter(line: &str, key: &str) -> Option<f64> {
    let (value, rest) = leading(&line[line.find(key)? + key.len()..])?;
    Some(match rest.chars().next() {
        Some('k' | 'K') => value * 1e3,
        Some('M') => value * 1e6,
        _ => value,
    })
}

fn close(current: Option<(Run, &str)>, into: &mut Imported) {
    let Some((mut run, _)) = current else { return };
    if totals(&mut run) {
        into.read.records += 1;
        into.runs.push(run);
    }
}

/// Totals over reads and writes; whether there was any I/O.
fn totals(run: &mut Run) -> bool {
    let rate = |run: &Run, side: &str| run.metric(&format!("{side}_iops")).unwrap_or(0.0);
    let (reads, writes) = (rate(run, "read"), rate(run, "write"));
    let iops = reads + writes;
    if iops <= 0.0 {
        return false;
    }
    run.add("iops", iops, "1/s", Direction::Higher);
    run.read_percent = Some(reads / iops * 100.0);
    let time = |side: &str, rate: f64| run.metric(&format!("{side}_latency_avg_ms")).map_or(0.0, |ms| ms * rate);
    let mean = (time("read", reads) + time("write", writes)) / iops;
    if mean > 0.0 {
        run.add("latency_avg_ms", mean, "ms", Direction::Lower);
    }
    run.check_little("iops", "latency_avg_ms");
    if run.parameters.contains_key("fsync")
        && let Some(law) = &mut run.littles_law
    {
        (law.stated, law.holds) = (None, None);
    }
    true
}

/// Terse fields from 0: 1 version, 2 job, 4 error, 5 and on the reads: KiB, KiB/s, IOPS, ms; the writes 41 fields later.
const READS: usize = 5;
const WRITES: usize = 46;
/// Mean of submission to completion within a direction, µs.
const LATENCY_MEAN: usize = 34;

/// # Errors
/// A file too large, or without a terse line.
pub fn read_terse(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let text = input.whole("fio-terse", MOST_BYTES)?;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if !is_terse(line) {
            into.ignore("line", "not a terse line of version 3");
            continue;
        }
        let fields: Vec<&str> = line.split(';').collect();
        let at = |index: usize| fields.get(index).and_then(|field| number(field));
        into.tool.version = fields.get(1).map(|version| shown(version.trim_start_matches("fio-")));
        into.tool.generation = fields
            .get(1)
            .map(|version| version.trim_start_matches("fio-").chars().take_while(char::is_ascii_digit).collect());
        let mut run = Run::new("fileio");
        run.label = fields.get(2).map(|name| shown(name));
        run.valid = at(4).is_none_or(|error| error == 0.0);
        for (name, from) in [("read", READS), ("write", WRITES)] {
            if at(from + 2).is_some_and(|iops| iops > 0.0) {
                run.add_some(&format!("{name}_iops"), at(from + 2), "1/s", Direction::Higher);
                run.add_some(
                    &format!("{name}_mib_s"),
                    at(from + 1).map(|kib| kib / 1024.0),
                    "MiB/s",
                    Direction::Higher,
                );
                let mean = at(from + LATENCY_MEAN).map(|us| us / 1000.0);
                run.add_some(&format!("{name}_latency_avg_ms"), mean, "ms", Direction::Lower);
                run.duration_s = run.duration_s.or(at(from + 3).map(|ms| ms / 1000.0));
                let size = at(from).zip(at(from + 2)).zip(at(from + 3));
                run.block_kib = run.block_kib.or(size.and_then(|((kib, iops), ms)| block(kib, iops * ms / 1000.0)));
            }
        }
        if totals(&mut run) {
            into.read.records += 1;
            into.runs.push(run);
        }
    }
    if into.runs.is_empty() {
        return Err(ImportError::NotThat {
            format: "fio-terse",
            why: "no terse line of version 3 with I/O is in it".to_owned(),
        });
    }
    Ok(())
}

/// Block size from bytes and operations, where it comes out near a power of two.
fn block(kib: f64, ios: f64) -> Option<f64> {
    let size = kib / ios;
    let power = libm::exp2(libm::round(libm::log2(size)));
    ((size / power - 1.0).abs() < 0.02).then_some(power)
}
