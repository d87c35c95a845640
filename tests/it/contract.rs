//! The figures that are promised: published values and worked examples, each with its source.

use serde_json::{Value, json};
use vmfit::domain::{ModelCatalog, parse_scenario};
use vmfit::report::{Answer, Options, answer_for};

const EXAMPLE: &str = include_str!("../../fixtures/scenarios/example-dl580.json");
const LAB: &str = include_str!("../../fixtures/scenarios/biztalk-guide-lab.json");

pub fn size(scenario: &Value) -> Answer {
    let scenario = parse_scenario(scenario.to_string().as_bytes(), ModelCatalog::built_in())
        .unwrap_or_else(|refused| panic!("{refused:?}\n{scenario:#}"));
    answer_for(&scenario, Options::default())
}

/// The answer with its arithmetic.
fn explained(scenario: &Value) -> Answer {
    let scenario = parse_scenario(scenario.to_string().as_bytes(), ModelCatalog::built_in()).unwrap();
    answer_for(&scenario, Options { arithmetic: true, ..Options::default() })
}

fn fits(answer: &Answer, resource: &str) -> u32 {
    answer.resources.iter().find(|row| row.resource == resource).unwrap().fits
}

fn close(found: f64, expected: f64, most: f64) {
    assert!((found - expected).abs() <= most, "{found} is not {expected} ± {most}");
}

#[test]
fn the_example_of_the_public_surface() {
    let answer = size(&serde_json::from_str(EXAMPLE).unwrap());
    assert_eq!((answer.fit.likely, answer.fit.at_confidence, answer.fit.most), (3, 3, 3));
    assert_eq!(answer.binding.resource, "memory");
    assert_eq!((fits(&answer, "cpu"), fits(&answer, "iops"), fits(&answer, "capacity")), (6, 8, 6));
    let memory = &answer.resources[0];
    assert_eq!((memory.supply, memory.reserved, memory.usable), (32768.0, 812.0, 30358.2));
    assert_eq!((memory.per_unit, memory.used, memory.utilization_percent), (Some(8280.0), 24840.0, 77.7));
    let row = |resource: &str| answer.resources.iter().find(|row| row.resource == resource).unwrap();
    close(row("cpu").per_unit.unwrap(), 2.081, 0.0005);
    close(row("iops").supply, 2163.0, 0.5);
    close(row("capacity").supply, 2235.0, 0.5);
    assert_eq!(answer.binding.to_fit_one_more, "Add 3 GiB of RAM, and 4 fit.");
    assert_eq!(answer.headline, "3 SQL Server VMs fit.");
}

#[test]
fn what_the_example_is_told_to_add_makes_room() {
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["host"]["memory_gib"] = json!(35);
    assert_eq!(size(&scenario).fit.likely, 4);
    scenario["host"]["memory_gib"] = json!(34);
    assert_eq!(size(&scenario).fit.likely, 3);
}

/// "System resource costs on Hyper-V": one VM of 2 GB takes 2,388 MB, two take 4,476 MB, without a root partition.
#[test]
fn the_published_memory_examples() {
    for (vms, mib) in [(1, 2388.0), (2, 4476.0)] {
        let answer = size(&json!({
            "host": { "sockets": 4, "cores_per_socket": 4, "memory_gib": 32 },
            "unit": [{ "count": vms, "vm": { "vcpus": 1, "memory_gib": 2 } }],
            "overhead": "hyperv-2008-biztalk",
            "policy": { "root_memory_mib": 0, "memory_target_percent": 100 },
        }));
        let memory = answer.resources.iter().find(|row| row.resource == "memory").unwrap();
        assert_eq!(memory.reserved + memory.per_unit.unwrap(), mib);
    }
}

