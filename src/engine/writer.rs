//! The journal's only writer, on a separate thread because a commit waits for the disk.
//!
//! Invariants: the writer records the commits of a job in the commit log before the caller gets the job's result; if
//! that fails, the next job tries again. Damage found by any job is remembered, and nothing is sent from then on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{mpsc, oneshot, watch};

use super::EngineError;
use shipping::Clock;
use storage::{Journal, JournalError};

type Job = Box<dyn FnOnce(&mut Journal) + Send>;

/// The most jobs that can wait for the thread. A caller with one more job has to wait.
const QUEUE: usize = 256;

/// The state of the journal's file. Nothing is sent before the whole file was checked or after damage was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JournalHealth {
    Checking,
    /// The check failed to run and is repeated.
    Unchecked,
    /// The whole file was checked and is intact.
    Intact,
    Damaged,
}

/// A handle that passes jobs to the writer thread. The thread ends and closes the file when the last handle
/// is dropped.
#[derive(Debug, Clone)]
pub(super) struct JournalWriter {
    jobs: mpsc::Sender<Job>,
    health: Arc<watch::Sender<JournalHealth>>,
    path: Arc<Path>,
    /// The count of jobs passed to the thread.
    given: Arc<AtomicU64>,
    clock: Clock,
}

impl JournalWriter {
    /// Starts the thread. `closed` is dropped when the journal is closed.
    pub(super) fn start(
        mut journal: Journal,
        clock: Clock,
        closed: oneshot::Sender<()>,
    ) -> std::io::Result<Self> {
        let path = journal.path().into();
        let health = if journal.is_checked() {
            JournalHealth::Intact
        } else {
            JournalHealth::Checking
        };
        let (sender, mut jobs) = mpsc::channel::<Job>(QUEUE);
        std::thread::Builder::new()
            .name("journal".to_owned())
            .spawn(move || {
                while let Some(job) = jobs.blocking_recv() {
                    // The panic drops the job's answer channel, which the caller sees as an internal error.
                    // SQLite rolls the open transaction back.
                    if catch_unwind(AssertUnwindSafe(|| job(&mut journal))).is_err() {
                        tracing::error!("a job of the journal's writer panicked");
                    }
                }
                drop(journal);
                drop(closed);
            })?;
        Ok(Self {
            jobs: sender,
            health: Arc::new(watch::Sender::new(health)),
            path,
            given: Arc::default(),
            clock,
        })
    }

    /// Runs a job on the journal. The job is done, and on disk, when this returns.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, EngineError> {
        let (answer, answered) = oneshot::channel();
        let clock = self.clock.clone();
        let job: Job = Box::new(move |journal| {
            let done = job(journal);
            if let Err(error) = journal.record_commits(clock.now()) {
                // The commits are in the journal; the next job tries to record them again.
                tracing::warn!(%error, "commits could not be recorded beside the journal");
            }
            // Sending fails only if the caller no longer waits. The job is done even then.
            let _unwanted = answer.send(done);
        });
        self.pass(job).await?;
        let done = answered.await.map_err(|_panicked| EngineError::Internal)?;
        if matches!(done, Err(JournalError::Damaged)) {
            self.set_health(JournalHealth::Damaged);
        }
        Ok(done?)
    }

    async fn pass(&self, job: Job) -> Result<(), EngineError> {
        self.given.fetch_add(1, Ordering::Relaxed);
        let passed = self.jobs.send(job).await;
        passed.map_err(|_closed| EngineError::Internal)
    }

    /// Records the result of a check. After damage was found, the state never changes again.
    pub(super) fn set_health(&self, health: JournalHealth) {
        self.health.send_if_modified(|known| {
            let is_new = *known != health && *known != JournalHealth::Damaged;
            if is_new {
                *known = health;
            }
            is_new
        });
    }

    pub(super) fn health(&self) -> watch::Receiver<JournalHealth> {
        self.health.subscribe()
    }

    /// Waits until the file is checked. Fails if it is damaged or could not be checked.
    pub(super) async fn until_intact(&self) -> Result<(), EngineError> {
        let mut health = self.health();
        let checked = health.wait_for(|health| *health != JournalHealth::Checking);
        match checked.await.map(|health| *health) {
            Ok(JournalHealth::Intact) => Ok(()),
            Ok(JournalHealth::Damaged) => Err(JournalError::Damaged.into()),
            _ => Err(JournalError::Unchecked.into()),
        }
    }

    /// Returns the count of jobs passed to the thread. If two calls return the same count, no job was
    /// passed in between.
    pub(super) fn jobs_given(&self) -> u64 {
        self.given.load(Ordering::Relaxed)
    }

    pub(super) fn path(&self) -> PathBuf {
        self.path.to_path_buf()
    }
}
