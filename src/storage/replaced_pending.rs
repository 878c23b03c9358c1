//! Deletions of pending consignments that were replaced, for example by a real consignment.
//!
//! Invariant: the replacement and the deletion are recorded in one transaction, so that a crash between them
//! cannot leave a pending consignment that somebody converts again. Such a deletion has a special form of
//! key, which distinguishes it from a clerk's deletion, and can safely be sent again.

use jiff::Timestamp;
use rusqlite::{Transaction, params};

use super::operations::{COLUMNS, apply, insert, move_all, read, remove_used_draft};
use super::sql_types::rows;
use super::{
    Journal, JournalError, NewOperation, Operation, OperationId, OperationKind, OperationState,
    Payload, drafts,
};
use draft::{Draft, PendingCopy};
use shipping::PendingConsignmentId;

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
    pub fn deleted_pending(&self) -> Vec<PendingConsignmentId> {
        match self.payload() {
            Some(Payload::PendingDelete(ids)) => ids.clone(),
            _ => Vec::new(),
        }
    }
}

impl NewOperation {
    /// Builds the deletion of the pending consignments that operation `of` replaced.
    pub fn deletion_after(
        of: OperationId,
        replaced: &[PendingConsignmentId],
    ) -> Result<Self, JournalError> {
        let numbers: Vec<_> = replaced.iter().map(|id| format!("PC{id}")).collect();
        Ok(Self {
            kind: OperationKind::PendingDelete,
            key: format!("{AFTER}{}", of.0),
            title: numbers.join(", "),
            request: serde_json::to_string(replaced)?,
            draft: None,
            consignments: Vec::new(),
        })
    }
}

impl Journal {
    /// Changes an operation as [`Journal::change`] does, and records the operation that follows, unless it is
    /// already recorded.
    pub fn change_and_follow_up(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        follows: Option<&NewOperation>,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        apply(&tx, operation, from, now)?;
        remove_used_draft(&tx, operation, from)?;
        if let Some(follows) = follows {
            insert_once(&tx, follows, now)?;
        }
        tx.commit()?;
        Ok(())
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
        let tx = self.db.transaction()?;
        apply(&tx, operation, from, now)?;
        let mut kept = match &operation.draft {
            Some(id) => drafts::read(&tx, id)?,
            None => None,
        };
        if let Some(kept) = &mut kept {
            let before = kept.pending.replace(saved.clone());
            drafts::save(&tx, kept, now)?;
            if let Some(before) = before.filter(|before| before.id != saved.id) {
                let deletion = NewOperation::deletion_after(operation.id, &[before.id])?;
                insert_once(&tx, &deletion, now)?;
            }
        }
        tx.commit()?;
        Ok(kept)
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
