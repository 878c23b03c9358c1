//! Counts what is drawn on a display, as the X server sees it: its DAMAGE extension reports every drawing,
//! even one that changes nothing. The protocol is written by hand, because only five messages are needed.

use std::io::{self, Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

const ANSWER_LEN: usize = 32;
const QUERY_EXTENSION: u8 = 98;
const DAMAGE_QUERY_VERSION: u8 = 0;
const DAMAGE_CREATE: u8 = 1;
/// One event for each rectangle that is drawn, whether or not it was damaged before.
const RAW_RECTANGLES: u32 = 0;

/// A watcher of everything that is drawn on one display.
pub(crate) struct Damage {
    connection: UnixStream,
    event: u8,
}

impl Damage {
    /// Watches the whole screen of the display called `name`, such as `:7`.
    pub(crate) fn watch(name: &str) -> io::Result<Self> {
        let mut connection =
            UnixStream::connect(format!("/tmp/.X11-unix/X{}", name.trim_start_matches(':')))?;
        let (id, root) = introduce(&mut connection)?;
        let extension = ask(
            &mut connection,
            &words(&[
                &[QUERY_EXTENSION, 0, 4, 0],
                &[6, 0, 0, 0],
                b"DAMA",
                b"GE\0\0",
            ]),
        )?;
        let (present, opcode, event) = (extension[8], extension[9], extension[10]);
        if present == 0 {
            return Err(io::Error::other("this X server has no DAMAGE extension"));
        }
        let version = 1_u32.to_le_bytes();
        ask(
            &mut connection,
            &words(&[&[opcode, DAMAGE_QUERY_VERSION, 3, 0], &version, &version]),
        )?;
        let (id, root, level) = (
            id.to_le_bytes(),
            root.to_le_bytes(),
            RAW_RECTANGLES.to_le_bytes(),
        );
        connection.write_all(&words(&[
            &[opcode, DAMAGE_CREATE, 4, 0],
            &id,
            &root,
            &level,
        ]))?;
        Ok(Self { connection, event })
    }

    /// How often something is drawn during `time`.
    pub(crate) fn count(&mut self, time: Duration) -> io::Result<usize> {
        let end = Instant::now() + time;
        let mut drawn = 0;
        while let Some(left) = end
            .checked_duration_since(Instant::now())
            .filter(|left| !left.is_zero())
        {
            drawn += usize::from(self.next(left)?);
        }
        Ok(drawn)
    }

    /// Returns how often something was drawn, as soon as nothing has been for `calm`, or at `limit`.
    pub(crate) fn settle(&mut self, calm: Duration, limit: Duration) -> io::Result<usize> {
        let start = Instant::now();
        let mut drawn = 0;
        while start.elapsed() < limit && self.next(calm)? {
            drawn += 1;
        }
        Ok(drawn)
    }

    /// Whether something is drawn before `limit` has passed.
    fn next(&mut self, limit: Duration) -> io::Result<bool> {
        self.connection.set_read_timeout(Some(limit))?;
        let mut event = [0; ANSWER_LEN];
        match self.connection.read(&mut event[..1]) {
            Ok(0) => Err(io::Error::other("the X server is gone")),
            Ok(_) => {
                self.connection.read_exact(&mut event[1..])?;
                // Its highest bit tells who sent it.
                Ok(event[0] & 0x7F == self.event)
            }
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
                ) =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}

/// Says hello in little-endian; returns an id that is ours to give, and the root window.
fn introduce(connection: &mut UnixStream) -> io::Result<(u32, u32)> {
    connection.write_all(&[b'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0])?;
    let mut head = [0; 8];
    connection.read_exact(&mut head)?;
    if head[0] != 1 {
        return Err(io::Error::other("the X server refuses us"));
    }
    let mut body = vec![0; usize::from(u16::from_le_bytes([head[6], head[7]])) * 4];
    connection.read_exact(&mut body)?;
    let word = |at: usize| {
        body.get(at..at + 4)
            .and_then(|bytes| bytes.try_into().ok())
            .map(u32::from_le_bytes)
            .unwrap_or_default()
    };
    // Release, id base, id mask, motion buffer; vendor and request lengths, counts, key codes; then vendor, formats, screens.
    let vendor = usize::from(u16::from_le_bytes([body[16], body[17]]));
    let formats = usize::from(body[21]);
    let screens = 32 + vendor.next_multiple_of(4) + formats * 8;
    Ok((word(4), word(screens)))
}

fn ask(connection: &mut UnixStream, request: &[u8]) -> io::Result<[u8; ANSWER_LEN]> {
    connection.write_all(request)?;
    let mut answer = [0; ANSWER_LEN];
    connection.read_exact(&mut answer)?;
    if answer[0] == 1 {
        Ok(answer)
    } else {
        Err(io::Error::other("the X server answers with an error"))
    }
}

fn words(parts: &[&[u8]]) -> Vec<u8> {
    parts.concat()
}
