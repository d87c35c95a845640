//! Calibration on machines whose costs are known.

use super::loads::{Load, Work, fit};
use super::observation::Observation;
use super::{Conditions, Sizes, calibrate};

/// A source of numbers that gives the same ones everywhere.
struct Dice(fastrand::Rng);

impl Dice {
    fn exponential(&mut self, mean: f64) -> f64 {
        -libm::log(1.0 - self.0.f64()) * mean
    }

    fn normal(&mut self) -> f64 {
        // Box and Muller (1958).
        let radius = (-2.0 * libm::log(1.0 - self.0.f64())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.0.f64())
    }
}

/// A machine with a clock of its own: requests arrive at random, each takes a random time of a processor.
struct Machine {
    /// Processor seconds of a request.
    demand_s: f64,
    /// Busy processors without any request.
    fixed: f64,
    /// Relative difference from one run to the next: caches, placement, other work.
    spread: f64,
}

impl Machine {
    fn run(&self, per_s: f64, seconds: f64, dice: &mut Dice) -> Work {
        let (mut clock, mut done, mut busy) = (0.0, 0_u32, 0.0);
        let today = 1.0 + self.spread * dice.normal();
        loop {
            clock += dice.exponential(1.0 / per_s);
            if clock > seconds {
                break;
            }
            done += 1;
            busy += dice.exponential(self.demand_s * today);
        }
        Work { per_s: f64::from(done) / seconds, busy: self.fixed + busy / seconds }
    }
}

/// A guest with known costs is found within the stated intervals as often as these promise: 90 % of 1,000 trials, ± 5.
#[test]
fn intervals_hold_what_they_promise() {
    let (f, l, vcpus) = (0.03, 0.08, 4.0);
    let native = Machine { demand_s: 0.010, fixed: 0.0, spread: 0.004 };
    let guest = Machine { demand_s: native.demand_s / (1.0 - l), fixed: f * vcpus, spread: 0.004 };
    for (rates, repeats) in [
        (&[60.0, 150.0, 240.0, 330.0][..], 3),
        (&[80.0, 320.0][..], 5),
        (&[40.0, 120.0, 200.0, 260.0, 330.0, 360.0][..], 1),
    ] {
        let (mut f_inside, mut l_inside) = (0, 0);
        for seed in 0..1000 {
            let mut dice = Dice(fastrand::Rng::with_seed(seed));
            let mut works =
                |machine: &Machine, rate: f64| (0..repeats).map(|_| machine.run(rate, 12.0, &mut dice)).collect();
            let loads: Vec<Load> = rates
                .iter()
                .map(|&rate| Load {
                    name: rate.to_string(),
                    native: works(&native, rate),
                    guest: works(&guest, rate),
                    half_digits: None,
                })
                .collect();
            let found = fit("oltp", &loads, 4.0, vcpus).expect("loads");
            let fixed = found.fixed_per_vcpu.expect("several loads");
            f_inside += u32::from(fixed.low <= f && f <= fixed.high);
            l_inside += u32::from(found.loss.low <= l && l <= found.loss.high);
        }
        println!("{rates:?} × {repeats}: f inside {f_inside}, l inside {l_inside} of 1000");
        for inside in [f_inside, l_inside] {
            assert!((850..=950).contains(&inside), "{rates:?} × {repeats}: {inside} of 1000 inside");
        }
    }
}

fn saturated(mode: &str, per_s: f64) -> Observation {
    let conditions = Conditions { mode: mode.into(), tool: "t".into(), threads: Some(4.0), ..Conditions::default() };
    Observation { conditions, per_s: Some(per_s), ..Observation::default() }
}

const SIZES: Sizes = Sizes { processors: 4.0, vcpus: 4.0 };

