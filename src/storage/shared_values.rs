//! The values that the benches of a workgroup use alike: presets, views, printers, and consignments on hold. Also drafts
//! that were left for any bench, and the drafts of other benches that this bench has taken over.
//!
//! Invariants: a change and its row in `shared_values` are written in one transaction. A change that the database does
//! not have yet is newer than any change of another bench. A draft that was left is in `drafts` or in `left_drafts`,
//! never in both.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Row, Transaction, params};

use super::sql_types::{Millis, first_row, rows, run, word};
use super::{Journal, Result, drafts, preferences};
use draft::Draft;

pub(super) const TABLES: &str = "
CREATE TABLE shared_values (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT,
    changed_by TEXT NOT NULL DEFAULT '',
    change INTEGER NOT NULL,
    PRIMARY KEY (kind, name)
) STRICT;

CREATE TABLE shared_from (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    source TEXT NOT NULL,
    version INTEGER NOT NULL
) STRICT;

CREATE TABLE left_drafts (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    is_ready INTEGER NOT NULL
) STRICT;

CREATE TABLE taken_drafts (
    id TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL
) STRICT;
";

/// How long a draft that was taken over is remembered, so that it is saved only once.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(90 * 24);

word! {
    /// The kind of a shared value. The stored names never change.
    SharedKind {
        Preset,
        View,
        /// The name is the consignment's id.
        OnHold,
        /// A printer profile by its name.
        Printer,
        /// The name of the printer for a kind of document.
        Route,
    }
}

/// The newest change of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueChange {
    pub kind: SharedKind,
    pub name: String,
    /// JSON; `None` if the value was deleted.
    pub body: Option<String>,
    /// The name of the bench that changed it; empty for this bench.
    pub changed_by: String,
    /// The place among the changes that the database does not have yet; 0 if it has this change.
    pub change: i64,
}

/// The changes of other benches that the journal has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SharedFrom {
    /// The id of the database; empty before the first connection.
    pub source: String,
    /// The version of the newest change.
    pub version: i64,
}

/// A draft that was left for any bench, and is not in the database yet.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftDraftRow {
    /// Random, and the same when it is delivered again.
    pub id: String,
    pub draft: Draft,
    pub is_ready: bool,
}

/// Records a change, if this bench is in a workgroup.
pub(super) fn share(
    db: &Connection,
    kind: SharedKind,
    name: &str,
    body: Option<&str>,
) -> Result<()> {
    let sql = "INSERT INTO shared_values (kind, name, body, change)
         SELECT ?1, ?2, ?3, (SELECT coalesce(max(change), 0) + 1 FROM shared_values) FROM workgroup_member WHERE true
         ON CONFLICT (kind, name) DO UPDATE SET (body, change, changed_by) = (?3, excluded.change, '')
         WHERE body IS NOT ?3";
    run(db, sql, params![kind, name, body]).map(drop)
}

impl Journal {
    /// Records changes of printers, which are not in the journal themselves. With `only_new`, leaves out those that are
    /// shared already.
    pub fn share_printers(
        &mut self,
        printers: &[(SharedKind, String, String)],
        only_new: bool,
    ) -> Result<()> {
        self.transaction(|tx| {
            for (kind, name, body) in printers {
                let known = "SELECT 1 FROM shared_values WHERE (kind, name) = (?1, ?2)";
                let is_known = first_row(tx, known, params![kind, name], |_| Ok(()))?.is_some();
                if only_new && is_known {
                    continue;
                }
                share(tx, *kind, name, Some(body))?;
            }
            Ok(())
        })
    }

    /// Returns the oldest changes that the database does not have yet.
    pub fn changes_to_share(&self, most: u32) -> Result<Vec<ValueChange>> {
        let sql = "SELECT * FROM shared_values WHERE change > 0 ORDER BY change LIMIT ?1";
        rows(&self.db, sql, [most], value_change)
    }

    /// Records that the database has the changes up to this place.
    pub fn changes_shared(&mut self, up_to: i64) -> Result<()> {
        let sql = "UPDATE shared_values SET change = 0 WHERE change BETWEEN 1 AND ?1";
        self.write(sql, [up_to])
    }

    /// Returns the values that another bench has changed last.
    pub fn changed_by_others(&self) -> Result<Vec<ValueChange>> {
        let sql = "SELECT * FROM shared_values WHERE changed_by <> '' AND body IS NOT NULL";
        rows(&self.db, sql, [], value_change)
    }

    pub fn shared_from(&self) -> Result<SharedFrom> {
        let sql = "SELECT source, version FROM shared_from";
        let found = first_row(&self.db, sql, [], |row| {
            Ok(SharedFrom {
                source: row.get(0)?,
                version: row.get(1)?,
            })
        });
        Ok(found?.unwrap_or_default())
    }

    /// Takes changes that the database has. A change of this bench that it does not have yet stays. Returns the kinds
    /// that may have changed.
    pub fn take_changes(
        &mut self,
        changes: &[ValueChange],
        from: &SharedFrom,
        now: Timestamp,
    ) -> Result<HashSet<SharedKind>> {
        self.transaction(|tx| take_changes(tx, changes, from, now))
    }

