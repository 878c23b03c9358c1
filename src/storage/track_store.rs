//! The store of consignments, in a file beside the journal: the newest data of each consignment from the service, and
//! short lists from the service, such as companies and saved locations.
//!
//! The store is only a copy of data that can be fetched again. It is therefore never backed up, and a store that is
//! damaged or of another version is replaced by an empty store. The journal never waits for the store. Readers have
//! connections of their own and can read while rows are written. Callers pass the time as an argument.

pub(super) mod columns;
mod names;
mod reported_exceptions;
mod schema;
mod search;
mod stored_history;
mod summary;
mod write;

use std::cell::{Ref, RefCell};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};

use super::consignment_row::ConsignmentRow;
use super::sql_types::{Millis, first_row};
use super::{Result, read_only};
use jiff::Timestamp;
use shipping::{CarrierId, CompanyId, ConsignmentId};

pub use names::Names;
pub use reported_exceptions::{CountedExceptions, ExceptionChanges};
pub use search::{SearchRequest, SearchResult};
pub use summary::{ConsignmentSummary, Seconds, day_number, day_of};

/// The consignments that are tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SyncScope {
    /// The company that owns the consignments; `None` for the token's own company.
    pub company: Option<CompanyId>,
    /// True to include the consignments of its child companies.
    pub children: bool,
    /// The carrier of the consignments; `None` for all carriers.
    pub carrier: Option<CarrierId>,
}

/// A short list from the service, kept as JSON and shown at the next start until the service has answered.
/// Without a company, `Locations` has the locations of the token's own company.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CachedList {
    /// The companies that the token may use.
    Companies,
    /// Saved locations of a company.
    Locations(Option<CompanyId>),
}

impl CachedList {
    fn name(self) -> String {
        match self {
            Self::Companies => "companies".to_owned(),
            Self::Locations(None) => "locations".to_owned(),
            Self::Locations(Some(company)) => format!("locations {company}"),
        }
    }
}

/// The point up to which a scope was synced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncMark {
    /// The time, by the service's clock, up to which all changes were received.
    pub seen_to: Timestamp,
    /// When the sync was made, by the bench's clock.
    pub at: Timestamp,
    /// When everything was last synced, not only the changes.
    pub whole_at: Timestamp,
}

/// The store, open for writing. A process opens it for writing once.
#[derive(Debug)]
pub struct TrackStore {
    /// A reader on the connection that writes.
    own: TrackReader,
    path: PathBuf,
}

/// The store, open for reading.
#[derive(Debug)]
pub struct TrackReader {
    db: Connection,
    names: RefCell<Names>,
}

impl TrackStore {
    /// Returns the path of the store that belongs to a journal.
    pub fn beside(journal: &Path) -> PathBuf {
        journal.with_extension("followed.sqlite")
    }

    /// Opens or creates the store. Replaces a store that is damaged or of another version by an empty store.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self {
            own: TrackReader::new(schema::open(path)?),
            path: path.to_owned(),
        })
    }

    /// Removes the store; its content will be fetched again. The store must not be open anywhere.
    pub fn remove(path: &Path) -> Result<()> {
        schema::remove(path)
    }

    /// Opens a reader of the same file.
    pub fn reader(&self) -> Result<TrackReader> {
        Ok(TrackReader::new(read_only(&self.path)?))
    }

    /// Returns the rows of these consignments, in the order of `ids`. Leaves out
    /// consignments that are not tracked.
    pub fn rows(&self, ids: &[ConsignmentId]) -> Result<Vec<ConsignmentRow>> {
        self.own.rows(ids)
    }

    /// Saves a list as JSON.
    pub fn put_list(&mut self, list: CachedList, body: &str) -> Result<()> {
        self.put_body(&list.name(), body)
    }

    fn put_body(&mut self, name: &str, body: &str) -> Result<()> {
        self.own.db.execute(
            "INSERT INTO lists (name, body) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET body = ?2 WHERE body <> ?2",
            params![name, body],
        )?;
        Ok(())
    }

    /// Frees the pages that the last writes have left in memory.
    pub fn release_memory(&self) -> Result<()> {
        Ok(self.own.db.execute_batch("PRAGMA shrink_memory")?)
    }

    /// Records the point up to which a scope was synced.
    pub fn set_mark(&mut self, scope: SyncScope, mark: SyncMark) -> Result<()> {
        self.own.db.execute(
            "INSERT OR REPLACE INTO marks (scope, seen_to_ms, at_ms, whole_ms) VALUES (?1, ?2, ?3, ?4)",
            params![
                schema::scope_name(scope),
                Millis(mark.seen_to),
                Millis(mark.at),
                Millis(mark.whole_at)
            ],
        )?;
        Ok(())
    }
}

impl TrackReader {
    fn new(db: Connection) -> Self {
        Self {
            db,
            names: RefCell::default(),
        }
    }

    /// Returns the point up to which a scope was synced; `None` if the scope was never synced.
    pub fn mark(&self, scope: SyncScope) -> Result<Option<SyncMark>> {
        let sql = "SELECT seen_to_ms, at_ms, whole_ms FROM marks WHERE scope = ?1";
        first_row(&self.db, sql, [schema::scope_name(scope)], |row| {
            Ok(SyncMark {
                seen_to: row.get::<_, Millis>(0)?.0,
                at: row.get::<_, Millis>(1)?.0,
                whole_at: row.get::<_, Millis>(2)?.0,
            })
        })
    }

    /// Returns a list as it was last saved; `None` if the list was never saved.
    pub fn list(&self, list: CachedList) -> Result<Option<String>> {
        self.body(&list.name())
    }

    fn body(&self, name: &str) -> Result<Option<String>> {
        let sql = "SELECT body FROM lists WHERE name = ?1";
        first_row(&self.db, sql, [name], |row| row.get(0))
    }

    /// Returns the names of carriers and statuses.
    pub fn names(&self) -> Result<Ref<'_, Names>> {
        self.names.borrow_mut().catch_up(&self.db)?;
        Ok(self.names.borrow())
    }
}
