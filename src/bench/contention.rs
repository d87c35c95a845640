//! What else went on while a window was measured: the machine taken away by a hypervisor, other programs, waits for a
//! processor, gaps in time. Unknown is null, not zero.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::clock::Clock;
use super::environment;
use super::os::{self, MachineUsage, ThreadUsage};

/// What disturbed a window, or could have. Each is null where the system does not tell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Contention {
    /// Times that a thread of the load was taken off its processor although it could go on.
    pub involuntary_switches: Option<u64>,
    /// Time for which threads of the load could run and had no processor, % of their time.
    pub waiting_percent: Option<f64>,
    /// Time that the hypervisor gave to others, % of all processors; null where it does not report it.
    pub steal_percent: Option<f64>,
    /// Processor time of everything but this program, % of all processors.
    pub other_cpu_percent: Option<f64>,
    /// Share of the window in which some task waited for a processor, for I/O, for memory (pressure stall information).
    pub cpu_pressure_percent: Option<f64>,
    pub io_pressure_percent: Option<f64>,
    pub memory_pressure_percent: Option<f64>,
    /// Times that a clock watch which wakes every 10 ms woke much too late, and the longest and the sum of them.
    pub clock_gaps: Option<u64>,
    pub longest_gap_ms: Option<f64>,
    pub gaps_ms: Option<f64>,
}

/// What a load expects of the machine: what counts as disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// This many threads that never wait of their own will: each should always have a processor.
    Processors(u32),
    /// The load waits by nature, but nothing else should be busy on this machine.
    QuietMachine,
    /// Others work for the load on this machine, as a database server does.
    Shared,
}

/// Steal above this disturbs, % of all processors.
const MOST_STEAL: f64 = 1.0;
/// Threads that waited longer for a processor were disturbed, % of their time.
const MOST_WAITING: f64 = 2.0;
/// Other programs above this disturb, % of all processors.
const MOST_OTHER: f64 = 10.0;
/// Gaps above this disturb, % of the window.
const MOST_GAPS: f64 = 1.0;

impl Contention {
    /// Why the window cannot be trusted: a sentence each. Empty when nothing is known against it.
    pub fn reasons(&self, needs: Needs, duration_s: f64) -> Vec<String> {
        let mut reasons = Vec::new();
        let above = |value: Option<f64>, limit: f64| value.filter(|&v| v > limit);
        if let Some(steal) = above(self.steal_percent, MOST_STEAL) {
            reasons
                .push(format!("the hypervisor gave {steal:.1} % of the processors to others (limit {MOST_STEAL} %)"));
        }
        let fits = match needs {
            Needs::Processors(threads) => threads <= os::usable_processors(),
            _ => false,
        };
        if let Some(waiting) = above(self.waiting_percent, MOST_WAITING).filter(|_| fits) {
            reasons.push(format!("threads waited {waiting:.1} % of the time for a processor (limit {MOST_WAITING} %)"));
        }
        if let Some(other) = above(self.other_cpu_percent, MOST_OTHER).filter(|_| needs == Needs::QuietMachine) {
            reasons.push(format!("other programs used {other:.0} % of the processors (limit {MOST_OTHER} %)"));
        }
        let gaps = self.gaps_ms.map(|ms| ms / 10.0 / duration_s.max(1e-9));
        if let (Some(share), Some(longest)) = (above(gaps, MOST_GAPS), self.longest_gap_ms) {
            reasons.push(format!(
                "time stood still for {share:.1} % of the window, {longest:.0} ms at most (limit {MOST_GAPS} %)"
            ));
        }
        reasons
    }
}

/// What a watch saw between its start and its end.
#[derive(Clone, Debug, Default)]
pub struct Watched {
    pub contention: Contention,
    /// Busy share of all processors, %.
    pub cpu_percent: Option<f64>,
    /// CPU time of this program, s.
    pub cpu_s: Option<f64>,
}

/// Watches the machine during a window. Dropping it ends the watch.
pub struct Watch {
    began: Option<MachineUsage>,
    gaps: Option<GapDetector>,
}

impl Watch {
    /// Starts to watch; with a simulated clock nothing is watched.
    pub fn start(clock: &dyn Clock) -> Self {
        if !clock.is_real() {
            return Self { began: None, gaps: None };
        }
        Self { began: Some(os::machine_usage()), gaps: GapDetector::start() }
    }

    /// Forgets what was seen: the counted part begins now, after the warm-up.
    pub fn restart(&mut self) {
        if self.began.is_some() {
            self.began = Some(os::machine_usage());
        }
        if let Some(gaps) = &self.gaps {
            gaps.seen.reset();
        }
    }

    /// Ends the watch. `threads` is what the threads of the load used during the window, where there are such.
    pub fn stop(self, threads: &[ThreadUsage]) -> Watched {
        let Some(began) = self.began else { return Watched::default() };
        let used = os::machine_usage().since(&began);
        let share = |part: Option<f64>| Some(100.0 * part? / used.processors_s?);
        let pressure = |seconds: Option<f64>| Some(100.0 * seconds? / used.wall_s.max(1e-9));
        let busy = share(used.busy_s);
        let own = share(used.own_cpu_s);
        let steal = share(used.steal_s).filter(|&steal| steal > 0.0 || environment::reports_steal());
        let mut contention = Contention {
            involuntary_switches: sum(threads, |t| t.involuntary_switches).or(used.involuntary_switches),
            waiting_percent: waiting(threads),
            steal_percent: steal,
            other_cpu_percent: busy.zip(own).map(|(busy, own)| (busy - own).max(0.0)),
            cpu_pressure_percent: pressure(used.cpu_pressure_s),
            io_pressure_percent: pressure(used.io_pressure_s),
            memory_pressure_percent: pressure(used.memory_pressure_s),
            ..Contention::default()
        };
        if let Some(gaps) = self.gaps {
            let seen = &gaps.seen;
            contention.clock_gaps = Some(seen.count.load(Ordering::Relaxed));
            contention.longest_gap_ms = Some(seen.longest_us.load(Ordering::Relaxed) as f64 / 1000.0);
            contention.gaps_ms = Some(seen.sum_us.load(Ordering::Relaxed) as f64 / 1000.0);
        }
        Watched { contention, cpu_percent: busy, cpu_s: used.own_cpu_s }
    }
}

