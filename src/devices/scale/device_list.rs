//! Lists the attached devices that may be scales.

use hidapi::{DeviceInfo, HidApi};
use serialport::SerialPortType;

use super::settings::ScaleConnection;
use crate::serial::serial_ports;
use crate::telegram::ScaleProtocol;

/// The HID usage page of scales.
const USAGE_PAGE: u16 = 0x8D;

/// A device that may be a scale. `description` is for the screen, such as `DYMO M10`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FoundDevice {
    UsbScale {
        vendor: u16,
        product: u16,
        serial: Option<String>,
        description: String,
    },
    SerialPort {
        /// The device, such as `/dev/ttyUSB0` or `COM3`.
        port: String,
        description: String,
    },
}

impl FoundDevice {
    /// Returns the connection for the settings, with the usual line settings of `protocol` for a serial port.
    pub fn to_connection(&self, protocol: ScaleProtocol) -> ScaleConnection {
        match self {
            Self::UsbScale {
                vendor,
                product,
                serial,
                ..
            } => ScaleConnection::Usb {
                vendor: *vendor,
                product: *product,
                serial: serial.clone(),
            },
            Self::SerialPort { port, .. } => ScaleConnection::usual_serial(protocol, port.as_str()),
        }
    }
}

/// Lists the attached USB scales and serial ports. A kind that can't be listed is left out. Reads from the system, so
/// don't call it while drawing.
pub fn list_devices() -> Vec<FoundDevice> {
    let mut devices: Vec<FoundDevice> = match HidApi::new() {
        Ok(api) => hid_scales(&api).map(describe_scale).collect(),
        Err(error) => {
            tracing::warn!(%error, "USB scales can't be listed");
            Vec::new()
        }
    };
    devices.extend(serial_ports().into_iter().map(describe_port));
    devices
}

pub(super) fn hid_scales(api: &HidApi) -> impl Iterator<Item = &DeviceInfo> {
    api.device_list()
        .filter(|device| device.usage_page() == USAGE_PAGE)
}

pub(super) fn serial_number(device: &DeviceInfo) -> Option<&str> {
    device.serial_number().filter(|serial| !serial.is_empty())
}

fn describe_scale(device: &DeviceInfo) -> FoundDevice {
    FoundDevice::UsbScale {
        vendor: device.vendor_id(),
        product: device.product_id(),
        serial: serial_number(device).map(str::to_owned),
        description: join(&[device.manufacturer_string(), device.product_string()])
            .unwrap_or_else(|| "USB scale".to_owned()),
    }
}

fn describe_port(port: serialport::SerialPortInfo) -> FoundDevice {
    let description = match &port.port_type {
        SerialPortType::UsbPort(usb) => {
            join(&[usb.manufacturer.as_deref(), usb.product.as_deref()])
                .unwrap_or_else(|| "USB adapter".to_owned())
        }
        SerialPortType::BluetoothPort => "Bluetooth".to_owned(),
        SerialPortType::PciPort | SerialPortType::Unknown => "Serial port".to_owned(),
    };
    FoundDevice::SerialPort {
        port: port.port_name,
        description,
    }
}

fn join(parts: &[Option<&str>]) -> Option<String> {
    let parts: Vec<&str> = { parts.iter().flatten() }
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}
