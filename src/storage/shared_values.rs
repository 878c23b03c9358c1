//! The values that the benches of a workgroup use alike: presets, views, printers, and consignments on hold. Also drafts
//! that were left for any bench, and the drafts of other benches that this bench has taken over.
//!
//! Invariants: a change and its row in `shared_values` are written in one transaction. A change that the database does
//! not have yet is newer than any change of another bench, and its number never comes again. A draft that was left stays
//! in `drafts` until the database has it.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, Row, Transaction, params};

use super::sql_types::{Millis, first_row, rows, run, word};
use super::{Journal, Result, drafts, preferences};
use draft::{Draft, DraftId};

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

CREATE TABLE shared_changes (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    last INTEGER NOT NULL
) STRICT;
INSERT INTO shared_changes (only, last) VALUES (1, 0);

CREATE TABLE leaving_drafts (
    draft TEXT PRIMARY KEY,
    id TEXT NOT NULL DEFAULT (lower(hex(randomblob(16)))),
    is_ready INTEGER NOT NULL,
    left_ms INTEGER NOT NULL,
    is_tried INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE taken_drafts (
    id TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL
) STRICT;
";

/// How long a draft that was taken over is remembered, so that it is saved only once.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(90 * 24);

/// The message about a draft that was left, after its bench has left the workgroup.
const MAY_BE_TAKEN: &str = "It was left for any bench, and another bench may have taken it over. Check that it was not sent";

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
    pub left: Timestamp,
}

/// Records a change, if this bench is in a workgroup.
pub(super) fn share(
    db: &Connection,
    kind: SharedKind,
    name: &str,
    body: Option<&str>,
) -> Result<()> {
    let count =
        "UPDATE shared_changes SET last = last + 1 WHERE EXISTS (SELECT 1 FROM workgroup_member)";
    run(db, count, [])?;
    let sql = "INSERT INTO shared_values (kind, name, body, change)
         SELECT ?1, ?2, ?3, (SELECT last FROM shared_changes) FROM workgroup_member WHERE true
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

    /// Records that the database has the changes up to this number.
    pub fn changes_shared(&mut self, up_to: i64) -> Result<()> {
        self.transaction(|tx| {
            let sql = "UPDATE shared_values SET change = 0 WHERE change BETWEEN 1 AND ?1";
            run(tx, sql, [up_to])?;
            // An older journal that was restored counts on from the newest number.
            run(
                tx,
                "UPDATE shared_changes SET last = ?1 WHERE last < ?1",
                [up_to],
            )?;
            remove_deleted(tx)
        })
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
            preferences::give_up_digits(tx, changes)?;
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

    /// Saves drafts and marks them as left for any bench, each with true if it can be sent as it is.
    pub fn leave_drafts(&mut self, drafts: &[(Draft, bool)], now: Timestamp) -> Result<()> {
        self.transaction(|tx| {
            for (draft, is_ready) in drafts {
                drafts::save(tx, draft, now)?;
                let sql =
                    "INSERT INTO leaving_drafts (draft, is_ready, left_ms) VALUES (?1, ?2, ?3)
                     ON CONFLICT DO NOTHING";
                run(tx, sql, params![draft.id.as_str(), is_ready, Millis(now)])?;
            }
            Ok(())
        })
    }

    /// Returns the drafts that were left and are not in the database yet, in their order.
    pub fn left_drafts(&self) -> Result<Vec<LeftDraftRow>> {
        let sql = "SELECT leaving_drafts.id, is_ready, left_ms, body FROM leaving_drafts
             JOIN drafts ON drafts.id = leaving_drafts.draft ORDER BY leaving_drafts.rowid";
        let read = |row: &Row<'_>| {
            let Millis(left) = row.get(2)?;
            Ok((row.get(0)?, row.get(1)?, left, row.get::<_, String>(3)?))
        };
        let left = rows(&self.db, sql, [], read)?;
        left.into_iter()
            .map(|(id, is_ready, left, body)| {
                Ok(LeftDraftRow {
                    id,
                    draft: serde_json::from_str(&body)?,
                    is_ready,
                    left,
                })
            })
            .collect()
    }

    /// Records that the database may have all drafts that were left, because they are delivered now.
    pub fn left_drafts_tried(&mut self) -> Result<()> {
        self.write(
            "UPDATE leaving_drafts SET is_tried = 1 WHERE NOT is_tried",
            [],
        )
    }

    /// Removes drafts that were left, because the database has them.
    pub fn left_drafts_delivered(&mut self, drafts: &[DraftId]) -> Result<()> {
        self.transaction(|tx| {
            for draft in drafts {
                let left = "DELETE FROM leaving_drafts WHERE draft = ?1";
                if run(tx, left, [draft.as_str()])? > 0 {
                    run(tx, "DELETE FROM drafts WHERE id = ?1", [draft.as_str()])?;
                }
            }
            Ok(())
        })
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

/// Forgets what was shared, because the bench leaves its workgroup. Drafts that were left are its own again. Another bench
/// may have those whose delivery was tried, so the clerk must check them.
pub(super) fn forget(tx: &Transaction<'_>) -> Result<()> {
    run(tx, "DELETE FROM shared_values", [])?;
    run(tx, "DELETE FROM shared_from", [])?;
    let doubt =
        "INSERT INTO doubts (draft, words) SELECT draft, ?1 FROM leaving_drafts WHERE is_tried
         ON CONFLICT DO NOTHING";
    run(tx, doubt, [MAY_BE_TAKEN])?;
    run(tx, "DELETE FROM leaving_drafts", []).map(drop)
}

/// Deleted values that the database has need not be remembered.
fn remove_deleted(tx: &Transaction<'_>) -> Result<()> {
    let sql = "DELETE FROM shared_values WHERE body IS NULL AND change = 0";
    run(tx, sql, []).map(drop)
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
    remove_deleted(tx)?;
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
