//! Laws that hold for every scenario.

use proptest::prelude::*;
use serde_json::{Value, json};

use vmfit::engine::arithmetic::Makes;

use crate::contract::size;

/// Scenarios of the shape that people type, over wide ranges.
fn scenarios() -> impl Strategy<Value = Value> {
    let host = (1u32..5, 1u32..17, 1u32..3, 8.0..512.0f64);
    let pool = (
        prop::sample::select(vec!["raid10", "raid5", "raid6"]),
        2u32..20,
        prop::sample::select(vec!["hdd_7k2", "hdd_10k", "hdd_15k"]),
        100.0..2000.0f64,
        any::<bool>(),
    );
    let volume = (1.0..300.0f64, 0.0..300.0f64, 0.0..200.0f64, prop::option::of(3.0..40.0f64));
    let vm = (1u32..5, 1.0..16.0f64, 0.0..100.0f64, 0.0..30.0f64, prop::collection::vec(volume, 0..4));
    let model = prop::sample::select(vec!["none", "hyperv-2008-biztalk", "hyperv-2008-sql", "xen-3.0-vmx"]);
    (host, pool, vm, model, 0.0..20.0f64).prop_map(|(host, pool, vm, model, growth)| {
        let volumes: Vec<Value> = vm
            .4
            .iter()
            .map(|(size, reads, writes, limit)| {
                json!({ "size_gib": size, "read_iops": reads, "write_iops": writes, "max_latency_ms": limit })
            })
            .collect();
        json!({
            "host": {
                "sockets": host.0, "cores_per_socket": host.1, "threads_per_core": host.2, "memory_gib": host.3,
                "nics": [{ "speed_gbps": 1, "count": 2 }],
            },
            "storage": { "pools": [{
                "name": "p", "raid": pool.0, "disks": pool.1 * 2, "disk_type": pool.2, "disk_gb": pool.3, "write_cache": pool.4,
            }] },
            "unit": [{ "vm": {
                "vcpus": vm.0, "memory_gib": vm.1, "cpu": { "busy_percent": vm.2, "of_cores": vm.0, "spread_percent": vm.3 },
                "volumes": volumes, "network_mb_s": 5,
                "backup": { "size_gib": 100, "window_h": 4, "compression_ratio": 1.8 },
                "transactions": { "per_s": 50, "max_response_ms": 200 },
            } }],
            "overhead": model,
            "policy": { "growth_percent_per_year": growth, "years": 1 },
        })
    })
}

/// Changes that cannot make more units fit: a JSON pointer and what its number is multiplied by.
const WORSE: [(&str, f64); 11] = [
    ("/host/memory_gib", 0.7),
    ("/unit/0/vm/memory_gib", 1.4),
    ("/unit/0/vm/cpu/busy_percent", 1.3),
    ("/unit/0/vm/network_mb_s", 2.0),
    ("/unit/0/vm/backup/size_gib", 3.0),
    ("/unit/0/vm/backup/window_h", 0.5),
    ("/unit/0/vm/transactions/max_response_ms", 0.5),
    ("/policy/growth_percent_per_year", 3.0),
    ("/storage/pools/0/disk_gb", 0.5),
    ("/unit/0/vm/volumes/0/read_iops", 1.5),
    ("/unit/0/vm/volumes/0/size_gib", 1.5),
];

