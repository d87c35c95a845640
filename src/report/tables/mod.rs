//! What a report sets out in rows, for every kind of document: columns with their units in the heads, figures as figures
//! so that a spreadsheet can count with them.

mod inputs;
mod results;

pub use inputs::inputs;
pub use results::{
    accuracy, advice, coefficient_name, coefficients, not_checked, remedies, resources, sensitivity, transactions,
    volumes, volumes_in_all,
};

use super::words::{exact, has, number, plain};

/// One value in a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Number(f64),
    /// Not given, or not applicable.
    Nothing,
}

/// A value, and a word beside it: where it comes from when it was not given.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    pub value: Value,
    pub note: Option<String>,
    /// A number is shown with every digit: it was given, not calculated.
    pub exact: bool,
}

impl Cell {
    fn of(value: Value) -> Self {
        Self { value, note: None, exact: false }
    }

    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Value::Text(text.into()))
    }

    pub fn number(value: f64) -> Self {
        Self::of(Value::Number(value))
    }

    pub fn nothing() -> Self {
        Self::of(Value::Nothing)
    }

    pub fn maybe(value: Option<f64>) -> Self {
        value.map_or_else(Self::nothing, Self::number)
    }

    /// A value that was given, or else the default, marked as such.
    pub fn or_default(given: Option<f64>, default: f64) -> Self {
        match given {
            Some(value) => Self::number(value),
            None => Self::number(default).marked("note-default"),
        }
    }

    /// A choice that was given, or else the default, marked as such.
    pub fn choice(given: Option<&str>, default: &str) -> Self {
        match given {
            Some(name) => Self::text(choice(name)),
            None => Self::text(choice(default)).marked("note-default"),
        }
    }

    pub fn marked(self, note: &str) -> Self {
        Self { note: Some(plain(note)), ..self }
    }

    /// What a reader sees.
    pub fn shown(&self) -> String {
        match &self.value {
            Value::Text(text) => text.clone(),
            Value::Number(value) if self.exact => exact(*value),
            Value::Number(value) => number(*value),
            Value::Nothing => "–".to_owned(),
        }
    }
}

/// A column: its head with the unit, whether it holds figures, and its share of the width beside other texts.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    pub head: String,
    pub figures: bool,
    pub weight: f64,
}

/// Rows under heads.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Empty where the section's title says it.
    pub title: String,
    /// Each row is the name of a property and its value.
    pub properties: bool,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table; `columns` are the keys of its heads, and what they hold.
    fn new(title: &str, columns: &[(&str, Kind)]) -> Self {
        let column = |(key, kind): &(&str, Kind)| Column {
            head: plain(&format!("head-{key}")),
            figures: matches!(kind, Kind::Figures),
            weight: if let Kind::Text(weight) = kind { *weight } else { 1.0 },
        };
        let title = if title.is_empty() { String::new() } else { plain(title) };
        Self { title, properties: false, columns: columns.iter().map(column).collect(), rows: Vec::new() }
    }

    /// Without columns that say nothing in any row.
    fn without_empty_columns(mut self) -> Self {
        let nothing = |value: &Value| matches!(value, Value::Nothing) || *value == Value::Text(String::new());
        let said = |index: usize| self.rows.iter().any(|row| !nothing(&row[index].value));
        let keep: Vec<bool> = (0..self.columns.len()).map(said).collect();
        let kept = |index: usize| keep.get(index).copied().unwrap_or(true);
        let mut index = 0;
        self.columns.retain(|_| {
            index += 1;
            kept(index - 1)
        });
        for row in &mut self.rows {
            let mut index = 0;
            row.retain(|_| {
                index += 1;
                kept(index - 1)
            });
        }
        self
    }
}

/// What a column holds.
#[derive(Clone, Copy)]
enum Kind {
    Figures,
    Text(f64),
}

/// The words for a name in JSON: "RAID 10" for `raid10`. A name without words is shown as it is.
pub fn choice(name: &str) -> String {
    let key = format!("choice-{name}");
    if has(&key) { plain(&key) } else { name.to_owned() }
}
