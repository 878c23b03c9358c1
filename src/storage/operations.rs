//! Reads and writes operations. Each change of state is also added to the table `history`.
//!
//! Pending consignments that were replaced, for example by a real consignment, are deleted by an operation that
//! follows another. Invariant: the replacement and the deletion are recorded in one transaction, so that a crash
//! between them cannot leave a pending consignment that somebody converts again. Such a deletion has a special form
//! of key, which distinguishes it from a clerk's deletion, and can safely be sent again.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::types::FromSql;
use rusqlite::{Connection, Row, ToSql, Transaction, params};

use super::sql_types::{Millis, first_row, rows, run};
use super::{
    HistoryEntry, Journal, JournalError, NewOperation, Operation, OperationId, OperationKind,
    OperationState, Payload,
};
use super::{drafts, labels};
use draft::{Draft, DraftId, PendingCopy};
use shipping::{ConsignmentId, PendingConsignmentId};

pub(super) const COLUMNS: &str = "id, kind, state, key, title, request, draft, consignments, attempt, checks, words, reference, \
                       made_ms, changed_ms, denied";

/// The message of an operation whose draft was sent again before the operation's turn came.
const SENT_INSTEAD: &str = "Not sent. The draft was sent again instead";

/// Prefix of the key of a deletion that follows another operation.
const AFTER: &str = "after-";

const CUT: &str =
    "Packbench was closed before the answer came. The deletion will be sent again, which is safe";

impl Operation {
    /// Returns the operation whose replaced pending consignments this operation deletes.
    pub fn follows(&self) -> Option<OperationId> {
        let of = self.key.strip_prefix(AFTER)?.parse().ok()?;
        (self.kind == OperationKind::PendingDelete).then_some(OperationId(of))
    }

    /// Returns the pending consignments that this operation deletes; empty for any other operation.
    pub fn deleted_pending(&self) -> &[PendingConsignmentId] {
        match self.payload() {
            Some(Payload::PendingDelete(ids)) => ids,
            _ => &[],
        }
    }
}

impl NewOperation {
    /// Builds the deletion of the pending consignments that operation `of` replaced.
    pub fn deletion_after(
        of: OperationId,
        replaced: &[PendingConsignmentId],
    ) -> Result<Self, JournalError> {
        Ok(Self {
            key: format!("{AFTER}{}", of.0),
            ..Payload::PendingDelete(replaced.to_vec()).to_operation()?
        })
    }
}

impl Journal {
    /// Counts the open operations in the journal at `path`; 0 if there is no journal.
    pub fn count_open(path: &Path) -> Result<usize, JournalError> {
        if !path.exists() {
            return Ok(0);
        }
        let journal = Self::open(path)?;
        Ok(journal.operations(0)?.len())
    }

    /// Records new operations in one transaction, before anything is sent.
    pub fn begin(
        &mut self,
        new: &[NewOperation],
        now: Timestamp,
    ) -> Result<Vec<Operation>, JournalError> {
        let ids = self.transaction(|tx| {
            let ids = new
                .iter()
                .map(|new| insert(tx, new, OperationState::Ready, now));
            Ok(ids.collect::<Result<Vec<_>, _>>()?)
        })?;
        ids.into_iter()
            .map(|id| self.stored_operation(id))
            .collect()
    }

    /// Records in one transaction that a draft is to be sent, and the draft as typed. Discards an older operation of
    /// the same draft that was never sent, so that it is not offered together with this operation.
    pub fn begin_from_draft(
        &mut self,
        draft: &Draft,
        new: &NewOperation,
        now: Timestamp,
    ) -> Result<Operation, JournalError> {
        let id = self.transaction(|tx| {
            drafts::save(tx, draft, now)?;
            let unsent = params![draft.id.as_str(), OperationState::Ready];
            let end = (OperationState::Discarded, SENT_INSTEAD);
            move_all(tx, "draft = ?1 AND state = ?2", unsent, end, now)?;
            Ok(insert(tx, new, OperationState::Ready, now)?)
        })?;
        self.stored_operation(id)
    }

    fn stored_operation(&self, id: OperationId) -> Result<Operation, JournalError> {
        self.operation(id)?.ok_or(JournalError::Changed)
    }

    /// Moves an operation from state `from` to `operation.state` and saves its message, checks and reference.
    /// Fails with [`JournalError::Changed`] if the stored operation is no longer in `from`. A change to
    /// `Sending` counts as an attempt.
    pub fn change(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        self.change_and_follow_up(operation, from, None, now)
    }

    /// Changes an operation as [`Journal::change`] does, and records the operation that follows, unless it is
    /// already recorded.
    pub fn change_and_follow_up(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        follows: Option<&NewOperation>,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        self.transaction(|tx| {
            apply(tx, operation, from, now)?;
            remove_used_draft(tx, operation, from)?;
            if let Some(follows) = follows {
                insert_once(tx, follows, now)?;
            }
            Ok(())
        })
    }

