use super::error::ImportError;
use super::format::{Input, Options};
use super::result::Imported;
#[derive(Clone, Debug, Default)]
pub struct Knobs {}
#[derive(Clone, Debug, PartialEq, serde::Serialize, utoipa::ToSchema)]
pub struct Workload {}
pub fn recognizes(_: &str) -> bool { false }
pub fn read(_: &mut Input, _: &Options, _: &mut Imported) -> Result<(), ImportError> { Err(ImportError::Empty) }
