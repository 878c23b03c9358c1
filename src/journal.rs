//! The bench's own SQLite file: drafts, operations, labels, print jobs.
//!
//! What always holds: one writer; every change is one transaction, on disk when it returns (`synchronous=FULL`, WAL);
//! an intent is here before its request leaves the machine; bytes are here before they are printed.
//! What it must not know: the service, the window, the clock (times are given).

mod drafts;
mod labels;
mod operation;
mod operations;
mod recover;
mod schema;
mod text;

use std::path::Path;

use rusqlite::Connection;
use thiserror::Error;

pub use labels::{JobEvent, JobId, JobState, NewJob, PrintJob, StoredLabel};
pub use operation::{Event, Kind, NewOperation, Operation, OperationId, OperationState};
pub use recover::Recovered;

/// Why the journal cannot be read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be opened or is not a database.
    #[error("the bench's journal cannot be opened")]
    Open(#[source] rusqlite::Error),
    /// Its check found damage.
    #[error("the bench's journal is damaged")]
    Damaged,
    /// It cannot be brought to this version's tables.
    #[error("the bench's journal could not be brought up to date")]
    Migrate(#[source] Box<rusqlite_migration::Error>),
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// Reading or writing failed.
    #[error("the bench's journal could not be read or written")]
    Io(#[source] rusqlite::Error),
    /// What was stored cannot be read back by this version.
    #[error("an entry of the bench's journal cannot be read")]
    Unreadable(#[source] serde_json::Error),
    /// The row that was to change is not in the state that the change starts from.
    #[error("the entry has changed meanwhile")]
    Changed,
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::Full,
            Some(rusqlite::ErrorCode::NotADatabase | rusqlite::ErrorCode::DatabaseCorrupt) => {
                Self::Damaged
            }
            _ => Self::Io(error),
        }
    }
}

impl From<serde_json::Error> for JournalError {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// The open journal; one a process, and one process a file (the program holds a lock beside it).
#[derive(Debug)]
pub struct Journal {
    db: Connection,
}

impl Journal {
    /// Opens or makes the journal at `path`, checks it and brings its tables up to date.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let db = Connection::open(path).map_err(JournalError::Open)?;
        private_file(path);
        Self::prepare(db)
    }

    fn prepare(mut db: Connection) -> Result<Self, JournalError> {
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        db.pragma_update(None, "foreign_keys", true)?;
        db.busy_timeout(std::time::Duration::from_secs(2))?;
        let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        if verdict != "ok" {
            return Err(JournalError::Damaged);
        }
        schema::migrate(&mut db).map_err(|error| JournalError::Migrate(Box::new(error)))?;
        Ok(Self { db })
    }
}

/// Nobody but the bench's user reads the journal: it holds receivers' names.
fn private_file(path: &Path) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = std::fs::Permissions::from_mode(0o600);
        if std::fs::set_permissions(path, mode).is_err() {
            tracing::warn!("the journal's file mode could not be set");
        }
    }
    #[cfg(not(unix))]
    let _ = path;
}
