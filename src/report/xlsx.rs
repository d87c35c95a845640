//! The answer as a workbook: sheets Answer, Resources, Volumes, Inputs, Coefficients, Advice. Texts are written as texts,
//! never as formulas, and no clock reaches the file: the same answer gives the same bytes.

use rust_xlsxwriter::{
    DocProperties, ExcelDateTime, Format, FormatAlign, FormatBorder, Workbook, Worksheet, XlsxError,
};
use serde_json::Value as Json;
use thiserror::Error;

use super::Answer;
use super::tables::{self, Cell, Table, Value};
use super::words::{Word, number, plain, say};

/// Excel refuses longer texts in a cell.
const LONGEST_TEXT: usize = 32_767;
/// Widest column, letters: longer texts wrap.
const WIDEST: f64 = 60.0;
/// Rows of one sheet; Excel has 1,048,576.
const MOST_ROWS: usize = 1_000_000;

/// Why there is no workbook.
#[derive(Debug, Error)]
#[error("the workbook could not be written: {0}")]
pub struct WorkbookError(#[from] XlsxError);

struct Formats {
    title: Format,
    strong: Format,
    text: Format,
    head: Format,
    whole: Format,
    fraction: Format,
    note: Format,
}

impl Formats {
    fn new() -> Self {
        let text = Format::new().set_text_wrap().set_align(FormatAlign::Top);
        let figure = Format::new().set_align(FormatAlign::Top);
        Self {
            title: Format::new().set_bold().set_font_size(16),
            strong: text.clone().set_bold(),
            head: text.clone().set_bold().set_align(FormatAlign::Bottom).set_border_bottom(FormatBorder::Thin),
            text,
            whole: figure.clone().set_num_format("#,##0"),
            // As many decimals as there are, without a point behind whole numbers' last digit being forced.
            fraction: figure.set_num_format("#,##0.0###"),
            note: Format::new().set_italic().set_font_color("#57606A").set_align(FormatAlign::Top),
        }
    }
}

/// The workbook. `input` is the scenario as it was sent.
///
/// # Errors
/// When the workbook cannot be written, which no answer should bring about.
pub fn workbook(answer: &Answer, input: &Json) -> Result<Vec<u8>, WorkbookError> {
    let mut book = Workbook::new();
    let made = ExcelDateTime::from_ymd(2000, 1, 1)?;
    let title = clean(&answer.name);
    book.set_properties(
        &DocProperties::new()
            .set_title(&title[..boundary(&title, 250)])
            .set_author("vmfit")
            .set_creation_datetime(&made),
    );
    let formats = Formats::new();
    answer_sheet(book.add_worksheet(), answer, &formats)?;

    let sheet = named(book.add_worksheet(), "sheet-resources")?;
    one_table(sheet, &tables::resources(answer), &formats)?;

    let sheet = named(book.add_worksheet(), "sheet-volumes")?;
    one_table(sheet, &tables::volumes_in_all(answer), &formats)?;

    let sheet = named(book.add_worksheet(), "sheet-inputs")?;
    let mut row = 0;
    for table in tables::inputs(input) {
        sheet.write_string_with_format(row, 0, &table.title, &formats.strong)?;
        row = rows(sheet, row + 1, &table, &formats)? + 1;
    }
    widths(sheet, &tables::inputs(input))?;

    let sheet = named(book.add_worksheet(), "sheet-coefficients")?;
    one_table(sheet, &tables::coefficients(answer, str::to_owned), &formats)?;

    let sheet = named(book.add_worksheet(), "sheet-advice")?;
    one_table(sheet, &tables::advice(answer, str::to_owned), &formats)?;
    Ok(book.save_to_buffer()?)
}

fn named<'a>(sheet: &'a mut Worksheet, key: &str) -> Result<&'a mut Worksheet, XlsxError> {
    sheet.set_name(plain(key))?.set_landscape().set_print_fit_to_pages(1, 0);
    Ok(sheet)
}

fn answer_sheet(sheet: &mut Worksheet, answer: &Answer, formats: &Formats) -> Result<(), XlsxError> {
    let sheet = named(sheet, "sheet-answer")?;
    sheet.set_column_width(0, 34)?.set_column_width(1, 90)?;
    sheet.write_string_with_format(0, 0, clean(&answer.name), &formats.title)?;
    let fit = &answer.fit;
    let count = |count: u32| Cell::number(f64::from(count));
    let confidence = number(fit.confidence_percent);
    let sure = say("sheet-at-confidence", &[("confidence", Word::Text(&confidence))]);
    let lines = [
        (plain("sheet-headline"), Cell::text(&answer.headline)),
        (plain("sheet-certainty"), Cell::text(&answer.certainty)),
        (plain("sheet-reason"), Cell::text(&answer.binding.reason)),
        (plain("sheet-one-more"), Cell::text(&answer.binding.to_fit_one_more)),
        (plain("sheet-unit"), Cell::text(&answer.unit_name)),
        (plain("sheet-likely"), count(fit.likely)),
        (sure, count(fit.at_confidence)),
        (plain("sheet-most"), count(fit.most)),
        (plain("sheet-worst"), count(fit.worst_case)),
        (plain("sheet-best"), count(fit.best_case)),
        (plain("pdf-fact-overhead"), Cell::text(&answer.overhead.name)),
        (plain("pdf-fact-version"), Cell::text(&answer.model_version)),
    ];
    let mut row = 2;
    for (name, cell) in &lines {
        sheet.write_string_with_format(row, 0, name, &formats.strong)?;
        write(sheet, row, 1, cell, formats)?;
        row += 1;
    }

    row += 1;
    sheet.write_string_with_format(row, 0, plain("sheet-chance-units"), &formats.head)?;
    sheet.write_string_with_format(row, 1, plain("sheet-chance"), &formats.head)?;
    for chance in fit.probability.iter().take(MOST_ROWS) {
        row += 1;
        write(sheet, row, 0, &count(chance.units), formats)?;
        write(sheet, row, 1, &Cell::number(chance.at_least * 100.0), formats)?;
    }

    let left_out = tables::not_checked(answer);
    if !left_out.rows.is_empty() {
        rows(sheet, row + 2, &left_out, formats)?;
    }
    Ok(())
}

