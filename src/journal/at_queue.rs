//! What became of a print job in the queue that took it: the queue's own word, kept beside the bench's.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::text::{Millis, word};
use super::{JobId, Journal, JournalError};

word! {
    /// How a job is, by its queue.
    QueueWord {
        /// It waits for the printer.
        Waiting,
        /// Somebody holds it.
        Held,
        /// It is being sent to the printer.
        Printing,
        /// The printer, or its queue, has stopped.
        Stopped,
        /// Taken out of the queue.
        Cancelled,
        /// The print service gave up.
        Aborted,
        /// The printer has all of it. Nobody knows about paper.
        HandedOver,
        /// The queue does not know it, or not any more.
        Gone,
    }
}

impl QueueWord {
    /// Whether it will not change any more.
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            Self::Cancelled | Self::Aborted | Self::HandedOver | Self::Gone
        )
    }
}

/// A print job at its queue.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AtQueue {
    /// The queue's number for it.
    pub job: Option<u32>,
    /// How it is; nothing before anybody looked.
    pub state: Option<QueueWord>,
    /// What the queue or the printer says: "out of labels". Often empty.
    pub message: String,
    /// When the bench takes it back, should it still wait then.
    pub expires: Option<Timestamp>,
}

pub(super) const TABLES: &str = "
ALTER TABLE print_jobs ADD COLUMN spool_job INTEGER;
ALTER TABLE print_jobs ADD COLUMN queue_state TEXT;
ALTER TABLE print_jobs ADD COLUMN queue_message TEXT NOT NULL DEFAULT '';
ALTER TABLE print_jobs ADD COLUMN expires_ms INTEGER;
";

impl AtQueue {
    /// From its four columns, of which `first` is the first.
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
    /// Writes down how a job is at its queue. Its own state, and when it changed, stay as they are.
    pub fn note_at_queue(&mut self, id: JobId, at_queue: &AtQueue) -> Result<(), JournalError> {
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
