//! The answer as the page shows it. Everything here comes from [`Answer`]: the page shows nothing that the API does not
//! return.

use crate::report::Answer;
use crate::report::answer::{Advice, Coefficient, Resource};
use crate::report::backtest::{self, Accuracy};
use crate::report::charts::{Chart as Picture, Theme};
use crate::report::words::{self, number};

/// The answer, ready for the template.
#[derive(Clone, Debug)]
pub struct AnswerView {
    pub answer: Answer,
    /// How far the model is off published measurements of what binds.
    pub accuracy: String,
    pub bars: Vec<Bar>,
    pub charts: Vec<Chart>,
}

/// One resource as a bar over its whole supply.
#[derive(Clone, Debug)]
pub struct Bar {
    pub id: String,
    pub label: String,
    pub subject: String,
    pub binding: bool,
    pub percent: String,
    pub fits: String,
    /// Parts of the bar in percent of its width.
    pub used: String,
    pub limit: String,
    pub reserved_at: String,
    pub reserved: String,
    /// The bar in words.
    pub spoken: String,
    /// The numbers below the bar.
    pub figures: String,
    pub lines: Vec<LineView>,
}

/// A line of arithmetic.
#[derive(Clone, Debug)]
pub struct LineView {
    pub label: String,
    pub text: String,
    pub figures: Vec<FigureView>,
}

/// A figure with its source.
#[derive(Clone, Debug)]
pub struct FigureView {
    pub name: String,
    pub value: String,
    pub source: String,
    /// Where more is said of it: the coefficient's row below, or the rules.
    pub href: String,
    /// "assumed" for a rule of thumb; empty for what was typed.
    pub mark: &'static str,
}

/// A chart; its text was made by us and needs no escaping.
#[derive(Clone, Debug)]
pub struct Chart {
    pub title: String,
    pub svg: String,
}

impl AnswerView {
    pub fn new(answer: Answer, accuracy: &Accuracy) -> Self {
        let bars = answer.resources.iter().enumerate();
        let bars = bars.map(|(index, resource)| bar(index, resource, &answer.overhead.coefficients)).collect();
        let charts = charts(&answer);
        let accuracy = backtest::beside(accuracy, &answer.binding.resource);
        Self { answer, accuracy, bars, charts }
    }

    /// A number as people read it.
    pub fn number(&self, value: &f64) -> String {
        number(*value)
    }

    /// Milliseconds, or a dash where there is no prediction.
    pub fn ms(&self, value: &Option<f64>) -> String {
        value.map_or_else(|| "–".to_owned(), number)
    }

    /// Whether a volume is slower than it may be.
    pub fn is_late(&self, latency: &Option<f64>, limit: &Option<f64>) -> bool {
        matches!((latency, limit), (Some(latency), Some(limit)) if latency > limit)
    }

    pub fn severity(&self, advice: &Advice) -> &'static str {
        match advice.severity.as_str() {
            "critical" => "Critical",
            "warning" => "Warning",
            _ => "Note",
        }
    }

    /// The name of a coefficient in words.
    pub fn coefficient(&self, coefficient: &Coefficient) -> String {
        coefficient_name(&coefficient.name)
    }

    pub fn range(&self, coefficient: &Coefficient) -> String {
        range(coefficient)
    }
}

/// The name of a coefficient in words; its code where there are none.
pub fn coefficient_name(code: &str) -> String {
    let key = format!("input-{code}");
    if words::has(&key) { words::capitalized(&words::plain(&key)) } else { code.replace('_', " ") }
}

/// A coefficient's range in words.
pub fn range(coefficient: &Coefficient) -> String {
    if coefficient.low == coefficient.high {
        return number(coefficient.likely);
    }
    format!("{} ({} to {})", number(coefficient.likely), number(coefficient.low), number(coefficient.high))
}

fn bar(index: usize, resource: &Resource, coefficients: &[Coefficient]) -> Bar {
    let percent = format!("{} %", number((resource.utilization_percent * 10.0).round() / 10.0));
    let free = resource.supply - resource.reserved;
    // Limits that are no ratio have no supply to draw on: their bar is in percent of what is allowed.
    let drawn = |part: f64| format!("{:.2}%", (part * 100.0).clamp(0.0, 100.0));
    let of_supply = |value: f64| drawn(if resource.supply > 0.0 { value / resource.supply } else { 0.0 });
    let share = if resource.supply > 0.0 { free / resource.supply } else { 1.0 };
    let used = drawn(resource.utilization_percent / 100.0 * share);
    let limit = drawn(resource.limit_percent / 100.0 * share);
    let reserved = of_supply(resource.reserved);
    let unit = &resource.unit;
    let mut figures = format!("{} of {} {unit} usable", number(resource.used), number(resource.usable));
    if resource.reserved > 0.0 {
        figures.push_str(&format!("; {} of {} reserved", number(resource.reserved), number(resource.supply)));
    }
    let limit_text = number((resource.limit_percent * 10.0).round() / 10.0);
    Bar {
        id: format!("r{index}-{}", resource.resource),
        label: resource.label.clone(),
        subject: if resource.subject == resource.label { String::new() } else { resource.subject.clone() },
        binding: index == 0,
        spoken: format!("{percent} used, limit {limit_text} %"),
        fits: resource.fits_text(),
        percent,
        used,
        limit,
        reserved_at: drawn(share),
        reserved,
        figures,
        lines: resource.arithmetic.iter().map(|made| line(made, coefficients)).collect(),
    }
}

fn line(line: &crate::report::answer::Line, coefficients: &[Coefficient]) -> LineView {
    let row = |figure: &crate::report::answer::Figure| {
        let same = |c: &Coefficient| c.source == figure.source && number(c.likely) == number(figure.value);
        coefficients.iter().position(same)
    };
    let figure = |figure: &crate::report::answer::Figure| FigureView {
        name: figure.name.clone(),
        value: format!("{} {}", number(figure.value), figure.unit).trim_end().to_owned(),
        source: figure.source.clone(),
        href: match figure.kind.as_str() {
            "model" => row(figure).map_or_else(String::new, |row| format!("#coefficient-{}", row + 1)),
            "rule" if figure.source != words::plain("source-definition") => "/models#rules".to_owned(),
            _ => String::new(),
        },
        mark: if figure.kind == "rule" { "rule of thumb" } else { "" },
    };
    let figures = line.figures.iter().filter(|figure| !figure.source.is_empty()).map(figure).collect();
    LineView { label: line.label.clone(), text: line.text.clone(), figures }
}

/// The charts beside the bars; those without anything to show are left out.
fn charts(answer: &Answer) -> Vec<Chart> {
    let wanted = [Picture::Chance, Picture::CurvesUtilization, Picture::CurvesLatency, Picture::Tornado];
    let drawn = wanted.into_iter().filter_map(|chart| chart.draw(answer, Theme::Page));
    drawn.map(|picture| Chart { title: picture.title, svg: picture.svg }).collect()
}
