//! Where a printer is: a queue, a port, a printer that speaks IPP itself, or a file.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The port of raw printing, which nearly every label printer listens on.
pub const RAW_PORT: u16 = 9100;

/// Where the bytes go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Destination {
    /// A queue of the print service, by its name there.
    Queue(String),
    /// A printer on the network, taking raw bytes.
    Socket {
        host: String,
        #[serde(default = "raw_port")]
        port: u16,
    },
    /// A printer on the network that speaks IPP, with no queue between: `ipp://host:631/ipp/print`.
    Ipp(String),
    /// A file, replaced each time; or a folder, where each job makes a new file.
    File(PathBuf),
}

fn raw_port() -> u16 {
    RAW_PORT
}

impl Destination {
    /// `host`, `host:port` or `[v6]:port`; `None` when it is no such thing.
    pub fn socket(text: &str) -> Option<Self> {
        let text = text.trim();
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, RAW_PORT),
            Some((host, port)) => (host, port.strip_prefix(':')?.parse().ok()?),
            None => match text.split_once(':') {
                Some((host, port)) => (host, port.parse().ok()?),
                None => (text, RAW_PORT),
            },
        };
        let plain = !host.is_empty()
            && port != 0
            && !host.contains(|c: char| c.is_whitespace() || c == '/');
        plain.then(|| Self::Socket {
            host: host.to_owned(),
            port,
        })
    }

    /// `ipp://host/path`, with a port where it is not 631; `None` when it is no such thing.
    pub fn ipp(text: &str) -> Option<Self> {
        let uri = url::Url::parse(text.trim()).ok()?;
        let plain = uri.scheme() == "ipp"
            && uri.host_str().is_some_and(|host| !host.is_empty())
            && uri.username().is_empty()
            && uri.password().is_none();
        plain.then(|| Self::Ipp(uri.to_string()))
    }

    /// The place in a few words for the screen.
    pub fn words(&self) -> String {
        match self {
            Self::Queue(name) | Self::Ipp(name) => name.clone(),
            Self::Socket { host, port } => format!("{host}:{port}"),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// What is asked about its jobs: a queue's name, or the address of a printer that speaks IPP. Nothing for a port and
    /// a file, which answer no questions.
    pub fn asked(&self) -> Option<&str> {
        match self {
            Self::Queue(name) | Self::Ipp(name) => Some(name),
            Self::Socket { .. } | Self::File(_) => None,
        }
    }
}
