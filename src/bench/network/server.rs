//! The side that listens: one run at a time, for whoever connects. It sends and takes data that means nothing, and stops
//! when the time that was asked for is over.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

use super::protocol::{Answer, Asked, Direction, Line, Report, STREAM, TALK, VERSION};
use super::{BLOCK, MOST_RATIO, MOST_STREAMS, data};
use crate::bench::clock::SystemClock;
use crate::bench::contention::Watch;
use crate::bench::control::Control;
use crate::bench::error::{BenchError, Doing};

/// Longest run that is served.
const MOST_SECONDS: f64 = 3600.0;
/// A side that says nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a waiting server looks whether it shall end.
const PACE: Duration = Duration::from_millis(50);

/// A server that listens.
pub struct Serve {
    listener: TcpListener,
}

/// One run that was served.
#[derive(Clone, Debug, PartialEq)]
pub struct Served {
    pub peer: SocketAddr,
    pub direction: &'static str,
    pub streams: u32,
    pub bytes: u64,
    pub cpu_percent: Option<f64>,
}

impl Serve {
    /// # Errors
    /// An address that is none or cannot be had.
    pub fn bind(address: &str) -> Result<Self, BenchError> {
        let listener = TcpListener::bind(address).doing(|| format!("--serve {address}"))?;
        listener.set_nonblocking(true).doing(|| format!("--serve {address}"))?;
        Ok(Self { listener })
    }

    /// # Errors
    /// What the system says.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until it is cancelled. What goes wrong in a run ends that run only.
    ///
    /// # Errors
    /// A socket that broke.
    pub fn run(&self, control: &Control, mut served: impl FnMut(&Served)) -> Result<(), BenchError> {
        while !control.is_cancelled() {
            if let Some((stream, peer)) = self.accept(PACE).doing(|| "--serve".to_owned())?
                && let Ok(one) = self.talk(stream, peer, control)
            {
                served(&one);
            }
        }
        Ok(())
    }

    /// A connection, or none within the time.
    fn accept(&self, patience: Duration) -> io::Result<Option<(TcpStream, SocketAddr)>> {
        let began = Instant::now();
        loop {
            match self.listener.accept() {
                Ok((stream, peer)) => {
                    stream.set_nonblocking(false)?;
                    stream.set_read_timeout(Some(PATIENCE))?;
                    stream.set_write_timeout(Some(PATIENCE))?;
                    return Ok(Some((stream, peer)));
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if began.elapsed() >= patience {
                        return Ok(None);
                    }
                    std::thread::sleep(Duration::from_millis(1));
                }
                // A connection that broke before it was taken is no reason to stop.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn talk(&self, mut stream: TcpStream, peer: SocketAddr, control: &Control) -> io::Result<Served> {
        let mut kind = [0];
        stream.read_exact(&mut kind)?;
        if kind[0] != TALK {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut line = Line::new(stream);
        let asked: Asked = line.hear()?;
        if let Err(why) = check(&asked) {
            line.say(&Answer::Refused(why.clone()))?;
            return Err(io::Error::other(why));
        }
        let token = fastrand::u64(..);
        line.say(&Answer::Token(token))?;
        let mut streams = Vec::new();
        let began = Instant::now();
        while streams.len() < asked.streams as usize {
            if began.elapsed() > PATIENCE || control.is_cancelled() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            if let Some((stream, _)) = self.accept(PACE)?
                && let Some(stream) = joined(stream, token)
            {
                streams.push(stream);
            }
        }
        let watch = Watch::start(&SystemClock::new());
        let sample = data::block(BLOCK, asked.compressible, 2);
        let until = Instant::now() + Duration::from_secs_f64(asked.seconds) + PATIENCE;
        let bytes = std::thread::scope(|scope| {
            let work = |stream| exchange(stream, asked.direction, &sample, until, control);
            let threads: Vec<_> = streams.into_iter().map(|stream| scope.spawn(move || work(stream))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or(0)).sum()
        });
        let report = Report { bytes, cpu_percent: watch.stop(&[]).cpu_percent };
        line.say(&report)?;
        let direction = asked.direction.name();
        Ok(Served { peer, direction, streams: asked.streams, bytes, cpu_percent: report.cpu_percent })
    }
}

fn check(asked: &Asked) -> Result<(), String> {
    let Asked { version, streams, seconds, compressible, .. } = *asked;
    if version != VERSION {
        return Err(format!("the server speaks version {VERSION}, not {version}: use the same vmfit on both sides"));
    }
    let fits = (1..=MOST_STREAMS).contains(&streams)
        && (0.0..=MOST_SECONDS).contains(&seconds)
        && (1.0..=MOST_RATIO).contains(&compressible);
    if fits { Ok(()) } else { Err(format!("the server takes 1 to {MOST_STREAMS} streams and 0 to {MOST_SECONDS} s")) }
}

/// The stream, if it belongs to this run.
fn joined(mut stream: TcpStream, token: u64) -> Option<TcpStream> {
    let mut greeting = [0; 9];
    stream.read_exact(&mut greeting).ok()?;
    let (kind, number) = greeting.split_first()?;
    (*kind == STREAM && number == token.to_le_bytes()).then_some(stream)
}

/// Takes or sends until the other side ends the stream.
fn exchange(mut stream: TcpStream, direction: Direction, sample: &[u8], until: Instant, control: &Control) -> u64 {
    let mut buffer = vec![0; BLOCK];
    let mut bytes = 0;
    while Instant::now() < until && !control.is_cancelled() {
        let done = match direction {
            Direction::ToServer => stream.read(&mut buffer),
            Direction::FromServer => stream.write(sample),
        };
        match done {
            Ok(0) | Err(_) => break,
            Ok(more) => bytes += more as u64,
        }
    }
    bytes
}
