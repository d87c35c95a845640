//! What one answer costs, step by step: `bench-answer SCENARIO.json [ROUNDS]` prints the median time of reading, sizing,
//! wording and writing it in microseconds, and the size of the JSON.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a measurement fails by panicking")]

use std::hint::black_box;
use std::time::Instant;

use vmfit::domain::{ModelCatalog, parse_scenario};
use vmfit::engine::Sizing;
use vmfit::report::{Options, answer_from};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    let mut args = std::env::args().skip(1);
    let bytes = std::fs::read(args.next().expect("a scenario")).expect("a file");
    let rounds: usize = args.next().map_or(2001, |text| text.parse().unwrap());
    let mut steps: [Vec<f64>; 5] = Default::default();
    let mut length = 0;
    for _ in 0..rounds {
        let mut note = |step: usize, began: Instant| steps[step].push(began.elapsed().as_secs_f64() * 1e6);
        let began = Instant::now();
        let scenario = black_box(parse_scenario(&bytes, ModelCatalog::built_in()).expect("a valid scenario"));
        note(0, began);
        let began = Instant::now();
        let sizing = black_box(Sizing::new(&scenario));
        note(1, began);
        let began = Instant::now();
        let outcome = black_box(sizing.plain_outcome());
        note(2, began);
        let began = Instant::now();
        let answer = black_box(answer_from(&scenario, &outcome, Options::default()));
        note(3, began);
        let began = Instant::now();
        let mut body = Vec::with_capacity(12 << 10);
        sonic_rs::to_writer(&mut body, &answer).expect("JSON");
        length = black_box(body).len();
        note(4, began);
    }
    for (name, times) in ["read", "prepare", "size", "words", "write"].iter().zip(&mut steps) {
        times.sort_by(f64::total_cmp);
        println!("{name:8} {:8.1} µs", times[times.len() / 2]);
    }
    println!("JSON     {length:8} bytes");
}
