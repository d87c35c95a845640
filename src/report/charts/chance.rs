//! How likely it is that at least so many units fit, with the asked confidence as a line and the likely number marked.

use super::super::Answer;
use super::super::answer::Probability;
use super::super::words::{Word, number, plain, say};
use super::canvas::{About, Anchor, Canvas, Letters, Picture, svg};
use super::ink::{Ink, Theme};
use super::scale::Scale;
use super::short_unit;

const HEIGHT: f64 = 250.0;
/// Edges of the plot; the right one from the right edge of the picture.
const LEFT: f64 = 52.0;
const TOP: f64 = 26.0;
const RIGHT: f64 = 120.0;
const BOTTOM: f64 = 192.0;
/// Bars that are drawn one by one; above, so many are joined to one.
const MOST: usize = 40;
/// Below so many bars certain ones are added.
const FEW: usize = 5;
/// Bars that are labelled with their probability each.
const LABELLED: usize = 12;

pub(super) fn draw(answer: &Answer, theme: Theme) -> Option<Picture> {
    let shown = shown(&answer.fit.probability);
    if shown.is_empty() {
        return None;
    }
    let fit = &answer.fit;
    let text = |units: u32| number(f64::from(units));
    let description = say(
        "chart-chance-description",
        &[
            ("likely", Word::Text(&text(fit.likely))),
            ("sure", Word::Text(&text(fit.at_confidence))),
            ("confidence", Word::Text(&number(fit.confidence_percent))),
            ("worst", Word::Text(&text(fit.worst_case))),
            ("best", Word::Text(&text(fit.best_case))),
        ],
    );
    let bars: Vec<String> = shown.iter().map(|p| format!("{}: {}", text(p.units), percent(p.at_least))).collect();
    let description = format!("{description} {}", say("chart-chance-bars", &[("list", Word::Text(&bars.join(", ")))]));
    let about = About { kind: "chance", title: &plain("chart-chance-title"), description: &description };
    Some(svg(&about, theme, (theme.width(), HEIGHT), |canvas| plot(canvas, answer, &shown)))
}

/// What is worth drawing: the certain start and the impossible end are cut to one bar each, and a very wide rest is
/// thinned out evenly.
fn shown(all: &[Probability]) -> Vec<Probability> {
    let first = all.iter().rposition(|p| p.at_least >= 0.9995).unwrap_or(0);
    let last = all.iter().position(|p| p.at_least < 0.0005).unwrap_or(all.len().saturating_sub(1));
    let part = all.get(first..=last.max(first)).unwrap_or(all);
    let step = part.len().div_ceil(MOST).max(1);
    let mut bars: Vec<Probability> = part.iter().copied().step_by(step).collect();
    // Two bars alone say little: the certain ones before them show where the steps begin.
    while let Some(first) = bars.first().filter(|bar| bar.units > 1 && bar.at_least >= 0.9995).copied() {
        if bars.len() >= FEW {
            break;
        }
        bars.insert(0, Probability { units: first.units - 1, at_least: 1.0 });
    }
    bars
}

fn percent(probability: f64) -> String {
    let percent = probability * 100.0;
    match percent {
        p if p > 99.5 && p < 100.0 => "> 99 %".to_owned(),
        p if p > 0.0 && p < 0.5 => "< 1 %".to_owned(),
        p => format!("{} %", number(p.round())),
    }
}

fn plot(canvas: &mut Canvas, answer: &Answer, bars: &[Probability]) {
    let (left, top, right, bottom) = (LEFT, TOP, canvas.inset_right(RIGHT), BOTTOM);
    let y = Scale { from: (0.0, 1.0), to: (bottom, top) };
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        canvas.line((left, y.place(share)), (right, y.place(share)), Ink::Grid, 1.0);
        let letters = Letters::new(Ink::Muted, Anchor::End).small();
        canvas.text(&format!("{} %", number(share * 100.0)), (left - 8.0, y.place(share)), letters);
    }

    let slot = (right - left) / bars.len() as f64;
    // A few bars across the whole width would look like a wall.
    let half = (slot * 0.36).min(32.0);
    let label_every = bars.len().div_ceil(20);
    for (index, bar) in bars.iter().enumerate() {
        let middle = left + slot * (index as f64 + 0.5);
        let (from, to) = ((middle - half, y.place(bar.at_least)), (middle + half, bottom));
        if bar.units <= answer.fit.likely {
            canvas.fill(from, to, Ink::Accent);
        } else {
            canvas.hatch(from, to, Ink::Accent);
        }
        if bars.len() <= LABELLED {
            let letters = Letters::new(Ink::Text, Anchor::Middle).small();
            canvas.text(&percent(bar.at_least), (middle, (from.1 - 9.0).max(top - 14.0)), letters);
        }
        let marked = bar.units == answer.fit.likely || bar.units == answer.fit.at_confidence;
        if index % label_every == 0 || marked {
            let letters = Letters::new(Ink::Text, Anchor::Middle);
            let letters = if marked { letters.bold() } else { letters };
            canvas.text(&number(f64::from(bar.units)), (middle, bottom + 14.0), letters);
        }
        mark(canvas, answer, bar.units, middle);
    }
    canvas.line((left, bottom), (right, bottom), Ink::Muted, 1.2);
    canvas.text(
        &say("chart-chance-axis", &[("unit", Word::Text(&short_unit(answer)))]),
        ((left + right) / 2.0, HEIGHT - 12.0),
        Letters::new(Ink::Muted, Anchor::Middle).small(),
    );

    let confidence = y.place(answer.fit.confidence_percent / 100.0);
    canvas.dashes((left, confidence), (right, confidence), Ink::Limit);
    let text = say("chart-confidence-line", &[("confidence", Word::Text(&number(answer.fit.confidence_percent)))]);
    canvas.text(&text, (right + 6.0, confidence), Letters::new(Ink::Limit, Anchor::Start).small());
}

/// Says below a bar that it is the likely number, or the one that is sure enough.
fn mark(canvas: &mut Canvas, answer: &Answer, units: u32, middle: f64) {
    let below = BOTTOM + 29.0;
    let key = match (units == answer.fit.likely, units == answer.fit.at_confidence) {
        (true, true) => "chart-likely-and-sure",
        (true, false) => "chart-likely",
        (false, true) => "chart-sure",
        (false, false) => return,
    };
    let confidence = number(answer.fit.confidence_percent);
    let text = say(key, &[("confidence", Word::Text(&confidence))]);
    canvas.text(&text, (middle, below), Letters::new(Ink::Text, Anchor::Middle).small());
}
