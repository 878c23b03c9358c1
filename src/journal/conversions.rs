//! Pending consignments that something else took the place of: their deletion is written down with what replaced them.
//!
//! What always holds: the two are one transaction, so that no kill between them leaves a pending consignment that somebody
//! would convert once more; such a deletion is told from a clerk's own by its key, and may be sent again without harm.

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Transaction, params};

use super::operations::{COLUMNS, apply, insert, read, spend_draft};
use super::text::Millis;
use super::{Journal, JournalError, Kind, NewOperation, Operation, OperationId, OperationState};
use crate::draft::{Draft, SavedPending};
use crate::shipping::PendingConsignmentId;

/// What the key of a deletion begins with that follows something.
const AFTER: &str = "after-";

const CUT: &str =
    "Packbench was closed before the answer came. It is deleted again, which does no harm";

impl Operation {
    /// The operation that this one follows, where it deletes what that one replaced.
    pub fn follows(&self) -> Option<OperationId> {
        let of = self.key.strip_prefix(AFTER)?.parse().ok()?;
        (self.kind == Kind::PendingDelete).then_some(OperationId(of))
    }

    /// The pending consignments that it deletes; none where it is about something else.
    pub fn deleted_pending(&self) -> Vec<PendingConsignmentId> {
        let ids = (self.kind == Kind::PendingDelete).then(|| serde_json::from_str(&self.request));
        ids.and_then(Result::ok).unwrap_or_default()
    }
}

impl NewOperation {
    /// The deletion of pending consignments that `of` replaced.
    pub fn after(of: OperationId, replaced: &[PendingConsignmentId]) -> Result<Self, JournalError> {
        let numbers: Vec<_> = replaced.iter().map(|id| format!("PC{id}")).collect();
        Ok(Self {
            kind: Kind::PendingDelete,
            key: format!("{AFTER}{}", of.0),
            title: numbers.join(", "),
            request: serde_json::to_string(replaced)?,
            draft: None,
            consignments: Vec::new(),
        })
    }
}

impl Journal {
    /// As [`Journal::change`], and writes down what follows, unless it is written down already.
    pub fn change_then(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        follows: Option<&NewOperation>,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        apply(&tx, operation, from, now)?;
        spend_draft(&tx, operation, from)?;
        if let Some(follows) = follows {
            insert_once(&tx, follows, now)?;
        }
        tx.commit()?;
        Ok(())
    }

    /// A draft was saved at the service: as [`Journal::change`], but the draft stays and knows where it is. What it was saved
    /// as before is to be deleted. Answers the draft as it is kept.
    pub fn keep_pending(
        &mut self,
        operation: &mut Operation,
        from: OperationState,
        saved: &SavedPending,
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
                    insert_once(&tx, &NewOperation::after(operation.id, &[before.id])?, now)?;
                }
                Some(kept)
            }
            None => None,
        };
        tx.commit()?;
        Ok(kept)
    }

    /// Deletions of what was replaced that are not done, and that nobody has to decide about; the first one first.
    pub fn unfinished_deletions(&self) -> Result<Vec<Operation>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM operations WHERE state IN ('Ready', 'Absent') AND kind = ?1 AND key LIKE ?2
             ORDER BY id"
        );
        let mut rows = self.db.prepare(&sql)?;
        let about = params![Kind::PendingDelete, format!("{AFTER}%")];
        let operations = rows.query_map(about, read)?.collect::<Result<_, _>>()?;
        Ok(operations)
    }
}

/// Deletions of what was replaced that the last run did not see through: nobody has to look, they are sent again.
pub(super) fn release(tx: &Transaction<'_>, now: Timestamp) -> rusqlite::Result<()> {
    let like = format!("{AFTER}%");
    let with = params![
        OperationState::Absent,
        CUT,
        Millis(now),
        OperationState::Sending,
        Kind::PendingDelete,
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

/// One that this version cannot read stays as it is.
fn draft(tx: &Transaction<'_>, id: &str) -> Result<Option<Draft>, JournalError> {
    let sql = "SELECT body FROM drafts WHERE id = ?1";
    let body: Option<String> = tx.query_row(sql, [id], |row| row.get(0)).optional()?;
    Ok(body.and_then(|body| serde_json::from_str(&body).ok()))
}
