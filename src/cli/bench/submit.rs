//! Sends a result to a server.

use std::time::Duration;

use anyhow::{Context as _, anyhow};

use crate::bench::result::BenchResult;
use crate::cli::error::CliError;

/// Where results go when the address names no path.
const PATH: &str = "/api/v1/benchmarks";
const PATIENCE: Duration = Duration::from_secs(30);

/// Posts the result as JSON.
///
/// # Errors
/// An address that is none; a server that is not there or refuses.
pub fn send(url: &str, result: &BenchResult) -> Result<(), CliError> {
    let url = address(url)?;
    let agent: ureq::Agent = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).build().into();
    let answer = agent.post(&url).send_json(result).with_context(|| format!("--submit {url}"))?;
    if answer.status().is_success() {
        Ok(())
    } else {
        Err(CliError::Other(anyhow!("--submit {url}: the server answered {}", answer.status())))
    }
}

/// The address with the path of the API where it has none.
///
/// # Errors
/// An address that is none.
pub fn address(url: &str) -> Result<String, CliError> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://")).filter(|rest| !rest.is_empty());
    let Some(rest) = rest else {
        return Err(CliError::input(format!(
            "--submit {url}: allowed is an address that begins with http:// or https://"
        )));
    };
    let bare = rest.strip_suffix('/').unwrap_or(rest);
    Ok(if bare.contains('/') { url.to_owned() } else { format!("{}{PATH}", url.trim_end_matches('/')) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_added_where_there_is_none() {
        let full = "http://host:8080/api/v1/benchmarks";
        for url in ["http://host:8080", "http://host:8080/", full] {
            assert_eq!(address(url).unwrap(), full);
        }
        assert_eq!(address("https://host/own/path").unwrap(), "https://host/own/path");
        for url in ["host:8080", "ftp://host", "http://"] {
            assert!(address(url).is_err(), "{url}");
        }
    }
}
