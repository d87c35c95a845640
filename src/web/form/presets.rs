//! Examples to start from, and VMs to choose: the files of `fixtures/scenarios` and `fixtures/vm-presets`.

use std::sync::LazyLock;

use rust_embed::RustEmbed;
use serde::Deserialize;
use serde_json::Value;

use super::tree;

/// The example that the page opens on.
pub const FIRST: &str = "example-dl580";

#[derive(RustEmbed)]
#[folder = "fixtures/scenarios"]
struct Scenarios;

#[derive(RustEmbed)]
#[folder = "fixtures/vm-presets"]
struct Vms;

/// One line of an `index.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Preset {
    pub id: String,
    pub title: String,
    /// What is published of it, and what is assumed.
    pub about: String,
    pub source: String,
    file: String,
}

fn index<E: RustEmbed>() -> Vec<Preset> {
    // A file that does not parse leaves the list empty here; a test names it.
    E::get("index.json").and_then(|file| serde_json::from_slice(&file.data).ok()).unwrap_or_default()
}

static SCENARIOS: LazyLock<Vec<Preset>> = LazyLock::new(index::<Scenarios>);
static VMS: LazyLock<Vec<Preset>> = LazyLock::new(index::<Vms>);

/// The scenarios to start from.
pub fn scenarios() -> &'static [Preset] {
    &SCENARIOS
}

/// The VMs to choose.
pub fn vms() -> &'static [Preset] {
    &VMS
}

fn file<E: RustEmbed>(list: &[Preset], id: &str) -> Option<Value> {
    let preset = list.iter().find(|preset| preset.id == id)?;
    serde_json::from_slice(&E::get(&preset.file)?.data).ok()
}

/// A scenario as a form.
pub fn scenario(id: &str) -> Option<Value> {
    file::<Scenarios>(&SCENARIOS, id).map(|scenario| tree::from_json(&scenario))
}

/// A VM as a part of a form.
pub fn vm(id: &str) -> Option<Value> {
    file::<Vms>(&VMS, id)?.get("vm").map(tree::from_json)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_is_there_and_valid() {
        let models = crate::domain::ModelCatalog::built_in();
        assert!(scenario(FIRST).is_some());
        assert!(scenarios().len() >= 6 && vms().len() >= 7);
        for preset in scenarios() {
            let form = scenario(&preset.id).unwrap();
            let checked = crate::domain::scenario_from_value(super::super::normalize::scenario(&form), models);
            assert!(checked.is_ok(), "{}: {checked:?}", preset.id);
        }
        for preset in vms() {
            assert!(vm(&preset.id).is_some(), "{}", preset.id);
        }
    }
}
