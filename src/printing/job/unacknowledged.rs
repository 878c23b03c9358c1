//! Asks Linux for the bytes of a connection that the other side has not acknowledged.

#![expect(
    unsafe_code,
    reason = "one call of the system, which no crate wraps; the table of all connections, /proc/net/tcp, takes 4 ms to read"
)]

use std::ffi::c_int;
use std::io;

use rustix::ioctl::{Getter, Opcode, ioctl};
use tokio::net::TcpStream;

/// The request's number on x86, Arm and RISC-V; see `tcp(7)`.
const SIOCOUTQ: Opcode = 0x5411;

/// Returns the number of bytes that were written and not acknowledged. The end of the stream counts as one byte.
pub(super) fn unacknowledged(stream: &TcpStream) -> io::Result<u64> {
    // SAFETY: for a socket, the call writes one `int` and nothing else.
    let bytes = unsafe { ioctl(stream, Getter::<SIOCOUTQ, c_int>::new()) }?;
    Ok(u64::try_from(bytes).unwrap_or_default())
}
