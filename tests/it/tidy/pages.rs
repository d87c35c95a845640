//! Pages, styles and scripts load nothing from another host.

use std::path::PathBuf;

use super::{read, report, shown, with_extension};

fn is_foreign(address: &str) -> bool {
    let address = address.trim().trim_start_matches(['"', '\'']);
    ["http:", "https:", "//"]
        .iter()
        .any(|start| address.get(..start.len()).is_some_and(|s| s.eq_ignore_ascii_case(start)))
}

/// What a page would load from another host: attributes of every tag but a plain link.
fn foreign_in_html(html: &str) -> Vec<String> {
    const LOADING: [&str; 9] = ["src", "href", "srcset", "action", "formaction", "data", "poster", "hx-get", "hx-post"];
    let mut found = Vec::new();
    for tag in html.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or(tag);
        let name = tag.split(|c: char| c.is_whitespace() || c == '/').next().unwrap_or("");
        for attribute in LOADING {
            let plain_link = name.eq_ignore_ascii_case("a") && attribute == "href";
            let after = |i: usize| tag[i + attribute.len()..].trim_start().strip_prefix('=');
            let whole = |i: usize| i > 0 && tag.as_bytes()[i - 1].is_ascii_whitespace();
            let value = tag.match_indices(attribute).find_map(|(i, _)| after(i).filter(|_| whole(i)));
            if !plain_link && value.is_some_and(|v| is_foreign(v.trim_start())) {
                found.push(format!("<{tag}>"));
            }
        }
    }
    found
}

/// What a style sheet or a script would load from another host.
fn foreign_in_text(text: &str) -> Vec<String> {
    const LOADING: [&str; 9] =
        ["url(", "@import", "import(", "import ", " from ", "fetch(", ".src=", "importScripts(", "EventSource("];
    let mut found = Vec::new();
    for start in LOADING {
        for (i, _) in text.match_indices(start) {
            let rest = text[i + start.len()..].trim_start();
            let quoted = rest.starts_with(['"', '\'']) || start == "url(";
            if quoted && is_foreign(rest) {
                found.push(format!("{start}{}", rest.chars().take(60).collect::<String>()));
            }
        }
    }
    found
}

#[test]
fn pages_load_nothing_from_another_host() {
    let mut problems = Vec::new();
    let mut look = |file: PathBuf, foreign: fn(&str) -> Vec<String>| {
        problems.extend(foreign(&read(&file)).into_iter().map(|what| format!("{}: {what}", shown(&file))));
    };
    for folder in ["templates", "static"] {
        with_extension(folder, &["html", "svg"]).into_iter().for_each(|file| look(file, foreign_in_html));
        with_extension(folder, &["css", "js", "html"]).into_iter().for_each(|file| look(file, foreign_in_text));
    }
    report(problems);
}

/// A check that cannot fail keeps nothing: the readers find what they are for.
mod readers {
    use super::*;

    #[test]
    fn foreign_addresses_are_seen() {
        assert!(
            foreign_in_html("<a href=\"https://example.org\">x</a><script src=\"/static/a.js\"></script>").is_empty()
        );
        assert_eq!(foreign_in_html("<script defer src='https://example.org/a.js'></script>").len(), 1);
        assert_eq!(foreign_in_html("<link rel=stylesheet href=//example.org/a.css>").len(), 1);
        assert_eq!(foreign_in_text("a { background: url( 'https://example.org/a.png') }").len(), 1);
        assert!(foreign_in_text("// see https://example.org\nfetch(\"/api\")").is_empty());
    }
}
