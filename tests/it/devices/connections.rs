//! Scales that come and go: on the network, and on a serial port made of a pseudo terminal.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use devices::Watch;
use devices::problem::{DeviceKind, DeviceProblem};
use devices::scale::{ScaleConnection, ScaleEvent, ScaleSettings, watch};
use devices::serial::{DataBits, Parity};
use devices::telegram::{DigitFormat, ScaleProtocol, TelegramError};

use crate::support::wait::until;

/// The longest time that a test waits for an event.
const LIMIT: Duration = Duration::from_secs(20);

fn settings(protocol: ScaleProtocol, connection: ScaleConnection) -> ScaleSettings {
    ScaleSettings {
        name: "Bench 1".to_owned(),
        protocol,
        connection,
        digits: DigitFormat::default(),
    }
}

fn tcp(listener: &TcpListener) -> ScaleConnection {
    ScaleConnection::Tcp {
        host: "127.0.0.1".to_owned(),
        port: listener.local_addr().expect("an address").port(),
    }
}

fn start(protocol: ScaleProtocol, connection: ScaleConnection) -> (Watch, Receiver<ScaleEvent>) {
    let (sender, events) = sync_channel(10_000);
    let watch = watch(settings(protocol, connection), move |event| {
        sender.send(event).ok();
    });
    (watch, events)
}

/// Waits for an event and returns the events before it.
fn wait_for(
    events: &Receiver<ScaleEvent>,
    wanted: impl Fn(&ScaleEvent) -> bool,
) -> Vec<ScaleEvent> {
    let end = Instant::now() + LIMIT;
    let mut before = Vec::new();
    loop {
        let left = end.saturating_duration_since(Instant::now());
        match events.recv_timeout(left) {
            Ok(event) if wanted(&event) => return before,
            Ok(event) => before.push(event),
            Err(error) => panic!("{error} after {before:?}"),
        }
    }
}

fn wait_for_weight(events: &Receiver<ScaleEvent>, wanted: &str) -> Vec<ScaleEvent> {
    wait_for(events, |event| {
        matches!(event, ScaleEvent::Reading(reading)
            if reading.weight.is_some_and(|weight| weight.to_string() == wanted))
    })
}

fn wait_for_problem(events: &Receiver<ScaleEvent>, wanted: &DeviceProblem) -> Vec<ScaleEvent> {
    wait_for(
        events,
        |event| matches!(event, ScaleEvent::Problem(problem) if problem == wanted),
    )
}

fn in_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> JoinHandle<T> {
    Builder::new().spawn(work).expect("a thread")
}

/// Answers each request with `telegram`, `count` times or until the other side hangs up.
fn answer(line: &mut (impl Read + Write), request: &[u8], telegram: &[u8], count: usize) {
    let mut asked = vec![0; request.len()];
    for _ in 0..count {
        if line.read_exact(&mut asked).is_err() {
            return;
        }
        assert_eq!(asked, request);
        // In two parts, as a network delivers them at times.
        let (first, second) = telegram.split_at(telegram.len() / 2);
        if line
            .write_all(first)
            .and_then(|()| line.write_all(second))
            .is_err()
        {
            return;
        }
    }
}

fn accept(listener: &TcpListener) -> TcpStream {
    let (stream, _) = listener.accept().expect("a connection");
    stream.set_nodelay(true).expect("an open connection");
    stream
}

#[test]
fn a_network_scale_that_drops_the_connection_is_read_again_by_itself() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (watch, events) = start(ScaleProtocol::MettlerToledo8217, tcp(&listener));
    let scale = in_thread(move || {
        answer(&mut accept(&listener), b"W", b"\x0212.345\r", 3);
        answer(&mut accept(&listener), b"W", b"\x0208.000\r", usize::MAX);
    });
    let before = wait_for_weight(&events, "12.345 kg");
    assert_eq!(before, [ScaleEvent::Connected]);
    wait_for_problem(&events, &DeviceProblem::Lost);
    wait_for(&events, |event| *event == ScaleEvent::Connected);
    wait_for_weight(&events, "8.000 kg");
    drop(watch);
    scale.join().unwrap();
}