    /// Records that a draft was saved at the service. Unlike with [`Journal::change`], the draft stays, and
    /// remembers its pending consignment. If it was saved as another pending consignment before, the deletion
    /// of that pending consignment is recorded. Returns the draft as saved.
    pub fn mark_saved_as_pending(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        saved: &PendingCopy,
        now: Timestamp,
    ) -> Result<Option<Draft>, JournalError> {
        self.transaction(|tx| {
            apply(tx, operation, from, now)?;
            let mut kept = match &operation.draft {
                Some(id) => drafts::read(tx, id)?,
                None => None,
            };
            if let Some(kept) = &mut kept {
                let before = kept.pending.replace(saved.clone());
                drafts::save(tx, kept, now)?;
                if let Some(before) = before.filter(|before| before.id != saved.id) {
                    let deletion = NewOperation::deletion_after(operation.id, &[before.id])?;
                    insert_once(tx, &deletion, now)?;
                }
            }
            Ok(kept)
        })
    }

    /// Returns the deletions of replaced consignments that are not done and need no decision, oldest first.
    pub fn unfinished_deletions(&self) -> Result<Vec<Operation>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM operations WHERE state IN ('Ready', 'Absent') AND kind = ?1 AND key LIKE ?2
             ORDER BY id"
        );
        let about = params![OperationKind::PendingDelete, format!("{AFTER}%")];
        Ok(rows(&self.db, &sql, about, read)?)
    }

    pub fn operation(&self, id: OperationId) -> Result<Option<Operation>, JournalError> {
        let sql = format!("SELECT {COLUMNS} FROM operations WHERE id = ?1");
        Ok(first_row(&self.db, &sql, [id.0], read)?)
    }

    /// Returns the history of an operation, oldest first.
    pub fn history(&self, id: OperationId) -> Result<Vec<HistoryEntry>, JournalError> {
        let sql = "SELECT state, words, at_ms FROM history WHERE operation = ?1 ORDER BY rowid";
        Ok(history(&self.db, sql, id.0)?)
    }

    /// Returns create operations that changed since `since`, were sent, and were in state `Unknown` at some
    /// time: their consignment may turn up late.
    pub fn once_unknown_creates(&self, since: Timestamp) -> Result<Vec<Operation>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM operations
             WHERE changed_ms >= ?1 AND kind = ?2 AND attempt > 0 AND state IN ('Done', 'Absent', 'Discarded')
               AND EXISTS (SELECT 1 FROM history WHERE operation = operations.id AND history.state = 'Unknown')"
        );
        let with = params![Millis(since), OperationKind::Create];
        Ok(rows(&self.db, &sql, with, read)?)
    }

    /// Returns the newest operations and all open operations, newest first.
    pub fn operations(&self, newest: u32) -> Result<Vec<Operation>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM operations
             WHERE id > (SELECT coalesce(max(id), 0) FROM operations) - ?1
                OR state IN ('Ready', 'Sending', 'Unknown', 'Absent', 'Conflict', 'Ask')
             ORDER BY id DESC"
        );
        Ok(rows(&self.db, &sql, [newest], read)?)
    }
}

pub(super) fn history<State: FromSql>(
    db: &Connection,
    sql: &str,
    id: i64,
) -> rusqlite::Result<Vec<HistoryEntry<State>>> {
    rows(db, sql, [id], |row| {
        Ok(HistoryEntry {
            state: row.get(0)?,
            words: row.get(1)?,
            at: row.get::<_, Millis>(2)?.0,
        })
    })
}

/// Changes an operation within an open transaction; see [`Journal::change`].
fn apply(
    tx: &Transaction<'_>,
    operation: &mut Operation,
    from: OperationState,
    now: Timestamp,
) -> Result<(), JournalError> {
    if operation.state == OperationState::Sending && from != OperationState::Sending {
        operation.attempt += 1;
    }
    operation.changed = now;
    let changed = run(
        tx,
        "UPDATE operations SET state = ?1, words = ?2, checks = ?3, reference = ?4, consignments = ?5, attempt = ?6,
         changed_ms = ?7, denied = ?8 WHERE id = ?9 AND state = ?10",
        params![
            operation.state,
            operation.message,
            operation.checks,
            operation.reference,
            ids_to_text(&operation.consignments),
            operation.attempt,
            Millis(now),
            ids_to_text(&operation.denied),
            operation.id.0,
            from
        ],
    )?;
    if changed != 1 {
        return Err(JournalError::Changed);
    }
    add_history(tx, operation.id.0, operation.state, &operation.message, now)?;
    let changed_goods = matches!(
        operation.state,
        OperationState::Done | OperationState::Conflict
    );
    if operation.kind == OperationKind::Edit && changed_goods {
        labels::discard_changed_labels(tx, &operation.consignments)?;
    }
    Ok(())
}

