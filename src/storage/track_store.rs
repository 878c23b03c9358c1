//! The store of consignments: the newest data of each from the service, in a file beside the journal; and
//! short lists from the service, such as companies and saved locations.
//!
//! The store is only a copy and can be fetched again. It is in no backup, a file that is damaged or of
//! another version is replaced by an empty one, and the journal never waits for it. Readers have connections
//! of their own and can read while rows are written. Callers pass the time in.

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

use super::consignment_row::{ConsignmentHistory, ConsignmentRow, ListField};
use super::filter_texts::SortKey;
use super::list_filter::parse_filter;
use super::sql_types::{Millis, first_row};
use super::{Result, ViewedList, read_only};
use jiff::Timestamp;
use names::NameKeys;
use shipping::{CarrierId, CompanyId, ConsignmentId, StatusChange};

pub use names::Names;
pub use reported_exceptions::{CountedExceptions, ExceptionChanges};
pub use search::{SearchRequest, SearchResult};
pub use summary::{ConsignmentSummary, Seconds, day_number, day_of};

/// The consignments that are tracked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SyncScope {
    /// The company that owns them; `None` for the token's own company.
    pub company: Option<CompanyId>,
    /// True to include the companies below it.
    pub children: bool,
    /// Only this carrier's; `None` for all carriers.
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
    /// All changes up to this time were seen. By the service's clock.
    pub seen_to: Timestamp,
    /// When the sync was made, by the bench's clock.
    pub at: Timestamp,
    /// When everything was last synced, not only the changes.
    pub whole_at: Timestamp,
}

/// The store, open for writing. A process opens it for writing once.
#[derive(Debug)]
pub struct TrackStore {
    /// Reads with the connection that writes.
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

    /// Removes the store; its content will be fetched again. Nobody may have it open.
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

    /// Saves these consignments in one transaction. Returns summaries of new and changed consignments, in
    /// their order.
    pub fn put(
        &mut self,
        followed: &[ConsignmentHistory],
        now: Timestamp,
    ) -> Result<Vec<ConsignmentSummary>> {
        let tx = self.own.db.transaction()?;
        let (mut keys, mut changed, mut text) = (NameKeys::new(&tx), Vec::new(), String::new());
        for one in followed {
            if write::put(&tx, &mut keys, one, &mut text, now)? {
                changed.push(ConsignmentSummary::of(&one.row));
            }
        }
        tx.commit()?;
        Ok(changed)
    }

    /// Saves a list as JSON.
    pub fn put_list(&mut self, list: CachedList, body: &str) -> Result<()> {
        self.own.db.execute(
            "INSERT INTO lists (name, body) VALUES (?1, ?2)
             ON CONFLICT (name) DO UPDATE SET body = ?2 WHERE body <> ?2",
            params![list.name(), body],
        )?;
        Ok(())
    }

    /// Removes consignments that the service no longer has.
    pub fn forget(&mut self, ids: &[ConsignmentId]) -> Result<()> {
        write::forget(&mut self.own.db, ids)
    }

    /// Adds up to `most` waiting rows to the search index. Returns how many. A search finds waiting rows too,
    /// but more slowly.
    pub fn index(&mut self, most: u32) -> Result<usize> {
        search::fill(&mut self.own.db, most)
    }

    /// Returns how many rows wait to be indexed.
    pub fn unindexed(&self) -> Result<usize> {
        let sql = "SELECT count(*) FROM pending";
        let waiting: i64 = self.own.db.query_row(sql, [], |row| row.get(0))?;
        Ok(usize::try_from(waiting).unwrap_or_default())
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

    /// Returns the point up to which a scope was synced; `None` if it never was.
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

    /// Returns a list as it was saved last; `None` if it never was.
    pub fn list(&self, list: CachedList) -> Result<Option<String>> {
        let sql = "SELECT body FROM lists WHERE name = ?1";
        first_row(&self.db, sql, [list.name()], |row| row.get(0))
    }

    /// Returns the rows of these consignments, in the order of `ids`. Leaves out
    /// consignments that are not tracked.
    pub fn rows(&self, ids: &[ConsignmentId]) -> Result<Vec<ConsignmentRow>> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        columns::rows(&self.db, &names, ids)
    }