#[test]
fn every_serial_protocol_is_polled_over_the_network() {
    for (protocol, telegram, wanted) in [
        (
            ScaleProtocol::MtSics,
            &b"S S     100.00 g\r\n"[..],
            "100.00 g",
        ),
        (ScaleProtocol::Nci, b"\n  2.50lb\r\nS00\r\x03", "2.50 lb"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (watch, events) = start(protocol, tcp(&listener));
        let request = protocol.request().unwrap();
        let scale = in_thread(move || {
            answer(&mut accept(&listener), request, telegram, usize::MAX);
        });
        wait_for_weight(&events, wanted);
        drop(watch);
        scale.join().unwrap();
    }
}

#[test]
fn a_scale_that_sends_continuously_is_never_asked() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (watch, events) = start(ScaleProtocol::AndContinuous, tcp(&listener));
    let mut stream = accept(&listener);
    stream.write_all(b"ST,+00012.3  kg\r\n").unwrap();
    wait_for_weight(&events, "12.3 kg");
    drop(watch);
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    assert_eq!(stream.read(&mut [0; 8]).unwrap(), 0);
}

#[test]
fn a_telegram_that_stops_in_the_middle_is_reported_as_cut_off() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (_watch, events) = start(ScaleProtocol::AndContinuous, tcp(&listener));
    let mut stream = accept(&listener);
    stream.write_all(b"ST,+0001").unwrap();
    let cut_off = ScaleEvent::Unreadable(TelegramError::CutOff);
    wait_for(&events, |event| *event == cut_off);
    stream.write_all(b"ST,+00012.3  kg\r\n").unwrap();
    wait_for_weight(&events, "12.3 kg");
}

#[test]
fn a_dropped_watch_hangs_up() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (watch, events) = start(ScaleProtocol::MettlerToledo8217, tcp(&listener));
    let scale = in_thread(move || {
        answer(&mut accept(&listener), b"W", b"\x0212.345\r", usize::MAX);
    });
    wait_for_weight(&events, "12.345 kg");
    drop(watch);
    until("the scale sees the end", LIMIT, || {
        scale.is_finished().then_some(())
    });
}

#[test]
fn a_port_at_which_nothing_listens_is_told() {
    // No program of the tests may listen at this port.
    let connection = ScaleConnection::Tcp {
        host: "127.0.0.1".to_owned(),
        port: 1,
    };
    let (_watch, events) = start(ScaleProtocol::MettlerToledo8217, connection);
    assert_eq!(wait_for_problem(&events, &DeviceProblem::Refused), []);
}

#[test]
fn a_silent_scale_is_told_as_one_that_does_not_answer() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (_watch, events) = start(ScaleProtocol::MettlerToledo8217, tcp(&listener));
    let _silent = accept(&listener);
    let before = wait_for_problem(&events, &DeviceProblem::NoAnswer);
    assert_eq!(before, [], "a silent scale is not connected");
}

#[test]
fn a_protocol_that_the_connection_cannot_carry_is_refused() {
    let usb = ScaleConnection::Usb {
        vendor: 0x0922,
        product: 0x8003,
        serial: None,
    };
    let serial = ScaleConnection::usual_serial(ScaleProtocol::UsbHid, "/dev/none");
    for (protocol, connection) in [(ScaleProtocol::Nci, usb), (ScaleProtocol::UsbHid, serial)] {
        let (_watch, events) = start(protocol, connection);
        wait_for_problem(&events, &DeviceProblem::WrongProtocol);
    }
}

#[test]
fn a_usb_scale_that_is_not_there_is_not_found() {
    let usb = ScaleConnection::Usb {
        vendor: 0xFFFF,
        product: 0xFFFF,
        serial: None,
    };
    let (_watch, events) = start(ScaleProtocol::UsbHid, usb);
    wait_for_problem(&events, &DeviceProblem::NotFound);
}

#[test]
fn every_problem_has_advice() {
    for problem in [
        DeviceProblem::NotFound,
        DeviceProblem::NoPermission,
        DeviceProblem::Busy,
        DeviceProblem::Lost,
        DeviceProblem::NoAnswer,
        DeviceProblem::Refused,
        DeviceProblem::Unreachable,
        DeviceProblem::WrongProtocol,
        DeviceProblem::Failed("Input/output error".to_owned()),
    ] {
        for device in [DeviceKind::Scale, DeviceKind::Scanner] {
            let texts = [problem.message(device), problem.advice(device)];
            assert!(texts.iter().all(|text| !text.is_empty()), "{texts:?}");
        }
    }
}

