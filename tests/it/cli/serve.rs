use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use super::{command, files_in};
use crate::app::EXAMPLE;

/// A running `vmfit serve` on a free port.
struct Serving {
    child: Child,
    out: BufReader<ChildStdout>,
    address: String,
}

impl Serving {
    fn start(folder: &Path) -> Self {
        let database = format!("sqlite://{}", folder.join("vmfit.db").display());
        let mut child = command(&["serve", "--listen", "127.0.0.1:0", "--database", &database])
            .env("RUST_LOG", "vmfit=info")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let address = line.trim().rsplit(' ').next().unwrap().to_owned();
        assert!(address.starts_with("http://127.0.0.1:"), "{line}");
        Self { child, out, address }
    }

    /// Ends it by a signal; what it printed after the first line, and its log.
    fn end(mut self, signal: &str) -> (i32, String, String) {
        let id = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
        let (mut rest, mut log) = (String::new(), String::new());
        self.out.read_to_string(&mut rest).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        (self.child.wait().unwrap().code().expect("ended by itself"), rest, log)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // Nothing to do when it has ended.
        let _ = self.child.kill();
    }
}

#[tokio::test]
async fn one_line_then_requests_then_a_clean_end() {
    for signal in ["TERM", "INT"] {
        let folder = tempfile::tempdir().unwrap();
        let serving = Serving::start(folder.path());
        let client = reqwest::Client::new();
        let list = client.get(format!("{}/api/v1/sizings", serving.address)).send().await.unwrap();
        let list: serde_json::Value = list.json().await.unwrap();
        assert_eq!(list["total"], vmfit::store::examples().len(), "an empty database gets the examples");
        let post = client.post(format!("{}/api/v1/sizings?save=true", serving.address));
        let post = post.header("content-type", "application/json").body(EXAMPLE);
        assert_eq!(post.send().await.unwrap().status(), 201);
        drop(client);
        let (code, rest, log) = serving.end(signal);
        assert_eq!((code, rest.as_str()), (0, ""), "standard output holds one line; the log: {log}");
        assert!(log.contains("stopped") && !log.contains('\x1b'), "{log}");
        // A clean end leaves no write-ahead file behind.
        assert_eq!(files_in(folder.path()), ["vmfit.db"]);
    }
}

#[test]
fn an_address_in_use_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let serving = Serving::start(folder.path());
    let taken = serving.address.trim_start_matches("http://").to_owned();
    let database = format!("sqlite://{}", folder.path().join("other.db").display());
    let ran: super::Ran = command(&["serve", "--listen", &taken, "--database", &database]).output().unwrap().into();
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains(&taken), "{}", ran.err);
}
