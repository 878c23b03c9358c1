//! Label files and print jobs: bytes are here before they go to a printer, and a reprint comes from here.

use jiff::Timestamp;
use rusqlite::{OptionalExtension as _, Row, params};

use super::batches::{Origin, taken_up};
use super::text::{Millis, word};
use super::{AtQueue, Generation, Journal, JournalError, generations};
use crate::shipping::{ConsignmentId, LabelSize};

/// A print job's id on this bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub i64);

word! {
    /// Where a print job stands.
    JobState {
        /// Being handed over.
        Spooling,
        /// Handed over: the bench knows no more than that.
        Sent,
        /// Not handed over.
        Failed,
        /// Perhaps handed over: the clerk has to look.
        Ask,
        /// The clerk said that it came out.
        Printed,
    }
}

/// A label file as stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredLabel {
    /// The PDF.
    pub pdf: Vec<u8>,
    /// Its sha256, hexadecimal.
    pub sha256: String,
    /// The references that its codes must read as, one a page; empty where they are not known.
    pub expected: Vec<String>,
    /// The numbers of the whole consignment that a page may carry instead: the carrier's, the service's.
    pub numbers: Vec<String>,
}

/// A print job about to be written down.
#[derive(Debug, Clone)]
pub struct NewJob<'a> {
    /// What is printed.
    pub subject: JobSubject,
    /// The consignment's number or the document's name, for the clerk.
    pub number: &'a str,
    /// The printer's name.
    pub printer: &'a str,
    /// The queue of the print service that it goes to; empty where it goes to none.
    pub queue: &'a str,
    /// The job's title at the printer; carries the bench's key.
    pub title: &'a str,
    /// The very bytes.
    pub bytes: &'a [u8],
    /// Their sha256, hexadecimal.
    pub sha256: &'a str,
    /// Why it is printed again; empty the first time.
    pub reason: &'a str,
}

/// What a print job puts on paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JobSubject {
    /// The label of a consignment.
    Label(ConsignmentId),
    /// The printer's test label.
    TestLabel,
    /// A document made by the bench: a manifest or a day sheet.
    Document,
}

impl JobSubject {
    /// The consignment whose label it is.
    pub const fn consignment(self) -> Option<ConsignmentId> {
        match self {
            Self::Label(id) => Some(id),
            Self::TestLabel | Self::Document => None,
        }
    }

    /// The number in the `consignment` column: consignments count from 1.
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
    /// True where the job is the label of this consignment.
    pub fn is_label_of(&self, id: ConsignmentId) -> bool {
        self.subject == JobSubject::Label(id)
    }
}

/// A print job as the journal has it; its bytes are fetched apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintJob {
    /// Its id.
    pub id: JobId,
    /// What is printed.
    pub subject: JobSubject,
    /// The consignment's number, or what the paper is called.
    pub number: String,
    /// The printer's name.
    pub printer: String,
    /// The queue of the print service that it went to; empty where it went to none.
    pub queue: String,
    /// The job's title at the printer.
    pub title: String,
    /// Where it stands.
    pub state: JobState,
    /// What to tell the clerk.
    pub words: String,
    /// Why it was printed again; empty the first time.
    pub reason: String,
    /// When it was written down.
    pub made: Timestamp,
    /// When it last changed.
    pub changed: Timestamp,
    /// The consignment was changed since: the label that was printed is not the one that it has now.
    pub outdated: bool,
    /// How it is at its queue.
    pub at_queue: AtQueue,
    /// Why it was printed although the check before ink failed; empty where it passed.
    pub despite: String,
    /// What it has in common with those that were printed together with it; 0 for one alone.
    pub batch: i64,
}

/// A stored label file, by what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelSource {
    /// The paper.
    pub size: LabelSize,
    /// The file's sha256, hexadecimal.
    pub sha256: String,
}

/// One step of a print job's life, as it was written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobEvent {
    /// Where the job stood from then on.
    pub state: JobState,
    /// What the clerk was told.
    pub words: String,
    /// When.
    pub at: Timestamp,
}

pub(super) const COLUMNS: &str = "id, consignment, number, printer, title, state, words, reason, made_ms, changed_ms, queue, outdated, spool_job, queue_state, queue_message, expires_ms, despite, batch";

