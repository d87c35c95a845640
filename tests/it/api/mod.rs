//! The routes under `/api`, and what is around every route.

mod accuracy;
mod around;
mod hostile;
mod measurements;
mod openapi;
mod overhead_models;
mod runs;
mod sizings;
