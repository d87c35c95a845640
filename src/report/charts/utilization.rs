//! A bar for each resource, the binding one first: what is used at the likely fit, what host and hypervisor take, and
//! where the policy draws the line.

use super::super::Answer;
use super::super::answer::Resource;
use super::super::words::{Word, number, plain, say};
use super::canvas::{About, Anchor, Canvas, Letters, Picture, printable, svg};
use super::ink::{Ink, Theme};

const WIDTH: f64 = 640.0;
const ROW: f64 = 30.0;
const BAR: f64 = 14.0;
/// Where the bars begin and end.
const BARS: (f64, f64) = (216.0, 512.0);
const TOP: f64 = 8.0;
const LEGEND: f64 = 30.0;
/// Rows that are drawn; more would not be read, and in print they share the first page with the answer.
const MOST: usize = 14;
const MOST_PRINTED: usize = 9;

/// Shares of the supply, 0 to 1.
struct Shares {
    reserved: f64,
    used: f64,
    limit: f64,
}

fn shares(resource: &Resource) -> Shares {
    let part = |value: f64| if value.is_finite() { value.clamp(0.0, 1.0) } else { 1.0 };
    let reserved = if resource.supply > 0.0 { part(resource.reserved / resource.supply) } else { 0.0 };
    let free = 1.0 - reserved;
    Shares {
        reserved,
        used: part(resource.utilization_percent / 100.0) * free,
        limit: part(reserved + resource.limit_percent / 100.0 * free),
    }
}

pub(super) fn draw(answer: &Answer, theme: Theme) -> Option<Picture> {
    if answer.resources.is_empty() {
        return None;
    }
    let most = if theme == Theme::Print { MOST_PRINTED } else { MOST };
    let rows = &answer.resources[..answer.resources.len().min(most)];
    let description: Vec<String> = answer.resources.iter().map(sentence).collect();
    let left_out = answer.resources.len() - rows.len();
    let about =
        About { kind: "utilization", title: &plain("chart-utilization-title"), description: &description.join(" ") };
    let extra = if left_out > 0 { 18.0 } else { 0.0 };
    let height = TOP + ROW * rows.len() as f64 + extra + LEGEND;
    Some(svg(&about, theme, (WIDTH, height), |canvas| {
        for (index, resource) in rows.iter().enumerate() {
            row(canvas, resource, TOP + ROW * index as f64, index == 0, many_subjects(answer, resource));
        }
        if left_out > 0 {
            let count = number(left_out as f64);
            let text = say("chart-more-rows", &[("count", Word::Text(&count))]);
            let place = (BARS.0, TOP + ROW * rows.len() as f64 + 8.0);
            canvas.text(&text, place, Letters::new(Ink::Muted, Anchor::Start).small());
        }
        legend(canvas, height - LEGEND / 2.0);
    }))
}

/// Whether the resource's name alone would not say which one is meant.
fn many_subjects(answer: &Answer, resource: &Resource) -> bool {
    answer.resources.iter().filter(|other| other.resource == resource.resource).count() > 1
}

fn sentence(resource: &Resource) -> String {
    say(
        "chart-utilization-row",
        &[
            ("label", Word::Text(&resource.label)),
            ("subject", Word::Text(&resource.subject)),
            ("used", Word::Text(&number(resource.utilization_percent))),
            ("limit", Word::Text(&number(resource.limit_percent))),
            ("fits", Word::Text(&resource.fits_text())),
        ],
    )
}

fn row(canvas: &mut Canvas, resource: &Resource, top: f64, binding: bool, with_subject: bool) {
    let middle = top + ROW / 2.0;
    let (bar_top, bar_end) = (middle - BAR / 2.0, middle + BAR / 2.0);
    let x = |share: f64| BARS.0 + share * (BARS.1 - BARS.0);
    let shares = shares(resource);

    let name = if with_subject { format!("{}, {}", resource.label, resource.subject) } else { resource.label.clone() };
    let letters = Letters::new(Ink::Text, Anchor::End);
    let letters = if binding { letters.bold() } else { letters };
    canvas.text(&printable(&name, 34), (BARS.0 - 10.0, middle), letters);

    canvas.fill((BARS.0, bar_top), (BARS.1, bar_end), Ink::Grid);
    canvas.hatch((BARS.0, bar_top), (x(shares.reserved), bar_end), Ink::Reserved);
    canvas.fill((x(shares.reserved), bar_top), (x(shares.reserved + shares.used), bar_end), Ink::Accent);
    let limit = x(shares.limit);
    canvas.line((limit, bar_top - 4.0), (limit, bar_end + 4.0), Ink::Limit, 2.0);
    canvas.polygon(&[(limit - 4.0, bar_top - 6.0), (limit + 4.0, bar_top - 6.0), (limit, bar_top - 1.0)], Ink::Limit);

    let percent = format!("{} %", number(resource.utilization_percent));
    let fits = say("chart-fits", &[("count", Word::Text(&resource.fits_text()))]);
    let letters = Letters::new(Ink::Text, Anchor::End);
    let letters = if binding { letters.bold() } else { letters };
    canvas.text(&percent, (BARS.1 + 58.0, middle), letters);
    canvas.text(&fits, (WIDTH - 2.0, middle), letters);
}

fn legend(canvas: &mut Canvas, middle: f64) {
    let letters = Letters::new(Ink::Muted, Anchor::Start).small();
    let box_of = |x: f64| ((x, middle - 5.0), (x + 14.0, middle + 5.0));
    let mut x = BARS.0;
    let (from, to) = box_of(x);
    canvas.fill(from, to, Ink::Accent);
    canvas.text(&plain("chart-used"), (x + 19.0, middle), letters);
    x += 66.0;
    let (from, to) = box_of(x);
    canvas.hatch(from, to, Ink::Reserved);
    canvas.text(&plain("chart-reserved"), (x + 19.0, middle), letters);
    x += 172.0;
    canvas.line((x, middle - 7.0), (x, middle + 7.0), Ink::Limit, 2.0);
    canvas.polygon(&[(x - 4.0, middle - 9.0), (x + 4.0, middle - 9.0), (x, middle - 4.0)], Ink::Limit);
    canvas.text(&plain("chart-limit"), (x + 8.0, middle), letters);
}