#[test]
fn settings_are_stored_as_readable_json() {
    let json = serde_json::json!({
        "name": "Bench 1",
        "protocol": "mettler_toledo_8217",
        "connection": {"serial": {
            "port": "/dev/ttyUSB0", "baud_rate": 9600, "data_bits": "seven", "parity": "even",
        }},
    });
    let read: ScaleSettings = serde_json::from_value(json).unwrap();
    let usual = ScaleConnection::usual_serial(ScaleProtocol::MettlerToledo8217, "/dev/ttyUSB0");
    assert_eq!(read, settings(ScaleProtocol::MettlerToledo8217, usual));
    let again = serde_json::to_string(&read).unwrap();
    assert_eq!(serde_json::from_str::<ScaleSettings>(&again).unwrap(), read);
}

#[test]
fn serial_lines_have_the_usual_settings_of_their_protocol() {
    for (protocol, wanted) in [
        (
            ScaleProtocol::MettlerToledo8217,
            (9600, DataBits::Seven, Parity::Even),
        ),
        (ScaleProtocol::MtSics, (9600, DataBits::Eight, Parity::None)),
        (ScaleProtocol::Nci, (9600, DataBits::Seven, Parity::Even)),
        (
            ScaleProtocol::AndContinuous,
            (2400, DataBits::Seven, Parity::Even),
        ),
    ] {
        let ScaleConnection::Serial(line) = ScaleConnection::usual_serial(protocol, "COM3") else {
            panic!("not a serial connection");
        };
        assert_eq!((line.baud_rate, line.data_bits, line.parity), wanted);
    }
}

#[cfg(target_os = "linux")]
mod serial_port {
    use std::os::unix::fs::symlink;
    use std::path::Path;

    use super::*;
    use crate::support::cable::Cable;

    /// Answers as a scale at the other end of this cable.
    fn answer_at(cable: Cable, telegram: &'static [u8], count: usize) -> JoinHandle<()> {
        in_thread(move || {
            // All of the cable, also the bench's end, stays until the scale is done.
            let mut cable = cable;
            answer(&mut cable.device, b"W\r", telegram, count);
        })
    }

    fn nci(port: &Path) -> ScaleConnection {
        ScaleConnection::usual_serial(ScaleProtocol::Nci, port.to_str().expect("an ASCII path"))
    }

    #[test]
    fn a_serial_scale_that_is_unplugged_and_plugged_in_again_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let port = folder.path().join("ttyUSB0");
        let cable = Cable::new();
        symlink(&cable.path, &port).unwrap();
        let scale = answer_at(cable, b"\n  2.50lb\r\nS00\r\x03", 5);
        let (watch, events) = start(ScaleProtocol::Nci, nci(&port));
        assert_eq!(wait_for_weight(&events, "2.50 lb"), [ScaleEvent::Connected]);
        std::fs::remove_file(&port).unwrap();
        scale.join().unwrap();
        wait_for_problem(&events, &DeviceProblem::Lost);
        wait_for_problem(&events, &DeviceProblem::NotFound);
        let cable = Cable::new();
        symlink(&cable.path, &port).unwrap();
        let scale = answer_at(cable, b"\n012.50KG\r\nS0p0\r\x03", 3);
        wait_for_weight(&events, "12.50 kg");
        drop(watch);
        drop(events);
        drop(scale);
    }

    #[test]
    fn a_silent_serial_scale_does_not_answer() {
        let cable = Cable::new();
        let (_watch, events) = start(ScaleProtocol::Nci, nci(&cable.path));
        assert_eq!(wait_for_problem(&events, &DeviceProblem::NoAnswer), []);
    }

    #[test]
    fn a_port_that_another_program_uses_is_busy() {
        let cable = Cable::new();
        let path = cable.path.clone();
        let scale = answer_at(cable, b"\n  2.50lb\r\nS00\r\x03", usize::MAX);
        let (first, events) = start(ScaleProtocol::Nci, nci(&path));
        wait_for_weight(&events, "2.50 lb");
        let (_second, events) = start(ScaleProtocol::Nci, nci(&path));
        assert_eq!(wait_for_problem(&events, &DeviceProblem::Busy), []);
        drop((first, scale));
    }

    #[test]
    fn a_port_that_is_not_there_is_not_found_and_a_file_is_no_port() {
        let folder = tempfile::tempdir().unwrap();
        let missing = folder.path().join("ttyUSB7");
        let (_watch, events) = start(ScaleProtocol::Nci, nci(&missing));
        wait_for_problem(&events, &DeviceProblem::NotFound);
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let (_watch, events) = start(ScaleProtocol::Nci, nci(&file));
        wait_for(&events, |event| {
            matches!(event, ScaleEvent::Problem(DeviceProblem::Failed(_)))
        });
    }
}
