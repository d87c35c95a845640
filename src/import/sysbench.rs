//! Reports of sysbench 0.4, 0.5, 1.0 and 1.1, all modes; several reports in one file are several runs.
//!
//! A report says its mode only through what it prints of it: the prime limit, the memory options, the file options, the
//! SQL statistics. `threads` and `mutex` print nothing and look alike but for the number of events: `mutex` runs one
//! event a thread.

use super::error::ImportError;
use super::format::{Input, Options};
use super::number::{after, leading, number, size_kib};
use super::result::{Direction, Imported, Run, shown};

const MOST_BYTES: u64 = 256 << 20;

/// Sysbench changed what an event is and how latency is kept: figures of two generations are not compared.
///
/// 0.4: `per-request statistics`, cpu counts events to a fixed number. 0.5: `response time`, Lua tests. 1.0: rates as the
/// result, latency from a histogram. 1.1: `events/s (eps)`, transactions counted anew.
fn generation(version: &str) -> Option<&'static str> {
    let mut parts = version.split(['.', '+', '-', ' ']);
    match (parts.next()?, parts.next()?) {
        ("0", "4") => Some("0.4"),
        ("0", _) => Some("0.5"),
        ("1", "0") => Some("1.0"),
        ("1", _) => Some("1.1"),
        _ => None,
    }
}

pub fn recognizes(head: &str) -> bool {
    head.lines().take(200).any(|line| line.trim_start().starts_with("sysbench ") && line.contains(['.', ':']))
        || head.contains("Test execution summary:")
        || (head.contains("General statistics:") && head.contains("Threads fairness:"))
}

/// # Errors
/// A file too large, or without any report of sysbench in it.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let text = input.whole("sysbench", MOST_BYTES)?;
    let mut reports: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        if is_banner(line) || reports.is_empty() {
            reports.push(Vec::new());
        }
        if let Some(report) = reports.last_mut() {
            report.push(line);
        }
    }
    let mut generations: Vec<String> = Vec::new();
    for lines in &reports {
        let mut report = Report::default();
        lines.iter().for_each(|line| report.line(line));
        if let Some(version) = &report.version {
            into.tool.version = Some(version.clone());
        }
        if let Some(known) = report.generation() {
            generations.push(known.to_owned());
        }
        report.finish(into);
    }
    generations.sort();
    generations.dedup();
    match generations.as_slice() {
        [one] => into.tool.generation = Some(one.clone()),
        [] => into.warn("the report does not say its version; it is not compared with reports that do"),
        several => {
            into.tool.generation = None;
            into.warn(format!(
                "reports of sysbench {} in one file are not compared with each other",
                several.join(" and ")
            ));
        }
    }
    if into.runs.is_empty() && into.ignored.is_empty() {
        let why = "no line of general statistics, file operations or transactions is in it".to_owned();
        return Err(ImportError::NotThat { format: "sysbench", why });
    }
    Ok(())
}

