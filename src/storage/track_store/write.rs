//! Writes rows to the store. A row is written only if it differs from the stored one.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Statement, Transaction, params};

use super::names::{NameKeys, Names};
use super::row::{ConsignmentHistory, ConsignmentRow};
use super::summary::ConsignmentSummary;
use super::{columns, search_text, stored_history};
use crate::JournalError;
use crate::sql_types::Millis;
use shipping::ConsignmentId;

/// An unchanged row gets a new `seen_ms` only once in this period. Otherwise, most writes would only
/// update `seen_ms`.
const SEEN_ENOUGH: SignedDuration = SignedDuration::from_hours(24);

/// The prepared statements of one write.
struct Statements<'a> {
    tx: &'a Transaction<'a>,
    tracked: Statement<'a>,
    shown: Statement<'a>,
    history: Statement<'a>,
    text: Statement<'a>,
    pending: Statement<'a>,
    seen: Statement<'a>,
    buffer: String,
    now: Timestamp,
}

impl<'a> Statements<'a> {
    fn new(tx: &'a Transaction<'a>, now: Timestamp) -> rusqlite::Result<Self> {
        Ok(Self {
            tx,
            tracked: tx.prepare(&columns::PUT_TRACKED)?,
            shown: tx.prepare(&columns::PUT_SHOWN)?,
            history: tx.prepare(
                "INSERT INTO histories (id, steps) VALUES (?1, ?2)
                 ON CONFLICT (id) DO UPDATE SET steps = excluded.steps WHERE steps <> excluded.steps",
            )?,
            text: tx.prepare(
                "INSERT INTO texts (id, text) VALUES (?1, ?2)
                 ON CONFLICT (id) DO UPDATE SET text = excluded.text WHERE text <> excluded.text",
            )?,
            pending: tx.prepare(
                "INSERT INTO pending (id, was) VALUES (?1, 1) ON CONFLICT (id) DO NOTHING",
            )?,
            seen: tx.prepare("UPDATE tracked SET seen_ms = ?2 WHERE id = ?1 AND seen_ms < ?3")?,
            buffer: String::new(),
            now,
        })
    }

    /// Saves a consignment. Returns true if anything differed from the stored row.
    fn put(
        &mut self,
        one: &ConsignmentHistory,
        row: &ConsignmentRow,
        keys: &mut NameKeys,
    ) -> Result<bool, JournalError> {
        let id = row.id.get();
        let carrier = keys.carrier(self.tx, row.carrier_id, &row.carrier)?;
        let status = keys.status(self.tx, &row.status)?;
        let tracked = columns::put_tracked(&mut self.tracked, row, (carrier, status), self.now)?;
        let shown = columns::put_shown(&mut self.shown, row)?;
        let mut told = false;
        if !one.history.is_empty() {
            let steps = stored_history::written(row.id, &one.history, keys, self.tx)?;
            told = self.history.execute(params![id, steps])? > 0;
        }
        if shown {
            search_text::text_of(row, &mut self.buffer);
            if self.text.execute(params![id, self.buffer])? > 0 {
                self.pending.execute([id])?;
            }
        }
        if !tracked {
            let stale = self.now - SEEN_ENOUGH;
            self.seen
                .execute(params![id, Millis(self.now), Millis(stale)])?;
        }
        Ok(tracked || shown || told)
    }
}

/// Saves these consignments in one transaction. Returns summaries of new and changed consignments, in their order.
pub(super) fn put(
    db: &mut Connection,
    keys: &mut NameKeys,
    followed: &[ConsignmentHistory],
    now: Timestamp,
) -> Result<Vec<ConsignmentSummary>, JournalError> {
    let tx = db.transaction()?;
    let mut changed = Vec::new();
    {
        let mut pens = Statements::new(&tx, now)?;
        let mut names = Names::default();
        for one in followed {
            if one.history.is_empty()
                && let Some(before) = row(&tx, &mut names, one.row.id)?
            {
                let row = without_history(&one.row, &before);
                if pens.put(one, &row, keys)? {
                    changed.push(ConsignmentSummary::of(&row));
                }
            } else if pens.put(one, &one.row, keys)? {
                changed.push(ConsignmentSummary::of(&one.row));
            }
        }
    }
    tx.commit()?;
    Ok(changed)
}

/// Keeps the stored times, because an answer without a history does not have them.
fn without_history(row: &ConsignmentRow, before: &ConsignmentRow) -> ConsignmentRow {
    let is_final = row.status.id.is_final();
    ConsignmentRow {
        changed: row.changed.or(before.changed),
        scanned: row.scanned.or(before.scanned),
        booked: row.booked.or(before.booked),
        ended: row.ended.or(before.ended).filter(|_| is_final),
        ..row.clone()
    }
}

fn row(
    db: &Connection,
    names: &mut Names,
    id: ConsignmentId,
) -> Result<Option<ConsignmentRow>, JournalError> {
    // Rows written before in this transaction may have added names.
    names.catch_up(db)?;
    let mut one = db.prepare_cached(&columns::ROW)?;
    let row = one.query_row([id.get()], |row| Ok(columns::read(row, names)));
    row.optional()?.transpose()
}

/// Removes these consignments in one transaction.
pub(super) fn forget(db: &mut Connection, ids: &[ConsignmentId]) -> Result<(), JournalError> {
    let tx = db.transaction()?;
    for table in ["tracked", "shown", "histories", "texts", "pending"] {
        let mut gone = tx.prepare_cached(&format!("DELETE FROM {table} WHERE id = ?1"))?;
        for id in ids {
            gone.execute([id.get()])?;
        }
    }
    {
        let mut gone = tx.prepare_cached("DELETE FROM found WHERE rowid = ?1")?;
        for id in ids {
            gone.execute([id.get()])?;
        }
    }
    tx.commit()?;
    Ok(())
}
