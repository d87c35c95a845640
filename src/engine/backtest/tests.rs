//! Intervals on data that is drawn from the model itself.

use super::*;
use crate::domain::ModelCatalog;
use crate::domain::case::{CaseKind, CaseSet, Given, parse_case};
use crate::engine::factors::Factors;
use crate::engine::pert::Pert;
use crate::engine::plan::Plan;

/// Numbers that look random and are the same everywhere, from 0 to 1.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

fn case(kind: CaseKind) -> Case {
    let unit = kind.units()[0];
    let text = format!(
        r#"{{ "id": "drawn", "kind": "{}", "set": "held_out", "source": "drawn from the model", "calibrated_on": "nothing",
            "measured": 1, "unit": "{unit}", "tolerance": {{ "percent": 100 }},
            "given": {{ "units": 2, "scenario": {{ "overhead": "hyperv-2008-sql",
              "host": {{ "sockets": 2, "cores_per_socket": 4, "threads_per_core": 2, "memory_gib": 64,
                         "nics": [{{ "speed_gbps": 1 }}] }},
              "storage": {{ "pools": [{{ "name": "san", "raid": "raid10", "disks": 16, "disk_type": "hdd_15k", "disk_gb": 300 }}] }},
              "unit": [{{ "vm": {{ "vcpus": 4, "memory_gib": 8, "cpu": {{ "busy_percent": 40, "of_cores": 4, "spread_percent": 10 }},
                "volumes": [{{ "size_gib": 100, "read_iops": 300, "write_iops": 100, "attach": "fixed_vhd" }}],
                "backup": {{ "size_gib": 100, "window_h": 4 }},
                "transactions": {{ "per_s": 100, "users": 500, "think_s": 4.9 }} }} }}] }} }} }}"#,
        kind.as_str()
    );
    parse_case(text.as_bytes(), ModelCatalog::built_in()).expect("a case")
}

#[test]
fn intervals_cover_what_is_drawn_from_the_model() {
    const DRAWN: u32 = 2000;
    let mut numbers = Numbers(7);
    let mut all = 0;
    let kinds = [
        CaseKind::CpuOverhead,
        CaseKind::CpuRelative,
        CaseKind::RaidIops,
        CaseKind::DiskRelative,
        CaseKind::AddedLatency,
        CaseKind::BackupRate,
        CaseKind::ClosedLoopResponse,
        CaseKind::ClosedLoopTps,
    ];
    for kind in kinds {
        let mut case = case(kind);
        let Given::Scenario(given) = case.given.clone() else { panic!("a scenario") };
        let interval = judge(&case).prediction.expect("a prediction");
        let plan = Plan::new(&given.scenario);
        let known = Factors::known(&given.scenario);
        let mut inside = 0;
        for _ in 0..DRAWN {
            // One number for each input; its variants by way of attaching move together.
            let mut drawn = std::collections::BTreeMap::new();
            let truth = Factors::pick(&known, |one| {
                let share = *drawn.entry(one.input).or_insert_with(|| numbers.next());
                Pert::new(one.range).quantile(share)
            });
            case.measured = predict::figure(&plan, &truth, kind, &given).expect("a figure");
            inside += u32::from((interval.low..=interval.high).contains(&case.measured));
        }
        let share = f64::from(inside) / f64::from(DRAWN);
        assert!((0.85..=0.95).contains(&share), "{kind:?}: {share}");
        all += inside;
    }
    let share = f64::from(all) / f64::from(DRAWN * kinds.len() as u32);
    assert!((0.88..=0.92).contains(&share), "all kinds: {share}");
}

#[test]
fn a_measurement_of_the_wrong_side_or_without_a_prediction_is_told() {
    let mut case = case(CaseKind::RaidIops);
    case.measured = 1500.0;
    case.tolerance.within = 1e6;
    assert!(judge(&case).within_tolerance);
    case.tolerance.same_side_of = Some(1_700.0);
    assert!(!judge(&case).within_tolerance);
    let Given::Scenario(given) = &mut case.given else { panic!("a scenario") };
    given.volume = 9;
    let verdict = judge(&case);
    assert_eq!((verdict.prediction, verdict.error, verdict.within_tolerance), (None, -1.0, false));
}

#[test]
fn a_summary_has_a_row_for_each_kind_and_set_and_one_for_all() {
    let mut cases = [case(CaseKind::RaidIops), case(CaseKind::RaidIops), case(CaseKind::BackupRate)];
    cases[1].set = CaseSet::Training;
    let predicted = judge(&cases[0]).prediction.expect("a prediction").likely;
    cases[0].measured = predicted / 1.5;
    let judged: Vec<(&Case, Verdict)> = cases.iter().map(|case| (case, judge(case))).collect();
    let rows = summarize(&judged);
    assert_eq!(rows.len(), 5);
    let row = rows.iter().find(|row| row.group == Group::Kind(CaseKind::RaidIops) && row.set == CaseSet::HeldOut);
    let row = row.expect("a row");
    assert!((row.median_abs_error - 0.5).abs() < 1e-9 && row.cases == 1);
}
