//! The answer to an unsaved form as a file: PDF, spreadsheet, JSON.

use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::Value;

use super::compute::outcome;
use crate::report::Answer;
use crate::report::xlsx::workbook;
use crate::web::error::AppError;
use crate::web::extract::Query;
use crate::web::form::{link, normalize};
use crate::web::state::AppState;

/// Which form.
#[derive(Deserialize)]
pub struct Asked {
    s: String,
}

/// `GET /report.pdf?s=…`.
pub async fn get_pdf(State(state): State<AppState>, Query(asked): Query<Asked>) -> Result<Response, AppError> {
    let (answer, scenario) = answered(&state, &asked).await?;
    pdf(&state, answer, scenario).await
}

/// `GET /report.xlsx?s=…`.
pub async fn get_xlsx(State(state): State<AppState>, Query(asked): Query<Asked>) -> Result<Response, AppError> {
    let (answer, scenario) = answered(&state, &asked).await?;
    xlsx(&state, answer, scenario).await
}

/// `GET /scenario.json?s=…`.
pub async fn get_json(Query(asked): Query<Asked>) -> Result<Response, AppError> {
    let form = read(&asked)?;
    let scenario = normalize::scenario(&form);
    let name = scenario["name"].as_str().unwrap_or("scenario").to_owned();
    let body = serde_json::to_vec_pretty(&scenario).map_err(AppError::internal)?;
    Ok(file(body, "application/json", &name, "json"))
}

/// The report of an answer.
///
/// # Errors
/// When it cannot be made.
pub async fn pdf(state: &AppState, answer: Answer, scenario: Value) -> Result<Response, AppError> {
    let meta = state.document_meta(None).await?;
    let body = state.pdf.render(&answer, &scenario, meta).await.map_err(AppError::internal)?;
    Ok(file(body, "application/pdf", &answer.name, "pdf"))
}

/// The spreadsheet of an answer.
///
/// # Errors
/// When it cannot be made.
pub async fn xlsx(state: &AppState, answer: Answer, scenario: Value) -> Result<Response, AppError> {
    let name = answer.name.clone();
    let body = state.on_a_cpu(move || workbook(&answer, &scenario)).await?.map_err(AppError::internal)?;
    Ok(file(body, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", &name, "xlsx"))
}

fn read(asked: &Asked) -> Result<Value, AppError> {
    link::decode(&asked.s).map_err(|bad| AppError::parameter("s", bad.to_string()))
}

async fn answered(state: &AppState, asked: &Asked) -> Result<(Answer, Value), AppError> {
    let outcome = outcome(state, read(asked)?).await?;
    let told = |text: Vec<String>| AppError::parameter("s", text.join(" "));
    let answer =
        outcome.result.map_err(|problems| told(problems.0.into_iter().map(|problem| problem.text).collect()))?;
    Ok((answer, outcome.scenario))
}

/// A file to keep, named after the sizing.
pub(super) fn file(body: Vec<u8>, kind: &'static str, name: &str, extension: &str) -> Response {
    let disposition = format!("attachment; filename=\"vmfit-{}.{extension}\"", plain(name));
    let mut response = ([(header::CONTENT_TYPE, kind)], body).into_response();
    if let Ok(value) = HeaderValue::from_str(&disposition) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    response
}

/// A name of plain letters, digits and dashes, at most 60 of them.
fn plain(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            _ if out.len() == 60 => break,
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            _ if !out.is_empty() && !out.ends_with('-') => out.push('-'),
            _ => {}
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "sizing".to_owned() } else { out.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_has_only_plain_letters() {
        assert_eq!(plain("BizTalk databases on one DL580"), "biztalk-databases-on-one-dl580");
        assert_eq!(plain("../../etc/\"passwd\r\n"), "etc-passwd");
        assert_eq!(plain("日本"), "sizing");
        assert!(plain(&"a ".repeat(100)).len() <= 60);
    }
}
