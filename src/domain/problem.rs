//! What is wrong with an input, as data. The sentence for it is made in `report::words`.

/// One thing wrong at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// JSON pointer of the field.
    pub pointer: String,
    /// What was given, shortened; `None` when nothing was.
    pub value: Option<String>,
    pub kind: ProblemKind,
}

/// Why a value is refused, with what would be allowed.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemKind {
    Missing,
    OutOfRange {
        min: Option<f64>,
        max: Option<f64>,
    },
    NotWhole,
    NotANumber,
    /// Digits in quotation marks, or another text, where a number belongs.
    TextForNumber,
    /// Something of another shape was expected: `yes or no`, `a text`, `a list`, `an object`.
    NotA(&'static str),
    /// Blank, too long, or with characters that are not seen.
    NotAName,
    NotAnId,
    NotARange,
    Length {
        min: Option<u64>,
        max: Option<u64>,
    },
    UnknownField {
        allowed: Vec<String>,
    },
    NotOneOf {
        allowed: Vec<String>,
    },
    Duplicate,
    /// The LUNs of a pool hold more than the pool gives.
    LunsExceedPool {
        luns_gib: f64,
        pool_gib: f64,
    },
    /// The RAID level cannot be made of so many disks.
    RaidDisks {
        raid: &'static str,
        least: u32,
        even: bool,
    },
    /// Flash has no rule of thumb: a figure or a measurement is needed.
    NeedsIops,
    /// More than the hypervisor allows one VM.
    OverHypervisorLimit {
        limit: f64,
        model: String,
    },
    /// The VM's vCPUs cannot carry the load it is said to have.
    CpuBeyondVcpus {
        busy_cores: f64,
        needed: u32,
    },
    SpareNotBelowCount {
        count: u32,
    },
    /// Think time without users, or users without think time.
    Needs {
        other: &'static str,
    },
    /// No VM of that kind is in the unit.
    NeedsKind {
        kind: &'static str,
    },
    /// Exactly one of some fields has to be there.
    OneOfThese {
        fields: Vec<String>,
    },
    /// U = X·(R + Z) does not hold.
    LittlesLaw {
        users: f64,
        per_s: f64,
        response_ms: f64,
        think_s: f64,
        implied: f64,
    },
    /// Outstanding = IOPS × latency does not hold for a measured point.
    LittlesLawDisk {
        outstanding: f64,
        iops: f64,
        latency_ms: f64,
        implied: f64,
    },
    /// More units of something than one answer is made for.
    TooMuch {
        limit: u64,
    },
    /// Nothing more specific can be said; the parser's own words.
    Other(String),
    /// The list was cut here.
    AndMore,
}

impl Problem {
    /// Longest value that is shown; the rest is cut.
    const SHOWN: usize = 60;

    pub fn new(pointer: impl Into<String>, value: Option<String>, kind: ProblemKind) -> Self {
        let shorten = |v: String| match v.char_indices().nth(Self::SHOWN) {
            Some((cut, _)) => format!("{}…", &v[..cut]),
            None => v,
        };
        Self { pointer: pointer.into(), value: value.map(shorten), kind }
    }
}
