//! `/`: the form with its answer.

use askama::Template;
use askama_web::WebTemplate;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::documents;
use super::panel::{MOST_ADDRESS, Panel};
use super::view::form::FormView;
use super::view::problems::Problems;
use crate::store::NewSizing;
use crate::web::error::AppError;
use crate::web::extract::{Form, Query};
use crate::web::form::action::Action;
use crate::web::form::decode::{self, Submitted};
use crate::web::form::presets::{self, Preset};
use crate::web::form::{link, tree};
use crate::web::state::AppState;

/// What the address says.
#[derive(Deserialize)]
pub struct Asked {
    /// A form, as a link's text.
    s: Option<String>,
    /// The last complete form before it.
    g: Option<String>,
    /// An example to start from, or `empty`.
    start: Option<String>,
    /// A saved sizing, to be changed.
    id: Option<Uuid>,
    /// A saved sizing, to begin another from.
    copy: Option<Uuid>,
    saved: Option<String>,
}

/// The whole page.
#[derive(Template, WebTemplate)]
#[template(path = "sizing.html")]
struct SizingPage {
    here: &'static str,
    title: String,
    form: FormView,
    panel: Panel,
    id: Option<Uuid>,
    notice: &'static str,
    starts: &'static [Preset],
    focus: String,
}

/// Answer and form after a button of the form, for a swap in place.
#[derive(Template, WebTemplate)]
#[template(path = "form_swap.html")]
struct FormSwap {
    form: FormView,
    panel: Panel,
    focus: String,
}

/// The answer after a change, for a swap in place.
#[derive(Template, WebTemplate)]
#[template(path = "answer_swap.html")]
struct AnswerSwap {
    panel: Panel,
}

/// What is to fix, for a swap in place; the last answer stays.
#[derive(Template, WebTemplate)]
#[template(path = "problems_swap.html")]
struct ProblemsSwap {
    panel: Panel,
}

