//! The answer's panel: what to fix, the answer, and how to share it. The page holds one, and every change of the form swaps
//! it in place.

use axum::http::{HeaderMap, header};
use serde_json::Value;

use super::compute::{Outcome, outcome};
use super::view::answer::AnswerView;
use super::view::problems::Problems;
use crate::web::error::AppError;
use crate::web::form::link;
use crate::web::state::AppState;

/// Longest address that every browser and proxy on the way takes, bytes.
pub const MOST_ADDRESS: usize = 7000;

/// The panel, ready for its templates.
pub struct Panel {
    pub problems: Problems,
    /// The answer; to the last complete form when this one is not.
    pub view: Option<AnswerView>,
    /// That form, as a link's text.
    pub good: String,
    /// Address of this very form.
    pub address: String,
    pub curl: String,
    pub json: String,
    /// Whether parts of it go to their places by themselves.
    pub swapped: bool,
}

impl Panel {
    /// Answers a form; `good` is the link of the last complete one.
    ///
    /// # Errors
    /// When the work could not be carried out.
    pub async fn new(state: &AppState, form: &Value, good: &str, headers: &HeaderMap) -> Result<Self, AppError> {
        let Outcome { scenario, result } = outcome(state, form.clone()).await?;
        let accuracy = state.accuracy().await?;
        let text = link::encode(form);
        let json = serde_json::to_string_pretty(&scenario).unwrap_or_default();
        let mut panel = Self {
            problems: Problems::default(),
            view: None,
            good: String::new(),
            address: format!("/?s={text}"),
            curl: curl(headers, &json),
            json,
            swapped: false,
        };
        match result {
            Ok(answer) => {
                panel.view = Some(AnswerView::new(answer, accuracy));
                panel.good = text;
            }
            Err(problems) => {
                panel.problems = problems;
                if let Ok(last) = link::decode(good)
                    && let Ok(answer) = outcome(state, last).await?.result
                {
                    panel.view = Some(AnswerView::new(answer, accuracy));
                    panel.good = good.to_owned();
                }
            }
        }
        Ok(panel)
    }

    /// Whether the answer is to an older form.
    pub fn is_old(&self) -> bool {
        !self.problems.is_empty()
    }
}

/// The same question as a command. A line of its own ends the JSON, in which no line can be that.
fn curl(headers: &HeaderMap, json: &str) -> String {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("localhost:8080");
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-' | '[' | ']');
    let host = if host.chars().all(plain) { host } else { "localhost:8080" };
    format!(
        "curl http://{host}/api/v1/sizings -H 'content-type: application/json' --data-binary @- <<'END'\n{json}\nEND\n"
    )
}
