//! `vmfit serve`: the page and the API.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use anyhow::Context;
use clap::Args;

use super::error::CliError;
use crate::config::ServerConfig;
use crate::store;
use crate::web::state::AllowedHosts;
use crate::web::{AppState, Served, Server};

/// Serve the page and the API
///
/// Prints one line with the address. The database is created, brought up to date and filled with examples when it is
/// empty. Logs go to standard error; RUST_LOG chooses what is logged, for example RUST_LOG=vmfit=debug.
#[derive(Args)]
#[command(after_help = "Examples:
  vmfit serve                                        page and API on this machine, database vmfit.db
  vmfit serve --listen 127.0.0.1:0                   on a free port
  vmfit serve --database sqlite:///var/lib/vmfit.db  database elsewhere")]
pub struct Serve {
    #[command(flatten)]
    config: ServerConfig,
}

impl Serve {
    pub fn run(self) -> Result<(), CliError> {
        let config = self.config;
        if !config.listen.ip().is_loopback() && !config.allow_anonymous {
            return Err(CliError::input(format!(
                "--listen {}: there are no logins, so everyone who reaches this address could read and delete; allowed \
                 is a loopback address such as 127.0.0.1:8080, or add --allow-anonymous",
                config.listen
            )));
        }
        if let Some(folder) = &config.allow_benchmarks {
            check_folder(folder)?;
        }
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no async runtime")?;
        let served = runtime.block_on(serve(config)).map_err(CliError::Other);
        // Work that was broken off may go on for a minute; nobody waits for it any more.
        runtime.shutdown_background();
        served
    }
}

async fn serve(config: ServerConfig) -> anyhow::Result<()> {
    let stop = stop_signal().context("cannot listen for signals")?;
    let store = store::open(&config.database.database).await?;
    store::load_examples(store.as_ref()).await?;
    let hosts = AllowedHosts { any: config.allow_anonymous, names: config.allow_hosts };
    let mut state = AppState::new(store, hosts).await?;
    if let Some(folder) = config.allow_benchmarks {
        state.allow_runs(folder).context("no thread for benchmarks")?;
    }
    let server =
        Server::bind(config.listen, state).await.with_context(|| format!("cannot listen on {}", config.listen))?;
    writeln!(std::io::stdout(), "vmfit listens on http://{}", server.address()?).context("standard output")?;
    match server.run(stop).await {
        Served::AllAnswered => tracing::info!("stopped"),
        Served::BrokenOff => tracing::warn!("stopped; some requests took too long and were broken off"),
    }
    Ok(())
}

/// A folder in which files can be made.
fn check_folder(folder: &Path) -> Result<(), CliError> {
    let refused = |why: &str| CliError::input(format!("--allow-benchmarks '{}': {why}", folder.display()));
    if !folder.is_dir() {
        return Err(refused("allowed is a folder that exists"));
    }
    let probe = folder.join(format!("vmfit-probe-{}.tmp", std::process::id()));
    File::create_new(&probe).map_err(|error| refused(&format!("no file can be made in it: {error}")))?;
    std::fs::remove_file(&probe).map_err(|error| refused(&format!("no file can be removed from it: {error}")))
}

/// Done when the process is asked to end: Ctrl+C, or SIGTERM from a service manager.
fn stop_signal() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(async move {
            tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        // Without a handler for Ctrl+C the system ends the process itself.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
