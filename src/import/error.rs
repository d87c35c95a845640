//! Why a file could not be imported: one sentence that names what, where and what is allowed.

/// Why nothing could be made of a file.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the file is empty")]
    Empty,
    #[error("no format was recognized; allowed: {allowed}")]
    Unrecognized { allowed: String },
    #[error("'{name}' is no format; allowed: {allowed}")]
    UnknownFormat { name: String, allowed: String },
    #[error("not a {format} result: {why}")]
    NotThat { format: &'static str, why: String },
    #[error("binary data, not a text: a zero byte at position {position}")]
    Binary { position: u64 },
    #[error("line {line} is longer than {most} bytes")]
    LongLine { line: u64, most: usize },
    #[error("larger than {most} bytes, the most that is read of a {format} result")]
    TooLarge { format: &'static str, most: u64 },
    #[error("{format} result breaks off: {why}")]
    Truncated { format: &'static str, why: String },
    #[error("{what} nested deeper than {most} levels")]
    TooDeep { what: &'static str, most: usize },
    #[error("{knob}: {value} is not possible; allowed: {allowed}")]
    Knob { knob: &'static str, value: String, allowed: String },
    #[error("samples of {} machines in one file ({}); name one of them", machines.len(), machines.join(", "))]
    MixedMachines { machines: Vec<String> },
    #[error("{0}")]
    Read(#[from] std::io::Error),
}
