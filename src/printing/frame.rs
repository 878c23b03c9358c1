//! The messages between us and our own child processes: frames of a small JSON head and a binary body.
//!
//! On the wire a frame is the length of the head and the length of the body, four bytes each in little-endian
//! order, then the head and the body. Both lengths are checked before memory is allocated, so a faulty child
//! cannot make us allocate without limit.

use std::io::{self, BufReader, Read, Write};
use std::process::{ExitCode, Stdio};
use std::sync::mpsc::{Receiver, sync_channel};

use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// The longest head, in bytes.
const LONGEST_HEAD: usize = 256 * 1024;

/// The longest body, in bytes: a document has at most 32 MiB, the bitmap of a page at most 8 MB.
pub(super) const LONGEST_BODY: usize = 32 * 1024 * 1024;

/// The stack of the thread that does the work in a child. Nested forms in a PDF need much stack; a document that
/// needs more than this is treated as an attack.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Starts a child process with pipes for frames; the error is the system's reason. The child ends when the returned
/// value is dropped.
pub(super) fn start_child(
    command: &mut Command,
) -> Result<(Child, ChildStdin, ChildStdout), String> {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let child = command.kill_on_drop(true).spawn();
    let mut child = child.map_err(|error| error.kind().to_string())?;
    match (child.stdin.take(), child.stdout.take()) {
        (Some(stdin), Some(stdout)) => Ok((child, stdin, stdout)),
        _ => Err("no pipes".to_owned()),
    }
}

/// Returns the lengths and the head of a frame after checking both lengths. The caller writes the body
/// itself, so that a large body is not copied.
fn opening(head: &impl Serialize, body: &[u8]) -> io::Result<Vec<u8>> {
    let head = serde_json::to_vec(head)?;
    if head.len() > LONGEST_HEAD || body.len() > LONGEST_BODY {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let mut bytes = Vec::with_capacity(8 + head.len());
    for part in [&head, body] {
        let length = u32::try_from(part.len()).map_err(io::Error::other)?;
        bytes.extend(length.to_le_bytes());
    }
    bytes.extend(head);
    Ok(bytes)
}

/// Returns buffers for the head and the body of a frame after checking both lengths.
fn buffers(lengths: [u8; 8]) -> io::Result<(Vec<u8>, Vec<u8>)> {
    let (lengths, _) = lengths.as_chunks::<4>();
    let [head, body] = [0, 1].map(|at| u32::from_le_bytes(lengths[at]) as usize);
    if head > LONGEST_HEAD || body > LONGEST_BODY {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok((vec![0; head], vec![0; body]))
}

/// Writes one frame and flushes.
pub(super) fn write(to: &mut impl Write, head: &impl Serialize, body: &[u8]) -> io::Result<()> {
    to.write_all(&opening(head, body)?)?;
    to.write_all(body)?;
    to.flush()
}

/// Reads one frame. Returns `None` if the stream ends before both lengths of a frame have arrived.
pub(super) fn read<H: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<(H, Vec<u8>)>> {
    let mut lengths = [0; 8];
    match from.read_exact(&mut lengths) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        Err(error) => return Err(error),
    }
    let (mut head, mut body) = buffers(lengths)?;
    from.read_exact(&mut head)?;
    from.read_exact(&mut body)?;
    Ok(Some((serde_json::from_slice(&head)?, body)))
}

/// The asynchronous form of [`write()`].
pub(super) async fn send(
    to: &mut (impl AsyncWrite + Unpin),
    head: &impl Serialize,
    body: &[u8],
) -> io::Result<()> {
    to.write_all(&opening(head, body)?).await?;
    to.write_all(body).await?;
    to.flush().await
}

/// The asynchronous form of [`read`]. The end of the stream is an error, because an answer was expected.
pub(super) async fn receive<H: DeserializeOwned>(
    from: &mut (impl AsyncRead + Unpin),
) -> io::Result<(H, Vec<u8>)> {
    let mut lengths = [0; 8];
    from.read_exact(&mut lengths).await?;
    let (mut head, mut body) = buffers(lengths)?;
    from.read_exact(&mut head).await?;
    from.read_exact(&mut body).await?;
    Ok((serde_json::from_slice(&head)?, body))
}

/// The child's side: passes each frame from standard input to `work`, until standard input closes.
///
/// One thread reads frames and another thread does the work, which may never finish. So the process ends as soon as
/// the parent closes its pipe or dies, even in the middle of the work.
pub(super) fn serve<H: DeserializeOwned + Send + 'static>(
    work: impl FnOnce(Receiver<(H, Vec<u8>)>) + Send + 'static,
) -> ExitCode {
    let (sender, frames) = sync_channel(1);
    let thread = std::thread::Builder::new().name("work".into());
    let working = thread.stack_size(STACK_BYTES).spawn(move || work(frames));
    if working.is_err() {
        return ExitCode::FAILURE;
    }
    let mut stdin = BufReader::new(io::stdin().lock());
    loop {
        match read(&mut stdin) {
            Ok(Some(frame)) => {
                if sender.send(frame).is_err() {
                    return ExitCode::FAILURE;
                }
            }
            Ok(None) => return ExitCode::SUCCESS,
            Err(_) => return ExitCode::FAILURE,
        }
    }
}
