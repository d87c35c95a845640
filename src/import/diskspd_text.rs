//! DiskSpd's text report. Columns of its tables are found by name, because latency and deviation come and go with options.

use super::error::ImportError;
use super::format::{Input, Options};
use super::number::{after, leading, number, size_kib};
use super::result::{Direction, Imported, Run, shown};

const MOST_BYTES: u64 = 256 << 20;

pub fn recognizes(head: &str) -> bool {
    head.contains("Command Line:") && head.contains("Input parameters:") || head.contains("Results for timespan")
}

#[derive(Default)]
struct Report {
    run: Option<Run>,
    section: &'static str,
    columns: Vec<String>,
    outstanding: Vec<f64>,
    block: Vec<f64>,
    threads: Option<f64>,
}

/// # Errors
/// A file too large, or without a time span.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let text = input.whole("diskspd", MOST_BYTES)?;
    let mut report = Report::default();
    for line in text.lines() {
        report.line(line, into);
    }
    report.close(into);
    if into.runs.is_empty() {
        let why = "no 'Results for timespan' with a line 'total:' is in it".to_owned();
        return Err(ImportError::NotThat { format: "diskspd", why });
    }
    Ok(())
}

impl Report {
    fn line(&mut self, raw: &str, into: &mut Imported) {
        let line = raw.trim();
        if line.starts_with("Command Line:") {
            self.close(into);
            *self = Self::default();
            // `diskspd.exe -b8K …`; the version is printed by XML only.
        } else if line.starts_with("Results for timespan") {
            self.close(into);
            self.run = Some(Run::new("fileio"));
        } else if let Some(rest) = line.strip_prefix("block size:") {
            self.block.extend(size_kib(rest));
        } else if let Some(rest) = line.strip_prefix("number of outstanding I/O operations") {
            self.outstanding.extend(number(rest.rsplit(':').next().unwrap_or_default()));
        } else if let Some(rest) = line.strip_prefix("total threads:").or(line.strip_prefix("thread count:")) {
            self.threads = number(rest);
        } else if line.starts_with("actual test time:") {
            if let Some(run) = &mut self.run {
                run.duration_s = after(line, "actual test time:");
            }
        } else if line.starts_with("avg.|") {
            let cpu = line.split('|').nth(1).and_then(|cell| leading(cell)).map(|(percent, _)| percent);
            if let Some(run) = &mut self.run {
                run.add_some("cpu_percent", cpu, "%", Direction::Lower);
            }
        } else if let Some(section) =
            [("Total IO", "all"), ("Read IO", "read"), ("Write IO", "write")].iter().find(|(name, _)| line == *name)
        {
            self.section = section.1;
        } else if line.starts_with("thread |") {
            self.columns = line.split('|').map(|name| name.trim().to_ascii_lowercase()).collect();
        } else if let Some(rest) = line.strip_prefix("total:") {
            self.totals(rest);
        } else if line.starts_with("%-ile |") {
            self.columns = line.split('|').map(|name| name.trim().to_ascii_lowercase()).collect();
            self.section = "percentiles";
        } else if self.section == "percentiles" && line.contains('|') {
            self.percentile(line);
        }
    }

    fn totals(&mut self, rest: &str) {
        let Some(run) = &mut self.run else { return };
        let cells: Vec<&str> = rest.split('|').map(str::trim).collect();
        // The totals have no cell for the thread: `total:` stands in its place.
        let cell = |name: &str| {
            let index = self.columns.iter().position(|known| known == name)?.checked_sub(1)?;
            cells.get(index).and_then(|cell| number(cell))
        };
        let (rate, mib_s, time) = match self.section {
            "all" => ("iops", "mib_s", "latency_avg_ms"),
            "read" => ("read_iops", "read_mib_s", "read_latency_avg_ms"),
            "write" => ("write_iops", "write_mib_s", "write_latency_avg_ms"),
            _ => return,
        };
        if cell("i/os") == Some(0.0) {
            return;
        }
        run.add_some(rate, cell("i/o per s"), "1/s", Direction::Higher);
        run.add_some(mib_s, cell("mib/s").or(cell("mb/s")), "MiB/s", Direction::Higher);
        run.add_some(time, cell("avglat"), "ms", Direction::Lower);
    }

    fn percentile(&mut self, line: &str) {
        let Some(run) = &mut self.run else { return };
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let percent =
            match cells[0] {
                "min" => "min".to_owned(),
                "max" => "max".to_owned(),
                other => match leading(other) {
                    Some((percent, rest)) if rest.contains("th") || rest.contains("nines") => {
                        if rest.contains("nines") { return } else { format!("p{percent}") }
                    }
                    _ => return,
                },
            };
        for (column, name) in
            [("read (ms)", "read_latency"), ("write (ms)", "write_latency"), ("total (ms)", "latency")]
        {
            let index = self.columns.iter().position(|known| known == column);
            let value = index.and_then(|index| cells.get(index)).and_then(|cell| number(cell));
            run.add_some(&format!("{name}_{percent}_ms"), value, "ms", Direction::Lower);
        }
    }

    fn close(&mut self, into: &mut Imported) {
        let Some(mut run) = self.run.take() else { return };
        let Some(iops) = run.metric("iops") else {
            into.ignore("time span", "it breaks off before its totals, or did no I/O");
            return;
        };
        run.threads = self.threads;
        let one = |values: &[f64]| values.first().copied().filter(|first| values.iter().all(|value| value == first));
        run.outstanding = one(&self.outstanding);
        run.block_kib = one(&self.block);
        run.read_percent = Some(run.metric("read_iops").unwrap_or(0.0) / iops * 100.0);
        run.label = run.label.take().map(|label| shown(&label));
        run.check_little("iops", "latency_avg_ms");
        into.read.records += 1;
        into.runs.push(run);
        self.section = "";
    }
}
