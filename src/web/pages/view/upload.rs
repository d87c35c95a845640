//! Fields beside the files of a form, as `templates/plain_field.html` shows them, and what is wrong with them.

use crate::web::error::AppError;
use crate::web::extract::Upload;

/// What a field is, whatever was typed.
pub struct Asked {
    pub name: &'static str,
    pub label: &'static str,
    pub unit: &'static str,
    /// What an empty field means.
    pub default: &'static str,
    pub help: &'static str,
}

pub struct PlainField {
    pub name: &'static str,
    pub label: &'static str,
    pub unit: &'static str,
    pub default: &'static str,
    pub help: &'static str,
    pub value: String,
    pub problem: String,
}

/// The fields with what was typed and what is wrong with each, and what is wrong besides, empty when nothing is.
pub fn plain_fields(asked: &[Asked], upload: &Upload, error: Option<&AppError>) -> (Vec<PlainField>, String) {
    let mut rest: Vec<&str> = error.iter().filter(|error| error.errors.is_empty()).map(|e| e.detail.as_str()).collect();
    let mut problems = vec![String::new(); asked.len()];
    for one in error.iter().flat_map(|error| &error.errors) {
        let of_body = || one.pointer.as_deref().map(|pointer| pointer.trim_start_matches('/'));
        let name = one.parameter.as_deref().or_else(of_body);
        match asked.iter().position(|field| Some(field.name) == name) {
            Some(place) if problems[place].is_empty() => problems[place].clone_from(&one.detail),
            _ => rest.push(&one.detail),
        }
    }
    let field = |(&Asked { name, label, unit, default, help }, problem)| {
        let value = upload.field(name).unwrap_or_default().to_owned();
        PlainField { name, label, unit, default, help, value, problem }
    };
    (asked.iter().zip(problems).map(field).collect(), rest.join(" "))
}
