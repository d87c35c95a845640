//! The nouns, as valid plain data. An input is parsed once into a [`Scenario`]; nothing behind it checks again.

pub mod case;
mod check;
pub mod choice;
pub mod input;
pub mod models;
pub mod name;
pub mod overhead;
pub mod problem;
pub mod range;
mod read;
mod repeated;
pub mod rules;
pub mod run;
pub mod scenario;
mod schema;
pub mod units;

pub use case::{Case, parse_case};
pub use check::{parse_model, parse_scenario, scenario_from_value};
pub use models::ModelCatalog;
pub use overhead::OverheadModel;
pub use problem::{Problem, ProblemKind};
pub use range::Range;
pub use read::{MOST_BYTES, Refused};
pub use run::parse_run;
pub use scenario::Scenario;
pub use schema::json_schema;
