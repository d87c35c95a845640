//! `network`: TCP streams between two machines, first to the server, then from it. An event is a block of 128 KiB handed to
//! or taken from the system. Data can be made compressible, for links and filters that compress.

mod data;
mod protocol;
mod server;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::Duration;

use serde_json::json;

use super::clock::{Clock, NANOS};
use super::common::Common;
use super::contention::Needs;
use super::control::Control;
use super::environment;
use super::error::{BenchError, Doing, Mistakes};
use super::os::{self, ThreadUsage};
use super::record::Recorder;
use super::result::{BenchResult, Better, Ended, Operation, Score};
use super::runner::{LoadThread, nanos, run_threads};
use super::session::{Measured, Plan, Session};

use protocol::{Asked, Direction, Report};

pub use server::{Serve, Served};

/// Options of the connecting side. `common.threads` is the number of streams.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    pub common: Common,
    /// Address and port of the server.
    pub connect: String,
    /// How much smaller the data becomes when it is compressed; 1 is not at all.
    pub compressible: f64,
}

const MOST_STREAMS: u32 = 64;
const MOST_RATIO: f64 = 100.0;
const MB: f64 = 1e6;

/// Bytes of an event.
pub const BLOCK: usize = 128 << 10;

/// Longest wait for the other side.
const PATIENCE: Duration = Duration::from_secs(10);

impl Network {
    /// Runs the benchmark: to the server, then from it.
    ///
    /// # Errors
    /// Options that cannot be; no server there, or one of another version.
    pub fn run(&self, clock: &impl Clock, control: &Control) -> Result<BenchResult, BenchError> {
        let mut mistakes = Mistakes::default();
        self.common.check(&mut mistakes);
        let (streams, ratio) = (self.common.threads, self.compressible);
        mistakes.unless(streams <= MOST_STREAMS, || format!("--streams {streams}: allowed is 1 to {MOST_STREAMS}"));
        mistakes.unless((1.0..=MOST_RATIO).contains(&ratio), || {
            format!("--compressible {ratio}: allowed is 1 to {MOST_RATIO}")
        });
        mistakes.done()?;
        let (mut result, sent) = self.direction(clock, control, Direction::ToServer)?;
        result.operations.push(sent);
        if result.ended == Ended::Complete {
            match self.direction(clock, control, Direction::FromServer) {
                Ok((back, received)) => {
                    result.operations.push(received);
                    result.valid &= back.valid;
                    result.warnings.extend(back.warnings.iter().map(|warning| format!("from the server: {warning}")));
                    result.ended = back.ended;
                }
                Err(error) => {
                    result.ended = if control.is_cancelled() { Ended::Cancelled } else { Ended::Failed };
                    result.invalidate(format!("from the server: {error}"));
                }
            }
        }
        Ok(result)
    }

    fn direction(
        &self,
        clock: &impl Clock,
        control: &Control,
        direction: Direction,
    ) -> Result<(BenchResult, Operation), BenchError> {
        let common = self.common;
        let plan = Plan {
            mode: "network",
            parameters: common.parameters(json!({
                "connect": self.connect,
                "streams": common.threads,
                "compressible": self.compressible,
                "block_bytes": BLOCK,
            })),
            environment: environment::detect(),
            threads: common.threads,
            repeat: common.repeat,
            better: Better::Higher,
            needs: Needs::QuietMachine,
            outstanding: None,
        };
        let mut session = Session::new(plan, control, clock);
        let (mut bytes, mut wire, mut far_cpu) = (0, Some(0_u64), Vec::new());
        while session.goes_on() {
            let one = self.window(&mut session, clock, control, direction)?;
            bytes += one.bytes;
            wire = wire.zip(one.wire).map(|(sum, more)| sum + more);
            far_cpu.extend(one.far.and_then(|far| far.cpu_percent));
        }
        let mut result = session.finish()?;
        let mb_s = bytes as f64 / MB / result.duration_s.max(1e-9);
        let cpu = result.cpu_percent;
        result.score = Some(Score { name: "throughput".to_owned(), value: mb_s, unit: "MB/s".to_owned() });
        let far = (!far_cpu.is_empty()).then(|| super::statistics::mean(&far_cpu));
        let name = direction.name();
        let seconds = result.duration_s.max(1e-9);
        result.details.insert("wire_mb_s".to_owned(), json!(wire.map(|bytes| bytes as f64 / MB / seconds)));
        result.details.insert("server_cpu_percent".to_owned(), json!(far));
        let mut operation = Operation {
            name: name.to_owned(),
            events: result.events,
            events_per_s: Some(result.events_per_s),
            latency_ms: result.latency_ms,
            duration_s: Some(result.duration_s),
            mb_s: Some(mb_s),
            cpu_percent: cpu,
            ..Operation::default()
        };
        operation.mb_s_per_cpu_percent = cpu.filter(|&cpu| cpu > 0.0).map(|cpu| mb_s / cpu);
        Ok((result, operation))
    }

