//! `vmfit openapi`: the API described.

use clap::Args;

use super::error::CliError;
use super::output;

/// Print the OpenAPI 3.1 document of the API
///
/// The server has it at /api/openapi.json, and a page for it at /api/docs.
#[derive(Args)]
#[command(after_help = "Example:
  vmfit openapi > vmfit.json")]
pub struct OpenApi {}

impl OpenApi {
    pub fn run(self) -> Result<(), CliError> {
        output::print(&super::json(&crate::web::openapi())?)
    }
}
