//! What is wrong with a form, brought to its fields.

use crate::domain::{Problem, ProblemKind};
use crate::report::words;
use crate::web::form::fields::Field;

/// One thing to fix.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemView {
    /// The field it belongs to; empty when it belongs to none.
    pub place: String,
    pub text: String,
    /// Nothing was typed yet: it is still needed, and not wrong.
    pub missing: bool,
}

/// Everything that is wrong with a form.
#[derive(Clone, Debug, Default)]
pub struct Problems(pub Vec<ProblemView>);

impl Problems {
    pub fn new(problems: &[Problem]) -> Self {
        let view = |problem: &Problem| {
            let missing = problem.kind == ProblemKind::Missing;
            ProblemView {
                place: place(&problem.pointer),
                text: if missing { words::field_label(&problem.pointer) } else { words::problem(problem) },
                missing,
            }
        };
        Self(problems.iter().map(view).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is wrong at a place.
    pub fn at(&self, place: &str) -> Option<&str> {
        self.0.iter().find(|problem| problem.place == place).map(|problem| problem.text.as_str())
    }

    /// Whether something is wrong below a place.
    pub fn any_below(&self, place: &str) -> bool {
        self.0.iter().any(|problem| problem.place.strip_prefix(place).is_some_and(|rest| rest.starts_with('.')))
    }

    pub fn wrong(&self) -> Vec<&ProblemView> {
        self.0.iter().filter(|problem| !problem.missing).collect()
    }

    pub fn missing(&self) -> Vec<&ProblemView> {
        self.0.iter().filter(|problem| problem.missing).collect()
    }
}

/// The field of a JSON pointer: the one it points at, or the nearest above it.
fn place(pointer: &str) -> String {
    let mut place = pointer.trim_start_matches('/').replace('/', ".");
    loop {
        if Field::at(&place).is_some() {
            return place;
        }
        match place.rsplit_once('.') {
            Some((above, _)) => place = above.to_owned(),
            None => return if Field::at(&place).is_some() { place } else { String::new() },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_leads_to_its_field_or_the_one_above() {
        assert_eq!(place("/storage/pools/0/disks"), "storage.pools.0.disks");
        assert_eq!(place("/storage/luns/3/holds/1"), "storage.luns.3.holds");
        assert_eq!(place("/overhead/coefficients/0"), "overhead");
        assert_eq!(place("/nonsense/<b>"), "");
        assert_eq!(place(""), "");
    }
}
