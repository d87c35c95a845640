//! Headers of every response that keep a browser from doing what no page of ours needs.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Everything from this server, nothing inline, no frames, no plug-ins.
const POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";
/// Swagger UI sets styles on its elements; still nothing from another host and no inline script.
const DOCS_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                           object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const ALWAYS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Adds them; a handler's own `cache-control` stays.
pub fn add(headers: &mut HeaderMap, under_api: bool, docs: bool) {
    headers.reserve(8);
    for (name, value) in ALWAYS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    let policy = if docs { DOCS_POLICY } else { POLICY };
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    if under_api && !docs && !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Answers to programs.
pub fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// Answers to people.
pub fn is_page(path: &str) -> bool {
    !is_api(path) && !matches!(path, "/healthz" | "/readyz" | "/metrics")
}
