//! Flags and environment. This is the only place that reads the environment; everything else is given what it needs.

use std::env;
use std::io::IsTerminal;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;

use crate::store::DatabaseUrl;

/// Where sizings and overhead models are kept.
#[derive(Args, Clone, Debug)]
pub struct DatabaseConfig {
    /// Database file, created when it is missing
    #[arg(long, env = "VMFIT_DATABASE", value_name = "URL", default_value = "sqlite://vmfit.db")]
    pub database: DatabaseUrl,
}

/// How the server listens and whom it answers.
#[derive(Args, Clone, Debug)]
pub struct ServerConfig {
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, env = "VMFIT_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080", value_parser = address)]
    pub listen: SocketAddr,
    /// Listen beyond this machine although there are no logins: whoever reaches the address can read and delete
    #[arg(long, env = "VMFIT_ALLOW_ANONYMOUS")]
    pub allow_anonymous: bool,
    /// Name by which a proxy on this machine is reached; other names are refused, which stops pages of other sites that
    /// point a name of theirs at this machine. May be repeated
    #[arg(long = "allow-host", env = "VMFIT_ALLOW_HOSTS", value_name = "NAME", value_delimiter = ',')]
    pub allow_hosts: Vec<String>,
    /// Run benchmarks that clients ask for, with test files in this folder. Whoever can reach the server can then load
    /// this machine
    #[arg(long, env = "VMFIT_ALLOW_BENCHMARKS", value_name = "DIR")]
    pub allow_benchmarks: Option<PathBuf>,
    #[command(flatten)]
    pub database: DatabaseConfig,
}

/// An address to listen on; `localhost` is this machine's IPv4 loopback.
fn address(text: &str) -> Result<SocketAddr, String> {
    let local = text.strip_prefix("localhost:").and_then(|port| port.parse().ok());
    if let Some(port) = local {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse().map_err(|_| "an IP address and a port are needed, for example 127.0.0.1:8080 or [::1]:8080".to_owned())
}

/// What standard output can show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Terminal {
    /// A person is looking: bars make sense.
    pub interactive: bool,
    /// Colours are wanted too.
    pub colour: bool,
}

/// Looks at standard output, `NO_COLOR` (<https://no-color.org>) and `TERM`.
pub fn terminal() -> Terminal {
    let interactive = std::io::stdout().is_terminal();
    Terminal { interactive, colour: interactive && wants_colour() }
}

/// Whether the log on standard error is read by a person who wants colours.
pub fn log_colour() -> bool {
    std::io::stderr().is_terminal() && wants_colour()
}

fn wants_colour() -> bool {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|value| value == "dumb");
    !refused && !dumb
}

/// What is logged: `RUST_LOG`, or warnings of others and what this program says of itself.
pub fn log_filter() -> String {
    env::var("RUST_LOG").unwrap_or_else(|_| "warn,vmfit=info".to_owned())
}
