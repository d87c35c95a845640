//! The pages over HTTP, as a browser without script sees them.

mod assets;
mod form;
mod hostile;
mod sizings;
mod uploads;

use reqwest::redirect::Policy;
use reqwest::{Client, Response};

use super::app::TestApp;

/// A client that shows where it is sent instead of going there.
fn still() -> Client {
    Client::builder().redirect(Policy::none()).build().unwrap()
}

/// A form of these pairs.
fn pairs(pairs: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
}

async fn send(app: &TestApp, client: &Client, path: &str, body: &[(&str, &str)]) -> Response {
    let request = client.post(format!("{}{path}", app.address));
    request.header("content-type", "application/x-www-form-urlencoded").body(pairs(body)).send().await.unwrap()
}

/// A page that came.
async fn page(app: &TestApp, path: &str) -> String {
    let response = app.get(path).send().await.unwrap();
    assert_eq!(response.status(), 200, "{path}");
    response.text().await.unwrap()
}

/// Every field of a page's form with its value, as a browser would send them.
fn fields(html: &str) -> Vec<(String, String)> {
    let plain = |text: &str| {
        text.replace("&quot;", "\"")
            .replace("&#34;", "\"")
            .replace("&#39;", "'")
            .replace("&lt;", "<")
            .replace("&#60;", "<")
            .replace("&gt;", ">")
            .replace("&#62;", ">")
            .replace("&amp;", "&")
            .replace("&#38;", "&")
    };
    let attribute = |tag: &str, name: &str| {
        let from = tag.find(&format!(" {name}=\""))? + name.len() + 3;
        Some(plain(&tag[from..from + tag[from..].find('"')?]))
    };
    let mut found = Vec::new();
    for tag in html.split("<input").skip(1) {
        let tag = &tag[..tag.find('>').unwrap()];
        let Some(name) = attribute(tag, "name") else { continue };
        if attribute(tag, "type").as_deref() != Some("checkbox") || tag.contains(" checked") {
            found.push((name, attribute(tag, "value").unwrap_or_default()));
        }
    }
    for select in html.split("<select").skip(1) {
        let (tag, rest) = select.split_once('>').unwrap();
        let options = &rest[..rest.find("</select>").unwrap()];
        let chosen = options.split("<option").find(|option| option.contains(" selected"));
        let value = chosen.or_else(|| options.split("<option").nth(1)).and_then(|option| attribute(option, "value"));
        found.push((attribute(tag, "name").unwrap(), value.unwrap_or_default()));
    }
    found
}

/// The same fields with some of them changed or added, to be sent.
fn with<'a>(fields: &'a [(String, String)], changes: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let kept = fields.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    kept.filter(|(name, _)| changes.iter().all(|(changed, _)| changed != name)).chain(changes.iter().copied()).collect()
}
