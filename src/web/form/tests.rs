//! Form ⇄ tree ⇄ link ⇄ JSON, and hostile input.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::action::{Action, Edit};
use super::{decode, link, normalize, paste, presets, tables, tree};
use crate::domain::{ModelCatalog, scenario_from_value};

/// Any text of a field, hostile ones among them.
fn typed() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9]{1,6}",
        "[0-9]{1,3}[.,][0-9]{1,2} ?(GB|MiB|ms|%)?",
        "\\PC{1,20}",
        Just("<script>alert(1)</script>\"'{{ 7*7 }}".to_owned()),
    ]
}

/// A tree as our form can make one.
fn form() -> impl Strategy<Value = Value> {
    let place = proptest::sample::select(super::fields::FIELDS.to_vec());
    let pair = (place, 0..3_usize, 0..3_usize, typed()).prop_map(|(field, first, second, text)| {
        let place = field.pattern.replacen('*', &first.to_string(), 1).replacen('*', &second.to_string(), 1);
        (place, text)
    });
    proptest::collection::vec(pair, 0..40).prop_map(|pairs| decode::decode(pairs).unwrap().tree)
}

proptest! {
    #[test]
    fn form_to_pairs_and_back(form in form()) {
        prop_assert_eq!(decode::decode(tree::pairs(&form)).unwrap().tree, form);
    }

    #[test]
    fn form_to_link_and_back(form in form()) {
        let text = link::encode(&form);
        let back = link::decode(&text).unwrap();
        prop_assert_eq!(link::encode(&back), text);
        prop_assert_eq!(back, form);
    }

    /// What the parser reads of a form, it reads of that JSON as a form.
    #[test]
    fn json_to_form_and_back(form in form()) {
        let scenario = normalize::scenario(&form);
        let again = normalize::scenario(&tree::from_json(&scenario));
        prop_assert_eq!(again, scenario);
    }

    #[test]
    fn no_form_panics_the_parser(form in form()) {
        let _ = scenario_from_value(normalize::scenario(&form), ModelCatalog::built_in());
    }

    #[test]
    fn no_link_panics(text in "[A-Za-z0-9_=-]{0,200}|\\PC{0,40}") {
        let _ = link::decode(&text);
    }

    #[test]
    fn numbers_survive_their_text(number in proptest::num::f64::NORMAL | proptest::num::f64::ZERO) {
        prop_assert_eq!(crate::domain::units::parse_quantity(&tree::number_text(number), ""), Some(number));
    }

    #[test]
    fn no_paste_panics(text in "[a-z0-9\t\n\";,\r]{0,80}", row in 0..4_usize, column in 0..20_usize) {
        let mut form = presets::scenario("biztalk-guide-lab").unwrap();
        let table = tables::Table::at("storage.luns").unwrap();
        paste::paste(&mut form, table, "storage.luns", row, column, &text);
    }
}

/// JSON without what a form leaves out: nulls, empty lists and groups; numbers as such.
fn bare(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.iter().map(|(k, v)| (k.clone(), bare(v)));
            Value::Object(kept.filter(|(_, v)| !v.is_null() && v != &json!([]) && v != &json!({})).collect())
        }
        Value::Array(list) => list.iter().map(bare).collect(),
        Value::Number(number) => json!(number.as_f64()),
        other => other.clone(),
    }
}

#[test]
fn examples_survive_form_and_link() {
    for file in ["example-dl580", "biztalk-guide-lab", "vsan-review-cluster", "vhd-shared", "biztalk-group"] {
        let path = format!("{}/fixtures/scenarios/{file}.json", env!("CARGO_MANIFEST_DIR"));
        let scenario: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let form = link::decode(&link::encode(&tree::from_json(&scenario))).unwrap();
        let sent = decode::decode(tree::pairs(&form)).unwrap().tree;
        assert_eq!(bare(&normalize::scenario(&sent)), bare(&scenario), "{file}");
    }
}

#[test]
fn a_model_in_place_survives() {
    let model = json!({ "id": "mine", "coefficients": [ { "name": "cpu_loss", "likely": 0.1, "source": "\"us\"" } ] });
    let scenario = json!({ "host": {}, "unit": [ { "vm": {} } ], "overhead": model });
    assert_eq!(normalize::scenario(&tree::from_json(&scenario))["overhead"], model);
}

