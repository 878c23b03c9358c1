//! Sends raw bytes to a printer's own port.
//!
//! The operating system buffers bytes long before the printer has them. So bytes count as sent only once the
//! printer's side has acknowledged all of them or has closed the connection cleanly after them. Many printers
//! never close the connection.

use std::io;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, sleep, timeout};

#[cfg(target_os = "linux")]
use super::unacknowledged::unacknowledged;
use super::{Payload, SendError, SendReceipt};
use crate::profile::format_address;

const CONNECT: Duration = Duration::from_secs(5);

/// How long a connection is watched after the last byte was acknowledged, because a printer that drops the job resets
/// the connection.
const RESET: Duration = Duration::from_millis(500);

/// The time between two checks of how many bytes were acknowledged.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

const CHUNK_BYTES: usize = 64 * 1024;

enum ConnectionError {
    /// The printer received nothing more for the whole time limit.
    Stalled,
    /// The printer closed the connection before it had received everything.
    Broken,
}

impl From<Elapsed> for ConnectionError {
    fn from(_: Elapsed) -> Self {
        Self::Stalled
    }
}

impl From<io::Error> for ConnectionError {
    fn from(_: io::Error) -> Self {
        Self::Broken
    }
}

/// Sends the payload. `limit` is the longest time the printer may take to receive the next bytes.
pub(super) async fn send_to_port(
    payload: &Payload,
    host: &str,
    port: u16,
    limit: Duration,
) -> Result<SendReceipt, SendError> {
    let place = format_address(host, port);
    if payload.is_part_of_document() {
        return Err(SendError::WholeDocumentsOnly(place));
    }
    // The end of the connection ends a document, so each copy needs its own connection.
    for time in 0..payload.copies_to_make() {
        let connected = timeout(CONNECT, TcpStream::connect((host, port))).await;
        let Ok(Ok(mut stream)) = connected else {
            return Err(match time {
                0 => SendError::Unreachable(place),
                _ => SendError::Interrupted(place),
            });
        };
        let Err(error) = deliver(&mut stream, &payload.bytes, limit).await else {
            continue;
        };
        // Zero linger discards the unsent bytes. Otherwise the system would go on sending them, and a label might be
        // printed long after the clerk was asked about it. An error means that the connection is already closed.
        drop(stream.set_zero_linger());
        return Err(match error {
            ConnectionError::Stalled => SendError::Stalled {
                place,
                seconds: limit.as_secs(),
            },
            ConnectionError::Broken => SendError::Interrupted(place),
        });
    }
    Ok(SendReceipt::at_printer(None))
}

async fn deliver(
    stream: &mut TcpStream,
    bytes: &[u8],
    limit: Duration,
) -> Result<(), ConnectionError> {
    for piece in bytes.chunks(CHUNK_BYTES) {
        timeout(limit, stream.write_all(piece)).await??;
    }
    stream.shutdown().await?;
    acknowledged(stream, limit).await?;
    is_closed_within(stream, RESET).await?;
    without_error(stream)
}

fn without_error(stream: &TcpStream) -> Result<(), ConnectionError> {
    match stream.take_error()? {
        None => Ok(()),
        Some(_) => Err(ConnectionError::Broken),
    }
}

/// Waits until everything is acknowledged; gives up if nothing more is acknowledged within `limit`.
async fn acknowledged(stream: &mut TcpStream, limit: Duration) -> Result<(), ConnectionError> {
    let (mut fewest, mut since) = (u64::MAX, Instant::now());
    let mut is_closed = false;
    loop {
        match unacknowledged(stream) {
            Ok(0) => return Ok(()),
            Ok(bytes) if bytes < fewest => (fewest, since) = (bytes, Instant::now()),
            // The system gives no number. Then only a clean close proves that the printer has everything.
            Err(_) if is_closed => return without_error(stream),
            Ok(_) | Err(_) => without_error(stream)?,
        }
        if since.elapsed() >= limit {
            return Err(ConnectionError::Stalled);
        }
        if is_closed {
            sleep(POLL_INTERVAL).await;
        } else {
            is_closed = is_closed_within(stream, POLL_INTERVAL).await?;
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn unacknowledged(_stream: &TcpStream) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Waits up to `time` for the printer to close the connection, and returns whether it did. Status messages that some
/// printers send are ignored.
async fn is_closed_within(stream: &mut TcpStream, time: Duration) -> io::Result<bool> {
    let until_end = async {
        let mut word = [0; 64];
        while stream.read(&mut word).await? > 0 {}
        Ok(true)
    };
    timeout(time, until_end).await.unwrap_or(Ok(false))
}
