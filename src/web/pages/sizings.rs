//! `/sizings`: what was saved.

use askama::Template;
use askama_web::WebTemplate;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use uuid::Uuid;

use super::view::answer::AnswerView;
use crate::domain::name::is_name;
use crate::report::tables::{self, Table};
use crate::report::words;
use crate::store::{NewSizing, SizingQuery, SizingSummary};
use crate::web::error::AppError;
use crate::web::extract::{Form, Path, Query};
use crate::web::state::AppState;

/// Rows of one page.
const ROWS: u32 = 50;

#[derive(Deserialize)]
pub struct Asked {
    #[serde(default)]
    q: String,
    #[serde(default)]
    page: u32,
    deleted: Option<Uuid>,
}

/// One line of the list.
struct Row {
    id: Uuid,
    name: String,
    host: String,
    headline: String,
    binding: String,
    updated: String,
    changed: String,
}

#[derive(Template, WebTemplate)]
#[template(path = "sizings.html")]
struct ListPage {
    here: &'static str,
    rows: Vec<Row>,
    search: String,
    deleted: Option<Uuid>,
    previous: Option<u32>,
    next: Option<u32>,
}

#[derive(Template, WebTemplate)]
#[template(path = "saved.html")]
struct SavedPage {
    here: &'static str,
    id: Uuid,
    name: String,
    host: String,
    updated: String,
    model_version: String,
    view: AnswerView,
    /// What was given, as in the report.
    inputs: Vec<Table>,
}

/// `GET /sizings`.
pub async fn list(State(state): State<AppState>, Query(asked): Query<Asked>) -> Result<Response, AppError> {
    let search = asked.q.trim().to_owned();
    let wanted = (!search.is_empty()).then(|| search.clone());
    // One more than is shown tells whether there are more.
    let query = SizingQuery { search: wanted, limit: ROWS + 1, offset: asked.page.saturating_mul(ROWS) };
    let mut found = state.store.sizings(query).await?;
    let more = found.len() > ROWS as usize;
    found.truncate(ROWS as usize);
    let page = ListPage {
        here: "/sizings",
        rows: found.into_iter().map(row).collect(),
        search,
        deleted: asked.deleted,
        previous: asked.page.checked_sub(1),
        next: more.then(|| asked.page.saturating_add(1)),
    };
    Ok(page.into_response())
}

fn row(summary: SizingSummary) -> Row {
    let key = format!("resource-{}", summary.binding);
    Row {
        id: summary.id,
        name: summary.name,
        host: summary.host,
        headline: summary.headline,
        binding: if words::has(&key) { words::plain(&key) } else { summary.binding },
        changed: summary.updated.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        updated: summary.updated.to_string(),
    }
}

/// `GET /sizings/{id}`: the answer as it was saved, with the version of the model that made it.
pub async fn show(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<Response, AppError> {
    let sizing = state.store.sizing(id).await?;
    let page = SavedPage {
        here: "/sizings",
        id,
        name: sizing.name,
        host: sizing.scenario["host"]["model"].as_str().unwrap_or("Host without a name").to_owned(),
        updated: sizing.updated.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        model_version: sizing.model_version,
        inputs: tables::inputs(&sizing.scenario),
        view: AnswerView::new(sizing.answer, state.accuracy().await?),
    };
    Ok(page.into_response())
}

/// `POST /sizings/{id}/rename`.
pub async fn rename(
    State(state): State<AppState>,
    Path(id): Path<Uuid>,
    Form(body): Form,
) -> Result<Response, AppError> {
    let wanted = form_urlencoded::parse(&body).find(|(key, _)| key == "name").map(|(_, value)| value.trim().to_owned());
    let name = wanted.filter(|name| is_name(name));
    let Some(name) = name else {
        return Err(AppError::parameter(
            "name",
            "A name has 1 to 200 characters, and none that is not seen: no control characters, no marks of direction.",
        ));
    };
    let mut sizing = state.store.sizing(id).await?;
    if let Some(scenario) = sizing.scenario.as_object_mut() {
        scenario.insert("name".to_owned(), name.clone().into());
    }
    sizing.answer.name.clone_from(&name);
    state.store.update_sizing(id, NewSizing { name, scenario: sizing.scenario, answer: sizing.answer }).await?;
    Ok(Redirect::to(&format!("/sizings/{id}")).into_response())
}

/// `POST /sizings/{id}/delete`.
pub async fn delete(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<Response, AppError> {
    state.store.delete_sizing(id).await?;
    Ok(Redirect::to(&format!("/sizings?deleted={id}")).into_response())
}

/// `POST /sizings/{id}/restore`: takes the deletion back.
pub async fn restore(State(state): State<AppState>, Path(id): Path<Uuid>) -> Result<Response, AppError> {
    state.store.restore_sizing(id).await?;
    Ok(Redirect::to("/sizings").into_response())
}
