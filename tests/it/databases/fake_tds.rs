//! `bench oltp` against an endpoint that speaks as much TDS as a login, batches and calls need ([MS-TDS]): connection,
//! login, errors, retries and the end of a server are tested with it. It is no SQL Server: what a statement means is not.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use vmfit::bench::Control;
use vmfit::bench::oltp::{Mix, Options};
use vmfit::bench::result::Ended;

use super::oltp;

const PRELOGIN: u8 = 0x12;
const LOGIN: u8 = 0x10;
const RESULT: u8 = 0x04;

/// What the endpoint does beside answering.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    Obliging,
    /// Refuses the login.
    Refuses,
    /// Every so many selects are chosen as the victim of a deadlock.
    Deadlocks,
    /// Hangs up after some selects.
    Dies,
}

struct Endpoint {
    port: u16,
    /// Requests as text.
    asked: Arc<Mutex<Vec<String>>>,
}

impl Endpoint {
    fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let selects = Arc::new(AtomicUsize::new(0));
        let log = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, selects) = (Arc::clone(&log), Arc::clone(&selects));
                std::thread::spawn(move || serve(stream, manner, &log, &selects));
            }
        });
        Self { port, asked }
    }

    fn options(&self, mix: Mix) -> Options {
        let mut options = oltp(&format!("mssql://me:s3cret@127.0.0.1:{}/shop?encrypt=none", self.port), mix);
        options.common.warm_up = Duration::ZERO;
        options
    }
}

/// One message of one or several packets: its type and what it holds; none when the client hangs up.
fn message(stream: &mut TcpStream) -> Option<(u8, Vec<u8>)> {
    let mut all = Vec::new();
    loop {
        let mut head = [0; 8];
        stream.read_exact(&mut head).ok()?;
        let mut body = vec![0; usize::from(u16::from_be_bytes([head[2], head[3]])) - 8];
        stream.read_exact(&mut body).ok()?;
        all.extend(body);
        if head[1] & 1 == 1 {
            return Some((head[0], all));
        }
    }
}

fn send(stream: &mut TcpStream, body: &[u8]) -> Option<()> {
    let length = u16::try_from(body.len() + 8).unwrap().to_be_bytes();
    let mut packet = vec![RESULT, 1, length[0], length[1], 0, 0, 1, 0];
    packet.extend(body);
    stream.write_all(&packet).ok()
}

