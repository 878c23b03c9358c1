//! Labels that were requested but are not print jobs yet. After an interrupted batch they show which
//! labels are missing.
//!
//! Invariant: a label requested in a batch stays in this table until it becomes a print job, in the
//! same transaction, or until somebody cancels it. A label is therefore never both here and a job
//! of the same batch.

use jiff::Timestamp;
use rusqlite::{Row, Transaction, params};

use super::labels::{LabelSource, read_size, size_word};
use super::sql_types::{Millis, rows, run};
use super::{Journal, JournalError, LabelGeneration};
use shipping::{ConsignmentId, LabelSize};

/// Schema migration that creates the table of requested labels, and adds the override reason
/// and the batch to `print_jobs`.
pub(super) const TABLES: &str = "
CREATE TABLE unprinted (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    consignment INTEGER NOT NULL,
    number TEXT NOT NULL,
    printer TEXT NOT NULL,
    size TEXT NOT NULL,
    reason TEXT NOT NULL,
    despite TEXT NOT NULL,
    made_ms INTEGER NOT NULL
) STRICT;
ALTER TABLE print_jobs ADD COLUMN despite TEXT NOT NULL DEFAULT '';
ALTER TABLE print_jobs ADD COLUMN batch INTEGER NOT NULL DEFAULT 0;
";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnprintedLabelId(pub i64);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRequest {
    pub consignment: ConsignmentId,
    pub number: String,
    pub printer: String,
    pub size: LabelSize,
    /// Why the label is printed again; empty the first time.
    pub reason: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnprintedLabel {
    pub id: UnprintedLabelId,
    pub request: LabelRequest,
    pub made: Timestamp,
}

/// The origin of a print job.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JobOrigin {
    pub unprinted: Option<UnprintedLabelId>,
    /// The id of the batch, which is the id of its first label; 0 for a label printed alone.
    pub batch: i64,
    /// Why the label is printed although its verification failed; empty if it passed.
    pub override_reason: String,
    /// The stored file that the bytes were made from. If another file has been stored since, the bytes
    /// are out of date.
    pub source: Option<LabelSource>,
    /// The generation of the label file when it was requested; `None` if there was no file.
    pub generation: Option<LabelGeneration>,
}

impl Journal {
    /// Records that these labels are to be printed, in this order, in place of `instead_of`. All or
    /// none are recorded.
    pub fn begin_batch(
        &mut self,
        wanted: &[LabelRequest],
        instead_of: &[UnprintedLabelId],
        now: Timestamp,
    ) -> Result<Vec<UnprintedLabelId>, JournalError> {
        let tx = self.db.transaction()?;
        for id in instead_of {
            take_up(&tx, *id)?;
        }
        let mut ids = Vec::with_capacity(wanted.len());
        for one in wanted {
            run(
                &tx,
                "INSERT INTO unprinted (consignment, number, printer, size, reason, despite, made_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, '', ?6)",
                params![
                    one.consignment.get(),
                    one.number,
                    one.printer,
                    size_word(one.size),
                    one.reason,
                    Millis(now)
                ],
            )?;
            ids.push(UnprintedLabelId(tx.last_insert_rowid()));
        }
        tx.commit()?;
        Ok(ids)
    }

    /// Removes labels that are not to be printed, or whose problem has been reported.
    pub fn remove_unprinted(&mut self, ids: &[UnprintedLabelId]) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        for id in ids {
            take_up(&tx, *id)?;
        }
        tx.commit()?;
        Ok(())
    }

    /// Returns the requested labels that are not print jobs yet, in the order of the requests.
    pub fn unprinted(&self) -> Result<Vec<UnprintedLabel>, JournalError> {
        let sql = "SELECT id, consignment, number, printer, size, reason, made_ms FROM unprinted ORDER BY id";
        Ok(rows(&self.db, sql, [], read)?)
    }
}

/// Removes a requested label, because it becomes a print job or is cancelled. Returns true if the label
/// was still waiting.
pub(super) fn take_up(tx: &Transaction<'_>, id: UnprintedLabelId) -> rusqlite::Result<bool> {
    Ok(run(tx, "DELETE FROM unprinted WHERE id = ?1", [id.0])? > 0)
}

fn read(row: &Row<'_>) -> rusqlite::Result<UnprintedLabel> {
    Ok(UnprintedLabel {
        id: UnprintedLabelId(row.get(0)?),
        request: LabelRequest {
            consignment: ConsignmentId::new(row.get(1)?),
            number: row.get(2)?,
            printer: row.get(3)?,
            size: read_size(&row.get::<_, String>(4)?),
            reason: row.get(5)?,
        },
        made: row.get::<_, Millis>(6)?.0,
    })
}
