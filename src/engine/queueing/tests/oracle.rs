use crate::engine::queueing::mva::*;
use crate::engine::queueing::*;
use StationKind::*;
struct R(u64);
impl R {
    fn u(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64) / ((1u64 << 53) as f64)
    }
}
#[test]
fn explore() {
    for (name, classes, pop, types) in [
        ("8x50/2", 8usize, 50u32, 2usize),
        ("5x5/5", 5, 5, 5),
        ("1x50", 1, 50, 1),
        ("3x20", 3, 20, 3),
        ("2x20", 2usize, 20u32, 2usize),
    ] {
        let mut worst = (0.0f64, 0.0f64);
        let mut bsw = (0.0f64, 0.0f64);
        let mut tex = 0.0;
        let mut tli = 0.0;
        let mut wm = 0;
        let mut cnt = 0;
        let t0 = std::time::Instant::now();
        let reps = if types == 3 && classes == 8 {
            1
        } else if types == 8 {
            2
        } else {
            if classes == 8 { 8 } else { 20 }
        };
        for seed in 0..reps {
            for think in [0.0, 0.2, 1.0, 5.0] {
                for m in [1u32, 4, 16, 64] {
                    if reps < 3 && m > 16 {
                        continue;
                    }
                    let mut r = R(seed * 77 + 5);
                    for _ in 0..5 {
                        r.u();
                    }
                    let base: Vec<Vec<f64>> = (0..types)
                        .map(|_| (0..6).map(|k| (0.001 + 0.02 * r.u()) * if k == 0 { m as f64 } else { 1.0 }).collect())
                        .collect();
                    let z: Vec<f64> = (0..types).map(|_| think * (0.5 + r.u())).collect();
                    let st: Vec<Station> = (0..6)
                        .map(|k| Station {
                            kind: if k == 0 {
                                MultiServer(m)
                            } else if k == 5 {
                                Delay
                            } else {
                                Queueing
                            },
                            demand_s: (0..classes).map(|c| base[c % types][k]).collect(),
                        })
                        .collect();
                    let cl: Vec<Class> =
                        (0..classes).map(|c| Class { population: pop, think_time_s: z[c % types] }).collect();
                    let net = ClosedNetwork::new(st, cl).unwrap();
                    // merged by hand for the exact
                    let st2: Vec<Station> = (0..6)
                        .map(|k| Station {
                            kind: net.stations()[k].kind,
                            demand_s: (0..types).map(|c| base[c][k]).collect(),
                        })
                        .collect();
                    let cl2: Vec<Class> = (0..types)
                        .map(|t| Class {
                            population: (0..classes).filter(|c| c % types == t).count() as u32 * pop,
                            think_time_s: z[t],
                        })
                        .collect();
                    let net2 = ClosedNetwork::new(st2, cl2).unwrap();
                    let t = std::time::Instant::now();
                    let e = match exact(&net2) {
                        Ok(e) => e,
                        Err(e) => {
                            println!("{e}");
                            continue;
                        }
                    };
                    tex += t.elapsed().as_secs_f64();
                    let t = std::time::Instant::now();
                    let a = linearizer(&net);
                    tli += t.elapsed().as_secs_f64();
                    let a = match a {
                        Ok(a) => a,
                        Err(e) => {
                            println!("{name} m{m} z{think} {e}");
                            continue;
                        }
                    };
                    let b = schweitzer(&net).unwrap();
                    cnt += 1;
                    for c in 0..types {
                        let share = 1.0 / ((0..classes).filter(|x| x % types == c).count() as f64);
                        let ex = e.throughput[c] * share;
                        let dx = (a.throughput[c] / ex - 1.0).abs();
                        let dr = (a.response[c] / e.response[c] - 1.0).abs();
                        if dx > worst.0 {
                            worst.0 = dx;
                            wm = m;
                        }
                        if dr > worst.1 {
                            worst.1 = dr;
                            println!(
                                "seed {seed} think {think} m {m} c {c} U {:?} exact {:?} lin {:?} D {:?} R {} {}",
                                (0..6)
                                    .map(|k| format!(
                                        "{:.3}/{:.2}",
                                        e.station_utilization(k),
                                        e.station_queue_length(k)
                                    ))
                                    .collect::<Vec<_>>(),
                                e.residence[c].iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>(),
                                a.residence[c].iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>(),
                                base[c].iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>(),
                                e.response[c],
                                a.response[c]
                            );
                        }
                        bsw.0 = bsw.0.max((b.throughput[c] / ex - 1.0).abs());
                        bsw.1 = bsw.1.max((b.response[c] / e.response[c] - 1.0).abs());
                    }
                }
            }
        }
        println!(
            "{name}: n {cnt} lin X {:.3}% (m {wm}) R {:.3}%; bs X {:.3}% R {:.3}%; exact {:.2}ms lin {:.2}ms each",
            worst.0 * 100.0,
            worst.1 * 100.0,
            bsw.0 * 100.0,
            bsw.1 * 100.0,
            tex * 1e3 / cnt as f64,
            tli * 1e3 / cnt as f64
        );
    }
}
#[test]
fn timing() {
    for think in [0.0, 0.5, 5.0, 30.0, 60.0] {
        for m in [1u32, 16, 64] {
            for scale in [0.0002, 0.002] {
                let mut r = R(99);
                let st: Vec<Station> = (0..10)
                    .map(|k| Station {
                        kind: if k == 0 {
                            MultiServer(m)
                        } else if k == 9 {
                            Delay
                        } else if k < 4 {
                            MultiServer(8)
                        } else {
                            Queueing
                        },
                        demand_s: (0..64)
                            .map(|_| scale * (0.1 + r.u()) * if k == 0 { m as f64 } else { 1.0 })
                            .collect(),
                    })
                    .collect();
                let cl: Vec<Class> =
                    (0..64).map(|_| Class { population: 500, think_time_s: think * (0.5 + r.u()) }).collect();
                let net = ClosedNetwork::new(st, cl).unwrap();
                let t = std::time::Instant::now();
                let a = linearizer(&net);
                let ta = t.elapsed().as_secs_f64() * 1e3;
                let t = std::time::Instant::now();
                let b = schweitzer(&net);
                let tb = t.elapsed().as_secs_f64() * 1e3;
                let (a, b) = (
                    match a {
                        Ok(a) => a,
                        Err(e) => {
                            println!("{e}");
                            continue;
                        }
                    },
                    b.unwrap(),
                );
                let d = (0..64).map(|c| (a.response[c] / b.response[c] - 1.0).abs()).fold(0.0, f64::max);
                let u = (0..9).map(|k| a.station_utilization(k)).fold(0.0, f64::max);
                println!(
                    "think {think} m {m} scale {scale}: lin {ta:.2} ms, bs {tb:.2} ms, max dR {:.4}% U {u:.3}",
                    d * 100.0
                );
            }
        }
    }
}
