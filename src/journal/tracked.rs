//! Consignments that are followed: what the service told of each last, in a file of its own beside the journal.
//!
//! What always holds: it is a copy of what the service has, and can be fetched again: it is in no backup, a file that is
//! damaged or of another version is begun anew, and the journal never waits for it. Reading goes through connections of its
//! own while rows are written.
//! What it must not know: the service, the window, the clock (times are given).

mod before;
mod columns;
mod gist;
mod index;
mod known;
mod names;
mod order;
mod retention;
mod row;
mod schema;
mod steps;
mod words;
mod write;

use std::cell::{Ref, RefCell};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, params};

use super::text::Millis;
use super::{JournalError, read_only};
use crate::shipping::{CarrierId, CompanyId, ConsignmentId, StatusChange};
use jiff::Timestamp;
use names::Keys;

pub(crate) use gist::{Gist, Seconds, day_number, day_of};
pub(crate) use index::{Found, Search};
pub use known::{ExceptionNews, KnownExceptions};
pub(crate) use names::Names;
pub(crate) use order::{Key as OrderKey, TextOrder};
pub use row::{Followed, Tracked};

/// What is asked of the service again and again: whose consignments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SyncScope {
    /// Of one company; of the token's own where none.
    pub company: Option<CompanyId>,
    /// Of the companies below it, too.
    pub children: bool,
    /// Of one carrier only.
    pub carrier: Option<CarrierId>,
}

/// Up to where a scope was followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyncMark {
    /// All changes up to then, by the service's clock, were seen.
    pub seen_to: Timestamp,
    /// When that was found, by the bench's clock.
    pub at: Timestamp,
    /// When everything was looked at last, not the differences alone.
    pub whole_at: Timestamp,
}

/// The file, open for writing; one a process.
#[derive(Debug)]
pub struct TrackStore {
    db: Connection,
    path: PathBuf,
    keys: Option<Keys>,
}

/// The file, open for reading only.
#[derive(Debug)]
pub struct TrackReader {
    db: Connection,
    names: RefCell<Names>,
}

impl TrackStore {
    /// Where the store of a journal is.
    pub fn beside(journal: &Path) -> PathBuf {
        journal.with_extension("followed.sqlite")
    }

