//! Events a second of a benchmark, second by second, with a gap between its windows.

use super::super::words::{Word, number, plain, say};
use super::canvas::{About, Anchor, Canvas, Letters, Picture, svg};
use super::ink::{Ink, Theme};
use super::scale::{Scale, ticks, whole_ticks};

const HEIGHT: f64 = 220.0;
/// Edges of the plot; the right one from the right edge of the picture.
const LEFT: f64 = 68.0;
const TOP: f64 = 16.0;
const RIGHT: f64 = 16.0;
const BOTTOM: f64 = 172.0;
const LINE: f64 = 2.0;
/// Points up to which each has a dot.
const DOTTED: usize = 60;

/// The chart of these windows, each the events of its seconds; none when there are fewer than two seconds.
pub(super) fn draw(windows: &[&[f64]], theme: Theme) -> Option<Picture> {
    let all: Vec<f64> = windows.iter().copied().flatten().copied().filter(|rate| rate.is_finite()).collect();
    if all.len() < 2 {
        return None;
    }
    let (low, high) = all.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), rate| (low.min(*rate), high.max(*rate)));
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let description = say(
        "chart-rate-description",
        &[
            ("count", Word::Text(&number(all.len() as f64))),
            ("low", Word::Text(&number(low))),
            ("high", Word::Text(&number(high))),
            ("mean", Word::Text(&number(mean))),
        ],
    );
    let about = About { kind: "rate", title: &plain("chart-rate-title"), description: &description };
    let most = if high > 0.0 { high * 1.1 } else { 1.0 };
    Some(svg(&about, theme, (theme.width(), HEIGHT), |canvas| plot(canvas, windows, all.len(), most)))
}

fn plot(canvas: &mut Canvas, windows: &[&[f64]], count: usize, most: f64) {
    let (left, top, right, bottom) = (LEFT, TOP, canvas.inset_right(RIGHT), BOTTOM);
    let x = Scale { from: (1.0, count as f64), to: (left, right) };
    let y = Scale { from: (0.0, most), to: (bottom, top) };
    for tick in ticks(0.0..=most, 4.0) {
        canvas.line((left, y.place(tick)), (right, y.place(tick)), Ink::Grid, 1.0);
        let letters = Letters::new(Ink::Muted, Anchor::End).small();
        canvas.text(&number(tick), (left - 8.0, y.place(tick)), letters);
    }
    for tick in whole_ticks(1, u32::try_from(count).unwrap_or(u32::MAX), 8) {
        let place = x.place(f64::from(tick));
        canvas.line((place, bottom), (place, bottom + 4.0), Ink::Muted, 1.0);
        canvas.text(&number(f64::from(tick)), (place, bottom + 13.0), Letters::new(Ink::Muted, Anchor::Middle).small());
    }
    canvas.line((left, bottom), (right, bottom), Ink::Muted, 1.2);
    let letters = Letters::new(Ink::Muted, Anchor::Middle).small();
    canvas.text(&plain("chart-rate-axis"), ((left + right) / 2.0, HEIGHT - 12.0), letters);

    let mut second = 0.0;
    for window in windows {
        let mut points = Vec::with_capacity(window.len());
        for rate in *window {
            second += 1.0;
            if rate.is_finite() {
                points.push((x.place(second), y.place(*rate)));
            }
        }
        canvas.path(&points, Ink::Accent, LINE);
        if count <= DOTTED || points.len() == 1 {
            for point in points {
                canvas.dot(point, 2.5, Ink::Accent, true);
            }
        }
    }
}
