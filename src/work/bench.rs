//! What every lane works with.

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

/// The operations that are watched, each with what wakes its watch.
pub(super) type Watches = Arc<Mutex<Vec<(OperationId, Arc<Notify>)>>>;

/// Points of an operation's and a print job's life at which the end of the program must lose and double nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Milestone {
    /// The intent is on disk.
    Written,
    /// It was looked whether it still holds.
    Checked,
    /// On disk as sending, and nothing has left yet.
    Sending,
    /// The answer came, or did not, and that is not on disk yet.
    Answered,
    /// What became of it is on disk, and nobody has heard of it.
    Settled,
    /// The service was looked at for it, and what was found is not on disk yet.
    Looked,
    /// A print job is on disk with its bytes, and none has left yet.
    JobWritten,
    /// A print job was handed over, and that is not on disk yet.
    HandedOver,
}

impl Milestone {
    /// Every one.
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

/// Hears of each milestone as it is reached: how tests end the program there.
pub type Witness = Arc<dyn Fn(Milestone) + Send + Sync>;

/// Set while the service does not accept the token: nothing more is sent.
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

/// Shared by the lanes; cheap to clone.
#[derive(Clone)]
pub(super) struct Bench {
    pub(super) client: Client,
    pub(super) writer: Writer,
    pub(super) renderer: Arc<Renderer>,
    pub(super) print_service: PrintService,
    pub(super) spool: PathBuf,
    pub(super) clock: Clock,
    /// The bench's name as it goes into keys.
    pub(super) name: String,
    /// What the bench knows.
    pub(super) known: Shelves,
    /// What waits for a manifest, between two looks.
    pub(super) listing: Listing,
    /// What is followed.
    pub(super) track: Track,
    /// What of the service's lists can't be read.
    pub(super) unreadable: Unreadable,
    /// When a lost answer is looked for, counted from when it was given up.
    pub(super) settle_after: Arc<[Duration]>,
    /// What an earlier run left unknown, and this one has not looked for yet.
    pub(super) left_over: Arc<Mutex<HashSet<OperationId>>>,
    /// What was answered to bookings since this start, as far as it says whose manifest is whose.
    pub(super) said: Arc<Mutex<HashMap<OperationId, Said>>>,
    /// Set while the service does not accept the token.
    pub(super) paused: Pause,
    pub(super) witness: Witness,
    /// The clerk's word that bookings stop.
    pub(super) booking_stop: BookingStop,
    /// Asks for a look at what may have turned up late.
    pub(super) late: Arc<Notify>,
    /// Asks the dispatch lane to delete what was replaced.
    pub(super) unfinished: Arc<Notify>,
    /// Batches up to this one print no further label.
    pub(super) stop_printing: Arc<watch::Sender<BatchId>>,
    /// Wakes the watch over an operation with a lost answer.
    pub(super) watches: Watches,
    pub(super) outcomes: mpsc::Sender<Outcome>,
    pub(super) repaint: Repaint,
    /// This one works on the dispatch lane.
    pub(super) of_dispatch: bool,
}

impl Bench {
    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The same for another lane, or for what goes on behind them.
    pub(super) fn of_lane(&self, of_dispatch: bool) -> Self {
        let mut bench = self.clone();
        bench.of_dispatch = of_dispatch;
        bench
    }

    pub(super) fn reached(&self, milestone: Milestone) {
        (self.witness)(milestone);
    }

    /// Sends an outcome, then asks for a repaint. Nobody listens once the window is closed.
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

    /// Moves an operation from `from` to the state that `change` gives it, in the journal first and then to the clerk.
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

    /// True where the operation, which is in this bench's journal, carries a key that this bench made.
    pub(super) fn is_ours(&self, operation: &Operation) -> bool {
        let key = &operation.key;
        // Keys from before installations had letters and digits of their own begin with the bench's name alone.
        let older = self.name.rsplit_once('-');
        is_own_key(&self.name, key) || older.is_some_and(|(name, _)| is_own_key(name, key))
    }

    /// A key of this bench's own making: nobody else gives it to a consignment.
    pub(super) fn new_key(&self) -> String {
        format!("{}-{}", self.name, DraftId::random())
    }

    /// The operation as the journal has it.
    pub(super) async fn operation(&self, id: OperationId) -> Result<Operation, WorkError> {
        let found = self
            .writer
            .run(move |journal| journal.operation(id))
            .await?;
        found.ok_or(WorkError::Internal)
    }
}

/// True for a key that this bench made: what its keys begin with and eight letters and digits. `bench` is "Bench4-7K2QPX",
/// of which the installation's own part counts, because the bench may have been renamed; or, in a journal from before
/// installations had one, "Bench4". A reference that a clerk typed is never a key, however alike it looks.
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
