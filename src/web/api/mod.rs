//! The API: a folder for each resource, a file for each verb.

use axum::Router;
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::state::AppState;

mod accuracy;
mod benchmarks;
pub(in crate::web) mod calibrations;
pub(in crate::web) mod imports;
mod overhead_models;
mod sizings;

const DOCUMENT: &str = "/api/openapi.json";
/// Where the resources are.
const BASE: &str = "/api/v1";

/// Title and texts of the document; the routes add themselves.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "vmfit",
        description = "How many VMs fit on a virtualization host and its SAN, what stops one more, and how sure that is.\n\n\
                       Names are snake_case; a field's unit is its suffix. Unknown fields are an error that names them; \
                       what is optional may be left out or null. Errors are problem documents (RFC 9457); those about \
                       fields list every one of them in `errors`."
    ),
    tags(
        (name = "sizings", description = "A scenario and its answer"),
        (name = "overhead-models", description = "What hypervisors cost"),
        (name = "benchmarks", description = "What machines were measured to do"),
        (name = "imports", description = "Results of other tools"),
        (name = "calibrations", description = "Overhead models from measurements"),
        (name = "accuracy", description = "The model against published measurements")
    )
)]
struct Document;

fn described() -> OpenApiRouter<AppState> {
    let resources = OpenApiRouter::new()
        .merge(sizings::routes())
        .merge(overhead_models::routes())
        .merge(benchmarks::routes())
        .merge(imports::routes())
        .merge(calibrations::routes())
        .merge(accuracy::routes());
    OpenApiRouter::with_openapi(Document::openapi()).nest(BASE, resources)
}

/// The OpenAPI 3.1 document, made from the routes.
pub fn openapi() -> utoipa::openapi::OpenApi {
    described().into_openapi()
}

/// Every route under `/api`.
pub fn routes() -> Router<AppState> {
    let (routes, document) = described().split_for_parts();
    // The validator's badge would be loaded from another host.
    let config = Config::from(DOCUMENT).validator_url("none").try_it_out_enabled(true);
    routes.merge(SwaggerUi::new("/api/docs").url(DOCUMENT, document).config(config))
}
