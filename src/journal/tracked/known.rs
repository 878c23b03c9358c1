//! The exceptions that are known, and which of them somebody has seen: so that one is news once, also after a restart.
//!
//! What always holds: an exception is known by its consignment and its kind; where something else is looked at than
//! before (another scope, other thresholds), what shows up for that alone is no news. Comparing waits for no writer, and nothing
//! is written while nothing changed.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::super::text::Millis;
use super::{JournalError, TrackReader, TrackStore};
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Known {
    seen: bool,
    /// Since when.
    at: Timestamp,
}

/// What became of the exceptions since they were kept last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExceptionNews {
    /// What nobody has seen yet, the newest last.
    pub unseen: Vec<ConsignmentId>,
    /// What is looked at, where it is something else than before.
    basis: Option<String>,
    /// Those that are new, of another kind or seen now.
    changed: Vec<(ConsignmentId, &'static str, Known)>,
    gone: Vec<ConsignmentId>,
}

impl ExceptionNews {
    /// True where nothing is to be kept.
    pub const fn is_kept(&self) -> bool {
        self.basis.is_none() && self.changed.is_empty() && self.gone.is_empty()
    }
}

impl TrackReader {
    /// Compares what there is with what was known.
    pub fn compare_exceptions(
        &self,
        counted: &KnownExceptions,
        at: Timestamp,
    ) -> Result<ExceptionNews, JournalError> {
        let tx = self.db.unchecked_transaction()?;
        let basis: Option<String> = tx
            .query_row("SELECT basis FROM known_basis", [], |row| row.get(0))
            .optional()?;
        let same = basis.as_deref() == Some(counted.basis.as_str());
        let mut known = read(&tx)?;
        let just_seen: HashSet<_> = counted.seen.iter().collect();
        let (mut unseen, mut changed) = (Vec::new(), Vec::new());
        for (id, kind) in &counted.now {
            let before = known.remove(id).filter(|(before, _)| before == kind);
            let kept = before.map(|(_, known)| known);
            let now = Known {
                seen: just_seen.contains(id) || kept.map_or(!same, |kept| kept.seen),
                at: kept.map_or(at, |kept| kept.at),
            };
            if !now.seen {
                unseen.push((now.at, *id));
            }
            if kept != Some(now) {
                changed.push((*id, *kind, now));
            }
        }
        unseen.sort_unstable();
        Ok(ExceptionNews {
            unseen: unseen.into_iter().map(|(_, id)| id).collect(),
            basis: (!same).then(|| counted.basis.clone()),
            changed,
            gone: known.into_keys().collect(),
        })
    }
}

impl TrackStore {
    /// Keeps what became of the exceptions.
    pub fn note_exceptions(&mut self, news: &ExceptionNews) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        {
            let mut put = tx.prepare_cached(
                "INSERT OR REPLACE INTO known_exceptions (id, kind, seen, at_ms) VALUES (?1, ?2, ?3, ?4)",
            )?;
            for (id, kind, known) in &news.changed {
                put.execute(params![id.get(), kind, known.seen, Millis(known.at)])?;
            }
            let mut gone = tx.prepare_cached("DELETE FROM known_exceptions WHERE id = ?1")?;
            for id in &news.gone {
                gone.execute([id.get()])?;
            }
        }
        if let Some(basis) = &news.basis {
            tx.execute(
                "INSERT OR REPLACE INTO known_basis (one, basis) VALUES (1, ?1)",
                [basis],
            )?;
        }
        tx.commit()?;
        Ok(())
    }
}

/// All that are known, each with its kind.
fn read(tx: &Connection) -> Result<HashMap<ConsignmentId, (String, Known)>, JournalError> {
    let mut all = tx.prepare_cached("SELECT id, kind, seen, at_ms FROM known_exceptions")?;
    let rows = all.query_map([], |row| {
        let known = Known {
            seen: row.get(2)?,
            at: row.get::<_, Millis>(3)?.0,
        };
        Ok((ConsignmentId::new(row.get(0)?), (row.get(1)?, known)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
