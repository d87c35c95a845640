//! JSON Schema of what is read and written, made from the types themselves.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// JSON Schema (draft 2020-12) of a type, under a title.
pub fn json_schema<T: ToSchema>(title: &str) -> Value {
    let mut parts: Vec<(String, RefOr<Schema>)> = Vec::new();
    T::schemas(&mut parts);
    let definitions: BTreeMap<String, Value> =
        parts.into_iter().filter_map(|(name, schema)| Some((name, serde_json::to_value(schema).ok()?))).collect();
    let mut root = serde_json::to_value(<T as PartialSchema>::schema()).unwrap_or_default();
    if let Some(root) = root.as_object_mut() {
        root.insert("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema"));
        root.insert("title".to_owned(), json!(title));
        root.insert("$defs".to_owned(), json!(definitions));
    }
    point_to_definitions(&mut root);
    root
}

/// References of an OpenAPI document are to its components; here they are to the definitions beside.
fn point_to_definitions(value: &mut Value) {
    match value {
        Value::Object(object) => {
            if let Some(Value::String(target)) = object.get_mut("$ref") {
                *target = target.replace("#/components/schemas/", "#/$defs/");
            }
            object.values_mut().for_each(point_to_definitions);
        }
        Value::Array(list) => list.iter_mut().for_each(point_to_definitions),
        _ => {}
    }
}
