//! Where the bench keeps what is its own: one private folder.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use thiserror::Error;

/// Why there is no place to keep things.
#[derive(Debug, Error)]
pub enum PlacesError {
    /// No home folder, and no folder was named.
    #[error("there is no home folder; name a data folder with --data")]
    NoHome,
    /// The folder cannot be made or opened.
    #[error("the data folder {0} cannot be used: {1}")]
    Unusable(PathBuf, #[source] io::Error),
}

/// The bench's folders and files.
#[derive(Debug, Clone)]
pub struct Places {
    data: PathBuf,
}

impl Places {
    /// The folder that was named on the command line, else by `PACKBENCH_DATA`, else the user's own for applications. It
    /// is made where it is missing, for the user alone.
    pub fn open(named: Option<PathBuf>) -> Result<Self, PlacesError> {
        let data = named
            .or_else(|| {
                std::env::var_os("PACKBENCH_DATA")
                    .filter(|path| !path.is_empty())
                    .map(PathBuf::from)
            })
            .or_else(|| {
                ProjectDirs::from("", "", "packbench").map(|dirs| dirs.data_local_dir().to_owned())
            })
            .ok_or(PlacesError::NoHome)?;
        let places = Self { data };
        for folder in [places.data.clone(), places.spool(), places.practice()] {
            private_folder(&folder).map_err(|error| PlacesError::Unusable(folder, error))?;
        }
        Ok(places)
    }

    /// The folder itself.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The journal of one service, by the connection's name: what was sent to one is never looked for at another.
    pub fn journal(&self, service: &str) -> PathBuf {
        let plain: String = service
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() {
                    c.to_ascii_lowercase()
                } else {
                    '-'
                }
            })
            .collect();
        self.data.join(format!("journal-{plain}.sqlite"))
    }

    /// The settings.
    pub fn settings(&self) -> PathBuf {
        self.data.join("settings.json")
    }

    /// Files on their way to a printer.
    pub fn spool(&self) -> PathBuf {
        self.data.join("spool")
    }

    /// The practice service's own folder.
    pub fn practice(&self) -> PathBuf {
        self.data.join("practice")
    }

    /// Held by the one program that runs on this folder; holds the port where it listens for a second start.
    pub fn lock(&self) -> PathBuf {
        self.data.join("lock")
    }
}

fn private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Writes a private file so that it is whole or not there: beside it first, then in its place.
pub(super) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("new");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(beside, path)
}
