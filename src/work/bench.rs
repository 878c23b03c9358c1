//! The engine's state that all queues share: its connections, the journal's writer, and the channels to the
//! window.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{Notify, mpsc, watch};

use super::known::Shelves;
use super::lanes::Repaint;
use super::manifests::Said;
use super::stop::BookingStop;
use super::track::Track;
use super::unmanifested::Listing;
use super::unread::Unreadable;
use super::writer::Writer;
use super::{BatchId, Outcome, WorkError};
use crate::client::Client;
use crate::draft::DraftId;
use crate::journal::{Operation, OperationId, OperationState};
use crate::printing::renderer::Renderer;
use crate::printing::service::PrintService;
use crate::shipping::Clock;

/// The operations under reconciliation, each with the signal that triggers a check at once.
pub(super) type Watches = Arc<Mutex<Vec<(OperationId, Arc<Notify>)>>>;

/// The fault points: named moments of an operation or a print job. A crash at any of them must lose nothing
/// and double nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Milestone {
    Written,
    /// The facts on which the clerk decided were checked again.
    Checked,
    /// The state `Sending` is on disk; nothing was sent yet.
    Sending,
    /// The call has ended with or without an answer; that is not on disk yet.
    Answered,
    /// The result is on disk; the window was not told yet.
    Settled,
    /// A check for a lost answer has ended; its result is not on disk yet.
    Looked,
    /// The print job is on disk with its bytes; none of them was sent yet.
    JobWritten,
    /// The print job was handed over; that is not on disk yet.
    HandedOver,
}

impl Milestone {
    /// All fault points.
    pub const ALL: &'static [Self] = &[
        Self::Written,
        Self::Checked,
        Self::Sending,
        Self::Answered,
        Self::Settled,
        Self::Looked,
        Self::JobWritten,
        Self::HandedOver,
    ];
}

/// A callback at each fault point, with which tests kill the program there.
pub type Witness = Arc<dyn Fn(Milestone) + Send + Sync>;

/// A flag that is set while the service does not accept the token: nothing more is sent.
#[derive(Debug, Clone, Default)]
pub(super) struct Pause(Arc<AtomicBool>);

impl Pause {
    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(super) fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The shared state of the engine; cheap to clone.
#[derive(Clone)]
pub(super) struct Bench {
    pub(super) client: Client,
    pub(super) writer: Writer,
    pub(super) renderer: Arc<Renderer>,
    pub(super) print_service: PrintService,
    pub(super) spool: PathBuf,
    pub(super) clock: Clock,
    /// The bench's name as used in keys.
    pub(super) name: String,
    /// The suggestions.
    pub(super) known: Shelves,
    /// The unmanifested consignments as of the last sync.
    pub(super) listing: Listing,
    /// The tracked consignments.
    pub(super) track: Track,
    /// The unreadable records of the service's lists.
    pub(super) unreadable: Unreadable,
    /// The schedule of reconciliation: times since the loss of the answer.
    pub(super) settle_after: Arc<[Duration]>,
    /// Operations that the last run left unknown and that were not checked since.
    pub(super) left_over: Arc<Mutex<HashSet<OperationId>>>,
    /// The answers to bookings since this start, as far as they tell which manifest is ours.
    pub(super) said: Arc<Mutex<HashMap<OperationId, Said>>>,
    pub(super) paused: Pause,
    pub(super) witness: Witness,
    /// The clerk's request to stop booking.
    pub(super) booking_stop: BookingStop,
    /// Triggers a check for creates that turn up late.
    pub(super) late: Arc<Notify>,
    /// Asks the service queue to delete pending consignments that were replaced.
    pub(super) unfinished: Arc<Notify>,
    /// No further label is printed of batches up to this id.
    pub(super) stop_printing: Arc<watch::Sender<BatchId>>,
    /// The operations under reconciliation.
    pub(super) watches: Watches,
    pub(super) outcomes: mpsc::Sender<Outcome>,
    pub(super) repaint: Repaint,
    /// True for the clone that the service queue uses.
    pub(super) of_dispatch: bool,
}

impl Bench {
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns a clone for another queue or for a background task.
    pub(super) fn of_lane(&self, of_dispatch: bool) -> Self {
        let mut bench = self.clone();
        bench.of_dispatch = of_dispatch;
        bench
    }

    pub(super) fn reached(&self, milestone: Milestone) {
        (self.witness)(milestone);
    }

    /// Sends an outcome, then asks for a repaint. Ignores the closed channel after the window was closed.
    pub(super) async fn tell(&self, outcome: Outcome) {
        if let Outcome::Seen(consignments) = &outcome {
            self.learn_consignments(consignments.clone());
        }
        self.follow_behind(&outcome);
        if self.outcomes.send(outcome).await.is_ok() {
            (self.repaint)();
        }
    }

    pub(super) async fn tell_failed(&self, what: &'static str, error: WorkError) {
        tracing::error!(what, %error, "a job failed");
        let of_dispatch = self.of_dispatch;
        let failed = Outcome::Failed {
            what,
            error,
            of_dispatch,
        };
        self.tell(failed).await;
    }

    /// Applies `change` to an operation that is in the state `from`: first in the journal, then in
    /// the window.
    pub(super) async fn change(
        &self,
        operation: &Operation,
        from: OperationState,
        change: impl FnOnce(&mut Operation),
    ) -> Result<Operation, WorkError> {
        let mut changed = operation.clone();
        change(&mut changed);
        let now = self.now();
        let follows = self.follows(&changed)?;
        let is_followed = follows.is_some();
        let changed = self
            .writer
            .run(move |journal| {
                journal.change_then(&mut changed, from, follows.as_ref(), now)?;
                Ok(changed)
            })
            .await?;
        if is_followed {
            self.unfinished.notify_one();
        }
        self.tell(Outcome::Operation(Box::new(changed.clone())))
            .await;
        Ok(changed)
    }

    /// Returns true if an operation of this journal has a key that this bench made.
    pub(super) fn is_ours(&self, operation: &Operation) -> bool {
        let key = &operation.key;
        // Older keys begin with the bench's name only, without the id of the installation.
        let older = self.name.rsplit_once('-');
        is_own_key(&self.name, key) || older.is_some_and(|(name, _)| is_own_key(name, key))
    }

    /// Makes a new unique key.
    pub(super) fn new_key(&self) -> String {
        format!("{}-{}", self.name, DraftId::random())
    }

    /// Reads an operation from the journal.
    pub(super) async fn operation(&self, id: OperationId) -> Result<Operation, WorkError> {
        let found = self
            .writer
            .run(move |journal| journal.operation(id))
            .await?;
        found.ok_or(WorkError::Internal)
    }
}

/// Returns true for a key of this bench: its prefix and eight letters and digits. `bench` is "Bench4-7K2QPX",
/// where only the id of the installation after the dash is compared, because the bench may have been renamed;
/// or "Bench4" in journals from before such ids. A reference typed by a clerk is never a key, even if it
/// looks similar.
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
