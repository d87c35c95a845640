//! DiskSpd's XML (`-Rxml`). The parser knows no entities of a document's own, so nothing in a file can grow.

use std::io::BufReader;

use quick_xml::Reader;
use quick_xml::events::Event;

use super::error::ImportError;
use super::format::{Input, Options};
use super::number::number;
use super::result::{Direction, Imported, Run, shown};
use super::text::LONGEST_LINE;

/// Deepest element that is read; DiskSpd writes nine levels.
const DEEPEST: usize = 64;
const MOST_ELEMENTS: u64 = 20_000_000;
const MOST_BYTES: u64 = 1 << 30;

pub fn recognizes(head: &str) -> bool {
    let start = head.trim_start();
    start.starts_with('<') && head.contains("<Results>") && (head.contains("<Profile>") || head.contains("<System>"))
}

/// Sums over the targets of one time span.
#[derive(Default)]
struct Span {
    seconds: Option<f64>,
    threads: Option<f64>,
    counts: [f64; 2],
    bytes: [f64; 2],
    /// Σ mean × operations, and those operations.
    times: [(f64, f64); 2],
    cpu: Option<f64>,
    percentiles: Vec<(String, [Option<f64>; 2])>,
    target: Target,
}

#[derive(Default)]
struct Target {
    counts: [f64; 2],
    bytes: [f64; 2],
    means: [Option<f64>; 2],
}

impl Span {
    fn end_target(&mut self) {
        let target = std::mem::take(&mut self.target);
        for side in 0..2 {
            self.counts[side] += target.counts[side];
            self.bytes[side] += target.bytes[side];
            if let Some(mean) = target.means[side] {
                self.times[side].0 += mean * target.counts[side];
                self.times[side].1 += target.counts[side];
            }
        }
    }
}

/// The profile's settings, which stand before the results.
#[derive(Default)]
struct Profile {
    block: Vec<f64>,
    outstanding: Vec<f64>,
    threads: Vec<f64>,
    write_ratio: Vec<f64>,
}

/// # Errors
/// XML that breaks off, is none, is nested too deep, or has no result of DiskSpd.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let (mut profile, mut span) = (Profile::default(), Span::default());
    let guarded = Guarded { inner: input, left: MOST_BYTES, since: 0 };
    let mut xml = Reader::from_reader(BufReader::new(guarded));
    let (mut path, mut buffer, mut text): (Vec<String>, Vec<u8>, String) = (Vec::new(), Vec::new(), String::new());
    let mut elements = 0_u64;
    loop {
        buffer.clear();
        let event = xml.read_event_into(&mut buffer).map_err(|error| xml_error(&error))?;
        match event {
            Event::Start(start) => {
                path.push(start.local_name().as_ref().to_owned());
                elements += 1;
                if path.len() > DEEPEST || elements > MOST_ELEMENTS {
                    return Err(ImportError::TooDeep { what: "XML", most: DEEPEST });
                }
                text.clear();
            }
            Event::Text(piece) if text.len() < 4096 => text.push_str(&piece),
            Event::End(_) => {
                let at: Vec<&str> = path.iter().map(String::as_str).collect();
                if let Some(done) = element(&at, text.trim(), &mut profile, &mut span, into) {
                    finish(done, &profile, into);
                }
                path.pop();
                text.clear();
            }
            Event::DocType(_) => into.ignore("document type", "DiskSpd has none; entities are never expanded"),
            Event::Eof => break,
            _ => {}
        }
    }
    if !path.is_empty() {
        let why = format!("element {} is not closed", shown(&path.join("/")));
        return Err(ImportError::Truncated { format: "diskspd-xml", why });
    }
    if into.runs.is_empty() {
        return Err(ImportError::NotThat {
            format: "diskspd-xml",
            why: "no TimeSpan with I/O is in Results".to_owned(),
        });
    }
    Ok(())
}

fn xml_error(error: &quick_xml::Error) -> ImportError {
    let told = error.to_string();
    match error {
        quick_xml::Error::Syntax(_) | quick_xml::Error::IllFormed(_) => {
            ImportError::Truncated { format: "diskspd-xml", why: shown(&told) }
        }
        _ => ImportError::NotThat { format: "diskspd-xml", why: shown(&told) },
    }
}

