//! The SQLite database of the practice service: users and their tokens, consignments with their
//! history, manifests.
//!
//! Every change is one transaction. Invariant: a consignment's document changes only while it is
//! unmanifested. The caller checks the rules of the API.

mod carrier_progress;
mod changes;
mod consignments;
mod integration;
mod lookup;
mod manifests;
mod pending;
mod print_jobs;
mod recent;
mod schema;
mod users;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::Connection;
use rusqlite::backup::Backup;
use rusqlite_migration::Migrations;

pub(crate) use carrier_progress::{CarrierProgress, DueStep, NextStep};
pub(crate) use changes::StatusChange;
pub(crate) use consignments::NewConsignment;
pub(crate) use lookup::LookupKey;
pub(crate) use manifests::NewManifest;
pub(crate) use print_jobs::PrintJob;
pub(crate) use recent::RecentFilter;
pub(crate) use users::User;

/// Database pages in one step of a copy. In practice one step copies the whole database.
const PAGES_AT_ONCE: i32 = 100_000;

/// The reason why the store cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("the practice data folder {path} cannot be made: {source}")]
    Folder {
        path: PathBuf,
        source: std::io::Error,
    },
    /// An SQLite error.
    #[error("the practice database failed: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// The database was written by a newer version, or is damaged.
    #[error("the practice database cannot be brought up to date: {0}")]
    Migration(#[from] rusqlite_migration::Error),
    /// A stored document cannot be parsed.
    #[error("a stored practice record cannot be read: {0}")]
    Document(#[from] serde_json::Error),
    /// A stored time or role is invalid.
    #[error("a stored practice record cannot be read: {0}")]
    Value(String),
}

/// The open database.
pub(crate) struct Store {
    connection: Connection,
    /// The last list of recent changes, kept because its pages are requested one after the other.
    recent: Option<recent::CachedList>,
}

impl Store {
    /// Opens `practice.sqlite` in `folder`, and creates both if necessary.
    pub(crate) fn open(folder: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder).map_err(|source| StoreError::Folder {
            path: folder.to_owned(),
            source,
        })?;
        let path = folder.join("practice.sqlite");
        keep_private(&path).map_err(|source| StoreError::Folder {
            path: folder.to_owned(),
            source,
        })?;
        let mut connection = Connection::open(path)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        Migrations::from_slice(schema::MIGRATIONS).to_latest(&mut connection)?;
        Ok(Self {
            connection,
            recent: None,
        })
    }

    /// Copies the whole database into memory.
    pub(crate) fn copy(&self) -> Result<Self, StoreError> {
        let mut connection = Connection::open_in_memory()?;
        let backup = Backup::new(&self.connection, &mut connection)?;
        backup.run_to_completion(PAGES_AT_ONCE, Duration::ZERO, None)?;
        drop(backup);
        Ok(Self {
            connection,
            recent: None,
        })
    }
}

/// Makes the database files readable for the current user only. SQLite gives the files beside the database
/// the permissions of the database.
#[cfg_attr(
    not(unix),
    expect(clippy::unnecessary_wraps, reason = "it may fail elsewhere")
)]
fn keep_private(database: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
        let mut options = std::fs::OpenOptions::new();
        options.append(true).create(true).mode(0o600);
        options.open(database)?;
        for ending in ["", "-wal", "-shm"] {
            let mut path = database.as_os_str().to_owned();
            path.push(ending);
            if Path::new(&path).exists() {
                std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
            }
        }
    }
    #[cfg(not(unix))]
    let _ = database;
    Ok(())
}
