//! Deletions of pending consignments that were replaced, for example by a real consignment.
//!
//! Invariant: the replacement and the deletion are recorded in one transaction, so that a crash between them
//! cannot leave a pending consignment that somebody converts again. Such a deletion has a key of its own
//! form, which tells it from a clerk's deletion, and can safely be sent again.

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};

use super::operations::{COLUMNS, apply, insert, read, remove_used_draft};
use super::sql_types::Millis;
use super::{
    Journal, JournalError, NewOperation, Operation, OperationId, OperationKind, OperationState,
    Payload,
};
use draft::{Draft, PendingCopy};
use shipping::PendingConsignmentId;

/// Prefix of the key of a deletion that follows another operation.
const AFTER: &str = "after-";

const CUT: &str =
    "Packbench was closed before the answer came. The deletion will be sent again, which is safe";

impl Operation {
    /// Returns the operation whose replaced pending consignments this one deletes.
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
    /// of that one is recorded. Returns the draft as saved.
    pub fn mark_saved_as_pending(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        saved: &PendingCopy,
        now: Timestamp,
    ) -> Result<Option<Draft>, JournalError> {
        let tx = self.db.transaction()?;
        apply(&tx, operation, from, now)?;
        let kept = match &operation.draft {
            Some(id) => draft(&tx, id.as_str())?,
            None => None,
        };
        let kept = match kept {
            Some(mut kept) => {
                let before = kept.pending.replace(saved.clone());
                super::drafts::save(&tx, &kept, now)?;
                if let Some(before) = before.filter(|before| before.id != saved.id) {
                    insert_once(
                        &tx,
                        &NewOperation::deletion_after(operation.id, &[before.id])?,
                        now,
                    )?;
                }
                Some(kept)
            }
            None => None,
        };
        tx.commit()?;
        Ok(kept)
    }

    /// Returns the deletions of replaced consignments that are not done and need no decision, oldest first.
    pub fn unfinished_deletions(&self) -> Result<Vec<Operation>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM operations WHERE state IN ('Ready', 'Absent') AND kind = ?1 AND key LIKE ?2
             ORDER BY id"
        );
        let mut rows = self.db.prepare(&sql)?;
        let about = params![OperationKind::PendingDelete, format!("{AFTER}%")];
        let operations = rows.query_map(about, read)?.collect::<Result<_, _>>()?;
        Ok(operations)
    }
}

/// Marks the deletions that the last run was still sending as not done, so that they are sent again. No
/// person has to check them.
pub(super) fn reset_interrupted(tx: &Transaction<'_>, now: Timestamp) -> rusqlite::Result<()> {
    let like = format!("{AFTER}%");
    let with = params![
        OperationState::Absent,
        CUT,
        Millis(now),
        OperationState::Sending,
        OperationKind::PendingDelete,
        like
    ];
    tx.execute(
        "INSERT INTO history (operation, state, words, at_ms)
         SELECT id, ?1, ?2, ?3 FROM operations WHERE state = ?4 AND kind = ?5 AND key LIKE ?6",
        with,
    )?;
    tx.execute(
        "UPDATE operations SET state = ?1, words = ?2, changed_ms = ?3 WHERE state = ?4 AND kind = ?5 AND key LIKE ?6",
        with,
    )?;
    Ok(())
}

fn insert_once(
    tx: &Transaction<'_>,
    new: &NewOperation,
    now: Timestamp,
) -> Result<(), JournalError> {
    let known = "SELECT count(*) FROM operations WHERE kind = ?1 AND key = ?2";
    let known: i64 = tx.query_row(known, params![new.kind, new.key], |row| row.get(0))?;
    if known == 0 {
        insert(tx, new, now)?;
    }
    Ok(())
}

/// Returns the draft, or `None` if this version cannot parse it.
fn draft(tx: &Transaction<'_>, id: &str) -> Result<Option<Draft>, JournalError> {
    let sql = "SELECT body FROM drafts WHERE id = ?1";
    let body: Option<String> = tx.query_row(sql, [id], |row| row.get(0)).optional()?;
    Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
}