/// Deletes the draft of an operation that is done, or was discarded although the service has several
/// consignments for it. Such a draft must not be offered as unsent.
fn remove_used_draft(
    tx: &Transaction<'_>,
    operation: &Operation,
    from: OperationState,
) -> Result<(), JournalError> {
    // A draft saved as pending stays on the bench: see [`Journal::mark_saved_as_pending`].
    if operation.kind == OperationKind::PendingCreate {
        return Ok(());
    }
    let spent = operation.state == OperationState::Done
        || (from == OperationState::Conflict
            && operation.state == OperationState::Discarded
            && operation.consignments.len() > 1);
    if let (true, Some(draft)) = (spent, &operation.draft) {
        run(tx, "DELETE FROM drafts WHERE id = ?1", [draft.as_str()])?;
    }
    Ok(())
}

/// Marks the deletions that the last run was still sending as not done, so that they are sent again. No
/// person has to check them.
pub(super) fn reset_interrupted(tx: &Transaction<'_>, now: Timestamp) -> rusqlite::Result<()> {
    let which = "kind = ?1 AND state = ?2 AND key LIKE ?3";
    let like = format!("{AFTER}%");
    let with = params![OperationKind::PendingDelete, OperationState::Sending, like];
    move_all(tx, which, with, (OperationState::Absent, CUT), now)
}

fn insert_once(tx: &Transaction<'_>, new: &NewOperation, now: Timestamp) -> rusqlite::Result<()> {
    let known = "SELECT 1 FROM operations WHERE kind = ?1 AND key = ?2";
    if !tx
        .prepare_cached(known)?
        .exists(params![new.kind, new.key])?
    {
        insert(tx, new, OperationState::Ready, now)?;
    }
    Ok(())
}

/// Moves all operations for which the SQL condition `which` holds to a state, with a message.
pub(super) fn move_all(
    tx: &Transaction<'_>,
    which: &str,
    with: &[&dyn ToSql],
    (to, message): (OperationState, &str),
    now: Timestamp,
) -> rusqlite::Result<()> {
    let sql = format!("SELECT id FROM operations WHERE {which}");
    for id in rows(tx, &sql, with, |row| row.get::<_, i64>(0))? {
        run(
            tx,
            "UPDATE operations SET state = ?1, words = ?2, checks = 0, changed_ms = ?3 WHERE id = ?4",
            params![to, message, Millis(now), id],
        )?;
        add_history(tx, id, to, message, now)?;
    }
    Ok(())
}

pub(super) fn add_history(
    tx: &Transaction<'_>,
    operation: i64,
    state: OperationState,
    message: &str,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let sql = "INSERT INTO history (operation, state, words, at_ms) VALUES (?1, ?2, ?3, ?4)";
    run(tx, sql, params![operation, state, message, Millis(now)])?;
    Ok(())
}

/// Inserts an operation: in state `Ready`, or in state `Sending` if it was sent before its row was lost.
pub(super) fn insert(
    tx: &Transaction<'_>,
    new: &NewOperation,
    state: OperationState,
    now: Timestamp,
) -> rusqlite::Result<OperationId> {
    run(
        tx,
        "INSERT INTO operations (kind, state, key, title, request, draft, consignments, attempt, checks, words,
         reference, made_ms, changed_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0, '', '', ?9, ?9)",
        params![
            new.kind,
            state,
            new.key,
            new.title,
            new.request,
            new.draft.as_ref().map(DraftId::as_str),
            ids_to_text(&new.consignments),
            u32::from(state == OperationState::Sending),
            Millis(now)
        ],
    )?;
    let id = OperationId(tx.last_insert_rowid());
    add_history(tx, id.0, state, "", now)?;
    Ok(id)
}

pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Operation> {
    Ok(Operation {
        id: OperationId(row.get(0)?),
        kind: row.get(1)?,
        state: row.get(2)?,
        key: row.get(3)?,
        title: row.get(4)?,
        request: row.get::<_, String>(5)?.into(),
        draft: row.get::<_, Option<String>>(6)?.map(DraftId::from),
        consignments: ids_from_text(&row.get::<_, String>(7)?),
        attempt: row.get(8)?,
        checks: row.get(9)?,
        message: row.get(10)?,
        reference: row.get(11)?,
        made: row.get::<_, Millis>(12)?.0,
        changed: row.get::<_, Millis>(13)?.0,
        denied: ids_from_text(&row.get::<_, String>(14)?),
    })
}

pub(super) fn ids_to_text(ids: &[ConsignmentId]) -> String {
    ids.iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(" ")
}

pub(super) fn ids_from_text(text: &str) -> Vec<ConsignmentId> {
    text.split_whitespace()
        .filter_map(|id| id.parse().ok())
        .map(ConsignmentId::new)
        .collect()
}
