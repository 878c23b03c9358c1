//! Print jobs and their states in the print queues, and labels that were requested but are not print jobs yet. The
//! bytes of a job are stored before they go to a printer, and a job printed again uses the stored bytes.
//!
//! Invariant: a label requested in a batch stays in the table `unprinted` until it is cancelled or becomes a print
//! job, which is recorded in the same transaction. A label is therefore never both in the table and a job of the same
//! batch, and after an interrupted batch the table shows which labels are missing.

use std::sync::Arc;

use jiff::Timestamp;
use rusqlite::{Row, Transaction, params};

use super::labels::{LabelGeneration, current_generation, read_size, size_word};
use super::operations::history;
use super::sql_types::{Millis, first_row, rows, run, word};
use super::{HistoryEntry, Journal, JournalError, Result};
use shipping::{ConsignmentId, LabelSize};

/// Adds the mark of print jobs that were printed before a change of their consignment.
pub(super) const OUTDATED: &str =
    "ALTER TABLE print_jobs ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;";

pub(super) const QUEUE_COLUMNS: &str = "
ALTER TABLE print_jobs ADD COLUMN spool_job INTEGER;
ALTER TABLE print_jobs ADD COLUMN queue_state TEXT;
ALTER TABLE print_jobs ADD COLUMN queue_message TEXT NOT NULL DEFAULT '';
ALTER TABLE print_jobs ADD COLUMN expires_ms INTEGER;
";

/// [`Journal::newest_label_jobs`] reads only the first index. Reading the rows of `print_jobs` would be slow, because
/// the bytes are stored between the other columns.
pub(super) const INDEXES: &str = "
CREATE INDEX print_jobs_standing ON print_jobs
    (consignment, id, state, words, changed_ms, outdated, queue_state);
CREATE INDEX print_jobs_by_state ON print_jobs (state, queue_state);
";

/// Gives test labels a number of their own in the column `consignment`: they used to share 0 with documents.
pub(super) const TEST_LABELS: &str =
    "UPDATE print_jobs SET consignment = -1 WHERE consignment = 0 AND number = 'Test label';";

/// Schema migration that creates the table of requested labels, and adds the override reason
/// and the batch to `print_jobs`.
pub(super) const BATCHES: &str = "
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
pub struct JobId(pub i64);

word! {
    JobState {
        /// Being sent to the printer or its queue.
        Spooling,
        /// Sent to the printer or its queue. Whether it was printed is not known.
        Sent,
        /// Certainly not sent.
        Failed,
        /// Possibly sent: the clerk has to check the printer.
        Ask,
        /// Printed, as the clerk has confirmed.
        Printed,
    }
}

word! {
    /// The state of a job in its print queue.
    QueuedJobState {
        Waiting,
        /// Put on hold by a person.
        Held,
        /// On its way to the printer.
        Printing,
        Stopped,
        /// Taken out of the queue.
        Cancelled,
        /// The print service gave up.
        Aborted,
        /// Received completely by the printer. The queue doesn't know whether the label was printed.
        HandedOver,
        /// Never in the queue, or no longer there.
        Gone,
    }
}

impl QueuedJobState {
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            Self::Cancelled | Self::Aborted | Self::HandedOver | Self::Gone
        )
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QueueEntry {
    pub job: Option<u32>,
    /// The job's state; `None` until the queue was first asked.
    pub state: Option<QueuedJobState>,
    /// Message of the queue or the printer, such as "out of labels"; often empty.
    pub message: String,
    /// When the bench cancels the job, if it is still waiting then.
    pub expires: Option<Timestamp>,
}

/// A print job to record before it is sent to a printer.
#[derive(Debug, Clone, Default)]
pub struct NewJob {
    pub subject: JobSubject,
    /// The consignment number, or the document's name.
    pub number: String,
    pub printer: String,
    /// The queue of the print service; empty if the job goes to the printer directly.
    pub queue: String,
    /// The job's title at the printer, which contains the bench's key.
    pub title: String,
    pub bytes: Arc<[u8]>,
    /// The sha256 of the bytes, hexadecimal.
    pub sha256: String,
    /// Why the label is printed again; empty the first time.
    pub reason: String,
    /// When the bench takes the job out of its queue, if it is still waiting then.
    pub expires: Option<Timestamp>,
    /// Why the label is printed although its verification failed; empty if it passed.
    pub override_reason: String,
    /// The id of the batch, which is the id of its first label; 0 for a label printed alone.
    pub batch: i64,
    /// The requested label of the batch that becomes this job.
    pub unprinted: Option<UnprintedLabelId>,
    /// The generation of the label file when it was requested; `None` if there was no file. If the consignment was
    /// changed since, the bytes are out of date.
    pub generation: Option<LabelGeneration>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum JobSubject {
    Label(ConsignmentId),
    TestLabel,
    /// A document that the bench makes: a manifest or a day sheet.
    #[default]
    Document,
}

impl JobSubject {
    pub const fn consignment(self) -> Option<ConsignmentId> {
        match self {
            Self::Label(id) => Some(id),
            Self::TestLabel | Self::Document => None,
        }
    }