fn sum(threads: &[ThreadUsage], figure: impl Fn(&ThreadUsage) -> Option<u64>) -> Option<u64> {
    let known: Option<Vec<u64>> = threads.iter().map(figure).collect();
    known.filter(|figures| !figures.is_empty()).map(|figures| figures.iter().sum())
}

/// Waiting over running and waiting.
fn waiting(threads: &[ThreadUsage]) -> Option<f64> {
    let (waited, ran) = (sum(threads, |t| t.waiting_ns)?, sum(threads, |t| t.cpu_ns)?);
    let all = waited + ran;
    (all > 0).then(|| 100.0 * waited as f64 / all as f64)
}

/// A thread that wakes at a steady pace and notes when it woke too late: the machine was paused, or starved.
struct GapDetector {
    seen: Arc<Gaps>,
    end: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Gaps {
    count: AtomicU64,
    sum_us: AtomicU64,
    longest_us: AtomicU64,
    /// The sleep during which the counted part began says nothing.
    skip: AtomicBool,
}

impl Gaps {
    fn reset(&self) {
        self.skip.store(true, Ordering::Relaxed);
        for figure in [&self.count, &self.sum_us, &self.longest_us] {
            figure.store(0, Ordering::Relaxed);
        }
    }

    fn note(&self, late: Duration) {
        if self.skip.swap(false, Ordering::Relaxed) || late < LATE {
            return;
        }
        let late = u64::try_from(late.as_micros()).unwrap_or(u64::MAX);
        self.count.fetch_add(1, Ordering::Relaxed);
        self.sum_us.fetch_add(late, Ordering::Relaxed);
        self.longest_us.fetch_max(late, Ordering::Relaxed);
    }
}

/// Pace of the detector: rare enough not to disturb, often enough to see a pause of some scheduler slices.
const PACE: Duration = Duration::from_millis(10);

/// Waking this much too late is a gap: beyond the slices that a scheduler gives to others.
const LATE: Duration = Duration::from_millis(20);

impl GapDetector {
    fn start() -> Option<Self> {
        let seen = Arc::new(Gaps::default());
        let (end, ended) = mpsc::channel::<()>();
        let noted = Arc::clone(&seen);
        let watch = move || {
            let mut slept = Instant::now();
            while let Err(mpsc::RecvTimeoutError::Timeout) = ended.recv_timeout(PACE) {
                let woke = Instant::now();
                noted.note((woke - slept).saturating_sub(PACE));
                slept = woke;
            }
        };
        let thread = std::thread::Builder::new().name("clock watch".to_owned()).spawn(watch).ok()?;
        Some(Self { seen, end: Some(end), thread: Some(thread) })
    }
}

impl Drop for GapDetector {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // It cannot have panicked in a way that matters: its figures are in the atomics.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quiet_window_is_valid_and_unknown_is_no_reproach() {
        assert!(Contention::default().reasons(Needs::Processors(1), 1.0).is_empty());
        let quiet = Contention { steal_percent: Some(0.5), waiting_percent: Some(1.0), ..Contention::default() };
        assert!(quiet.reasons(Needs::Processors(1), 1.0).is_empty());
    }

    #[test]
    fn each_disturbance_is_told() {
        let seen = Contention {
            steal_percent: Some(3.0),
            waiting_percent: Some(9.0),
            other_cpu_percent: Some(50.0),
            gaps_ms: Some(40.0),
            longest_gap_ms: Some(40.0),
            ..Contention::default()
        };
        assert_eq!(seen.reasons(Needs::Processors(1), 1.0).len(), 3);
        assert_eq!(seen.reasons(Needs::QuietMachine, 1.0).len(), 3);
        assert_eq!(seen.reasons(Needs::Shared, 10.0).len(), 1);
    }

    /// More threads than processors wait for each other by nature.
    #[test]
    fn threads_beyond_the_processors_may_wait() {
        let seen = Contention { waiting_percent: Some(50.0), ..Contention::default() };
        assert!(seen.reasons(Needs::Processors(u32::MAX), 1.0).is_empty());
    }

    #[test]
    fn gaps_are_counted_from_the_restart_on() {
        let gaps = Gaps::default();
        gaps.note(Duration::from_millis(500));
        gaps.reset();
        gaps.note(Duration::from_millis(500));
        gaps.note(Duration::from_millis(1));
        gaps.note(Duration::from_millis(30));
        assert_eq!(gaps.count.load(Ordering::Relaxed), 1);
        assert_eq!(gaps.longest_us.load(Ordering::Relaxed), 30_000);
    }

    #[test]
    fn waiting_is_a_share_of_running_and_waiting() {
        let thread = ThreadUsage { cpu_ns: Some(300), waiting_ns: Some(100), ..ThreadUsage::default() };
        assert_eq!(waiting(&[thread.clone(), thread]), Some(25.0));
        assert_eq!(waiting(&[ThreadUsage::default()]), None);
        assert_eq!(waiting(&[]), None);
    }
}