    /// Opens or makes the store. One that is damaged or of another version is removed and begun anew.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        Ok(Self {
            db: schema::open(path)?,
            path: path.to_owned(),
            keys: None,
        })
    }

    /// Removes the store: what it held is asked of the service again. Nobody may have it open.
    pub(crate) fn remove(path: &Path) -> Result<(), JournalError> {
        schema::remove(path)
    }

    /// A reader of the same file.
    pub fn reader(&self) -> Result<TrackReader, JournalError> {
        Ok(TrackReader {
            db: read_only(&self.path)?,
            names: RefCell::default(),
        })
    }

    /// These as they are kept, in the order asked for; what is not followed is left out.
    pub(crate) fn rows(&self, ids: &[ConsignmentId]) -> Result<Vec<Tracked>, JournalError> {
        let _tx = self.db.unchecked_transaction()?;
        let mut names = Names::default();
        names.catch_up(&self.db)?;
        columns::rows(&self.db, &names, ids)
    }

    /// Keeps these, in one transaction. Answers those that are new or have changed, in their order.
    pub fn put(
        &mut self,
        followed: &[Followed],
        now: Timestamp,
    ) -> Result<Vec<ConsignmentId>, JournalError> {
        let changed = self.keep(followed, now)?;
        Ok(changed.into_iter().map(|gist| gist.id).collect())
    }

    /// The same, with what is counted of them.
    pub(crate) fn keep(
        &mut self,
        followed: &[Followed],
        now: Timestamp,
    ) -> Result<Vec<Gist>, JournalError> {
        let mut keys = match self.keys.take() {
            Some(keys) => keys,
            None => Keys::load(&self.db)?,
        };
        // Keys of a transaction that failed are of no table: they are read again then.
        let changed = write::put(&mut self.db, &mut keys, followed, now)?;
        self.keys = Some(keys);
        Ok(changed)
    }

    /// Forgets these: the service has them no longer.
    pub fn forget(&mut self, ids: &[ConsignmentId]) -> Result<(), JournalError> {
        write::forget(&mut self.db, ids)
    }

    /// Puts up to `most` of what was kept into the index; how many. What waits for it is found all the same, only later.
    pub fn index(&mut self, most: u32) -> Result<usize, JournalError> {
        index::fill(&mut self.db, most)
    }

    /// How many wait for the index.
    pub fn unindexed(&self) -> Result<usize, JournalError> {
        let sql = "SELECT count(*) FROM pending";
        let waiting: i64 = self.db.query_row(sql, [], |row| row.get(0))?;
        Ok(usize::try_from(waiting).unwrap_or_default())
    }

    /// Says up to where a scope was followed.
    pub fn set_mark(&mut self, scope: SyncScope, mark: SyncMark) -> Result<(), JournalError> {
        self.db.execute(
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
    /// Up to where a scope was followed; nothing where it never was.
    pub fn mark(&self, scope: SyncScope) -> Result<Option<SyncMark>, JournalError> {
        let sql = "SELECT seen_to_ms, at_ms, whole_ms FROM marks WHERE scope = ?1";
        let mark = self.db.query_row(sql, [schema::scope_name(scope)], |row| {
            Ok(SyncMark {
                seen_to: row.get::<_, Millis>(0)?.0,
                at: row.get::<_, Millis>(1)?.0,
                whole_at: row.get::<_, Millis>(2)?.0,
            })
        });
        Ok(mark.optional()?)
    }

    /// These, in the order asked for; what is not followed is left out.
    pub fn rows(&self, ids: &[ConsignmentId]) -> Result<Vec<Tracked>, JournalError> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        columns::rows(&self.db, &names, ids)
    }

    /// The history of one, as it was told; empty where it is not followed.
    pub fn history(&self, id: ConsignmentId) -> Result<Vec<StatusChange>, JournalError> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        let sql = "SELECT steps FROM histories WHERE id = ?1";
        let steps = self.db.query_row(sql, [id.get()], |row| row.get(0));
        let steps: Option<String> = steps.optional()?;
        steps.map_or(Ok(Vec::new()), |kept| steps::read(id, &kept, &names))
    }

    /// All that are to be forgotten: they ended over 90 days ago, the service has not named them for 180, or there are over two
    /// million. Where `now` is after all that the service was seen to, that counts.
    pub fn overdue(&self, now: Timestamp) -> Result<Vec<ConsignmentId>, JournalError> {
        let _tx = self.db.unchecked_transaction()?;
        retention::overdue(&self.db, now)
    }

    /// Hands out what each is counted by, the lowest id first.
    pub(crate) fn each(&self, mut take: impl FnMut(Gist)) -> Result<(), JournalError> {
        let _tx = self.db.unchecked_transaction()?;
        let names = self.names()?;
        let sql = format!("SELECT {} FROM tracked ORDER BY id", Gist::COLUMNS);
        let mut all = self.db.prepare(&sql)?;
        let mut rows = all.query([])?;
        while let Some(row) = rows.next()? {
            take(Gist::read(row, &names)?);
        }
        Ok(())
    }

    /// What carriers and statuses are called.
    pub(crate) fn names(&self) -> Result<Ref<'_, Names>, JournalError> {
        self.names.borrow_mut().catch_up(&self.db)?;
        Ok(self.names.borrow())
    }

    /// Those that hold every word in a number, a reference, a name or a suburb (or the whole tracking token), newest first,
    /// `most` at the most. Case, accents and signs between letters don't matter.
    pub fn search(&self, words: &str, most: usize) -> Result<Vec<ConsignmentId>, JournalError> {
        let search = Search {
            words,
            most,
            keep: &|_| true,
            stale: &|| false,
        };
        Ok(self.find(&search)?.ids)
    }

    /// The same, of rows that are of interest, and given up where nobody waits any more.
    pub(crate) fn find(&self, search: &Search<'_>) -> Result<Found, JournalError> {
        index::search(&self.db, search)
    }

    /// Those that go by this number, reference or token, whole and with letters of any size; newest first, a thousand at the
    /// most.
    pub fn called(&self, number: &str) -> Result<Vec<ConsignmentId>, JournalError> {
        let whole = words::whole(number);
        if whole.is_empty() {
            return Ok(Vec::new());
        }
        let search = Search {
            words: number,
            most: 1_000,
            keep: &|_| true,
            stale: &|| false,
        };
        let tx = self.db.unchecked_transaction()?;
        let found = index::called(&self.db, &whole, &search)?;
        drop(tx);
        // Folded alike is not the same number.
        let wanted = number.trim().to_lowercase();
        let rows = self.rows(&found.ids)?;
        let same = rows.iter().filter(|row| {
            let mut numbers = row.numbers();
            numbers.any(|number| number.trim().to_lowercase() == wanted)
        });
        Ok(same.map(|row| row.id).collect())
    }

    /// The texts that rows are put in order by, of `ids`; see [`TextOrder`].
    pub(crate) fn texts(
        &self,
        by: TextOrder,
        ids: &[ConsignmentId],
        stale: &dyn Fn() -> bool,
    ) -> Result<Vec<order::Key>, JournalError> {
        order::texts(&self.db, by, ids, stale)
    }
}
