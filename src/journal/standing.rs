//! Where labels and print jobs stand, as a bench that starts has to know: of every consignment the newest job, and every job
//! that something may become of still.
//!
//! What always holds: how many jobs there were since makes no label look as if it had never been printed. It is read from
//! an index that holds all of it, since a job's row has its bytes in the middle.

use jiff::Timestamp;

use super::labels::{COLUMNS, read_job};
use super::text::Millis;
use super::{JobId, JobState, Journal, JournalError, PrintJob, QueueWord};
use crate::shipping::ConsignmentId;

/// The newest print job of a consignment's label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelStanding {
    /// Whose label.
    pub consignment: ConsignmentId,
    /// The job.
    pub job: JobId,
    /// Where it stands.
    pub state: JobState,
    /// What to tell the clerk.
    pub words: String,
    /// When it last changed.
    pub changed: Timestamp,
    /// The consignment was changed since.
    pub outdated: bool,
    /// How the job is at its queue.
    pub at_queue: Option<QueueWord>,
}

impl PrintJob {
    /// How the label stands by this job; `None` where the job is no label.
    pub fn standing(&self) -> Option<LabelStanding> {
        Some(LabelStanding {
            consignment: self.subject.consignment()?,
            job: self.id,
            state: self.state,
            words: self.words.clone(),
            changed: self.changed,
            outdated: self.outdated,
            at_queue: self.at_queue.state,
        })
    }
}

pub(super) const TABLES: &str = "
CREATE INDEX print_jobs_standing ON print_jobs
    (consignment, id, state, words, changed_ms, outdated, queue_state);
CREATE INDEX print_jobs_by_state ON print_jobs (state, queue_state);
";

impl Journal {
    /// The newest job of each consignment that has one.
    pub fn label_standings(&self) -> Result<Vec<LabelStanding>, JournalError> {
        // SQLite takes the other columns from the row that has the highest id.
        let mut rows = self.db.prepare(
            "SELECT consignment, max(id), state, words, changed_ms, outdated, queue_state
             FROM print_jobs WHERE consignment > 0 GROUP BY consignment",
        )?;
        let standings = rows.query_map([], |row| {
            Ok(LabelStanding {
                consignment: ConsignmentId::new(row.get(0)?),
                job: JobId(row.get(1)?),
                state: row.get(2)?,
                words: row.get(3)?,
                changed: row.get::<_, Millis>(4)?.0,
                outdated: row.get(5)?,
                at_queue: row.get(6)?,
            })
        })?;
        Ok(standings.collect::<Result<_, _>>()?)
    }

    /// The newest print jobs, and of the older ones all that are not over: sent to a queue that may have them still, or
    /// asked about. Newest first.
    pub fn jobs_at_work(&self, newest: u32) -> Result<Vec<PrintJob>, JournalError> {
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
