//! The running server: a bound address first, then requests until it is told to stop.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use super::router::router;
use super::state::{AppState, Patience};

/// How long requests under way may take once the server is told to stop.
const LAST_REQUESTS: Duration = Duration::from_secs(10);
/// How long no connection is accepted after one could not be.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// How often the times of requests are sorted into their buckets.
const UPKEEP: Duration = Duration::from_secs(5);

/// A server that has its address and waits to be run.
pub struct Server {
    listener: TcpListener,
    state: AppState,
}

/// How a server ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Served {
    /// Every request was answered.
    AllAnswered,
    /// Some were not answered within `LAST_REQUESTS`.
    BrokenOff,
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// When the address is in use or not of this machine.
    pub async fn bind(address: SocketAddr, state: AppState) -> io::Result<Self> {
        Ok(Self { listener: TcpListener::bind(address).await?, state })
    }

    /// The address with its real port.
    ///
    /// # Errors
    /// When the system does not tell it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Answers requests until `stop` is done, then those under way, then closes the store.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Served {
        let Self { listener, state } = self;
        let router = router(state.clone());
        let upkeep = tokio::spawn({
            let metrics = state.metrics.clone();
            async move {
                loop {
                    tokio::time::sleep(UPKEEP).await;
                    metrics.upkeep();
                }
            }
        });
        let connections = GracefulShutdown::new();
        tokio::pin!(stop);
        loop {
            tokio::select! {
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => serve(stream, router.clone(), state.patience, &connections),
                    // Such as too many open files: closing connections makes room again.
                    Err(error) => {
                        tracing::warn!(%error, "no connection accepted");
                        tokio::time::sleep(ACCEPT_PAUSE).await;
                    }
                },
                () = &mut stop => break,
            }
        }
        drop(listener);
        // Streams end, and a benchmark that is under way takes its files away.
        state.stopping.cancel();
        let runs = state.runs.clone().map(|runs| tokio::task::spawn_blocking(move || runs.stop()));
        let served = tokio::select! {
            () = connections.shutdown() => Served::AllAnswered,
            () = tokio::time::sleep(LAST_REQUESTS) => Served::BrokenOff,
        };
        if let Some(runs) = runs
            && tokio::time::timeout(LAST_REQUESTS, runs).await.is_err()
        {
            tracing::warn!("a benchmark did not end in time");
        }
        upkeep.abort();
        state.store.close().await;
        served
    }
}

/// Answers what comes over one connection.
fn serve(stream: TcpStream, router: Router, patience: Patience, connections: &GracefulShutdown) {
    // An answer is one small write: it must not wait for the client's acknowledgement of the one before.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "TCP_NODELAY");
    }
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.head)
        .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let connection = connections.watch(connection);
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "connection");
        }
    });
}
