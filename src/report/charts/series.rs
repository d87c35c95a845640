//! A counter over time: what it ranged over, its mean, and the value that was chosen of it.

use super::super::words::{Word, number, plain, say};
use super::canvas::{About, Anchor, Canvas, Letters, Picture, svg};
use super::ink::{Ink, Theme};
use super::scale::{Scale, ticks};

/// Figures over time.
pub struct Series<'a> {
    pub title: &'a str,
    pub unit: &'a str,
    /// Steps of equal length, each least, mean and most; `None` where there is no figure.
    pub steps: &'a [Option<[f64; 3]>],
    /// The value that was chosen of it.
    pub chosen: Option<f64>,
    /// First and last time.
    pub from: &'a str,
    pub to: &'a str,
}

const HEIGHT: f64 = 200.0;
/// Edges of the plot; the right one from the right edge of the picture.
const LEFT: f64 = 68.0;
const TOP: f64 = 18.0;
const RIGHT: f64 = 104.0;
const BOTTOM: f64 = 160.0;
const LINE: f64 = 1.6;

/// The chart of a series; none when it has fewer than two values.
pub(super) fn draw(series: &Series, theme: Theme) -> Option<Picture> {
    let values = || series.steps.iter().flatten();
    let most = values().map(|step| step[2]).chain(series.chosen).fold(0.0, f64::max);
    if values().count() < 2 || !most.is_finite() {
        return None;
    }
    let value = |value: f64| format!("{} {}", number(value), series.unit).trim_end().to_owned();
    let description = say(
        "chart-series-description",
        &[
            ("from", Word::Text(series.from)),
            ("to", Word::Text(series.to)),
            ("low", Word::Text(&value(values().map(|step| step[0]).fold(f64::INFINITY, f64::min)))),
            ("high", Word::Text(&value(values().map(|step| step[2]).fold(0.0, f64::max)))),
            ("chosen", Word::Text(&series.chosen.map_or_else(|| "–".to_owned(), value))),
        ],
    );
    let about = About { kind: "series", title: series.title, description: &description };
    let most = if most > 0.0 { most * 1.05 } else { 1.0 };
    Some(svg(&about, theme, (theme.width(), HEIGHT), |canvas| plot(canvas, series, most)))
}

fn plot(canvas: &mut Canvas, series: &Series, most: f64) {
    let (left, top, right, bottom) = (LEFT, TOP, canvas.inset_right(RIGHT), BOTTOM);
    let x = Scale { from: (0.0, (series.steps.len() - 1) as f64), to: (left, right) };
    let y = Scale { from: (0.0, most), to: (bottom, top) };
    canvas.text(series.unit, (left - 8.0, top - 11.0), Letters::new(Ink::Muted, Anchor::End).small());
    for tick in ticks(0.0..=most, 4.0) {
        canvas.line((left, y.place(tick)), (right, y.place(tick)), Ink::Grid, 1.0);
        canvas.text(&number(tick), (left - 8.0, y.place(tick)), Letters::new(Ink::Muted, Anchor::End).small());
    }
    let steps = series.steps.iter().enumerate();
    let places: Vec<Option<(f64, [f64; 3])>> =
        steps.map(|(index, step)| step.map(|step| (x.place(index as f64), step))).collect();
    for part in places.split(Option::is_none) {
        let part: Vec<(f64, [f64; 3])> = part.iter().flatten().copied().collect();
        let upper = part.iter().map(|(x, step)| (*x, y.place(step[2].max(0.0))));
        let lower = part.iter().rev().map(|(x, step)| (*x, y.place(step[0].max(0.0))));
        canvas.polygon(&upper.chain(lower).collect::<Vec<_>>(), Ink::Grid);
        canvas.path(
            &part.iter().map(|(x, step)| (*x, y.place(step[1].max(0.0)))).collect::<Vec<_>>(),
            Ink::Accent,
            LINE,
        );
    }
    canvas.line((left, bottom), (right, bottom), Ink::Muted, 1.2);
    canvas.text(series.from, (left, bottom + 13.0), Letters::new(Ink::Muted, Anchor::Start).small());
    canvas.text(series.to, (right, bottom + 13.0), Letters::new(Ink::Muted, Anchor::End).small());
    if let Some(chosen) = series.chosen {
        let place = y.place(chosen);
        canvas.dashes((left, place), (right, place), Ink::Limit);
        let letters = Letters::new(Ink::Limit, Anchor::Start).small();
        canvas.text(&plain("chart-series-chosen"), (right + 6.0, place - 6.0), letters);
        canvas.text(&number(chosen), (right + 6.0, place + 7.0), letters);
    }
    // The legend names what has no colour of its own in words.
    let legend = Letters::new(Ink::Muted, Anchor::Middle).small();
    canvas.text(&plain("chart-series-legend"), ((left + right) / 2.0, HEIGHT - 10.0), legend);
}
