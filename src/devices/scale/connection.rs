//! Opens the connection to a scale: a USB device, a serial port or a network address.

use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::Path;
use std::time::Duration;

use hidapi::{HidApi, HidDevice};

use super::device_list::{hid_scales, serial_number, serial_ports};
use super::problem::ScaleProblem;
use super::settings::{DataBits, Parity, ScaleConnection, ScaleSettings};
use crate::telegram::{DATA_REPORT, REPORT_LENGTH, ScaleProtocol};

/// How long one read waits for bytes.
const READ_TIMEOUT: Duration = Duration::from_millis(50);
/// How long a read of a USB scale waits for a report, in milliseconds.
const READ_TIMEOUT_MS: i32 = 50;

/// Scales are on the local network, where an answer takes milliseconds. A longer wait would keep the thread alive after
/// its watch is dropped.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(400);

/// An open connection to a scale. Reads wait 50 ms, then fail with [`io::ErrorKind::TimedOut`] or
/// [`io::ErrorKind::WouldBlock`].
pub(super) trait Line: Read + Write {}

impl<T: Read + Write> Line for T {}

pub(super) fn open(settings: &ScaleSettings) -> Result<Box<dyn Line>, ScaleProblem> {
    let is_usb = matches!(settings.connection, ScaleConnection::Usb { .. });
    if is_usb != (settings.protocol == ScaleProtocol::UsbHid) {
        return Err(ScaleProblem::WrongProtocol);
    }
    match &settings.connection {
        ScaleConnection::Usb {
            vendor,
            product,
            serial,
        } => open_hid(*vendor, *product, serial.as_deref()),
        ScaleConnection::Serial {
            port,
            baud_rate,
            data_bits,
            parity,
        } => open_serial(port, *baud_rate, *data_bits, *parity),
        ScaleConnection::Tcp { host, port } => open_tcp(host, *port),
    }
}

fn open_hid(
    vendor: u16,
    product: u16,
    serial: Option<&str>,
) -> Result<Box<dyn Line>, ScaleProblem> {
    let api = HidApi::new().map_err(|error| ScaleProblem::Failed(error.to_string()))?;
    let info = hid_scales(&api)
        .find(|device| {
            (device.vendor_id(), device.product_id()) == (vendor, product)
                && serial.is_none_or(|serial| serial_number(device) == Some(serial))
        })
        .ok_or(ScaleProblem::NotFound)?;
    match info.open_device(&api) {
        Ok(device) => Ok(Box::new(HidLine(device))),
        Err(error) => Err(hid_problem(&info.path().to_string_lossy(), &error)),
    }
}

/// Finds out why a HID device can't be opened: the library only gives a text.
fn hid_problem(path: &str, error: &hidapi::HidError) -> ScaleProblem {
    match OpenOptions::new().read(true).write(true).open(path) {
        Err(reason) => ScaleProblem::from_io(&reason),
        Ok(_) => ScaleProblem::Failed(error.to_string()),
    }
}

fn open_serial(
    port: &str,
    baud_rate: u32,
    data_bits: DataBits,
    parity: Parity,
) -> Result<Box<dyn Line>, ScaleProblem> {
    let line = serialport::new(port, baud_rate)
        .data_bits(match data_bits {
            DataBits::Seven => serialport::DataBits::Seven,
            DataBits::Eight => serialport::DataBits::Eight,
        })
        .parity(match parity {
            Parity::None => serialport::Parity::None,
            Parity::Even => serialport::Parity::Even,
            Parity::Odd => serialport::Parity::Odd,
        })
        .timeout(READ_TIMEOUT)
        .open();
    match line {
        Ok(line) => Ok(Box::new(line)),
        // The library reports a busy port and, on Windows, a missing one alike.
        Err(error) if error.kind() == serialport::ErrorKind::NoDevice => {
            let is_there =
                Path::new(port).exists() || serial_ports().iter().any(|p| p.port_name == port);
            Err(if is_there {
                ScaleProblem::Busy
            } else {
                ScaleProblem::NotFound
            })
        }
        Err(error) => Err(ScaleProblem::from_io(&error.into())),
    }
}

fn open_tcp(host: &str, port: u16) -> Result<Box<dyn Line>, ScaleProblem> {
    let addresses = { (host, port).to_socket_addrs() }.map_err(|error| {
        tracing::debug!(%error, host, "the scale's host is unknown");
        ScaleProblem::NotFound
    })?;
    let mut problem = ScaleProblem::NotFound;
    for address in addresses {
        let stream = TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).and_then(|stream| {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(READ_TIMEOUT))?;
            stream.set_write_timeout(Some(READ_TIMEOUT))?;
            Ok(stream)
        });
        match stream {
            Ok(stream) => return Ok(Box::new(stream)),
            Err(error) => problem = ScaleProblem::from_io(&error),
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
