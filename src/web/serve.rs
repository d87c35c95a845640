//! The running server: a bound address first, then requests until it is told to stop.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::serve::ListenerExt as _;
use tokio::net::TcpListener;

use super::router::router;
use super::state::AppState;

/// How long requests under way may take once the server is told to stop.
const LAST_REQUESTS: Duration = Duration::from_secs(10);
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
    ///
    /// # Errors
    /// When the listener fails.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<Served> {
        let Self { listener, state } = self;
        let upkeep = tokio::spawn({
            let metrics = state.metrics.clone();
            async move {
                loop {
                    tokio::time::sleep(UPKEEP).await;
                    metrics.upkeep();
                }
            }
        });
        // An answer is one small write: it must not wait for the client's acknowledgement of the one before.
        let listener = listener.tap_io(|stream| {
            if let Err(error) = stream.set_nodelay(true) {
                tracing::debug!(%error, "TCP_NODELAY");
            }
        });
        let (told, stopping) = tokio::sync::oneshot::channel();
        let stop = async move {
            stop.await;
            // The receiver is gone only when the server has ended by itself.
            let _ = told.send(());
        };
        let serve = axum::serve(listener, router(state.clone())).with_graceful_shutdown(stop);
        let deadline = async {
            if stopping.await.is_err() {
                std::future::pending::<()>().await;
            }
            tokio::time::sleep(LAST_REQUESTS).await;
        };
        let served = tokio::select! {
            result = serve => result.map(|()| Served::AllAnswered),
            () = deadline => Ok(Served::BrokenOff),
        };
        upkeep.abort();
        state.store.close().await;
        served
    }
}
