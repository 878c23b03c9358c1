//! Label files and print jobs. The bytes of a job are stored before they go to a printer, and a job printed
//! again uses the stored bytes.

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Row, params};

use super::batches::{JobOrigin, taken_up};
use super::sql_types::{Millis, word};
use super::{Journal, JournalError, LabelGeneration, QueueEntry, generations};
use shipping::{ConsignmentId, LabelSize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub i64);

word! {
    /// The state of a print job.
    JobState {
        /// Being sent to the printer or its queue.
        Spooling,
        /// Sent to the printer or its queue. Whether it was printed is not known.
        Sent,
        /// Not sent.
        Failed,
        /// Possibly sent: the clerk has to look at the printer.
        Ask,
        /// Printed, as the clerk said.
        Printed,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLabel {
    pub pdf: Vec<u8>,
    /// The sha256 of the PDF, hexadecimal.
    pub sha256: String,
    /// The references that the barcodes must contain, one for each page; empty if they are not known.
    pub expected: Vec<String>,
    /// Numbers of the whole consignment that a page's barcode may contain instead: the carrier's
    /// and the service's.
    pub numbers: Vec<String>,
}

/// A print job before it is recorded.
#[derive(Debug, Clone)]
pub struct NewJob<'a> {
    pub subject: JobSubject,
    /// The consignment number, or the document's name.
    pub number: &'a str,
    pub printer: &'a str,
    /// The queue of the print service; empty if the job goes to the printer directly.
    pub queue: &'a str,
    /// The job's title at the printer, which contains the bench's key.
    pub title: &'a str,
    /// The bytes sent to the printer.
    pub bytes: &'a [u8],
    /// The sha256 of the bytes, hexadecimal.
    pub sha256: &'a str,
    /// Why the label is printed again; empty the first time.
    pub reason: &'a str,
}

/// The content of a print job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobSubject {
    Label(ConsignmentId),
    TestLabel,
    /// A document that the bench makes: a manifest or a day sheet.
    Document,
}

impl JobSubject {
    /// Returns the consignment, if the job is its label.
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

    pub(super) const fn from_column(number: i64) -> Self {
        match number {
            0 => Self::Document,
            -1 => Self::TestLabel,
            id => Self::Label(ConsignmentId::new(id)),
        }
    }
}

impl PrintJob {
    /// Returns true if the job is the label of this consignment.
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

/// A recorded print job, without its bytes.
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
    /// Message for the clerk.
    pub message: String,
    pub reason: String,
    /// When the job was recorded.
    pub made: Timestamp,
    pub changed: Timestamp,
    /// True if the consignment was changed since, so that the printed label is out of date.
    pub outdated: bool,
    /// The job's state in its print queue.
    pub queue_entry: QueueEntry,
    /// Why the label was printed although its verification failed; empty if it passed.
    pub override_reason: String,
    /// The batch that the job was printed in; 0 for a job printed alone.
    pub batch: i64,
}

/// Identifies a stored label file by its content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelSource {
    /// The paper size.
    pub size: LabelSize,
    pub sha256: String,
}

/// An entry of a print job's history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobHistoryEntry {
    /// The state of the job from then on.
    pub state: JobState,
    /// Message that the clerk saw.
    pub words: String,
    pub at: Timestamp,
}

pub(super) const COLUMNS: &str = "id, consignment, number, printer, title, state, words, reason, made_ms, changed_ms, queue, outdated, spool_job, queue_state, queue_message, expires_ms, despite, batch";

