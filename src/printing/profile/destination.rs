//! Where a printer is: a queue, a network port, a driverless printer at its own address, or a file.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The raw printing port, on which nearly every label printer listens.
pub const RAW_PORT: u16 = 9100;

/// Where the bytes go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Destination {
    /// A queue of the print service, by its name there.
    Queue(String),
    /// A printer on the network that accepts raw bytes.
    Socket {
        host: String,
        #[serde(default = "raw_port")]
        port: u16,
    },
    /// A printer on the network that speaks IPP, used without a queue: `ipp://host:631/ipp/print`.
    Ipp(String),
    /// A file, or a folder in which each job makes a new file. Existing files are never replaced. The file
    /// name may contain [`NUMBER_PLACEHOLDER`] and [`PIECE_PLACEHOLDER`].
    File(PathBuf),
}

/// The placeholder for the consignment's number in a file name.
pub(super) const NUMBER_PLACEHOLDER: &str = "{number}";

/// The placeholder for the label's number within its consignment, from 1, in a file name. Each label gets
/// its own file.
pub(crate) const PIECE_PLACEHOLDER: &str = "{piece}";

fn raw_port() -> u16 {
    RAW_PORT
}

impl Destination {
    /// Parses `host`, `host:port` or `[v6]:port`; `None` if the text is none of them.
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

    /// Parses `ipp://host/path`, with a port if it is not 631; `None` if the text is not such an address.
    pub fn ipp(text: &str) -> Option<Self> {
        let uri = url::Url::parse(text.trim()).ok()?;
        let plain = uri.scheme() == "ipp"
            && uri.host_str().is_some_and(|host| !host.is_empty())
            && uri.username().is_empty()
            && uri.password().is_none();
        plain.then(|| Self::Ipp(uri.to_string()))
    }

    /// Takes the path of a file or folder. Returns an error if it contains a placeholder that is
    /// not filled in.
    pub fn file(path: &str) -> Result<Self, UnknownPlaceholder> {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let folder = &path[..path.len() - name.len()];
        let rest = name
            .replace(NUMBER_PLACEHOLDER, "")
            .replace(PIECE_PLACEHOLDER, "");
        if rest.contains(['{', '}'])
            || [NUMBER_PLACEHOLDER, PIECE_PLACEHOLDER]
                .iter()
                .any(|one| folder.contains(one))
        {
            return Err(UnknownPlaceholder);
        }
        Ok(Self::File(path.into()))
    }

    /// Fills in the number of the job's consignment or document.
    #[must_use]
    pub fn of_job(&self, number: &str) -> Self {
        let Self::File(path) = self else {
            return self.clone();
        };
        let name = path.file_name().and_then(|name| name.to_str());
        let named = name.filter(|name| name.contains(NUMBER_PLACEHOLDER));
        named.map_or_else(
            || self.clone(),
            |name| {
                Self::File(
                    path.with_file_name(name.replace(NUMBER_PLACEHOLDER, &to_file_name(number))),
                )
            },
        )
    }

    /// The destination in a few words for the screen.
    pub fn label(&self) -> String {
        match self {
            Self::Queue(name) | Self::Ipp(name) => name.clone(),
            Self::Socket { host, port } => format!("{host}:{port}"),
            Self::File(path) => path.display().to_string(),
        }
    }

    /// The queue name or `ipp://` address at which the state of jobs can be queried; `None` for ports and
    /// files, which cannot be queried.
    pub fn query_target(&self) -> Option<&str> {
        match self {
            Self::Queue(name) | Self::Ipp(name) => Some(name),
            Self::Socket { .. } | Self::File(_) => None,
        }
    }
}

/// The file name has something in braces other than [`NUMBER_PLACEHOLDER`] and [`PIECE_PLACEHOLDER`], or a
/// folder name has one of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Only {NUMBER_PLACEHOLDER} and {PIECE_PLACEHOLDER} are filled in, in the file's name")]
pub struct UnknownPlaceholder;

/// Reduces a text to at most 80 ASCII letters, digits and hyphens, which every file system accepts as a name.
pub(crate) fn to_file_name(text: &str) -> String {
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
