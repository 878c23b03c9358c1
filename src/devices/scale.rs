//! Connections to scales: settings, the thread that reads a scale, and the list of attached devices.

mod connection;
mod device_list;
mod settings;
mod watch;

pub use device_list::{FoundDevice, list_devices};
pub use settings::{ScaleConnection, ScaleSettings};
pub use watch::{ScaleEvent, watch};
