//! Database servers of the system's packages, started for one test in a folder of its own, reached by a socket in it, and
//! stopped at its end. Without the packages `start` says so and gives none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running server.
pub struct Server {
    // Dropped before its folder.
    process: Option<Child>,
    start: Box<dyn Fn() -> Command>,
    ready: Box<dyn Fn() -> Command>,
    url: String,
    folder: TempDir,
}

impl Server {
    /// PostgreSQL; none, with a note, when Debian's package `postgresql` is not installed.
    pub fn postgres() -> Option<Self> {
        let bin = newest("/usr/lib/postgresql", "bin/initdb").map(|path| path.join("bin"));
        let Some(bin) = bin else { return skipped("postgresql") };
        let folder = folder("postgres");
        let (data, place) = (folder.path().join("data"), folder.path().to_owned());
        run(as_user("postgres", &bin.join("initdb")).arg("-D").arg(&data).args(["-A", "trust", "-U", "postgres"]));
        let program = bin.join("postgres");
        let start = move || {
            let mut command = as_user("postgres", &program);
            command.arg("-D").arg(&data).arg("-k").arg(&place);
            // What is tested does not depend on the disk.
            command.args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=40"]);
            command
        };
        let (program, place) = (bin.join("pg_isready"), folder.path().to_owned());
        let ready = move || {
            let mut command = Command::new(&program);
            command.arg("-h").arg(&place);
            command
        };
        let url = format!("postgres://postgres:s3cret-pw@localhost/postgres?host={}", folder.path().display());
        Some(Self::started(folder, url, Box::new(start), Box::new(ready)))
    }

    /// MariaDB; none, with a note, when Debian's package `mariadb-server` is not installed.
    pub fn mariadb() -> Option<Self> {
        let program = PathBuf::from("/usr/sbin/mariadbd");
        if !program.exists() {
            return skipped("mariadb-server");
        }
        let folder = folder("mysql");
        let (data, socket) = (folder.path().join("data"), folder.path().join("socket"));
        let user = if is_root() { "--user=mysql" } else { "--skip-name-resolve" };
        run(Command::new("mariadb-install-db")
            .args(["--no-defaults", user, "--auth-root-authentication-method=normal"])
            .arg(format!("--datadir={}", data.display())));
        // The database of the tests is made by the server itself as it starts.
        let first = folder.path().join("first.sql");
        fs::write(&first, "CREATE DATABASE IF NOT EXISTS bench;\n").unwrap();
        own("mysql", &first);
        let start = {
            let socket = socket.clone();
            move || {
                let mut command = as_user("mysql", &program);
                command.args(["--no-defaults", "--skip-networking", "--innodb-flush-log-at-trx-commit=0"]);
                command.arg(format!("--datadir={}", data.display()));
                command.arg(format!("--socket={}", socket.display()));
                command.arg(format!("--init-file={}", first.display()));
                command
            }
        };
        let url = format!("mysql://root@localhost/bench?socket={}", socket.display());
        let ready = move || {
            let mut command = Command::new("mariadb");
            command.args(["--no-defaults", "-uroot", "-e", "USE bench"]).arg(format!("--socket={}", socket.display()));
            command
        };
        Some(Self::started(folder, url, Box::new(start), Box::new(ready)))
    }

    fn started(folder: TempDir, url: String, start: Box<dyn Fn() -> Command>, ready: Box<dyn Fn() -> Command>) -> Self {
        let mut server = Self { process: None, start, ready, url, folder };
        server.start();
        server
    }

    /// Starts it again after [`Server::stop`].
    pub fn start(&mut self) {
        let log = fs::File::create(self.folder.path().join("log")).unwrap();
        let mut command = (self.start)();
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        self.process = Some(command.spawn().unwrap());
        let begun = Instant::now();
        loop {
            let answer = (self.ready)().stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
            if answer.success() {
                break;
            }
            let log = || fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < PATIENCE, "the server does not answer: {}", log());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends it with this signal: `QUIT` is PostgreSQL's immediate shutdown, `KILL` a crash.
    pub fn stop(&mut self, signal: &str) {
        if let Some(mut process) = self.process.take() {
            let id = process.id().to_string();
            let _ = Command::new("kill").args(["-s", signal, &id]).status();
            let _ = process.wait();
        }
    }

    /// URL of a database in it, with a password that nobody asks for.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// A folder that may be written to.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop("QUIT");
    }
}

fn skipped<T>(package: &str) -> Option<T> {
    eprintln!("skipped: the package {package} is not installed; ./test installs it");
    None
}

/// The folder of the highest version below `parent` that has this file.
fn newest(parent: &str, file: &str) -> Option<PathBuf> {
    let entries = fs::read_dir(parent).ok()?.flatten().map(|entry| entry.path());
    entries.filter(|path| path.join(file).exists()).max_by_key(|path| {
        path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse::<u32>().ok()).unwrap_or(0)
    })
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.starts_with(b"0\n")
}

/// Gives a path to the user under whom a server runs.
fn own(user: &str, path: &Path) {
    if is_root() {
        run(Command::new("chown").arg(user).arg(path));
    }
}

fn folder(user: &str) -> TempDir {
    let folder = tempfile::Builder::new().prefix("vmfit-db-").tempdir().unwrap();
    own(user, folder.path());
    folder
}

/// Servers refuse to run as root: then they run as the user of their package. `setpriv` becomes the program, so that a
/// signal reaches it.
fn as_user(user: &str, program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid", user, "--regid", user, "--clear-groups"]).arg(program).current_dir("/");
    command
}

fn run(command: &mut Command) {
    let done = command.stdin(Stdio::null()).output().unwrap();
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
}
