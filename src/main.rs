//! The program: everything it does stands in [`vmfit::cli`].

use std::process::ExitCode;

/// An answer is some hundred small texts: a faster allocator is a third of its time (`benches/api.sh`).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    vmfit::cli::main()
}
