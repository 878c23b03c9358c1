//! The queues of the engine: their start, the distribution of requests, and their end.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};

use super::bench::{Bench, Pause, Witness};
use super::known::Shelves;
use super::pulse;
use super::reads::Reads;
use super::stop::BookingStop;
use super::track::Track;
use super::unmanifested::Listing;
use super::unread::Unreadable;
use super::writer::Writer;
use super::{BatchId, Ending, Outcome, Request, Restored, WorkError};
use crate::client::Client;
use crate::journal::{JobId, Journal, OperationState};
use crate::printing::renderer::Renderer;
use crate::printing::service::PrintService;
use crate::shipping::Clock;

/// Asks the window for a frame. May be called from any thread.
pub type Repaint = Arc<dyn Fn() + Send + Sync>;

/// The name of the service queue.
const DISPATCH: &str = "dispatch";

/// The capacity of each channel of requests and outcomes.
const QUEUE: usize = 1024;

/// The wait before a failed recovery of the last run's open work is repeated.
const RECOVER_AGAIN: Duration = Duration::from_secs(3);

/// The count of operations and of print jobs that the window gets at the start.
const NEWEST: u32 = 200;

/// Everything that the engine needs to start.
pub struct Parts {
    pub runtime: Handle,
    pub client: Client,
    /// The open journal. If it was not checked yet, that happens in the background.
    pub journal: Journal,
    /// Renders pages in a child process.
    pub renderer: Renderer,
    pub print_service: PrintService,
    /// A private folder for files on their way to a printer.
    pub spool: PathBuf,
    pub clock: Clock,
    /// The bench's name as used in keys.
    pub bench: String,
    /// The schedule of reconciliation: times since the loss of the answer.
    pub settle_after: Vec<Duration>,
    pub repaint: Repaint,
    /// A callback at each fault point, for tests.
    pub witness: Witness,
}

/// The running engine.
pub struct Work {
    reads: Reads,
    desk: mpsc::Sender<Request>,
    dispatch: mpsc::Sender<Request>,
    paper: mpsc::Sender<Request>,
    stop_printing: Arc<watch::Sender<BatchId>>,
    tell: mpsc::Sender<Outcome>,
    outcomes: mpsc::Receiver<Outcome>,
    booking_stop: BookingStop,
    closed: oneshot::Receiver<()>,
}

impl Work {
    /// Starts the queues. The first outcome is the content of the journal.
    pub fn start(parts: Parts) -> std::io::Result<Self> {
        let (closing, closed) = oneshot::channel();
        let (tell, outcomes) = mpsc::channel(QUEUE);
        let booking_stop = BookingStop::default();
        let track = Track::beside(&parts.journal.path(), parts.clock.clone());
        let bench = Bench {
            client: parts.client,
            writer: Writer::start(parts.journal, parts.clock.clone(), closing)?,
            renderer: Arc::new(parts.renderer),
            print_service: parts.print_service,
            spool: parts.spool,
            clock: parts.clock.clone(),
            name: parts.bench,
            settle_after: parts.settle_after.into(),
            known: Shelves::default(),
            listing: Listing::default(),
            track,
            unreadable: Unreadable::default(),
            left_over: Arc::default(),
            said: Arc::default(),
            late: Arc::default(),
            booking_stop: booking_stop.clone(),
            unfinished: Arc::default(),
            paused: Pause::default(),
            witness: parts.witness,
            watches: Arc::new(Mutex::new(Vec::new())),
            stop_printing: Arc::new(watch::Sender::new(BatchId::default())),
            outcomes: tell.clone(),
            repaint: parts.repaint,
            of_dispatch: false,
        };
        let (honest, gate) = watch::channel(false);
        let lane = |name, gate| {
            let bench = bench.of_lane(name == DISPATCH);
            spawn_lane(&parts.runtime, name, bench, gate)
        };
        let desk = lane("desk", None);
        let queue = lane(DISPATCH, Some(gate.clone()));
        let dispatch = spawn_intake(&parts.runtime, bench.of_lane(true), gate.clone(), queue);
        let paper = lane("paper", Some(gate));
        let (client, repaint) = (bench.client.clone(), Arc::clone(&bench.repaint));
        parts
            .runtime
            .spawn(pulse::keep(client, repaint, tell.clone()));
        let reads = Reads::new(parts.runtime.clone(), bench.clone());
        let stop_printing = Arc::clone(&bench.stop_printing);
        parts
            .runtime
            .spawn(async move { bench.restore(&honest).await });
        Ok(Self {
            reads,
            desk,
            dispatch,
            paper,
            stop_printing,
            tell,
            outcomes,
            booking_stop,
            closed,
        })
    }