#[test]
fn the_loss_of_repeats_is_inside_as_often_as_promised() {
    let mut inside = 0;
    for seed in 0..1000 {
        let mut dice = Dice(fastrand::Rng::with_seed(seed));
        let mut runs =
            |rate: f64| (0..4).map(|_| saturated("cpu", rate * (1.0 + 0.02 * dice.normal()))).collect::<Vec<_>>();
        let (native, guest) = (runs(1000.0), runs(920.0));
        let loss = calibrate(&native, &guest, SIZES).expect("a pair").cpu_loss.expect("a loss");
        inside += u32::from(loss.low <= 0.08 && 0.08 <= loss.high);
    }
    println!("loss of four repeats: {inside} of 1000 inside");
    assert!((850..=950).contains(&inside), "{inside} of 1000 inside");
}

#[test]
fn one_pair_gives_the_loss_alone() {
    let found = calibrate(&[saturated("cpu", 100.0)], &[saturated("cpu", 95.0)], SIZES).expect("a pair");
    assert!(found.loss_alone());
    assert!((found.cpu_loss.expect("a loss").likely - 0.05).abs() < 1e-12);
}

#[test]
fn pairs_that_differ_are_refused_by_name() {
    let native = saturated("cpu", 100.0);
    let mut guest = saturated("cpu", 95.0);
    guest.conditions.threads = Some(8.0);
    let refused = calibrate(std::slice::from_ref(&native), &[guest], SIZES).expect_err("threads differ");
    assert_eq!(refused[0].differences[0].to_string(), "threads: 4 natively, 8 in the guest");
    let refused = calibrate(&[native], &[saturated("memory", 1.0)], SIZES).expect_err("modes differ");
    assert!(refused[0].differences.is_empty());
}

#[test]
fn a_disk_gives_loss_and_added_latency() {
    let disk = |iops, read_ms, write_ms| Observation {
        conditions: Conditions { mode: "fileio".into(), ..Conditions::default() },
        iops: Some(iops),
        read_ms: Some(read_ms),
        write_ms: Some(write_ms),
        ..Observation::default()
    };
    // "System resource costs on Hyper-V", IOMeter table.
    let found = calibrate(&[disk(269.73, 5.4066, 0.2544)], &[disk(250.47, 5.7797, 0.3716)], SIZES).expect("a pair");
    let near =
        |estimate: Option<super::Estimate>, wanted: f64| (estimate.expect("an estimate").likely - wanted).abs() < 1e-4;
    assert!(near(found.disk_loss, 0.0714) && near(found.read_added_ms, 0.3731) && near(found.write_added_ms, 0.1172));
    assert!(found.cpu_loss.is_none());
}

#[test]
fn a_new_machine_is_rated_by_every_mode() {
    let rated = super::rating::rate(
        &[saturated("cpu", 100.0), saturated("memory", 200.0), saturated("oltp", 50.0)],
        &[saturated("cpu", 200.0), saturated("memory", 300.0), saturated("oltp", 500.0)],
    )
    .expect("two modes");
    assert!((rated.rating.likely - (2.0_f64 * 1.5).sqrt()).abs() < 1e-12);
    assert_eq!(rated.modes.len(), 2, "a database is not a core");
}

/// A benchmark that keeps its processors busy has the same CPU % on both sides at every number of threads: its rate tells
/// the loss, and no fixed cost can be read from it.
#[test]
fn busy_processors_are_no_load() {
    let run = |threads: f64, rate: f64| {
        let mut run = saturated("cpu", rate);
        run.conditions.threads = Some(threads);
        run.busy = Some(threads);
        run
    };
    let native = [run(1.0, 100.0), run(2.0, 200.0), run(4.0, 400.0)];
    let guest = [run(1.0, 95.0), run(2.0, 190.0), run(4.0, 380.0)];
    let found = calibrate(&native, &guest, SIZES).expect("pairs");
    assert!(found.loads.is_none() && found.loss_alone());
    assert!((found.cpu_loss.expect("a loss").likely - 0.05).abs() < 1e-12);
}
