//! The approximation against the exact solution, and its time.

use super::{class, network, station};
use crate::engine::queueing::StationKind::{Delay, MultiServer, Queueing};
use crate::engine::queueing::mva::{Method, exact, linearizer, schweitzer, solve, throughput_curve};
use crate::engine::queueing::*;

/// A small generator, so that a network has a number instead of a file.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// `kinds` unlike classes on a CPU of `servers`, four disks and a delay.
fn random(seed: u64, kinds: &[u32], think_s: f64, servers: u32) -> ClosedNetwork {
    let mut draws = Draws(seed * 77 + 5);
    let stations = (0..6)
        .map(|k| {
            let (kind, scale) = match k {
                0 => (MultiServer(servers), f64::from(servers)),
                5 => (Delay, 1.0),
                _ => (Queueing, 1.0),
            };
            let demand_s: Vec<f64> = kinds.iter().map(|_| (0.001 + 0.02 * draws.next()) * scale).collect();
            station(kind, &demand_s)
        })
        .collect();
    let classes = kinds.iter().map(|&n| class(n, think_s * (0.5 + draws.next()))).collect();
    network(stations, classes)
}

/// The same network with each class split into VMs of `size` users.
fn split(whole: &ClosedNetwork, size: u32) -> (ClosedNetwork, Vec<usize>) {
    let parts = |n: u32| (n / size) as usize;
    let owner: Vec<usize> =
        whole.classes().iter().enumerate().flat_map(|(c, class)| vec![c; parts(class.population)]).collect();
    let stations = whole
        .stations()
        .iter()
        .map(|s| station(s.kind, &owner.iter().map(|&c| s.demand_s[c]).collect::<Vec<_>>()))
        .collect();
    let classes = owner.iter().map(|&c| class(size, whole.classes()[c].think_time_s)).collect();
    (network(stations, classes), owner)
}

/// Largest relative error of throughput and of response time.
fn errors(found: &Solution, truth: &Solution, owner: &[usize], share: &[f64]) -> (f64, f64) {
    owner.iter().enumerate().fold((0.0, 0.0), |(rate, response): (f64, f64), (vm, &c)| {
        let slower = found.throughput[vm] / (truth.throughput[c] * share[c]) - 1.0;
        let later = found.response[vm] / truth.response[c] - 1.0;
        (rate.max(slower.abs()), response.max(later.abs()))
    })
}

#[test]
fn eight_classes_of_fifty_users_on_six_stations() {
    let (mut rate, mut response) = (0.0f64, 0.0f64);
    for seed in 0..2 {
        for think_s in [0.0, 0.2, 1.0, 5.0] {
            for servers in [1, 4, 16] {
                // Exact is feasible when VMs are of two kinds: four each, 200 users a kind.
                let whole = random(seed, &[200, 200], think_s, servers);
                let (vms, owner) = split(&whole, 50);
                let truth = exact(&whole).expect("40,401 states");
                let found = linearizer(&vms).expect("settles");
                let off = errors(&found, &truth, &owner, &[0.25, 0.25]);
                (rate, response) = (rate.max(off.0), response.max(off.1));
            }
        }
    }
    println!("8 x 50 x 6: throughput {:.3} %, response {:.3} %", rate * 100.0, response * 100.0);
    assert!(rate < 0.02, "throughput off by {rate}");
    assert!(response < 0.05, "response off by {response}");
}

#[test]
fn few_users_of_unlike_classes() {
    let cases: [(&[u32], f64); 4] = [(&[4; 5], 0.02), (&[20; 2], 0.02), (&[20, 3, 11], 0.02), (&[50], 0.01)];
    for (kinds, limit) in cases {
        let (mut rate, mut response, mut coarse) = (0.0f64, 0.0f64, 0.0f64);
        for seed in 0..8 {
            for think_s in [0.0, 0.2, 1.0, 5.0] {
                for servers in [1, 4, 16] {
                    let whole = random(seed, kinds, think_s, servers);
                    let owner: Vec<usize> = (0..kinds.len()).collect();
                    let share = vec![1.0; kinds.len()];
                    let truth = exact(&whole).expect("small");
                    let off = errors(&linearizer(&whole).expect("settles"), &truth, &owner, &share);
                    (rate, response) = (rate.max(off.0), response.max(off.1));
                    let older = schweitzer(&whole).expect("settles");
                    coarse = coarse.max(errors(&older, &truth, &owner, &share).0);
                }
            }
        }
        println!(
            "{kinds:?}: throughput {:.3} %, response {:.3} %, Bard-Schweitzer {:.3} %",
            rate * 100.0,
            response * 100.0,
            coarse * 100.0
        );
        assert!(rate < limit && response < 0.05 && rate < coarse, "{kinds:?}: {rate} {response}");
    }
}

