//! The bench's own SQLite files. The journal has drafts, operations, labels and print jobs. A separate store has the
//! newest data from the service about consignments, companies and locations.
//!
//! Only one process writes to the journal. Every change is one transaction, which is on disk when the call returns
//! (`synchronous=FULL`, WAL). Invariants: an operation is stored before its request is sent, and the bytes of a print
//! job are stored before they are sent to the printer. Callers pass the time as an argument; the journal never reads
//! the clock.

mod backup;
mod commit_log;
mod consignment_row;
mod drafts;
mod files;
mod filter_texts;
mod labels;
mod list_field;
mod list_filter;
mod manifests;
mod operations;
mod order_folder;
mod outbox;
mod payload;
mod preferences;
mod print_jobs;
mod rescue;
mod restoration;
mod retention;
mod schema;
mod shared_values;
mod sql_types;
mod suggestions;
mod track_store;

use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, Params, Transaction, ffi};
use thiserror::Error;

pub use backup::Backups;
pub use consignment_row::{
    ConsignmentHistory, ConsignmentRow, LIST_FIELDS, ListField, ListFieldEntry,
};
pub use drafts::{EarlierOrders, OrderColumns};
pub use filter_texts::{FilterTexts, LabelMark, SortKey, WindowMarks, put_in_order, sorted_by_key};
pub use labels::{LabelGeneration, StoredLabel};
pub use list_field::{FieldValue, ListOrder};
pub use list_filter::{FilterWord, fold_into, folded, parse_filter};
pub use manifests::{BookedLine, BookedManifest, ClosingTime, ManifestRow, PickupPlace};
pub use operations::{
    HistoryEntry, NewOperation, Operation, OperationId, OperationKind, OperationOutline,
    OperationState,
};
pub use order_folder::{FolderFile, OrderResult, ResultFile};
pub use outbox::OutboxEvent;
pub use payload::{ConsignmentEdit, Payload, StoredRequest};
pub use preferences::{ListView, ViewColumn, ViewedList};
pub use print_jobs::{
    JobHistoryEntry, JobId, JobState, JobSubject, LabelRequest, NewJob, NewestLabelJob, PrintJob,
    QueueEntry, QueuedJobState, UnprintedLabel, UnprintedLabelId,
};
pub use rescue::{OpenedJournal, Rescue};
pub use restoration::{PossiblySentDraft, Restoration};
pub use retention::RemovedRows;
pub use shared_values::{LeftDraftRow, SharedFrom, SharedKind, ValueChange};
pub use suggestions::{SuggestionKind, SuggestionRow};
pub use track_store::{
    CachedList, ConsignmentSummary, CountedExceptions, ExceptionChanges, Names, SearchRequest,
    SearchResult, Seconds, SyncMark, SyncScope, TrackReader, TrackStore, day_number, day_of,
};

pub type Result<T, E = JournalError> = std::result::Result<T, E>;