impl Journal {
    /// Stores a label file that was asked for at this generation; a newer one of the same size takes its place. It is
    /// [`JournalError::Changed`] where the consignment was changed since.
    pub fn store_label(
        &mut self,
        consignment: ConsignmentId,
        size: LabelSize,
        label: &StoredLabel,
        generation: Generation,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        if generations::of(&tx, consignment)? != generation {
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

    /// The stored label file, where there is one.
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

    /// Writes a print job down, with its bytes, before it is handed over.
    pub fn begin_job(
        &mut self,
        new: &NewJob<'_>,
        now: Timestamp,
    ) -> Result<PrintJob, JournalError> {
        self.begin_job_of(new, &Origin::default(), now)
    }

    /// The same for one that was asked for together with others, or whose bytes were made of a stored file. It is
    /// [`JournalError::Changed`] where that file is not the stored one any more, and where the label waits no longer.
    pub fn begin_job_of(
        &mut self,
        new: &NewJob<'_>,
        origin: &Origin,
        now: Timestamp,
    ) -> Result<PrintJob, JournalError> {
        let tx = self.db.transaction()?;
        if let Some(generation) = origin.generation
            && let Some(id) = new.subject.consignment()
            && generations::of(&tx, id)? != generation
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
                origin.despite,
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

    /// Says where a print job stands now, where it still stood at `from`; else it is [`JournalError::Changed`].
    pub fn change_job(
        &mut self,
        job: &mut PrintJob,
        from: JobState,
        now: Timestamp,
    ) -> Result<(), JournalError> {
        let tx = self.db.transaction()?;
        let changed = tx.execute(
            "UPDATE print_jobs SET state = ?1, words = ?2, changed_ms = ?3 WHERE id = ?4 AND state = ?5",
            params![job.state, job.words, Millis(now), job.id.0, from],
        )?;
        if changed == 0 {
            return Err(JournalError::Changed);
        }
        tx.execute(
            "INSERT INTO job_history (job, state, words, at_ms) VALUES (?1, ?2, ?3, ?4)",
            params![job.id.0, job.state, job.words, Millis(now)],
        )?;
        tx.commit()?;
        job.changed = now;
        Ok(())
    }

    /// One print job.
    pub fn job(&self, id: JobId) -> Result<Option<PrintJob>, JournalError> {
        let sql = format!("SELECT {COLUMNS} FROM print_jobs WHERE id = ?1");
        Ok(self.db.query_row(&sql, [id.0], read_job).optional()?)
    }

    /// The newest print jobs, newest first.
    pub fn jobs(&self, newest: u32) -> Result<Vec<PrintJob>, JournalError> {
        let sql = format!("SELECT {COLUMNS} FROM print_jobs ORDER BY id DESC LIMIT ?1");
        let mut rows = self.db.prepare(&sql)?;
        let jobs = rows
            .query_map([newest], read_job)?
            .collect::<Result<_, _>>()?;
        Ok(jobs)
    }

    /// Every step of a job, the first one first.
    pub fn job_history(&self, id: JobId) -> Result<Vec<JobEvent>, JournalError> {
        let sql = "SELECT state, words, at_ms FROM job_history WHERE job = ?1 ORDER BY rowid";
        let mut rows = self.db.prepare(sql)?;
        let events = rows.query_map([id.0], |row| {
            Ok(JobEvent {
                state: row.get(0)?,
                words: row.get(1)?,
                at: row.get::<_, Millis>(2)?.0,
            })
        })?;
        Ok(events.collect::<Result<_, _>>()?)
    }

    /// The very bytes of a job.
    pub fn job_bytes(&self, id: JobId) -> Result<Option<Vec<u8>>, JournalError> {
        let bytes = self.db.query_row(
            "SELECT bytes FROM print_jobs WHERE id = ?1",
            [id.0],
            |row| row.get(0),
        );
        Ok(bytes.optional()?)
    }
}

/// The numbers of the whole consignment; files that were stored before have none.
pub(super) const NUMBERS: &str =
    "ALTER TABLE labels ADD COLUMN numbers TEXT NOT NULL DEFAULT '[]';";

/// Test labels had the same number in the `consignment` column as documents.
pub(super) const TEST_LABELS: &str =
    "UPDATE print_jobs SET consignment = -1 WHERE consignment = 0 AND number = 'Test label';";

pub(super) const fn size_word(size: LabelSize) -> &'static str {
    match size {
        LabelSize::A6 => "A6",
        LabelSize::A4 => "A4",
    }
}

/// The other way round.
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
        words: row.get(6)?,
        reason: row.get(7)?,
        made: row.get::<_, Millis>(8)?.0,
        changed: row.get::<_, Millis>(9)?.0,
        queue: row.get(10)?,
        outdated: row.get(11)?,
        at_queue: AtQueue::read(row, 12)?,
        despite: row.get(16)?,
        batch: row.get(17)?,
    })
}
