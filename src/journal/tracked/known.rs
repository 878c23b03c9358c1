//! The exceptions that are known, and which of them somebody has seen: so that one is news once, also after a restart.
//!
//! What always holds: an exception is known by its consignment and its kind; where something else is looked at than
//! before (another scope, other thresholds), what shows up for that alone is no news. Nothing is written while nothing changed.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};

use super::super::text::Millis;
use super::{JournalError, TrackStore};
use crate::shipping::ConsignmentId;

pub(super) const TABLES: &str = "
CREATE TABLE IF NOT EXISTS known_exceptions (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    seen INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS known_basis (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    basis TEXT NOT NULL
) STRICT;
";

/// What was counted: all exceptions there are, each with the word for its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownExceptions {
    /// What was looked at, and by which thresholds, in any words that differ where these do.
    pub basis: String,
    /// All of them.
    pub now: Vec<(ConsignmentId, &'static str)>,
    /// What somebody has seen since the last time.
    pub seen: Vec<ConsignmentId>,
}

struct Known {
    kind: String,
    seen: bool,
    at: Timestamp,
}

impl TrackStore {
    /// Compares what there is with what was known, and keeps it. Answers what nobody has seen yet, the newest last.
    pub fn note_exceptions(
        &mut self,
        counted: &KnownExceptions,
        at: Timestamp,
    ) -> Result<Vec<ConsignmentId>, JournalError> {
        let tx = self.db.transaction()?;
        let basis: Option<String> = tx
            .query_row("SELECT basis FROM known_basis", [], |row| row.get(0))
            .optional()?;
        let same = basis.as_deref() == Some(counted.basis.as_str());
        let mut known = read(&tx)?;
        let mut unseen: Vec<(Timestamp, ConsignmentId)> = Vec::new();
        for (id, kind) in &counted.now {
            let before = known.remove(id);
            let kept = before.as_ref().filter(|before| before.kind == *kind);
            let seen = counted.seen.contains(id) || kept.map_or(!same, |kept| kept.seen);
            let since = kept.map_or(at, |kept| kept.at);
            if !seen {
                unseen.push((since, *id));
            }
            if kept.is_none_or(|kept| kept.seen != seen) {
                tx.prepare_cached(
                    "INSERT OR REPLACE INTO known_exceptions (id, kind, seen, at_ms) VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![id.get(), kind, seen, Millis(since)])?;
            }
        }
        for gone in known.keys() {
            tx.prepare_cached("DELETE FROM known_exceptions WHERE id = ?1")?
                .execute([gone.get()])?;
        }
        if !same {
            tx.execute(
                "INSERT OR REPLACE INTO known_basis (one, basis) VALUES (1, ?1)",
                [&counted.basis],
            )?;
        }
        tx.commit()?;
        unseen.sort_unstable();
        Ok(unseen.into_iter().map(|(_, id)| id).collect())
    }
}

fn read(tx: &Transaction<'_>) -> Result<HashMap<ConsignmentId, Known>, JournalError> {
    let mut all = tx.prepare_cached("SELECT id, kind, seen, at_ms FROM known_exceptions")?;
    let rows = all.query_map([], |row| {
        let known = Known {
            kind: row.get(1)?,
            seen: row.get(2)?,
            at: row.get::<_, Millis>(3)?.0,
        };
        Ok((ConsignmentId::new(row.get(0)?), known))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
