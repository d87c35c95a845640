//! What the two sides say to each other: lines of JSON on a connection of their own, and a number at the start of each
//! stream.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bench::error::{BenchError, Doing};

pub const VERSION: u32 = 1;

/// Longest line that is read: nobody makes the other side keep more.
const MOST_LINE: u64 = 4096;

/// First byte of a connection: a talk, or a stream.
pub const TALK: u8 = b'V';
pub const STREAM: u8 = b'S';

/// Which way the data goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    ToServer,
    FromServer,
}

impl Direction {
    pub const fn name(self) -> &'static str {
        match self {
            Self::ToServer => "to_server",
            Self::FromServer => "from_server",
        }
    }
}

/// What the connecting side asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    pub version: u32,
    pub direction: Direction,
    pub streams: u32,
    pub seconds: f64,
    pub compressible: f64,
}

/// What the server answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Answer {
    /// Streams begin with this number.
    Token(u64),
    Refused(String),
}

/// What the server saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub bytes: u64,
    pub cpu_percent: Option<f64>,
}

/// A connection on which lines are said.
pub struct Line {
    stream: BufReader<TcpStream>,
}

impl Line {
    pub fn new(stream: TcpStream) -> Self {
        Self { stream: BufReader::new(stream) }
    }

    /// # Errors
    /// A connection that broke.
    pub fn say(&mut self, what: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(what)?;
        line.push(b'\n');
        self.stream.get_mut().write_all(&line)
    }

    /// # Errors
    /// A connection that broke, a line that is too long or not what was expected.
    pub fn hear<T: for<'a> Deserialize<'a>>(&mut self) -> io::Result<T> {
        let mut line = Vec::new();
        self.stream.by_ref().take(MOST_LINE).read_until(b'\n', &mut line)?;
        Ok(serde_json::from_slice(&line)?)
    }

    /// What the server saw; it tells when the streams have ended.
    ///
    /// # Errors
    /// As [`Line::hear`].
    pub fn report(&mut self) -> io::Result<Report> {
        self.hear()
    }

    pub fn is_loopback(&self) -> bool {
        is_loopback(self.stream.get_ref())
    }
}

/// Whether both ends are this machine.
pub fn is_loopback(stream: &TcpStream) -> bool {
    stream.peer_addr().is_ok_and(|peer| peer.ip().is_loopback())
}

fn connect(address: &str, patience: Duration) -> Result<TcpStream, BenchError> {
    let told = || format!("--connect {address}");
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for candidate in address.to_socket_addrs().doing(told)? {
        match TcpStream::connect_timeout(&candidate, patience) {
            Ok(stream) => {
                for set in [stream.set_read_timeout(Some(patience)), stream.set_write_timeout(Some(patience))] {
                    set.doing(told)?;
                }
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(BenchError::failed(told(), last))
}

/// Asks the server for a run.
///
/// # Errors
/// No server there, or one that refuses.
pub fn ask(address: &str, asked: &Asked, patience: Duration) -> Result<(Line, u64), BenchError> {
    let told = || format!("--connect {address}");
    let mut stream = connect(address, patience)?;
    stream.write_all(&[TALK]).doing(told)?;
    let mut line = Line::new(stream);
    line.say(asked).doing(told)?;
    match line.hear().doing(|| format!("{}: no vmfit answers there", told()))? {
        Answer::Token(token) => Ok((line, token)),
        Answer::Refused(why) => Err(BenchError::Other(format!("{}: {why}", told()))),
    }
}

/// Opens a stream of a run.
///
/// # Errors
/// A server that does not take it.
pub fn join(address: &str, token: u64, patience: Duration) -> Result<TcpStream, BenchError> {
    let mut stream = connect(address, patience)?;
    let mut greeting = vec![STREAM];
    greeting.extend(token.to_le_bytes());
    stream.write_all(&greeting).doing(|| format!("--connect {address}"))?;
    Ok(stream)
}
