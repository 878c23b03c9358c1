//! The tables and the file of the store of consignments and lists.
//!
//! A file that is damaged or of another version is removed with its side files and created again: its content
//! is only a copy of the service's data.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::LazyLock;

use rusqlite::Connection;
use shipping::{CarrierId, CompanyId};

use super::SyncScope;
use super::columns::{StoreTable, StoredColumn};
use super::search::SEARCHED;
use crate::files::{allow, side_file};
use crate::{JournalError, PATIENCE, Result, files, private_file};

/// Raise this number if the form of stored values changes but no table does: existing stores are then built again.
const FORM: u8 = 1;

/// The statements that create the tables. Values for metrics, values shown in a list, search texts and histories are
/// in separate tables, so that each query reads only what it needs. Times are in milliseconds since 1970, UTC;
/// wall-clock times are stored as if they were UTC. `eta_day` is in days since 1970. `seen` is the time when an
/// answer last had the row.
static TABLES: LazyLock<String> = LazyLock::new(|| {
    let columns = StoredColumn::definitions;
    let (tracked, shown) = (columns(StoreTable::Tracked), columns(StoreTable::Shown));
    format!(
        "{FIXED_TABLES}
CREATE TABLE tracked (
    id INTEGER PRIMARY KEY,
    seen INTEGER NOT NULL,
    carrier INTEGER NOT NULL,
    status INTEGER NOT NULL,
    eta_day INTEGER{tracked}
) STRICT;
CREATE TABLE shown (
    id INTEGER PRIMARY KEY{shown}
) STRICT;
"
    )
});

/// Returns the version of the store: a checksum of its tables and of the fields in search texts. A store of another
/// version is built again.
fn version() -> i64 {
    let searched: Vec<_> = SEARCHED.iter().map(|field| field.key()).collect();
    let content = format!("{FORM} {} {}", *TABLES, searched.join(" "));
    let checksum = crc::Crc::<u32>::new(&crc::CRC_32_ISCSI).checksum(content.as_bytes());
    // SQLite has room for a positive number of 31 bits, and 0 stands for a file without a version.
    i64::from(checksum >> 1).max(1)
}

const FIXED_TABLES: &str = "
CREATE TABLE names (
    key INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    id INTEGER,
    text TEXT NOT NULL
) STRICT;
CREATE INDEX names_by_text ON names (text);
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
pub(super) fn open(path: &Path) -> Result<Connection> {
    match begin(path) {
        Err(JournalError::Damaged) => {
            tracing::warn!("the tracking store is damaged or of another version; recreating it");
            remove(path)?;
            begin(path)
        }
        Err(JournalError::Open(_)) if files::is_read_only(path) => Err(JournalError::ReadOnly),
        opened => opened,
    }
}

/// Opens the file as it is. A file of another version counts as damaged, because both are
/// replaced by a new file.
fn begin(path: &Path) -> Result<Connection> {
    let mut db = Connection::open(path)?;
    private_file(path);
    db.busy_timeout(PATIENCE)?;
    db.pragma_update(None, "journal_mode", "WAL")?;
    db.pragma_update(None, "synchronous", "NORMAL")?;
    db.pragma_update(None, "cache_size", -16_000)?;
    let version: i64 = db.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == self::version() {
        return Ok(db);
    }
    let tables: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if version != 0 || tables != 0 {
        return Err(JournalError::Damaged);
    }
    let tx = db.transaction()?;
    tx.execute_batch(&TABLES)?;
    tx.pragma_update(None, "user_version", self::version())?;
    tx.commit()?;
    Ok(db)
}

/// Removes the file and SQLite's side files. The file must not be open anywhere.
pub(super) fn remove(path: &Path) -> Result<()> {
    for ending in ["", "-wal", "-shm", "-journal"] {
        let removed = std::fs::remove_file(side_file(path, ending));
        if let Err(error) = allow(ErrorKind::NotFound, removed) {
            return Err(JournalError::File(error.kind()));
        }
    }
    Ok(())
}

/// Returns the key of a scope in the table `marks`.
pub(super) fn scope_name(scope: SyncScope) -> String {
    let id = |id: Option<i64>| id.map_or_else(|| "-".to_owned(), |id| id.to_string());
    let (company, carrier) = (
        scope.company.map(CompanyId::get),
        scope.carrier.map(CarrierId::get),
    );
    format!(
        "{} {} {}",
        id(company),
        u8::from(scope.children),
        id(carrier)
    )
}
