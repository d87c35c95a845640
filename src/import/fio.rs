//! fio JSON and JSON+: text before the JSON, latencies in nanoseconds (fio 3) or microseconds (fio 2), jobs of one group
//! merged, percentiles of several jobs from their histograms.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::error::ImportError;
use super::format::{Input, Options};
use super::json;
use super::number::{leading, size_kib};
use super::result::{Direction, Imported, Run, shown};

/// JSON+ with histograms of hundreds of jobs is a few hundred MB.
const MOST_BYTES: u64 = 1 << 30;

pub fn recognizes(head: &str) -> bool {
    head.contains("\"fio version\"")
}

#[derive(Deserialize)]
struct File {
    #[serde(rename = "fio version")]
    version: Option<String>,
    #[serde(rename = "global options", default)]
    global: Map<String, Value>,
    #[serde(default)]
    jobs: Vec<Job>,
    #[serde(default)]
    client_stats: Vec<Job>,
}

#[derive(Deserialize)]
struct Job {
    #[serde(default)]
    jobname: String,
    #[serde(default)]
    groupid: i64,
    #[serde(default)]
    error: i64,
    #[serde(rename = "job options", default)]
    options: Map<String, Value>,
    read: Option<Io>,
    write: Option<Io>,
    trim: Option<Io>,
    usr_cpu: Option<f64>,
    sys_cpu: Option<f64>,
    steadystate: Option<Steady>,
}

#[derive(Deserialize)]
struct Steady {
    attained: Option<i64>,
}

#[derive(Deserialize)]
struct Io {
    bw_bytes: Option<f64>,
    /// KiB/s.
    bw: Option<f64>,
    #[serde(default)]
    iops: f64,
    /// ms
    runtime: Option<f64>,
    #[serde(default)]
    total_ios: f64,
    clat_ns: Option<Times>,
    lat_ns: Option<Times>,
    /// fio 2, µs.
    clat: Option<Times>,
    lat: Option<Times>,
}

#[derive(Deserialize)]
struct Times {
    #[serde(default)]
    min: f64,
    #[serde(default)]
    max: f64,
    #[serde(default)]
    mean: f64,
    #[serde(rename = "N", default)]
    count: f64,
    #[serde(default)]
    percentile: BTreeMap<String, f64>,
    #[serde(default, deserialize_with = "bins")]
    bins: Vec<(u64, u64)>,
}

/// `{ "57088": 12, … }` into pairs, without a map between: a file may hold millions.
fn bins<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<(u64, u64)>, D::Error> {
    struct Visitor;
    impl<'de> serde::de::Visitor<'de> for Visitor {
        type Value = Vec<(u64, u64)>;

        fn expecting(&self, to: &mut std::fmt::Formatter) -> std::fmt::Result {
            to.write_str("bins of a histogram: nanoseconds to counts")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut found = Vec::new();
            while let Some(bin) = map.next_entry::<u64, u64>()? {
                found.push(bin);
            }
            Ok(found)
        }
    }
    from.deserialize_map(Visitor)
}

/// # Errors
/// A file too large, without JSON, or with JSON that breaks off or is none of fio's.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let bytes = input.whole_bytes("fio", MOST_BYTES)?;
    let why = || "no '{' begins a line".to_owned();
    let start = json::start(&bytes).ok_or_else(|| ImportError::NotThat { format: "fio", why: why() })?;
    let before = bytes[..start].split(|&b| b == b'\n').filter(|line| !line.trim_ascii().is_empty()).count();
    for _ in 0..before {
        into.ignore("line before the JSON", "messages of fio, or its report for people");
    }
    let mut files = serde_json::Deserializer::from_slice(&bytes[start..]).into_iter::<File>();
    let file = match files.next() {
        Some(Ok(file)) => file,
        Some(Err(error)) => return Err(json::error("fio", &error)),
        None => return Err(ImportError::NotThat { format: "fio", why: why() }),
    };
    let rest = &bytes[(start + files.byte_offset()).min(bytes.len())..];
    if !rest.trim_ascii().is_empty() {
        into.ignore("text behind the first JSON document", "one document is one result");
    }
    let Some(version) = file.version else {
        return Err(ImportError::NotThat { format: "fio", why: "it has no \"fio version\"".to_owned() });
    };
    into.tool.version = Some(shown(version.trim_start_matches("fio-")));
    // Since fio 3 latencies are nanoseconds and IOPS are measured over another window.
    let number = version.trim_start_matches(|c: char| !c.is_ascii_digit());
    let major: String = number.chars().take_while(char::is_ascii_digit).collect();
    into.tool.generation = Some(major).filter(|major| !major.is_empty());
    let mut groups: BTreeMap<i64, Vec<&Job>> = BTreeMap::new();
    for job in file.jobs.iter().chain(&file.client_stats).filter(|job| job.jobname != "All clients") {
        groups.entry(job.groupid).or_default().push(job);
    }
    for jobs in groups.values() {
        let run = group(jobs, &file.global, into);
        into.read.records += jobs.len() as u64;
        into.runs.extend(run);
    }
    if into.runs.is_empty() {
        return Err(ImportError::NotThat { format: "fio", why: "no job of it did any I/O".to_owned() });
    }
    Ok(())
}

