//! Data remembered for suggestions and lookups: receivers, suburbs, saved items, UN numbers and carriers.
//!
//! Invariant: a row is never replaced by an older row. Bodies are JSON in the bench's own format; readers skip a body
//! that this version cannot parse.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::params;

use super::sql_types::{Millis, rows, run};
use super::{Journal, Result, read_only};

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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SuggestionKind {
    /// A person or company that consignments were sent to, with the address.
    Receiver,
    Suburb,
    Item,
    /// The service's answer about a UN number, and its date.
    UnNumber,
    Carriers,
}

impl SuggestionKind {
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuggestionRow {
    pub key: String,
    pub seen: Timestamp,
    pub body: String,
}

impl Journal {
    /// Saves new and changed rows in one transaction.
    pub fn remember_suggestions(
        &mut self,
        kind: SuggestionKind,
        rows: &[SuggestionRow],
    ) -> Result<()> {
        let sql = "INSERT INTO known (kind, key, seen_ms, body) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (kind, key) DO UPDATE SET seen_ms = ?3, body = ?4
             WHERE seen_ms <= ?3 AND (seen_ms IS NOT ?3 OR body IS NOT ?4)";
        self.transaction(|tx| {
            for row in rows {
                let row = params![kind.name(), row.key, Millis(row.seen), row.body];
                run(tx, sql, row)?;
            }
            Ok(())
        })
    }

    pub fn forget_suggestions(&mut self, kind: SuggestionKind, keys: &[String]) -> Result<()> {
        let sql = "DELETE FROM known WHERE kind = ?1 AND key = ?2";
        self.transaction(|tx| {
            for key in keys {
                run(tx, sql, params![kind.name(), key])?;
            }
            Ok(())
        })
    }

    /// Reads the rows of a kind from the journal at `path` on a read-only connection, which blocks no writer.
    pub fn suggestions(path: &Path, kind: SuggestionKind) -> Result<Vec<SuggestionRow>> {
        let sql = "SELECT key, seen_ms, body FROM known WHERE kind = ?1";
        rows(&read_only(path)?, sql, [kind.name()], |row| {
            Ok(SuggestionRow {
                key: row.get(0)?,
                seen: row.get::<_, Millis>(1)?.0,
                body: row.get(2)?,
            })
        })
    }
}
