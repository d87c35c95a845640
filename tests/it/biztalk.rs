//! BizTalk groups in answers: what a unit processes, and what an asked rate needs.

use serde_json::{Value, json};
use vmfit::domain::{ModelCatalog, scenario_from_value};
use vmfit::report::{Answer, Options, answer_for, words};

fn group() -> Value {
    let text = include_str!("../../fixtures/scenarios/biztalk-group.json");
    serde_json::from_str(text).unwrap()
}

fn answer(scenario: Value) -> Answer {
    answer_for(&scenario_from_value(scenario, ModelCatalog::built_in()).unwrap(), Options::default())
}

#[test]
fn a_unit_with_biztalk_servers_is_told_what_it_processes() {
    let answer = answer(group());
    let biztalk = answer.biztalk.unwrap();
    assert_eq!((biztalk.servers, biztalk.messageboxes, biztalk.groups), (3, 1, answer.fit.likely));
    assert_eq!(biztalk.rates.iter().map(|r| r.scenario.as_str()).collect::<Vec<_>>(), ["messaging", "orchestration"]);
    for rate in &biztalk.rates {
        assert!(rate.low_docs_per_s < rate.docs_per_s && rate.docs_per_s < rate.high_docs_per_s);
        assert!((rate.total_docs_per_s / rate.docs_per_s - f64::from(answer.fit.likely)).abs() < 1e-6);
        assert!(!rate.text.contains("biztalk-"), "{}", rate.text);
    }
    assert!(biztalk.wanted.is_none() && biztalk.about.contains("assumption"));
}

#[test]
fn an_asked_rate_names_the_group_and_how_many_fit() {
    let mut scenario = group();
    scenario["biztalk"] = json!({ "scenario": "messaging", "docs_per_s": 100 });
    let wanted = answer(scenario).biztalk.unwrap().wanted.unwrap();
    let likely = wanted.likely.unwrap();
    assert_ne!(likely.messageboxes, 2);
    assert!(likely.docs_per_s >= 100.0);
    assert!(wanted.text.starts_with("For 100 documents a second of messaging"), "{}", wanted.text);
    let mut scenario = group();
    scenario["biztalk"] = json!({ "scenario": "orchestration", "docs_per_s": 1_000_000 });
    let wanted = answer(scenario.clone()).biztalk.unwrap().wanted.unwrap();
    assert!(wanted.likely.is_none() && wanted.text.contains("no group"), "{}", wanted.text);
    // The most that a group can is told, and asking for no more than it finds a group.
    let most = wanted.most.unwrap().docs_per_s;
    assert!(wanted.text.contains("The most is "), "{}", wanted.text);
    scenario["biztalk"]["docs_per_s"] = json!(most.floor());
    let wanted = answer(scenario).biztalk.unwrap().wanted.unwrap();
    assert!(wanted.likely.is_some() && wanted.most.is_none(), "{}", wanted.text);
}

#[test]
fn two_messageboxes_are_flagged() {
    let mut scenario = group();
    scenario["unit"][1]["count"] = json!(2);
    let answer = answer(scenario);
    assert!(answer.advice.iter().any(|advice| advice.code == "two_messageboxes"));
    assert!(answer.biztalk.unwrap().rates.iter().all(|rate| rate.two_messageboxes));
}

#[test]
fn a_unit_without_biztalk_has_no_such_section_and_no_such_question() {
    let mut scenario = group();
    scenario["unit"] = json!([{ "vm": { "vcpus": 1, "memory_gib": 1 } }]);
    assert!(answer(scenario.clone()).biztalk.is_none());
    scenario["biztalk"] = json!({ "scenario": "email", "docs_per_s": 0 });
    let problems = scenario_from_value(scenario, ModelCatalog::built_in()).unwrap_err();
    let told: Vec<String> = problems.iter().map(words::problem_line).collect();
    for wanted in ["/biztalk: BizTalk rate: needs a VM of kind biztalk", "/biztalk/scenario: ", "/biztalk/docs_per_s: "]
    {
        assert!(told.iter().any(|line| line.starts_with(wanted)), "{wanted} is missing in {told:#?}");
    }
}
