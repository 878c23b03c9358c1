//! Scanners on a serial port: splits the bytes into scans, and reads a scanner on a thread that reconnects by itself.

use std::io::Read as _;
use std::time::{Duration, Instant};

use crate::problem::DeviceProblem;
use crate::serial::{self, SerialSettings};
use crate::watch::{self, Watch, WatchEnd, is_timeout, lost};

/// The longest scan, in bytes. The largest two-dimensional barcodes hold about 3 kB.
const MOST_BYTES: usize = 4_096;

/// The silence after which a scan without an end is dropped.
const CUT_OFF_AFTER: Duration = Duration::from_secs(2);

/// The control characters that barcodes contain: the end of a message and the separators of fields, records and groups.
/// A tab stands between the fields of some labels.
const CONTROL_CHARACTERS: [char; 6] = ['\t', '\u{4}', '\u{1C}', '\u{1D}', '\u{1E}', '\u{1F}'];

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScannerEvent {
    /// The port was opened.
    Connected,
    /// The text of a barcode, without the end of its line.
    Scan(String),
    Unreadable(ScanError),
    /// The scanner can't be read now.
    Problem(DeviceProblem),
}

impl From<DeviceProblem> for ScannerEvent {
    fn from(problem: DeviceProblem) -> Self {
        Self::Problem(problem)
    }
}

/// Why bytes from a scanner are no scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ScanError {
    #[error("The scan is too long. Scan one barcode at a time")]
    TooLong,
    #[error("The scan can't be read. Check the speed, the data bits and the parity")]
    NotText,
    #[error("The scan has no end. Set the scanner to send Enter (CR) after each barcode")]
    NoEnd,
}

/// Splits the bytes of a scanner into scans, each of which ends with CR, LF or both.
#[derive(Debug, Default)]
pub struct ScanReader {
    buffer: Vec<u8>,
    /// Whether the rest of a scan that is too long is being dropped.
    is_skipping: bool,
}

impl ScanReader {
    /// Adds bytes and returns the scans and errors that are complete now. Empty lines are left out.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<Result<String, ScanError>> {
        { bytes.iter() }
            .filter_map(|&byte| self.push_byte(byte))
            .collect()
    }

    /// Drops a scan that was begun and has no end. Returns an error if there was one.
    pub fn finish(&mut self) -> Option<ScanError> {
        let is_partial = !self.buffer.is_empty();
        *self = Self::default();
        is_partial.then_some(ScanError::NoEnd)
    }

    fn push_byte(&mut self, byte: u8) -> Option<Result<String, ScanError>> {
        if matches!(byte, b'\r' | b'\n') {
            self.is_skipping = false;
            let line = std::mem::take(&mut self.buffer);
            return (!line.is_empty()).then(|| to_text(line));
        }
        if self.is_skipping {
            return None;
        }
        if self.buffer.len() == MOST_BYTES {
            self.buffer.clear();
            self.is_skipping = true;
            return Some(Err(ScanError::TooLong));
        }
        self.buffer.push(byte);
        None
    }
}

fn to_text(line: Vec<u8>) -> Result<String, ScanError> {
    let is_text = |c: char| !c.is_control() || CONTROL_CHARACTERS.contains(&c);
    let text = String::from_utf8(line).ok();
    let text = text.filter(|text| text.chars().all(is_text));
    text.ok_or(ScanError::NotText)
}

/// Starts a thread that opens the scanner's port, reads its scans and reconnects by itself. Each attempt to reconnect
/// reports its problem only if it differs from the last.
///
/// `on_event` runs on that thread and should return quickly, since no bytes are read meanwhile.
pub fn watch(
    settings: SerialSettings,
    on_event: impl FnMut(ScannerEvent) + Send + 'static,
) -> Watch {
    watch::watch(
        "scanner",
        move |end, on_event| read_scanner(&settings, end, on_event),
        on_event,
    )
}

/// Reads the scanner until the watch is dropped, which is `Ok`, or the connection fails.
fn read_scanner(
    settings: &SerialSettings,
    end: &WatchEnd,
    on_event: &mut dyn FnMut(ScannerEvent),
) -> Result<(), DeviceProblem> {
    let mut line = serial::open(settings)?;
    on_event(ScannerEvent::Connected);
    let mut reader = ScanReader::default();
    let mut buffer = [0; 256];
    let mut last_heard = Instant::now();
    while !end.has_come() {
        match line.read(&mut buffer) {
            Ok(0) => return Err(DeviceProblem::Lost),
            Ok(length) => {
                last_heard = Instant::now();
                for result in reader.push(&buffer[..length]) {
                    on_event(result.map_or_else(ScannerEvent::Unreadable, ScannerEvent::Scan));
                }
            }
            Err(error) if is_timeout(&error) => (),
            Err(error) => return Err(lost(&error)),
        }
        if last_heard.elapsed() >= CUT_OFF_AFTER
            && let Some(error) = reader.finish()
        {
            on_event(ScannerEvent::Unreadable(error));
        }
    }
    Ok(())
}
