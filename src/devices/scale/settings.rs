//! Where a scale is and which protocol it speaks, as stored with the settings of the bench.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::serial::{DataBits, Parity, SerialSettings};
use crate::telegram::{DigitFormat, ScaleProtocol};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ScaleSettings {
    /// The name shown on the screen.
    pub name: String,
    pub protocol: ScaleProtocol,
    pub connection: ScaleConnection,
    /// The form of weights that come without a unit, for Mettler Toledo 8217 only.
    #[serde(default)]
    pub digits: DigitFormat,
}

/// Where the scale is. USB is for HID scales; all other protocols use a serial port or a network box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ScaleConnection {
    Usb {
        /// The vendor's id, for example 0x0922 for Dymo.
        vendor: u16,
        product: u16,
        /// The serial number, needed only if several equal scales are attached.
        #[serde(default)]
        serial: Option<String>,
    },
    Serial(SerialSettings),
    /// A network box, or a scale on the network, that passes the bytes of the protocol on unchanged.
    Tcp {
        host: String,
        port: u16,
    },
}

impl ScaleConnection {
    /// Returns a serial connection with the protocol's usual line settings. For [`ScaleProtocol::UsbHid`], which no
    /// serial port speaks, they are those of most modern scales.
    pub fn usual_serial(protocol: ScaleProtocol, port: impl Into<String>) -> Self {
        let (baud_rate, data_bits, parity) = match protocol {
            ScaleProtocol::MettlerToledo8217 | ScaleProtocol::Nci => {
                (9600, DataBits::Seven, Parity::Even)
            }
            ScaleProtocol::AndContinuous => (2400, DataBits::Seven, Parity::Even),
            ScaleProtocol::MtSics | ScaleProtocol::UsbHid => (9600, DataBits::Eight, Parity::None),
        };
        Self::Serial(SerialSettings {
            port: port.into(),
            baud_rate,
            data_bits,
            parity,
        })
    }
}