    /// Returns the value for the column `consignment`. Ids of consignments begin at 1, so other
    /// subjects use 0 and -1.
    const fn to_column(self) -> i64 {
        match self {
            Self::Label(id) => id.get(),
            Self::Document => 0,
            Self::TestLabel => -1,
        }
    }

    const fn from_column(number: i64) -> Self {
        match number {
            0 => Self::Document,
            -1 => Self::TestLabel,
            id => Self::Label(ConsignmentId::new(id)),
        }
    }
}

impl PrintJob {
    /// Returns the label state that follows from this job; `None` if the job is not a label.
    pub fn as_label_job(&self) -> Option<NewestLabelJob> {
        Some(NewestLabelJob {
            consignment: self.subject.consignment()?,
            job: self.id,
            state: self.state,
            message: self.message.clone(),
            changed: self.changed,
            outdated: self.outdated,
            queue_state: self.queue_entry.state,
        })
    }

    pub fn is_label_of(&self, id: ConsignmentId) -> bool {
        self.subject == JobSubject::Label(id)
    }

    /// Returns true if the job may have printed its label, and the label is not known to be out of date.
    pub fn may_be_out(&self) -> bool {
        match self.state {
            JobState::Sent | JobState::Printed => !self.outdated,
            JobState::Ask => true,
            JobState::Spooling | JobState::Failed => false,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintJob {
    pub id: JobId,
    pub subject: JobSubject,
    /// The consignment number, or the document's name.
    pub number: String,
    pub printer: String,
    /// The queue of the print service; empty if the job went to the printer directly.
    pub queue: String,
    pub title: String,
    pub state: JobState,
    pub message: String,
    pub reason: String,
    pub made: Timestamp,
    pub changed: Timestamp,
    /// True if the consignment was changed since, so that the printed label is out of date.
    pub outdated: bool,
    pub queue_entry: QueueEntry,
    /// Why the label was printed although its verification failed; empty if it passed.
    pub override_reason: String,
    /// The batch that the job was printed in; 0 for a job printed alone.
    pub batch: i64,
}

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

pub type JobHistoryEntry = HistoryEntry<JobState>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewestLabelJob {
    pub consignment: ConsignmentId,
    pub job: JobId,
    pub state: JobState,
    pub message: String,
    pub changed: Timestamp,
    /// True if the consignment was changed after the job was made.
    pub outdated: bool,
    pub queue_state: Option<QueuedJobState>,
}

const COLUMNS: &str = "id, consignment, number, printer, title, state, words, reason, made_ms, changed_ms, queue, outdated, spool_job, queue_state, queue_message, expires_ms, despite, batch";

/// Consignments whose documents are being printed by rules.
pub(super) const DUE_DOCUMENTS: &str = "
CREATE TABLE due_documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    number TEXT NOT NULL
) STRICT;
";

impl Journal {
    /// Records a print job with its bytes, before it is sent to a printer. Fails with [`JournalError::Changed`] if
    /// its label file is out of date, or if the requested label is no longer waiting.
    pub fn begin_job(&mut self, new: &NewJob, now: Timestamp) -> Result<PrintJob, JournalError> {
        let id = self.transaction(|tx| {
            if let (Some(requested), Some(id)) = (new.generation, new.subject.consignment())
                && current_generation(tx, id)? != requested
            {
                return Err(JournalError::Changed);
            }
            if let Some(label) = new.unprinted
                && !take_up(tx, label)?
            {
                return Err(JournalError::Changed);
            }
            run(
                tx,
                "INSERT INTO print_jobs (consignment, number, printer, title, bytes, sha256, state, words, reason,
                 made_ms, changed_ms, queue, despite, batch, expires_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, '', ?8, ?9, ?9, ?10, ?11, ?12, ?13)",
                params![
                    new.subject.to_column(),
                    new.number,
                    new.printer,
                    new.title,
                    &*new.bytes,
                    new.sha256,
                    JobState::Spooling,
                    new.reason,
                    Millis(now),
                    new.queue,
                    new.override_reason,
                    new.batch,
                    new.expires.map(Millis)
                ],
            )?;
            let id = JobId(tx.last_insert_rowid());
            add_history(tx, id, JobState::Spooling, "", now)?;
            Ok(id)
        })?;
        self.job(id)?.ok_or(JournalError::Changed)
    }

    /// Saves the new state of a print job and its entry in the queue. Fails with [`JournalError::Changed`] if the
    /// stored job is no longer in `from`.
    pub fn change_job(
        &mut self,
        job: &mut PrintJob,
        from: JobState,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        self.transaction(|tx| {
            if !set_state(tx, job.id, from, (job.state, &job.message), now)? {
                return Err(JournalError::Changed);
            }
            set_queue_entry(tx, job)
        })?;
        job.changed = now;
        Ok(())
    }

    /// Saves the entry of a job in its queue. The job's own state and the time of its last change stay as they are.
    pub fn save_queue_entry(&mut self, job: &PrintJob) -> Result<(), JournalError> {
        self.transaction(|tx| set_queue_entry(tx, job))
    }

    /// Records that these labels are to be printed, in this order, and removes the requests `instead_of`. Either all
    /// of these changes are made, or none.
    pub fn begin_batch(
        &mut self,
        wanted: &[LabelRequest],
        instead_of: &[UnprintedLabelId],
        now: Timestamp,
    ) -> Result<Vec<UnprintedLabelId>> {
        let sql =
            "INSERT INTO unprinted (consignment, number, printer, size, reason, despite, made_ms)
             VALUES (?1, ?2, ?3, ?4, ?5, '', ?6)";
        self.transaction(|tx| {
            for id in instead_of {
                take_up(tx, *id)?;
            }
            let insert = |one: &LabelRequest| {
                let (id, size) = (one.consignment.get(), size_word(one.size));
                let row = params![id, one.number, one.printer, size, one.reason, Millis(now)];
                run(tx, sql, row)?;
                Ok(UnprintedLabelId(tx.last_insert_rowid()))
            };
            wanted.iter().map(insert).collect()
        })
    }

    /// Removes requested labels that the clerk does not want printed, or whose problem has been reported.
    pub fn remove_unprinted(&mut self, ids: &[UnprintedLabelId]) -> Result<(), JournalError> {
        self.transaction(|tx| ids.iter().try_for_each(|id| take_up(tx, *id).map(drop)))
    }

    /// Records that documents of these consignments are to be printed by rules. Returns the row of each.
    pub fn add_due_documents(&mut self, numbers: &[String]) -> Result<Vec<i64>> {
        self.transaction(|tx| {
            let insert = |number: &String| {
                run(
                    tx,
                    "INSERT INTO due_documents (number) VALUES (?1)",
                    [number],
                )?;
                Ok(tx.last_insert_rowid())
            };
            numbers.iter().map(insert).collect()
        })
    }

    /// Removes the row of a consignment whose documents were printed, or have failed and were told.
    pub fn remove_due_documents(&mut self, row: i64) -> Result<()> {
        let sql = "DELETE FROM due_documents WHERE id = ?1";
        self.transaction(|tx| run(tx, sql, [row]).map(drop))
    }

    /// Removes all rows, and returns the numbers of the consignments whose documents an earlier run of the program did not
    /// print completely.
    pub fn take_due_documents(&mut self) -> Result<Vec<String>> {
        self.transaction(|tx| {
            let sql = "SELECT number FROM due_documents ORDER BY id";
            let numbers = rows(tx, sql, [], |row| row.get(0))?;
            run(tx, "DELETE FROM due_documents", [])?;
            Ok(numbers)
        })
    }

    /// Returns the requested labels that are not print jobs yet, in the order of the requests.
    pub fn unprinted(&self) -> Result<Vec<UnprintedLabel>> {
        let sql = "SELECT id, consignment, number, printer, size, reason, made_ms FROM unprinted ORDER BY id";
        rows(&self.db, sql, [], |row| {
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
        })
    }

    pub fn job(&self, id: JobId) -> Result<Option<PrintJob>> {
        let sql = format!("SELECT {COLUMNS} FROM print_jobs WHERE id = ?1");
        first_row(&self.db, &sql, [id.0], read_job)
    }

    /// Returns the history of a job, oldest first.
    pub fn job_history(&self, id: JobId) -> Result<Vec<JobHistoryEntry>> {
        let sql = "SELECT state, words, at_ms FROM job_history WHERE job = ?1 ORDER BY rowid";
        history(&self.db, sql, id.0)
    }

    pub fn job_bytes(&self, id: JobId) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT bytes FROM print_jobs WHERE id = ?1";
        first_row(&self.db, sql, [id.0], |row| row.get(0))
    }

