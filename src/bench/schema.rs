//! The JSON Schema of a result.

use serde_json::Value;

use super::result::BenchResult;
use crate::domain::json_schema;

/// JSON Schema of a result.
pub fn result_schema() -> Value {
    json_schema::<BenchResult>("Benchmark result of vmfit")
}
