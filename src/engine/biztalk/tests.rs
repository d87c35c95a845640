use super::*;

fn rows() -> Vec<Measurement> {
    let rows = published_rows();
    assert_eq!(rows.len(), 15);
    rows.to_vec()
}

fn model() -> BizTalkModel {
    BizTalkModel::fit(&rows()).expect("published rows fit")
}

fn docs(model: &BizTalkModel, scenario: Scenario, messageboxes: u32, servers: u32) -> f64 {
    model.throughput(scenario, messageboxes, servers).expect("fitted scenario").docs_per_s
}

/// What the third processing server changes, as a share.
fn third_server(model: &BizTalkModel, scenario: Scenario, messageboxes: u32) -> f64 {
    docs(model, scenario, messageboxes, 3) / docs(model, scenario, messageboxes, 2) - 1.0
}

#[test]
fn every_row_is_within_twelve_per_cent_of_a_fit_without_it() {
    let held_out = leave_one_out(&rows());
    assert_eq!(held_out.len(), 15);
    for held in held_out {
        assert!(held.error().abs() < 0.12, "{held:?}");
    }
}

#[test]
fn third_server_loses_at_four_messageboxes_and_is_flat_at_three() {
    let model = model();
    for scenario in [Scenario::Messaging, Scenario::Orchestration] {
        // Measured −4.8 % and −6.7 %.
        assert!((-0.08..-0.03).contains(&third_server(&model, scenario, 4)));
        assert!(third_server(&model, scenario, 1).abs() < 1e-12);
    }
    // Measured 0.0 %, while runs that should agree (one MessageBox) differ by 0.9 %: the law's
    // −2.0 % is less than half the loss at four MessageBoxes, but it is not zero.
    let at_three = third_server(&model, Scenario::Orchestration, 3);
    assert!(at_three.abs() < 0.025);
    assert!(at_three > 0.5 * third_server(&model, Scenario::Orchestration, 4));
}

#[test]
fn third_server_keeps_its_sign_whichever_row_is_left_out() {
    let rows = rows();
    for index in 0..rows.len() {
        let mut others = rows.clone();
        others.remove(index);
        let model = BizTalkModel::fit(&others).expect("fourteen rows fit");
        for scenario in [Scenario::Messaging, Scenario::Orchestration] {
            assert!(third_server(&model, scenario, 4) < -0.01, "without row {index}");
        }
    }
}

#[test]
fn binding_tier_is_the_one_the_counters_show() {
    let model = model();
    for row in rows() {
        let prediction = model.throughput(row.scenario, row.messageboxes, row.servers).expect("row");
        let expected = if row.processing_cpu_pct >= 80.0 { Tier::ProcessingCpu } else { Tier::MessageBox };
        assert_eq!(prediction.binding, expected, "{row:?}");
        let off = |share: f64, pct: f64| (share * 100.0 - pct).abs();
        assert!(off(prediction.processing_utilization, row.processing_cpu_pct) < 16.0, "{row:?}");
        assert!(off(prediction.sql_utilization, row.sql_cpu_pct) < 16.0, "{row:?}");
        assert!(prediction.low <= row.docs_per_s && row.docs_per_s <= prediction.high, "{row:?}");
    }
}

#[test]
fn slow_sql_server_binds_on_its_cpu() {
    let ratings = Ratings { sql: 0.4, ..Ratings::default() };
    let prediction = model().throughput_on(Scenario::Messaging, 4, 2, ratings).expect("fitted");
    assert_eq!(prediction.binding, Tier::SqlCpu);
    assert!(prediction.docs_per_s < docs(&model(), Scenario::Messaging, 4, 2));
}

#[test]
fn two_messageboxes_gain_nothing_and_are_flagged() {
    let model = model();
    let two = model.throughput(Scenario::Messaging, 2, 2).expect("fitted");
    assert!(two.two_messageboxes);
    assert_eq!(two.docs_per_s, docs(&model, Scenario::Messaging, 1, 2));
}

#[test]
fn sizing_returns_a_group_that_carries_the_rate_and_no_smaller_one() {
    let model = model();
    for scenario in [Scenario::Messaging, Scenario::Orchestration] {
        for rate in (1..60).map(|step| f64::from(step) * 50.0) {
            for basis in [Basis::Likely, Basis::Low] {
                let Some(plan) = model.size(scenario, rate, basis, Ratings::default()) else {
                    continue;
                };
                assert_ne!(plan.messageboxes, 2);
                let carried = |m: u32, s: u32| {
                    let p = model.throughput(scenario, m, s).expect("fitted");
                    if basis == Basis::Low { p.low } else { p.docs_per_s }
                };
                assert!(carried(plan.messageboxes, plan.servers) >= rate);
                for servers in 1..plan.servers {
                    assert!(carried(plan.messageboxes, servers) < rate);
                }
            }
        }
    }
    let small = model.size(Scenario::Messaging, 1_000.0, Basis::Likely, Ratings::default());
    assert_eq!(small.map(|plan| (plan.servers, plan.messageboxes)), Some((1, 1)));
    let large = model.size(Scenario::Messaging, 2_600.0, Basis::Likely, Ratings::default());
    assert_eq!(large.map(|plan| (plan.servers, plan.messageboxes)), Some((2, 4)));
    assert!(model.size(Scenario::Messaging, 1e6, Basis::Likely, Ratings::default()).is_none());
}

#[test]
fn bad_rows_and_questions_are_refused() {
    assert_eq!(BizTalkModel::fit(&[]), Err(FitError::Empty));
    let mut rows = rows();
    rows[3].docs_per_s = f64::NAN;
    assert_eq!(BizTalkModel::fit(&rows), Err(FitError::OutOfRange { row: 3 }));
    let saturated: Vec<Measurement> = self::rows().into_iter().filter(|row| row.processing_cpu_pct >= 80.0).collect();
    let scenario = Scenario::Messaging;
    assert_eq!(BizTalkModel::fit(&saturated), Err(FitError::NoContention { scenario }));
    let model = model();
    assert!(model.throughput(scenario, 0, 1).is_none());
    assert!(model.throughput(scenario, 1, 0).is_none());
    for rate in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(model.size(scenario, rate, Basis::Likely, Ratings::default()).is_none());
    }
}
