//! pgbench report, of every version that prints `tps =`.

use super::error::ImportError;
use super::format::{Input, Options};
use super::number::{after, leading, number};
use super::result::{Direction, Imported, Run, shown};

const MOST_BYTES: u64 = 64 << 20;

pub fn recognizes(head: &str) -> bool {
    head.contains("transaction type:") && head.contains("number of clients:")
        || head.starts_with("pgbench (")
        || (head.contains("tuples (") && head.contains("vacuuming..."))
}

/// # Errors
/// A file too large, or with neither a rate nor an initialization.
pub fn read(input: &mut Input, _: &Options, into: &mut Imported) -> Result<(), ImportError> {
    let text = input.whole("pgbench", MOST_BYTES)?;
    let mut run = Run::new("oltp");
    let mut without = None;
    for line in text.lines().map(str::trim) {
        if let Some(version) = line.strip_prefix("pgbench (") {
            close(&mut run, into);
            into.tool.version = Some(shown(version.split([' ', ')']).next().unwrap_or_default()));
            into.tool.generation = version.split(['.', ' ']).next().map(str::to_owned);
        } else if line.starts_with("progress:") {
            into.ignore("progress line", "the totals are read");
        } else if let Some(rest) = line.strip_prefix("tps = ") {
            let name =
                if rest.contains("including") { "transactions_per_s_with_connecting" } else { "transactions_per_s" };
            run.add_some(name, leading(rest).map(|(tps, _)| tps), "1/s", Direction::Higher);
        } else if let Some(rest) = line.strip_prefix("latency average") {
            run.add_some("latency_avg_ms", after(rest, "="), "ms", Direction::Lower);
        } else if let Some(rest) = line.strip_prefix("latency stddev") {
            run.add_some("latency_stddev_ms", after(rest, "="), "ms", Direction::Lower);
        } else if let Some(rest) = line.strip_prefix("initial connection time") {
            run.add_some("connection_ms", after(rest, "="), "ms", Direction::Lower);
        } else if line.starts_with("done in ") {
            without = Some("initialization; it has no rate");
        } else if let Some((key, value)) = line.split_once(':') {
            let value = value.trim();
            match key {
                "transaction type" => run.label = Some(shown(value)),
                "number of clients" => run.threads = number(value),
                "number of threads" => run.note("tool_threads", value),
                "scaling factor" | "query mode" => run.note(&key.replace(' ', "_"), shown(value)),
                "duration" => run.duration_s = leading(value).map(|(s, _)| s),
                "number of transactions actually processed" => {
                    run.add_some("transactions", leading(value).map(|(n, _)| n), "", Direction::Neither);
                }
                "number of failed transactions" => {
                    run.add_some("errors", leading(value).map(|(n, _)| n), "", Direction::Lower);
                }
                _ => {}
            }
        }
    }
    close(&mut run, into);
    match (into.runs.is_empty(), without) {
        (true, Some(why)) => into.ignore("report", why),
        (true, None) => {
            return Err(ImportError::Truncated { format: "pgbench", why: "no line 'tps =' is in it".to_owned() });
        }
        _ => {}
    }
    Ok(())
}

fn close(run: &mut Run, into: &mut Imported) {
    let mut run = std::mem::replace(run, Run::new("oltp"));
    if run.metric("transactions_per_s").is_some() {
        run.check_little("transactions_per_s", "latency_avg_ms");
        into.read.records += 1;
        into.runs.push(run);
    }
}
