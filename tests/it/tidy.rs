//! The shape of the house, kept by reading its files: who may know whom, what only one place may do, and that what is
//! named exists. A row says what is forbidden, where, and why; the reason is printed when the row fails.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use source::{code_only, in_crate, modules, named_paths};

mod fixtures;
mod pages;
mod source;

/// The rooms of `src`, from the top down. A room may use those of its own row and of the rows below.
const LAYERS: [(&[&str], &str); 4] = [
    (&["cli", "web"], "commands and pages are the edge: nothing is built on them"),
    (&["config", "report", "store", "import", "bench"], "services of the edge; the laws must run without them"),
    (&["engine"], "the laws are pure functions from the domain to an answer"),
    (&["domain"], "the nouns are plain data and know nobody"),
];

/// Paths that some rooms must not use.
struct Forbidden {
    /// Empty: every room.
    rooms: &'static [&'static str],
    /// Files by their stem that are exempt.
    except: &'static [&'static str],
    paths: &'static [&'static str],
    reason: &'static str,
}

const FORBIDDEN: [Forbidden; 5] = [
    Forbidden {
        rooms: &["domain", "engine"],
        except: &[],
        paths: &[
            "axum",
            "axum_core",
            "tower",
            "tower_http",
            "hyper",
            "http",
            "sqlx",
            "tokio",
            "askama",
            "typst",
            "clap",
        ],
        reason: "the model must run in a test, a command and a server alike, without any of their frameworks",
    },
    Forbidden {
        rooms: &["domain", "engine"],
        except: &[],
        paths: &["std::fs", "std::net", "std::io", "std::process", "std::env", "env", "fs"],
        reason: "the same input gives the same answer: no file, network or environment in the model",
    },
    Forbidden {
        rooms: &["domain", "engine", "report"],
        except: &[],
        paths: &["std::time", "jiff", "chrono", "Instant::now", "SystemTime::now", "Timestamp::now", "Zoned::now"],
        reason: "no clock in an answer or its report: the same answer gives the same bytes",
    },
    Forbidden {
        rooms: &[],
        except: &["config"],
        paths: &["std::env", "env"],
        reason: "only config reads the environment: one place to document, and secrets stay there",
    },
    Forbidden {
        rooms: &["web"],
        except: &[],
        paths: &["std::fs", "fs"],
        reason: "a request never waits for a file on an async worker: pages are embedded, data is in the store",
    },
];

/// Longest `main.rs`, lines.
const MAIN_LINES: usize = 60;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Every file below a folder of the project; none if the folder is missing.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string().replace('\\', "/")
}

fn with_extension(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let has = |path: &PathBuf| path.extension().is_some_and(|e| extensions.iter().any(|wanted| e == *wanted));
    files(folder).into_iter().filter(has).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", shown(path)))
}

fn report(problems: Vec<String>) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

fn layer(room: &str) -> Option<usize> {
    LAYERS.iter().position(|(rooms, _)| rooms.contains(&room))
}

/// Every use of one room by another: (file, line, from, to).
fn arrows() -> Vec<(String, usize, String, String)> {
    let mut found = Vec::new();
    for file in with_extension("src", &["rs"]) {
        let modules = modules(&file);
        let Some(from) = modules.first() else { continue };
        for named in named_paths(&code_only(&read(&file))) {
            let Some(to) = in_crate(&named.path, &modules).and_then(|path| path.first().cloned()) else { continue };
            if to != *from && layer(&to).is_some() {
                found.push((shown(&file), named.line, from.clone(), to));
            }
        }
    }
    found
}

#[test]
fn every_room_has_a_layer() {
    let unknown = |file: PathBuf| {
        let room = modules(&file).into_iter().next()?;
        layer(&room).is_none().then(|| format!("{}: the room '{room}' has no row in LAYERS", shown(&file)))
    };
    report(with_extension("src", &["rs"]).into_iter().filter_map(unknown).collect());
}