fn utf16(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

fn done(rows: u64) -> Vec<u8> {
    let mut token = vec![0xFD, 0x10, 0, 0, 0];
    token.extend(rows.to_le_bytes());
    token
}

fn error(number: u32, text: &str) -> Vec<u8> {
    let mut body = number.to_le_bytes().to_vec();
    body.extend([1, 14]);
    body.extend(u16::try_from(text.len()).unwrap().to_le_bytes());
    body.extend(utf16(text));
    body.extend([0, 0]);
    body.extend(1_u32.to_le_bytes());
    let mut token = vec![0xAA];
    token.extend(u16::try_from(body.len()).unwrap().to_le_bytes());
    token.extend(body);
    token.extend([0xFD, 2, 0, 0, 0]);
    token.extend(0_u64.to_le_bytes());
    token
}

/// A row of one integer.
fn number(value: i32) -> Vec<u8> {
    let mut token = vec![0x81, 1, 0, 0, 0, 0, 0, 0, 0, 0x38, 0];
    token.push(0xD1);
    token.extend(value.to_le_bytes());
    token.extend(done(1));
    token
}

fn login_ack() -> Vec<u8> {
    let name = utf16("Fake");
    let mut body = vec![1, 0x74, 0, 0, 4, 4];
    body.extend(name);
    body.extend([16, 0, 0, 0]);
    let mut token = vec![0xAD];
    token.extend(u16::try_from(body.len()).unwrap().to_le_bytes());
    token.extend(body);
    token.extend(done(0));
    token
}

/// Every printable character of a request, whatever stands between: enough to know what was asked.
fn text(body: &[u8]) -> String {
    body.iter().filter(|byte| (0x20..0x7F).contains(*byte)).map(|&byte| char::from(byte)).collect()
}

fn serve(mut stream: TcpStream, manner: Manner, log: &Mutex<Vec<String>>, selects: &AtomicUsize) -> Option<()> {
    stream.set_nodelay(true).ok()?;
    loop {
        let (kind, body) = message(&mut stream)?;
        let answer = match kind {
            // Version and encryption: not supported.
            PRELOGIN => vec![0, 0, 11, 0, 6, 1, 0, 17, 0, 1, 0xFF, 16, 0, 0, 0, 0, 0, 2],
            LOGIN if manner == Manner::Refuses => {
                send(&mut stream, &error(18456, "Login failed for user 'me'."))?;
                return None;
            }
            LOGIN => login_ack(),
            _ => {
                let asked = text(&body);
                let answer = if asked.contains("sp_getapplock") {
                    number(1)
                } else if asked.contains("COUNT(*)") {
                    number(0)
                } else if asked.contains("SELECT c FROM") {
                    let number = selects.fetch_add(1, Ordering::SeqCst);
                    match manner {
                        Manner::Deadlocks if number % 10 == 9 => error(1205, "chosen as the deadlock victim"),
                        Manner::Dies if number >= 50 => return None,
                        _ => done(0),
                    }
                } else {
                    done(1)
                };
                log.lock().unwrap().push(asked);
                answer
            }
        };
        send(&mut stream, &answer)?;
    }
}

#[test]
fn batches_are_counted() {
    let endpoint = Endpoint::start(Manner::Obliging);
    let result = endpoint.options(Mix::ReadWrite).run(&Control::silent()).unwrap();
    assert_eq!(result.ended, Ended::Complete, "{:?}", result.warnings);
    let sent = result.details["batch_requests_per_s"].as_f64().unwrap() * result.duration_s;
    assert_eq!(sent.round() as u64, 20 * result.events);
    assert!(result.details.contains_key("batch_requests_per_s_per_cpu_percent"));
    assert_eq!(result.parameters["database"], format!("mssql://me:***@127.0.0.1:{}/shop?encrypt=none", endpoint.port));
    let asked = endpoint.asked.lock().unwrap();
    for text in [
        "CREATE TABLE vmfit_sbtest1 (id INTEGER NOT NULL PRIMARY KEY",
        "INSERT INTO vmfit_sbtest1 (id, k, c, pad) VALUES (1,",
        "CREATE INDEX vmfit_sbtest1_k ON vmfit_sbtest1 (k)",
        "BEGIN TRANSACTION",
        "SELECT DISTINCT c FROM vmfit_sbtest1 WHERE id BETWEEN @P1 AND @P2 ORDER BY c",
        "COMMIT TRANSACTION",
        "DROP TABLE IF EXISTS vmfit_sbtest1",
        "DROP TABLE IF EXISTS vmfit_tables",
    ] {
        assert!(asked.iter().any(|request| request.contains(text)), "{text}");
    }
}

#[test]
fn a_refused_login_is_told() {
    let endpoint = Endpoint::start(Manner::Refuses);
    let error = endpoint.options(Mix::ReadOnly).run(&Control::silent()).unwrap_err().to_string();
    assert!(error.contains("Login failed for user 'me'. (error 18456)"), "{error}");
    assert!(!error.contains("s3cret"), "{error}");
}

#[test]
fn a_deadlock_is_done_again() {
    let endpoint = Endpoint::start(Manner::Deadlocks);
    let result = endpoint.options(Mix::PointSelect).run(&Control::silent()).unwrap();
    assert_eq!((result.ended, result.errors), (Ended::Complete, 0), "{:?}", result.warnings);
    assert!(result.details["retries"]["deadlock"].as_u64().unwrap() > 0, "{:?}", result.details);
    let asked = endpoint.asked.lock().unwrap();
    assert!(asked.iter().any(|request| request.contains("IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION")));
}

#[test]
fn a_server_that_hangs_up_in_the_middle_leaves_a_partial_result() {
    let endpoint = Endpoint::start(Manner::Dies);
    let result = endpoint.options(Mix::PointSelect).run(&Control::silent()).unwrap();
    assert_eq!((result.ended, result.valid), (Ended::Failed, false));
    assert!((1..=50).contains(&result.events), "{}", result.events);
    assert!(!result.warnings.is_empty());
}
