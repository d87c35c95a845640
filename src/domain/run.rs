//! A benchmark that a server is asked to run on its own machine.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use validator::Validate;

use super::choice::choice;
use super::input::whole_number;
use super::problem::{Problem, ProblemKind};
use super::read::{Refused, in_order, read, were_cut};
use super::units::MIB_PER_GIB;

choice! {
    /// What is loaded. Databases and networks are measured by the command, because a server must not connect wherever a
    /// client says.
    RunMode { Cpu = "cpu", Threads = "threads", Mutex = "mutex", Memory = "memory", FileIo = "fileio", Jbb = "jbb" }
}

choice! {
    /// What is done to the memory.
    MemoryOperation { Read = "read", Write = "write" }
}

choice! {
    /// Order of the places.
    MemoryAccess { Sequential = "seq", Random = "rnd" }
}

/// Longest run with all its windows, s: those who come after wait for it.
pub const MOST_RUN_S: f64 = 3600.0;
const MOST_OUTSTANDING: u64 = 8;

/// A benchmark to start, as it is sent. Left out, an option has the command's default; options are those of the command.
#[derive(Clone, Debug, Default, Deserialize, Serialize, ToSchema, Validate)]
#[serde(deny_unknown_fields)]
#[schema(as = BenchmarkRun)]
pub struct RunInput {
    #[validate(required)]
    #[schema(required, nullable = false)]
    pub mode: Option<RunMode>,
    /// Threads of the load; of fileio the workers. Default: 1.
    #[validate(range(min = 1.0, max = 256.0), custom(function = whole_number))]
    pub threads: Option<f64>,
    /// Measured time of a window. Default: 10.
    #[validate(range(min = 0.1, max = 600.0))]
    pub time_s: Option<f64>,
    /// Load before it that is not counted. Default: 1.
    #[validate(range(min = 0.0, max = 60.0))]
    pub warmup_s: Option<f64>,
    /// Windows, for an interval of the mean. Default: 1.
    #[validate(range(min = 1.0, max = 20.0), custom(function = whole_number))]
    pub repeat: Option<f64>,
    /// cpu: numbers below this are tested. Default: 10,000.
    #[validate(range(min = 4.0, max = 1e6), custom(function = whole_number))]
    pub cpu_max_prime: Option<f64>,
    /// threads: times that an event gives the processor away. Default: 1,000.
    #[validate(range(min = 1.0, max = 1e6), custom(function = whole_number))]
    pub yields: Option<f64>,
    /// threads: locks, 8 by default. mutex: locks of each thread, 50,000 by default.
    #[validate(range(min = 1.0, max = 1e6), custom(function = whole_number))]
    pub locks: Option<f64>,
    /// mutex: mutexes. Default: 4,096.
    #[validate(range(min = 1.0, max = 1e6), custom(function = whole_number))]
    pub mutexes: Option<f64>,
    /// mutex: what a thread counts to before each lock. Default: 10,000.
    #[validate(range(min = 0.0, max = 1e6), custom(function = whole_number))]
    pub loops: Option<f64>,
    /// memory: size of a block, 1,024 by default. fileio: size of an I/O, 8 by default.
    #[validate(range(min = 1.0, max = 65_536.0), custom(function = whole_number))]
    pub block_kib: Option<f64>,
    /// memory. Default: read.
    pub operation: Option<MemoryOperation>,
    /// memory. Default: seq.
    pub access: Option<MemoryAccess>,
    /// fileio: size of the test file. Default: 1.
    #[validate(range(min = 0.01, max = 1024.0))]
    pub size_gib: Option<f64>,
    /// fileio: share of reads. Default: 67.
    #[validate(range(min = 0.0, max = 100.0), custom(function = whole_number))]
    pub read_percent: Option<f64>,
    /// fileio: share of I/Os at random places. Default: 100.
    #[validate(range(min = 0.0, max = 100.0), custom(function = whole_number))]
    pub random_percent: Option<f64>,
    /// fileio: I/Os of each worker in flight; several make a curve of IOPS against latency. Default: 1.
    #[validate(length(min = 1, max = MOST_OUTSTANDING))]
    pub outstanding: Option<Vec<f64>>,
    /// fileio: through the system's cache. Default: no.
    pub cached: Option<bool>,
    /// jbb: warehouses. Default: the logical processors.
    #[validate(range(min = 1.0, max = 64.0), custom(function = whole_number))]
    pub warehouses: Option<f64>,
}

