//! Scanners on a serial port: bytes become scans, and a scanner comes and goes.

use devices::scanner::{ScanError, ScanReader};

fn read(bytes: &[u8]) -> Vec<Result<String, ScanError>> {
    ScanReader::default().push(bytes)
}

#[test]
fn a_scan_ends_with_a_carriage_return_a_line_feed_or_both() {
    let wanted = [
        Ok("SO-1".to_owned()),
        Ok("SO-2".to_owned()),
        Ok("SO-3".to_owned()),
        Ok("SO-4".to_owned()),
    ];
    assert_eq!(read(b"SO-1\rSO-2\nSO-3\r\nSO-4\r\n\r\n"), wanted);
}

#[test]
fn a_scan_that_comes_in_pieces_is_whole_wherever_it_is_split() {
    let bytes = "]C1400PO-4711\u{1D}21Ä7\r".as_bytes();
    for at in 0..bytes.len() {
        let mut reader = ScanReader::default();
        let mut scans = reader.push(&bytes[..at]);
        scans.extend(reader.push(&bytes[at..]));
        assert_eq!(
            scans,
            [Ok("]C1400PO-4711\u{1D}21Ä7".to_owned())],
            "split at {at}"
        );
        assert_eq!(reader.finish(), None);
    }
}

#[test]
fn a_scan_that_is_too_long_is_dropped_and_the_next_one_is_read() {
    let longest = vec![b'7'; 4_096];
    let as_text = String::from_utf8(longest.clone()).unwrap();
    let too_long = vec![b'8'; 20_000];
    let bytes = [&longest[..], b"\r", &too_long[..], b"\r", b"SO-1\r"].concat();
    let wanted = [Ok(as_text), Err(ScanError::TooLong), Ok("SO-1".to_owned())];
    assert_eq!(read(&bytes), wanted);
}

#[test]
fn bytes_that_are_no_text_are_dropped() {
    for spoilt in [&b"SO-\xFF1\r"[..], b"SO\x001\r", b"\x1B[A\r"] {
        let bytes = [spoilt, b"SO-2\r"].concat();
        assert_eq!(
            read(&bytes),
            [Err(ScanError::NotText), Ok("SO-2".to_owned())]
        );
    }
}

#[test]
fn a_scan_without_an_end_is_told_once_and_does_not_spoil_the_next() {
    let mut reader = ScanReader::default();
    assert_eq!(reader.push(b"SO-1"), []);
    assert_eq!(reader.finish(), Some(ScanError::NoEnd));
    assert_eq!(reader.finish(), None);
    assert_eq!(reader.push(b"SO-2\r"), [Ok("SO-2".to_owned())]);
}

#[cfg(target_os = "linux")]
pub(crate) mod serial_port {
    use std::io::Write as _;
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::sync::mpsc::{Receiver, sync_channel};
    use std::time::{Duration, Instant};

    use devices::Watch;
    use devices::problem::DeviceProblem;
    use devices::scanner::{ScannerEvent, watch};
    use devices::serial::SerialSettings;

    use super::*;
    use crate::support::cable::Cable;

    /// The longest time that a test waits for an event.
    const LIMIT: Duration = Duration::from_secs(20);

    pub(crate) fn start(port: &Path) -> (Watch, Receiver<ScannerEvent>) {
        let (sender, events) = sync_channel(1_000);
        let port = port.to_str().expect("an ASCII path");
        let watch = watch(SerialSettings::usual(port), move |event| {
            sender.send(event).ok();
        });
        (watch, events)
    }

    /// Waits for an event, and fails if another one comes before it.
    #[track_caller]
    fn expect(events: &Receiver<ScannerEvent>, wanted: &ScannerEvent) {
        assert_eq!(events.recv_timeout(LIMIT).as_ref(), Ok(wanted));
    }

    /// Waits for an event that others may precede.
    #[track_caller]
    pub(crate) fn wait_for(events: &Receiver<ScannerEvent>, wanted: &ScannerEvent) {
        let end = Instant::now() + LIMIT;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if events.recv_timeout(left).expect("the event") == *wanted {
                return;
            }
        }
    }

    pub(crate) fn scanned(text: &str) -> ScannerEvent {
        ScannerEvent::Scan(text.to_owned())
    }

    #[test]
    fn scans_are_read_from_the_port_however_they_are_split() {
        let mut cable = Cable::new();
        let (_watch, events) = start(&cable.path);
        expect(&events, &ScannerEvent::Connected);
        cable.device.write_all(b"]C1400PO-").unwrap();
        cable.device.flush().unwrap();
        cable.device.write_all(b"4711\x1D21A7").unwrap();
        cable.device.write_all(b"\r\n9312345678907\r").unwrap();
        expect(&events, &scanned("]C1400PO-4711\u{1D}21A7"));
        expect(&events, &scanned("9312345678907"));
        cable.device.write_all(b"SO-\xFF\r").unwrap();
        expect(&events, &ScannerEvent::Unreadable(ScanError::NotText));
        cable.device.write_all(b"no end").unwrap();
        expect(&events, &ScannerEvent::Unreadable(ScanError::NoEnd));
        cable.device.write_all(b"SO-1\n").unwrap();
        expect(&events, &scanned("SO-1"));
    }

    #[test]
    fn a_scanner_that_is_unplugged_in_the_middle_of_a_scan_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let port = folder.path().join("ttyACM0");
        let mut cable = Cable::new();
        symlink(&cable.path, &port).unwrap();
        let (_watch, events) = start(&port);
        expect(&events, &ScannerEvent::Connected);
        cable.device.write_all(b"SO-1\rSO-").unwrap();
        expect(&events, &scanned("SO-1"));
        std::fs::remove_file(&port).unwrap();
        drop(cable);
        expect(&events, &ScannerEvent::Problem(DeviceProblem::Lost));
        expect(&events, &ScannerEvent::Problem(DeviceProblem::NotFound));
        let mut cable = Cable::new();
        symlink(&cable.path, &port).unwrap();
        expect(&events, &ScannerEvent::Connected);
        cable.device.write_all(b"SO-2\r").unwrap();
        expect(&events, &scanned("SO-2"));
    }

    #[test]
    fn a_port_that_another_program_uses_is_busy_until_that_program_ends() {
        let mut cable = Cable::new();
        let (first, events) = start(&cable.path);
        expect(&events, &ScannerEvent::Connected);
        let (_second, others) = start(&cable.path);
        expect(&others, &ScannerEvent::Problem(DeviceProblem::Busy));
        drop(first);
        wait_for(&others, &ScannerEvent::Connected);
        cable.device.write_all(b"SO-1\r").unwrap();
        expect(&others, &scanned("SO-1"));
    }
}
