//! The commands, as a person or a script runs them.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

mod bench;
mod calibrate;
mod import;
mod report;
mod serve;
mod size;
mod usage;

pub const EXAMPLE_FILE: &str = "fixtures/scenarios/example-dl580.json";

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_vmfit"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    for variable in
        ["VMFIT_LISTEN", "VMFIT_DATABASE", "VMFIT_ALLOW_ANONYMOUS", "VMFIT_ALLOW_HOSTS", "NO_COLOR", "RUST_LOG"]
    {
        command.env_remove(variable);
    }
    command
}

pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().expect("ended by itself"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn run(arguments: &[&str]) -> Ran {
    command(arguments).stdin(Stdio::null()).output().unwrap().into()
}

/// With this on standard input.
pub fn run_with(arguments: &[&str], input: &[u8]) -> Ran {
    let mut child =
        command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The program may stop reading early.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap().into()
}

pub fn files_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
