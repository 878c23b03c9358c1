//! Opens the connection to a scale: a USB device, a serial port or a network address.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use hidapi::{HidApi, HidDevice};

use super::device_list::{hid_scales, serial_number};
use super::settings::{ScaleConnection, ScaleSettings};
use crate::problem::DeviceProblem;
use crate::serial::{self, READ_TIMEOUT};
use crate::telegram::{DATA_REPORT, REPORT_LENGTH, ScaleProtocol};

/// How long a read of a USB scale waits for a report, in milliseconds.
const READ_TIMEOUT_MS: i32 = 50;

/// Scales are on the local network, where an answer takes milliseconds. A longer wait would keep the thread alive after
/// its watch is dropped.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(400);

/// An open connection to a scale. Reads wait 50 ms, then fail with [`io::ErrorKind::TimedOut`] or
/// [`io::ErrorKind::WouldBlock`].
pub(super) trait Line: Read + Write {}

impl<T: Read + Write> Line for T {}

pub(super) fn open(settings: &ScaleSettings) -> Result<Box<dyn Line>, DeviceProblem> {
    let is_usb = matches!(settings.connection, ScaleConnection::Usb { .. });
    if is_usb != (settings.protocol == ScaleProtocol::UsbHid) {
        return Err(DeviceProblem::WrongProtocol);
    }
    match &settings.connection {
        ScaleConnection::Usb {
            vendor,
            product,
            serial,
        } => open_hid(*vendor, *product, serial.as_deref()),
        ScaleConnection::Serial(settings) => Ok(Box::new(serial::open(settings)?)),
        ScaleConnection::Tcp { host, port } => open_tcp(host, *port),
    }
}

fn open_hid(
    vendor: u16,
    product: u16,
    serial: Option<&str>,
) -> Result<Box<dyn Line>, DeviceProblem> {
    let api = HidApi::new().map_err(|error| DeviceProblem::Failed(error.to_string()))?;
    let info = hid_scales(&api)
        .find(|device| {
            (device.vendor_id(), device.product_id()) == (vendor, product)
                && serial.is_none_or(|serial| serial_number(device) == Some(serial))
        })
        .ok_or(DeviceProblem::NotFound)?;
    match info.open_device(&api) {
        Ok(device) => Ok(Box::new(HidLine(device))),
        Err(error) => Err(hid_problem(&info.path().to_string_lossy(), &error)),
    }
}

/// Finds out why a HID device can't be opened: the library only gives a text.
fn hid_problem(path: &str, error: &hidapi::HidError) -> DeviceProblem {
    match OpenOptions::new().read(true).write(true).open(path) {
        Err(reason) => DeviceProblem::from_io(&reason),
        Ok(_) => DeviceProblem::Failed(error.to_string()),
    }
}

fn open_tcp(host: &str, port: u16) -> Result<Box<dyn Line>, DeviceProblem> {
    let addresses = { (host, port).to_socket_addrs() }.map_err(|error| {
        tracing::debug!(%error, host, "the scale's host is unknown");
        DeviceProblem::NotFound
    })?;
    let mut problem = DeviceProblem::NotFound;
    for address in addresses {
        let stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).and_then(|stream| {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(READ_TIMEOUT))?;
            stream.set_write_timeout(Some(READ_TIMEOUT))?;
            Ok(stream)
        });
        match stream {
            Ok(stream) => return Ok(Box::new(stream)),
            Err(error) => problem = DeviceProblem::from_io(&error),
        }
    }
    Err(problem)
}

/// A USB scale. Every read returns one data report.
struct HidLine(HidDevice);

impl Read for HidLine {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = { self.0.read_timeout(buffer, READ_TIMEOUT_MS) }.map_err(io::Error::other)?;
        let report = &buffer[..length];
        if report.first() != Some(&DATA_REPORT) {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        // Windows pads a report with zeros to the length of the device's longest one.
        let is_padded =
            length > REPORT_LENGTH && report[REPORT_LENGTH..].iter().all(|&byte| byte == 0);
        Ok(if is_padded { REPORT_LENGTH } else { length })
    }
}

/// Nothing is ever written to a USB scale, which sends its reports unasked.
impl Write for HidLine {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