#[test]
fn arrows_point_down() {
    let upward = |(file, line, from, to): (String, usize, String, String)| {
        let (of, to_layer) = (layer(&from)?, layer(&to)?);
        let reason = LAYERS[to_layer].1;
        (to_layer < of).then(|| format!("{file}:{line}: {from} uses {to}, which stands above it ({reason})"))
    };
    report(arrows().into_iter().filter_map(upward).collect());
}

#[test]
fn rooms_form_no_circle() {
    let mut uses: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, _, from, to) in arrows() {
        uses.entry(from).or_default().insert(to);
    }
    // A room without arrows to rooms that are left cannot be in a circle: take such rooms away until none is left.
    while let Some(leaf) =
        uses.iter().find(|(_, to)| !to.iter().any(|t| uses.contains_key(t))).map(|(from, _)| from.clone())
    {
        uses.remove(&leaf);
    }
    assert!(uses.is_empty(), "rooms that use each other in a circle: {uses:?}");
}

#[test]
fn rooms_use_nothing_forbidden() {
    let mut problems = Vec::new();
    for file in with_extension("src", &["rs"]) {
        let modules = modules(&file);
        let (room, stem) = (modules.first().cloned().unwrap_or_default(), modules.last().cloned().unwrap_or_default());
        // A test may time itself or read a file.
        if modules.iter().any(|module| module == "tests") {
            continue;
        }
        let named = named_paths(&code_only(&read(&file)));
        for row in &FORBIDDEN {
            let applies =
                (row.rooms.is_empty() || row.rooms.contains(&room.as_str())) && !row.except.contains(&stem.as_str());
            for named in named.iter().filter(|_| applies) {
                let path = named.path.as_str();
                let hit = |wanted: &&&str| {
                    let begins = path == **wanted || path.starts_with(&format!("{wanted}::"));
                    begins || (wanted.contains("::") && path.ends_with(&format!("::{wanted}")))
                };
                if let Some(wanted) = row.paths.iter().find(hit) {
                    problems.push(format!("{}:{}: {wanted} ({})", shown(&file), named.line, row.reason));
                }
            }
        }
    }
    report(problems);
}

/// `clap` reads a variable for an argument that says `env`: that too belongs to config.
#[test]
fn arguments_read_the_environment_in_config_only() {
    let reads = |file: PathBuf| {
        let code: String = code_only(&read(&file)).split_whitespace().collect();
        let reads = code.split("#[").filter(|a| a.starts_with("arg(")).filter_map(|a| a.split(")]").next());
        let reads = reads.flat_map(|a| a[4..].split(',')).any(|a| a == "env" || a.starts_with("env="));
        let config = modules(&file).last().is_some_and(|stem| stem == "config");
        (reads && !config).then(|| format!("{}: an argument reads the environment outside config", shown(&file)))
    };
    report(with_extension("src", &["rs"]).into_iter().filter_map(reads).collect());
}

#[test]
fn main_only_hands_over() {
    let lines = read(&root().join("src/main.rs")).lines().count();
    assert!(lines <= MAIN_LINES, "src/main.rs has {lines} lines; at most {MAIN_LINES}: what it does belongs to cli");
}

#[test]
fn paths_of_the_dockerfile_exist() {
    let mut problems = Vec::new();
    for line in
        read(&root().join("Dockerfile")).lines().filter(|line| line.starts_with("COPY") || line.starts_with("ADD"))
    {
        let words: Vec<&str> = line.split_whitespace().skip(1).collect();
        if words.iter().any(|word| word.starts_with("--from")) {
            continue;
        }
        let paths: Vec<&&str> = words.iter().filter(|word| !word.starts_with("--")).collect();
        for path in &paths[..paths.len().saturating_sub(1)] {
            if !root().join(path).exists() {
                problems.push(format!("Dockerfile: '{line}' names {path}, which does not exist"));
            }
            let first = path.split('/').next().unwrap_or(path);
            if !read(&root().join(".dockerignore")).lines().any(|line| line == format!("!{first}")) {
                problems.push(format!(".dockerignore keeps {path} out, which the Dockerfile copies"));
            }
        }
    }
    report(problems);
}