/// A benchmark that can be started.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub threads: u32,
    pub time_s: f64,
    pub warmup_s: f64,
    pub repeat: u32,
    pub load: Load,
}

/// The load with its options.
#[derive(Clone, Debug, PartialEq)]
pub enum Load {
    Cpu {
        max_prime: u32,
    },
    Threads {
        yields: u32,
        locks: u32,
    },
    Mutex {
        mutexes: u32,
        locks: u32,
        loops: u32,
    },
    Memory {
        block_kib: u32,
        operation: MemoryOperation,
        access: MemoryAccess,
    },
    FileIo {
        size_mib: u64,
        block_kib: u32,
        read_percent: u32,
        random_percent: u32,
        outstanding: Vec<u32>,
        cached: bool,
    },
    Jbb {
        warehouses: Option<u32>,
    },
}

impl Load {
    pub const fn mode(&self) -> RunMode {
        match self {
            Self::Cpu { .. } => RunMode::Cpu,
            Self::Threads { .. } => RunMode::Threads,
            Self::Mutex { .. } => RunMode::Mutex,
            Self::Memory { .. } => RunMode::Memory,
            Self::FileIo { .. } => RunMode::FileIo,
            Self::Jbb { .. } => RunMode::Jbb,
        }
    }
}

/// A run from JSON.
///
/// # Errors
/// All problems at once.
pub fn parse_run(bytes: &[u8]) -> Result<Run, Refused> {
    let (input, mut problems) = read::<RunInput>(bytes)?;
    if were_cut(&problems) {
        return Err(Refused::Problems(problems));
    }
    let run = check(&input, &mut problems);
    match run {
        Some(run) if problems.is_empty() => Ok(run),
        _ => Err(Refused::Problems(in_order(problems))),
    }
}

fn check(input: &RunInput, problems: &mut Vec<Problem>) -> Option<Run> {
    let whole = |value: Option<f64>, default: u32| value.map_or(default, |value| value as u32);
    let mode = input.mode?;
    for (name, given, modes) in options(input) {
        if given && !modes.contains(&mode) {
            let allowed = options(input).into_iter().filter(|(_, _, modes)| modes.contains(&mode));
            let common = ["mode", "threads", "time_s", "warmup_s", "repeat"].map(str::to_owned);
            let allowed = common.into_iter().chain(allowed.map(|(name, ..)| name.to_owned())).collect();
            problems.push(Problem::new(format!("/{name}"), None, ProblemKind::UnknownField { allowed }));
        }
    }
    for (index, outstanding) in input.outstanding.iter().flatten().enumerate() {
        if !(1.0..=256.0).contains(outstanding) || outstanding.fract() != 0.0 {
            let kind = ProblemKind::OutOfRange { min: Some(1.0), max: Some(256.0) };
            problems.push(Problem::new(format!("/outstanding/{index}"), Some(outstanding.to_string()), kind));
        }
    }
    let (time_s, warmup_s, repeat) =
        (input.time_s.unwrap_or(10.0), input.warmup_s.unwrap_or(1.0), whole(input.repeat, 1));
    let load = match mode {
        RunMode::Cpu => Load::Cpu { max_prime: whole(input.cpu_max_prime, 10_000) },
        RunMode::Threads => Load::Threads { yields: whole(input.yields, 1000), locks: whole(input.locks, 8) },
        RunMode::Mutex => Load::Mutex {
            mutexes: whole(input.mutexes, 4096),
            locks: whole(input.locks, 50_000),
            loops: whole(input.loops, 10_000),
        },
        RunMode::Memory => Load::Memory {
            block_kib: whole(input.block_kib, 1024),
            operation: input.operation.unwrap_or(MemoryOperation::Read),
            access: input.access.unwrap_or(MemoryAccess::Sequential),
        },
        RunMode::FileIo => Load::FileIo {
            size_mib: (input.size_gib.unwrap_or(1.0) * MIB_PER_GIB).round() as u64,
            block_kib: whole(input.block_kib, 8),
            read_percent: whole(input.read_percent, 67),
            random_percent: whole(input.random_percent, 100),
            outstanding: input.outstanding.as_ref().map_or(vec![1], |all| all.iter().map(|one| *one as u32).collect()),
            cached: input.cached.unwrap_or(false),
        },
        RunMode::Jbb => Load::Jbb { warehouses: input.warehouses.map(|count| count as u32) },
    };
    let windows = match &load {
        Load::FileIo { outstanding, .. } => outstanding.len(),
        // Points from 1 to 2N.
        Load::Jbb { warehouses } => 2 * warehouses.unwrap_or(4) as usize,
        _ => 1,
    };
    let all_s = (time_s + warmup_s) * f64::from(repeat) * windows as f64;
    if all_s > MOST_RUN_S {
        let told = format!("all windows together would take {all_s:.0} s; {MOST_RUN_S} s at most");
        problems.push(Problem::new("/time_s", Some(time_s.to_string()), ProblemKind::Other(told)));
    }
    Some(Run { threads: whole(input.threads, 1), time_s, warmup_s, repeat, load })
}

