//! The journal's only writer: a thread of its own, because a commit waits for the disk.
//!
//! What always holds: what a job committed is in the commit log before anybody hears of it; damage that any job meets is remembered, and nothing is sent from then on (see [`super::sound`]).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Mutex, MutexGuard, mpsc, oneshot, watch};

use super::WorkError;
use super::sound::Soundness;
use crate::journal::{Journal, JournalError};
use crate::shipping::Clock;

type Job = Box<dyn FnOnce(&mut Journal) + Send>;

/// Jobs that may wait; a lane that has more to write waits itself.
const QUEUE: usize = 256;

/// Hands jobs to the writer thread. The thread ends, and closes the file, when the last handle is dropped.
#[derive(Debug, Clone)]
pub(super) struct Writer {
    jobs: mpsc::Sender<Job>,
    sound: Arc<watch::Sender<Soundness>>,
    path: Arc<PathBuf>,
    lists: Arc<Mutex<()>>,
    /// Jobs that were given to the thread so far.
    given: Arc<AtomicU64>,
    clock: Clock,
}

impl Writer {
    /// Starts the thread. `closed` is dropped when the journal is closed.
    pub(super) fn start(
        mut journal: Journal,
        clock: Clock,
        closed: oneshot::Sender<()>,
    ) -> std::io::Result<Self> {
        let path = Arc::new(journal.path());
        let sound = if journal.is_checked() {
            Soundness::Sound
        } else {
            Soundness::Checking
        };
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
        Ok(Self {
            jobs: sender,
            sound: Arc::new(watch::Sender::new(sound)),
            path,
            lists: Arc::default(),
            given: Arc::default(),
            clock,
        })
    }

    /// Runs a job on the journal. It is done, and on disk, when this returns.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, WorkError> {
        let (answer, answered) = oneshot::channel();
        let clock = self.clock.clone();
        let job: Job = Box::new(move |journal| {
            let done = job(journal);
            if let Err(error) = journal.record_commits(clock.now()) {
                // The journal itself has them; the next job tries again.
                tracing::warn!(%error, "commits could not be recorded beside the journal");
            }
            // Nobody waits any more: the job is done all the same.
            let _unwanted = answer.send(done);
        });
        self.given.fetch_add(1, Ordering::Relaxed);
        self.jobs
            .send(job)
            .await
            .map_err(|_closed| WorkError::Internal)?;
        let done = answered.await.map_err(|_panicked| WorkError::Internal)?;
        if matches!(done, Err(JournalError::Damaged)) {
            self.found(Soundness::Damaged);
        }
        Ok(done?)
    }

    /// What the journal was found to be. Damage is never taken back.
    pub(super) fn found(&self, sound: Soundness) {
        self.sound.send_if_modified(|known| {
            let news = *known != sound && *known != Soundness::Damaged;
            if news {
                *known = sound;
            }
            news
        });
    }

    /// How sound the journal is, as it is found out.
    pub(super) fn soundness(&self) -> watch::Receiver<Soundness> {
        self.sound.subscribe()
    }

    /// The turn to keep a list: one at a time, as they came, so that the later one stays.
    pub(super) async fn list_turn(&self) -> MutexGuard<'_, ()> {
        self.lists.lock().await
    }

    /// How many jobs were given to the thread so far: two equal answers mean that it was idle between them.
    pub(super) fn jobs_given(&self) -> u64 {
        self.given.load(Ordering::Relaxed)
    }

    /// The journal's file.
    pub(super) fn path(&self) -> PathBuf {
        self.path.as_ref().clone()
    }
}
