//! Colours by what they mean. A chart is drawn with a code for each; on the page a code becomes a custom property of the
//! style sheet, so that light and dark are decided there, in print a fixed colour.

use plotters::style::RGBColor;

/// What a stroke or area stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Names and figures.
    Text,
    /// Secondary text, and axes.
    Muted,
    /// Grid lines and the track of a bar.
    Grid,
    /// What the units use; the answer.
    Accent,
    /// What host and hypervisor take.
    Reserved,
    /// Where the policy draws the line.
    Limit,
    /// The ground, where something is cut out of an area.
    Ground,
    /// One of several lines, by its position.
    Series(u8),
}

/// Where a chart is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// In a page, whose style sheet may set `--chart-text`, `--chart-muted`, `--chart-grid`, `--chart-accent`,
    /// `--chart-reserved`, `--chart-limit`, `--chart-ground` and `--chart-series-1` to `-6`.
    Page,
    /// On white paper.
    Print,
}

impl Theme {
    /// How wide a chart is drawn, pixels: so that its letters keep about their size in the column of the page, and across
    /// a printed page.
    pub const fn width(self) -> f64 {
        match self {
            Self::Page => 500.0,
            Self::Print => 640.0,
        }
    }
}

/// Distinct lines that a chart draws at most.
pub const SERIES: u8 = 6;

/// Each ink with its custom property, its colour on the page where that is not set (readable on light and dark), and its
/// colour in print.
const INKS: [(Ink, &str, &str, &str); 13] = [
    (Ink::Text, "--chart-text", "currentColor", "#1b1f24"),
    (Ink::Muted, "--chart-muted", "currentColor", "#57606a"),
    (Ink::Grid, "--chart-grid", "#8c959f55", "#dde1e6"),
    (Ink::Accent, "--chart-accent", "#3b76c4", "#1f5fa8"),
    (Ink::Reserved, "--chart-reserved", "#8c959f", "#8c959f"),
    (Ink::Limit, "--chart-limit", "#c2571a", "#b3470b"),
    (Ink::Ground, "--chart-ground", "Canvas", "#ffffff"),
    (Ink::Series(0), "--chart-series-1", "#3b76c4", "#1f5fa8"),
    (Ink::Series(1), "--chart-series-2", "#c2571a", "#b3470b"),
    (Ink::Series(2), "--chart-series-3", "#2a8a68", "#1a7355"),
    (Ink::Series(3), "--chart-series-4", "#8a63c9", "#6d43b0"),
    (Ink::Series(4), "--chart-series-5", "#a8771a", "#8a5f0e"),
    (Ink::Series(5), "--chart-series-6", "#c0508c", "#a33a72"),
];

impl Ink {
    fn position(self) -> u8 {
        match self {
            Self::Text => 0,
            Self::Muted => 1,
            Self::Grid => 2,
            Self::Accent => 3,
            Self::Reserved => 4,
            Self::Limit => 5,
            Self::Ground => 6,
            Self::Series(index) => 7 + index % SERIES,
        }
    }

    /// The colour that stands for the ink until [`dye`] replaces it.
    pub(super) fn code(self) -> RGBColor {
        RGBColor(0, 0, self.position())
    }
}

/// Replaces the codes in attributes by what the theme makes of them. A quotation mark in a text is escaped, so only
/// attributes match.
pub(super) fn dye(svg: &str, theme: Theme) -> String {
    let mut svg = svg.to_owned();
    for (ink, property, page, print) in INKS {
        let code = format!("\"#0000{:02X}\"", ink.position());
        let colour = match theme {
            Theme::Page => format!("\"var({property}, {page})\""),
            Theme::Print => format!("\"{print}\""),
        };
        svg = svg.replace(&code, &colour);
    }
    svg
}