#[test]
fn what_people_type_is_understood() {
    let cases = [
        ("host.memory_gib", "32768 MiB", json!(32)),
        ("host.memory_gib", "32 GB", json!(32)),
        ("host.memory_gib", "1,5", json!(1.5)),
        ("host.memory_gib", "lots", json!("lots")),
        ("storage.pools.0.raid", "RAID-10", json!("raid10")),
        ("storage.pools.0.raid", "10", json!("raid10")),
        ("storage.pools.0.raid", "RAID 7", json!("RAID 7")),
        ("storage.pools.0.disk_type", "15K", json!("hdd_15k")),
        ("storage.pools.0.write_cache", "Yes", json!(true)),
        ("storage.luns.0.holds", "Data; tempdb log", json!(["data", "tempdb_log"])),
        ("storage.luns.0.attach", "Fixed VHD", json!("fixed_vhd")),
        ("host.nics.0.carries", "VMs and backup", json!(["vm", "backup"])),
    ];
    for (place, text, expected) in cases {
        let form = decode::decode([(place.to_owned(), text.to_owned())]).unwrap().tree;
        let scenario = normalize::scenario(&form);
        assert_eq!(tree::get(&scenario, place), Some(&expected), "{place} = {text}");
    }
}

#[test]
fn hostile_links_are_refused_and_bounded() {
    use base64::Engine;
    use std::io::Write;
    let packed = |bytes: &[u8]| {
        let mut deflate = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        deflate.write_all(bytes).unwrap();
        base64::prelude::BASE64_URL_SAFE_NO_PAD.encode(deflate.finish().unwrap())
    };
    let bomb = packed(&vec![b' '; 20 << 20]);
    assert!(bomb.len() < link::MOST_TEXT, "the bomb must pass the first gate: {}", bomb.len());
    assert_eq!(link::decode(&bomb), Err(link::BadLink::TooLong));
    assert_eq!(link::decode(&"A".repeat(link::MOST_TEXT + 1)), Err(link::BadLink::TooLong));
    let deep = format!("{}1{}", "{\"a\":".repeat(100), "}".repeat(100));
    assert_eq!(link::decode(&packed(deep.as_bytes())), Err(link::BadLink::Garbled));
    let deeper = "[".repeat(100_000);
    assert_eq!(link::decode(&packed(deeper.as_bytes())), Err(link::BadLink::Garbled));
    for text in ["", "!!!", "AAAA", &packed(b"[]"), &packed(b"{\"a\":"), &packed(b"\xff\xfe"), "%00", "é"] {
        assert_eq!(link::decode(text), Err(link::BadLink::Garbled), "{text}");
    }
}

#[test]
fn a_form_of_too_many_or_too_deep_fields_is_refused() {
    let many = (0..=decode::MOST_PAIRS).map(|i| (format!("a.{i}"), "1".to_owned()));
    assert_eq!(decode::decode(many), Err(decode::Unreadable::TooMany));
    let deep = [("a.".repeat(50), "1".to_owned())];
    assert_eq!(decode::decode(deep), Err(decode::Unreadable::TooDeep));
}

#[test]
fn gaps_between_rows_close() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let form = decode::decode([
        pair("storage.luns.7.name", "b"),
        pair("storage.luns.2.name", "a"),
        pair("storage.luns.9.name", ""),
    ]);
    assert_eq!(form.unwrap().tree, json!({ "storage": { "luns": [ { "name": "a" }, { "name": "b" }, {} ] } }));
}

fn edited(form: &Value, button: &str, ui: &[(&str, &str)]) -> (Value, Option<String>) {
    let mut form = form.clone();
    let ui = ui.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let Action::Edit(edit) = Action::read(button) else { panic!("{button} is no change") };
    let place = edit.apply(&mut form, &ui);
    (form, place)
}

