//! Raw bytes to a printer's own port.
//!
//! The system takes bytes into its own buffers long before the printer has them. Bytes count as sent only when the printer's
//! side acknowledged all of them, or closed the connection in order after them. Many printers never close it.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use super::super::page::Pages;
use super::super::profile::Language;
use super::{Handed, Payload, SendError};

/// For reaching a printer's port.
const CONNECT: Duration = Duration::from_secs(5);

/// How long a connection is watched after the last byte was acknowledged: a printer that gave the job up resets it.
const RESET: Duration = Duration::from_millis(500);

/// Between two looks at what was acknowledged.
const LOOK: Duration = Duration::from_millis(10);

const PIECE: usize = 64 * 1024;

/// How the bytes of one connection fared.
enum Delivery {
    /// The printer's side has them all.
    Taken,
    /// It had not taken them all when nothing had moved for the limit.
    Stalled,
    /// It ended the connection before it had them all.
    Broken,
}

/// Sends; `limit` is how long the printer may take for the next bytes.
pub(super) async fn send_to_port(
    payload: &Payload,
    host: &str,
    port: u16,
    limit: Duration,
) -> Result<Handed, SendError> {
    let place = format!("{host}:{port}");
    if payload.language == Language::Pdf && payload.pages != Pages::All {
        return Err(SendError::WholeDocumentsOnly { place });
    }
    // A document ends its job, so each copy is a connection; raw bytes say themselves how many copies are printed.
    let times = if payload.language.is_raw() {
        1
    } else {
        payload.copies.get()
    };
    for time in 0..times {
        let connected = timeout(CONNECT, TcpStream::connect((host, port))).await;
        let Ok(Ok(mut stream)) = connected else {
            return Err(match time {
                0 => SendError::Unreachable { place },
                _ => SendError::Interrupted { place },
            });
        };
        let delivery = deliver(&mut stream, &payload.bytes, limit).await;
        if !matches!(delivery, Delivery::Taken) {
            // Else the system goes on sending the rest, and a label may come out long after the clerk was asked about it.
            // Failing means that the connection is gone already.
            drop(stream.set_zero_linger());
        }
        match delivery {
            Delivery::Taken => {}
            Delivery::Stalled => {
                let seconds = limit.as_secs();
                return Err(SendError::Stalled { place, seconds });
            }
            Delivery::Broken => return Err(SendError::Interrupted { place }),
        }
    }
    Ok(Handed {
        job_id: None,
        file: None,
        words: "Sent to printer",
    })
}

async fn deliver(stream: &mut TcpStream, bytes: &[u8], limit: Duration) -> Delivery {
    for piece in bytes.chunks(PIECE) {
        match timeout(limit, stream.write_all(piece)).await {
            Ok(Ok(())) => {}
            Ok(Err(_broken)) => return Delivery::Broken,
            Err(_elapsed) => return Delivery::Stalled,
        }
    }
    if stream.shutdown().await.is_err() {
        return Delivery::Broken;
    }
    match acknowledged(stream, limit).await {
        Delivery::Taken => {}
        other => return other,
    }
    match listen(stream, RESET).await {
        Heard::Broken => Delivery::Broken,
        Heard::Closed | Heard::Nothing => match stream.take_error() {
            Ok(None) => Delivery::Taken,
            Ok(Some(_)) | Err(_) => Delivery::Broken,
        },
    }
}

