//! The bench's own SQLite file: drafts, operations, labels, print jobs, and the lists last seen at the service.
//!
//! What always holds: one writer; every change is one transaction, on disk when it returns (`synchronous=FULL`, WAL);
//! an intent is here before its request leaves the machine; bytes are here before they are printed.
//! What it must not know: the service, the window, the clock (times are given).

mod at_queue;
mod backup;
mod batches;
mod commit_log;
mod conversions;
mod drafts;
mod generations;
mod header;
mod held_back;
mod known;
mod labels;
mod last_seen;
mod manifests;
mod operation;
mod operations;
mod presets;
mod recover;
mod rescue;
mod restoration;
mod retention;
mod schema;
mod set_aside;
mod standing;
mod store;
mod text;
mod tracked;
mod views;

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, ffi};
use thiserror::Error;

pub use at_queue::{AtQueue, QueueWord};
pub use backup::{BackupError, Backups};
pub use batches::{Origin, Unprinted, UnprintedId, Wanted};
pub use generations::Generation;
pub use known::{KnownKind, KnownRow};
pub use labels::{
    JobEvent, JobId, JobState, JobSubject, LabelSource, NewJob, PrintJob, StoredLabel,
};
pub use last_seen::{List, ListRow};
pub use manifests::{BookedLine, BookedManifest, BookedPlace, ManifestRow};
pub use operation::{Event, Kind, NewOperation, Operation, OperationId, OperationState};
pub use presets::{KnownOrders, OrderColumns};
pub use recover::Recovered;
pub use rescue::{Opening, Rescue};
pub use restoration::{Doubt, Restoration};
pub use retention::Tidied;
pub use standing::LabelStanding;
pub use tracked::{
    ExceptionNews, Followed, KnownExceptions, SyncMark, SyncScope, TrackReader, TrackStore, Tracked,
};
pub(crate) use tracked::{
    Found, Gist, Names, OrderKey, Search, Seconds, TextOrder, day_number, day_of,
};
pub use views::{ListView, ViewColumn, ViewOf};

/// Why the journal cannot be read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be opened or is not a database.
    #[error("the bench's journal cannot be opened")]
    Open(#[source] rusqlite::Error),
    /// Its check found damage.
    #[error("the bench's journal is damaged")]
    Damaged,
    /// It is large, and could not be checked yet.
    #[error("the bench's journal could not be checked yet")]
    Unchecked,
    /// It cannot be brought to this version's tables.
    #[error("the bench's journal could not be brought up to date")]
    Migrate(#[source] Box<rusqlite_migration::Error>),
    /// The disk is full.
    #[error("the disk is full")]
    Full,
    /// The file or its folder may not be written to.
    #[error("the bench's journal is read-only")]
    ReadOnly,
    /// Another program holds the file.
    #[error("another program holds the bench's journal")]
    Locked,
    /// The disk itself refused: a fault, a quota, a network drive that is away.
    #[error("the disk refused to read or write the bench's journal")]
    Disk(#[source] rusqlite::Error),
    /// A file or folder of the journal cannot be used.
    #[error("the bench's journal cannot be used ({0})")]
    File(std::io::ErrorKind),
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
        use rusqlite::ErrorCode as Code;
        // A file that ends early, or a file system that knows of its own damage, is called a disk fault by SQLite.
        const DAMAGE: [i32; 3] = [
            ffi::SQLITE_IOERR_SHORT_READ,
            ffi::SQLITE_IOERR_DATA,
            ffi::SQLITE_IOERR_CORRUPTFS,
        ];
        let extended = error.sqlite_error().map(|error| error.extended_code);
        match error.sqlite_error_code() {
            Some(Code::DiskFull) => Self::Full,
            Some(Code::ReadOnly) => Self::ReadOnly,
            Some(Code::DatabaseBusy | Code::DatabaseLocked | Code::FileLockingProtocolFailed) => {
                Self::Locked
            }
            Some(Code::NotADatabase | Code::DatabaseCorrupt) => Self::Damaged,
            Some(Code::SystemIoFailure) if extended.is_some_and(|code| DAMAGE.contains(&code)) => {
                Self::Damaged
            }
            Some(Code::SystemIoFailure) => Self::Disk(error),
            Some(Code::CannotOpen) => Self::Open(error),
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
    checked: bool,
    commit_log: commit_log::CommitLog,
}

impl Journal {
    /// Opens or makes the journal at `path`, checks all of it and brings its tables up to date.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let mut journal = Self::open_unchecked(path)?;
        quick_check(&journal.db)?;
        journal.checked = true;
        journal.migrate()?;
        Ok(journal)
    }

    /// Checks all of the journal at `path`, by a reader of its own that holds nobody up. May take seconds.
    pub fn check(path: &Path) -> Result<(), JournalError> {
        quick_check(&read_only(path)?)
    }

    /// True where all of it was checked when it was opened; else [`Journal::check`] is still due.
    pub const fn is_checked(&self) -> bool {
        self.checked
    }

    /// The file that it is kept in.
    pub fn path(&self) -> PathBuf {
        self.db.path().map(PathBuf::from).unwrap_or_default()
    }

    /// A file or folder that may not be written to is called so, whatever SQLite stumbles over first.
    fn open_unchecked(path: &Path) -> Result<Self, JournalError> {
        Self::connect(path).map_err(|error| match error {
            JournalError::Open(_) if header::is_read_only(path) => JournalError::ReadOnly,
            other => other,
        })
    }

    fn connect(path: &Path) -> Result<Self, JournalError> {
        let db = Connection::open(path)?;
        private_file(path);
        db.busy_timeout(PATIENCE)?;
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "FULL")?;
        db.pragma_update(None, "foreign_keys", true)?;
        Ok(Self {
            db,
            checked: false,
            commit_log: commit_log::CommitLog::beside(path),
        })
    }

    /// Writes what is in the log into the file itself, and empties the log: what is not there can't be lost with it. Waits
    /// for nobody who reads; the next call does it then.
    pub fn checkpoint(&self) -> Result<(), JournalError> {
        self.db.busy_timeout(std::time::Duration::ZERO)?;
        let done = self
            .db
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        self.db.busy_timeout(PATIENCE)?;
        Ok(done?)
    }

    /// Leaves the log as it is when the file is closed: a journal that turns out to be damaged is set aside as it was found.
    fn leave_log(&self, leave: bool) -> Result<(), JournalError> {
        let on_close = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        self.db.set_db_config(on_close, leave)?;
        Ok(())
    }

    fn migrate(&mut self) -> Result<(), JournalError> {
        schema::migrate(&mut self.db).map_err(|error| match error {
            rusqlite_migration::Error::RusqliteError { err, .. } => Self::migration_failed(err),
            other => JournalError::Migrate(Box::new(other)),
        })
    }

    /// A disk that is full, or damage, is that also while tables are made; all else is this version's fault.
    fn migration_failed(error: rusqlite::Error) -> JournalError {
        match JournalError::from(error) {
            JournalError::Io(error) => JournalError::Migrate(Box::new(error.into())),
            known => known,
        }
    }
}

/// How long a writer waits for another one: a virus scanner, a clerk's own tool.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

fn read_only(path: &Path) -> Result<Connection, JournalError> {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    db.busy_timeout(PATIENCE)?;
    Ok(db)
}

fn quick_check(db: &Connection) -> Result<(), JournalError> {
    let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict == "ok" {
        Ok(())
    } else {
        Err(JournalError::Damaged)
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
