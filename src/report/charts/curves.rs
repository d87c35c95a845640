//! Lines against the number of units: utilization of each resource, and disk latency and response time, each with its
//! limit.

use super::super::Answer;
use super::super::answer::{Curve, Curves};
use super::super::words::{Word, number, plain, say};
use super::canvas::{About, Anchor, Canvas, Letters, Picture, printable, svg};
use super::ink::{Ink, SERIES, Theme};
use super::scale::{Scale, apart, ticks, whole_ticks};
use super::short_unit;

const HEIGHT: f64 = 290.0;
/// Edges of the plot; the right one from the right edge of the picture.
const LEFT: f64 = 56.0;
const TOP: f64 = 36.0;
const RIGHT: f64 = 192.0;
const BOTTOM: f64 = 240.0;
/// Markers along a line.
const MARKERS: usize = 6;
const LINE: f64 = 2.0;

/// What is drawn up the axis.
struct Axis {
    title: String,
    unit: &'static str,
    most: f64,
}

pub(super) fn draw_utilization(answer: &Answer, theme: Theme) -> Option<Picture> {
    let curves = answer.curves.as_ref()?;
    let axis = Axis { title: plain("chart-axis-utilization"), unit: "%", most: 125.0 };
    draw(answer, curves, &curves.utilization, ("utilization-by-units", "chart-curves-utilization-title"), axis, theme)
}

pub(super) fn draw_latency(answer: &Answer, theme: Theme) -> Option<Picture> {
    let curves = answer.curves.as_ref()?;
    let drawn = &curves.latency[..curves.latency.len().min(usize::from(SERIES))];
    let limit = drawn.iter().filter_map(|curve| curve.limit).fold(0.0, f64::max);
    let most = drawn.iter().flat_map(|curve| &curve.values).flatten().copied().fold(0.0, f64::max);
    // Near saturation a line leaves every picture: it is cut at twice the highest limit.
    let most = if limit > 0.0 { most.clamp(limit * 1.15, limit * 2.0) } else { most };
    let axis =
        Axis { title: plain("chart-axis-latency"), unit: "ms", most: if most > 0.0 { most * 1.05 } else { 1.0 } };
    draw(answer, curves, &curves.latency, ("latency-by-units", "chart-curves-latency-title"), axis, theme)
}

fn draw(
    answer: &Answer,
    curves: &Curves,
    lines: &[Curve],
    (kind, title): (&str, &str),
    axis: Axis,
    theme: Theme,
) -> Option<Picture> {
    let lines: Vec<&Curve> = lines.iter().filter(|line| line.values.iter().flatten().count() > 0).collect();
    if lines.is_empty() || curves.units.len() < 2 {
        return None;
    }
    let lines = &lines[..lines.len().min(usize::from(SERIES))];
    let sentences: Vec<String> = lines.iter().map(|line| sentence(curves, line, axis.unit)).collect();
    let about = About { kind, title: &plain(title), description: &sentences.join(" ") };
    Some(svg(&about, theme, (theme.width(), HEIGHT), |canvas| plot(canvas, answer, curves, lines, &axis)))
}

fn sentence(curves: &Curves, line: &Curve, unit: &str) -> String {
    let within = |value: f64| line.limit.is_none_or(|limit| value <= limit * (1.0 + 1e-9));
    let passing = |(units, value): (&u32, &Option<f64>)| value.is_some_and(within).then_some(*units);
    let last = curves.units.iter().zip(&line.values).filter_map(passing).max().unwrap_or(0);
    let last = number(f64::from(last));
    match line.limit {
        Some(limit) => say(
            "chart-curve-row",
            &[
                ("label", Word::Text(&line.label)),
                ("limit", Word::Text(&format!("{} {unit}", number(limit)))),
                ("units", Word::Text(&last)),
            ],
        ),
        None => say("chart-curve-row-free", &[("label", Word::Text(&line.label))]),
    }
}