/// Options that belong to some modes only: the name, whether it is given, and the modes.
fn options(input: &RunInput) -> [(&'static str, bool, &'static [RunMode]); 14] {
    use RunMode::{Cpu, FileIo, Jbb, Memory, Mutex, Threads};
    [
        ("cpu_max_prime", input.cpu_max_prime.is_some(), &[Cpu]),
        ("yields", input.yields.is_some(), &[Threads]),
        ("locks", input.locks.is_some(), &[Threads, Mutex]),
        ("mutexes", input.mutexes.is_some(), &[Mutex]),
        ("loops", input.loops.is_some(), &[Mutex]),
        ("block_kib", input.block_kib.is_some(), &[Memory, FileIo]),
        ("operation", input.operation.is_some(), &[Memory]),
        ("access", input.access.is_some(), &[Memory]),
        ("size_gib", input.size_gib.is_some(), &[FileIo]),
        ("read_percent", input.read_percent.is_some(), &[FileIo]),
        ("random_percent", input.random_percent.is_some(), &[FileIo]),
        ("outstanding", input.outstanding.is_some(), &[FileIo]),
        ("cached", input.cached.is_some(), &[FileIo]),
        ("warehouses", input.warehouses.is_some(), &[Jbb]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(json: &str) -> Vec<String> {
        match parse_run(json.as_bytes()) {
            Err(Refused::Problems(problems)) => problems.into_iter().map(|problem| problem.pointer).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_is_left_out_has_the_commands_default() {
        let run = parse_run(br#"{"mode":"cpu"}"#).unwrap();
        assert_eq!((run.threads, run.time_s, run.warmup_s, run.repeat), (1, 10.0, 1.0, 1));
        assert_eq!(run.load, Load::Cpu { max_prime: 10_000 });
        let run = parse_run(br#"{"mode":"fileio","size_gib":0.5,"outstanding":[1,8]}"#).unwrap();
        let Load::FileIo { size_mib, outstanding, read_percent, .. } = run.load else { panic!() };
        assert_eq!((size_mib, outstanding, read_percent), (512, vec![1, 8], 67));
    }

    #[test]
    fn every_mistake_is_told_at_once() {
        let all = r#"{"mode":"cpu","threads":0,"time_s":1e9,"yields":3,"size_gib":1,"path":"/etc"}"#;
        assert_eq!(refused(all), ["/path", "/size_gib", "/threads", "/time_s", "/yields"]);
        assert_eq!(refused(r#"{"mode":"oltp"}"#), ["/mode"]);
        assert_eq!(refused("{}"), ["/mode"]);
        let both = r#"{"mode":"fileio","threads":0,"outstanding":[1,"x",{},"y"]}"#;
        assert_eq!(refused(both), ["/outstanding/1", "/outstanding/2", "/outstanding/3", "/threads"]);
        assert_eq!(refused(r#"{"mode":"fileio","outstanding":[0,1.5,8]}"#), ["/outstanding/0", "/outstanding/1"]);
        assert_eq!(refused(r#"{"mode":"cpu","time_s":600,"repeat":20}"#), ["/time_s"]);
    }
}
