//! The report as plain data for the template: titles, sentences, tables of texts. All words and numbers are made here;
//! the template only sets them.

use serde::Serialize;
use serde_json::Value;

use super::super::Answer;
use super::super::charts::{Chart, Picture};
use super::super::tables::{Cell, Column, Table};
use super::super::words::{Word, number, plain, say};
use super::letters::{Care, breakable, clean};
use super::{DocumentMeta, date, page_one, sections};

/// Rows that a table of the report has at most: a board reads no thousand rows.
const MOST_ROWS: usize = 250;
/// Tables up to this size stay on one page.
const KEPT_ROWS: usize = 14;
pub(super) const KEPT_LETTERS: usize = 1800;

#[derive(Serialize)]
pub(super) struct View {
    lang: &'static str,
    /// For the document's metadata.
    title: String,
    author: &'static str,
    kicker: String,
    /// The title as it is set, and as it stands above each page.
    heading: String,
    running: String,
    /// Words around the page number.
    page: [String; 2],
    first: page_one::PageOne,
    sections: Vec<Section>,
    #[serde(skip)]
    ident: String,
}

#[derive(Serialize)]
pub(super) struct Section {
    pub title: String,
    /// Begins on a new page. Typst sets what lies between such pages side by side.
    pub fresh: bool,
    pub blocks: Vec<Block>,
}

/// What a section is made of.
#[derive(Serialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub(super) enum Block {
    Text {
        text: String,
    },
    /// Smaller, for what explains.
    Note {
        text: String,
    },
    Subtitle {
        text: String,
    },
    Table(TableView),
    /// Two narrow tables side by side.
    Pair {
        tables: Vec<TableView>,
    },
    Chart(ChartView),
    /// What stays on one page.
    Together {
        blocks: Vec<Block>,
    },
    /// A name and a text for each.
    Items {
        style: Items,
        items: Vec<(String, String)>,
    },
}

/// Where the names stand.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Items {
    /// In a column of their own: the texts are short.
    Lines,
    /// The same, and the names are numbers.
    Numbered,
    /// At the beginning of the text.
    RunIn,
}

#[derive(Serialize)]
pub(super) struct ChartView {
    pub name: &'static str,
    pub title: String,
    /// For those who do not see it.
    pub alt: String,
}

#[derive(Serialize)]
pub(super) struct TableView {
    title: String,
    heads: Vec<String>,
    figures: Vec<bool>,
    /// Shares of the width.
    widths: Vec<f64>,
    /// Of the page's width, at most 1.
    width: f64,
    /// A value, and a remark on it where there is one.
    rows: Vec<Vec<(String, Option<String>)>>,
    /// Stays on one page.
    keep: bool,
    /// What is left out.
    more: Option<String>,
}

impl View {
    /// A text that is the same for the same report and no other.
    pub(super) fn ident(&self) -> String {
        self.ident.clone()
    }
}

pub(super) fn view(
    answer: &Answer,
    input: &Value,
    meta: &DocumentMeta,
    care: Care,
    pictures: &[(Chart, Picture)],
) -> View {
    let title = short(&answer.name, 160);
    let meta = &meta_clean(meta, care);
    let created = meta.created.as_deref().filter(|text| date(Some(text)) != date(None)).and_then(|text| text.get(..10));
    View {
        lang: "en",
        title: title.clone(),
        author: "vmfit",
        kicker: plain("pdf-kicker"),
        heading: breakable(&title),
        running: breakable(&short(&answer.name, 80)),
        page: [plain("pdf-page"), plain("pdf-page-of")],
        first: page_one::page_one(answer, input, meta, created, pictures),
        sections: sections::sections(answer, input, meta, pictures),
        ident: format!("vmfit\u{1f}{}\u{1f}{:?}\u{1f}{input}", answer.model_version, meta.created),
    }
}

/// Sentences of the accuracy section come from files, like all else that is not ours.
fn meta_clean(meta: &DocumentMeta, care: Care) -> DocumentMeta {
    let mut meta = meta.clone();
    if let Some(accuracy) = &mut meta.accuracy {
        accuracy.about = clean(&accuracy.about, care);
        accuracy.beside.iter_mut().for_each(|(_, text)| *text = clean(text, care));
        for row in &mut accuracy.rows {
            row.kind = clean(&row.kind, care);
            row.set = clean(&row.set, care);
        }
    }
    meta
}

/// A heading inside a section. PDF/A limits the length of a heading's name, and nobody reads more.
pub(super) fn subtitle(text: &str) -> Block {
    Block::Subtitle { text: breakable(&short(text, 160)) }
}

/// A text cut to so many characters.
pub(super) fn short(text: &str, most: usize) -> String {
    super::super::charts::printable(text, most)
}

pub(super) fn chart(pictures: &[(Chart, Picture)], wanted: Chart) -> Option<ChartView> {
    let (_, picture) = pictures.iter().find(|(chart, _)| *chart == wanted)?;
    // PDF/A limits the length of a text, and nobody listens to more.
    let alt = short(&format!("{}. {}", picture.title, picture.description), 2000);
    Some(ChartView { name: wanted.name(), title: picture.title.clone(), alt })
}

/// A table with its texts made and its widths decided.
pub(super) fn table(table: &Table) -> TableView {
    let shown = &table.rows[..table.rows.len().min(MOST_ROWS)];
    let more = table.rows.len() - shown.len();
    let cell = |cell: &Cell| (breakable(&cell.shown()), cell.note.clone());
    let rows: Vec<Vec<(String, Option<String>)>> = shown.iter().map(|row| row.iter().map(cell).collect()).collect();
    let letters: usize = rows.iter().flatten().map(|(text, _)| text.len()).sum();
    let widths: Vec<f64> = table
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| need(column, shown.iter().map(|row| &row[index])))
        .collect();
    // Letters of a full line at the size of a table.
    const LINE: f64 = 104.0;
    let sum: f64 = widths.iter().sum();
    TableView {
        title: table.title.clone(),
        heads: table.columns.iter().map(|column| column.head.clone()).collect(),
        figures: table.columns.iter().map(|column| column.figures).collect(),
        width: if sum < 0.75 * LINE { (sum / LINE).max(0.3) } else { 1.0 },
        widths,
        keep: rows.len() <= KEPT_ROWS && letters <= KEPT_LETTERS,
        rows,
        more: (more > 0).then(|| say("pdf-more-rows", &[("count", Word::Text(&number(more as f64)))])),
    }
}

/// Letters that a column needs: figures are never broken, texts only as far as their weight allows.
fn need<'a>(column: &Column, cells: impl Iterator<Item = &'a Cell>) -> f64 {
    const PADDING: f64 = 2.0;
    let longest_word = |text: &str| text.split(' ').map(|word| word.chars().count()).max().unwrap_or(0);
    let head = longest_word(&column.head);
    let body = cells
        .map(|cell| {
            let text = cell.shown();
            let note = cell.note.as_deref().map_or(0, |note| if column.figures { note.chars().count() + 1 } else { 0 });
            text.chars().count() + note
        })
        .max()
        .unwrap_or(0);
    let most = if column.figures { 26 } else { (16.0 * column.weight) as usize };
    (head.max(body.min(most.max(8)))) as f64 + PADDING
}
