//! Keys that stand twice in one JSON object. Which value was meant nobody knows, and readers differ in which one they take.

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::problem::{Problem, ProblemKind};
use super::read::MOST_PROBLEMS;

/// A problem for each repeated key, by its pointer; none for bytes that are no JSON.
pub fn repeated_keys(bytes: &[u8]) -> Vec<Problem> {
    let mut found = Vec::new();
    let walk = Walk { pointer: String::new(), found: &mut found };
    // What is no JSON is told by the parser that reads it.
    let _ = walk.deserialize(&mut serde_json::Deserializer::from_slice(bytes));
    found
}

struct Walk<'a> {
    pointer: String,
    found: &'a mut Vec<Problem>,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut seen: HashSet<String> = HashSet::new();
        while let Some(key) = map.next_key::<String>()? {
            let pointer = format!("{}/{}", self.pointer, key.replace('~', "~0").replace('/', "~1"));
            if seen.contains(&key) && self.found.len() < MOST_PROBLEMS {
                self.found.push(Problem::new(pointer.clone(), None, ProblemKind::Duplicate));
            }
            seen.insert(key);
            map.next_value_seed(Walk { pointer, found: self.found })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let mut index = 0;
        while list
            .next_element_seed(Walk { pointer: format!("{}/{index}", self.pointer), found: self.found })?
            .is_some()
        {
            index += 1;
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(IgnoredAny).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointers(text: &str) -> Vec<String> {
        repeated_keys(text.as_bytes()).into_iter().map(|problem| problem.pointer).collect()
    }

    #[test]
    fn each_is_found_at_its_place() {
        assert_eq!(
            pointers(r#"{ "a": 1, "b": [ { "c": 1, "c": {} } ], "a": { "x/y": 1, "x/y": 2 } }"#),
            ["/b/0/c", "/a", "/a/x~1y"]
        );
    }

    #[test]
    fn others_are_not() {
        for text in
            [r#"{ "a": { "a": 1 }, "b": [ { "a": 1 }, { "a": 2 } ], "c": null }"#, "", "{", "nonsense", "[1, 2.5, -3]"]
        {
            assert!(pointers(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_hostile_number_of_them_is_cut() {
        let many = (0..10_000).map(|_| r#""a": 1"#).collect::<Vec<_>>().join(",");
        assert_eq!(pointers(&format!("{{{many}}}")).len(), MOST_PROBLEMS);
    }
}
