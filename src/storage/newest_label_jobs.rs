//! The label states and print jobs that a bench needs at its start: the newest job of each consignment, and
//! every job that is not finished.
//!
//! A label that was ever printed is found, however many jobs came after it. The query reads an index that
//! holds all the columns it needs, because a row of `print_jobs` has its bytes in the middle.

use jiff::Timestamp;

use super::labels::{COLUMNS, read_job};
use super::sql_types::Millis;
use super::{JobId, JobState, Journal, JournalError, PrintJob, QueuedJobState};
use shipping::ConsignmentId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewestLabelJob {
    pub consignment: ConsignmentId,
    pub job: JobId,
    pub state: JobState,
    /// Message for the clerk.
    pub message: String,
    pub changed: Timestamp,
    /// True if the consignment was changed after the job was made.
    pub outdated: bool,
    /// The state of the job in its print queue.
    pub queue_state: Option<QueuedJobState>,
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
}

pub(super) const TABLES: &str = "
CREATE INDEX print_jobs_standing ON print_jobs
    (consignment, id, state, words, changed_ms, outdated, queue_state);
CREATE INDEX print_jobs_by_state ON print_jobs (state, queue_state);
";

impl Journal {
    /// Returns the newest print job of each consignment that has one.
    pub fn newest_label_jobs(&self) -> Result<Vec<NewestLabelJob>, JournalError> {
        // With `max(id)`, SQLite takes the other columns from the row with the highest id.
        let mut rows = self.db.prepare(
            "SELECT consignment, max(id), state, words, changed_ms, outdated, queue_state
             FROM print_jobs WHERE consignment > 0 GROUP BY consignment",
        )?;
        let standings = rows.query_map([], |row| {
            Ok(NewestLabelJob {
                consignment: ConsignmentId::new(row.get(0)?),
                job: JobId(row.get(1)?),
                state: row.get(2)?,
                message: row.get(3)?,
                changed: row.get::<_, Millis>(4)?.0,
                outdated: row.get(5)?,
                queue_state: row.get(6)?,
            })
        })?;
        Ok(standings.collect::<Result<_, _>>()?)
    }

    /// Returns the newest print jobs, and all older ones that are not finished: their queue may still hold
    /// them, or a person has to answer. Newest first.
    pub fn recent_and_unfinished_jobs(&self, newest: u32) -> Result<Vec<PrintJob>, JournalError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM print_jobs WHERE id IN (
                 SELECT id FROM (SELECT id FROM print_jobs ORDER BY id DESC LIMIT ?1)
                 UNION SELECT id FROM print_jobs WHERE state IN ('Spooling', 'Ask')
                 UNION SELECT id FROM print_jobs WHERE state = 'Sent' AND queue <> ''
                     AND (queue_state IS NULL OR queue_state IN ('Waiting', 'Held', 'Printing', 'Stopped'))
             ) ORDER BY id DESC"
        );
        let mut rows = self.db.prepare(&sql)?;
        let jobs = rows.query_map([newest], read_job)?;
        Ok(jobs.collect::<Result<_, _>>()?)
    }
}
