//! `/api/v1/overhead-models`.

use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::domain::overhead::ModelInput;
use crate::domain::{ModelCatalog, OverheadModel};
use crate::web::state::AppState;

mod create;
mod get;
mod list;

pub(super) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list::list, create::create)).routes(routes!(get::get))
}

/// An overhead model that scenarios can name.
#[derive(Serialize, ToSchema)]
pub(super) struct ModelDocument {
    /// It came with the program.
    built_in: bool,
    #[serde(flatten)]
    model: ModelInput,
}

impl ModelDocument {
    fn of(model: &OverheadModel) -> Self {
        Self { built_in: ModelCatalog::built_in().is_built_in(&model.id), model: model.into() }
    }
}
