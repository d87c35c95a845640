//! What differs by operating system, one file a system. Each file has the same functions; what a system does not tell is
//! `None`.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

#[cfg(not(any(target_os = "linux", windows)))]
mod other;
#[cfg(not(any(target_os = "linux", windows)))]
use other as system;

pub use system::{
    create_test_file, describe, forget_name, free_space, machine_usage, network_bytes, storage_device, thread_usage,
    yield_now,
};
#[cfg(not(windows))]
mod positioned;
#[cfg(not(windows))]
pub use positioned::{read_exact_at, write_all_at};
#[cfg(windows)]
pub use windows::{read_exact_at, write_all_at};

/// What a thread used since it began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadUsage {
    pub cpu_ns: Option<u64>,
    /// Time for which it could run and had no processor.
    pub waiting_ns: Option<u64>,
    pub involuntary_switches: Option<u64>,
}

impl ThreadUsage {
    /// What was used between an earlier look and this one.
    pub fn since(&self, earlier: &Self) -> Self {
        let less = |now: Option<u64>, then: Option<u64>| Some(now?.saturating_sub(then?));
        Self {
            cpu_ns: less(self.cpu_ns, earlier.cpu_ns),
            waiting_ns: less(self.waiting_ns, earlier.waiting_ns),
            involuntary_switches: less(self.involuntary_switches, earlier.involuntary_switches),
        }
    }
}

/// What the machine and this program used since they began, s.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MachineUsage {
    pub wall_s: f64,
    /// Time of all processors together.
    pub processors_s: Option<f64>,
    pub busy_s: Option<f64>,
    pub steal_s: Option<f64>,
    pub own_cpu_s: Option<f64>,
    pub involuntary_switches: Option<u64>,
    /// Time in which some task waited (pressure stall information).
    pub cpu_pressure_s: Option<f64>,
    pub io_pressure_s: Option<f64>,
    pub memory_pressure_s: Option<f64>,
}

impl MachineUsage {
    /// What was used between an earlier look and this one.
    pub fn since(&self, earlier: &Self) -> Self {
        let less = |now: Option<f64>, then: Option<f64>| Some((now? - then?).max(0.0));
        Self {
            wall_s: self.wall_s - earlier.wall_s,
            processors_s: less(self.processors_s, earlier.processors_s).filter(|&s| s > 0.0),
            busy_s: less(self.busy_s, earlier.busy_s),
            steal_s: less(self.steal_s, earlier.steal_s),
            own_cpu_s: less(self.own_cpu_s, earlier.own_cpu_s),
            involuntary_switches: self
                .involuntary_switches
                .zip(earlier.involuntary_switches)
                .map(|(now, then)| now.saturating_sub(then)),
            cpu_pressure_s: less(self.cpu_pressure_s, earlier.cpu_pressure_s),
            io_pressure_s: less(self.io_pressure_s, earlier.io_pressure_s),
            memory_pressure_s: less(self.memory_pressure_s, earlier.memory_pressure_s),
        }
    }
}

/// Logical processors that the program may use; 1 where the system does not tell.
pub fn usable_processors() -> u32 {
    std::thread::available_parallelism().map_or(1, |n| u32::try_from(n.get()).unwrap_or(u32::MAX))
}

/// Bytes that passed the network interfaces since they came up, headers and repeats included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkBytes {
    pub sent: u64,
    pub received: u64,
}
