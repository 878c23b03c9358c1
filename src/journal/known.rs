//! What the bench knows besides the lists: receivers, suburbs, saved items, UN numbers, carriers. Each is a row by its key.
//!
//! What always holds: a row is never replaced by an older one. Bodies are JSON in the bench's own words; one that this
//! version cannot read is passed over by who reads it.

use jiff::Timestamp;
use rusqlite::params;

use super::text::Millis;
use super::{Journal, JournalError};

pub(super) const TABLES: &str = "
CREATE TABLE known (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    seen_ms INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT;
CREATE INDEX known_by_age ON known (seen_ms);
";

/// What is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KnownKind {
    /// Where consignments went: people's names and addresses.
    Receiver,
    /// A suburb with its postcode.
    Suburb,
    /// A saved item of the company.
    Item,
    /// What the service said of a UN number, and when.
    UnNumber,
    /// The carriers of a company.
    Carriers,
}

impl KnownKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Receiver => "receiver",
            Self::Suburb => "suburb",
            Self::Item => "item",
            Self::UnNumber => "un number",
            Self::Carriers => "carriers",
        }
    }
}

/// One thing that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownRow {
    /// What it is known by.
    pub key: String,
    /// When it was seen last.
    pub seen: Timestamp,
    /// JSON.
    pub body: String,
}

impl Journal {
    /// Keeps what is known, in one transaction; writes what is new or changed. How many rows that were.
    pub fn keep_known(
        &mut self,
        kind: KnownKind,
        rows: &[KnownRow],
    ) -> Result<usize, JournalError> {
        let tx = self.db.transaction()?;
        let mut written = 0;
        {
            let mut put = tx.prepare_cached(
                "INSERT INTO known (kind, key, seen_ms, body) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (kind, key) DO UPDATE SET seen_ms = ?3, body = ?4
                 WHERE seen_ms <= ?3 AND (seen_ms IS NOT ?3 OR body IS NOT ?4)",
            )?;
            for row in rows {
                written +=
                    put.execute(params![kind.name(), row.key, Millis(row.seen), row.body])?;
            }
        }
        tx.commit()?;
        Ok(written)
    }

    /// Forgets what is known by these keys, in one transaction.
    pub fn forget_known(&mut self, kind: KnownKind, keys: &[String]) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        {
            let mut gone = tx.prepare_cached("DELETE FROM known WHERE kind = ?1 AND key = ?2")?;
            for key in keys {
                gone.execute(params![kind.name(), key])?;
            }
        }
        tx.commit()?;
        Ok(())
    }

    /// What is known, by key, from the first after `after`, `most` at the most. A page that holds less is the last.
    pub fn known_after(
        &self,
        kind: KnownKind,
        after: &str,
        most: usize,
    ) -> Result<Vec<KnownRow>, JournalError> {
        let mut rows = self.db.prepare_cached(
            "SELECT key, seen_ms, body FROM known WHERE kind = ?1 AND key > ?2 ORDER BY key LIMIT ?3",
        )?;
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let rows = rows.query_map(params![kind.name(), after, most], |row| {
            Ok(KnownRow {
                key: row.get(0)?,
                seen: row.get::<_, Millis>(1)?.0,
                body: row.get(2)?,
            })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }
}
