//! Times the draws of one scenario: `bench-draws SCENARIO.json [ROUNDS]` prints the median time of 4,096 draws in
//! microseconds and the distribution found. `benches/draws.sh` runs it beside the same draws in NumPy.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement fails by panicking")]

use std::time::Instant;

use vmfit::domain::{ModelCatalog, parse_scenario};
use vmfit::engine::factors::Factors;
use vmfit::engine::plan::Plan;
use vmfit::engine::{checks, fit, uncertainty};

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("a scenario");
    let rounds: usize = args.next().map_or(101, |text| text.parse().unwrap());
    let scenario = parse_scenario(&std::fs::read(path).unwrap(), ModelCatalog::built_in()).expect("a valid scenario");
    let plan = Plan::new(&scenario);
    let known = Factors::known(&scenario);
    let (checks, _) = checks::checks(&plan);
    let corners = uncertainty::corners(&plan, &known, &fit::allowed(&plan, &Factors::likely(&known), &checks));
    let mut times = Vec::new();
    let mut found = None;
    for _ in 0..rounds {
        let start = Instant::now();
        let distribution = std::hint::black_box(uncertainty::distribution(&plan, &known, &checks, corners));
        times.push(start.elapsed().as_secs_f64() * 1e6);
        found = Some(distribution);
    }
    times.sort_by(f64::total_cmp);
    let distribution = found.unwrap();
    let chances: Vec<String> = (distribution.worst..=distribution.best + 1)
        .map(|units| format!("{units}:{:.4}", distribution.at_least(units)))
        .collect();
    println!("{:.1} {} {}", times[times.len() / 2], distribution.draws, chances.join(" "));
}