#[test]
fn equal_classes_solve_exactly_as_one() {
    let whole = random(3, &[200], 0.5, 8);
    let (vms, _) = split(&whole, 50);
    let (found, method) = solve(&vms).expect("small");
    assert_eq!(method, Method::Exact);
    let truth = exact(&whole).expect("small");
    let off = errors(&found, &truth, &[0; 4], &[0.25]);
    assert!(off.0 < 1e-12 && off.1 < 1e-12, "{off:?}");
}

#[test]
fn single_class_curve_ends_at_the_solution() {
    let whole = random(4, &[300], 1.0, 16);
    let curve = throughput_curve(&whole).expect("single class");
    let end = exact(&whole).expect("small").throughput[0];
    assert_eq!(curve.len(), 300);
    assert!((curve[299] / end - 1.0).abs() < 1e-12);
    assert!(curve.windows(2).all(|pair| pair[1] >= pair[0]));
}

/// 64 unlike VMs of 500 users on ten stations, four of them with several servers.
pub(super) fn big_host(think_s: f64, scale: f64) -> ClosedNetwork {
    let mut draws = Draws(99);
    let stations = (0..10)
        .map(|k| {
            let (kind, size) = match k {
                0 => (MultiServer(64), 64.0),
                1..=3 => (MultiServer(8), 1.0),
                9 => (Delay, 1.0),
                _ => (Queueing, 1.0),
            };
            let demand_s: Vec<f64> = (0..64).map(|_| scale * size * (0.1 + draws.next())).collect();
            station(kind, &demand_s)
        })
        .collect();
    network(stations, (0..64).map(|_| class(500, think_s * (0.5 + draws.next()))).collect())
}

#[test]
fn sixty_four_classes_of_five_hundred_users_answer_at_once() {
    for (think_s, scale) in [(0.0, 0.002), (0.5, 0.002), (5.0, 0.0002), (30.0, 0.002), (60.0, 0.002)] {
        let host = big_host(think_s, scale);
        let mut fastest = f64::MAX;
        let mut answer = None;
        for _ in 0..7 {
            let start = std::time::Instant::now();
            let (solution, method) = solve(&host).expect("settles");
            fastest = fastest.min(start.elapsed().as_secs_f64() * 1e3);
            assert_eq!(method, Method::BardSchweitzer);
            answer = Some(solution);
        }
        let answer = answer.expect("seven runs");
        let start = std::time::Instant::now();
        let finer = linearizer(&host).expect("settles");
        let slower = start.elapsed().as_secs_f64() * 1e3;
        let owner: Vec<usize> = (0..64).collect();
        let off = errors(&answer, &finer, &owner, &[1.0; 64]);
        println!(
            "64 x 500 x 10, think {think_s}: {fastest:.2} ms; Linearizer {slower:.1} ms, {:.3} % {:.3} %",
            off.0 * 100.0,
            off.1 * 100.0
        );
        assert!(off.0 < 0.01 && off.1 < 0.015, "{off:?}");
        // Loose: the check is that nobody waits, on any machine and in any build.
        assert!(fastest < 100.0, "{fastest} ms");
    }
}

/// Any mix of stations, demands over four decades, up to 5,000 users a class.
fn wild(draws: &mut Draws) -> ClosedNetwork {
    let classes = 1 + (draws.next() * 10.0) as usize;
    let count = 1 + (draws.next() * 12.0) as usize;
    let stations = (0..count)
        .map(|_| {
            let kind = match draws.next() {
                share if share < 0.4 => Queueing,
                share if share < 0.8 => MultiServer(libm::pow(2.0, draws.next() * 8.0) as u32),
                _ => Delay,
            };
            let mut demand = || match draws.next() {
                share if share < 0.3 => 0.0,
                _ => 1e-4 * libm::pow(10.0, draws.next() * 4.0),
            };
            let demand_s: Vec<f64> = (0..classes).map(|_| demand()).collect();
            station(kind, &demand_s)
        })
        .collect();
    let user = |draws: &mut Draws| {
        let users = libm::pow(10.0, draws.next() * 3.7) as u32;
        class(users, 1e-3 * libm::pow(10.0, draws.next() * 5.0))
    };
    network(stations, (0..classes).map(|_| user(draws)).collect())
}

#[test]
fn approximations_settle_on_wild_networks() {
    let mut draws = Draws(31);
    for index in 0..400 {
        let closed = wild(&mut draws);
        for method in [linearizer, schweitzer] {
            let solution = method(&closed).unwrap_or_else(|error| panic!("{index}: {error}"));
            for (c, own) in closed.classes().iter().enumerate() {
                let cycle = solution.response[c] + own.think_time_s;
                let users = f64::from(own.population);
                assert!((solution.throughput[c] * cycle / users - 1.0).abs() < 1e-9, "{index}");
            }
        }
    }
}
