//! The program: everything it does stands in [`vmfit::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    vmfit::cli::main()
}
