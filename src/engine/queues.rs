//! The queues of the engine: their start, the distribution of requests, and their end.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{mpsc, oneshot, watch};

use super::booking_stop::BookingStop;
use super::context::{EngineContext, FaultHook, Pause};
use super::heartbeat;
use super::reads::Reads;
use super::shared_labels::SharedLabels;
use super::suggestions::SharedSuggestions;
use super::track::Track;
use super::unread::SharedUnreadLists;
use super::writer::JournalWriter;
use super::{BatchEndReason, BatchId, EngineError, Outcome, Request, RestoredState};
use client::Client;
use printing::renderer::Renderer;
use printing::service::PrintService;
use shipping::Clock;
use storage::{JobId, Journal, OperationState};

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
pub struct EngineParts {
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
    pub fault_hook: FaultHook,
}

/// The running engine.
pub struct Engine {
    reads: Reads,
    drafts_queue: mpsc::Sender<Request>,
    service_queue: mpsc::Sender<Request>,
    print_queue: mpsc::Sender<Request>,
    stop_printing: Arc<watch::Sender<BatchId>>,
    tell: mpsc::Sender<Outcome>,
    outcomes: mpsc::Receiver<Outcome>,
    booking_stop: BookingStop,
    closed: oneshot::Receiver<()>,
}

impl Engine {
    /// Starts the queues. The first outcome is the content of the journal.
    pub fn start(parts: EngineParts) -> std::io::Result<Self> {
        let (closing, closed) = oneshot::channel();
        let (tell, outcomes) = mpsc::channel(QUEUE);
        let booking_stop = BookingStop::default();
        let track = Track::for_journal(&parts.journal.path(), parts.clock.clone());
        let bench = EngineContext {
            client: parts.client,
            writer: JournalWriter::start(parts.journal, parts.clock.clone(), closing)?,
            renderer: Arc::new(parts.renderer),
            print_service: parts.print_service,
            spool: parts.spool,
            clock: parts.clock.clone(),
            name: parts.bench,
            settle_after: parts.settle_after.into(),
            suggestions: SharedSuggestions::default(),
            shared_labels: SharedLabels::default(),
            track,
            unreadable: SharedUnreadLists::default(),
            unchecked_leftovers: Arc::default(),
            booking_replies: Arc::default(),
            late: Arc::default(),
            booking_stop: booking_stop.clone(),
            unfinished_deletions: Arc::default(),
            paused: Pause::default(),
            fault_hook: parts.fault_hook,
            reconciliations: Arc::new(Mutex::new(Vec::new())),
            stop_printing: Arc::new(watch::Sender::new(BatchId::default())),
            outcomes: tell.clone(),
            repaint: parts.repaint,
            is_service_queue: false,
        };
        let (honest, gate) = watch::channel(false);
        let lane = |name, gate| {
            let bench = bench.for_queue(name == DISPATCH);
            spawn_queue(&parts.runtime, name, bench, gate)
        };
        let desk = lane("desk", None);
        let queue = lane(DISPATCH, Some(gate.clone()));
        let dispatch = spawn_intake(&parts.runtime, bench.for_queue(true), gate.clone(), queue);
        let paper = lane("paper", Some(gate));
        let (client, repaint) = (bench.client.clone(), Arc::clone(&bench.repaint));
        parts
            .runtime
            .spawn(heartbeat::keep(client, repaint, tell.clone()));
        let reads = Reads::new(parts.runtime.clone(), bench.clone());
        let stop_printing = Arc::clone(&bench.stop_printing);
        parts
            .runtime
            .spawn(async move { bench.restore(&honest).await });
        Ok(Self {
            reads,
            drafts_queue: desk,
            service_queue: dispatch,
            print_queue: paper,
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
            | Request::SetOnHold(..)
            | Request::SaveView(_)
            | Request::RemoveView(..)
            | Request::DiscardUnprinted(_)
            | Request::AnswerJob { .. } => &self.drafts_queue,
            Request::Print(_)
            | Request::PrintBatch(_)
            | Request::PrintDocument(_)
            | Request::PrintTest(_) => &self.print_queue,
            Request::Create { .. }
            | Request::Book { .. }
            | Request::Edit { .. }
            | Request::Delete(_)
            | Request::SetStatuses(_)
            | Request::CreatePending { .. }
            | Request::SendWritten(_)
            | Request::DeletePending(_)
            | Request::DeleteReplaced
            | Request::PrintAtService(..)
            | Request::Decide(..) => &self.service_queue,
        };
        let is_booking = matches!(request, Request::Book { .. });
        let Err(refused) = lane.try_send(request) else {
            if is_booking {
                self.booking_stop.asked();
            }
            return;
        };
        let error = EngineError::Internal;
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
                what: "Too many requests are waiting",
                error,
                in_service_queue: std::ptr::eq(lane, &raw const self.service_queue),
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
    pub async fn close(self, limit: Duration) {
        let Self {
            reads,
            drafts_queue: desk,
            service_queue: dispatch,
            print_queue: paper,
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
    bench: EngineContext,
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
                    bench.tell_failed(what, EngineError::Internal).await;
                }
            }
        }
    });
    sender
}

