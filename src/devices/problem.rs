//! Problems with the connection to a device, in the clerk's words.

use std::io;

/// The device that a problem is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceKind {
    Scale,
    Scanner,
}

impl DeviceKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Scale => "scale",
            Self::Scanner => "scanner",
        }
    }
}

/// Why a device can't be read. [`Self::message`] says what happened, and [`Self::advice`] what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceProblem {
    NotFound,
    NoPermission,
    Busy,
    Lost,
    NoAnswer,
    /// Nothing listens at the port of the network address.
    Refused,
    Unreachable,
    /// A USB connection with a serial protocol, or the reverse.
    WrongProtocol,
    /// Any other failure, with the operating system's message.
    Failed(String),
}

impl DeviceProblem {
    /// Returns what happened, for the screen.
    pub fn message(&self, device: DeviceKind) -> String {
        let name = device.name();
        match self {
            Self::NotFound => match device {
                DeviceKind::Scale => "Scale not found".to_owned(),
                DeviceKind::Scanner => "Scanner not found".to_owned(),
            },
            Self::NoPermission => format!("No permission to use the {name}"),
            Self::Busy => format!("Another program is using the {name}"),
            Self::Lost => format!("The connection to the {name} was lost"),
            Self::NoAnswer => format!("The {name} doesn't answer"),
            Self::Refused => "The network address refused the connection".to_owned(),
            Self::Unreachable => format!("The {name}'s network address can't be reached"),
            Self::WrongProtocol => "This protocol doesn't work over this connection".to_owned(),
            Self::Failed(error) => format!("The {name} can't be opened: {error}"),
        }
    }

    /// Returns what the clerk can do, for the screen.
    pub fn advice(&self, device: DeviceKind) -> String {
        let name = device.name();
        match self {
            Self::NotFound => format!("Check that the {name} is switched on and plugged in"),
            Self::NoPermission if cfg!(target_os = "linux") => format!(
                "Install the udev rule 70-packbench-scales.rules of Packbench's package, or add yourself to the group dialout. Then plug the {name} in again and sign in again"
            ),
            Self::NoPermission => {
                format!("Ask your administrator for access to the {name}'s port")
            }
            Self::Busy => format!("Close the other program that uses the {name}"),
            Self::Lost => format!("Check the cable. The {name} reconnects when it is back"),
            Self::NoAnswer => format!(
                "Check that the {name} is switched on, and that protocol and port settings match the {name}'s"
            ),
            Self::Refused => format!(
                "Check the port number, and that no other bench is connected to the {name}"
            ),
            Self::Unreachable => {
                format!("Check the network address and the network cable of the {name}")
            }
            Self::WrongProtocol => {
                "Choose “USB scale (HID)” for a USB scale, or another protocol for a serial port or the network"
                    .to_owned()
            }
            Self::Failed(_) => format!(
                "Unplug the {name} and plug it in again. If that doesn't help, choose another port"
            ),
        }
    }

    /// Translates a failure to open a port.
    pub(crate) fn from_io(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::PermissionDenied => Self::NoPermission,
            io::ErrorKind::ResourceBusy => Self::Busy,
            io::ErrorKind::ConnectionRefused => Self::Refused,
            io::ErrorKind::TimedOut
            | io::ErrorKind::HostUnreachable
            | io::ErrorKind::NetworkUnreachable => Self::Unreachable,
            _ => Self::Failed(error.to_string()),
        }
    }
}