    /// Puts a request into its queue without waiting. A queue that is full refuses the request and tells
    /// the clerk.
    pub fn submit(&self, request: Request) {
        let lane = match &request {
            Request::SaveDraft(_)
            | Request::DiscardDraft(_)
            | Request::SavePreset(..)
            | Request::RemovePreset(_)
            | Request::HoldBack(..)
            | Request::SaveView(_)
            | Request::RemoveView(..)
            | Request::LeaveUnprinted(_)
            | Request::AnswerJob { .. } => &self.desk,
            Request::Print(_)
            | Request::PrintBatch(_)
            | Request::PrintDocument(_)
            | Request::PrintTest(_) => &self.paper,
            Request::Create { .. }
            | Request::Book { .. }
            | Request::Edit { .. }
            | Request::Delete(_)
            | Request::SetStatuses(_)
            | Request::CreatePending { .. }
            | Request::SendWritten(_)
            | Request::DeletePending(_)
            | Request::FinishConversions
            | Request::PrintAtService(..)
            | Request::Decide(..) => &self.dispatch,
        };
        let is_booking = matches!(request, Request::Book { .. });
        let Err(refused) = lane.try_send(request) else {
            if is_booking {
                self.booking_stop.asked();
            }
            return;
        };
        let error = WorkError::Internal;
        let refused = match refused.into_inner() {
            Request::Create { draft, .. }
            | Request::CreatePending { draft, .. }
            | Request::Edit {
                draft: Some(draft), ..
            } => Outcome::NotCreated {
                draft: Some(draft),
                error,
            },
            _ => Outcome::Failed {
                what: "Too much is waiting to be done",
                error,
                of_dispatch: std::ptr::eq(lane, &raw const self.dispatch),
            },
        };
        if self.tell.try_send(refused).is_err() {
            tracing::error!("a request was refused, and nobody could be told");
        }
    }

    /// Prints no further label of this batch and of earlier ones. Labels that were handed over are
    /// not affected.
    pub fn stop_printing(&self, up_to: BatchId) {
        self.stop_printing
            .send_modify(|known| *known = up_to.max(*known));
    }

    /// Cancels all bookings requested so far, after the group that is being booked.
    pub fn stop_booking(&self) {
        self.booking_stop.stop();
    }

    pub fn next_outcome(&mut self) -> Option<Outcome> {
        self.outcomes.try_recv().ok()
    }

    pub const fn reads(&self) -> &Reads {
        &self.reads
    }

    /// Accepts no more requests and waits for the accepted ones, at most for `limit`. An operation that is
    /// still under way stays in the journal as `Sending`; the next start reconciles it.
    pub async fn closed(self, limit: Duration) {
        let Self {
            reads,
            desk,
            dispatch,
            paper,
            tell,
            mut outcomes,
            closed,
            stop_printing: _,
            booking_stop: _,
        } = self;
        drop((reads, desk, dispatch, paper, tell));
        // Background tasks end when this channel is closed.
        outcomes.close();
        let drained = async {
            // Receive what the queues still send, so that they don't wait for a closed window.
            while outcomes.recv().await.is_some() {}
            // The sender is dropped, not used, when the journal is closed.
            let _closed = closed.await;
        };
        if tokio::time::timeout(limit, drained).await.is_err() {
            tracing::warn!("closed while something was on its way; the next start looks for it");
        }
    }
}

/// Starts the intake before the service queue: it writes creates down as soon as they are requested, even if
/// the queue is busy, and passes all requests on in order. It waits for `gate`, because earlier writes would
/// look like open work of the last run.
fn spawn_intake(
    runtime: &Handle,
    bench: Bench,
    mut gate: watch::Receiver<bool>,
    queue: mpsc::Sender<Request>,
) -> mpsc::Sender<Request> {
    let (sender, mut requests) = mpsc::channel(QUEUE);
    runtime.spawn(async move {
        drop(gate.wait_for(|open| *open).await);
        while let Some(request) = requests.recv().await {
            let job = bench.clone();
            let written = tokio::spawn(async move { job.write_ahead(request).await });
            match written.await {
                Ok(Some(request)) => {
                    if queue.send(request).await.is_err() {
                        return;
                    }
                }
                Ok(None) => {}
                Err(_) => {
                    let what = "Something went wrong inside Packbench";
                    bench.tell_failed(what, WorkError::Internal).await;
                }
            }
        }
    });
    sender
}

/// Starts a queue. With a `gate` it handles nothing before the gate opens.
fn spawn_lane(
    runtime: &Handle,
    name: &'static str,
    bench: Bench,
    gate: Option<watch::Receiver<bool>>,
) -> mpsc::Sender<Request> {
    let (sender, mut requests) = mpsc::channel(QUEUE);
    runtime.spawn(async move {
        if let Some(mut gate) = gate {
            // A dropped gate counts as open: the journal then refuses writes by itself.
            let _dropped = gate.wait_for(|open| *open).await;
        }
        loop {
            let request = tokio::select! {
                request = requests.recv() => request,
                () = bench.unfinished.notified(), if name == DISPATCH => Some(Request::FinishConversions),
            };
            let Some(request) = request else { return };
            let job = bench.clone();
            let waited_at = match &request {
                Request::SendWritten(written) => Some(written.draft_id().clone()),
                Request::Edit {
                    draft: Some(draft), ..
                } => Some(draft.id.clone()),
                _ => None,
            };
            let batch = match &request {
                Request::PrintBatch(batch) => Some(batch.id),
                _ => None,
            };
            // A separate task, so that a panic ends the job and not the queue.
            if tokio::spawn(async move { job.handle(request).await })
                .await
                .is_err()
            {
                tracing::error!(lane = name, "a job panicked");
                if waited_at.is_some() {
                    bench.tell(Outcome::Unanswered(waited_at)).await;
                }
                if let Some(id) = batch {
                    let (ending, rest) = (Ending::Stopped, Vec::new());
                    bench.tell_end(id, ending, None, rest).await;
                }
                let what = "Something went wrong inside Packbench";
                bench.tell_failed(what, WorkError::Internal).await;
            }
        }
    });
    sender
}

