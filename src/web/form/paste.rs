//! Rows pasted from a spreadsheet.

use serde_json::{Map, Value};

use super::tables::{Table, new_row};
use super::tree;

/// Cells that are taken from one paste at most.
const MOST_CELLS: usize = 10_000;

/// The cells of a pasted text: rows by line, columns by tab (by semicolon where there is no tab); a cell in quotes may hold
/// both, and quotes doubled.
pub fn cells(text: &str) -> Vec<Vec<String>> {
    let separator = if text.contains('\t') { '\t' } else { ';' };
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut chars = text.trim_end_matches(['\r', '\n']).chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.is_empty() => quoted = true,
            '\r' if !quoted && chars.peek() == Some(&'\n') => {}
            '\n' | '\r' if !quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            c if c == separator && !quoted => row.push(std::mem::take(&mut cell)),
            // A line break inside a cell would be refused as a control character.
            c if c.is_control() => cell.push(' '),
            c => cell.push(c),
        }
    }
    row.push(cell);
    rows.push(row);
    rows.retain(|row| row.iter().any(|cell| !cell.trim().is_empty()));
    rows
}

/// Writes pasted cells into a table from a row and a column on; rows that are not there yet are made. A first row that
/// names columns decides where each column goes. Returns how many rows were written.
pub fn paste(form: &mut Value, table: &Table, place: &str, row: usize, column: usize, text: &str) -> usize {
    let mut pasted = cells(text);
    let columns = match pasted.first().and_then(|first| header(table, first)) {
        Some(columns) => {
            pasted.remove(0);
            columns
        }
        None => table.columns.iter().skip(column).map(|name| Some(*name)).collect(),
    };
    let width = columns.len().max(1);
    let mut written = 0;
    for (offset, cells) in pasted.into_iter().take(MOST_CELLS / width).enumerate() {
        let index = row + offset;
        if index >= table.most {
            break;
        }
        let fresh = new_row(form, place);
        let Some(rows) = tree::rows_mut(form, place) else { break };
        if index >= rows.len() {
            rows.push(fresh);
        }
        let Some(target) = rows.get_mut(index) else { break };
        if !target.is_object() {
            *target = Value::Object(Map::new());
        }
        let Some(target) = target.as_object_mut() else { break };
        for (name, cell) in columns.iter().zip(cells) {
            if let Some(name) = name {
                target.insert((*name).to_owned(), Value::String(cell.trim().to_owned()));
            }
        }
        written += 1;
    }
    *form = tree::canonical(std::mem::take(form));
    written
}

/// The columns that a header names; `None` when the row is no header.
fn header(table: &Table, row: &[String]) -> Option<Vec<Option<&'static str>>> {
    let plain =
        |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect() };
    let column = |cell: &String| {
        let wanted = plain(cell);
        let named = |name: &&&str| {
            let label = table.field(name).map_or("", |field| field.label);
            !wanted.is_empty() && (plain(name) == wanted || plain(label) == wanted)
        };
        table.columns.iter().find(named).copied()
    };
    let columns: Vec<_> = row.iter().map(column).collect();
    let known = columns.iter().flatten().count();
    (known >= 2 && known * 2 > row.len()).then_some(columns)
}
