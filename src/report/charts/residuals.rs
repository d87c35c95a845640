//! How far each load of a calibration is from the line that was fitted through all.

use super::super::words::{Word, number, plain, say};
use super::canvas::{About, Anchor, Canvas, Letters, Picture, printable, svg};
use super::ink::{Ink, Theme};
use super::scale::{Scale, ticks};

/// One load.
pub struct Load {
    pub label: String,
    /// Native processors for the guest's rate.
    pub native: f64,
    /// Guest processors minus those of the line.
    pub residual: f64,
    pub outlier: bool,
}

const HEIGHT: f64 = 220.0;
/// Edges of the plot; the right one from the right edge of the picture.
const LEFT: f64 = 68.0;
const TOP: f64 = 26.0;
const RIGHT: f64 = 24.0;
const BOTTOM: f64 = 170.0;

/// The chart; none for one load, which lies on its line.
pub(super) fn draw(loads: &[Load], theme: Theme) -> Option<Picture> {
    if loads.len() < 2 || loads.iter().any(|load| !load.native.is_finite() || !load.residual.is_finite()) {
        return None;
    }
    let row = |load: &Load| {
        let (native, residual) = (number(load.native), number(load.residual));
        let words = [
            ("label", Word::Text(load.label.as_str())),
            ("native", Word::Text(&native)),
            ("residual", Word::Text(&residual)),
        ];
        say("chart-residuals-row", &words)
    };
    let sentences: Vec<String> = loads.iter().map(row).collect();
    let about = About { kind: "residuals", title: &plain("chart-residuals-title"), description: &sentences.join(" ") };
    Some(svg(&about, theme, (theme.width(), HEIGHT), |canvas| plot(canvas, loads)))
}

fn plot(canvas: &mut Canvas, loads: &[Load]) {
    let (left, right) = (LEFT, canvas.inset_right(RIGHT));
    let widest = loads.iter().map(|load| load.native).fold(0.0, f64::max) * 1.1;
    let furthest = loads.iter().map(|load| load.residual.abs()).fold(0.0, f64::max) * 1.25;
    let furthest = if furthest > 0.0 { furthest } else { 1e-6 };
    let x = Scale { from: (0.0, widest), to: (left, right) };
    let y = Scale { from: (-furthest, furthest), to: (BOTTOM, TOP) };
    canvas.text(
        &plain("chart-residuals-up"),
        (left - 60.0, TOP - 15.0),
        Letters::new(Ink::Muted, Anchor::Start).small(),
    );
    for tick in ticks(-furthest..=furthest, 4.0) {
        canvas.line((left, y.place(tick)), (right, y.place(tick)), Ink::Grid, 1.0);
        canvas.text(&number(tick), (left - 8.0, y.place(tick)), Letters::new(Ink::Muted, Anchor::End).small());
    }
    canvas.line((left, y.place(0.0)), (right, y.place(0.0)), Ink::Muted, 1.2);
    for tick in ticks(0.0..=widest, 6.0) {
        canvas.text(&number(tick), (x.place(tick), BOTTOM + 13.0), Letters::new(Ink::Muted, Anchor::Middle).small());
    }
    let letters = Letters::new(Ink::Muted, Anchor::Middle).small();
    canvas.text(&plain("chart-residuals-along"), ((left + right) / 2.0, HEIGHT - 12.0), letters);
    for load in loads {
        let place = (x.place(load.native), y.place(load.residual));
        canvas.line((place.0, y.place(0.0)), place, Ink::Accent, 1.0);
        let (ink, filled) = if load.outlier { (Ink::Limit, false) } else { (Ink::Accent, true) };
        canvas.dot(place, 4.5, ink, filled);
        let above = if load.residual < 0.0 { 13.0 } else { -13.0 };
        canvas.text(
            &printable(&load.label, 20),
            (place.0, place.1 + above),
            Letters::new(Ink::Text, Anchor::Middle).small(),
        );
    }
}
