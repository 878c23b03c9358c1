//! The engine's state that all queues share: its connections, the journal's writer, and the channels to the window.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::sync::{Notify, Semaphore, mpsc, oneshot, watch};

use super::label_file::SharedLabels;
use super::manifests::BookingReply;
use super::operation::BookingStop;
use super::suggestions::SharedSuggestions;
use super::track::Track;
use super::writer::JournalWriter;
use super::{BatchId, EngineError, Outcome, Repaint, UnreadLists};
use client::Client;
use draft::DraftId;
use printing::renderer::Renderer;
use printing::service::PrintService;
use shipping::Clock;
use storage::{Journal, JournalError, Operation, OperationId};
use workgroup::{ClaimingOperation, Workgroup};

/// The tolerance for a service clock that runs behind.
pub(super) const CLOCKS_DIFFER: SignedDuration = SignedDuration::from_mins(10);

/// The period of the service's list of recent updates (ten days), less one hour because clocks differ.
pub(super) const LISTED_BACK: SignedDuration = SignedDuration::from_hours(239);

/// Locks a mutex, even if a holder of the lock panicked: the data of these mutexes is valid after every statement.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs a job on a separate thread, because the job computes for a long time or waits for the disk.
pub(super) async fn blocking<T: Send + 'static, E: Into<EngineError> + Send + 'static>(
    job: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, EngineError> {
    let (answer, answered) = oneshot::channel();
    // The box makes all jobs one type, so that the compiler generates the runtime's code for a task only once.
    let job: Box<dyn FnOnce() + Send> = Box::new(move || {
        // Sending fails only if the caller no longer waits. The job is done even then.
        let _unwanted = answer.send(job());
    });
    tokio::task::spawn_blocking(job);
    let done = answered.await;
    done.map_err(|_panicked| EngineError::Internal)?
        .map_err(Into::into)
}

/// The fault points: named moments of an operation or a print job. A crash at any fault point must not lose or
/// duplicate anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultPoint {
    Written,
    /// The facts on which the clerk decided were checked again.
    PreconditionsChecked,
    /// The state `Sending` is on disk; nothing has been sent yet.
    Sending,
    /// The call has ended with or without an answer; its result is not on disk yet.
    Answered,
    /// The result is on disk; the window has not received it yet.
    ResultWritten,
    /// A check for a lost answer has ended; its result is not on disk yet.
    ReconcileChecked,
    /// The print job is on disk with its bytes; none of the bytes has been sent yet.
    JobWritten,
    /// The print job was handed over; its new state is not on disk yet.
    HandedOver,
}

impl FaultPoint {
    pub const ALL: &'static [Self] = &[
        Self::Written,
        Self::PreconditionsChecked,
        Self::Sending,
        Self::Answered,
        Self::ResultWritten,
        Self::ReconcileChecked,
        Self::JobWritten,
        Self::HandedOver,
    ];
}

/// A callback at each fault point, with which tests kill the program there.
pub type FaultHook = Arc<dyn Fn(FaultPoint) + Send + Sync>;

/// The shared state of the engine; cheap to clone.
#[derive(Clone)]
pub(super) struct EngineContext {
    pub(super) client: Client,
    pub(super) writer: JournalWriter,
    pub(super) renderer: Arc<Renderer>,
    pub(super) print_service: PrintService,
    pub(super) shared_labels: SharedLabels,
    pub(super) spool: PathBuf,
    pub(super) clock: Clock,
    /// The bench's name as used in keys.
    pub(super) name: String,
    pub(super) suggestions: SharedSuggestions,
    pub(super) track: Track,
    /// The unreadable records of the service's lists, for the screens that show these lists.
    pub(super) unreadable: Arc<Mutex<UnreadLists>>,
    /// The schedule of reconciliation: times since the loss of the answer.
    pub(super) settle_after: Arc<[Duration]>,
    /// Operations whose result was still unknown when the program last ended, and that have not been checked since.
    pub(super) unchecked_leftovers: Arc<Mutex<HashSet<OperationId>>>,
    /// The service's answers to the bookings of this run. The answers help to decide which manifest belongs
    /// to our booking.
    pub(super) booking_replies: Arc<Mutex<HashMap<OperationId, BookingReply>>>,
    /// True while the service does not accept the token. Nothing is sent then.
    pub(super) paused: Arc<AtomicBool>,
    pub(super) fault_hook: FaultHook,
    pub(super) booking_stop: BookingStop,
    /// Triggers the check for consignments that appear at the service late, or twice, after the answer to their create
    /// was lost.
    pub(super) late: Arc<Notify>,
    /// Asks the service queue to delete pending consignments that were replaced.
    pub(super) unfinished_deletions: Arc<Notify>,
    /// The id of the last stopped batch. This batch and all batches with a smaller id print no further labels.
    pub(super) stop_printing: Arc<watch::Sender<BatchId>>,
    /// Ports of printers, each with the lock that whoever sends to the port holds.
    pub(super) turns_at_ports: Arc<Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>>,
    /// The operations under reconciliation, each with the signal that triggers a check at once.
    pub(super) reconciliations: Arc<Mutex<HashMap<OperationId, Arc<Notify>>>>,
    /// Limits how many reconciliations check the service at the same time.
    pub(super) check_places: Arc<Semaphore>,
    /// The benches with which this bench shares its work; `None` for a bench that works alone.
    pub(super) workgroup: Option<Workgroup>,
    /// The batch of labels that is being printed, with its claim.
    pub(super) claimed_batch: Arc<Mutex<Option<ClaimingOperation>>>,
    /// Triggers the delivery of events to the workgroup's database.
    pub(super) has_events: Arc<Notify>,
    /// Triggers the delivery of changed presets, views, printers and holds, and of drafts left for any bench.
    pub(super) has_changes: Arc<Notify>,
    pub(super) outcomes: mpsc::Sender<Outcome>,
    pub(super) repaint: Repaint,
    /// True for the clone that the service queue uses.
    pub(super) is_service_queue: bool,
}