#[derive(Debug, Error)]
pub enum JournalError {
    #[error("this bench's records cannot be opened")]
    Open(#[source] rusqlite::Error),
    #[error("this bench's records are damaged")]
    Damaged,
    /// The journal is large, and its integrity check has not run yet.
    #[error("this bench's records could not be checked yet")]
    Unchecked,
    /// The tables were written by a newer version of the program.
    #[error("this bench's records were written by a newer version of Packbench")]
    Newer,
    /// Operations were sent to another address than the connection's present one, and are unfinished.
    #[error(
        "the connection's address has changed, but operations that were sent to {sent_to} are not resolved yet ({unfinished})"
    )]
    OtherAddress { sent_to: String, unfinished: usize },
    /// The tables cannot be migrated to this version's schema.
    #[error("this bench's records could not be brought up to date")]
    Migrate(#[source] Box<rusqlite_migration::Error>),
    #[error("the disk is full")]
    Full,
    #[error("this bench's records are read-only")]
    ReadOnly,
    #[error("another program is using this bench's records")]
    Locked,
    /// The disk refused to read or write: a hardware fault, a quota, or a disconnected network drive.
    #[error("the disk can't read or write this bench's records")]
    Disk(#[source] rusqlite::Error),
    #[error("this bench's records cannot be used ({0})")]
    File(std::io::ErrorKind),
    #[error("this bench's records could not be read or written")]
    Io(#[source] rusqlite::Error),
    #[error("an entry of this bench's records cannot be read")]
    Unreadable(#[source] serde_json::Error),
    #[error("the request of an operation cannot be read")]
    UnreadableRequest,
    /// The stored data is not in the state that the change expects, so nothing was changed.
    #[error("the entry has changed meanwhile")]
    Changed,
}

impl From<rusqlite::Error> for JournalError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Code;
        // SQLite reports a truncated file, and damage that the file system has detected, as I/O errors.
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

impl From<rusqlite_migration::Error> for JournalError {
    /// Keeps the error for a known cause, such as a full disk or a damaged file. Returns `Migrate` for
    /// all other errors.
    fn from(error: rusqlite_migration::Error) -> Self {
        use rusqlite_migration::Error::{MigrationDefinition, RusqliteError};
        use rusqlite_migration::MigrationDefinitionError::DatabaseTooFarAhead;
        match error {
            MigrationDefinition(DatabaseTooFarAhead) => Self::Newer,
            RusqliteError { err, .. } => match Self::from(err) {
                Self::Io(error) => Self::Migrate(Box::new(error.into())),
                known => known,
            },
            other => Self::Migrate(Box::new(other)),
        }
    }
}

impl From<std::io::Error> for JournalError {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind as Kind;
        match error.kind() {
            Kind::StorageFull | Kind::QuotaExceeded => Self::Full,
            Kind::ReadOnlyFilesystem | Kind::PermissionDenied => Self::ReadOnly,
            kind => Self::File(kind),
        }
    }
}

impl From<serde_json::Error> for JournalError {
    fn from(error: serde_json::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// The open journal. A process opens one, and a lock file beside the journal keeps other processes out.
#[derive(Debug)]
pub struct Journal {
    db: Connection,
    checked: bool,
    commit_log: commit_log::CommitLog,
}

impl Journal {
    /// Opens or creates the journal at `path`, checks all of it and migrates its tables to this version.
    pub fn open(path: &Path) -> Result<Self> {
        let mut journal = Self::open_unchecked(path)?;
        quick_check(&journal.db)?;
        journal.checked = true;
        schema::migrate(&mut journal.db)?;
        Ok(journal)
    }

    /// Checks all of the journal at `path` on a separate read-only connection, which blocks no writer.
    /// May take seconds.
    pub fn check(path: &Path) -> Result<()> {
        quick_check(&read_only(path)?)
    }

    /// Returns true if the whole journal was checked when it was opened; otherwise [`Journal::check`] must
    /// still be run.
    pub const fn is_checked(&self) -> bool {
        self.checked
    }

    pub fn path(&self) -> PathBuf {
        self.db.path().map(PathBuf::from).unwrap_or_default()
    }

    /// Opens the journal without an integrity check. If the file or folder cannot be written, returns
    /// [`JournalError::ReadOnly`] even if SQLite reports another error.
    fn open_unchecked(path: &Path) -> Result<Self> {
        let connect = || {
            let db = Connection::open(path)?;
            private_file(path);
            db.busy_timeout(PATIENCE)?;
            db.pragma_update(None, "journal_mode", "WAL")?;
            db.pragma_update(None, "synchronous", "FULL")?;
            db.pragma_update(None, "foreign_keys", true)?;
            Ok(db)
        };
        let db = connect().map_err(|error: rusqlite::Error| match error.into() {
            JournalError::Open(_) if files::is_read_only(path) => JournalError::ReadOnly,
            other => other,
        })?;
        Ok(Self {
            db,
            checked: false,
            commit_log: commit_log::CommitLog::beside(path),
        })
    }

    /// Writes the content of the write-ahead log into the database file and empties the log, so that a lost log loses
    /// no data. Does not wait for readers: while a reader is active, the work is left to the next call.
    pub fn checkpoint(&self) -> Result<()> {
        self.db.busy_timeout(std::time::Duration::ZERO)?;
        let done = self
            .db
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        self.db.busy_timeout(PATIENCE)?;
        Ok(done?)
    }

    /// Sets whether SQLite leaves the log as it is when the file is closed, so that a damaged journal can be set
    /// aside unchanged.
    fn leave_log(&self, leave: bool) -> Result<()> {
        let on_close = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        self.db.set_db_config(on_close, leave)?;
        Ok(())
    }

    /// Runs `change` in one transaction, which is on disk when this returns, or undone if `change` fails.
    fn transaction<T>(&mut self, change: impl FnOnce(&Transaction<'_>) -> Result<T>) -> Result<T> {
        let tx = self.db.transaction()?;
        let changed = change(&tx)?;
        tx.commit()?;
        Ok(changed)
    }

    fn write(&self, sql: &str, with: impl Params) -> Result<()> {
        sql_types::run(&self.db, sql, with)?;
        Ok(())
    }
}

/// How long SQLite waits while another program, such as a virus scanner, locks the file.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);

fn read_only(path: &Path) -> Result<Connection> {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    db.busy_timeout(PATIENCE)?;
    Ok(db)
}

fn quick_check(db: &Connection) -> Result<()> {
    let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if verdict == "ok" {
        Ok(())
    } else {
        Err(JournalError::Damaged)
    }
}

/// Makes a file accessible only to the user who runs the bench, because the file contains receivers' names.
fn private_file(path: &Path) {
    if files::restrict(path, 0o600).is_err() {
        tracing::warn!("the journal's file mode could not be set");
    }
}
