//! Settings, connections, printers and files on disk. Only this module reads environment variables.
//!
//! Invariants: a token is never in a file, only in the operating system's keyring and in memory. A settings
//! file that cannot be read is set aside and never overwritten. Folders have mode 0700, files 0600.

mod keyring;
mod layers;
mod machine;
mod settings;
mod system_info;

pub use keyring::{Keyring, TokenError, Tokens};
pub(crate) use machine::host_name;
pub use machine::{MachineFileError, MachineSettings, MachineSettingsError};
pub(crate) use settings::with_copies;
pub use settings::{
    BenchSettings, BoardSettings, ChosenService, CompanyScope, ConnectionSettings,
    MiddlewareSettings, NoPrinter, OrderFolderSettings, Settings, SettingsError, ThemeChoice,
    TrackingScope, TrackingScopes, UpdateSettings, WorkgroupSettings,
};
pub use system_info::{Graphics, SystemInfo};

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum DataFolderError {
    #[error("there is no home folder; choose a data folder with --data")]
    NoHome,
    /// The folder cannot be created, or its permissions cannot be set.
    #[error("the data folder {0} cannot be used: {1}")]
    Unusable(PathBuf, #[source] io::Error),
}

/// Paths of the bench's folders and files.
#[derive(Debug, Clone)]
pub struct DataFolder {
    data: PathBuf,
    machine_settings: PathBuf,
}

impl DataFolder {
    /// Opens the data folder: `named` (from the command line), else `PACKBENCH_DATA`, else the user's folder for
    /// application data. Creates missing folders, to which only the user has access.
    pub fn open(named: Option<PathBuf>) -> Result<Self, DataFolderError> {
        let data = named
            .or_else(|| path_in("PACKBENCH_DATA"))
            .or_else(|| {
                ProjectDirs::from("", "", "packbench").map(|dirs| dirs.data_local_dir().to_owned())
            })
            .ok_or(DataFolderError::NoHome)?;
        Self::at(data, machine_settings_path())
    }

    /// Opens the folder `data` on a computer whose machine-wide settings are in the file `machine_settings`.
    pub fn at(data: PathBuf, machine_settings: PathBuf) -> Result<Self, DataFolderError> {
        let places = Self {
            data,
            machine_settings,
        };
        for folder in [places.data.clone(), places.spool(), places.practice()] {
            private_folder(&folder).map_err(|error| DataFolderError::Unusable(folder, error))?;
        }
        Ok(places)
    }

    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Returns the journal file of one service, by the connection's name. Each service has its own journal,
    /// because an operation sent to one service must never be reconciled with another.
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

    pub fn settings(&self) -> PathBuf {
        self.data.join("settings.json")
    }

    /// Returns the path of the settings that an administrator writes for all users of this computer.
    pub fn machine_settings(&self) -> &Path {
        &self.machine_settings
    }

    /// Returns the folder for files that are being sent to a printer.
    pub fn spool(&self) -> PathBuf {
        self.data.join("spool")
    }

    pub fn practice(&self) -> PathBuf {
        self.data.join("practice")
    }

    /// Returns the folder of the log files.
    pub fn logs(&self) -> PathBuf {
        self.data.join("logs")
    }

    /// Returns the folder of the crash reports.
    pub fn crashes(&self) -> PathBuf {
        self.data.join("crashes")
    }

    /// Returns the lock file. The process that uses this data folder locks the file, and writes the port where it
    /// listens for a second start into `lock.port`.
    pub fn lock(&self) -> PathBuf {
        self.data.join("lock")
    }
}

fn path_in(variable: &str) -> Option<PathBuf> {
    let value = std::env::var_os(variable)?;
    (!value.is_empty()).then(|| value.into())
}

/// Returns the path of the machine-wide settings: `PACKBENCH_MACHINE_SETTINGS`, else the system's usual place.
pub(crate) fn machine_settings_path() -> PathBuf {
    if let Some(path) = path_in("PACKBENCH_MACHINE_SETTINGS") {
        return path;
    }
    let folder = if cfg!(windows) {
        let data = path_in("ProgramData").unwrap_or_else(|| r"C:\ProgramData".into());
        data.join("Packbench")
    } else if cfg!(target_os = "macos") {
        "/Library/Application Support/Packbench".into()
    } else {
        "/etc/packbench".into()
    };
    folder.join("settings.toml")
}

pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Writes a file that only this user can read, see [`write_whole`].
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole(path, bytes, 0o600)
}

/// Writes a file that every user can read, and makes its folder, see [`write_whole`].
pub(crate) fn write_for_everybody(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new_folder = path.parent().filter(|folder| !folder.exists());
    if let Some(folder) = new_folder {
        fs::create_dir_all(folder)?;
    }
    write_whole(path, bytes, 0o644)?;
    // The administrator's own limits for new files must not lock the others out.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o644))?;
        if let Some(folder) = new_folder {
            fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// Writes to a temporary file in the same folder, then renames it, so that the file is complete or unchanged.
fn write_whole(
    path: &Path,
    bytes: &[u8],
    #[cfg_attr(
        not(unix),
        expect(unused, reason = "Windows inherits the folder's permissions")
    )]
    mode: u32,
) -> io::Result<()> {
    let beside = path.with_extension("new");
    // One that is left over, or that somebody else made to keep the rights to it, goes.
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(mode);
    }
    let mut file = options.open(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(beside, path)
}
