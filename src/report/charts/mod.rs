//! Charts of an answer as SVG. Each is text that scales, with a title and a description for those who do not see it, and
//! tells nothing by colour alone. The same answer gives the same text.

mod canvas;
mod chance;
mod curves;
mod ink;
mod losses;
mod rate;
mod residuals;
mod scale;
mod series;
mod tornado;
mod utilization;

use super::Answer;
use super::words::plain;

pub use canvas::Picture;
pub(super) use canvas::printable;
pub use ink::Theme;
pub use losses::Loss;
pub use residuals::Load;
pub use series::Series;

/// The charts there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chart {
    /// A bar for each resource: used, reserved, and where the policy draws the line.
    Utilization,
    /// How likely it is that at least so many fit.
    Chance,
    /// Utilization of each resource against the number of units.
    CurvesUtilization,
    /// Disk latency and response time against the number of units.
    CurvesLatency,
    /// How far each uncertain input moves the answer.
    Tornado,
}

impl Chart {
    pub const ALL: [Self; 5] =
        [Self::Utilization, Self::Chance, Self::CurvesUtilization, Self::CurvesLatency, Self::Tornado];

    /// Its name in ids, classes and data.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utilization => "utilization",
            Self::Chance => "chance",
            Self::CurvesUtilization => "utilization-by-units",
            Self::CurvesLatency => "latency-by-units",
            Self::Tornado => "tornado",
        }
    }

    /// The chart for a theme; none when there is nothing to show.
    pub fn draw(self, answer: &Answer, theme: Theme) -> Option<Picture> {
        match self {
            Self::Utilization => utilization::draw(answer, theme),
            Self::Chance => chance::draw(answer, theme),
            Self::CurvesUtilization => curves::draw_utilization(answer, theme),
            Self::CurvesLatency => curves::draw_latency(answer, theme),
            Self::Tornado => tornado::draw(answer, theme),
        }
    }
}

/// Letters of a unit's name that an axis has room for.
const UNIT_LETTERS: usize = 32;

/// What is counted, for an axis; a name too long for it is the plain word.
fn short_unit(answer: &Answer) -> String {
    match answer.unit_name.chars().count() <= UNIT_LETTERS {
        true => answer.unit_name.clone(),
        false => plain("chart-units"),
    }
}

/// [`Chart::Utilization`] for a page.
pub fn utilization(answer: &Answer) -> Option<String> {
    Chart::Utilization.draw(answer, Theme::Page).map(|picture| picture.svg)
}

/// [`Chart::Chance`] for a page.
pub fn chance(answer: &Answer) -> Option<String> {
    Chart::Chance.draw(answer, Theme::Page).map(|picture| picture.svg)
}

/// [`Chart::CurvesUtilization`] for a page.
pub fn curves_utilization(answer: &Answer) -> Option<String> {
    Chart::CurvesUtilization.draw(answer, Theme::Page).map(|picture| picture.svg)
}

/// [`Chart::CurvesLatency`] for a page.
pub fn curves_latency(answer: &Answer) -> Option<String> {
    Chart::CurvesLatency.draw(answer, Theme::Page).map(|picture| picture.svg)
}

/// [`Chart::Tornado`] for a page.
pub fn tornado(answer: &Answer) -> Option<String> {
    Chart::Tornado.draw(answer, Theme::Page).map(|picture| picture.svg)
}

/// Events a second of a benchmark for a page: for each of its windows the events of its seconds.
pub fn rate(windows: &[&[f64]]) -> Option<String> {
    rate::draw(windows, Theme::Page).map(|picture| picture.svg)
}

/// A counter over time for a page.
pub fn series(series: &Series) -> Option<String> {
    series::draw(series, Theme::Page).map(|picture| picture.svg)
}

/// What guests lose, measured and published, for a page.
pub fn losses(losses: &[Loss]) -> Option<String> {
    losses::draw(losses, Theme::Page).map(|picture| picture.svg)
}

/// Distances of the loads of a calibration from its line, for a page.
pub fn residuals(loads: &[Load]) -> Option<String> {
    residuals::draw(loads, Theme::Page).map(|picture| picture.svg)
}
