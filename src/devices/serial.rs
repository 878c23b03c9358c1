//! Serial ports: their settings, the list of attached ones, and opening one.

use std::path::Path;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::problem::DeviceProblem;

/// How long one read waits for bytes.
pub(crate) const READ_TIMEOUT: Duration = Duration::from_millis(50);

/// A serial port, built-in or on an adapter, with one stop bit and without flow control.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SerialSettings {
    /// The device, such as `/dev/ttyUSB0` or `COM3`.
    pub port: String,
    /// Bits per second.
    pub baud_rate: u32,
    pub data_bits: DataBits,
    pub parity: Parity,
}

impl SerialSettings {
    /// Returns the settings that most devices have: 9600 bits per second, 8 data bits, no parity.
    pub fn usual(port: impl Into<String>) -> Self {
        Self {
            port: port.into(),
            baud_rate: 9600,
            data_bits: DataBits::Eight,
            parity: Parity::None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DataBits {
    Seven,
    Eight,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Parity {
    None,
    Even,
    Odd,
}

/// Opens a port. Reads wait 50 ms, then fail with [`std::io::ErrorKind::TimedOut`].
pub(crate) fn open(
    settings: &SerialSettings,
) -> Result<Box<dyn serialport::SerialPort>, DeviceProblem> {
    let port = &settings.port;
    let line = serialport::new(port, settings.baud_rate)
        .data_bits(match settings.data_bits {
            DataBits::Seven => serialport::DataBits::Seven,
            DataBits::Eight => serialport::DataBits::Eight,
        })
        .parity(match settings.parity {
            Parity::None => serialport::Parity::None,
            Parity::Even => serialport::Parity::Even,
            Parity::Odd => serialport::Parity::Odd,
        })
        .timeout(READ_TIMEOUT)
        .open();
    match line {
        Ok(line) => Ok(line),
        // The library reports a busy port and, on Windows, a missing one alike.
        Err(error) if error.kind() == serialport::ErrorKind::NoDevice => {
            let is_there =
                Path::new(port).exists() || serial_ports().iter().any(|p| p.port_name == *port);
            Err(if is_there {
                DeviceProblem::Busy
            } else {
                DeviceProblem::NotFound
            })
        }
        Err(error) => Err(DeviceProblem::from_io(&error.into())),
    }
}

pub(crate) fn serial_ports() -> Vec<serialport::SerialPortInfo> {
    // On Linux, the library panics without this folder.
    if cfg!(target_os = "linux") && !Path::new("/sys/class/tty").is_dir() {
        return Vec::new();
    }
    serialport::available_ports()
        .inspect_err(|error| tracing::warn!(%error, "serial ports can't be listed"))
        .unwrap_or_default()
}
