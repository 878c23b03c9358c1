//! Problems with the connection to a scale, in the clerk's words.

use std::io;

/// Why a scale can't be read. `Display` says what happened, and [`Self::advice`] what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScaleProblem {
    #[error("Scale not found")]
    NotFound,
    #[error("No permission to use the scale")]
    NoPermission,
    #[error("Another program is using the scale")]
    Busy,
    #[error("The connection to the scale was lost")]
    Lost,
    #[error("The scale doesn't answer")]
    NoAnswer,
    /// Nothing listens at the port of the network address.
    #[error("The network address refused the connection")]
    Refused,
    #[error("The scale's network address can't be reached")]
    Unreachable,
    /// A USB connection with a serial protocol, or the reverse.
    #[error("This protocol doesn't work over this connection")]
    WrongProtocol,
    /// Any other failure, with the operating system's message.
    #[error("The scale can't be opened: {0}")]
    Failed(String),
}

impl ScaleProblem {
    /// Returns what the clerk can do, for the screen.
    pub const fn advice(&self) -> &'static str {
        match self {
            Self::NotFound => "Check that the scale is switched on and plugged in",
            Self::NoPermission if cfg!(target_os = "linux") => {
                "Install the udev rule 70-packbench-scales.rules of Packbench's package, or add yourself to the group dialout. Then plug the scale in again and sign in again"
            }
            Self::NoPermission => "Ask your administrator for access to the scale's port",
            Self::Busy => "Close the other program that uses the scale",
            Self::Lost => "Check the cable. The scale reconnects when it is back",
            Self::NoAnswer => {
                "Check that the scale is switched on, and that protocol and port settings match the scale's"
            }
            Self::Refused => {
                "Check the port number, and that no other bench is connected to the scale"
            }
            Self::Unreachable => "Check the network address and the network cable of the scale",
            Self::WrongProtocol => {
                "Choose “USB scale (HID)” for a USB scale, or another protocol for a serial port or the network"
            }
            Self::Failed(_) => {
                "Unplug the scale and plug it in again. If that doesn't help, choose another port"
            }
        }
    }

    /// Translates a failure to open a port.
    pub(super) fn from_io(error: &io::Error) -> Self {
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
