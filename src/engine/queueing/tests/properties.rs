//! Laws that hold for every network.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use super::{class, network, station};
use crate::engine::queueing::StationKind::{Delay, MultiServer, Queueing};
use crate::engine::queueing::bounds::asymptotic;
use crate::engine::queueing::mva::{exact, linearizer, schweitzer, solve};
use crate::engine::queueing::*;

fn kinds() -> impl Strategy<Value = StationKind> {
    prop_oneof![
        3 => Just(Queueing),
        2 => (1u32..12).prop_map(MultiServer),
        1 => Just(Delay),
    ]
}

/// Up to three classes of up to eight users on up to five stations.
fn networks() -> impl Strategy<Value = ClosedNetwork> {
    (1usize..4, 1usize..6).prop_flat_map(|(classes, stations)| {
        let demands = prop::collection::vec(0.001f64..2.0, classes);
        let stations = prop::collection::vec((kinds(), demands), stations);
        let classes = prop::collection::vec((0u32..9, 0.0f64..10.0), classes);
        (stations, classes).prop_map(|(stations, classes)| {
            network(
                stations.iter().map(|(kind, demand_s)| station(*kind, demand_s)).collect(),
                classes.iter().map(|&(n, z)| class(n, z)).collect(),
            )
        })
    })
}

fn with_demand(of: &ClosedNetwork, k: usize, factor: f64) -> ClosedNetwork {
    let mut stations = of.stations().to_vec();
    for demand in &mut stations[k].demand_s {
        *demand *= factor;
    }
    network(stations, of.classes().to_vec())
}