/// "Running SQL Server 2008 in a Hyper-V Environment", table 4: published overhead = 1 − guest batches per CPU % over
/// native batches per CPU %, at the guest's batch rate.
#[test]
fn table_4_comes_back() {
    let native = [19.2, 16.0, 14.8];
    let rows = [
        ("pass_through", [565.0, 897.0, 1075.0], [16.15, 12.50, 11.49], 0.05),
        ("fixed_vhd", [563.0, 876.0, 1029.0], [18.23, 13.13, 10.81], 0.5),
    ];
    for (attach, batches, published, most) in rows {
        for load in 0..3 {
            let native_percent = batches[load] / native[load];
            let answer = size(&json!({
                "host": { "sockets": 1, "cores_per_socket": 4, "memory_gib": 64 },
                "storage": { "pools": [{ "name": "p", "raid": "raid10", "disks": 64, "disk_type": "hdd_15k", "disk_gb": 300 }] },
                "unit": [{ "vm": {
                    "vcpus": 4, "memory_gib": 4, "cpu": { "busy_percent": native_percent, "of_cores": 4 },
                    "volumes": [{ "size_gib": 10, "read_iops": 1, "attach": attach }],
                } }],
                "overhead": "hyperv-2008-sql",
            }));
            let cpu = answer.resources.iter().find(|row| row.resource == "cpu").unwrap();
            let guest_percent = cpu.per_unit.unwrap() / 4.0 * 100.0;
            close((1.0 - native_percent / guest_percent) * 100.0, published[load], most);
        }
    }
}

#[test]
fn the_lab_of_the_guide_is_bound_by_its_luns() {
    let answer = size(&serde_json::from_str(LAB).unwrap());
    assert_eq!(answer.fit.likely, 1);
    assert_eq!(answer.binding.resource, "luns");
    assert_eq!(answer.binding.remedies[0].add, 7.0);
    let advice = answer.advice.iter().find(|advice| advice.code == "share_by_fixed_vhd").unwrap();
    assert!(advice.text.contains("would let 2 fit"), "{}", advice.text);
}

/// What is recommended passes when it is entered as a scenario of that many.
#[test]
fn the_two_halves_of_the_question_agree() {
    for text in [EXAMPLE, LAB] {
        let mut scenario: Value = serde_json::from_str(text).unwrap();
        let likely = size(&scenario).fit.likely;
        scenario["unit"][0]["count"] = json!(likely);
        assert_eq!(size(&scenario).fit.likely, 1);
        scenario["unit"][0]["count"] = json!(likely + 1);
        assert_eq!(size(&scenario).fit.likely, 0);
    }
}

/// RAID: 16 disks of 180 IOPS at two reads to a write: 16 × 180 / (2/3 + 1/3 × penalty).
#[test]
fn raid_front_end_iops() {
    for (raid, penalty) in [("raid0", 1.0), ("raid10", 2.0), ("raid5", 4.0), ("raid6", 6.0)] {
        let answer = size(&json!({
            "host": { "sockets": 1, "cores_per_socket": 4, "memory_gib": 64 },
            "storage": { "pools": [{ "name": "p", "raid": raid, "disks": 16, "disk_type": "hdd_15k", "disk_gb": 300 }] },
            "unit": [{ "vm": { "vcpus": 1, "memory_gib": 1, "volumes": [{ "size_gib": 1, "read_iops": 2, "write_iops": 1 }] } }],
        }));
        let iops = answer.resources.iter().find(|row| row.resource == "iops").unwrap();
        close(iops.supply, 16.0 * 180.0 / (2.0 / 3.0 + penalty / 3.0), 1e-4);
    }
}

#[test]
fn a_cluster_holds_on_the_hosts_that_remain() {
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["host"]["count"] = json!(3);
    scenario["policy"]["spare_hosts"] = json!(1);
    let answer = size(&scenario);
    // Memory gives 3 on each of two hosts, the shared pool 6 by capacity and 8 by IOPS.
    assert_eq!(answer.fit.likely, 6);
    assert_eq!(fits(&answer, "memory"), 6);
    assert_eq!(fits(&answer, "cpu"), 12);
    assert_eq!(fits(&answer, "iops"), 8);
}