impl EngineContext {
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns a clone for another queue or for a background task.
    pub(super) fn for_queue(&self, is_service_queue: bool) -> Self {
        Self {
            is_service_queue,
            ..self.clone()
        }
    }

    pub(super) fn reach_fault_point(&self, point: FaultPoint) {
        (self.fault_hook)(point);
    }

    pub(super) fn unread_lists(&self) -> MutexGuard<'_, UnreadLists> {
        lock(&self.unreadable)
    }

    /// Runs a job until it ends; returns `None` if the window is closed before that.
    pub(super) async fn until_closed<T>(&self, job: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            done = job => Some(done),
            () = self.outcomes.closed() => None,
        }
    }

    /// Sends an outcome, then asks for a repaint. Ignores the closed channel after the window was closed.
    pub(super) async fn tell(&self, outcome: Outcome) {
        if let Outcome::ConsignmentsRead(consignments) = &outcome {
            self.remember_consignments(consignments.clone());
        }
        self.record_outcome(&outcome);
        if matches!(outcome, Outcome::Operation(_)) {
            self.has_events.notify_one();
        }
        if self.outcomes.send(outcome).await.is_ok() {
            (self.repaint)();
        }
    }

    pub(super) async fn tell_failed(&self, what: &'static str, error: EngineError) {
        tracing::error!(what, %error, "a job failed");
        let failed = Outcome::Failed {
            what,
            error,
            in_service_queue: self.is_service_queue,
        };
        self.tell(failed).await;
    }

    /// Shows the clerk the error if a job failed, because nothing else shows it.
    pub(super) async fn report(&self, what: &'static str, done: Result<(), EngineError>) {
        if let Err(error) = done {
            self.tell_failed(what, error).await;
        }
    }

    /// Applies `change` to an operation: first in the journal, then in the window. Fails with
    /// [`storage::JournalError::Changed`] if the stored operation is no longer in the state of `operation`.
    pub(super) async fn change(
        &self,
        operation: &Operation,
        change: impl FnOnce(&mut Operation),
    ) -> Result<Operation, EngineError> {
        let (mut changed, from) = (operation.clone(), operation.state);
        change(&mut changed);
        let now = self.now();
        let follows = self.follow_up_deletion(&changed)?;
        let is_followed = follows.is_some();
        let changed = self
            .journal(move |journal| {
                journal.change_and_follow_up(&mut changed, from, follows.as_ref(), now)?;
                Ok(changed)
            })
            .await?;
        if is_followed {
            self.unfinished_deletions.notify_one();
        }
        self.tell(Outcome::Operation(Box::new(changed.clone())))
            .await;
        Ok(changed)
    }

    /// Returns true if this bench made the key of an operation in this journal.
    pub(super) fn is_ours(&self, operation: &Operation) -> bool {
        let key = &operation.key;
        // Older keys begin with the bench's name only, without the id of the installation.
        let older = self.name.rsplit_once('-');
        is_own_key(&self.name, key) || older.is_some_and(|(name, _)| is_own_key(name, key))
    }

    pub(super) fn new_key(&self) -> String {
        format!("{}-{}", self.name, DraftId::random())
    }

    /// Runs a job on the journal. The job is done, and on disk, when this returns.
    pub(super) async fn journal<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Journal) -> Result<T, JournalError> + Send + 'static,
    ) -> Result<T, EngineError> {
        self.writer.run(job).await
    }

    pub(super) async fn operation(&self, id: OperationId) -> Result<Operation, EngineError> {
        let found = self.journal(move |journal| journal.operation(id));
        found.await?.ok_or(EngineError::Internal)
    }
}

/// Returns true for a key of this bench: its prefix and eight letters and digits. `bench` is "Bench4-7K2QPX", where
/// only the id of the installation after the dash is compared, because the bench may have been renamed; or "Bench4"
/// in older journals, which have no such ids. A reference typed by a clerk is never a key, even if it looks similar.
pub fn is_own_key(bench: &str, key: &str) -> bool {
    let Some((begin, random)) = key.rsplit_once('-') else {
        return false;
    };
    let installation = |begin| str::rsplit_once(begin, '-').map(|(_, own)| own);
    let is_same =
        begin == bench || installation(bench).is_some_and(|own| installation(begin) == Some(own));
    is_same
        && random.len() == 8
        && random
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}
