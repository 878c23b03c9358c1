//! The tables and the file of the store of consignments and lists.
//!
//! A file that is damaged or of another version is removed with its side files and created again: its content
//! is only a copy of the service's data.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::{SyncScope, reported_exceptions};
use crate::{JournalError, PATIENCE, files, private_file};

/// Version of the tables; raise it with every change to them.
const VERSION: i64 = 5;

/// Values for metrics, values shown in a list, search texts and histories are in separate tables, so that
/// each query reads only what it needs. Times in columns `…_ms` are in milliseconds since 1970, UTC; times in
/// columns `…_local_ms` hold the wall-clock time of their place as if it were UTC. `eta_day`
/// is in days since 1970.
const TABLES: &str = "
CREATE TABLE names (
    key INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    id INTEGER,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE tracked (
    id INTEGER PRIMARY KEY,
    seen_ms INTEGER NOT NULL,
    company INTEGER,
    carrier INTEGER NOT NULL,
    status INTEGER NOT NULL,
    despatch_ms INTEGER,
    eta_ms INTEGER,
    eta_day INTEGER,
    changed_ms INTEGER,
    scanned_ms INTEGER,
    booked_ms INTEGER,
    ended_ms INTEGER
) STRICT;
CREATE TABLE shown (
    id INTEGER PRIMARY KEY,
    number TEXT NOT NULL,
    carrier_number TEXT NOT NULL,
    reference TEXT NOT NULL,
    reference2 TEXT NOT NULL,
    token TEXT NOT NULL,
    service TEXT NOT NULL,
    from_name TEXT NOT NULL,
    from_id INTEGER,
    from_suburb TEXT NOT NULL,
    from_postcode TEXT NOT NULL,
    from_state TEXT NOT NULL,
    from_zone TEXT NOT NULL,
    from_country TEXT NOT NULL,
    to_name TEXT NOT NULL,
    to_id INTEGER,
    to_suburb TEXT NOT NULL,
    to_postcode TEXT NOT NULL,
    to_state TEXT NOT NULL,
    to_zone TEXT NOT NULL,
    to_country TEXT NOT NULL,
    despatch_local_ms INTEGER,
    eta_local_ms INTEGER,
    manifest INTEGER,
    attachments INTEGER NOT NULL,
    pieces INTEGER NOT NULL,
    weight TEXT,
    volume TEXT,
    price TEXT,
    dangerous INTEGER,
    international INTEGER NOT NULL,
    important INTEGER NOT NULL,
    is_test INTEGER NOT NULL,
    service_id INTEGER
) STRICT;
CREATE TABLE histories (
    id INTEGER PRIMARY KEY,
    steps TEXT NOT NULL
) STRICT;
CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL
) STRICT;
CREATE TABLE pending (
    id INTEGER PRIMARY KEY,
    was INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE found USING fts5(
    terms, content='', contentless_delete=1, detail=none, tokenize='ascii'
);
CREATE TABLE marks (
    scope TEXT PRIMARY KEY,
    seen_to_ms INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    whole_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE lists (
    name TEXT PRIMARY KEY,
    body TEXT NOT NULL
) STRICT;
";

/// Opens or creates the file.
pub(super) fn open(path: &Path) -> Result<Connection, JournalError> {
    match begin(path) {
        Err(JournalError::Damaged) => {
            tracing::warn!("what is followed is damaged or of another version; it is begun anew");
            remove(path)?;
            begin(path)
        }
        Err(JournalError::Open(_)) if files::is_read_only(path) => Err(JournalError::ReadOnly),
        opened => opened,
    }
}

/// Opens the file as it is. A file of another version counts as damaged, because both are
/// replaced by a new file.
fn begin(path: &Path) -> Result<Connection, JournalError> {
    let mut db = Connection::open(path)?;
    private_file(path);
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "NORMAL")?;
    db.pragma_update(None, "cache_size", -16_000)?;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == VERSION {
        return Ok(db);
    }
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if version != 0 || tables != 0 {
        return Err(JournalError::Damaged);
    }
    let tx = db.transaction()?;
    tx.execute_batch(TABLES)?;
    tx.execute_batch(reported_exceptions::TABLES)?;
    tx.pragma_update(None, "user_version", VERSION)?;
    tx.commit()?;
    Ok(db)
}

/// Removes the file and SQLite's side files. Nobody may have it open.
pub(super) fn remove(path: &Path) -> Result<(), JournalError> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let mut name = OsString::from(path);
        name.push(ending);
        match std::fs::remove_file(PathBuf::from(name)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(JournalError::File(error.kind()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Returns the key of a scope in the table `marks`.
pub(super) fn scope_name(scope: SyncScope) -> String {
    let company = scope
        .company
        .map_or_else(|| "-".to_owned(), |id| id.to_string());
    let carrier = scope
        .carrier
        .map_or_else(|| "-".to_owned(), |id| id.to_string());
    format!("{company} {} {carrier}", u8::from(scope.children))
}