#[test]
fn rows_are_added_copied_and_removed() {
    let start = presets::scenario(presets::FIRST).unwrap();
    let (form, place) = edited(&start, "add:storage.pools", &[]);
    assert_eq!(place.as_deref(), Some("storage.pools.1"));
    assert_eq!(tree::text(&form, "storage.pools.1.name"), "pool 2");
    let (form, _) = edited(&form, "duplicate:storage.pools.0", &[]);
    let names: Vec<&str> = (0..3).map(|i| tree::text(&form, &format!("storage.pools.{i}.name"))).collect();
    assert_eq!(names, ["san", "san 3", "pool 2"]);
    assert!(scenario_from_value(normalize::scenario(&form), ModelCatalog::built_in()).is_ok());
    let (form, _) = edited(&form, "remove:storage.pools.1", &[]);
    let (form, place) = edited(&form, "remove:storage.pools.1", &[]);
    assert_eq!((form, place.as_deref()), (start.clone(), Some("storage.pools.0")));
    let (form, place) = edited(&start, "add:unit.0.vm.volumes", &[]);
    assert_eq!((tree::rows(&form, "unit.0.vm.volumes"), place.as_deref()), (2, Some("unit.0.vm.volumes.1")));
    let (form, _) = edited(&start, "remove:storage.pools.0", &[]);
    assert!(form.get("storage").is_none(), "without a pool there is no storage");
    let (same, _) = edited(&start, "remove:storage.pools.99", &[]);
    assert_eq!(same, start);
}

#[test]
fn every_new_row_keeps_a_complete_form_complete() {
    let start = presets::scenario(presets::FIRST).unwrap();
    for list in ["host.nics", "storage.pools", "storage.luns", "unit", "unit.0.vm.volumes"] {
        let (form, _) = edited(&start, &format!("add:{list}"), &[]);
        let checked = scenario_from_value(normalize::scenario(&form), ModelCatalog::built_in());
        assert!(checked.is_ok(), "{list}: {checked:?}");
    }
}

#[test]
fn a_preset_replaces_a_vm() {
    let start = presets::scenario(presets::FIRST).unwrap();
    let (form, _) = edited(&start, "preset-vm:0", &[("preset.0", "sql-oltp-small")]);
    assert_eq!(tree::text(&form, "unit.0.vm.name"), "SQL Server OLTP, small");
    assert_eq!(edited(&start, "preset-vm:0", &[("preset.0", "../../etc/passwd")]).0, start);
}

#[test]
fn pasted_rows_fill_and_extend_a_table() {
    let start = presets::scenario(presets::FIRST).unwrap();
    let text = "G:\tData\tsan\t10 GB\tFixed VHD\r\nH:\t\"Logs \"\"x\"\"\"\tsan\t1,5\tpass-through\r\n";
    let (form, place) = edited(&start, "paste:storage.luns:end:0", &[("paste.storage.luns", text)]);
    assert_eq!(place.as_deref(), Some("storage.luns.0"));
    let scenario = normalize::scenario(&form);
    assert_eq!(
        scenario["storage"]["luns"][0],
        json!({ "name": "G:", "label": "Data", "pool": "san", "size_gib": 10, "attach": "fixed_vhd", "controller": "scsi", "holds": ["any"] })
    );
    assert_eq!(scenario["storage"]["luns"][1]["label"], json!("Logs \"x\""));
    let (form, _) = edited(&form, "paste:storage.luns:1:3", &[("paste.storage.luns", "20\n30")]);
    let sizes: Vec<&str> = (0..3).map(|i| tree::text(&form, &format!("storage.luns.{i}.size_gib"))).collect();
    assert_eq!(sizes, ["10 GB", "20", "30"]);
    let (form, _) = edited(&start, "paste:storage.luns:0:0", &[("paste.storage.luns", "Size (GiB)\tLUN\n7\tZ:\n")]);
    assert_eq!((tree::text(&form, "storage.luns.0.name"), tree::text(&form, "storage.luns.0.size_gib")), ("Z:", "7"));
}

#[test]
fn buttons_are_read() {
    assert_eq!(Action::read("save"), Action::Save);
    assert_eq!(Action::read("remove:storage.luns.2"), Action::Edit(Edit::Remove("storage.luns".to_owned(), 2)));
    for text in [
        "",
        "x",
        "add:",
        "add:host",
        "remove:storage.luns",
        "remove:storage.luns.x",
        "paste:storage.luns:a:0",
        "preset-vm:",
    ] {
        assert_eq!(Action::read(text), Action::Calculate, "{text}");
    }
}
