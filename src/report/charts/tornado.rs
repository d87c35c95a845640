//! How far each uncertain input moves the number of units before rounding: from its low end to its high end, the rest
//! likely. The widest first.

use super::super::Answer;
use super::super::answer::Sensitivity;
use super::super::words::{Word, number, plain, say};
use super::canvas::{About, Anchor, Canvas, Letters, Picture, printable, svg};
use super::ink::{Ink, Theme};
use super::scale::{Scale, ticks};

const ROW: f64 = 34.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 62.0;
/// Where the axis begins, and how far from the right edge it ends.
const LEFT: f64 = 226.0;
const RIGHT: f64 = 56.0;
const MOST: usize = 10;
/// Below it an input does not move the answer, units.
const STILL: f64 = 1e-6;

fn span(row: &Sensitivity) -> f64 {
    (row.high_unrounded - row.low_unrounded).abs()
}

pub(super) fn draw(answer: &Answer, theme: Theme) -> Option<Picture> {
    let moving = |row: &&Sensitivity| span(row).is_finite() && span(row) > STILL;
    let mut rows: Vec<&Sensitivity> = answer.sensitivity.iter().filter(moving).collect();
    rows.sort_by(|a, b| span(b).total_cmp(&span(a)));
    rows.truncate(MOST);
    if rows.is_empty() {
        return None;
    }
    let description: Vec<String> = rows.iter().map(|row| sentence(row)).collect();
    let about = About { kind: "tornado", title: &plain("chart-tornado-title"), description: &description.join(" ") };
    let height = TOP + ROW * rows.len() as f64 + BOTTOM;
    Some(svg(&about, theme, (theme.width(), height), |canvas| plot(canvas, answer, &rows, height)))
}

fn with_unit(value: f64, unit: &str) -> String {
    if unit.is_empty() { number(value) } else { format!("{} {unit}", number(value)) }
}

fn sentence(row: &Sensitivity) -> String {
    say(
        "chart-tornado-row",
        &[
            ("input", Word::Text(&row.input)),
            ("low", Word::Text(&with_unit(row.low, &row.unit))),
            ("high", Word::Text(&with_unit(row.high, &row.unit))),
            ("low_fits", Word::Text(&number(row.low_unrounded))),
            ("high_fits", Word::Text(&number(row.high_unrounded))),
        ],
    )
}

fn plot(canvas: &mut Canvas, answer: &Answer, rows: &[&Sensitivity], height: f64) {
    let ends = || rows.iter().flat_map(|row| [row.low_unrounded, row.high_unrounded]);
    let (least, most) = (ends().fold(f64::MAX, f64::min), ends().fold(f64::MIN, f64::max));
    // The next whole number on each side belongs into the picture where it is near: crossing it changes the answer.
    let likely = f64::from(answer.fit.likely);
    let margin = ((most - least) * 0.12).max(0.01);
    let near = |value: f64| value > least - 6.0 * margin && value < most + 6.0 * margin;
    let whole = [likely, likely + 1.0].into_iter().filter(|value| near(*value));
    let (least, most) = whole.clone().fold((least - margin, most + margin), |(l, m), w| (l.min(w), m.max(w)));
    let x = Scale { from: (least, most), to: (LEFT, canvas.inset_right(RIGHT)) };
    let (top, bottom) = (TOP, height - BOTTOM);

    for tick in ticks(least..=most, 5.0) {
        canvas.line((x.place(tick), top), (x.place(tick), bottom), Ink::Grid, 1.0);
        let letters = Letters::new(Ink::Muted, Anchor::Middle).small();
        canvas.text(&number(tick), (x.place(tick), bottom + 12.0), letters);
    }
    for value in whole {
        canvas.dashes((x.place(value), top - 6.0), (x.place(value), bottom), Ink::Limit);
        let key = if value > likely { "chart-one-more" } else { "chart-still" };
        let text = say(key, &[("count", Word::Text(&number(value)))]);
        let letters = Letters::new(Ink::Limit, Anchor::Middle).small();
        canvas.text(&text, (x.place(value), top - 16.0), letters);
    }
    canvas.line((LEFT, bottom), (canvas.inset_right(RIGHT), bottom), Ink::Muted, 1.2);

    for (index, row) in rows.iter().enumerate() {
        bar(canvas, row, x, top + ROW * (index as f64 + 0.5));
    }

    let middle = (LEFT + canvas.inset_right(RIGHT)) / 2.0;
    let letters = Letters::new(Ink::Muted, Anchor::Middle).small();
    canvas.text(&plain("chart-tornado-axis"), (middle, bottom + 28.0), letters);
    let y = bottom + 46.0;
    canvas.dot((middle - 119.0, y), 4.0, Ink::Accent, true);
    canvas.text(&plain("chart-low-end"), (middle - 109.0, y), Letters::new(Ink::Muted, Anchor::Start).small());
    canvas.dot((middle + 17.0, y), 4.0, Ink::Accent, false);
    canvas.text(&plain("chart-high-end"), (middle + 27.0, y), Letters::new(Ink::Muted, Anchor::Start).small());
}

fn bar(canvas: &mut Canvas, row: &Sensitivity, x: Scale, middle: f64) {
    let (low, high) = (x.place(row.low_unrounded), x.place(row.high_unrounded));
    let label = LEFT - 16.0;
    canvas.text(&printable(&row.input, 34), (label, middle - 7.0), Letters::new(Ink::Text, Anchor::End));
    let range = match row.unit.as_str() {
        "" => say("chart-range", &[("low", Word::Text(&number(row.low))), ("high", Word::Text(&number(row.high)))]),
        unit => say(
            "chart-range",
            &[("low", Word::Text(&number(row.low))), ("high", Word::Text(&with_unit(row.high, unit)))],
        ),
    };
    canvas.text(&range, (label, middle + 7.0), Letters::new(Ink::Muted, Anchor::End).small());
    canvas.fill((low.min(high), middle - 5.0), (low.max(high), middle + 5.0), Ink::Accent);
    canvas.dot((low, middle), 5.0, Ink::Accent, true);
    canvas.dot((high, middle), 5.0, Ink::Accent, false);
}
