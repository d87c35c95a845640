//! From measured rows to the law.

use std::fmt;

use super::{BizTalkModel, Law, Scenario, publishing};

/// CPU share, per cent, from which a tier counts as the one that stopped the run.
const SATURATED_PCT: f64 = 80.0;
/// Share of left-out rows the interval has to hold.
const COVERAGE: f64 = 0.9;
/// Alternating least squares: rounds at most, and the movement of α and β that ends it.
const ROUNDS: usize = 2_000;
const SETTLED: f64 = 1e-13;

/// One run at its highest sustainable rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measurement {
    pub scenario: Scenario,
    pub messageboxes: u32,
    /// Processing servers.
    pub servers: u32,
    pub docs_per_s: f64,
    /// Mean CPU of a processing server, per cent.
    pub processing_cpu_pct: f64,
    /// Mean CPU of a SQL server, per cent.
    pub sql_cpu_pct: f64,
}

/// A row predicted by a model that has not seen it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HeldOut {
    pub row: Measurement,
    pub predicted_docs_per_s: f64,
}

impl HeldOut {
    /// Predicted over measured, less one.
    pub fn error(&self) -> f64 {
        self.predicted_docs_per_s / self.row.docs_per_s - 1.0
    }
}

/// Why rows give no model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FitError {
    /// No rows at all.
    Empty,
    /// A count is zero, a rate not within 1e-6 and 1e9, or a CPU not within 0 and 100 per cent.
    OutOfRange { row: usize },
    /// No row of the scenario leaves both CPUs below saturation: its MessageBox limit is unknown.
    NoContention { scenario: Scenario },
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "no rows"),
            Self::OutOfRange { row } => write!(f, "row {row} holds a value out of range"),
            Self::NoContention { scenario } => {
                write!(f, "{scenario:?}: no row is limited by the MessageBox")
            }
        }
    }
}

impl std::error::Error for FitError {}

impl BizTalkModel {
    /// Fits the law to measured rows and takes its interval from the rows left out one by one.
    ///
    /// A row with saturated processing CPU gives the server's rate, one with both CPUs below
    /// saturation the MessageBox limit. The interval is the split-conformal rank of the left-out
    /// errors: with fewer than nineteen rows, the largest.
    ///
    /// # Errors
    /// [`FitError`]: nothing to fit, values out of range, or a scenario without a contended row.
    pub fn fit(rows: &[Measurement]) -> Result<Self, FitError> {
        let mut model = fit_once(rows)?;
        model.held_out = leave_one_out(rows);
        let mut errors: Vec<f64> = model
            .held_out
            .iter()
            .map(|held| libm::log(held.predicted_docs_per_s / held.row.docs_per_s).abs())
            .collect();
        errors.sort_by(f64::total_cmp);
        let rank = libm::ceil(COVERAGE * (errors.len() + 1) as f64) as usize;
        model.spread = errors.get(rank.min(errors.len()).saturating_sub(1)).copied().unwrap_or(0.0);
        Ok(model)
    }
}

/// Predicts every row from the others. A row without which nothing can be fitted is left out.
pub fn leave_one_out(rows: &[Measurement]) -> Vec<HeldOut> {
    let held_out = |index: usize| {
        let row = rows[index];
        let others: Vec<Measurement> =
            rows.iter().enumerate().filter(|&(i, _)| i != index).map(|(_, row)| *row).collect();
        let model = fit_once(&others).ok()?;
        let prediction = model.throughput(row.scenario, row.messageboxes, row.servers)?;
        Some(HeldOut { row, predicted_docs_per_s: prediction.docs_per_s })
    };
    (0..rows.len()).filter_map(held_out).collect()
}

fn fit_once(rows: &[Measurement]) -> Result<BizTalkModel, FitError> {
    if rows.is_empty() {
        return Err(FitError::Empty);
    }
    if let Some(row) = rows.iter().position(|row| !in_range(row)) {
        return Err(FitError::OutOfRange { row });
    }
    let curves = Curves::fit(rows);
    let law = |scenario| {
        let own: Vec<Measurement> = rows.iter().filter(|row| row.scenario == scenario).copied().collect();
        if own.is_empty() {
            return Ok(None);
        }
        let gamma = curves.gamma(scenario).ok_or(FitError::NoContention { scenario })?;
        Ok(Some(scenario_law(&own, gamma)))
    };
    Ok(BizTalkModel {
        messaging: law(Scenario::Messaging)?,
        orchestration: law(Scenario::Orchestration)?,
        contention: curves.contention,
        coherency: curves.coherency,
        spread: 0.0,
        held_out: Vec::new(),
        most_servers: rows.iter().map(|row| row.servers).max().unwrap_or(0),
        most_messageboxes: rows.iter().map(|row| row.messageboxes).max().unwrap_or(0),
    })
}