/// A sheet with one table, whose heads stay in view.
fn one_table(sheet: &mut Worksheet, table: &Table, formats: &Formats) -> Result<(), XlsxError> {
    rows(sheet, 0, table, formats)?;
    sheet.set_freeze_panes(1, 0)?.set_repeat_rows(0, 0)?;
    if !table.rows.is_empty() {
        let last = u32::try_from(table.rows.len().min(MOST_ROWS)).unwrap_or(u32::MAX);
        sheet.autofilter(0, 0, last, u16::try_from(table.columns.len().saturating_sub(1)).unwrap_or(0))?;
    }
    widths(sheet, std::slice::from_ref(table))
}

/// Writes heads and rows from a row on; returns the row behind them.
fn rows(sheet: &mut Worksheet, first: u32, table: &Table, formats: &Formats) -> Result<u32, XlsxError> {
    for (column, head) in (0_u16..).zip(&table.columns) {
        sheet.write_string_with_format(first, column, &head.head, &formats.head)?;
    }
    let mut row = first;
    for cells in table.rows.iter().take(MOST_ROWS) {
        row += 1;
        for (column, cell) in (0_u16..).zip(cells) {
            write(sheet, row, column, cell, formats)?;
        }
        // Beside the row, so that the cells themselves stay figures: "default: Core rating, Spread".
        if let Some(text) = marks(table, cells) {
            let behind = u16::try_from(table.columns.len()).unwrap_or(u16::MAX);
            sheet.write_string_with_format(row, behind, clean(&text), &formats.note)?;
        }
    }
    Ok(row + 1)
}

/// Which values of a row were not given: "default: Core rating; rule of thumb: IOPS a disk".
fn marks(table: &Table, cells: &[Cell]) -> Option<String> {
    let mut marks: Vec<(&str, Vec<&str>)> = Vec::new();
    for (column, cell) in table.columns.iter().zip(cells) {
        let Some(note) = cell.note.as_deref() else { continue };
        match marks.iter_mut().find(|(known, _)| *known == note) {
            Some((_, heads)) => heads.push(&column.head),
            None => marks.push((note, vec![&column.head])),
        }
    }
    let text = |(note, heads): &(&str, Vec<&str>)| match table.columns.len() {
        // A list of names and values has one value a row.
        2 => (*note).to_owned(),
        _ => format!("{note}: {}", heads.join(", ")),
    };
    (!marks.is_empty()).then(|| marks.iter().map(text).collect::<Vec<_>>().join("; "))
}

fn write(sheet: &mut Worksheet, row: u32, column: u16, cell: &Cell, formats: &Formats) -> Result<(), XlsxError> {
    match &cell.value {
        Value::Text(text) => sheet.write_string_with_format(row, column, clean(text), &formats.text)?,
        Value::Number(value) if value.is_finite() => {
            let format = if value.fract() == 0.0 { &formats.whole } else { &formats.fraction };
            sheet.write_number_with_format(row, column, *value, format)?
        }
        Value::Number(_) | Value::Nothing => return Ok(()),
    };
    Ok(())
}

fn widths(sheet: &mut Worksheet, tables: &[Table]) -> Result<(), XlsxError> {
    let most = tables.iter().map(|table| table.columns.len()).max().unwrap_or(0);
    for index in 0..most {
        let texts = tables.iter().filter_map(|table| {
            let head = table.columns.get(index)?.head.chars().count();
            let body = table.rows.iter().take(1000).map(|row| row[index].shown().chars().count()).max();
            Some(head.max(body.unwrap_or(0)))
        });
        let width = texts.max().unwrap_or(8) as f64 + 3.0;
        sheet.set_column_width(u16::try_from(index).unwrap_or(u16::MAX), width.clamp(9.0, WIDEST))?;
    }
    Ok(())
}

/// A text that a cell can hold: no control characters, not too long.
fn clean(text: &str) -> String {
    let keep = |c: &char| (!c.is_control() || *c == '\n') && !matches!(c, '\u{fffe}' | '\u{ffff}');
    // Excel counts UTF-16 units.
    let mut units = 0;
    let fits = |c: &char| {
        units += c.len_utf16();
        units <= LONGEST_TEXT
    };
    text.chars().filter(keep).take_while(fits).collect()
}

/// The last place at or before `most` bytes where a character begins.
fn boundary(text: &str, most: usize) -> usize {
    (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
