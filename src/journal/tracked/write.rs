//! What is kept: written where it differs from what is there, and not touched where it does not.

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Statement, Transaction, params};

use super::gist::Gist;
use super::names::{Keys, Names};
use super::row::{Followed, Tracked};
use super::{columns, steps, words};
use crate::journal::JournalError;
use crate::journal::text::Millis;
use crate::shipping::ConsignmentId;

/// How long a row that is told unchanged again and again is not said to have been seen: writing that each time would be all
/// that is written.
const SEEN_ENOUGH: SignedDuration = SignedDuration::from_hours(24);

/// The statements of one turn of keeping.
struct Pens<'a> {
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

impl<'a> Pens<'a> {
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

    /// Keeps one; true where anything of it differs from what was there.
    fn put(
        &mut self,
        one: &Followed,
        row: &Tracked,
        keys: &mut Keys,
    ) -> Result<bool, JournalError> {
        let id = row.id.get();
        let carrier = keys.carrier(self.tx, row.carrier_id, &row.carrier)?;
        let status = keys.status(self.tx, &row.status)?;
        let tracked = columns::put_tracked(&mut self.tracked, row, (carrier, status), self.now)?;
        let shown = columns::put_shown(&mut self.shown, row)?;
        let mut told = false;
        if !one.history.is_empty() {
            let steps = steps::written(row.id, &one.history, keys, self.tx)?;
            told = self.history.execute(params![id, steps])? > 0;
        }
        if shown {
            words::text_of(row, &mut self.buffer);
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

/// Keeps these, in one transaction. Answers those that are new or have changed, in their order.
pub(super) fn put(
    db: &mut Connection,
    keys: &mut Keys,
    followed: &[Followed],
    now: Timestamp,
) -> Result<Vec<Gist>, JournalError> {
    let tx = db.transaction()?;
    let mut changed = Vec::new();
    {
        let mut pens = Pens::new(&tx, now)?;
        let mut names = Names::default();
        for one in followed {
            if one.history.is_empty()
                && let Some(before) = row(&tx, &mut names, one.row.id)?
            {
                let row = without_history(&one.row, &before);
                if pens.put(one, &row, keys)? {
                    changed.push(Gist::of(&row));
                }
            } else if pens.put(one, &one.row, keys)? {
                changed.push(Gist::of(&one.row));
            }
        }
    }
    tx.commit()?;
    Ok(changed)
}

/// An answer that tells no history says nothing of when what happened: that stays.
fn without_history(row: &Tracked, before: &Tracked) -> Tracked {
    let is_final = row.status.id.is_final();
    Tracked {
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
) -> Result<Option<Tracked>, JournalError> {
    // Those before it in this turn may have brought new ones.
    names.catch_up(db)?;
    let mut one = db.prepare_cached(&columns::ROW)?;
    let row = one.query_row([id.get()], |row| Ok(columns::read(row, names)));
    row.optional()?.transpose()
}

/// Forgets these, in one transaction.
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