/// Waits until everything was acknowledged, as long as something moves within `limit`.
async fn acknowledged(stream: &mut TcpStream, limit: Duration) -> Delivery {
    let (mut fewest, mut since) = (u64::MAX, Instant::now());
    let (mut is_closed, mut gone) = (false, 0);
    loop {
        match outstanding(stream).await {
            Outstanding::Bytes(0) => return Delivery::Taken,
            Outstanding::Bytes(bytes) if bytes < fewest => {
                (fewest, since) = (bytes, Instant::now());
            }
            // It ended on both sides; in order only where no error is left behind. A look at the table may miss a line.
            Outstanding::Gone if is_closed => gone += 1,
            Outstanding::NotTold if is_closed => gone = 2,
            Outstanding::Bytes(_) | Outstanding::Gone | Outstanding::NotTold => {}
        }
        if gone == 2 {
            return match stream.take_error() {
                Ok(None) => Delivery::Taken,
                Ok(Some(_)) | Err(_) => Delivery::Broken,
            };
        }
        if since.elapsed() >= limit {
            return Delivery::Stalled;
        }
        if is_closed {
            sleep(LOOK).await;
            continue;
        }
        match listen(stream, LOOK).await {
            Heard::Broken => return Delivery::Broken,
            Heard::Closed => is_closed = true,
            Heard::Nothing => {}
        }
    }
}

enum Heard {
    Nothing,
    Closed,
    Broken,
}

/// Listens until the printer's side ends the connection. Some printers tell their state meanwhile, which is not read.
async fn listen(stream: &mut TcpStream, time: Duration) -> Heard {
    let until_end = async {
        let mut word = [0; 64];
        loop {
            match stream.read(&mut word).await {
                Ok(0) => return Heard::Closed,
                Ok(_) => {}
                Err(_) => return Heard::Broken,
            }
        }
    };
    timeout(time, until_end).await.unwrap_or(Heard::Nothing)
}

/// What the printer's side has not acknowledged yet.
enum Outstanding {
    /// So many bytes; the end of the stream counts as one.
    Bytes(u64),
    /// The system knows no such connection any more.
    Gone,
    /// The system does not say: only an orderly close tells that the printer has everything.
    NotTold,
}

async fn outstanding(stream: &TcpStream) -> Outstanding {
    if cfg!(target_os = "linux")
        && let (Ok(ours), Ok(theirs)) = (stream.local_addr(), stream.peer_addr())
        && let Ok(table) = table(ours).await
    {
        return unacknowledged(&table, ours, theirs).map_or(Outstanding::Gone, Outstanding::Bytes);
    }
    Outstanding::NotTold
}

/// The connections of this computer, as Linux lists them; see `proc_net_tcp` in its documentation.
async fn table(ours: SocketAddr) -> io::Result<String> {
    let path = if ours.is_ipv4() {
        "/proc/self/net/tcp"
    } else {
        "/proc/self/net/tcp6"
    };
    tokio::fs::read_to_string(path).await
}

/// The column `tx_queue` of this connection: bytes written and not acknowledged.
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

/// An address as the table has it: words of 32 bits as they are in memory, then the port.
fn in_table(address: SocketAddr) -> String {
    use std::fmt::Write as _;

    let octets = match address {
        SocketAddr::V4(address) => address.ip().octets().to_vec(),
        SocketAddr::V6(address) => address.ip().octets().to_vec(),
    };
    let mut text = String::with_capacity(37);
    for word in octets.as_chunks::<4>().0 {
        // Writing to a string cannot fail.
        let _written = write!(text, "{:08X}", u32::from_ne_bytes(*word));
    }
    let _written = write!(text, ":{:04X}", address.port());
    text
}

#[cfg(test)]
mod tests {
    use super::unacknowledged;

    #[test]
    #[cfg(target_endian = "little")]
    fn the_waiting_bytes_of_a_connection_are_found_among_others() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n\
            \x20  0: 0100007F:A2C4 0100007F:238C 04 00000B21:00000000 01:00000014 00000000     0\n\
            \x20  1: 0100007F:238C 0100007F:A2C4 01 00000000:00000800 00:00000000 00000000     0\n";
        let address = |text: &str| text.parse().expect("an address");
        let (ours, theirs) = (address("127.0.0.1:41668"), address("127.0.0.1:9100"));
        assert_eq!(unacknowledged(table, ours, theirs), Some(0xB21));
        assert_eq!(unacknowledged(table, theirs, ours), Some(0));
        assert_eq!(unacknowledged(table, ours, address("127.0.0.2:9100")), None);
    }
}
