//! Reads Rust source as far as the checks need: the paths that a file names.

use std::path::Path;

use super::shown;

/// Rust source without comments, strings and character literals; line breaks stay.
pub fn code_only(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let at = |i: usize| chars.get(i).copied().unwrap_or('\0');
    let mut out = String::with_capacity(source.len());
    let mut i = 0;
    while i < chars.len() {
        let start = i;
        let word_before = i > 0 && (at(i - 1).is_alphanumeric() || at(i - 1) == '_');
        let hashes = chars[i + 1..].iter().take_while(|c| **c == '#').count();
        match (at(i), at(i + 1)) {
            ('/', '/') => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1
                }
            }
            ('/', '*') => {
                let mut depth = 0;
                while i < chars.len() {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => {
                            depth += 1;
                            i += 2
                        }
                        ('*', '/') => {
                            depth -= 1;
                            i += 2
                        }
                        _ => i += 1,
                    }
                    if depth == 0 {
                        break;
                    }
                }
            }
            ('r', '"' | '#') if !word_before && at(i + 1 + hashes) == '"' => {
                i += hashes + 2;
                while i < chars.len() && !(at(i) == '"' && chars[i + 1..].iter().take(hashes).all(|c| *c == '#')) {
                    i += 1
                }
                i += hashes + 1;
            }
            ('"', _) => {
                i += 1;
                while i < chars.len() && at(i) != '"' {
                    i += if at(i) == '\\' { 2 } else { 1 }
                }
                i += 1;
            }
            ('\'', '\\') => {
                i += 3;
                while i < chars.len() && at(i) != '\'' {
                    i += 1
                }
                i += 1;
            }
            ('\'', _) if at(i + 2) == '\'' => i += 3,
            (c, _) => {
                out.push(c);
                i += 1;
                continue;
            }
        }
        out.extend(chars[start..i.min(chars.len())].iter().filter(|c| **c == '\n'));
        out.push(' ');
    }
    out
}

/// A path that a file names, and the line.
#[derive(Debug, PartialEq)]
pub struct Named {
    pub line: usize,
    pub path: String,
}

/// Every path of a file: those of `use` trees written out, and those of two or more parts in between.
pub fn named_paths(code: &str) -> Vec<Named> {
    let mut found = Vec::new();
    let mut rest = 0;
    let word = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(offset) = code[rest..].find(word) {
        let start = rest + offset;
        let line = code[..start].matches('\n').count() + 1;
        let tail = &code[start..];
        let end = tail.find(|c: char| !word(c) && c != ':').unwrap_or(tail.len());
        if &tail[..end] == "use" {
            let end = tail.find(';').unwrap_or(tail.len());
            let tree: String = tail[3..end].split_whitespace().collect::<Vec<_>>().join(" ");
            use_tree("", &tree, &mut |path| found.push(Named { line, path }));
            rest = start + end;
            continue;
        }
        if let path @ Some(_) = Some(tail[..end].trim_matches(':')).filter(|p| p.contains("::")) {
            found.extend(path.map(|p| Named { line, path: p.to_owned() }));
        }
        rest = start + end;
    }
    found
}

/// `a::{b, c::{d, e}}` into `a::b`, `a::c::d`, `a::c::e`.
fn use_tree(prefix: &str, tree: &str, found: &mut impl FnMut(String)) {
    let tree = tree.trim();
    let Some(open) = tree.find('{') else {
        let name = tree.split(" as ").next().unwrap_or(tree).trim();
        found(format!("{prefix}{name}"));
        return;
    };
    let prefix = format!("{prefix}{}", tree[..open].trim());
    let inner = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
    let (mut depth, mut start) = (0, 0);
    for (i, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if !inner[start..i].trim().is_empty() {
                    use_tree(&prefix, &inner[start..i], found);
                }
                start = i + 1;
            }
            _ => {}
        }
    }
}

/// The modules that a file of `src` stands in, from the crate's root: `src/domain/check/vm.rs` is `domain`, `check`, `vm`.
pub fn modules(file: &Path) -> Vec<String> {
    let inside = shown(file).trim_start_matches("src/").trim_end_matches(".rs").to_owned();
    let mut parts: Vec<String> = inside.split('/').map(str::to_owned).collect();
    if parts.last().is_some_and(|last| last == "mod" || last == "lib" || last == "main") {
        parts.pop();
    }
    parts
}

/// A path from the crate's root on, if it stays in this crate: `crate::`, `vmfit::`, or enough `super::`.
pub fn in_crate(path: &str, modules: &[String]) -> Option<Vec<String>> {
    let parts: Vec<&str> = path.split("::").collect();
    let supers = parts.iter().take_while(|part| **part == "super").count();
    match parts[0] {
        "crate" | "vmfit" => Some(parts[1..].iter().map(|p| (*p).to_owned()).collect()),
        "super" if supers <= modules.len() => {
            let above = modules[..modules.len() - supers].iter().cloned();
            Some(above.chain(parts[supers..].iter().map(|p| (*p).to_owned())).collect())
        }
        _ => None,
    }
}

/// A check that cannot fail keeps nothing: the readers find what they are for.
mod readers {
    use super::*;

    fn paths(source: &str) -> Vec<String> {
        named_paths(&code_only(source)).into_iter().map(|named| named.path).collect()
    }

    #[test]
    fn use_trees_are_written_out() {
        let source = "use std::{fs, io::{self, Read as _}};\nuse crate::web;";
        assert_eq!(paths(source), ["std::fs", "std::io::self", "std::io::Read", "crate::web"]);
    }

    #[test]
    fn comments_and_strings_are_no_code() {
        let source = "// std::fs\n/* a /* std::fs */ */ let a = \"std::fs \\\" x::y\"; let r = r#\"a::b \" c::d\"#; 'x: loop { b'\\n'; '\"'; tokio::spawn(a) }";
        assert_eq!(paths(source), ["tokio::spawn"]);
        assert_eq!(named_paths(&code_only("// one\n\"two\n\"\na::b"))[0].line, 4);
    }

    #[test]
    fn paths_resolve_from_the_file() {
        let modules = ["engine", "queueing", "mva"].map(str::to_owned);
        let from = |path: &str| in_crate(path, &modules).map(|parts| parts.join("::"));
        assert_eq!(from("super::super::super::web::api").as_deref(), Some("web::api"));
        assert_eq!(from("super::erlang").as_deref(), Some("engine::queueing::erlang"));
        assert_eq!(from("crate::store::Store").as_deref(), Some("store::Store"));
        assert_eq!(from("std::fs"), None);
    }
}