/// Starts a queue. With a `gate` it handles nothing before the gate opens.
fn spawn_queue(
    runtime: &Handle,
    name: &'static str,
    bench: EngineContext,
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
                () = bench.unfinished_deletions.notified(), if name == DISPATCH => Some(Request::DeleteReplaced),
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
                    bench.tell(Outcome::ResultUnknown(waited_at)).await;
                }
                if let Some(id) = batch {
                    let (ending, rest) = (BatchEndReason::Stopped, Vec::new());
                    bench.tell_end(id, ending, None, rest).await;
                }
                let what = "Something went wrong inside Packbench";
                bench.tell_failed(what, EngineError::Internal).await;
            }
        }
    });
    sender
}

impl EngineContext {
    async fn handle(&self, request: Request) {
        let Some(request) = self.admit(request).await else {
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
            Request::SetOnHold(ids, held) => self.set_on_hold(ids, held).await,
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
            Request::DeleteReplaced => self.finish_conversions().await,
            Request::PrintAtService(order, why) => self.print_at_service(order, why).await,
            Request::Print(order) => self.print(*order).await,
            Request::PrintBatch(batch) => self.print_batch(*batch).await,
            Request::DiscardUnprinted(ids) => self.discard_unprinted(ids).await,
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
        self.unchecked_leftovers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .extend(open.iter().map(|operation| operation.id));
        honest.send_replace(true);
        self.tell(Outcome::Restored(Box::new(restored))).await;
        self.tell_presets().await;
        self.tell_how_shown().await;
        for operation in open {
            self.start_reconciliation(operation);
        }
        self.unfinished_deletions.notify_one();
        self.start_maintenance();
        self.start_late_checks();
        for job in cut_off {
            self.resolve_open_job(job).await;
        }
        self.restore_suggestions().await;
        self.restore_lists().await;
        self.catch_up_after_restoration().await;
    }

    /// Repeats the recovery until it succeeds: unfinished work must not stay hidden because the disk is full.
    async fn recovered(&self) -> (RestoredState, Vec<JobId>) {
        loop {
            let now = self.now();
            let recovered = self.writer.run(move |journal| {
                let recovered = journal.recover(now)?;
                let restored = RestoredState {
                    drafts: journal.drafts()?,
                    draft_times: journal.draft_times()?,
                    operations: journal.operations(NEWEST)?,
                    jobs: journal.recent_and_unfinished_jobs(NEWEST)?,
                    labels: journal.newest_label_jobs()?,
                    unprinted: journal.unprinted()?,
                    doubts: journal.possibly_sent_drafts()?,
                };
                Ok((restored, recovered.jobs))
            });
            match recovered.await {
                Ok(recovered) => return recovered,
                Err(error) => {
                    let what = "Couldn't read the unfinished work of last time. Nothing is sent until we can";
                    self.tell_failed(what, error).await;
                    tokio::time::sleep(RECOVER_AGAIN).await;
                }
            }
        }
    }
}
