//! The modes by name, as `vmfit bench list` and the page show them.

use serde::Serialize;
use utoipa::ToSchema;

use super::result::Better;

/// A mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ModeInfo {
    pub name: &'static str,
    /// What an event is.
    pub event: &'static str,
    pub better: Better,
    /// What it tells about a machine.
    pub tells: &'static str,
}

const fn mode(name: &'static str, event: &'static str, better: Better, tells: &'static str) -> ModeInfo {
    ModeInfo { name, event, better, tells }
}

/// Every mode, in the order in which it is offered.
pub const MODES: [ModeInfo; 12] = [
    mode(
        "cpu",
        "primes up to a limit by trial division",
        Better::Higher,
        "integer speed of a core; compares with sysbench",
    ),
    mode(
        "threads",
        "1000 times lock, yield, unlock",
        Better::Higher,
        "cost of switching threads; compares with sysbench",
    ),
    mode("mutex", "a thread's share of many short locks", Better::Lower, "cost of locks; compares with sysbench"),
    mode("memory", "a block read or written", Better::Higher, "bandwidth of caches and memory; compares with sysbench"),
    mode("fileio", "an I/O", Better::Higher, "IOPS, throughput and latency of a disk; compares with fio and IOMeter"),
    mode("jbb", "a business transaction in memory", Better::Higher, "processor, memory and scheduler together"),
    mode("oltp", "a database transaction", Better::Higher, "a database server under short transactions"),
    mode("report", "a long query", Better::Lower, "a database server under reports"),
    mode("dbops", "a maintenance operation", Better::Higher, "backup, restore and checks of a database"),
    mode("network", "a block sent", Better::Higher, "throughput between two machines, CPU of both"),
    mode("empty", "nothing", Better::Higher, "what the program itself costs for each event"),
    mode("suite", "several modes", Better::Higher, "a profile: sql, biztalk, quick"),
];
