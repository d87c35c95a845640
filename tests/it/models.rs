//! The built-in data holds: every preset parses and is answered.

use serde_json::Value;
use vmfit::domain::{ModelCatalog, parse_scenario};
use vmfit::report::{Options, answer_for};

#[test]
fn every_scenario_that_comes_with_the_program_is_answered() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/scenarios");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().unwrap() == "index.json" {
            continue;
        }
        let scenario = parse_scenario(&std::fs::read(&path).unwrap(), ModelCatalog::built_in());
        let scenario = scenario.unwrap_or_else(|refused| panic!("{}: {refused:?}", path.display()));
        let answer = answer_for(&scenario, Options::SHOWN);
        // A missing sentence shows as its key.
        let text = serde_json::to_string(&answer).unwrap();
        for prefix in
            ["\"advice-", "\"reason-", "\"remedy-", "\"line-", "\"factor-", "\"why-", "\"input-", "\"resource-"]
        {
            assert!(!text.contains(prefix), "{}: {prefix} in {text}", path.display());
        }
        insta::with_settings!({ prepend_module_to_snapshot => false }, {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            insta::assert_json_snapshot!(name, serde_json::to_value(&answer).unwrap());
        });
        seen += 1;
    }
    assert!(seen >= 6);
}

#[test]
fn every_vm_preset_can_be_sized() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/vm-presets");
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let preset: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let Some(vm) = preset.get("vm") else { continue };
        let scenario = serde_json::json!({
            "host": { "sockets": 4, "cores_per_socket": 16, "memory_gib": 512 },
            "unit": [{ "vm": vm }],
            "overhead": "hyperv-2008-sql",
        });
        assert!(super::contract::size(&scenario).fit.likely > 0, "{}", path.display());
    }
}
