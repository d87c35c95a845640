//! Against simulation: `benches/queueing_sim.py` wrote the fixture.

use super::{class, network, station};
use crate::engine::queueing::StationKind::{MultiServer, Queueing};
use crate::engine::queueing::mva::{exact, linearizer};
use crate::engine::queueing::*;

const FIXTURE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/queueing/simulated.json"));

/// A simulated mean is 95 % within its half width; over all means, none should be twice as far.
const HALF_WIDTHS: f64 = 2.0;

/// The objects of the list `name`, as text; the fixture holds one object or number a line.
fn list(name: &str) -> Vec<String> {
    let start = FIXTURE.find(&format!("\"{name}\": [")).expect("fixture has the list");
    let (mut depth, mut objects, mut current) = (0, Vec::new(), String::new());
    for symbol in FIXTURE[start..].chars().skip_while(|&c| c != '[').skip(1) {
        match symbol {
            '{' => depth += 1,
            ']' if depth == 0 => break,
            _ => {}
        }
        if depth > 0 {
            current.push(symbol);
        }
        if symbol == '}' {
            depth -= 1;
            if depth == 0 {
                objects.push(std::mem::take(&mut current));
            }
        }
    }
    objects
}

/// Every number under `key`, in order.
fn numbers(object: &str, key: &str) -> Vec<f64> {
    let marker = format!("\"{key}\":");
    object
        .match_indices(&marker)
        .map(|(at, _)| {
            let value = object[at + marker.len()..].split([',', '}', '\n']).next().unwrap_or("");
            value.trim().parse().expect("fixture holds numbers")
        })
        .collect()
}

#[track_caller]
fn near(computed: f64, mean: f64, half_width: f64, what: &str) {
    let distance = (computed - mean).abs() / half_width;
    println!("{what}: {computed:.5} simulated {mean} ± {half_width}, {distance:.2} half widths");
    assert!(distance < HALF_WIDTHS, "{what}: {computed} against {mean} ± {half_width}");
}

#[test]
fn open_queues() {
    let cases = list("open");
    assert!(cases.len() >= 5);
    for case in cases {
        let one = |key: &str| numbers(&case, key)[0];
        let queue = mmc(one("arrival_rate"), one("service_time_s"), one("servers") as u32);
        near(queue.expect("stable").response_s, one("mean"), one("half_width"), "M/M/c response");
    }
}

#[test]
fn closed_networks() {
    let cases = list("closed");
    assert!(cases.len() >= 5);
    for case in cases {
        let servers = numbers(&case, "servers")[0] as u32;
        let visits = numbers(&case, "disk_visits");
        let cpu = vec![numbers(&case, "cpu_s")[0]; visits.len()];
        let disk: Vec<f64> = visits.iter().map(|v| v * numbers(&case, "disk_s")[0]).collect();
        let users = numbers(&case, "population");
        let think = numbers(&case, "think_time_s");
        let classes = users.iter().zip(&think).map(|(&n, &z)| class(n as u32, z)).collect();
        let stations = vec![station(MultiServer(servers), &cpu), station(Queueing, &disk)];
        let closed = network(stations, classes);
        let solution = exact(&closed).expect("small");
        let estimate = linearizer(&closed).expect("settles");
        for (c, mean) in numbers(&case, "mean").into_iter().enumerate() {
            let half_width = numbers(&case, "half_width")[c];
            near(solution.throughput[c], mean, half_width, "closed throughput");
            assert!((estimate.throughput[c] / mean - 1.0).abs() < 0.02 + half_width / mean);
        }
    }
}