    /// Returns the newest print job of each consignment that has one.
    pub fn newest_label_jobs(&self) -> Result<Vec<NewestLabelJob>> {
        // With `max(id)`, SQLite takes the other columns from the row with the highest id.
        let sql = "SELECT consignment, max(id), state, words, changed_ms, outdated, queue_state
             FROM print_jobs WHERE consignment > 0 GROUP BY consignment";
        rows(&self.db, sql, [], |row| {
            Ok(NewestLabelJob {
                consignment: ConsignmentId::new(row.get(0)?),
                job: JobId(row.get(1)?),
                state: row.get(2)?,
                message: row.get(3)?,
                changed: row.get::<_, Millis>(4)?.0,
                outdated: row.get(5)?,
                queue_state: row.get(6)?,
            })
        })
    }

    /// Returns the newest print jobs, and all older jobs that are not finished: they may still be in their queue, or
    /// the clerk has to decide. Newest first.
    pub fn jobs(&self, newest: u32) -> Result<Vec<PrintJob>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM print_jobs WHERE id IN (
                 SELECT id FROM (SELECT id FROM print_jobs ORDER BY id DESC LIMIT ?1)
                 UNION SELECT id FROM print_jobs WHERE state IN ('Spooling', 'Ask')
                 UNION SELECT id FROM print_jobs WHERE state = 'Sent' AND queue <> ''
                     AND (queue_state IS NULL OR queue_state IN ('Waiting', 'Held', 'Printing', 'Stopped'))
             ) ORDER BY id DESC"
        );
        rows(&self.db, &sql, [newest], read_job)
    }
}