fn in_range(row: &Measurement) -> bool {
    let share = |pct: f64| pct > 0.0 && pct <= 100.0;
    row.messageboxes > 0
        && row.servers > 0
        && (1e-6..=1e9).contains(&row.docs_per_s)
        && share(row.processing_cpu_pct)
        && share(row.sql_cpu_pct)
}

fn contended(row: &Measurement) -> bool {
    row.processing_cpu_pct < SATURATED_PCT && row.sql_cpu_pct < SATURATED_PCT
}

fn scenario_law(rows: &[Measurement], messagebox_docs_per_s: f64) -> Law {
    let saturated: Vec<&Measurement> = rows.iter().filter(|row| row.processing_cpu_pct >= SATURATED_PCT).collect();
    let per_server = |row: &Measurement| row.docs_per_s / f64::from(row.servers);
    let (server_docs_per_s, ceiling) = if saturated.is_empty() {
        // Nobody saturated a server: its rate follows from the CPU a document took (U = X·D).
        let spent = |row: &Measurement| row.processing_cpu_pct / per_server(row);
        (SATURATED_PCT / mean(rows.iter().map(spent)), SATURATED_PCT / 100.0)
    } else {
        (
            mean(saturated.iter().map(|row| per_server(row))),
            mean(saturated.iter().map(|row| row.processing_cpu_pct / 100.0)),
        )
    };
    let sql = rows.iter().filter(|row| contended(row)).map(|row| row.sql_cpu_pct / 100.0);
    Law { server_docs_per_s, ceiling, messagebox_docs_per_s, sql_share: mean(sql) }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

/// The MessageBox curves: one γ a scenario, α and β common.
struct Curves {
    messaging: Option<f64>,
    orchestration: Option<f64>,
    contention: f64,
    coherency: f64,
}

/// A contended row as the fit sees it: `rate·(1 + α·serial + β·pairs) = γ`.
struct Point {
    scenario: Scenario,
    rate: f64,
    serial: f64,
    pairs: f64,
}

impl Curves {
    /// Least squares of the relative error `1 − rate·(1 + α·serial + β·pairs)/γ`, α and β ≥ 0.
    ///
    /// For given α and β each γ has a closed form, for given γ the others are linear: the two steps
    /// alternate until neither moves.
    fn fit(rows: &[Measurement]) -> Self {
        let points: Vec<Point> = rows.iter().filter(|row| contended(row)).map(Point::of).collect();
        let mut curves = Self { messaging: None, orchestration: None, contention: 0.0, coherency: 0.0 };
        for _ in 0..ROUNDS {
            curves.messaging = curves.best_gamma(&points, Scenario::Messaging);
            curves.orchestration = curves.best_gamma(&points, Scenario::Orchestration);
            let (contention, coherency) = curves.best_costs(&points);
            let moved = (contention - curves.contention).abs() + (coherency - curves.coherency).abs();
            (curves.contention, curves.coherency) = (contention, coherency);
            if moved <= SETTLED {
                break;
            }
        }
        curves
    }

    fn gamma(&self, scenario: Scenario) -> Option<f64> {
        match scenario {
            Scenario::Messaging => self.messaging,
            Scenario::Orchestration => self.orchestration,
        }
    }

    fn best_gamma(&self, points: &[Point], scenario: Scenario) -> Option<f64> {
        let (mut first, mut second) = (0.0, 0.0);
        for point in points.iter().filter(|point| point.scenario == scenario) {
            let value = point.rate * (1.0 + self.contention * point.serial + self.coherency * point.pairs);
            first += value;
            second += value * value;
        }
        (first > 0.0).then(|| second / first)
    }

    fn best_costs(&self, points: &[Point]) -> (f64, f64) {
        let (mut aa, mut ab, mut bb, mut ar, mut br) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for point in points {
            let Some(gamma) = self.gamma(point.scenario) else {
                continue;
            };
            let scale = point.rate / gamma;
            let (a, b, rest) = (scale * point.serial, scale * point.pairs, 1.0 - scale);
            aa += a * a;
            ab += a * b;
            bb += b * b;
            ar += a * rest;
            br += b * rest;
        }
        let alone = |product: f64, square: f64| {
            if square > 0.0 { (product / square).max(0.0) } else { 0.0 }
        };
        let determinant = aa * bb - ab * ab;
        if determinant > 1e-9 * aa * bb {
            let both = ((ar * bb - br * ab) / determinant, (br * aa - ar * ab) / determinant);
            if both.0 >= 0.0 && both.1 >= 0.0 {
                return both;
            }
        }
        // On the edge: the better of the two with the other at zero.
        let (contention, coherency) = (alone(ar, aa), alone(br, bb));
        if contention * ar >= coherency * br { (contention, 0.0) } else { (0.0, coherency) }
    }
}

impl Point {
    fn of(row: &Measurement) -> Self {
        let width = publishing(row.messageboxes);
        let others = f64::from(row.servers - 1);
        Self {
            scenario: row.scenario,
            rate: row.docs_per_s / width,
            serial: width - 1.0,
            pairs: others * width * (width - 1.0),
        }
    }
}
