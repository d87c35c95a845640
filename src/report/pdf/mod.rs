//! The report for a board, set by Typst inside the program: A4, tagged, PDF/A-2a, with charts. The same answer gives the
//! same bytes.

mod letters;
mod page_one;
mod renderer;
mod sections;
mod view;
mod world;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use typst::diag::SourceDiagnostic;
use typst::foundations::{Bytes, Datetime, Dict, IntoValue, Smart};
use typst_layout::PagedDocument;
use typst_pdf::{PdfOptions, PdfStandard, PdfStandards, Timestamp};

use super::Answer;
use super::charts::{Chart, Picture, Theme};
use letters::Care;
use world::ReportWorld;

pub use renderer::Renderer;

/// What the report says of itself beside the answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocumentMeta {
    /// When the input was made: a date, or a date and time in UTC, as in RFC 3339. Left out, no date is shown.
    pub created: Option<String>,
    /// How far the model was from published measurements; left out, the section is.
    pub accuracy: Option<Accuracy>,
}

/// The model's error on published measurements.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// What was compared, in a sentence or two.
    pub about: String,
    /// By the resource that binds: the error that stands beside the answer, in a sentence.
    #[serde(default)]
    pub beside: Vec<(String, String)>,
    pub rows: Vec<AccuracyRow>,
}

/// Error over the cases of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AccuracyRow {
    pub kind: String,
    /// `training` or `held_out`.
    pub set: String,
    pub cases: u32,
    pub median_abs_error_percent: f64,
    pub mean_abs_error_percent: f64,
    /// Measurements inside the 90 % interval.
    pub coverage_percent: f64,
}

/// Why there is no report.
#[derive(Debug, Error)]
pub enum PdfError {
    /// Typst refused the document.
    #[error("the report could not be set: {0}")]
    Set(String),
    /// The document cannot be written as PDF/A-2a.
    #[error("the report could not be written as PDF: {0}")]
    Write(String),
    #[error("the answer could not be read for the report: {0}")]
    Answer(#[from] serde_json::Error),
    /// The server stops, or the work was given up.
    #[error("the report was given up")]
    GivenUp,
}

/// PDF/A asks for a date. A report whose input has none says this one, because a clock would change its bytes.
const NO_DATE: (i32, u8, u8) = (2000, 1, 1);

/// The report as PDF. `input` is the scenario as it was sent. CPU work of some tens of milliseconds: call it on a thread
/// that may wait; [`Renderer`] does.
///
/// # Errors
/// When the document cannot be set or written, which no input should bring about.
pub fn render(answer: &Answer, input: &Value, meta: &DocumentMeta) -> Result<Vec<u8>, PdfError> {
    let _forget = Forget;
    match attempt(answer, input, meta, Care::Usual) {
        // A glyph that is missing after all: characters that are there one by one but not together.
        Err(PdfError::Write(_)) => attempt(answer, input, meta, Care::Strict),
        other => other,
    }
}

/// Typst keeps results for the next run. Ours has other inputs, and memory would grow with each report: emptied at the end
/// of each, however it ends.
struct Forget;

impl Drop for Forget {
    fn drop(&mut self) {
        typst::comemo::evict(0);
    }
}

fn attempt(answer: &Answer, input: &Value, meta: &DocumentMeta, care: Care) -> Result<Vec<u8>, PdfError> {
    let (mut answer, mut input) = (serde_json::to_value(answer)?, input.clone());
    letters::clean_all(&mut answer, care);
    letters::clean_all(&mut input, care);
    let answer: Answer = serde_json::from_value(answer)?;

    let drawn = |chart: Chart| chart.draw(&answer, Theme::Print).map(|picture| (chart, picture));
    let pictures: Vec<(Chart, Picture)> = Chart::ALL.into_iter().filter_map(drawn).collect();
    let view = view::view(&answer, &input, meta, care, &pictures);
    let mut charts = Dict::new();
    for (chart, picture) in pictures {
        charts.insert(chart.name().into(), Bytes::new(picture.svg.into_bytes()).into_value());
    }
    let mut inputs = Dict::new();
    inputs.insert("report".into(), serde_json::to_string(&view)?.into_value());
    inputs.insert("charts".into(), charts.into_value());

    let world = ReportWorld::new(inputs);
    let document = typst::compile::<PagedDocument>(&world).output.map_err(|e| PdfError::Set(told(&e)))?;
    let date = date(meta.created.as_deref());
    let options = PdfOptions {
        ident: Smart::Custom(view.ident()),
        creator: Smart::Custom(Some("vmfit".to_owned())),
        timestamp: date.map(Timestamp::new_utc),
        standards: PdfStandards::new(&[PdfStandard::A_2a]).map_err(|e| PdfError::Write(e.message().to_string()))?,
        ..PdfOptions::default()
    };
    typst_pdf::pdf(&document, &options).map_err(|e| PdfError::Write(told(&e)))
}

fn told(errors: &[SourceDiagnostic]) -> String {
    errors.iter().map(|error| error.message.as_str()).collect::<Vec<_>>().join("; ")
}

/// The date at the beginning of a text, or the one that says nothing.
fn date(created: Option<&str>) -> Option<Datetime> {
    let given = created.and_then(|text| {
        let part = |from: usize, to: usize| text.get(from..to)?.parse::<u16>().ok();
        let of = |part: Option<u16>| part.and_then(|value| u8::try_from(value).ok());
        let (year, month, day) = (part(0, 4)?, of(part(5, 7))?, of(part(8, 10))?);
        let time = (of(part(11, 13)), of(part(14, 16)), of(part(17, 19)));
        let (hour, minute, second) = if let (Some(h), Some(m), Some(s)) = time { (h, m, s) } else { (0, 0, 0) };
        Datetime::from_ymd_hms(i32::from(year), month, day, hour, minute, second)
    });
    given.or_else(|| Datetime::from_ymd_hms(NO_DATE.0, NO_DATE.1, NO_DATE.2, 0, 0, 0))
}