/// Removes a requested label, because it becomes a print job or is cancelled. Returns true if the label
/// was still waiting.
fn take_up(tx: &Transaction<'_>, id: UnprintedLabelId) -> Result<bool> {
    Ok(run(tx, "DELETE FROM unprinted WHERE id = ?1", [id.0])? > 0)
}

/// Moves a print job from one state to another, with a message. Returns false if its state is no longer `from`.
pub(super) fn set_state(
    tx: &Transaction<'_>,
    id: JobId,
    from: JobState,
    (to, message): (JobState, &str),
    now: Timestamp,
) -> Result<bool> {
    let changed = run(
        tx,
        "UPDATE print_jobs SET state = ?1, words = ?2, changed_ms = ?3 WHERE id = ?4 AND state = ?5",
        params![to, message, Millis(now), id.0, from],
    )?;
    if changed > 0 {
        add_history(tx, id, to, message, now)?;
    }
    Ok(changed > 0)
}

fn set_queue_entry(tx: &Transaction<'_>, job: &PrintJob) -> Result<()> {
    let entry = &job.queue_entry;
    run(
        tx,
        "UPDATE print_jobs SET spool_job = ?1, queue_state = ?2, queue_message = ?3, expires_ms = ?4 WHERE id = ?5",
        params![
            entry.job,
            entry.state,
            entry.message,
            entry.expires.map(Millis),
            job.id.0
        ],
    )
    .map(drop)
}

fn add_history(
    tx: &Transaction<'_>,
    id: JobId,
    state: JobState,
    message: &str,
    now: Timestamp,
) -> Result<()> {
    let sql = "INSERT INTO job_history (job, state, words, at_ms) VALUES (?1, ?2, ?3, ?4)";
    run(tx, sql, params![id.0, state, message, Millis(now)])?;
    Ok(())
}

fn read_job(row: &Row<'_>) -> rusqlite::Result<PrintJob> {
    Ok(PrintJob {
        id: JobId(row.get(0)?),
        subject: JobSubject::from_column(row.get(1)?),
        number: row.get(2)?,
        printer: row.get(3)?,
        title: row.get(4)?,
        state: row.get(5)?,
        message: row.get(6)?,
        reason: row.get(7)?,
        made: row.get::<_, Millis>(8)?.0,
        changed: row.get::<_, Millis>(9)?.0,
        queue: row.get(10)?,
        outdated: row.get(11)?,
        queue_entry: QueueEntry {
            job: row.get(12)?,
            state: row.get(13)?,
            message: row.get(14)?,
            expires: row.get::<_, Option<Millis>>(15)?.map(|at| at.0),
        },
        override_reason: row.get(16)?,
        batch: row.get(17)?,
    })
}
