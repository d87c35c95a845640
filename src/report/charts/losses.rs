//! What guests lose of native performance, a line for each comparison: the likely loss and its interval.

use super::super::words::{Word, number, plain, say};
use super::canvas::{About, Anchor, Canvas, Letters, Picture, printable, svg};
use super::ink::{Ink, Theme};
use super::scale::{Scale, ticks};

/// One comparison, losses in percent of the native figure.
pub struct Loss {
    pub label: String,
    pub likely: f64,
    /// Its interval; none where there is only the published figure.
    pub range: Option<(f64, f64)>,
}

const ROW: f64 = 24.0;
const TOP: f64 = 12.0;
const BELOW: f64 = 44.0;
/// Edges of the plot; the right one from the right edge of the picture.
const LEFT: f64 = 200.0;
const RIGHT: f64 = 64.0;

/// The chart; none without a comparison.
pub(super) fn draw(losses: &[Loss], theme: Theme) -> Option<Picture> {
    let good: Vec<&Loss> = losses.iter().filter(|loss| loss.likely.is_finite()).collect();
    if good.is_empty() {
        return None;
    }
    let sentence = |loss: &&Loss| match loss.range {
        Some((low, high)) => say(
            "chart-losses-row",
            &[
                ("label", Word::Text(&loss.label)),
                ("likely", Word::Text(&percent(loss.likely))),
                ("low", Word::Text(&percent(low))),
                ("high", Word::Text(&percent(high))),
            ],
        ),
        None => format!("{}: {}.", loss.label, percent(loss.likely)),
    };
    let sentences: Vec<String> = good.iter().map(sentence).collect();
    let about = About { kind: "losses", title: &plain("chart-losses-title"), description: &sentences.join(" ") };
    let height = TOP + ROW * good.len() as f64 + BELOW;
    Some(svg(&about, theme, (theme.width(), height), |canvas| plot(canvas, &good, height)))
}

/// More decimals than two of a percentage are noise of the benchmark.
fn percent(value: f64) -> String {
    format!("{} %", number((value * 100.0).round() / 100.0))
}

fn plot(canvas: &mut Canvas, losses: &[&Loss], height: f64) {
    let ends = losses.iter().flat_map(|loss| {
        let (low, high) = loss.range.unwrap_or((loss.likely, loss.likely));
        [low, high, loss.likely]
    });
    let (low, high) =
        ends.filter(|end| end.is_finite()).fold((0.0_f64, 1.0_f64), |(low, high), end| (low.min(end), high.max(end)));
    let (left, right, bottom) = (LEFT, canvas.inset_right(RIGHT), height - BELOW);
    let x = Scale { from: (low, high), to: (left, right) };
    for tick in ticks(low..=high, 8.0) {
        let place = x.place(tick);
        canvas.line((place, TOP), (place, bottom), Ink::Grid, 1.0);
        canvas.text(&number(tick), (place, bottom + 12.0), Letters::new(Ink::Muted, Anchor::Middle).small());
    }
    canvas.line((x.place(0.0), TOP), (x.place(0.0), bottom), Ink::Muted, 1.2);
    let letters = Letters::new(Ink::Muted, Anchor::Middle).small();
    canvas.text(&plain("chart-losses-axis"), ((left + right) / 2.0, height - 12.0), letters);
    for (index, loss) in losses.iter().enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        canvas.text(&printable(&loss.label, 32), (left - 10.0, y), Letters::new(Ink::Text, Anchor::End).small());
        let inside = |value: f64| x.place(value.clamp(low, high));
        if let Some((from, to)) = loss.range {
            canvas.line((inside(from), y), (inside(to), y), Ink::Accent, 3.0);
        }
        // Filled: measured here. Hollow: published.
        canvas.dot((inside(loss.likely), y), 4.5, Ink::Accent, loss.range.is_some());
        let end = loss.range.map_or(loss.likely, |(_, to)| to.max(loss.likely));
        canvas.text(&percent(loss.likely), (inside(end) + 9.0, y), Letters::new(Ink::Text, Anchor::Start).small());
    }
}
