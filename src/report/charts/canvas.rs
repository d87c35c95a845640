//! A drawing surface in CSS pixels over plotters' SVG backend.

use std::hash::Hasher;

use plotters::backend::DrawingBackend;
use plotters::prelude::SVGBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, IntoFont, ShapeStyle, TextStyle};

use super::ink::{Ink, Theme, dye};

/// plotters draws on whole numbers: so many of them are one pixel, or curves would show steps.
const SCALE: f64 = 10.0;
/// The backend divides a font's size by this before it writes it.
const FONT_FACTOR: f64 = 1.24;
/// The family in print; on the page a chart takes that of the text around it.
const FAMILY: &str = "Inter";

/// The width of a dashed line, pixels. The backend knows no dashes: [`svg`] adds them to lines of this width, which no
/// other line has.
const DASHED: f64 = 1.3;

/// Which end of a text stands at the given place.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Clone, Copy)]
pub struct Letters {
    pub ink: Ink,
    /// Pixels.
    pub size: f64,
    pub bold: bool,
    pub anchor: Anchor,
    /// Reads upwards.
    pub upright: bool,
}

impl Letters {
    pub const fn new(ink: Ink, anchor: Anchor) -> Self {
        Self { ink, size: 12.0, bold: false, anchor, upright: false }
    }

    pub const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }

    pub const fn small(self) -> Self {
        Self { size: 11.0, ..self }
    }
}

/// The surface. Places and sizes are pixels from the upper left corner.
pub struct Canvas<'a> {
    backend: SVGBackend<'a>,
    width: f64,
}

fn whole(value: f64) -> i32 {
    (value * SCALE).round() as i32
}

fn at((x, y): (f64, f64)) -> (i32, i32) {
    (whole(x), whole(y))
}

fn stroke(ink: Ink, width: f64) -> ShapeStyle {
    ink.code().stroke_width(whole(width).max(1).unsigned_abs())
}

// A drawing into memory cannot fail: the backend's results are of the kind that writes files.
impl Canvas<'_> {
    /// The place so far from the right edge.
    pub fn inset_right(&self, margin: f64) -> f64 {
        self.width - margin
    }

    /// A rectangle from one corner to the other, filled.
    pub fn fill(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink) {
        if at(from).0 < at(to).0 && at(from).1 < at(to).1 {
            self.backend.draw_rect(at(from), at(to), &ink.code().filled(), true).ok();
        }
    }

    /// The outline of a rectangle.
    pub fn outline(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink) {
        let corners = [from, (to.0, from.1), to, (from.0, to.1), from];
        self.path(&corners, ink, 1.0);
    }

    /// A rectangle filled with slanting lines, for areas that must not be told by colour alone.
    pub fn hatch(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink) {
        let (width, height) = (to.0 - from.0, to.1 - from.1);
        if width <= 0.0 || height <= 0.0 {
            return;
        }
        self.outline(from, to, ink);
        const GAP: f64 = 4.0;
        let mut offset = GAP;
        while offset < width + height {
            // The line x + y = offset, cut at the edges of the rectangle.
            let lower = (offset.min(width), offset - offset.min(width));
            let upper = (offset - offset.min(height), offset.min(height));
            let place = |(x, y): (f64, f64)| (from.0 + x, from.1 + y);
            self.line(place(lower), place(upper), ink, 0.8);
            offset += GAP;
        }
    }

    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink, width: f64) {
        self.backend.draw_line(at(from), at(to), &stroke(ink, width)).ok();
    }

    /// A line of dashes.
    pub fn dashes(&mut self, from: (f64, f64), to: (f64, f64), ink: Ink) {
        self.line(from, to, ink, DASHED);
    }

    pub fn path(&mut self, points: &[(f64, f64)], ink: Ink, width: f64) {
        self.backend.draw_path(points.iter().map(|point| at(*point)), &stroke(ink, width)).ok();
    }

    pub fn polygon(&mut self, points: &[(f64, f64)], ink: Ink) {
        self.backend.fill_polygon(points.iter().map(|point| at(*point)), &ink.code().filled()).ok();
    }

    pub fn dot(&mut self, center: (f64, f64), radius: f64, ink: Ink, filled: bool) {
        let radius = whole(radius).unsigned_abs();
        if filled {
            self.backend.draw_circle(at(center), radius, &ink.code().filled(), true).ok();
        } else {
            self.backend.draw_circle(at(center), radius, &Ink::Ground.code().filled(), true).ok();
            self.backend.draw_circle(at(center), radius, &stroke(ink, 1.6), false).ok();
        }
    }

    /// A text whose middle line passes through the place.
    pub fn text(&mut self, text: &str, place: (f64, f64), letters: Letters) {
        let h_pos = match letters.anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let mut font = (FAMILY, letters.size * SCALE * FONT_FACTOR).into_font();
        if letters.bold {
            font = font.style(FontStyle::Bold);
        }
        if letters.upright {
            font = font.transform(FontTransform::Rotate270);
        }
        let colour = letters.ink.code();
        let style = TextStyle::from(font).color(&colour).pos(Pos::new(h_pos, VPos::Center));
        self.backend.draw_text(&printable(text, usize::MAX), &style, at(place)).ok();
    }
}