/// `GET /`.
pub async fn show(
    State(state): State<AppState>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Result<Response, AppError> {
    let form = match (&asked.s, asked.id.or(asked.copy), asked.start.as_deref()) {
        (Some(text), ..) => link::decode(text).map_err(|bad| AppError::parameter("s", bad.to_string()))?,
        (None, Some(id), _) => tree::from_json(&state.store.sizing(id).await?.scenario),
        (None, None, Some("empty")) => json!({}),
        (None, None, start) => presets::scenario(start.unwrap_or(presets::FIRST))
            .ok_or_else(|| AppError::not_found("There is no such example to start from."))?,
    };
    let notice = if asked.saved.is_some() { "Saved." } else { "" };
    page(&state, form, asked.g.as_deref().unwrap_or(""), asked.id, notice, &headers).await
}

/// `POST /`: a button of the form, without script.
pub async fn press(State(state): State<AppState>, headers: HeaderMap, Form(body): Form) -> Result<Response, AppError> {
    let Submitted { tree: mut form, action, ui } = read(&body)?;
    let id = ui.get("id").and_then(|id| id.parse::<Uuid>().ok());
    let good = ui.get("good").map_or("", String::as_str);
    let mut place = None;
    match Action::read(&action) {
        Action::Calculate => {}
        Action::Edit(edit) => place = edit.apply(&mut form, &ui),
        button => {
            let outcome = super::compute::outcome(&state, form.clone()).await?;
            if let Ok(answer) = outcome.result {
                return match button {
                    Action::Pdf => documents::pdf(&state, answer, outcome.scenario).await,
                    Action::Xlsx => documents::xlsx(&state, answer, outcome.scenario).await,
                    button => {
                        let id = id.filter(|_| button == Action::Save);
                        let name = answer.name.clone();
                        let sizing = NewSizing { name, scenario: outcome.scenario, answer };
                        let saved = match id {
                            Some(id) => state.store.update_sizing(id, sizing).await?,
                            None => state.store.insert_sizing(sizing).await?,
                        };
                        Ok(Redirect::to(&format!("/?id={}&saved=yes", saved.id)).into_response())
                    }
                };
            }
        }
    }
    let address = address(&form, good, id, &state);
    if address.len() > MOST_ADDRESS {
        return page(&state, form, good, id, "", &headers).await;
    }
    let place = place.map(|place| format!("#{place}")).unwrap_or_default();
    Ok(Redirect::to(&format!("{address}{place}")).into_response())
}

/// `POST /answer`: a change of the form, with script.
pub async fn answer(State(state): State<AppState>, headers: HeaderMap, Form(body): Form) -> Result<Response, AppError> {
    let Submitted { tree: form, ui, .. } = read(&body)?;
    let id = ui.get("id").and_then(|id| id.parse::<Uuid>().ok());
    let good = ui.get("good").map_or("", String::as_str);
    let mut panel = Panel::new(&state, &form, "", &headers).await?;
    panel.swapped = true;
    let address = address(&form, good, id, &state);
    let mut response = if panel.is_old() {
        let mut response = ProblemsSwap { panel }.into_response();
        set(&mut response, "hx-retarget", "#problems");
        set(&mut response, "hx-reswap", "outerHTML");
        response
    } else {
        AnswerSwap { panel }.into_response()
    };
    push(&mut response, &address);
    Ok(response)
}

/// `POST /form`: a button that changes the form, with script.
pub async fn edit(State(state): State<AppState>, headers: HeaderMap, Form(body): Form) -> Result<Response, AppError> {
    let Submitted { tree: mut form, action, ui } = read(&body)?;
    let id = ui.get("id").and_then(|id| id.parse::<Uuid>().ok());
    let good = ui.get("good").map_or("", String::as_str);
    let focus = match Action::read(&action) {
        Action::Edit(edit) => edit.apply(&mut form, &ui).unwrap_or_default(),
        _ => String::new(),
    };
    let mut panel = Panel::new(&state, &form, good, &headers).await?;
    panel.swapped = true;
    let view = FormView::new(&form, &panel.problems, &state.models());
    let address = address(&form, good, id, &state);
    let mut response = FormSwap { form: view, panel, focus }.into_response();
    push(&mut response, &address);
    Ok(response)
}

async fn page(
    state: &AppState,
    form: Value,
    good: &str,
    id: Option<Uuid>,
    notice: &'static str,
    headers: &HeaderMap,
) -> Result<Response, AppError> {
    let panel = Panel::new(state, &form, good, headers).await?;
    // What is not filled in yet is listed beside the answer, and not marked as wrong.
    let wrong = Problems(panel.problems.wrong().into_iter().cloned().collect());
    let view = FormView::new(&form, &wrong, &state.models());
    let title = match tree::text(&form, "name") {
        "" => "Unnamed sizing".to_owned(),
        name => name.to_owned(),
    };
    let page = SizingPage {
        here: "/",
        title,
        form: view,
        panel,
        id,
        notice,
        starts: presets::scenarios(),
        focus: String::new(),
    };
    Ok(page.into_response())
}

/// The pairs of a body as a form.
pub(super) fn read(body: &Bytes) -> Result<Submitted, AppError> {
    decode::decode(form_urlencoded::parse(body).into_owned())
        .map_err(|unreadable| AppError::parameter("form", format!("The form has {unreadable}.")))
}

/// Where this very form is found again; with the last complete one where this one is not.
fn address(form: &Value, good: &str, id: Option<Uuid>, state: &AppState) -> String {
    let mut address = format!("/?s={}", link::encode(form));
    if let Some(id) = id {
        address.push_str(&format!("&id={id}"));
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let fits = address.len() + good.len() < MOST_ADDRESS;
    if fits && !good.is_empty() && good.chars().all(plain) && super::compute::check(form, &state.models()).1.is_err() {
        address.push_str(&format!("&g={good}"));
    }
    address
}

/// Puts the address into the browser's history, so that back means undo. One that is too long leaves the history as it is.
fn push(response: &mut Response, address: &str) {
    if address.len() <= MOST_ADDRESS {
        set(response, "hx-push-url", address);
    }
}

fn set(response: &mut Response, name: &'static str, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        response.headers_mut().insert(HeaderName::from_static(name), value);
    }
}
