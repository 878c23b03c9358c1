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
    /// A file, or a folder: each job makes a new file there, and none is ever replaced. The file's name may hold
    /// [`NUMBER`] and [`PIECE`].
    File(PathBuf),
}

/// Stands in the name of a file for the consignment's number.
pub(super) const NUMBER: &str = "{number}";

/// Stands in the name of a file for the label's number among those of the consignment, from 1: a file each.
pub(in crate::printing) const PIECE: &str = "{piece}";

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

    /// A file, by what is typed; an error says what stands in its name for nothing.
    pub fn file(path: &str) -> Result<Self, UnknownPlaceholder> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let folder = &path[..path.len() - name.len()];
        let rest = name.replace(NUMBER, "").replace(PIECE, "");
        if rest.contains(['{', '}']) || [NUMBER, PIECE].iter().any(|one| folder.contains(one)) {
            return Err(UnknownPlaceholder);
        }
        Ok(Self::File(path.into()))
    }

    /// The place for the job of the consignment, or the paper, of this number.
    #[must_use]
    pub fn of_job(&self, number: &str) -> Self {
        let Self::File(path) = self else {
            return self.clone();
        };
        let name = path.file_name().and_then(|name| name.to_str());
        let named = name.filter(|name| name.contains(NUMBER));
        named.map_or_else(
            || self.clone(),
            |name| Self::File(path.with_file_name(name.replace(NUMBER, &plain(number)))),
        )
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

/// The name of a file holds something in braces that is neither [`NUMBER`] nor [`PIECE`], or a folder's name does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Only {NUMBER} and {PIECE} are filled in, in the file's name")]
pub struct UnknownPlaceholder;

/// What every file system takes in a name.
pub(in crate::printing) fn plain(text: &str) -> String {
    let plain = text.chars().map(|c| {
        if c.is_ascii_alphanumeric() || c == '-' {
            c
        } else {
            '-'
        }
    });
    let plain: String = plain.take(80).collect();
    plain.trim_matches('-').to_owned()
}