    /// Takes all values of a database that this bench has not shared with before. The bench's own values are shared. A
    /// value that differs from the one of the same name gets the bench's name, so that none is lost.
    pub fn join_values(
        &mut self,
        changes: &[ValueChange],
        from: &SharedFrom,
        (bench, now): (&str, Timestamp),
    ) -> Result<HashSet<SharedKind>> {
        self.transaction(|tx| {
            run(tx, "DELETE FROM shared_values", [])?;
            for (kind, name, body) in preferences::shared(tx)? {
                let theirs = changes
                    .iter()
                    .find(|one| one.kind == kind && one.name == name);
                match theirs.and_then(|one| one.body.as_deref()) {
                    None => share(tx, kind, &name, Some(&body))?,
                    Some(theirs) if theirs == body || kind == SharedKind::OnHold => {}
                    Some(_) => preferences::keep_beside(tx, kind, &body, bench)?,
                }
            }
            take_changes(tx, changes, from, now)
        })
    }

    /// Moves a draft to those that are left for any bench.
    pub fn leave_draft(&mut self, draft: &Draft, is_ready: bool) -> Result<()> {
        let body = serde_json::to_string(draft)?;
        self.transaction(|tx| {
            let sql = "INSERT INTO left_drafts (id, body, is_ready) VALUES (lower(hex(randomblob(16))), ?1, ?2)";
            run(tx, sql, params![body, is_ready])?;
            run(tx, "DELETE FROM drafts WHERE id = ?1", [draft.id.as_str()])?;
            Ok(())
        })
    }

    /// Returns the drafts that were left and are not in the database yet, in their order.
    pub fn left_drafts(&self) -> Result<Vec<LeftDraftRow>> {
        let sql = "SELECT id, body, is_ready FROM left_drafts ORDER BY rowid";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get::<_, String>(1)?, row.get(2)?));
        let left = rows(&self.db, sql, [], read)?;
        left.into_iter()
            .map(|(id, body, is_ready)| {
                let draft = serde_json::from_str(&body)?;
                Ok(LeftDraftRow {
                    id,
                    draft,
                    is_ready,
                })
            })
            .collect()
    }

    /// Records that the database has a draft that was left.
    pub fn left_draft_delivered(&mut self, id: &str) -> Result<()> {
        self.write("DELETE FROM left_drafts WHERE id = ?1", [id])
    }

    /// Saves a draft of another bench, once. Returns false if it was saved before.
    pub fn take_draft(&mut self, id: &str, draft: &Draft, now: Timestamp) -> Result<bool> {
        self.transaction(|tx| {
            let old = Millis(now - REMEMBERED);
            run(tx, "DELETE FROM taken_drafts WHERE at_ms < ?1", [old])?;
            let sql = "INSERT INTO taken_drafts (id, at_ms) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            let is_new = run(tx, sql, params![id, Millis(now)])? > 0;
            if is_new {
                drafts::save(tx, draft, now)?;
            }
            Ok(is_new)
        })
    }
}

/// Forgets what was shared, because the bench leaves its workgroup. Drafts that nobody else has become its own again.
pub(super) fn forget(tx: &Transaction<'_>) -> Result<()> {
    run(tx, "DELETE FROM shared_values", [])?;
    run(tx, "DELETE FROM shared_from", [])?;
    let sql = "INSERT INTO drafts (id, changed_ms, body)
         SELECT json_extract(body, '$.id'), unixepoch() * 1000, body FROM left_drafts WHERE true ON CONFLICT DO NOTHING";
    run(tx, sql, [])?;
    run(tx, "DELETE FROM left_drafts", []).map(drop)
}

fn take_changes(
    tx: &Transaction<'_>,
    changes: &[ValueChange],
    from: &SharedFrom,
    now: Timestamp,
) -> Result<HashSet<SharedKind>> {
    let mut kinds = HashSet::new();
    for ValueChange {
        kind,
        name,
        body,
        changed_by,
        ..
    } in changes
    {
        let sql = "INSERT INTO shared_values (kind, name, body, changed_by, change) VALUES (?1, ?2, ?3, ?4, 0)
             ON CONFLICT (kind, name) DO UPDATE SET (body, changed_by) = (?3, ?4) WHERE change = 0";
        if run(tx, sql, params![kind, name, body, changed_by])? > 0 {
            preferences::take(tx, *kind, name, body.as_deref(), now)?;
            kinds.insert(*kind);
        }
    }
    let sql = "INSERT INTO shared_from (only, source, version) VALUES (1, ?1, ?2)
         ON CONFLICT (only) DO UPDATE SET (source, version) = (?1, ?2)";
    run(tx, sql, params![from.source, from.version])?;
    Ok(kinds)
}

fn value_change(row: &Row<'_>) -> rusqlite::Result<ValueChange> {
    Ok(ValueChange {
        kind: row.get("kind")?,
        name: row.get("name")?,
        body: row.get("body")?,
        changed_by: row.get("changed_by")?,
        change: row.get("change")?,
    })
}
