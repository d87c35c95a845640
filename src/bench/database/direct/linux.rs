//! The driver does not hand out its socket: the system is asked for the one that is new.

use std::collections::BTreeSet;
use std::io;
use std::net::TcpStream;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};

/// Numbers of the sockets of this program.
pub fn sockets() -> BTreeSet<i32> {
    let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let socket = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path()).is_ok_and(|target| target.to_string_lossy().starts_with("socket:"))
    };
    entries.filter(socket).filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Makes the one socket that is new and connected wait in its calls. Of several new ones none is ours for certain.
pub fn wait_in_calls(before: &BTreeSet<i32>, patience: Duration) {
    let mut connected: Vec<Socket> = sockets().difference(before).filter_map(|&number| Socket::of(number)).collect();
    if let (Some(socket), true) = (connected.pop(), connected.is_empty()) {
        // A socket that stays as it was is only slower.
        let _ = socket.wait_in_calls(patience);
    }
}

/// A second handle on a socket of this program; what is set on it holds for both.
enum Socket {
    Unix(UnixStream),
    Tcp(TcpStream),
}

impl Socket {
    /// None for a socket that is connected to nothing with a name.
    fn of(number: i32) -> Option<Self> {
        let duplicate = || -> Option<OwnedFd> {
            let own = pidfd_open(getpid(), PidfdFlags::empty()).ok()?;
            pidfd_getfd(own, number, PidfdGetfdFlags::empty()).ok()
        };
        let unix = UnixStream::from(duplicate()?);
        if unix.peer_addr().is_ok_and(|peer| !peer.is_unnamed()) {
            return Some(Self::Unix(unix));
        }
        let tcp = TcpStream::from(duplicate()?);
        tcp.peer_addr().is_ok().then_some(Self::Tcp(tcp))
    }

    fn wait_in_calls(&self, patience: Duration) -> io::Result<()> {
        match self {
            Self::Unix(socket) => {
                socket.set_read_timeout(Some(patience))?;
                socket.set_nonblocking(false)
            }
            Self::Tcp(socket) => {
                socket.set_read_timeout(Some(patience))?;
                socket.set_nonblocking(false)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn the_one_new_socket_waits_in_its_calls() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let before = sockets();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        stream.set_nonblocking(true).unwrap();
        wait_in_calls(&before, Duration::from_millis(30));
        assert!(stream.read_timeout().unwrap().is_some());
        // Nothing comes: the call ends when its patience does.
        assert_eq!(stream.read(&mut [0]).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        // Of two new ones none is touched.
        let before = sockets();
        let streams = [(); 2].map(|()| TcpStream::connect(listener.local_addr().unwrap()).unwrap());
        wait_in_calls(&before, Duration::from_millis(30));
        for stream in &streams {
            assert_eq!(stream.read_timeout().unwrap(), None);
        }
    }
}
