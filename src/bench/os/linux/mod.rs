//! Linux: what `/proc` and the clocks of the kernel tell.

use std::fs;

use rustix::time::{ClockId, Timespec, clock_gettime};

use super::{MachineUsage, NetworkBytes, ThreadUsage};

mod describe;
mod storage;

pub use describe::describe;
pub use storage::{create_test_file, forget_name, free_space, storage_device};

/// What the calling thread used.
pub fn thread_usage() -> ThreadUsage {
    // "time on the processor, time waiting for one, slices", ns (Documentation/scheduler/sched-stats.rst).
    let waiting = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let waiting = waiting.and_then(|text| text.split_whitespace().nth(1)?.parse().ok());
    let status = fs::read_to_string("/proc/thread-self/status").ok();
    ThreadUsage {
        cpu_ns: Some(nanos(clock_gettime(ClockId::ThreadCPUTime))),
        waiting_ns: waiting,
        involuntary_switches: status.as_deref().and_then(involuntary_switches),
    }
}

/// What passed the loopback interface, or all others.
pub fn network_bytes(loopback: bool) -> Option<NetworkBytes> {
    interface_bytes(&fs::read_to_string("/proc/net/dev").ok()?, loopback)
}

/// Lines of `/proc/net/dev`: the name, eight figures of what was received, eight of what was sent; bytes first.
fn interface_bytes(text: &str, loopback: bool) -> Option<NetworkBytes> {
    let mut sum = None;
    for (name, figures) in text.lines().filter_map(|line| line.split_once(':')) {
        if (name.trim() == "lo") != loopback {
            continue;
        }
        let figures: Vec<u64> = figures.split_whitespace().filter_map(|figure| figure.parse().ok()).collect();
        if let (Some(received), Some(sent)) = (figures.first(), figures.get(8)) {
            let sum = sum.get_or_insert_with(NetworkBytes::default);
            sum.received += received;
            sum.sent += sent;
        }
    }
    sum
}

/// Gives the processor to another thread.
#[inline]
pub fn yield_now() {
    rustix::thread::sched_yield();
}

/// What the machine and this program used.
pub fn machine_usage() -> MachineUsage {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    let cpu = processor_time(&stat);
    MachineUsage {
        wall_s: nanos(clock_gettime(ClockId::Monotonic)) as f64 / 1e9,
        processors_s: cpu.as_ref().map(|cpu| cpu.all),
        busy_s: cpu.as_ref().map(|cpu| cpu.busy),
        steal_s: cpu.as_ref().map(|cpu| cpu.steal),
        own_cpu_s: Some(nanos(clock_gettime(ClockId::ProcessCPUTime)) as f64 / 1e9),
        involuntary_switches: involuntary_switches_of_all(),
        cpu_pressure_s: pressure("cpu"),
        io_pressure_s: pressure("io"),
        memory_pressure_s: pressure("memory"),
    }
}

fn nanos(time: Timespec) -> u64 {
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}

fn involuntary_switches(status: &str) -> Option<u64> {
    status.lines().find_map(|line| line.strip_prefix("nonvoluntary_ctxt_switches:"))?.trim().parse().ok()
}

/// Over the threads that live.
fn involuntary_switches_of_all() -> Option<u64> {
    let threads = fs::read_dir("/proc/self/task").ok()?.flatten();
    let counts = threads.filter_map(|t| involuntary_switches(&fs::read_to_string(t.path().join("status")).ok()?));
    Some(counts.sum())
}

struct ProcessorTime {
    all: f64,
    busy: f64,
    steal: f64,
}

/// The kernel counts in 1/100 s whatever its own tick is (proc(5), `USER_HZ`).
const TICKS_PER_S: f64 = 100.0;

/// First line of `/proc/stat`: user, nice, system, idle, iowait, irq, softirq, steal; guest time is within user.
fn processor_time(stat: &str) -> Option<ProcessorTime> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<f64> = line.split_whitespace().take(8).filter_map(|n| n.parse().ok()).collect();
    let (idle, waiting, steal) = (*ticks.get(3)?, *ticks.get(4)?, *ticks.get(7)?);
    let all: f64 = ticks.iter().sum();
    let busy = all - idle - waiting - steal;
    Some(ProcessorTime { all: all / TICKS_PER_S, busy: busy / TICKS_PER_S, steal: steal / TICKS_PER_S })
}

/// Total of the line "some", µs (Documentation/accounting/psi.rst).
fn pressure(resource: &str) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/pressure/{resource}")).ok()?;
    let some = text.lines().find(|line| line.starts_with("some"))?;
    let total: f64 = some.split_whitespace().find_map(|word| word.strip_prefix("total="))?.parse().ok()?;
    Some(total / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_tells_idle_and_steal_apart() {
        let time = processor_time("cpu  100 0 50 800 40 0 10 200 5 0\ncpu0 1 2\n").unwrap();
        assert_eq!((time.all, time.busy, time.steal), (12.0, 1.6, 2.0));
        assert!(processor_time("").is_none());
    }

    #[test]
    fn a_thread_sees_its_own_time() {
        let before = thread_usage();
        std::hint::black_box((0..3_000_000_u64).fold(0, |sum, n| std::hint::black_box(sum ^ n)));
        assert!(thread_usage().since(&before).cpu_ns > Some(0));
    }

    #[test]
    fn interfaces_are_added_up_without_the_loopback() {
        let text = "Inter-| Receive\n face |bytes\n lo: 5 1 0 0 0 0 0 0 6 1\n eth0: 10 1 0 0 0 0 0 0 20 2\n eth1:1 1 0 0 0 0 0 0 2 2\n";
        assert_eq!(interface_bytes(text, false), Some(NetworkBytes { sent: 22, received: 11 }));
        assert_eq!(interface_bytes(text, true), Some(NetworkBytes { sent: 6, received: 5 }));
    }

    #[test]
    fn switches_are_read_from_status() {
        let status = "Name:\tx\nvoluntary_ctxt_switches:\t7\nnonvoluntary_ctxt_switches:\t42\n";
        assert_eq!(involuntary_switches(status), Some(42));
    }
}
