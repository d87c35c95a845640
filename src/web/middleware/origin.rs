//! Who may send what. There are no logins, so a page of another site in a planner's browser must not be able to use this
//! server: neither by a form or script that posts here, nor by a name of its own that points at this machine.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header, uri::Authority};

use crate::web::error::AppError;
use crate::web::state::AllowedHosts;

/// Why the request is refused, if it is.
pub fn refusal(request: &Request, allowed: &AllowedHosts) -> Option<AppError> {
    let headers = request.headers();
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    // HTTP/2 and absolute addresses carry the host in the address.
    let host = request.uri().authority().map(Authority::as_str).or_else(|| text(header::HOST));
    if !allowed.any && !host.is_some_and(|host| is_allowed(host, allowed)) {
        let detail = "This server does not answer to that host name. Use localhost or its IP address, or start it with \
                      --allow-host and the name.";
        return Some(AppError::new(StatusCode::MISDIRECTED_REQUEST, detail));
    }
    if request.method().is_safe() || is_same_origin(headers, host) {
        return None;
    }
    let detail = "A page of another site sent this. Changes are taken from this server's own pages and from programs.";
    Some(AppError::new(StatusCode::FORBIDDEN, detail))
}

/// A name that another site cannot point at this server: an address, `localhost`, or one that was allowed.
fn is_allowed(host: &str, allowed: &AllowedHosts) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<Ipv4Addr>().is_ok()
        || bare.is_some_and(|name| name.parse::<Ipv6Addr>().is_ok())
        || allowed.names.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
}

/// Browsers say where a request comes from; programs say nothing, and are no danger: no page directs them.
fn is_same_origin(headers: &HeaderMap, host: Option<&str>) -> bool {
    let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("null"));
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    match text("origin") {
        None => true,
        Some(origin) => origin.split_once("://").is_some_and(|(_, from)| Some(from) == host),
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn status(method: &str, headers: &[(&str, &str)], allowed: &AllowedHosts) -> Option<u16> {
        let mut request = Request::builder().method(method).uri("/api/v1/sizings");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        refusal(&request.body(Body::empty()).unwrap(), allowed).map(|error| error.status.as_u16())
    }

    #[test]
    fn only_own_names_are_answered() {
        let allowed = AllowedHosts { any: false, names: vec!["vmfit.example".into()] };
        for host in ["localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080", "192.0.2.7", "vmfit.example:443"] {
            assert_eq!(status("GET", &[("host", host)], &allowed), None, "{host}");
        }
        for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:8080", "", "[x]"] {
            assert_eq!(status("GET", &[("host", host)], &allowed), Some(421), "{host}");
        }
        assert_eq!(status("GET", &[], &allowed), Some(421));
        assert_eq!(status("GET", &[("host", "any.example")], &AllowedHosts { any: true, names: vec![] }), None);
    }

    #[test]
    fn pages_of_other_sites_change_nothing() {
        let local = ("host", "localhost:8080");
        let ask = |method, more: (&'static str, &'static str)| status(method, &[local, more], &AllowedHosts::default());
        assert_eq!(ask("POST", ("sec-fetch-site", "cross-site")), Some(403));
        assert_eq!(ask("POST", ("sec-fetch-site", "same-site")), Some(403));
        assert_eq!(ask("DELETE", ("origin", "http://localhost:9999")), Some(403));
        assert_eq!(ask("POST", ("origin", "null")), Some(403));
        assert_eq!(ask("POST", ("sec-fetch-site", "same-origin")), None);
        assert_eq!(ask("POST", ("sec-fetch-site", "none")), None);
        assert_eq!(ask("POST", ("origin", "http://localhost:8080")), None);
        assert_eq!(ask("POST", ("user-agent", "curl")), None);
        assert_eq!(ask("GET", ("sec-fetch-site", "cross-site")), None);
    }
}
