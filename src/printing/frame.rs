//! How we talk to our own child processes: frames of a small JSON head and a body of plain bytes.
//!
//! On the wire: length of the head and of the body, four bytes each, little end first, then both. Both lengths are
//! checked before anything is allocated, so a child gone mad cannot make us allocate without bound.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// The longest head, in bytes.
const LONGEST_HEAD: usize = 256 * 1024;

/// The longest body, in bytes: a document is at most 32 MiB, a page of dots at most 8 MB.
pub(super) const LONGEST_BODY: usize = 32 * 1024 * 1024;

/// A head and a body, both within their limits, as one run of bytes; the body is left to the caller to append, so that a
/// large one is not copied.
fn opening(head: &impl Serialize, body: &[u8]) -> io::Result<Vec<u8>> {
    let head = serde_json::to_vec(head)?;
    let too_long = || io::Error::from(io::ErrorKind::InvalidInput);
    if head.len() > LONGEST_HEAD || body.len() > LONGEST_BODY {
        return Err(too_long());
    }
    let length = |bytes: &[u8]| {
        u32::try_from(bytes.len())
            .map(u32::to_le_bytes)
            .map_err(|_detail| too_long())
    };
    let mut bytes = Vec::with_capacity(8 + head.len());
    bytes.extend(length(&head)?);
    bytes.extend(length(body)?);
    bytes.extend(head);
    Ok(bytes)
}

#[expect(clippy::cast_possible_truncation, reason = "halves of 64 bits")]
fn lengths(bytes: [u8; 8]) -> io::Result<(usize, usize)> {
    let both = u64::from_le_bytes(bytes);
    let (head, body) = ((both & u64::from(u32::MAX)) as usize, (both >> 32) as usize);
    if head > LONGEST_HEAD || body > LONGEST_BODY {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok((head, body))
}

/// Writes one frame and flushes.
pub(super) fn write(to: &mut impl Write, head: &impl Serialize, body: &[u8]) -> io::Result<()> {
    to.write_all(&opening(head, body)?)?;
    to.write_all(body)?;
    to.flush()
}

/// Reads one frame; `None` when the other side has closed between two frames.
pub(super) fn read<H: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<(H, Vec<u8>)>> {
    let mut start = [0; 8];
    match from.read_exact(&mut start) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let (head, body) = lengths(start)?;
    let mut bytes = vec![0; head];
    from.read_exact(&mut bytes)?;
    let head = serde_json::from_slice(&bytes)?;
    let mut bytes = vec![0; body];
    from.read_exact(&mut bytes)?;
    Ok(Some((head, bytes)))
}

/// [`write()`], without blocking.
pub(super) async fn send(
    to: &mut (impl AsyncWrite + Unpin),
    head: &impl Serialize,
    body: &[u8],
) -> io::Result<()> {
    to.write_all(&opening(head, body)?).await?;
    to.write_all(body).await?;
    to.flush().await
}

/// [`read`], without blocking; the other side closing is an error, since an answer was due.
pub(super) async fn receive<H: DeserializeOwned>(
    from: &mut (impl AsyncRead + Unpin),
) -> io::Result<(H, Vec<u8>)> {
    let mut start = [0; 8];
    from.read_exact(&mut start).await?;
    let (head, body) = lengths(start)?;
    let mut bytes = vec![0; head];
    from.read_exact(&mut bytes).await?;
    let head = serde_json::from_slice(&bytes)?;
    let mut bytes = vec![0; body];
    from.read_exact(&mut bytes).await?;
    Ok((head, bytes))
}