/// An option of a job, or of all.
fn option<'a>(job: &'a Job, global: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    job.options.get(name).or_else(|| global.get(name)).and_then(Value::as_str)
}

fn group(jobs: &[&Job], global: &Map<String, Value>, into: &mut Imported) -> Option<Run> {
    let first = jobs.first()?;
    let mut run = Run::new("fileio");
    run.label = Some(shown(&first.jobname)).filter(|name| !name.is_empty());
    let number = |name: &str| option(first, global, name).and_then(leading).map(|(value, _)| value);
    // With group_reporting one entry stands for all jobs of a group; else each has its own.
    let listed = jobs.len() as f64;
    run.threads = Some(if jobs.len() > 1 { listed } else { number("numjobs").unwrap_or(1.0) });
    run.outstanding = Some(number("iodepth").unwrap_or(1.0));
    run.block_kib = ["bs", "blocksize"].iter().find_map(|name| option(first, global, name).and_then(size_kib));
    for name in ["rw", "readwrite", "ioengine", "direct", "rwmixread", "rate_iops", "rate_process", "size", "fsync"] {
        if let Some(value) = option(first, global, name) {
            run.note(name, shown(value));
        }
    }
    let mut sides: [(&str, Vec<&Io>); 2] = [("read", Vec::new()), ("write", Vec::new())];
    for job in jobs {
        for ((_, side), io) in sides.iter_mut().zip([&job.read, &job.write]) {
            side.extend(io.iter().filter(|io| io.total_ios > 0.0));
        }
        if job.trim.as_ref().is_some_and(|trim| trim.total_ios > 0.0) {
            into.ignore("trim", "the model has no such I/O");
        }
        if job.error != 0 {
            run.valid = false;
            into.warn(format!("job {} ended with error {}", shown(&job.jobname), job.error));
        }
        if job.steadystate.as_ref().and_then(|steady| steady.attained) == Some(0) {
            run.valid = false;
            into.warn(format!("job {}: no steady state was reached", shown(&job.jobname)));
        }
    }
    let mut all: Vec<&Io> = Vec::new();
    for (name, side) in &sides {
        if !side.is_empty() {
            let iops: f64 = side.iter().map(|io| io.iops).sum();
            run.add(&format!("{name}_iops"), iops, "1/s", Direction::Higher);
            run.add(&format!("{name}_mib_s"), side.iter().map(|io| io.mib_s()).sum(), "MiB/s", Direction::Higher);
            latencies(&mut run, &format!("{name}_latency"), side, into);
            all.extend(side);
        }
    }
    if all.is_empty() {
        into.ignore(format!("job {}", first.jobname), "it did no I/O");
        return None;
    }
    let iops: f64 = all.iter().map(|io| io.iops).sum();
    let ios: f64 = all.iter().map(|io| io.total_ios).sum();
    run.add("iops", iops, "1/s", Direction::Higher);
    run.add("ios", ios, "", Direction::Neither);
    run.read_percent = Some(run.metric("read_iops").unwrap_or(0.0) / iops * 100.0).filter(|share| share.is_finite());
    run.duration_s = all.iter().filter_map(|io| io.runtime).map(|ms| ms / 1000.0).reduce(f64::max);
    let weighed: f64 = all.iter().filter_map(|io| Some(io.time()?.0 * io.iops)).sum();
    run.add("latency_avg_ms", weighed / iops, "ms", Direction::Lower);
    let cpu = |of: fn(&Job) -> Option<f64>| jobs.iter().filter_map(|job| of(job)).sum::<f64>() / listed;
    run.add("job_usr_cpu_percent", cpu(|job| job.usr_cpu), "%", Direction::Lower);
    run.add("job_sys_cpu_percent", cpu(|job| job.sys_cpu), "%", Direction::Lower);
    run.check_little("iops", "latency_avg_ms");
    let paced =
        ["rate", "rate_iops", "rate_process", "thinktime"].iter().any(|name| option(first, global, name).is_some());
    if paced && let Some(law) = &mut run.littles_law {
        // Load at a rate of its own leaves slots empty.
        (law.stated, law.holds) = (None, None);
    }
    Some(run)
}