impl Bench {
    async fn handle(&self, request: Request) {
        let Some(request) = self.let_through(request).await else {
            return;
        };
        match request {
            Request::SaveDraft(draft) => {
                let (id, now) = (draft.id.clone(), self.now());
                let writer = &self.writer;
                let done = writer.run(move |journal| journal.save_draft(&draft, now));
                match done.await {
                    Ok(()) => self.tell(Outcome::DraftSaved { id, at: now }).await,
                    Err(error) => self.tell(Outcome::DraftNotSaved(id, error)).await,
                }
            }
            Request::DiscardDraft(id) => {
                let gone = id.clone();
                let done = self.writer.run(move |journal| journal.discard_draft(&id));
                match done.await {
                    Ok(()) => self.tell(Outcome::DraftDiscarded(gone)).await,
                    Err(error) => {
                        self.tell_failed("The draft could not be discarded", error)
                            .await;
                    }
                }
            }
            Request::SavePreset(preset, was) => self.save_preset(*preset, was).await,
            Request::RemovePreset(name) => self.remove_preset(name).await,
            Request::HoldBack(ids, held) => self.hold_back(ids, held).await,
            Request::SaveView(view) => self.save_view(*view).await,
            Request::RemoveView(of, name) => self.remove_view(of, name).await,
            Request::AnswerJob { job, came_out } => self.answer_job(job, came_out).await,
            // The intake has turned these requests into `SendWritten`.
            Request::Create { .. } | Request::CreatePending { .. } => {}
            // The request makes this future large: keep it off the stack of all other requests.
            Request::SendWritten(written) => Box::pin(self.send_written(*written)).await,
            Request::Book { groups, grouped } => self.book(groups, grouped).await,
            Request::Edit { draft, seen, form } => Box::pin(self.edit(draft, *seen, *form)).await,
            Request::Delete(ids) => self.delete(ids).await,
            Request::SetStatuses(updates) => self.set_statuses(updates).await,
            Request::DeletePending(ids) => self.delete_pending(ids).await,
            Request::FinishConversions => self.finish_conversions().await,
            Request::PrintAtService(order, why) => self.print_at_service(order, why).await,
            Request::Print(order) => self.print(*order).await,
            Request::PrintBatch(batch) => self.print_batch(*batch).await,
            Request::LeaveUnprinted(ids) => self.leave_unprinted(ids).await,
            Request::PrintTest(order) => self.print_test(*order).await,
            Request::PrintDocument(order) => self.print_document(*order).await,
            Request::Decide(id, choice) => self.decide(id, choice).await,
        }
    }

    /// Recovers the journal, then opens the gate for new operations, and only then: an operation written
    /// before would count as left open by the last run. Afterwards starts the reconciliation of unknown
    /// operations and the other background tasks.
    async fn restore(&self, honest: &watch::Sender<bool>) {
        let (restored, cut_off) = self.recovered().await;
        let open: Vec<_> = restored
            .operations
            .iter()
            .filter(|operation| operation.state == OperationState::Unknown)
            .cloned()
            .collect();
        self.left_over
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(open.iter().map(|operation| operation.id));
        honest.send_replace(true);
        self.tell(Outcome::Restored(Box::new(restored))).await;
        self.tell_presets().await;
        self.tell_how_shown().await;
        for operation in open {
            self.watch(operation);
        }
        self.unfinished.notify_one();
        self.keep_journal();
        self.watch_for_late_ones();
        for job in cut_off {
            self.adopt_job(job).await;
        }
        self.restore_known().await;
        self.restore_lists().await;
        self.rebuild().await;
    }

    /// Repeats the recovery until it succeeds: unfinished work must not stay hidden because the disk is full.
    async fn recovered(&self) -> (Restored, Vec<JobId>) {
        loop {
            let now = self.now();
            let recovered = self.writer.run(move |journal| {
                let recovered = journal.recover(now)?;
                let restored = Restored {
                    drafts: journal.drafts()?,
                    draft_times: journal.draft_times()?,
                    operations: journal.operations(NEWEST)?,
                    jobs: journal.jobs_at_work(NEWEST)?,
                    labels: journal.label_standings()?,
                    unprinted: journal.unprinted()?,
                    doubts: journal.doubts()?,
                };
                Ok((restored, recovered.jobs))
            });
            match recovered.await {
                Ok(recovered) => return recovered,
                Err(error) => {
                    let what = "What the last run left open cannot be read. Nothing is sent";
                    self.tell_failed(what, error).await;
                    tokio::time::sleep(RECOVER_AGAIN).await;
                }
            }
        }
    }
}