fn plot(canvas: &mut Canvas, answer: &Answer, curves: &Curves, lines: &[&Curve], axis: &Axis) {
    let (left, top, right, bottom) = (LEFT, TOP, canvas.inset_right(RIGHT), BOTTOM);
    let (first, last) =
        (curves.units.iter().copied().min().unwrap_or(0), curves.units.iter().copied().max().unwrap_or(1));
    let x = Scale { from: (f64::from(first), f64::from(last)), to: (left, right) };
    let y = Scale { from: (0.0, axis.most), to: (bottom, top) };

    for tick in ticks(0.0..=axis.most, 5.0) {
        canvas.line((left, y.place(tick)), (right, y.place(tick)), Ink::Grid, 1.0);
        let text = format!("{} {}", number(tick), axis.unit);
        canvas.text(&text, (left - 8.0, y.place(tick)), Letters::new(Ink::Muted, Anchor::End).small());
    }
    for tick in whole_ticks(first, last, 8) {
        let place = x.place(f64::from(tick));
        canvas.line((place, bottom), (place, bottom + 4.0), Ink::Muted, 1.0);
        let letters = Letters::new(Ink::Muted, Anchor::Middle).small();
        canvas.text(&number(f64::from(tick)), (place, bottom + 13.0), letters);
    }
    canvas.line((left, bottom), (right, bottom), Ink::Muted, 1.2);
    canvas.text(&axis.title, (left - 50.0, 8.0), Letters::new(Ink::Muted, Anchor::Start).small());
    let below = say("chart-axis-units", &[("unit", Word::Text(&short_unit(answer)))]);
    canvas.text(&below, ((left + right) / 2.0, HEIGHT - 12.0), Letters::new(Ink::Muted, Anchor::Middle).small());

    let likely = answer.fit.likely;
    if (first..=last).contains(&likely) {
        let place = x.place(f64::from(likely));
        canvas.dashes((place, top), (place, bottom), Ink::Muted);
        let text = say("chart-fit-line", &[("count", Word::Text(&number(f64::from(likely))))]);
        canvas.text(&text, (place, top - 9.0), Letters::new(Ink::Text, Anchor::Middle).small());
    }

    let mut ends = Vec::with_capacity(lines.len());
    for (index, line) in lines.iter().enumerate() {
        let ink = Ink::Series(index as u8);
        limit_mark(canvas, line, y, ink);
        ends.push(curve(canvas, &curves.units, line, (x, y), index, axis.most));
    }
    let label_places = apart(&ends.iter().map(|end| end.1).collect::<Vec<f64>>(), 27.0, top + 4.0, bottom - 4.0);
    for (index, ((line, end), place)) in lines.iter().zip(&ends).zip(label_places).enumerate() {
        label(canvas, line, *end, place, index, axis.unit);
    }
}

/// The limit of a line, as dashes in its colour; one line's limit often lies on another's.
fn limit_mark(canvas: &mut Canvas, line: &Curve, y: Scale, ink: Ink) {
    let Some(limit) = line.limit.filter(|limit| *limit <= y.from.1) else { return };
    let (left, right) = (LEFT, canvas.inset_right(RIGHT));
    canvas.dashes((left, y.place(limit)), (right, y.place(limit)), ink);
}

/// Draws a line as far as it is inside the picture, and returns where it ends.
fn curve(
    canvas: &mut Canvas,
    units: &[u32],
    line: &Curve,
    (x, y): (Scale, Scale),
    index: usize,
    most: f64,
) -> (f64, f64) {
    let ink = Ink::Series(index as u8);
    let mut points: Vec<(f64, f64)> = Vec::with_capacity(units.len());
    let mut last: Option<(f64, f64)> = None;
    for (units, value) in units.iter().zip(&line.values) {
        let Some(value) = value else { break };
        let here = (f64::from(*units), *value);
        if here.1 > most {
            // Where the straight line to this point leaves the picture.
            if let Some((units, value)) = last {
                let share = (most - value) / (here.1 - value);
                points.push((x.place(units + share * (here.0 - units)), y.place(most)));
            }
            break;
        }
        points.push((x.place(here.0), y.place(here.1)));
        last = Some(here);
    }
    canvas.path(&points, ink, LINE);
    let step = points.len().div_ceil(MARKERS).max(1);
    // Each line begins its markers elsewhere, so that lines on top of each other can be told apart.
    for point in points.iter().skip(index % step).step_by(step) {
        marker(canvas, *point, index);
    }
    points.last().copied().unwrap_or((x.to.0, y.to.0))
}

/// A mark whose shape belongs to the line.
fn marker(canvas: &mut Canvas, (x, y): (f64, f64), index: usize) {
    let ink = Ink::Series(index as u8);
    const R: f64 = 4.0;
    match index % usize::from(SERIES) {
        0 => canvas.dot((x, y), R, ink, true),
        1 => canvas.fill((x - 3.6, y - 3.6), (x + 3.6, y + 3.6), ink),
        2 => canvas.polygon(&[(x, y - 5.0), (x + 4.6, y + 3.6), (x - 4.6, y + 3.6)], ink),
        3 => canvas.polygon(&[(x, y - 5.2), (x + 5.2, y), (x, y + 5.2), (x - 5.2, y)], ink),
        4 => canvas.dot((x, y), R, ink, false),
        _ => {
            canvas.line((x - R, y - R), (x + R, y + R), ink, 2.0);
            canvas.line((x - R, y + R), (x + R, y - R), ink, 2.0);
        }
    }
}

/// Name and limit of a line to the right of the picture, with its mark and a thin lead to where the line ends.
fn label(canvas: &mut Canvas, line: &Curve, end: (f64, f64), place: f64, index: usize, unit: &str) {
    let x = canvas.inset_right(RIGHT) + 18.0;
    canvas.line((end.0, end.1), (x - 6.0, place), Ink::Grid, 1.0);
    marker(canvas, (x, place), index);
    let name = Letters::new(Ink::Text, Anchor::Start).small();
    canvas.text(&printable(&line.label, 28), (x + 10.0, place - 6.0), name);
    let limit = match line.limit {
        Some(limit) => say("chart-limit-of", &[("limit", Word::Text(&format!("{} {unit}", number(limit))))]),
        None => plain("chart-no-limit"),
    };
    canvas.text(&limit, (x + 10.0, place + 7.0), Letters::new(Ink::Muted, Anchor::Start).small());
}