fn check_laws(closed: &ClosedNetwork, solution: &Solution, slack: f64) -> Result<(), TestCaseError> {
    for (c, own) in closed.classes().iter().enumerate() {
        let users = f64::from(own.population);
        let rate = solution.throughput[c];
        let cycle = solution.response[c] + own.think_time_s;
        prop_assert!((rate * cycle - users).abs() <= 1e-6 * users.max(1.0), "N = X(R + Z)");
        let here: f64 = solution.queue_length[c].iter().sum();
        prop_assert!((here + rate * own.think_time_s - users).abs() <= 1e-6 * users.max(1.0));
        let bound = &asymptotic(closed)[c];
        prop_assert!(rate <= bound.throughput_max * (1.0 + slack), "{rate} above {bound:?}");
        prop_assert!(rate >= bound.throughput_min * (1.0 - slack), "{rate} below {bound:?}");
        if own.population > 0 {
            prop_assert!(solution.response[c] >= bound.response_min_s * (1.0 - slack));
        }
    }
    for (k, own) in closed.stations().iter().enumerate() {
        if own.kind != Delay {
            prop_assert!(solution.station_utilization(k) <= 1.0 + slack);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, rng_seed: RngSeed::Fixed(7), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn closed_networks_obey_littles_law_and_the_bounds(closed in networks()) {
        check_laws(&closed, &exact(&closed).expect("small"), 1e-9)?;
        check_laws(&closed, &linearizer(&closed).expect("settles"), 0.03)?;
        check_laws(&closed, &solve(&closed).expect("small").0, 1e-9)?;
        schweitzer(&closed).expect("settles");
    }

    #[test]
    fn single_class_throughput_falls_with_demand_and_rises_with_users(
        demands in prop::collection::vec((kinds(), 0.001f64..2.0), 1..6),
        users in 1u32..40, think_s in 0.0f64..10.0, place in 0usize..6, factor in 1.0f64..3.0,
    ) {
        let stations: Vec<Station> = demands.iter().map(|&(kind, d)| station(kind, &[d])).collect();
        let base = network(stations.clone(), vec![class(users, think_s)]);
        let slower = with_demand(&base, place % demands.len(), factor);
        let fuller = network(stations, vec![class(users + 1, think_s)]);
        // The approximations change their tables with the network, so they may step back a little.
        for (method, slack) in [(exact as fn(&_) -> _, 1e-9), (linearizer, 5e-3)] {
            let rate = |closed: &ClosedNetwork| {
                let solution: Result<Solution, NetworkError> = method(closed);
                solution.expect("small").throughput[0]
            };
            let (base, slower, fuller) = (rate(&base), rate(&slower), rate(&fuller));
            prop_assert!(slower <= base * (1.0 + slack), "{slower} above {base}, slack {slack}");
            prop_assert!(fuller >= base * (1.0 - slack), "{fuller} below {base}, slack {slack}");
        }
    }

    #[test]
    fn open_queues_wait_longer_under_more_load(
        servers in 1u32..200, load in 0.01f64..0.98, service_s in 0.001f64..10.0,
    ) {
        let capacity = f64::from(servers) / service_s;
        let less = mmc(load * capacity, service_s, servers).expect("stable");
        let more = mmc((load + 0.01) * capacity, service_s, servers).expect("stable");
        prop_assert!(more.wait_s >= less.wait_s && less.wait_s >= 0.0);
        let number = load * capacity * less.response_s;
        prop_assert!((less.number - number).abs() <= 1e-9 * number, "L = λR");
        prop_assert!((0.0..=1.0).contains(&less.wait_probability));
    }

    #[test]
    fn a_finite_source_is_the_sum_over_its_states(
        sources in 2u32..400, demand in 0.001f64..0.999, servers in 1u32..100,
    ) {
        let (k, c) = (f64::from(sources), f64::from(servers));
        let odds = demand / (1.0 - demand);
        // Logarithms of the weights of all states, from nobody present on.
        let rise = |j: u32| libm::log((k - f64::from(j)) * odds / f64::from(j + 1).min(c));
        let logs: Vec<f64> =
            (0..=sources).scan(0.0, |log, j| { let now = *log; if j < sources { *log += rise(j); } Some(now) }).collect();
        let top = logs.iter().copied().fold(f64::MIN, f64::max);
        let sum = |value: &dyn Fn(f64) -> f64| -> f64 {
            logs.iter().enumerate().map(|(j, log)| libm::exp(log - top) * value(j as f64)).sum()
        };
        let busy = sum(&|j| j.min(c));
        let delayed = sum(&|j| if j >= c { k - j } else { 0.0 }) / sum(&|j| k - j);
        let got = finite_source(sources, demand, servers).expect("valid");
        prop_assert!((got.wait_ratio - sum(&|j| (j - c).max(0.0)) / busy).abs() <= 1e-9 * got.stretch);
        prop_assert!((got.utilization - busy / sum(&|_| 1.0) / c).abs() <= 1e-10);
        prop_assert!((got.wait_probability - delayed).abs() <= 1e-9, "{} {delayed}", got.wait_probability);
    }

    #[test]
    fn the_stretch_of_a_delivered_load_is_that_of_its_demand(
        sources in 1u32..500, demand in 0.001f64..0.9999, servers in 1u32..200,
    ) {
        let queue = finite_source(sources, demand, servers).expect("valid");
        let busy = queue.utilization * f64::from(servers) / f64::from(sources);
        let most = (f64::from(servers) / f64::from(sources)).min(1.0);
        match stretch_when_busy(sources, busy, servers) {
            Some(stretch) => {
                let idle = (1.0 / busy - stretch).max(0.0);
                let again = finite_source(sources, 1.0 / (1.0 + idle), servers).expect("valid");
                let delivered = again.utilization * f64::from(servers) / f64::from(sources);
                prop_assert!((delivered - busy).abs() <= 1e-9, "{delivered} for {busy}");
            }
            None => prop_assert!(busy >= most * (1.0 - 1e-9)),
        }
    }

    #[test]
    fn vcpus_wait_longer_the_more_there_are(
        vcpus in 1u32..300, demand in 0.01f64..1.0, threads in 1u32..100,
    ) {
        let less = finite_source(vcpus, demand, threads).expect("valid");
        let more = finite_source(vcpus + 1, demand, threads).expect("valid");
        prop_assert!(more.stretch >= less.stretch - 1e-12);
        prop_assert!(less.stretch >= 1.0 && less.utilization <= 1.0 && less.delivered <= 1.0);
        // K = X(R + Z) with S as unit of time: busy·(stretch + Z/S) = K.
        let busy = less.utilization * f64::from(threads);
        let idle = (1.0 - demand) / demand;
        prop_assert!((busy * (less.stretch + idle) / f64::from(vcpus) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn fitted_curves_are_valid(points in prop::collection::vec((1.0f64..100.0, 0.1f64..1e6), 3..12)) {
        if let Ok(law) = Usl::fit(&points) {
            prop_assert!(law.gamma > 0.0 && law.alpha >= 0.0 && law.beta >= 0.0);
            prop_assert!(law.gamma.is_finite() && law.alpha.is_finite() && law.beta.is_finite());
        }
    }
}
