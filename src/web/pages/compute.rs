//! From a form to its answer.

use serde_json::Value;

use super::view::problems::Problems;
use crate::domain::{ModelCatalog, Scenario, scenario_from_value};
use crate::report::{Answer, Options, answer_for};
use crate::web::error::AppError;
use crate::web::form::normalize;
use crate::web::state::AppState;

/// What a form comes to.
pub struct Outcome {
    /// The JSON that the form describes.
    pub scenario: Value,
    pub result: Result<Answer, Problems>,
}

/// Reads a form as a scenario.
pub fn check(form: &Value, models: &ModelCatalog) -> (Value, Result<Scenario, Problems>) {
    let scenario = normalize::scenario(form);
    let checked = scenario_from_value(scenario.clone(), models).map_err(|problems| Problems::new(&problems));
    (scenario, checked)
}

/// Answers a form, away from the threads that serve requests.
///
/// # Errors
/// When the work could not be carried out.
pub async fn outcome(state: &AppState, form: Value) -> Result<Outcome, AppError> {
    let models = state.models();
    let work = move || {
        let (scenario, checked) = check(&form, &models);
        Outcome { scenario, result: checked.map(|scenario| answer_for(&scenario, Options::SHOWN)) }
    };
    state.on_a_cpu(work).await
}
