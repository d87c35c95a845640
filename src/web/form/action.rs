//! What a button does to the form. The same on the server for every browser, with script or without.

use std::collections::BTreeMap;

use serde_json::Value;

use super::tables::{Table, copied_row, new_row};
use super::{paste, presets, tree};

/// A pressed button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    Calculate,
    Save,
    /// Saves under a new id what was opened from a saved one.
    SaveNew,
    Pdf,
    Xlsx,
    /// One that changes the form.
    Edit(Edit),
}

/// A change of the form. Places are those of a list, or of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    Add(String),
    Remove(String, usize),
    Duplicate(String, usize),
    /// Replaces a VM of the unit by the preset chosen beside it.
    PresetVm(usize),
    /// Into a list, from a row and a column on.
    Paste(String, usize, usize),
}

impl Action {
    /// Reads the value of a button; what is no button of ours calculates.
    pub fn read(text: &str) -> Self {
        match text {
            "save" => return Self::Save,
            "save-new" => return Self::SaveNew,
            "pdf" => return Self::Pdf,
            "xlsx" => return Self::Xlsx,
            _ => {}
        }
        Self::edit(text).map_or(Self::Calculate, Self::Edit)
    }

    fn edit(text: &str) -> Option<Edit> {
        let (verb, rest) = text.split_once(':')?;
        let row = |place: &str| {
            let (list, row) = place.rsplit_once('.')?;
            Table::at(list)?;
            Some((list.to_owned(), row.parse().ok()?))
        };
        match verb {
            "add" => Table::at(rest).map(|_| Edit::Add(rest.to_owned())),
            "remove" => row(rest).map(|(list, row)| Edit::Remove(list, row)),
            "duplicate" => row(rest).map(|(list, row)| Edit::Duplicate(list, row)),
            "preset-vm" => rest.parse().ok().map(Edit::PresetVm),
            "paste" => {
                let mut parts = rest.split(':');
                let (list, row, column) = (parts.next()?, parts.next()?, parts.next()?);
                Table::at(list)?;
                // `end` appends.
                let row = if row == "end" { usize::MAX } else { row.parse().ok()? };
                Some(Edit::Paste(list.to_owned(), row, column.parse().ok()?))
            }
            _ => None,
        }
    }
}

impl Edit {
    /// Carries it out. Returns the place that the reader should find themselves at afterwards.
    pub fn apply(&self, form: &mut Value, ui: &BTreeMap<String, String>) -> Option<String> {
        match self {
            Self::Add(list) => {
                let row = new_row(form, list);
                self.insert(form, list, usize::MAX, row)
            }
            Self::Duplicate(list, row) => {
                let copy = copied_row(form, list, *row)?;
                self.insert(form, list, row + 1, copy)
            }
            Self::Remove(list, row) => {
                let rows = tree::rows_mut(form, list)?;
                if *row < rows.len() {
                    rows.remove(*row);
                }
                let left = rows.len();
                *form = tree::canonical(std::mem::take(form));
                Some(if left == 0 { list.clone() } else { format!("{list}.{}", (*row).min(left - 1)) })
            }
            Self::PresetVm(member) => {
                let preset = presets::vm(ui.get(&format!("preset.{member}"))?)?;
                let slot = tree::rows_mut(form, "unit")?.get_mut(*member)?.as_object_mut()?;
                slot.insert("vm".to_owned(), preset);
                *form = tree::canonical(std::mem::take(form));
                Some(format!("unit.{member}"))
            }
            Self::Paste(list, row, column) => {
                let text = ui.get(&format!("paste.{list}"))?;
                let from = (*row).min(tree::rows(form, list));
                paste::paste(form, Table::at(list)?, list, from, *column, text);
                Some(format!("{list}.{from}"))
            }
        }
    }

    fn insert(&self, form: &mut Value, list: &str, at: usize, row: Value) -> Option<String> {
        let most = Table::at(list)?.most;
        let rows = tree::rows_mut(form, list)?;
        let at = at.min(rows.len());
        if rows.len() < most {
            rows.insert(at, row);
        }
        *form = tree::canonical(std::mem::take(form));
        Some(format!("{list}.{at}"))
    }
}
