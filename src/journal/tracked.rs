//! Consignments that are followed: what the service told of each last, in a file of its own beside the journal.
//!
//! What always holds: it is a copy of what the service has, and can be fetched again: it is in no backup, a file that is
//! damaged or of another version is begun anew, and the journal never waits for it. Reading goes through connections of its
//! own while rows are written.
//! What it must not know: the service, the window, the clock (times are given).

mod before;
mod known;
mod row;
mod schema;

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension as _, params};

use super::text::Millis;
use super::{JournalError, private_file, read_only};
use crate::shipping::{CarrierId, CompanyId, ConsignmentId, StatusChange};
use jiff::Timestamp;
pub use known::KnownExceptions;
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
}

/// The file, open for reading only.
#[derive(Debug)]
pub struct TrackReader {
    db: Connection,
}

impl TrackStore {
    /// Where the store of a journal is.
    pub fn beside(journal: &Path) -> PathBuf {
        journal.with_extension("followed.sqlite")
    }

    /// Opens or makes the store.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let db = Connection::open(path)?;
        private_file(path);
        db.pragma_update(None, "journal_mode", "WAL")?;
        db.pragma_update(None, "synchronous", "NORMAL")?;
        db.execute_batch(schema::TABLES)?;
        db.execute_batch(known::TABLES)?;
        Ok(Self {
            db,
            path: path.to_owned(),
        })
    }

    /// A reader of the same file.
    pub fn reader(&self) -> Result<TrackReader, JournalError> {
        let db = read_only(&self.path)?;
        Ok(TrackReader { db })
    }

    /// Keeps these, in one transaction. Answers those that are new or have changed, in their order.
    pub fn put(
        &mut self,
        followed: &[Followed],
        now: Timestamp,
    ) -> Result<Vec<ConsignmentId>, JournalError> {
        let tx = self.db.transaction()?;
        let mut changed = Vec::new();
        {
            let mut put = tx.prepare_cached(
                "INSERT INTO tracked (id, seen_ms, body, history) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (id) DO UPDATE SET seen_ms = ?2, body = ?3, history = ?4
                 WHERE body IS NOT ?3 OR history IS NOT ?4",
            )?;
            let reader = TrackReader {
                db: read_only(&self.path)?,
            };
            for one in followed {
                let mut row = one.row.clone();
                if row.dangerous.is_none() {
                    let before = reader.rows(&[row.id])?.pop();
                    row.dangerous = before.and_then(|before| before.dangerous);
                }
                let body = serde_json::to_string(&row)?;
                let history = serde_json::to_string(&one.history)?;
                let values = params![one.row.id.get(), Millis(now), body, history];
                if put.execute(values)? > 0 {
                    changed.push(one.row.id);
                }
            }
        }
        tx.commit()?;
        Ok(changed)
    }

    /// Forgets these: the service has them no longer.
    pub fn forget(&mut self, ids: &[ConsignmentId]) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        {
            let mut gone = tx.prepare_cached("DELETE FROM tracked WHERE id = ?1")?;
            for id in ids {
                gone.execute([id.get()])?;
            }
        }
        tx.commit()?;
        Ok(())
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
        let mut one = self
            .db
            .prepare_cached("SELECT body FROM tracked WHERE id = ?1")?;
        let mut rows = Vec::with_capacity(ids.len());
        for id in ids {
            let body = one.query_row([id.get()], |row| row.get::<_, String>(0));
            if let Some(body) = body.optional()? {
                rows.push(serde_json::from_str(&body)?);
            }
        }
        Ok(rows)
    }

    /// The history of one, as it was told; empty where it is not followed.
    pub fn history(&self, id: ConsignmentId) -> Result<Vec<StatusChange>, JournalError> {
        let sql = "SELECT history FROM tracked WHERE id = ?1";
        let history = self
            .db
            .query_row(sql, [id.get()], |row| row.get::<_, String>(0));
        match history.optional()? {
            Some(history) => Ok(serde_json::from_str(&history)?),
            None => Ok(Vec::new()),
        }
    }

    /// Hands out all rows, the lowest id first.
    pub fn each(&self, mut take: impl FnMut(Tracked)) -> Result<(), JournalError> {
        let mut all = self.db.prepare("SELECT body FROM tracked ORDER BY id")?;
        let bodies = all.query_map([], |row| row.get::<_, String>(0))?;
        for body in bodies {
            take(serde_json::from_str(&body?)?);
        }
        Ok(())
    }

    /// Those that hold every word in a number, a reference, a name or a suburb, newest first, `most` at the most.
    pub fn search(&self, words: &str, most: usize) -> Result<Vec<ConsignmentId>, JournalError> {
        let mut found = Vec::new();
        let words: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        self.each(|row| {
            let text = row.found_by().to_lowercase();
            if words.iter().all(|word| text.contains(word)) {
                found.push(row.id);
            }
        })?;
        found.reverse();
        found.truncate(most);
        Ok(found)
    }

    /// Those that go by this number, reference or token, whole and with letters of any size; newest first.
    pub fn called(&self, number: &str) -> Result<Vec<ConsignmentId>, JournalError> {
        let (mut found, wanted) = (Vec::new(), number.to_lowercase());
        self.each(|row| {
            if row.numbers().any(|number| number.to_lowercase() == wanted) {
                found.push(row.id);
            }
        })?;
        found.reverse();
        Ok(found)
    }
}