impl Journal {
    /// Stores a label file that was requested at this generation. Replaces an older file of the same size.
    /// Fails with [`JournalError::Changed`] if the consignment was changed since the request.
    pub fn store_label(
        &mut self,
        consignment: ConsignmentId,
        size: LabelSize,
        label: &StoredLabel,
        generation: LabelGeneration,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        if generations::current(&tx, consignment)? != generation {
            return Err(JournalError::Changed);
        }
        tx.execute(
            "INSERT OR REPLACE INTO labels (consignment, size, pdf, sha256, expected, stored_ms, numbers)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                consignment.get(),
                size_word(size),
                label.pdf,
                label.sha256,
                serde_json::to_string(&label.expected)?,
                Millis(now),
                serde_json::to_string(&label.numbers)?,
            ],
        )?;
        tx.commit()?;
        Ok(())
    }

    /// Returns the stored label file, if there is one.
    pub fn label(
        &self,
        consignment: ConsignmentId,
        size: LabelSize,
    ) -> Result<Option<StoredLabel>, JournalError> {
        let row = self
            .db
            .query_row(
                "SELECT pdf, sha256, expected, numbers FROM labels WHERE consignment = ?1 AND size = ?2",
                params![consignment.get(), size_word(size)],
                |row| {
                    let texts = (row.get::<_, String>(2)?, row.get::<_, String>(3)?);
                    Ok((row.get(0)?, row.get(1)?, texts))
                },
            )
            .optional()?;
        row.map(|(pdf, sha256, (expected, numbers))| {
            Ok(StoredLabel {
                pdf,
                sha256,
                expected: serde_json::from_str(&expected)?,
                numbers: serde_json::from_str(&numbers)?,
            })
        })
        .transpose()
    }

    /// Records a print job with its bytes, before it is sent to a printer.
    pub fn begin_job(
        &mut self,
        new: &NewJob<'_>,
        now: Timestamp,
    ) -> Result<PrintJob, JournalError> {
        self.begin_job_from(new, &JobOrigin::default(), now)
    }

    /// Records a print job that belongs to a batch or was made from a stored file. Fails with
    /// [`JournalError::Changed`] if another file was stored since, or if the requested label is
    /// no longer waiting.
    pub fn begin_job_from(
        &mut self,
        new: &NewJob<'_>,
        origin: &JobOrigin,
        now: Timestamp,
    ) -> Result<PrintJob, JournalError> {
        let tx = self.db.transaction()?;
        if let Some(generation) = origin.generation
            && let Some(id) = new.subject.consignment()
            && generations::current(&tx, id)? != generation
        {
            return Err(JournalError::Changed);
        }
        if let Some(source) = &origin.source {
            let sql =
                "SELECT count(*) FROM labels WHERE consignment = ?1 AND size = ?2 AND sha256 = ?3";
            let about = params![
                new.subject.to_column(),
                size_word(source.size),
                source.sha256
            ];
            if tx.query_row(sql, about, |row| row.get::<_, i64>(0))? == 0 {
                return Err(JournalError::Changed);
            }
        }
        if let Some(unprinted) = origin.unprinted
            && !taken_up(&tx, unprinted)?
        {
            return Err(JournalError::Changed);
        }
        tx.execute(
            "INSERT INTO print_jobs (consignment, number, printer, title, bytes, sha256, state, words, reason, made_ms,
             changed_ms, queue, despite, batch) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, '', ?8, ?9, ?9, ?10, ?11, ?12)",
            params![
                new.subject.to_column(),
                new.number,
                new.printer,
                new.title,
                new.bytes,
                new.sha256,
                JobState::Spooling,
                new.reason,
                Millis(now),
                new.queue,
                origin.override_reason,
                origin.batch
            ],
        )?;
        let id = JobId(tx.last_insert_rowid());
        tx.execute(
            "INSERT INTO job_history (job, state, words, at_ms) VALUES (?1, ?2, '', ?3)",
            params![id.0, JobState::Spooling, Millis(now)],
        )?;
        tx.commit()?;
        self.job(id)?.ok_or(JournalError::Changed)
    }

    /// Saves the new state of a print job. Fails with [`JournalError::Changed`] if the stored job is no
    /// longer in `from`.
    pub fn change_job(
        &mut self,
        job: &mut PrintJob,
        from: JobState,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        let changed = tx.execute(
            "UPDATE print_jobs SET state = ?1, words = ?2, changed_ms = ?3 WHERE id = ?4 AND state = ?5",
            params![job.state, job.message, Millis(now), job.id.0, from],
        )?;
        if changed == 0 {
            return Err(JournalError::Changed);
        }
        tx.execute(
            "INSERT INTO job_history (job, state, words, at_ms) VALUES (?1, ?2, ?3, ?4)",
            params![job.id.0, job.state, job.message, Millis(now)],
        )?;
        tx.commit()?;
        job.changed = now;
        Ok(())
    }

    pub fn job(&self, id: JobId) -> Result<Option<PrintJob>, JournalError> {
        let sql = format!("SELECT {COLUMNS} FROM print_jobs WHERE id = ?1");
        Ok(self.db.query_row(&sql, [id.0], read_job).optional()?)
    }

    /// Returns the newest print jobs, newest first.
    pub fn jobs(&self, newest: u32) -> Result<Vec<PrintJob>, JournalError> {
        let sql = format!("SELECT {COLUMNS} FROM print_jobs ORDER BY id DESC LIMIT ?1");
        let mut rows = self.db.prepare(&sql)?;
        let jobs = rows
            .query_map([newest], read_job)?
            .collect::<Result<_, _>>()?;
        Ok(jobs)
    }

    /// Returns the history of a job, oldest first.
    pub fn job_history(&self, id: JobId) -> Result<Vec<JobHistoryEntry>, JournalError> {
        let sql = "SELECT state, words, at_ms FROM job_history WHERE job = ?1 ORDER BY rowid";
        let mut rows = self.db.prepare(sql)?;
        let events = rows.query_map([id.0], |row| {
            Ok(JobHistoryEntry {
                state: row.get(0)?,
                words: row.get(1)?,
                at: row.get::<_, Millis>(2)?.0,
            })
        })?;
        Ok(events.collect::<Result<_, _>>()?)
    }

    /// Returns the bytes of a job.
    pub fn job_bytes(&self, id: JobId) -> Result<Option<Vec<u8>>, JournalError> {
        let bytes = self.db.query_row(
            "SELECT bytes FROM print_jobs WHERE id = ?1",
            [id.0],
            |row| row.get(0),
        );
        Ok(bytes.optional()?)
    }
}

/// Adds the numbers of the whole consignment. Files stored before have none.
pub(super) const NUMBERS: &str =
    "ALTER TABLE labels ADD COLUMN numbers TEXT NOT NULL DEFAULT '[]';";

/// Gives test labels a number of their own in the column `consignment`: they used to share 0 with documents.
pub(super) const TEST_LABELS: &str =
    "UPDATE print_jobs SET consignment = -1 WHERE consignment = 0 AND number = 'Test label';";

pub(super) const fn size_word(size: LabelSize) -> &'static str {
    match size {
        LabelSize::A6 => "A6",
        LabelSize::A4 => "A4",
    }
}

/// Parses a size written by [`size_word`]; anything unknown is A6.
pub(super) fn read_size(word: &str) -> LabelSize {
    if word == "A4" {
        LabelSize::A4
    } else {
        LabelSize::A6
    }
}

pub(super) fn read_job(row: &Row<'_>) -> rusqlite::Result<PrintJob> {
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
        queue_entry: QueueEntry::read(row, 12)?,
        override_reason: row.get(16)?,
        batch: row.get(17)?,
    })
}
