//! The JSON Schema of a case file.

use serde_json::Value;

use crate::domain::case::CaseInput;
use crate::domain::json_schema;

/// JSON Schema of a case.
pub fn schema() -> Value {
    json_schema::<CaseInput>("Back-test case of vmfit")
}
