//! SQLIO text: one report a banner `sqlio v1.5.SG`, so a file of many runs is split on it. Its MB are MiB; its latencies
//! are whole milliseconds.

use super::error::ImportError;
use super::format::{Input, Options};
use super::number::{after, leading, number, size_kib};
use super::result::{Direction, Imported, Run, shown};

const MOST_BYTES: u64 = 256 << 20;

pub fn recognizes(head: &str) -> bool {
    head.lines().any(|line| line.trim_start().starts_with("sqlio v"))
        || (head.contains("IOs/sec:") && head.contains("MBs/sec:"))
}

/// # Errors
/// A file too large, or without throughput.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let text = input.whole("sqlio", MOST_BYTES)?;
    let mut run: Option<Run> = None;
    for line in text.lines().map(str::trim) {
        if let Some(version) = line.strip_prefix("sqlio v") {
            close(run.take(), into);
            into.tool.version = Some(shown(version));
            into.tool.generation = version.split('.').next().map(str::to_owned);
            run = Some(Run::new("fileio"));
            continue;
        }
        let Some(run) = &mut run else { continue };
        let threads = line.split_once(" threads ").or(line.split_once(" thread "));
        let verb = threads.filter(|(_, rest)| rest.starts_with("reading") || rest.starts_with("writing"));
        if let Some((before, after_verb)) = verb {
            run.threads = number(before);
            let reads = after_verb.starts_with("reading");
            run.read_percent = Some(if reads { 100.0 } else { 0.0 });
            run.duration_s = after(after_verb, " for ");
            let target = after_verb.rsplit_once(" file ").map(|(_, target)| target);
            run.label = target.map(shown);
        } else if let Some(rest) = line.strip_prefix("using ").filter(|rest| rest.contains(" IOs")) {
            run.block_kib = size_kib(rest.split_whitespace().next().unwrap_or_default());
            run.note("pattern", if rest.contains("random") { "random" } else { "sequential" });
        } else if line.contains(" outstanding") {
            run.outstanding = line.split_whitespace().rev().nth(1).and_then(number);
        } else if let Some(rest) = line.strip_prefix("IOs/sec:") {
            run.add_some("iops", number(rest), "1/s", Direction::Higher);
        } else if let Some(rest) = line.strip_prefix("MBs/sec:") {
            run.add_some("mib_s", number(rest), "MiB/s", Direction::Higher);
        } else if let Some((name, rest)) = line.split_once("_Latency(ms):") {
            let name = format!("latency_{}_ms", name.to_ascii_lowercase());
            run.add_some(&name, leading(rest).map(|(ms, _)| ms), "ms", Direction::Lower);
        } else if line.starts_with("ms:") {
            into.ignore("histogram", "its per cents are whole numbers");
        }
    }
    close(run, into);
    if into.runs.is_empty() {
        return Err(ImportError::NotThat {
            format: "sqlio",
            why: "no banner 'sqlio v' with 'IOs/sec:' after it".to_owned(),
        });
    }
    Ok(())
}

fn close(run: Option<Run>, into: &mut Imported) {
    let Some(mut run) = run else { return };
    let Some(iops) = run.metric("iops") else {
        into.ignore("report", "it breaks off before IOs/sec");
        return;
    };
    let side = if run.read_percent == Some(0.0) { "write" } else { "read" };
    run.add(&format!("{side}_iops"), iops, "1/s", Direction::Higher);
    let mean = run.metric("latency_avg_ms");
    // Whole milliseconds: only a long time is worth a check.
    if mean.is_some_and(|ms| ms >= 10.0) {
        run.check_little("iops", "latency_avg_ms");
    } else {
        run.note("latency_rounded_to_ms", 1);
    }
    into.read.records += 1;
    into.runs.push(run);
}
