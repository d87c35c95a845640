//! How a command ends when it cannot do what was asked.

use std::process::ExitCode;

use clap::error::ErrorKind;

/// Bad input or usage.
const BAD_INPUT: u8 = 2;

/// Why a command could not do what was asked.
#[derive(Debug)]
pub enum CliError {
    /// What was typed or read is wrong: a line for each error, each with its place, the value and what is allowed.
    Input(Vec<String>),
    /// Anything else.
    Other(anyhow::Error),
}

impl CliError {
    pub fn input(line: impl Into<String>) -> Self {
        Self::Input(vec![line.into()])
    }

    /// Writes the lines to standard error and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Self::Input(lines) => {
                for line in lines {
                    eprintln!("{}", one_line(&line));
                }
                ExitCode::from(BAD_INPUT)
            }
            Self::Other(error) => {
                eprintln!("vmfit: {}", one_line(&format!("{error:#}")));
                ExitCode::FAILURE
            }
        }
    }
}

impl From<anyhow::Error> for CliError {
    fn from(error: anyhow::Error) -> Self {
        Self::Other(error)
    }
}

/// What `clap` says, in one line; help and version as they are.
pub fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A pager that was closed is no failure.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(BAD_INPUT)
        }
        _ => {
            let text = error.render().to_string();
            let text = text.split("\n\nUsage:").next().unwrap_or(&text);
            let text = text.split("\n\nFor more information").next().unwrap_or(text);
            CliError::input(text.strip_prefix("error: ").unwrap_or(text)).report()
        }
    }
}

/// Line breaks and other control characters out: what a file holds must not draw on a terminal.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_control() || c == ' ').filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
