//! Waiting for an answer in the call that receives it. The runtime waits with epoll, whose wake-up does not tell the
//! scheduler that the server is about to sleep: the thread of the load is then woken on another processor, late when that
//! one is busy, and each answer costs two calls more. A thread that has one connection and nothing else to do may as well
//! wait in the call, as the C libraries of the servers do. The driver does not notice: its socket merely never says that it
//! would block. After [`PATIENCE`] it does say so and the runtime waits as usual, so that a run can be given up.

use std::future::Future;
use std::time::Duration;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;

#[cfg(not(target_os = "linux"))]
mod other;
#[cfg(not(target_os = "linux"))]
use other as system;

/// How long a receiving call waits.
const PATIENCE: Duration = Duration::from_secs(1);

/// One connection is made at a time, so that its socket is the one that is new.
static TURN: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// Connects, and lets the connection's socket wait in its calls. Where the socket cannot be told from others, it stays as it
/// is: only slower.
pub async fn connected<T, E>(connect: impl Future<Output = Result<T, E>>) -> Result<T, E> {
    let _turn = TURN.lock().await;
    let before = system::sockets();
    let connection = connect.await?;
    system::wait_in_calls(&before, PATIENCE);
    Ok(connection)
}