fn is_banner(line: &str) -> bool {
    let rest = line.strip_prefix("sysbench ");
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// One report as it is read, line by line.
#[derive(Default)]
struct Report {
    version: Option<String>,
    /// Set by words that only one generation prints, where there is no banner.
    told: Option<&'static str>,
    run: Run,
    mode: Option<&'static str>,
    /// Totals from `General statistics` or `Test execution summary`.
    total_s: Option<f64>,
    events: Option<f64>,
    finished: bool,
    without_figures: Option<&'static str>,
    unit_ms: bool,
    intervals: u64,
    rate: Option<f64>,
}

impl Report {
    fn generation(&self) -> Option<&'static str> {
        self.version.as_deref().and_then(generation).or(self.told)
    }

    fn mode(&mut self, mode: &'static str) {
        self.mode = self.mode.or(Some(mode));
    }

    fn line(&mut self, raw: &str) {
        let line = raw.trim();
        if is_banner(raw) {
            let version = raw["sysbench ".len()..].split([' ', ':']).next().unwrap_or_default();
            self.version = Some(shown(version));
            return;
        }
        if line.starts_with('[') && (line.contains("thds:") || line.contains("threads:")) {
            self.intervals += 1;
            return;
        }
        let (key, value) = match line.split_once(':') {
            Some((key, value)) => (key.trim(), value.trim()),
            None => (line, ""),
        };
        match key {
            "Number of threads" => self.run.threads = number(value),
            "Target transaction rate" => self.rate = leading(value).map(|(rate, _)| rate),
            "Prime numbers limit" | "Maximum prime number checked in CPU test" => {
                self.mode("cpu");
                self.run.note("cpu-max-prime", value);
            }
            "block size" | "Memory block size" => {
                self.mode("memory");
                self.run.block_kib = size_kib(value);
            }
            "operation" | "scope" | "total size" => self.run.note(key, shown(value)),
            "General statistics" => self.finished = true,
            // 1.1 prints files so: `read:  IOPS=5502.27 85.97 MiB/s (90.15 MB/s)`.
            "read" | "write" | "fsync" if value.starts_with("IOPS=") => self.file_line(key, value),
            "Test execution summary" => {
                self.finished = true;
                self.told = Some("0.4");
            }
            "Latency (ms)" => self.unit_ms = true,
            "per-request statistics" => self.told = Some("0.4"),
            "response time" if value.is_empty() => self.told = self.told.or(Some("0.5")),
            "events/s (eps)" => {
                self.told = Some("1.1");
                self.run.add_some("events_per_s", number(value), "1/s", Direction::Higher);
            }
            "events per second" => self.run.add_some("events_per_s", number(value), "1/s", Direction::Higher),
            "total time" | "time elapsed" => self.total_s = leading(value).map(|(s, _)| s),
            "total number of events" => self.events = number(value),
            "min" | "avg" | "max" | "sum" | "95th percentile" | "approx.  95 percentile" | "approx. 95 percentile" => {
                self.latency(key, value);
            }
            key if key.ends_with("th percentile") => self.latency(key, value),
            "reads/s" => self.file_rate("read_iops", value),
            "writes/s" => self.file_rate("write_iops", value),
            "fsyncs/s" => self.file_rate("fsyncs_per_s", value),
            "read, MiB/s" => self.run.add_some("read_mib_s", number(value), "MiB/s", Direction::Higher),
            "written, MiB/s" => self.run.add_some("write_mib_s", number(value), "MiB/s", Direction::Higher),
            "transactions" => self.rate_of("transactions", "transactions_per_s", value),
            "queries" => self.rate_of("queries", "queries_per_s", value),
            "read/write requests" => self.rate_of("requests", "requests_per_s", value),
            "deadlocks" | "ignored errors" => {
                self.run.add_some("errors", leading(value).map(|(n, _)| n), "", Direction::Lower)
            }
            "reconnects" => self.run.add_some("reconnects", leading(value).map(|(n, _)| n), "", Direction::Lower),
            "events (avg/stddev)" => self.fairness(value),
            "SQL statistics" | "OLTP test statistics" => self.mode("oltp"),
            "Total operations" | "Operations performed" if line.contains("ops/sec") || line.contains("per second") => {
                self.memory_operations(line);
            }
            _ => self.free_line(line),
        }
    }

    fn file_rate(&mut self, name: &str, value: &str) {
        self.mode("fileio");
        self.run.add_some(name, number(value), "1/s", Direction::Higher);
    }

    fn file_line(&mut self, key: &str, value: &str) {
        let name = if key == "fsync" { "fsyncs_per_s".to_owned() } else { format!("{key}_iops") };
        if let Some((rate, rest)) = leading(&value["IOPS=".len()..]) {
            self.mode("fileio");
            self.run.add(&name, rate, "1/s", Direction::Higher);
            if let (Some((mib_s, unit)), true) = (leading(rest), key != "fsync")
                && unit.trim_start().starts_with("MiB/s")
            {
                self.run.add(&format!("{key}_mib_s"), mib_s, "MiB/s", Direction::Higher);
            }
        }
    }

    /// `1047   (260.83 per sec.)`
    fn rate_of(&mut self, count: &str, rate: &str, value: &str) {
        self.mode("oltp");
        if let Some((number, rest)) = leading(value) {
            self.run.add(count, number, "", Direction::Neither);
            self.run.add_some(rate, after(rest, "("), "1/s", Direction::Higher);
        }
    }

    fn latency(&mut self, key: &str, value: &str) {
        // 0.4 and 0.5 print the unit behind the figure.
        let Some((figure, unit)) = leading(value) else { return };
        if !self.unit_ms && !unit.trim_start().starts_with("ms") {
            return;
        }
        let name = match key {
            "min" | "avg" | "max" => format!("latency_{key}_ms"),
            "sum" => "latency_sum_ms".to_owned(),
            _ => match leading(key.trim_start_matches("approx.")) {
                Some((percent, _)) => format!("latency_p{percent}_ms"),
                None => return,
            },
        };
        let better = if key == "sum" { Direction::Neither } else { Direction::Lower };
        self.run.add(&name, figure, "ms", better);
    }

    fn fairness(&mut self, value: &str) {
        if let Some((mean, spread)) = value.split_once('/') {
            self.run.add_some("thread_events_avg", number(mean), "", Direction::Neither);
            self.run.add_some("thread_events_stddev", number(spread), "", Direction::Lower);
        }
    }

    /// `Total operations: 13463385 (3360662.24 per second)`, in 0.4 `Operations performed: 104857600 (2005021.36 ops/sec)`
    fn memory_operations(&mut self, line: &str) {
        self.mode("memory");
        if let Some((operations, rest)) = line.split_once(':').and_then(|(_, value)| leading(value)) {
            self.run.add("operations", operations, "", Direction::Neither);
            self.run.add_some("events_per_s", after(rest, "("), "1/s", Direction::Higher);
        }
    }

    /// Lines that are no `key: value`.
    fn free_line(&mut self, line: &str) {
        if let Some((_, rest)) = line.split_once("transferred (") {
            // 1.0: `13147.84 MiB transferred (3281.90 MiB/sec)`; 0.4: `102400.00 MB transferred (1958.03 MB/sec)`, binary too.
            self.mode("memory");
            self.run.add_some("mib_s", leading(rest).map(|(rate, _)| rate), "MiB/s", Direction::Higher);
        } else if let Some(rest) = line.strip_prefix("Block size ") {
            self.run.block_kib = size_kib(rest);
        } else if line.starts_with("Read ") && line.contains("Total transferred") {
            self.old_file_throughput(line);
        } else if line.ends_with("Requests/sec executed") {
            self.mode("fileio");
            self.run.add_some("iops", leading(line).map(|(rate, _)| rate), "1/s", Direction::Higher);
        } else if line.starts_with("Operations performed:") {
            self.old_file_operations(line);
        } else if let Some(rest) = line.strip_prefix("Doing ").and_then(|rest| rest.strip_suffix(" test")) {
            match rest {
                "CPU performance benchmark" | "CPU speed" => self.mode("cpu"),
                "thread subsystem performance" => self.mode("threads"),
                "mutex performance" => self.mode("mutex"),
                "memory operations speed" => self.mode("memory"),
                "OLTP" => self.mode("oltp"),
                pattern => {
                    self.mode("fileio");
                    self.run.note("pattern", shown(pattern));
                }
            }
        } else if let Some(rest) = line.strip_prefix("Read/Write ratio for combined random IO test") {
            if let Some(ratio) = after(rest, ":") {
                self.run.note("read_write_ratio", ratio);
            }
        } else if line.starts_with("Using ") && line.ends_with("I/O mode") {
            self.run.note("io_mode", shown(line["Using ".len()..].trim_end_matches(" I/O mode")));
        } else if let Some(flags) = line.strip_prefix("Extra file open flags") {
            self.run.note("open_flags", shown(flags.trim_start_matches([':', ' '])));
        } else if let Some((bytes, rest)) = line.split_once(" bytes written in ") {
            self.mode("prepare");
            self.finished = true;
            self.total_s = leading(rest).map(|(s, _)| s);
            self.run.add_some("bytes", number(bytes), "B", Direction::Neither);
            self.run.add_some("write_mib_s", after(rest, "("), "MiB/s", Direction::Higher);
        } else if line.starts_with("Removing test files") || line.starts_with("Dropping table") {
            self.without_figures = Some("cleaning up prints no figures");
        } else if line.starts_with("Creating table") || line.starts_with("Inserting ") {
            self.without_figures = Some("preparing tables prints no figures");
        }
    }

    /// 0.4 and 0.5: `Operations performed:  6000 Read, 4000 Write, 12800 Other = 22800 Total`
    fn old_file_operations(&mut self, line: &str) {
        self.mode("fileio");
        for part in line["Operations performed:".len()..].split(',') {
            let Some((count, rest)) = leading(part) else { continue };
            let name = match rest.trim_start() {
                rest if rest.starts_with("Read") => "reads",
                rest if rest.starts_with("Write") => "writes",
                _ => continue,
            };
            self.run.add(name, count, "", Direction::Neither);
        }
    }

    /// 0.4 and 0.5: `Read 93.75Mb  Written 62.5Mb  Total transferred 156.25Mb  (3.2Mb/sec)`; Mb is MiB.
    fn old_file_throughput(&mut self, line: &str) {
        self.mode("fileio");
        let Some((_, rate)) = line.rsplit_once('(') else { return };
        let Some((value, unit)) = leading(rate) else { return };
        let factor = match unit.trim_end_matches("/sec)").trim() {
            "Kb" | "KiB" => 1.0 / 1024.0,
            "Mb" | "MiB" => 1.0,
            "Gb" | "GiB" => 1024.0,
            _ => return,
        };
        self.run.add("mib_s", value * factor, "MiB/s", Direction::Higher);
    }

    fn finish(mut self, into: &mut Imported) {
        if self.intervals > 0 {
            for _ in 0..self.intervals {
                into.ignore("intermediate report", "the totals are read");
            }
        }
        if !self.finished {
            match self.without_figures {
                Some(why) => into.ignore("report", why),
                None if self.mode.is_some() || self.run.threads.is_some() => {
                    into.ignore("report", "it breaks off before the general statistics");
                }
                None => {}
            }
            return;
        }
        let per_thread = self.events.zip(self.run.threads).map(|(events, threads)| events / threads);
        // Mutex: each thread is one event. Threads: an event is one pass over the locks, so there are many.
        let silent = if per_thread == Some(1.0) { "mutex" } else { "threads" };
        let mode = self.mode.unwrap_or(silent);
        self.run.mode = mode.to_owned();
        self.run.valid = true;
        self.run.duration_s = self.total_s;
        self.run.add_some(
            "total_s",
            self.total_s,
            "s",
            if self.fixed_work(mode) { Direction::Lower } else { Direction::Neither },
        );
        self.run.add_some("events", self.events, "", Direction::Neither);
        if let Some(rate) = self.rate {
            self.run.note("target_rate_per_s", rate);
        }
        self.derive(mode);
        into.read.records += 1;
        into.runs.push(self.run);
    }

    /// Where the time tells and not the rate: a fixed number of events is worked off.
    fn fixed_work(&self, mode: &str) -> bool {
        matches!(mode, "mutex") || self.generation() == Some("0.4")
    }

    fn derive(&mut self, mode: &str) {
        if let (Some(events), Some(total)) = (self.events, self.total_s.filter(|s| *s > 0.0)) {
            self.run.add("events_per_s", events / total, "1/s", Direction::Higher);
            for (count, rate) in [("reads", "read_iops"), ("writes", "write_iops")] {
                let value = self.run.metric(count).map(|count| count / total);
                self.run.add_some(rate, value, "1/s", Direction::Higher);
            }
        }
        if mode == "fileio" {
            let (reads, writes) = (self.run.metric("read_iops"), self.run.metric("write_iops"));
            let total = reads.unwrap_or(0.0) + writes.unwrap_or(0.0);
            self.run.add("iops", total, "1/s", Direction::Higher);
            if total > 0.0 {
                self.run.read_percent = reads.map(|reads| reads / total * 100.0);
            }
        }
        // At a rate of its own, or with fsyncs and queueing inside the tool, threads are not always in a request.
        let open = self.rate.is_some();
        let rate = if mode == "oltp" { "transactions_per_s" } else { "events_per_s" };
        // Latency is printed to 0.01 ms: below 0.1 ms its rounding alone breaks the books.
        if mode != "prepare" && self.run.metric("latency_avg_ms").is_some_and(|ms| ms >= 0.1) {
            let rate = if self.run.metric(rate).is_some() { rate } else { "events_per_s" };
            self.run.check_little(rate, "latency_avg_ms");
            if open && let Some(law) = &mut self.run.littles_law {
                (law.stated, law.holds) = (None, None);
            }
        }
    }
}
