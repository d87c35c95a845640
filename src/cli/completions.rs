//! `vmfit completions`: what a shell needs to complete the command line.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use super::error::CliError;
use super::output;

/// Print completions for a shell
#[derive(Args)]
#[command(after_help = "Examples:
  vmfit completions bash > ~/.local/share/bash-completion/completions/vmfit
  vmfit completions fish > ~/.config/fish/completions/vmfit.fish
  vmfit completions powershell >> $PROFILE")]
pub struct Completions {
    /// Which shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(self) -> Result<(), CliError> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut super::Cli::command(), "vmfit", &mut script);
        output::print(&script)
    }
}
