//! The examples that come with the program. They fill an empty database, so that the list of sizings is not blank on the
//! first day, and the page offers them to start from.

use std::sync::LazyLock;

use rust_embed::RustEmbed;
use serde::Deserialize;
use serde_json::Value;

use super::{NewSizing, Store, StoreError};
use crate::domain::{ModelCatalog, scenario_from_value};
use crate::report::{Options, answer_for};

#[derive(RustEmbed)]
#[folder = "fixtures/scenarios"]
struct Files;

/// A scenario with a word on where its figures come from.
#[derive(Clone, Debug, Deserialize)]
pub struct Example {
    pub id: String,
    pub title: String,
    /// What it shows, and which figures are assumed.
    pub about: String,
    pub source: String,
    file: String,
    /// As it would be sent.
    #[serde(skip)]
    pub scenario: Value,
}

static EXAMPLES: LazyLock<Vec<Example>> = LazyLock::new(|| {
    let json = |name: &str| Files::get(name).map(|file| file.data);
    let index: Vec<Example> =
        json("index.json").and_then(|data| serde_json::from_slice(&data).ok()).unwrap_or_default();
    // A file that cannot be read is left out here; a test names it.
    let read = |mut example: Example| {
        example.scenario = serde_json::from_slice(&json(&example.file)?).ok()?;
        Some(example)
    };
    index.into_iter().filter_map(read).collect()
});

/// The examples, in the order in which they are offered.
pub fn examples() -> &'static [Example] {
    &EXAMPLES
}

/// Keeps the examples in a store that never held anything. CPU work of some milliseconds: for the start of the program.
///
/// # Errors
/// When the store fails.
pub async fn load_examples(store: &dyn Store) -> Result<(), StoreError> {
    if !store.is_new().await? {
        return Ok(());
    }
    // The list shows the last change first, so the first example goes in last.
    for example in examples().iter().rev() {
        match scenario_from_value(example.scenario.clone(), ModelCatalog::built_in()) {
            Ok(scenario) => {
                let answer = answer_for(&scenario, Options::SHOWN);
                let new = NewSizing { name: scenario.name, scenario: example.scenario.clone(), answer };
                store.insert_sizing(new).await?;
            }
            Err(problems) => tracing::warn!(example = example.id, ?problems, "an example is left out"),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_a_scenario() {
        let index = Files::get("index.json").unwrap();
        let listed: Vec<Value> = serde_json::from_slice(&index.data).unwrap();
        assert_eq!(examples().len(), listed.len());
        for example in examples() {
            let parsed = scenario_from_value(example.scenario.clone(), ModelCatalog::built_in());
            assert!(parsed.is_ok(), "{}: {:?}", example.id, parsed.err());
        }
    }
}