/// What a chart says of itself to those who do not see it.
pub struct About<'a> {
    /// Short and fixed: the beginning of its ids, and its class.
    pub kind: &'a str,
    pub title: &'a str,
    pub description: &'a str,
}

/// A chart, and what it says in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub svg: String,
    pub title: String,
    pub description: String,
}

/// Draws, and dresses the result for its theme: no fixed size, so that the page decides it; title and description that
/// belong to the picture; ids that no other chart of a page has.
pub fn svg(about: &About, theme: Theme, (width, height): (f64, f64), draw: impl FnOnce(&mut Canvas)) -> Picture {
    let mut raw = String::new();
    {
        let size = at((width, height));
        let mut canvas = Canvas {
            backend: SVGBackend::with_string(&mut raw, (size.0.unsigned_abs(), size.1.unsigned_abs())),
            width,
        };
        draw(&mut canvas);
        canvas.backend.present().ok();
    }
    let body = raw.split_once('>').map_or("", |(_, body)| body);
    let width_of = |width: f64| format!(" stroke-width=\"{}\"", whole(width));
    let dashed = format!("{} stroke-dasharray=\"{} {}\"", width_of(DASHED), whole(5.0), whole(3.0));
    let body = body.replace(" opacity=\"1\"", "").replace(&width_of(DASHED), &dashed);
    let body = dye(&body, theme);
    let body = match theme {
        Theme::Page => body.replace(&format!(" font-family=\"{FAMILY}\""), ""),
        Theme::Print => body,
    };
    let (title, description) = (escaped(about.title), escaped(about.description));
    let id = format!("chart-{}-{:08x}", about.kind, digest(&[about.title, about.description, &body]));
    let (w, h) = at((width, height));
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart chart-{kind}\" viewBox=\"0 0 {w} {h}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-desc\">\n<title id=\"{id}-title\">{title}</title>\n\
         <desc id=\"{id}-desc\">{description}</desc>{body}",
        kind = about.kind,
    );
    Picture { svg, title: about.title.to_owned(), description: about.description.to_owned() }
}

/// A short digest of texts, the same everywhere. FNV-1a of 64 bits, folded.
fn digest(texts: &[&str]) -> u32 {
    struct Fnv(u64);
    impl Hasher for Fnv {
        fn finish(&self) -> u64 {
            self.0
        }

        fn write(&mut self, bytes: &[u8]) {
            for byte in bytes {
                self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    for text in texts {
        hasher.write(text.as_bytes());
    }
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}

/// A text without characters that XML forbids, at most so many characters long; what is cut off is shown as "…".
pub fn printable(text: &str, most: usize) -> String {
    let allowed = |c: &char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    let mut clean: String = text.chars().filter(allowed).take(most).collect();
    if most < usize::MAX && text.chars().filter(allowed).nth(most).is_some() {
        clean.pop();
        clean.truncate(clean.trim_end().len());
        clean.push('…');
    }
    clean
}

fn escaped(text: &str) -> String {
    let text = printable(text, usize::MAX);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