fn cases() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(48);
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn more_demand_or_a_smaller_host_never_fits_more(scenario in scenarios()) {
        let before = size(&scenario);
        for (pointer, factor) in WORSE {
            let mut worse = scenario.clone();
            let Some(number) = worse.pointer_mut(pointer) else { continue };
            let changed = number.as_f64().unwrap() * factor;
            *number = json!(if pointer.ends_with("busy_percent") { changed.min(100.0) } else { changed });
            let after = size(&worse);
            prop_assert!(after.fit.likely <= before.fit.likely, "{pointer}: {} after {}", after.fit.likely, before.fit.likely);
            prop_assert!(after.fit.worst_case <= before.fit.worst_case, "{pointer}");
        }
    }

    #[test]
    fn a_model_that_costs_more_never_fits_more(scenario in scenarios()) {
        let mut free = scenario.clone();
        free["overhead"] = json!("none");
        prop_assert!(size(&scenario).fit.likely <= size(&free).fit.likely);
    }

    #[test]
    fn what_is_recommended_passes_its_own_check(scenario in scenarios()) {
        let likely = size(&scenario).fit.likely.min(100);
        if likely > 0 {
            let mut entered = scenario.clone();
            entered["unit"][0]["count"] = json!(likely);
            prop_assert!(size(&entered).fit.likely >= 1);
        }
        let exact = size(&scenario).fit.likely;
        if exact < 100 {
            let mut entered = scenario;
            entered["unit"][0]["count"] = json!(exact + 1);
            prop_assert_eq!(size(&entered).fit.likely, 0);
        }
    }

    #[test]
    fn the_ends_of_the_ranges_bracket_the_answer(scenario in scenarios()) {
        let fit = size(&scenario).fit;
        prop_assert!(fit.worst_case <= fit.likely && fit.likely <= fit.best_case, "{fit:?}");
        prop_assert!(fit.worst_case <= fit.at_confidence && fit.at_confidence <= fit.most && fit.most <= fit.best_case, "{fit:?}");
        prop_assert!(fit.probability.windows(2).all(|pair| pair[1].at_least <= pair[0].at_least));
    }

    #[test]
    fn arithmetic_gives_the_number_it_explains(scenario in scenarios()) {
        let parsed = vmfit::domain::parse_scenario(
            scenario.to_string().as_bytes(),
            vmfit::domain::ModelCatalog::built_in(),
        ).unwrap();
        for row in vmfit::engine::size(&parsed).rows {
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1e-9);
            for made in &row.arithmetic {
                prop_assert!(near(made.sum.value(), made.total), "{:?}: {made:?}", row.check);
                match made.makes {
                    Makes::Supply => prop_assert_eq!(made.total, row.supply),
                    Makes::Reserved => prop_assert_eq!(made.total, row.reserved),
                    Makes::PerUnit => prop_assert_eq!(Some(made.total), row.per_unit),
                    Makes::Latency { .. } | Makes::Response { .. } => prop_assert_eq!(made.total, row.used),
                    Makes::DiskBusy { .. } => {}
                }
            }
            let explained = |makes: &Makes| row.arithmetic.iter().any(|made| made.makes == *makes);
            prop_assert!(row.reserved == 0.0 || explained(&Makes::Reserved), "{:?}", row.check);
            prop_assert!(row.per_unit.is_none_or(|need| need == 0.0) || explained(&Makes::PerUnit), "{:?}", row.check);
        }
    }

    #[test]
    fn the_same_input_gives_the_same_answer(scenario in scenarios()) {
        prop_assert_eq!(size(&scenario), size(&scenario));
    }

    #[test]
    fn what_one_is_told_to_add_makes_room(scenario in scenarios()) {
        let before = size(&scenario);
        let mut richer = scenario.clone();
        for remedy in &before.binding.remedies {
            let add = |value: &mut Value, by: f64| *value = json!(value.as_f64().unwrap() + by);
            match remedy.add_unit.as_str() {
                "GiB" if remedy.resource == "memory" => add(&mut richer["host"]["memory_gib"], remedy.add),
                "cores" => {
                    // Cores are added as one socket of all of them.
                    let cores = scenario["host"]["sockets"].as_f64().unwrap() * scenario["host"]["cores_per_socket"].as_f64().unwrap();
                    richer["host"]["sockets"] = json!(1);
                    let all = cores + remedy.add;
                    if all > 512.0 { return Ok(()); }
                    richer["host"]["cores_per_socket"] = json!(all);
                }
                "disks" => {
                    let now = scenario["storage"]["pools"][0]["disks"].as_f64().unwrap();
                    let most = richer["storage"]["pools"][0]["disks"].as_f64().unwrap().max(now + remedy.add);
                    richer["storage"]["pools"][0]["disks"] = json!(most);
                }
                "adapters" => add(&mut richer["host"]["nics"][0]["count"], remedy.add),
                _ => return Ok(()),
            }
        }
        prop_assert!(size(&richer).fit.likely > before.fit.likely, "{:?}", before.binding);
    }
}

/// 100 runs, on one thread and on two: one answer to the last digit.
#[test]
fn threads_and_repetition_change_nothing() {
    let scenario: Value = serde_json::from_str(include_str!("../../fixtures/scenarios/vhd-shared.json")).unwrap();
    let run = |times: usize| (0..times).map(|_| serde_json::to_string(&size(&scenario)).unwrap()).collect::<Vec<_>>();
    let first = run(1).remove(0);
    let (one, two) = std::thread::scope(|scope| {
        let other = scope.spawn(|| run(25));
        (run(25), other.join().unwrap())
    });
    for answer in run(50).into_iter().chain(one).chain(two) {
        assert_eq!(answer, first);
    }
    assert!(first.contains("\"draws\":4096"));
}
