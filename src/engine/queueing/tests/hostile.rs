//! Input nobody means: an error or a finite answer, at once.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{class, station};
use crate::engine::queueing::StationKind::{Delay, MultiServer, Queueing};
use crate::engine::queueing::mva::{exact, linearizer, schweitzer, solve};
use crate::engine::queueing::*;

const EDGES: [f64; 15] =
    [0.0, 5e-324, 1e-300, 1e-15, 1e-9, 0.5, 1.0, 1e6, 1e12, 1e13, 1e300, f64::MAX, -1.0, f64::NAN, f64::INFINITY];

fn edge() -> impl Strategy<Value = f64> {
    prop::sample::select(EDGES.to_vec())
}

fn finite(solution: &Solution) -> bool {
    let rows = [&solution.residence, &solution.queue_length, &solution.utilization];
    let cells = rows.into_iter().flatten().flatten();
    cells.chain(&solution.throughput).chain(&solution.response).all(|v| v.is_finite() && *v >= 0.0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn closed_networks_answer_finitely_or_refuse(
        demands in prop::collection::vec(edge(), 6), think in prop::collection::vec(edge(), 2),
        users in prop::collection::vec(prop::sample::select(vec![0u32, 1, 2, 50, 5_000, 4_000_000, u32::MAX]), 2),
        servers in prop::sample::select(vec![0u32, 1, 3, 64, 1_000_000, u32::MAX]),
    ) {
        let stations = vec![
            station(Queueing, &demands[0..2]),
            station(MultiServer(servers), &demands[2..4]),
            station(Delay, &demands[4..6]),
        ];
        let classes = vec![class(users[0], think[0]), class(users[1], think[1])];
        let Ok(closed) = ClosedNetwork::new(stations, classes) else { return Ok(()) };
        for bound in bounds::asymptotic(&closed) {
            prop_assert!(bound.throughput_max.is_finite() && bound.throughput_min.is_finite());
        }
        let small = closed.customers() <= 200;
        for method in [linearizer, schweitzer] {
            match method(&closed) {
                Ok(solution) => prop_assert!(finite(&solution), "{closed:?} {solution:?}"),
                Err(error) => prop_assert!(!small, "{closed:?} {error}"),
            }
        }
        if small {
            prop_assert!(finite(&exact(&closed).expect("small")), "{closed:?}");
            prop_assert!(finite(&solve(&closed).expect("small").0));
        }
    }

    #[test]
    fn single_queues_answer_finitely_or_not_at_all(
        a in edge(), b in edge(), c in edge(), d in edge(),
        servers in prop::sample::select(vec![0u32, 1, 7, 1_000_000, u32::MAX]),
    ) {
        if let Some(q) = mmc(a, b, servers) {
            prop_assert!([q.utilization, q.wait_probability, q.wait_s, q.response_s, q.queue_length, q.number].iter().all(|v| v.is_finite()));
        }
        if let Some(q) = general::mg1(a, b, c) {
            prop_assert!([q.utilization, q.wait_s, q.response_s, q.number].iter().all(|v| v.is_finite()));
        }
        if let Some(q) = general::ggc(a, b, servers, c, d) {
            prop_assert!([q.wait_s, q.response_s, q.queue_length, q.number].iter().all(|v| v.is_finite()));
        }
        if let Some(q) = finite_source(servers, a, servers / 3 + 1) {
            prop_assert!([q.wait_ratio, q.stretch, q.queue_length, q.delivered].iter().all(|v| v.is_finite()));
        }
        if let Ok(solution) = open::solve(vec![station(Queueing, &[a, b]), station(MultiServer(servers), &[b, c])], &[c, d]) {
            prop_assert!(finite(&solution), "{solution:?}");
        }
        if let Ok(law) = Usl::fit(&[(1.0, a), (b, c), (3.0, d), (7.0, a)]) {
            prop_assert!(law.throughput(5.0).is_finite());
        }
    }
}

#[test]
fn refusals_name_what_is_wrong() {
    let one = |kind, demand: f64| vec![station(kind, &[demand])];
    let refused = |stations, users, think| ClosedNetwork::new(stations, vec![class(users, think)]).err();
    assert_eq!(refused(one(Queueing, 0.0), 3, 0.0), Some(NetworkError::NoCycle { class: 0 }));
    let servers = NetworkError::Servers { station: 0, servers: 0 };
    assert_eq!(refused(one(MultiServer(0), 1.0), 3, 0.0), Some(servers));
    let range = NetworkError::OutOfRange { class: 0, value: -1.0 };
    assert_eq!(refused(one(Queueing, -1.0), 3, 0.0), Some(range));
    let shape = NetworkError::Shape { station: 0, demands: 2, classes: 1 };
    assert_eq!(refused(vec![station(Queueing, &[1.0, 1.0])], 3, 0.0), Some(shape));
    let unstable = open::solve(one(MultiServer(2), 1.0), &[2.0]);
    assert_eq!(unstable, Err(NetworkError::Unstable { station: 0, utilization: 1.0 }));
    let many = vec![class(2_000, 1.0), class(2_000, 2.0)];
    let large = ClosedNetwork::new(vec![station(Queueing, &[1.0, 2.0])], many).expect("valid");
    assert!(matches!(exact(&large), Err(NetworkError::TooLarge { .. })));
    assert!(solve(&large).is_ok());
}

#[test]
fn networks_of_nothing_answer_with_nothing() {
    let thinkers = ClosedNetwork::new(Vec::new(), vec![class(10, 2.0)]).expect("valid");
    let nobody = ClosedNetwork::new(vec![station(Queueing, &[1.0])], vec![class(0, 0.0)]);
    let nobody = nobody.expect("valid");
    let empty = ClosedNetwork::new(vec![station(Queueing, &[])], Vec::new()).expect("valid");
    for method in [exact, linearizer, schweitzer, |n: &ClosedNetwork| solve(n).map(|s| s.0)] {
        assert_eq!(method(&thinkers).expect("valid").throughput, [5.0]);
        assert_eq!(method(&nobody).expect("valid").throughput, [0.0]);
        assert!(method(&empty).expect("valid").throughput.is_empty());
    }
    assert_eq!(bounds::asymptotic(&thinkers)[0].knee, None);
}
