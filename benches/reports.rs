//! Makes reports of a scenario and measures them; `benches/pdf.sh` calls it.
//!
//! - `bench-reports write SCENARIO.json OUT`: OUT.pdf, OUT.xlsx and the charts, to be looked at.
//! - `bench-reports time SCENARIO.json RUNS`: milliseconds of one warm report, the median.
//! - `bench-reports growth SCENARIO.json REPORTS`: resident memory after a tenth of the reports and after all, each different.

use std::time::Instant;

use anyhow::{Context, bail};
use serde_json::{Value, json};
use vmfit::domain::{ModelCatalog, scenario_from_value};
use vmfit::report::charts::{Chart, Theme};
use vmfit::report::{self, Answer, Options, pdf};

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["write", scenario, out] => write(scenario, out),
        ["time", scenario, runs] => time(scenario, runs.parse()?),
        ["growth", scenario, reports] => growth(scenario, reports.parse()?),
        _ => bail!("bench-reports write|time|growth SCENARIO.json OUT|RUNS|REPORTS"),
    }
}

fn read(scenario: &str) -> anyhow::Result<Value> {
    Ok(serde_json::from_slice(&std::fs::read(scenario).context(scenario.to_owned())?)?)
}

fn answer(input: &Value) -> anyhow::Result<Answer> {
    let catalog = ModelCatalog::built_in();
    match scenario_from_value(input.clone(), catalog) {
        Ok(scenario) => Ok(report::answer_for(&scenario, Options::SHOWN)),
        Err(problems) => bail!("{problems:?}"),
    }
}

fn meta() -> pdf::DocumentMeta {
    pdf::DocumentMeta { created: Some("2026-11-30T12:00:00Z".to_owned()), accuracy: None }
}

fn write(scenario: &str, out: &str) -> anyhow::Result<()> {
    let input = read(scenario)?;
    let answer = answer(&input)?;
    std::fs::write(format!("{out}.pdf"), pdf::render(&answer, &input, &meta())?)?;
    std::fs::write(format!("{out}.xlsx"), report::xlsx::workbook(&answer, &input)?)?;
    for chart in Chart::ALL {
        if let Some(picture) = chart.draw(&answer, Theme::Page) {
            std::fs::write(format!("{out}-{}.svg", chart.name()), picture.svg)?;
        }
    }
    Ok(())
}

fn time(scenario: &str, runs: usize) -> anyhow::Result<()> {
    let input = read(scenario)?;
    let answer = answer(&input)?;
    let first = Instant::now();
    let bytes = pdf::render(&answer, &input, &meta())?.len();
    let first = first.elapsed().as_secs_f64() * 1e3;
    let mut times = Vec::with_capacity(runs);
    for _ in 0..runs {
        let begin = Instant::now();
        pdf::render(&answer, &input, &meta())?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    times.sort_by(f64::total_cmp);
    let median = times.get(times.len() / 2).copied().unwrap_or(first);
    println!("{}", json!({ "first_ms": first, "median_ms": median, "bytes": bytes }));
    Ok(())
}

fn growth(scenario: &str, reports: usize) -> anyhow::Result<()> {
    let input = read(scenario)?;
    let mut early = 0.0;
    for number in 1..=reports {
        let mut input = input.clone();
        input["name"] = json!(format!("Report {number}"));
        input["host"]["memory_gib"] = json!(16 + number % 240);
        let answer = answer(&input)?;
        pdf::render(&answer, &input, &meta())?;
        if number == reports.div_ceil(10) {
            early = resident_mib()?;
        }
    }
    let late = resident_mib()?;
    println!(
        "{}",
        json!({ "reports": reports, "early_mib": early, "late_mib": late, "growth_percent": (late / early - 1.0) * 100.0 })
    );
    Ok(())
}

/// Resident memory of this process; Linux only.
fn resident_mib() -> anyhow::Result<f64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no VmRSS")?;
    let kib: f64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kib / 1024.0)
}
