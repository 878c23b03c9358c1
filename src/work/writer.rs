//! The journal's only writer: a thread of its own, because a commit waits for the disk.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tokio::sync::{mpsc, oneshot};

use super::WorkError;
use crate::journal::{Journal, JournalError};

type Job = Box<dyn FnOnce(&mut Journal) + Send>;

/// Jobs that may wait; a lane that has more to write waits itself.
const QUEUE: usize = 256;

/// Hands jobs to the writer thread. The thread ends, and closes the file, when the last handle is dropped.
#[derive(Debug, Clone)]
pub(super) struct Writer(mpsc::Sender<Job>);

impl Writer {
    /// Starts the thread. `closed` is dropped when the journal is closed.
    pub(super) fn start(
        mut journal: Journal,
        closed: oneshot::Sender<()>,
    ) -> std::io::Result<Self> {
        let (sender, mut jobs) = mpsc::channel::<Job>(QUEUE);
        std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || {
                while let Some(job) = jobs.blocking_recv() {
                    // The job's own answer channel is dropped by the panic, which its asker reads as an internal error; SQLite
                    // rolls the open transaction back.
                    if catch_unwind(AssertUnwindSafe(|| job(&mut journal))).is_err() {
                        tracing::error!("a job of the journal's writer panicked");
                    }
                }
                drop(journal);
                drop(closed);
            })?;
        Ok(Self(sender))
    }

    /// Runs a job on the journal. It is done, and on disk, when this returns.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, WorkError> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |journal| {
            // Nobody waits any more: the job is done all the same.
            let _unwanted = answer.send(job(journal));
        });
        self.0
            .send(job)
            .await
            .map_err(|_closed| WorkError::Internal)?;
        Ok(answered.await.map_err(|_panicked| WorkError::Internal)??)
    }
}
