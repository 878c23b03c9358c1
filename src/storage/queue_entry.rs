//! The state of a print job in its print queue, stored beside the job's own state.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::sql_types::{Millis, word};
use super::{JobId, Journal, JournalError};

word! {
    /// The state of a job in its print queue.
    QueuedJobState {
        /// Waiting for the printer.
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
        /// Received completely by the printer. The queue doesn't know whether the paper came out.
        HandedOver,
        /// Not known to the queue, or no longer.
        Gone,
    }
}

impl QueuedJobState {
    /// Returns true if the state will not change any more.
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            Self::Cancelled | Self::Aborted | Self::HandedOver | Self::Gone
        )
    }
}

/// A print job in its queue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QueueEntry {
    /// The job number in the queue.
    pub job: Option<u32>,
    /// The job's state; `None` until the queue was first asked.
    pub state: Option<QueuedJobState>,
    /// Message of the queue or the printer, such as "out of labels"; often empty.
    pub message: String,
    /// When the bench cancels the job, if it is still waiting then.
    pub expires: Option<Timestamp>,
}

pub(super) const TABLES: &str = "
ALTER TABLE print_jobs ADD COLUMN spool_job INTEGER;
ALTER TABLE print_jobs ADD COLUMN queue_state TEXT;
ALTER TABLE print_jobs ADD COLUMN queue_message TEXT NOT NULL DEFAULT '';
ALTER TABLE print_jobs ADD COLUMN expires_ms INTEGER;
";

impl QueueEntry {
    /// Reads the four columns that begin at index `first`.
    pub(super) fn read(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        Ok(Self {
            job: row.get(first)?,
            state: row.get(first + 1)?,
            message: row.get(first + 2)?,
            expires: row.get::<_, Option<Millis>>(first + 3)?.map(|at| at.0),
        })
    }
}

impl Journal {
    /// Records the state of a job in its queue. The job's own state and the time of its last change
    /// stay as they are.
    pub fn save_queue_entry(
        &mut self,
        id: JobId,
        at_queue: &QueueEntry,
    ) -> Result<(), JournalError> {
        self.db.execute(
            "UPDATE print_jobs SET spool_job = ?1, queue_state = ?2, queue_message = ?3, expires_ms = ?4 WHERE id = ?5",
            params![
                at_queue.job,
                at_queue.state,
                at_queue.message,
                at_queue.expires.map(Millis),
                id.0
            ],
        )?;
        Ok(())
    }
}
