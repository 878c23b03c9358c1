//! Allows only one running program for each data folder: by a file lock that ends with the process, and a
//! local port at which a second start announces itself.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use crate::config::write_private;

/// The lock on the data folder. The lock lasts until this value is dropped or the process ends in any way.
#[derive(Debug)]
pub struct SingleInstance {
    _lock: File,
    listener: TcpListener,
}

/// Reasons why the lock was not taken.
#[derive(Debug, thiserror::Error)]
pub enum SecondStart {
    /// Another program runs on this data folder. That program was asked to bring its window to the front.
    #[error("Packbench is already open on this computer")]
    Running,
    #[error("the data folder can't be locked ({0})")]
    Unlockable(io::ErrorKind),
}

const GREETING: &[u8] = b"packbench\n";

impl From<io::Error> for SecondStart {
    fn from(error: io::Error) -> Self {
        Self::Unlockable(error.kind())
    }
}

fn lock(path: &Path) -> Result<File, SecondStart> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(SecondStart::Running),
        Err(TryLockError::Error(error)) => Err(error.into()),
    }
}

impl SingleInstance {
    /// Takes the lock, or announces this start to the program that holds it.
    pub fn take(path: &Path) -> Result<Self, SecondStart> {
        let file = lock(path).inspect_err(|error| {
            if matches!(error, SecondStart::Running)
                && let Err(error) = notify_running_instance(path)
            {
                tracing::warn!(kind = ?error.kind(), "the open Packbench does not answer");
            }
        })?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        write_private(&port_file(path), port.to_string().as_bytes())?;
        Ok(Self {
            _lock: file,
            listener,
        })
    }

    /// Returns an error if a program runs on this data folder, which does not notice, or if the folder can't be locked.
    pub(super) fn check(path: &Path) -> Result<(), SecondStart> {
        lock(path).map(drop)
    }

    /// Calls `on_second_start` for every second start, for as long as the runtime lives.
    pub(super) fn listen(&self, runtime: &Handle, on_second_start: Arc<dyn Fn() + Send + Sync>) {
        let Ok(listener) = self.listener.try_clone() else {
            return;
        };
        if listener.set_nonblocking(true).is_err() {
            return;
        }
        runtime.spawn(async move {
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
                return;
            };
            loop {
                match listener.accept().await {
                    // Each connection has its own task, so that a silent connection does not delay the next.
                    Ok((stream, _)) => {
                        tokio::spawn(answer_second_start(stream, Arc::clone(&on_second_start)));
                    }
                    // Too many connections are open. Silent connections are closed after a second.
                    Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
                }
            }
        });
    }
}

/// Answers a second start of the program. Drops a connection that sends nothing within a second.
async fn answer_second_start(
    mut stream: tokio::net::TcpStream,
    on_second_start: Arc<dyn Fn() + Send + Sync>,
) {
    let mut greeting = [0; GREETING.len()];
    let read = tokio::io::AsyncReadExt::read_exact(&mut stream, &mut greeting);
    let received = tokio::time::timeout(Duration::from_secs(1), read).await;
    if matches!(received, Ok(Ok(_))) && greeting == *GREETING {
        on_second_start();
        // The second start exits once it has the answer. If it has already exited, nothing is lost.
        let _sent = tokio::io::AsyncWriteExt::write_all(&mut stream, GREETING).await;
    }
}

/// Returns the path of the file with the port. It is not the lock file itself, because on Windows nobody else can
/// read a locked file.
fn port_file(lock: &Path) -> PathBuf {
    lock.with_extension("port")
}

/// Announces this start at the port of the program that holds the lock, and waits for its answer.
fn notify_running_instance(lock: &Path) -> io::Result<()> {
    const PATIENCE: Duration = Duration::from_secs(1);
    let port = fs::read_to_string(port_file(lock))?;
    let port: u16 = port.trim().parse().map_err(io::Error::other)?;
    let there = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let mut stream = TcpStream::connect_timeout(&there, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(GREETING)?;
    stream.read_exact(&mut [0; GREETING.len()])
}
