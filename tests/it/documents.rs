//! What the tests of charts, PDF and spreadsheet share: answers of the example scenarios, and hostile ones.

use serde_json::{Value, json};
use vmfit::domain::{ModelCatalog, scenario_from_value};
use vmfit::report::{self, Answer, Options};

/// The example scenarios: file name and what is in it.
pub const SCENARIOS: [(&str, &str); 6] = [
    ("example-dl580", include_str!("../../fixtures/scenarios/example-dl580.json")),
    ("biztalk-guide-lab", include_str!("../../fixtures/scenarios/biztalk-guide-lab.json")),
    ("biztalk-group", include_str!("../../fixtures/scenarios/biztalk-group.json")),
    ("vhd-shared", include_str!("../../fixtures/scenarios/vhd-shared.json")),
    ("vsan-review-cluster", include_str!("../../fixtures/scenarios/vsan-review-cluster.json")),
    ("xen-consolidation", include_str!("../../fixtures/scenarios/xen-consolidation.json")),
];

pub fn input(name: &str) -> Value {
    let (_, text) = SCENARIOS.iter().find(|(known, _)| *known == name).expect("a scenario");
    serde_json::from_str(text).expect("JSON")
}

pub fn answer_of(input: &Value) -> Answer {
    let scenario = scenario_from_value(input.clone(), ModelCatalog::built_in()).expect("a valid scenario");
    report::answer_for(&scenario, Options::SHOWN)
}

/// The example and its answer.
pub fn example() -> (Answer, Value) {
    let input = input("example-dl580");
    (answer_of(&input), input)
}

/// Texts that break what does not expect them.
pub fn hostile_texts() -> Vec<String> {
    vec![
        "<script>alert('x')</script> & \"quotes\" ]]> <!--".to_owned(),
        "#panic(\"typst\") $x^2$ *bold* _it_ @ref <label> \\ `raw` = heading [x] #{1+1}".to_owned(),
        "=HYPERLINK(\"http://example.invalid\",\"x\")".to_owned(),
        "+1+1".to_owned(),
        "-2".to_owned(),
        "@SUM(A1)".to_owned(),
        "東京データセンター 서버 服务器".to_owned(),
        "emoji 👩‍👩‍👧‍👦 🚀 🇩🇪 ☺️".to_owned(),
        "שרת נתונים خادم قاعدة البيانات".to_owned(),
        "\u{202e}reversed\u{202c} zero\u{200b}width \u{feff}bom".to_owned(),
        "controls \u{0}\u{1}\u{7}\u{8}\u{b}\u{1b}[31m\u{7f}\u{85}".to_owned(),
        "private \u{e000} \u{f8ff} \u{10fffd} non \u{fffe}\u{ffff}\u{fdd0}".to_owned(),
        "Z\u{330}\u{351}a\u{35a}\u{342}l\u{321}g\u{310}o\u{311}\u{300}\u{301}\u{302}\u{303} नमस्ते ไทย ქართული 𝔘𝔫𝔦𝔠𝔬𝔡𝔢"
            .to_owned(),
        "line\nbreak\r\nand\ttab \u{2028} \u{2029}".to_owned(),
        "W".repeat(10_000),
        "many short words ".repeat(600),
        "ش".repeat(3_000),
        "字".repeat(10_000),
        String::new(),
        " ".to_owned(),
    ]
}

/// The answer with a text in every place where a text stands that a user may have written.
pub fn with_text(answer: &Answer, text: &str) -> Answer {
    let mut value = serde_json::to_value(answer).expect("an answer is JSON");
    for name in ["name", "unit_name", "headline", "certainty"] {
        value[name] = json!(text);
    }
    for (list, names) in [
        ("resources", ["subject", "label"].as_slice()),
        ("volumes", &["vm", "volume", "lun", "pool"]),
        ("transactions", &["vm"]),
        ("advice", &["subject", "text", "source"]),
        ("sensitivity", &["input", "source"]),
        ("not_checked", &["why"]),
    ] {
        for row in value[list].as_array_mut().into_iter().flatten() {
            for name in names {
                row[*name] = json!(text);
            }
        }
    }
    value["binding"]["reason"] = json!(text);
    value["binding"]["subject"] = json!(text);
    value["overhead"]["name"] = json!(text);
    value["overhead"]["about"] = json!(text);
    for row in value["overhead"]["coefficients"].as_array_mut().into_iter().flatten() {
        row["source"] = json!(text);
        row["derivation"] = json!(text);
    }
    for row in value["curves"]["utilization"].as_array_mut().into_iter().flatten() {
        row["label"] = json!(text);
    }
    serde_json::from_value(value).expect("still an answer")
}

/// The scenario with a text in every name.
pub fn input_with_text(input: &Value, text: &str) -> Value {
    let mut input = input.clone();
    input["name"] = json!(text);
    input["host"]["model"] = json!(text);
    input["overhead"] = json!(text);
    for pool in input["storage"]["pools"].as_array_mut().into_iter().flatten() {
        pool["name"] = json!(text);
    }
    for lun in input["storage"]["luns"].as_array_mut().into_iter().flatten() {
        lun["name"] = json!(text);
        lun["label"] = json!(text);
    }
    for member in input["unit"].as_array_mut().into_iter().flatten() {
        member["vm"]["name"] = json!(text);
        for volume in member["vm"]["volumes"].as_array_mut().into_iter().flatten() {
            volume["name"] = json!(text);
        }
    }
    input
}