    /// Returns the status history of a consignment; empty if it is not tracked.
    pub fn history(&self, id: ConsignmentId) -> Result<Vec<StatusChange>> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        let sql = "SELECT steps FROM histories WHERE id = ?1";
        let steps: Option<String> = first_row(&self.db, sql, [id.get()], |row| row.get(0))?;
        steps.map_or(Ok(Vec::new()), |kept| {
            stored_history::read(id, &kept, &names)
        })
    }

    /// Returns the consignments to remove: consignments that ended over 90 days ago, consignments not seen at
    /// the service for 180 days, and consignments above the limit of two million. If `now` is later than the
    /// newest sync mark, that mark is used as the current time.
    pub fn overdue(&self, now: Timestamp) -> Result<Vec<ConsignmentId>> {
        let _tx = self.db.unchecked_transaction()?;
        write::overdue(&self.db, now)
    }

    /// Passes the summary of each consignment to `take`, the lowest id first.
    pub fn for_each_summary(&self, mut take: impl FnMut(ConsignmentSummary)) -> Result<()> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        let sql = format!(
            "SELECT {} FROM tracked ORDER BY id",
            ConsignmentSummary::COLUMNS
        );
        let mut all = self.db.prepare(&sql)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            take(ConsignmentSummary::read(row, &names)?);
        }
        Ok(())
    }

    /// Returns the names of carriers and statuses.
    pub fn names(&self) -> Result<Ref<'_, Names>> {
        self.names.borrow_mut().catch_up(&self.db)?;
        Ok(self.names.borrow())
    }

    /// Finds consignments whose numbers, references, names and suburb contain every word of a filter, or whose
    /// tracking token is the word; words that name a field are looked for in that field. Returns at most
    /// `most`, newest first.
    pub fn search(&self, filter: &str, most: usize) -> Result<Vec<ConsignmentId>> {
        let search = SearchRequest {
            words: &parse_filter(filter, ViewedList::Track),
            most,
            is_wanted: &|_| true,
            is_cancelled: &|| false,
        };
        Ok(self.find(&search)?.ids)
    }

    /// Finds consignments with a filter on their ids; can be cancelled.
    pub fn find(&self, search: &SearchRequest<'_>) -> Result<SearchResult> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        search::search(&self.db, &names, search)
    }

    /// Finds consignments with exactly this number, reference or token, ignoring case. Returns at most a
    /// thousand, newest first.
    pub fn find_by_number(&self, number: &str) -> Result<Vec<ConsignmentId>> {
        let whole = search::fold_number(number);
        if whole.is_empty() {
            return Ok(Vec::new());
        }
        let search = SearchRequest {
            words: &[],
            most: 1_000,
            is_wanted: &|_| true,
            is_cancelled: &|| false,
        };
        let tx = self.db.unchecked_transaction()?;
        let found = search::find_by_number(&self.db, &whole, &search)?;
        drop(tx);
        // Numbers that differ only in accents or punctuation fold to one text, but are not equal.
        let wanted = number.trim().to_lowercase();
        let rows = self.rows(&found.ids)?;
        let same = rows.iter().filter(|row| {
            let mut numbers = row.numbers();
            numbers.any(|number| number.trim().to_lowercase() == wanted)
        });
        Ok(same.map(|row| row.id).collect())
    }

    /// Returns the sort keys of `ids`, which must be ascending, for a field. Returns fewer keys once nobody
    /// waits for them.
    pub fn sort_keys(
        &self,
        by: ListField,
        ids: &[ConsignmentId],
        is_cancelled: &dyn Fn() -> bool,
    ) -> Result<Vec<SortKey>> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        columns::sort_keys(&self.db, &names, by, ids, is_cancelled)
    }
}
