//! What happens around every request, in one layer, because each layer costs the fast routes a little: refusal of
//! requests that other sites' pages send, time limit, request id, security headers, errors shown as they should, metrics.

use std::any::Any;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::error::AppError;
use super::state::AppState;

mod headers;
mod origin;

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// Route of a request that matches none.
const UNMATCHED: &str = "unmatched";

/// See the module.
pub async fn around(State(state): State<AppState>, mut request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = request_id(request.headers().get(&REQUEST_ID));
    let (method, route) = (request.method().clone(), request.extensions().get::<MatchedPath>().cloned());
    let refused = origin::refusal(&request, &state.hosts);
    let path = request.uri().path();
    let (under_api, as_page) = (headers::is_api(path), headers::is_page(path));
    let docs = path.starts_with("/api/docs");
    request.headers_mut().insert(&REQUEST_ID, id.clone());

    let answered = match refused {
        Some(error) => error.into_response(),
        None => match tokio::time::timeout(state.patience.request, next.run(request)).await {
            Ok(response) => response,
            Err(_) => {
                let detail = format!("The request took longer than {} s.", state.patience.request.as_secs_f64());
                AppError::new(StatusCode::SERVICE_UNAVAILABLE, detail).into_response()
            }
        },
    };
    let route = route.as_ref().map_or(UNMATCHED, MatchedPath::as_str);
    let mut response = shown(answered, &id, &method, route, as_page);
    headers::add(response.headers_mut(), under_api, docs);
    response.headers_mut().insert(&REQUEST_ID, id);
    let took = began.elapsed();
    state.metrics.request(&method, route, response.status(), took);
    tracing::debug!(%method, route, status = response.status().as_u16(), took_us = took.as_micros() as u64, "answered");
    response
}

/// Replaces an error by what the client should see of it, keeping headers such as `allow`.
fn shown(
    mut answered: Response,
    id: &HeaderValue,
    method: &axum::http::Method,
    route: &str,
    as_page: bool,
) -> Response {
    let Some(error) = answered.extensions_mut().remove::<AppError>() else { return answered };
    error.log(id.to_str().unwrap_or(""), method.as_str(), route);
    let mut response = error.render(as_page);
    if let Some(allow) = answered.headers_mut().remove(axum::http::header::ALLOW) {
        response.headers_mut().insert(axum::http::header::ALLOW, allow);
    }
    response
}

/// The id a proxy gave, when it is a plain short word, or a new one.
fn request_id(given: Option<&HeaderValue>) -> HeaderValue {
    let plain = |value: &&HeaderValue| {
        let sign = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        (1..=64).contains(&value.len()) && value.as_bytes().iter().all(sign)
    };
    given.filter(plain).cloned().unwrap_or_else(|| {
        let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
        // Ids of requests need to differ, not to be secret: no call to the system for each.
        let mut random = [0; 10];
        fastrand::fill(&mut random);
        let millis = jiff::Timestamp::now().as_millisecond().unsigned_abs();
        let id = uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid();
        let text = id.hyphenated().encode_lower(&mut text);
        HeaderValue::from_str(text).unwrap_or(HeaderValue::from_static("unknown"))
    })
}

/// A handler that panicked: the message goes to the log, the client learns that it was our fault.
pub fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let message = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    AppError::internal(format!("panic: {}", message.unwrap_or("without a message"))).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a handler panicked with goes to the log only.
    #[tokio::test]
    async fn a_handler_that_panics_is_our_fault() {
        let router = axum::Router::new()
            .route("/", axum::routing::get(async || -> &'static str { panic!("a secret") }))
            .layer(tower_http::catch_panic::CatchPanicLayer::custom(panicked));
        let asked = Request::builder().uri("/").body(axum::body::Body::empty()).unwrap();
        let mut answered = tower::ServiceExt::oneshot(router, asked).await.unwrap();
        assert_eq!(answered.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let shown = answered.extensions_mut().remove::<AppError>().unwrap().render(false);
        let body = axum::body::to_bytes(shown.into_body(), 10_000).await.unwrap();
        assert!(!String::from_utf8_lossy(&body).contains("secret"));
    }

    #[test]
    fn a_plain_request_id_is_kept() {
        let given = HeaderValue::from_static("proxy-17.a_b");
        assert_eq!(request_id(Some(&given)), given);
    }

    #[test]
    fn any_other_is_replaced() {
        for bad in ["", "a b", "ä", "<script>", &"x".repeat(65)] {
            let given = HeaderValue::from_bytes(bad.as_bytes()).unwrap();
            assert_eq!(request_id(Some(&given)).len(), 36, "{bad}");
        }
        assert_eq!(request_id(None).len(), 36);
    }
}
