//! The exceptions already reported, and whether somebody has seen them, so that each is announced only once,
//! even after a restart.
//!
//! An exception is identified by its consignment and its kind. If the scope or the thresholds have changed,
//! exceptions that appear only for that reason are not announced. Comparing never waits for a writer, and
//! nothing is written if nothing changed.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, params};

use super::super::sql_types::Millis;
use super::{Result, TrackReader, TrackStore};
use shipping::ConsignmentId;

pub(super) const TABLES: &str = "
CREATE TABLE known_exceptions (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    seen INTEGER NOT NULL,
    at_ms INTEGER NOT NULL
) STRICT;
CREATE TABLE known_basis (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    basis TEXT NOT NULL
) STRICT;
";

/// The exceptions that were just counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedExceptions {
    /// A text that identifies the scope and the thresholds; it differs if they do.
    pub basis: String,
    /// All exceptions, each with the name of its kind.
    pub now: Vec<(ConsignmentId, &'static str)>,
    /// Exceptions that somebody has seen since the last comparison.
    pub seen: Vec<ConsignmentId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct ReportedException {
    seen: bool,
    /// When the exception first appeared.
    at: Timestamp,
}

/// Differences between the counted exceptions and the stored exceptions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExceptionChanges {
    /// Exceptions that nobody has seen, newest last.
    pub unseen: Vec<ConsignmentId>,
    /// The new scope and thresholds, if they have changed.
    basis: Option<String>,
    /// Exceptions that are new, of another kind, or newly seen.
    changed: Vec<(ConsignmentId, &'static str, ReportedException)>,
    gone: Vec<ConsignmentId>,
}

impl ExceptionChanges {
    /// Returns true if there is nothing to store.
    pub const fn is_empty(&self) -> bool {
        self.basis.is_none() && self.changed.is_empty() && self.gone.is_empty()
    }
}

impl TrackReader {
    /// Compares the counted exceptions with the stored exceptions.
    pub fn compare_exceptions(
        &self,
        counted: &CountedExceptions,
        at: Timestamp,
    ) -> Result<ExceptionChanges> {
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
            let now = ReportedException {
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
        Ok(ExceptionChanges {
            unseen: unseen.into_iter().map(|(_, id)| id).collect(),
            basis: (!same).then(|| counted.basis.clone()),
            changed,
            gone: known.into_keys().collect(),
        })
    }
}

impl TrackStore {
    /// Stores the differences.
    pub fn save_exceptions(&mut self, news: &ExceptionChanges) -> Result<()> {
        let tx = self.own.db.transaction()?;
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

/// Reads all stored exceptions with their kinds.
fn read(tx: &Connection) -> Result<HashMap<ConsignmentId, (String, ReportedException)>> {
    let mut all = tx.prepare_cached("SELECT id, kind, seen, at_ms FROM known_exceptions")?;
    let rows = all.query_map([], |row| {
        let known = ReportedException {
            seen: row.get(2)?,
            at: row.get::<_, Millis>(3)?.0,
        };
        Ok((ConsignmentId::new(row.get(0)?), (row.get(1)?, known)))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
