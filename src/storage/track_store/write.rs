//! Writes rows to the store, and removes consignments that are no longer tracked. A row is written only if it differs
//! from the stored row.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Transaction, params};

use super::names::NameKeys;
use super::summary::ConsignmentSummary;
use super::{TrackReader, TrackStore, columns, search, stored_history};
use crate::Result;
use crate::consignment_row::ConsignmentHistory;
use crate::sql_types::{Millis, first_row, rows, run};
use shipping::ConsignmentId;

/// An unchanged row is written with a new `seen` only once in this period. Otherwise, most writes would only
/// update `seen`.
const SEEN_ENOUGH: SignedDuration = SignedDuration::from_hours(24);

/// How long a consignment is tracked after it has ended.
const AFTER_ITS_END: SignedDuration = SignedDuration::from_hours(90 * 24);

/// How long a consignment is still tracked after the service stopped listing it.
const UNNAMED: SignedDuration = SignedDuration::from_hours(180 * 24);

/// Maximum number of tracked consignments. Above it, ended consignments are removed before the others, and older
/// consignments before newer.
const MOST: i64 = 2_000_000;

impl TrackStore {
    /// Saves these consignments in one transaction. Returns summaries of new and changed consignments, in the order
    /// of `followed`.
    pub fn put(
        &mut self,
        followed: &[ConsignmentHistory],
        now: Timestamp,
    ) -> Result<Vec<ConsignmentSummary>> {
        let tx = self.own.db.transaction()?;
        let (mut keys, mut changed, mut text) = (NameKeys::new(&tx), Vec::new(), String::new());
        for one in followed {
            if put(&tx, &mut keys, one, &mut text, now)? {
                changed.push(ConsignmentSummary::of(&one.row));
            }
        }
        tx.commit()?;
        Ok(changed)
    }

    /// Removes these consignments in one transaction.
    pub fn forget(&mut self, ids: &[ConsignmentId]) -> Result<()> {
        let tx = self.own.db.transaction()?;
        for (table, key) in [
            ("tracked", "id"),
            ("shown", "id"),
            ("histories", "id"),
            ("texts", "id"),
            ("pending", "id"),
            ("found", "rowid"),
        ] {
            let sql = format!("DELETE FROM {table} WHERE {key} = ?1");
            for id in ids {
                run(&tx, &sql, [id.get()])?;
            }
        }
        Ok(tx.commit()?)
    }
}

impl TrackReader {
    /// Returns the consignments to remove: those that ended long ago, those that the service has not listed for long,
    /// and those above the limit. `now` is the time of the bench's clock, which may be wrong: if `now` is later than
    /// the newest sync mark, the mark counts as the current time; without a mark, no consignment is old.
    pub fn overdue(&self, now: Timestamp) -> Result<Vec<ConsignmentId>> {
        let db = self.db.unchecked_transaction()?;
        let newest = first_row(&db, "SELECT max(seen_to_ms) FROM marks", [], |row| {
            row.get(0)
        })?;
        let at = newest.flatten().map(|newest: Millis| newest.0.min(now));
        // Without a sync mark, both limits are NULL, and comparisons with NULL are never true.
        let ended = at.map(|at| Millis(at - AFTER_ITS_END));
        let seen = at.map(|at| Millis(at - UNNAMED));
        let id = |row: &rusqlite::Row<'_>| row.get(0).map(ConsignmentId::new);
        let sql = "SELECT id FROM tracked WHERE ended < ?1 OR seen < ?2 ORDER BY id";
        let mut old = rows(&db, sql, params![ended, seen], id)?;
        let count: i64 = db.query_row("SELECT count(*) FROM tracked", [], |row| row.get(0))?;
        let stays = count - i64::try_from(old.len()).unwrap_or(i64::MAX);
        if stays > MOST {
            let sql = "SELECT id FROM tracked WHERE (ended < ?1 OR seen < ?2) IS NOT TRUE
                       ORDER BY ended IS NULL, id LIMIT ?3";
            old.extend(rows(&db, sql, params![ended, seen, stays - MOST], id)?);
        }
        Ok(old)
    }
}

/// Saves a consignment. Returns true if the row or the history differed from the stored data. `text` is
/// a reused buffer.
fn put(
    tx: &Transaction<'_>,
    keys: &mut NameKeys<'_>,
    one: &ConsignmentHistory,
    text: &mut String,
    now: Timestamp,
) -> Result<bool> {
    let (row, id) = (&one.row, one.row.id.get());
    let carrier = keys.carrier(row.carrier_id, &row.carrier)?;
    let status = keys.status(&row.status)?;
    let is_tracked_new = columns::put_tracked(tx, row, (carrier, status), now)?;
    let is_shown_new = columns::put_shown(tx, row)?;
    let mut is_history_new = false;
    if !one.history.is_empty() {
        let steps = stored_history::written(row.id, &one.history, keys)?;
        let sql = "INSERT INTO histories (id, steps) VALUES (?1, ?2)
             ON CONFLICT (id) DO UPDATE SET steps = excluded.steps WHERE steps <> excluded.steps";
        is_history_new = run(tx, sql, params![id, steps])? > 0;
    }
    if is_shown_new {
        search::text_of(row, text);
        let sql = "INSERT INTO texts (id, text) VALUES (?1, ?2)
             ON CONFLICT (id) DO UPDATE SET text = excluded.text WHERE text <> excluded.text";
        if run(tx, sql, params![id, *text])? > 0 {
            let sql = "INSERT INTO pending (id, was) VALUES (?1, 1) ON CONFLICT (id) DO NOTHING";
            run(tx, sql, [id])?;
        }
    }
    if !is_tracked_new {
        let sql = "UPDATE tracked SET seen = ?2 WHERE id = ?1 AND seen < ?3";
        run(tx, sql, params![id, Millis(now), Millis(now - SEEN_ENOUGH)])?;
    }
    Ok(is_tracked_new || is_shown_new || is_history_new)
}
