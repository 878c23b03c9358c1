//! Sends raw bytes to a printer's own port.
//!
//! The operating system buffers bytes long before the printer has them. So bytes count as sent only once the
//! printer's side has acknowledged all of them or has closed the connection cleanly after them. Many printers
//! never close the connection.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, sleep, timeout};

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
    let (mut is_closed, mut gone) = (false, 0);
    loop {
        match outstanding(stream).await {
            Outstanding::Bytes(0) => return Ok(()),
            Outstanding::Bytes(bytes) if bytes < fewest => {
                (fewest, since) = (bytes, Instant::now());
            }
            // Both sides have closed. The close was clean only if no error is pending. Two checks are needed,
            // because one reading of the table may miss a line.
            Outstanding::Gone if is_closed => gone += 1,
            Outstanding::Unknown if is_closed => gone = 2,
            Outstanding::Bytes(_) | Outstanding::Gone | Outstanding::Unknown => {}
        }
        if gone == 2 {
            return without_error(stream);
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

/// The data that the printer's side has not acknowledged yet.
enum Outstanding {
    /// The number of bytes; the end of the stream counts as one byte.
    Bytes(u64),
    /// The system does not list the connection any more.
    Gone,
    /// The system gives no number. Then only a clean close proves that the printer has everything.
    Unknown,
}

/// Reads the table of this computer's TCP connections; see `proc_net_tcp` in the documentation of Linux.
async fn outstanding(stream: &TcpStream) -> Outstanding {
    if cfg!(target_os = "linux")
        && let (Ok(ours), Ok(theirs)) = (stream.local_addr(), stream.peer_addr())
        && let path = ["/proc/self/net/tcp", "/proc/self/net/tcp6"][usize::from(ours.is_ipv6())]
        && let Ok(table) = tokio::fs::read_to_string(path).await
    {
        return unacknowledged(&table, ours, theirs).map_or(Outstanding::Gone, Outstanding::Bytes);
    }
    Outstanding::Unknown
}

/// Returns the column `tx_queue` of this connection: bytes written but not acknowledged.
fn unacknowledged(table: &str, ours: SocketAddr, theirs: SocketAddr) -> Option<u64> {
    let (ours, theirs) = (in_table(ours), in_table(theirs));
    let line = table.lines().find_map(|line| {
        let mut columns = line.split_ascii_whitespace().skip(1);
        let is_it = columns.next()? == ours && columns.next()? == theirs;
        is_it.then_some(columns)
    });
    let queues = line?.nth(1)?;
    let (waiting, _received) = queues.split_once(':')?;
    u64::from_str_radix(waiting, 16).ok()
}

/// Formats an address as in the table: 32-bit words in memory order, then the port.
fn in_table(address: SocketAddr) -> String {
    let octets = match address {
        SocketAddr::V4(address) => address.ip().octets().to_vec(),
        SocketAddr::V6(address) => address.ip().octets().to_vec(),
    };
    let words = octets.as_chunks::<4>().0.iter();
    let words: Vec<_> = words
        .map(|word| format!("{:08X}", u32::from_ne_bytes(*word)))
        .collect();
    format!("{}:{:04X}", words.concat(), address.port())
}