impl Io {
    fn mib_s(&self) -> f64 {
        match (self.bw_bytes, self.bw) {
            (Some(bytes), _) => bytes / (1024.0 * 1024.0),
            (None, Some(kib)) => kib / 1024.0,
            (None, None) => 0.0,
        }
    }

    /// Mean time from submission to completion, ms, and its measure. fio 2 gives µs, fio 3 ns.
    fn time(&self) -> Option<(f64, &Times, f64)> {
        let of = |times: &'_ Option<Times>| times.as_ref().is_some_and(|times| times.mean > 0.0);
        let (times, per_ms) = match () {
            () if of(&self.lat_ns) => (self.lat_ns.as_ref()?, 1e6),
            () if of(&self.clat_ns) => (self.clat_ns.as_ref()?, 1e6),
            () if of(&self.lat) => (self.lat.as_ref()?, 1e3),
            () => (self.clat.as_ref()?, 1e3),
        };
        Some((times.mean / per_ms, times, per_ms))
    }

    fn completions(&self) -> Option<(&Times, f64)> {
        self.clat_ns.as_ref().map(|times| (times, 1e6)).or(self.clat.as_ref().map(|times| (times, 1e3)))
    }
}

/// Mean of submission to completion, and percentiles of the completion times: those of one job as they are printed, those
/// of several from their merged histograms.
fn latencies(run: &mut Run, name: &str, side: &[&Io], into: &mut Imported) {
    let ios: f64 = side.iter().map(|io| io.total_ios).sum();
    let times: Vec<(f64, &Times, f64, f64)> = side
        .iter()
        .filter_map(|io| io.time().map(|(mean, times, per_ms)| (mean, times, per_ms, io.total_ios)))
        .collect();
    if times.is_empty() {
        return;
    }
    let mean = times.iter().map(|(mean, _, _, count)| mean * count).sum::<f64>() / ios;
    run.add(&format!("{name}_avg_ms"), mean, "ms", Direction::Lower);
    let least = times.iter().map(|(_, times, per_ms, _)| times.min / per_ms).fold(f64::INFINITY, f64::min);
    let most = times.iter().map(|(_, times, per_ms, _)| times.max / per_ms).fold(0.0, f64::max);
    run.add(&format!("{name}_min_ms"), least, "ms", Direction::Lower);
    run.add(&format!("{name}_max_ms"), most, "ms", Direction::Lower);
    let completions: Vec<(&Times, f64)> = side.iter().filter_map(|io| io.completions()).collect();
    if let [(one, per_ms)] = completions.as_slice() {
        for (percent, value) in &one.percentile {
            if let Ok(percent) = percent.parse::<f64>() {
                run.add(&format!("{name}_p{percent}_ms"), value / per_ms, "ms", Direction::Lower);
            }
        }
        return;
    }
    if completions.iter().any(|(times, _)| times.bins.is_empty() && times.count > 0.0) {
        into.ignore(
            format!("{name} percentiles"),
            "those of several jobs cannot be added; write JSON+ (with bins) to merge them",
        );
        return;
    }
    let mut merged: BTreeMap<u64, u64> = BTreeMap::new();
    for (times, _) in &completions {
        for &(bin, count) in &times.bins {
            let slot = merged.entry(bin).or_default();
            *slot = slot.saturating_add(count);
        }
    }
    let per_ms = completions.first().map_or(1e6, |&(_, per_ms)| per_ms);
    for percent in [50.0, 90.0, 95.0, 99.0, 99.9] {
        if let Some(bin) = percentile(&merged, percent) {
            run.add(&format!("{name}_p{percent}_ms"), bin as f64 / per_ms, "ms", Direction::Lower);
        }
    }
}

/// The bin in which so many per cent of the values are reached.
fn percentile(merged: &BTreeMap<u64, u64>, percent: f64) -> Option<u64> {
    let total: u128 = merged.values().map(|&count| u128::from(count)).sum();
    let wanted = (total as f64 * percent / 100.0).ceil();
    let mut seen: u128 = 0;
    merged.iter().find_map(|(&bin, &count)| {
        seen += u128::from(count);
        (seen as f64 >= wanted && seen > 0).then_some(bin)
    })
}