    fn window(
        &self,
        session: &mut Session<'_>,
        clock: &impl Clock,
        control: &Control,
        direction: Direction,
    ) -> Result<Window, BenchError> {
        let told = || format!("--connect {}", self.connect);
        let limits = self.common.limits();
        let asked = Asked {
            version: protocol::VERSION,
            direction,
            streams: self.common.threads,
            seconds: (limits.warm_up + self.common.time).as_secs_f64(),
            compressible: self.compressible,
        };
        let (mut line, token) = protocol::ask(&self.connect, &asked, PATIENCE)?;
        let connect = |_| protocol::join(&self.connect, token, PATIENCE);
        let sample = data::block(BLOCK, self.compressible, 1);
        let wire_before = Mutex::new(None);
        let body = |thread: &LoadThread<'_, _>, stream: TcpStream| {
            if thread.number == 0
                && let Ok(mut before) = wire_before.lock()
            {
                *before = os::network_bytes(protocol::is_loopback(&stream));
            }
            stream_blocks(thread, stream, direction, &sample)
        };
        let load = run_threads(session, clock, control, self.common.threads, limits, connect, body)?;
        let after = os::network_bytes(line.is_loopback());
        let before = wire_before.into_inner().ok().flatten();
        let begun = load.window_start_ns;
        let ended = load.outcomes.iter().map(|outcome| outcome.ended_ns).max().unwrap_or(begun);
        let total: u64 = load.outcomes.iter().map(|outcome| outcome.all_bytes).sum();
        let counted: u64 = load.outcomes.iter().map(|outcome| outcome.bytes).sum();
        let wire = before.zip(after).map(|(before, after)| match direction {
            Direction::ToServer => after.sent.saturating_sub(before.sent),
            Direction::FromServer => after.received.saturating_sub(before.received),
        });
        // The counters saw the warm-up too.
        let wire = wire.map(|wire| (wire as f64 * counted as f64 / (total.max(1)) as f64) as u64);
        let far = line.report().doing(told);
        let mut measured = Measured {
            duration_ns: ended.saturating_sub(begun),
            failure: load.failure.map(|f| f.to_string()),
            ..Measured::default()
        };
        for outcome in load.outcomes {
            measured.recorders.push(outcome.recorder);
            measured.threads.push(outcome.usage);
        }
        if let (Err(error), None) = (&far, &measured.failure)
            && !control.is_cancelled()
        {
            measured.warnings.push(error.to_string());
        }
        session.close(load.watch, measured);
        Ok(Window { bytes: counted, wire, far: far.ok() })
    }
}

struct Window {
    bytes: u64,
    wire: Option<u64>,
    far: Option<Report>,
}

struct StreamOutcome {
    recorder: Recorder,
    usage: ThreadUsage,
    bytes: u64,
    all_bytes: u64,
    ended_ns: u64,
}

/// Sends or takes blocks until the time is over.
fn stream_blocks<C: Clock>(
    thread: &LoadThread<'_, C>,
    mut stream: TcpStream,
    direction: Direction,
    sample: &[u8],
) -> StreamOutcome {
    let clock = thread.clock();
    let start = thread.window_start_ns();
    let end = start.saturating_add(thread.limits().time.map_or(10 * NANOS, nanos));
    let mut buffer = vec![0; BLOCK];
    let mut outcome = StreamOutcome {
        recorder: Recorder::new(start),
        usage: ThreadUsage::default(),
        bytes: 0,
        all_bytes: 0,
        ended_ns: start,
    };
    let before = os::thread_usage();
    let mut begun = clock.now_ns();
    while begun < end && !thread.ends() {
        let done = match direction {
            Direction::ToServer => stream.write_all(sample).map(|()| sample.len()),
            Direction::FromServer => stream.read(&mut buffer),
        };
        let now = clock.now_ns();
        match done {
            Ok(0) => break,
            Ok(bytes) => {
                outcome.all_bytes += bytes as u64;
                if begun >= start {
                    outcome.recorder.record(begun, now);
                    outcome.bytes += bytes as u64;
                    outcome.ended_ns = now;
                }
                thread.counter().fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
            Err(error) => {
                thread.fail(BenchError::failed("network stream", error));
                break;
            }
        }
        begun = now;
    }
    outcome.usage = os::thread_usage().since(&before);
    // The server counts until the stream ends; what it still sends is of no interest.
    let _ = stream.shutdown(std::net::Shutdown::Both);
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(connect: String) -> Network {
        let common =
            Common { threads: 2, time: Duration::from_millis(60), warm_up: Duration::from_millis(10), repeat: 1 };
        Network { common, connect, compressible: 2.0 }
    }

    #[test]
    fn both_directions_and_the_cpu_of_the_far_end() {
        let control = Control::silent();
        let serve = Serve::bind("127.0.0.1:0").unwrap();
        let address = serve.address().unwrap().to_string();
        let server_control = control.clone();
        let server = std::thread::spawn(move || {
            let mut served = Vec::new();
            serve.run(&server_control, |one| served.push(one.clone())).map(|()| served)
        });
        let result = mode(address).run(&super::super::clock::SystemClock::new(), &Control::silent()).unwrap();
        control.cancel();
        let served = server.join().unwrap().unwrap();
        assert_eq!(result.ended, Ended::Complete, "{:?}", result.warnings);
        assert_eq!(
            result.operations.iter().map(|op| op.name.as_str()).collect::<Vec<_>>(),
            ["to_server", "from_server"]
        );
        assert!(result.operations.iter().all(|op| op.mb_s > Some(0.0)));
        assert_eq!(served.len(), 2);
        assert!(served.iter().all(|one| one.bytes > 0));
    }

    #[test]
    fn nobody_there_is_one_clear_error() {
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let error =
            mode(free.to_string()).run(&super::super::clock::SystemClock::new(), &Control::silent()).unwrap_err();
        assert!(!error.is_usage() && error.to_string().starts_with("--connect 127.0.0.1:"), "{error}");
        let wrong = Network { compressible: 0.5, ..mode("x".to_owned()) };
        assert!(wrong.run(&super::super::clock::SystemClock::new(), &Control::silent()).unwrap_err().is_usage());
    }
}