#[test]
fn growth_multiplies_load_and_leaves_memory() {
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["policy"]["growth_percent_per_year"] = json!(20);
    scenario["policy"]["years"] = json!(3);
    let grown = explained(&scenario);
    let row = |resource: &str| grown.resources.iter().find(|row| row.resource == resource).unwrap().per_unit.unwrap();
    assert_eq!(row("memory"), 8280.0);
    close(row("capacity"), 300.0 * 1.728, 1e-6);
    close(row("iops"), 181.0 / 0.93 * 1.728, 1e-3);
    // What was given stands in the arithmetic as it was given, and growth by itself.
    assert_eq!(line(&grown, "capacity", "One unit needs"), "300 × 1.2^3 = 518.4 GiB");
    assert_eq!(line(&grown, "iops", "One unit needs"), "181 × 1.2^3 ÷ 0.93 = 336.3 IOPS");
    assert!(line(&grown, "cpu", "One unit needs").contains("0.45 × 4 × 1.2^3 ÷ 0.9199"), "{grown:?}");
}

/// The text of a line of arithmetic.
fn line<'a>(answer: &'a Answer, resource: &str, label: &str) -> &'a str {
    let row = answer.resources.iter().find(|row| row.resource == resource).unwrap();
    row.arithmetic.iter().find(|line| line.label.starts_with(label)).map_or("", |line| line.text.as_str())
}

#[test]
fn every_figure_of_the_example_is_made_before_the_eye() {
    let answer = explained(&serde_json::from_str(EXAMPLE).unwrap());
    assert_eq!(line(&answer, "memory", "Host and hypervisor take"), "300 + 512 = 812 MiB");
    assert_eq!(line(&answer, "memory", "One unit needs"), "8,192 + 32 + 7 × 8 = 8,280 MiB");
    // Reads that go to disk: 1,000 / 180 ms of service, a little waiting, and what virtualization adds.
    let read = line(&answer, "latency", "A read takes");
    assert!(read.starts_with("5.556 + ") && read.ends_with(" ms, MessageBox data, with 3 units"), "{read}");
    assert!(line(&answer, "latency", "Each disk is busy").contains(" ÷ 16 ÷ 180 = "), "{answer:?}");
}

/// No host comes near a million units of one size: the answer says that it stopped counting, not that something binds.
#[test]
fn more_than_are_counted() {
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["host"]["memory_gib"] = json!(65_536);
    scenario["host"]["count"] = json!(1000);
    scenario["overhead"] = json!("none");
    let vm = scenario["unit"][0]["vm"].as_object_mut().unwrap();
    vm.insert("memory_gib".into(), json!(0.125));
    for gone in ["cpu", "volumes", "network_mb_s", "backup", "transactions"] {
        vm.remove(gone);
    }
    let answer = size(&scenario);
    assert_eq!((answer.fit.likely, answer.fit.counted_to), (1_000_000, Some(1_000_000)));
    assert!(answer.headline.starts_with("At least 1,000,000 "), "{}", answer.headline);
    assert_eq!((answer.binding.resource.as_str(), answer.binding.remedies.len()), ("", 0));
    assert!(answer.fit.probability.iter().all(|one| one.units <= 1_000_000 && one.at_least == 1.0), "{:?}", answer.fit);
}

#[test]
fn emulated_ide_is_refused_for_data() {
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["unit"][0]["vm"]["volumes"][0]["controller"] = json!("emulated_ide");
    let answer = size(&scenario);
    assert_eq!((answer.fit.likely, answer.binding.resource.as_str()), (0, "luns"));
    assert!(answer.advice.iter().any(|a| a.code == "emulated_ide" && a.severity == "critical"));
}

/// A response limit below the bare service time: none fits, and the reason is told.
#[test]
fn a_response_limit_that_no_host_meets() {
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["unit"][0]["vm"]["transactions"]["max_response_ms"] = json!(0.5);
    let answer = size(&scenario);
    assert_eq!((answer.fit.likely, answer.binding.resource.as_str()), (0, "response_time"));
    assert!(answer.binding.reason.contains("Response time stops the first"), "{}", answer.binding.reason);
}

/// An unstable queue at N = 1: none fits, no number is infinite.
#[test]
fn a_pool_that_cannot_keep_up_with_one() {
    let mut scenario: Value = serde_json::from_str(EXAMPLE).unwrap();
    scenario["unit"][0]["vm"]["volumes"][0]["read_iops"] = json!(100_000);
    let answer = size(&scenario);
    assert_eq!(answer.fit.likely, 0);
    let text = serde_json::to_string(&answer).unwrap();
    assert!(!text.contains("null,\"fits\":0,\"arithmetic\":[]}") && !text.contains("inf"), "{text}");
}
