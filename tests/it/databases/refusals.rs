//! Databases that refuse: one clear error each, without the password.

use std::net::TcpListener;

use super::{oltp, url};
use vmfit::bench::Control;
use vmfit::bench::oltp::Mix;

fn refusal(database: &str) -> String {
    let error = oltp(database, Mix::ReadOnly).run(&Control::silent()).unwrap_err();
    let told = error.to_string();
    assert!(told.starts_with(&format!("--database {}", url(database))), "{told}");
    assert!(!told.contains("s3cret") && !told.contains('\n'), "{told}");
    told
}

#[test]
fn nobody_listens() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    for scheme in ["postgres", "mysql", "mssql"] {
        let told = refusal(&format!("{scheme}://me:s3cret@127.0.0.1:{port}/d")).to_lowercase();
        assert!(told.contains("refused"), "{told}");
    }
}

#[test]
fn a_server_that_hangs_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || listener.incoming().take(20).for_each(drop));
    for scheme in ["postgres", "mysql", "mssql"] {
        refusal(&format!("{scheme}://me:s3cret@127.0.0.1:{port}/d"));
    }
}

#[test]
fn a_file_that_is_not_there_or_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.db");
    refusal(&format!("sqlite://{}", path.display()));
    assert!(!path.exists());
    let text = folder.path().join("text");
    std::fs::write(&text, "this is a letter, not a database. ".repeat(100)).unwrap();
    let told = refusal(&format!("sqlite://{}", text.display()));
    assert!(told.contains("not a database"), "{told}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