/// One element that has ended; gives the time span when it is over.
fn element(at: &[&str], text: &str, profile: &mut Profile, span: &mut Span, into: &mut Imported) -> Option<Span> {
    let value = || number(text);
    match at {
        [.., "Tool", "Version"] => {
            into.tool.version = Some(shown(text));
            into.tool.generation = text.split('.').next().map(str::to_owned);
        }
        [.., "Profile", _, "TimeSpan", _, "Target", "BlockSize"] => profile.block.extend(value()),
        [.., "Profile", _, "TimeSpan", _, "Target", "RequestCount"] => profile.outstanding.extend(value()),
        [.., "Profile", _, "TimeSpan", _, "Target", "ThreadsPerFile"] => profile.threads.extend(value()),
        [.., "Profile", _, "TimeSpan", _, "Target", "WriteRatio"] => profile.write_ratio.extend(value()),
        ["Results", "TimeSpan", "TestTimeSeconds"] => span.seconds = value(),
        ["Results", "TimeSpan", "ThreadCount"] => span.threads = value(),
        ["Results", "TimeSpan", "CpuUtilization", "Average", "UsagePercent"] => span.cpu = value(),
        ["Results", "TimeSpan", "Thread", "Target", name] => match (*name, value()) {
            ("ReadCount", Some(count)) => span.target.counts[0] = count,
            ("WriteCount", Some(count)) => span.target.counts[1] = count,
            ("ReadBytes", Some(bytes)) => span.target.bytes[0] = bytes,
            ("WriteBytes", Some(bytes)) => span.target.bytes[1] = bytes,
            ("AverageReadLatencyMilliseconds", Some(ms)) => span.target.means[0] = Some(ms),
            ("AverageWriteLatencyMilliseconds", Some(ms)) => span.target.means[1] = Some(ms),
            _ => {}
        },
        ["Results", "TimeSpan", "Thread", "Target"] => span.end_target(),
        ["Results", "TimeSpan", "Latency", "Bucket", name] => bucket(span, name, text),
        ["Results", "TimeSpan"] => return Some(std::mem::take(span)),
        _ => {}
    }
    None
}

fn bucket(span: &mut Span, name: &str, text: &str) {
    if name == "Percentile" {
        if span.percentiles.len() < 64 && number(text).is_some() {
            span.percentiles.push((number(text).map_or_else(String::new, |percent| percent.to_string()), [None, None]));
        }
    } else if let Some((_, sides)) = span.percentiles.last_mut() {
        match name {
            "ReadMilliseconds" => sides[0] = number(text),
            "WriteMilliseconds" => sides[1] = number(text),
            _ => {}
        }
    }
}

fn finish(span: Span, profile: &Profile, into: &mut Imported) {
    let Some(seconds) = span.seconds.filter(|s| *s > 0.0) else {
        into.ignore("time span", "it has no test time");
        return;
    };
    let total = span.counts[0] + span.counts[1];
    if total <= 0.0 {
        into.ignore("time span", "it did no I/O");
        return;
    }
    let mut run = Run::new("fileio");
    run.duration_s = Some(seconds);
    run.threads = span.threads.or(Some(profile.threads.iter().sum())).filter(|threads| *threads > 0.0);
    let one = |values: &[f64]| values.first().copied().filter(|first| values.iter().all(|value| value == first));
    run.outstanding = one(&profile.outstanding);
    run.block_kib = one(&profile.block).map(|bytes| bytes / 1024.0);
    run.read_percent = Some(span.counts[0] / total * 100.0);
    for (side, name) in ["read", "write"].iter().enumerate() {
        if span.counts[side] > 0.0 {
            run.add(&format!("{name}_iops"), span.counts[side] / seconds, "1/s", Direction::Higher);
            run.add(&format!("{name}_mib_s"), span.bytes[side] / seconds / 1_048_576.0, "MiB/s", Direction::Higher);
            let (weighed, count) = span.times[side];
            if count > 0.0 {
                run.add(&format!("{name}_latency_avg_ms"), weighed / count, "ms", Direction::Lower);
            }
        }
        for (percent, values) in &span.percentiles {
            run.add_some(&format!("{name}_latency_p{percent}_ms"), values[side], "ms", Direction::Lower);
        }
    }
    run.add("iops", total / seconds, "1/s", Direction::Higher);
    let times = (span.times[0].0 + span.times[1].0, span.times[0].1 + span.times[1].1);
    if times.1 > 0.0 {
        run.add("latency_avg_ms", times.0 / times.1, "ms", Direction::Lower);
    }
    run.add_some("cpu_percent", span.cpu, "%", Direction::Lower);
    run.check_little("iops", "latency_avg_ms");
    into.read.records += 1;
    into.runs.push(run);
}

/// A reader that ends in an error when a file has no `<` or `>` for too long: one token would take all of memory.
struct Guarded<'a, R> {
    inner: &'a mut R,
    left: u64,
    since: usize,
}

impl<R: std::io::Read> std::io::Read for Guarded<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let count = self.inner.read(into)?;
        self.left = self.left.saturating_sub(count as u64);
        self.since = match into[..count].iter().rposition(|&byte| byte == b'>') {
            Some(at) => count - at,
            None => self.since + count,
        };
        if self.since > LONGEST_LINE || self.left == 0 {
            return Err(std::io::Error::other(format!(
                "an XML token of more than {LONGEST_LINE} bytes, or a file too large"
            )));
        }
        Ok(count)
    }
}
