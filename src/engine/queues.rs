//! The queues of the engine: their start, the distribution of requests, and their end.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use super::label_file::SharedLabels;
use super::operation::{BookingStop, CHECKS_AT_ONCE};
use super::request::{Queue, not_left};
use super::suggestions::SharedSuggestions;
use super::track::Track;
use super::writer::JournalWriter;
use super::{
    BatchEnd, BatchEndReason, BatchId, EngineContext, EngineError, FaultHook, Outcome, Reads,
    Request, RestoredState, lock,
};
use client::Client;
use draft::Draft;
use printing::renderer::Renderer;
use printing::service::PrintService;
use shipping::{Clock, ConsignmentId};
use storage::{JobId, Journal, JournalError, OperationState};
use workgroup::{BenchActivity, Workgroup};

/// Asks the window to draw a frame. May be called from any thread.
pub type Repaint = Arc<dyn Fn() + Send + Sync>;

const QUEUE: usize = 1024;

const PANICKED: &str = "Something went wrong inside Packbench";

/// The wait before a failed recovery of unfinished work is repeated.
const RECOVER_AGAIN: Duration = Duration::from_secs(3);

/// The count of operations and of print jobs that the window gets at the start.
const NEWEST: u32 = 200;

pub struct EngineParts {
    pub runtime: Handle,
    pub client: Client,
    /// The open journal. If it was not checked yet, it is checked in the background.
    pub journal: Journal,
    /// Renders pages in a child process.
    pub renderer: Renderer,
    pub print_service: PrintService,
    /// A private folder for files that are being sent to a printer.
    pub spool: PathBuf,
    pub clock: Clock,
    /// The bench's name as used in keys.
    pub bench: String,
    /// The schedule of reconciliation: times since the loss of the answer.
    pub settle_after: Vec<Duration>,
    /// The benches with which this bench shares its work; `None` for a bench that works alone.
    pub workgroup: Option<Workgroup>,
    pub repaint: Repaint,
    /// A callback at each fault point, for tests.
    pub fault_hook: FaultHook,
}

pub struct Engine {
    reads: Reads,
    drafts_queue: mpsc::Sender<Request>,
    service_queue: mpsc::Sender<Request>,
    print_queue: mpsc::Sender<Request>,
    documents_queue: mpsc::Sender<Request>,
    outcomes: mpsc::Receiver<Outcome>,
    closed: oneshot::Receiver<()>,
}

impl Engine {
    /// Starts the queues. The first outcome is the content of the journal.
    pub fn start(parts: EngineParts) -> std::io::Result<Self> {
        let (closing, closed) = oneshot::channel();
        let (tell, outcomes) = mpsc::channel(QUEUE);
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
            unreadable: Arc::default(),
            unchecked_leftovers: Arc::default(),
            booking_replies: Arc::default(),
            late: Arc::default(),
            booking_stop: BookingStop::default(),
            unfinished_deletions: Arc::default(),
            paused: Arc::default(),
            fault_hook: parts.fault_hook,
            reconciliations: Arc::default(),
            check_places: Arc::new(Semaphore::new(CHECKS_AT_ONCE)),
            turns_at_ports: Arc::default(),
            stop_printing: Arc::new(watch::Sender::new(BatchId::default())),
            workgroup: parts.workgroup,
            claimed_batch: Arc::default(),
            has_events: Arc::default(),
            has_changes: Arc::default(),
            outcomes: tell,
            repaint: parts.repaint,
            is_service_queue: false,
        };
        let (recovered, gate) = watch::channel(false);
        let start = |queue, gate| {
            let bench = bench.for_queue(queue == Queue::Service);
            spawn_queue(&parts.runtime, queue, bench, gate)
        };
        let drafts_queue = start(Queue::Drafts, None);
        let service_queue = start(Queue::Service, Some(gate.clone()));
        let print_queue = start(Queue::Print, Some(gate.clone()));
        let documents_queue = start(Queue::Documents, Some(gate.clone()));
        let documents_queue =
            spawn_documents_intake(&parts.runtime, bench.clone(), gate.clone(), documents_queue);
        let service_queue =
            spawn_intake(&parts.runtime, bench.for_queue(true), gate, service_queue);
        let (client, repaint) = (bench.client.clone(), Arc::clone(&bench.repaint));
        parts
            .runtime
            .spawn(heartbeat(client, repaint, bench.outcomes.clone()));
        let reads = Reads::new(parts.runtime.clone(), bench.clone());
        parts
            .runtime
            .spawn(async move { bench.restore(&recovered).await });
        Ok(Self {
            reads,
            drafts_queue,
            service_queue,
            print_queue,
            documents_queue,
            outcomes,
            closed,
        })
    }

    /// Puts a request into its queue without waiting. If the queue is full, refuses the request and
    /// informs the clerk.
    pub fn submit(&self, request: Request) {
        let queue = match request.queue() {
            Queue::Service => &self.service_queue,
            Queue::Print => &self.print_queue,
            Queue::Documents => &self.documents_queue,
            Queue::Drafts => &self.drafts_queue,
        };
        let is_booking = matches!(request, Request::Book { .. });
        let in_service_queue = request.queue() == Queue::Service;
        let Err(refused) = queue.try_send(request) else {
            if is_booking {
                self.reads.bench().booking_stop.asked();
            }
            return;
        };
        let told = match refused.into_inner().refused(EngineError::Internal) {
            Some(Outcome::NotWritten(error)) => Outcome::Failed {
                what: "Too many requests are waiting",
                error,
                in_service_queue,
            },
            Some(told) => told,
            None => return,
        };
        if self.reads.bench().outcomes.try_send(told).is_err() {
            tracing::error!("a request was refused, and nobody could be told");
        }
    }

    /// Prints no further label of this batch and of earlier batches. Labels that were handed over are not affected.
    pub fn stop_printing(&self, up_to: BatchId) {
        let stop = &self.reads.bench().stop_printing;
        stop.send_modify(|known| *known = up_to.max(*known));
    }

    /// Cancels all bookings requested so far, after the group that is being booked.
    pub fn stop_booking(&self) {
        self.reads.bench().booking_stop.stop();
    }

    /// Changes the names of this bench and its clerk that the other benches of its workgroup see.
    pub fn rename(&self, bench: &str, clerk: &str) {
        if let Some(workgroup) = &self.reads.bench().workgroup {
            workgroup.rename(bench, clerk);
        }
    }

    /// Changes what the other benches of its workgroup see of this bench's work.
    pub fn set_activity(&self, activity: BenchActivity) {
        if let Some(workgroup) = &self.reads.bench().workgroup {
            workgroup.set_activity(activity);
        }
    }

    pub fn next_outcome(&mut self) -> Option<Outcome> {
        self.outcomes.try_recv().ok()
    }

    pub const fn reads(&self) -> &Reads {
        &self.reads
    }

    /// Accepts no more requests and waits for the accepted requests, at most for `limit`. An operation that
    /// is still under way stays in the journal as `Sending`; the next start reconciles it.
    pub async fn close(mut self, limit: Duration) {
        drop((self.drafts_queue, self.service_queue));
        drop((self.print_queue, self.documents_queue));
        drop(self.reads);
        // Background tasks end when this channel is closed.
        self.outcomes.close();
        let drained = async {
            // Receive what the queues still send, so that they don't wait for a closed window.
            while self.outcomes.recv().await.is_some() {}
            // The sender is dropped, not used, when the journal is closed.
            let _closed = self.closed.await;
        };
        if tokio::time::timeout(limit, drained).await.is_err() {
            tracing::warn!("closed while something was on its way; the next start looks for it");
        }
    }
}

/// Starts the task in front of the service queue. The task saves creates as soon as they are requested, even if the
/// queue is busy, and passes all requests on in order. It waits for `gate`, because operations saved earlier would
/// look like work left unfinished when the program last ended.
fn spawn_intake(
    runtime: &Handle,
    bench: EngineContext,
    mut gate: watch::Receiver<bool>,
    queue: mpsc::Sender<Request>,
) -> mpsc::Sender<Request> {
    let (sender, mut requests) = mpsc::channel::<Request>(QUEUE);
    runtime.spawn(async move {
        drop(gate.wait_for(|open| *open).await);
        while let Some(request) = requests.recv().await {
            let returned = request.draft().map(|draft| Outcome::NotCreated {
                draft: Some(Box::new(draft.clone())),
                error: EngineError::Internal,
            });
            let job = bench.clone();
            let written = bench.guard(async move { job.write_ahead(request).await }, returned);
            if let Some(Some(request)) = written.await
                && queue.send(request).await.is_err()
            {
                return;
            }
        }
    });
    sender
}

/// Starts the task in front of the documents queue. The task saves which documents are due as soon as they are requested,
/// even if a printer holds the queue up, so that the next start can tell which of them were not printed.
fn spawn_documents_intake(
    runtime: &Handle,
    bench: EngineContext,
    mut gate: watch::Receiver<bool>,
    queue: mpsc::Sender<Request>,
) -> mpsc::Sender<Request> {
    let (sender, mut requests) = mpsc::channel::<Request>(QUEUE);
    runtime.spawn(async move {
        drop(gate.wait_for(|open| *open).await);
        while let Some(mut request) = requests.recv().await {
            if let Request::PrintDocuments(set) = &mut request {
                bench.save_due_documents(set).await;
            }
            if queue.send(request).await.is_err() {
                return;
            }
        }
    });
    sender
}

/// Starts a queue. If there is a `gate`, the queue handles no request before the gate opens.
fn spawn_queue(
    runtime: &Handle,
    queue: Queue,
    bench: EngineContext,
    gate: Option<watch::Receiver<bool>>,
) -> mpsc::Sender<Request> {
    let (sender, mut requests) = mpsc::channel::<Request>(QUEUE);
    runtime.spawn(async move {
        if let Some(mut gate) = gate {
            // A dropped gate counts as open: the journal then refuses writes anyway.
            let _dropped = gate.wait_for(|open| *open).await;
        }
        loop {
            let request = tokio::select! {
                request = requests.recv() => request,
                () = bench.unfinished_deletions.notified(), if queue == Queue::Service => {
                    Some(Request::DeleteReplaced)
                }
            };
            let Some(request) = request else { return };
            let end = match &request {
                Request::PrintBatch(batch) => Some(Outcome::Batch(Box::new(BatchEnd {
                    id: batch.id,
                    ending: BatchEndReason::Stopped,
                    ended_at: None,
                    rest: Vec::new(),
                }))),
                Request::LeaveDrafts(drafts) => {
                    Some(not_left(drafts.clone(), EngineError::Internal))
                }
                other => { other.draft() }.map(|one| Outcome::ResultUnknown(Some(one.id.clone()))),
            };
            let job = bench.clone();
            bench
                .guard(async move { job.handle(request).await }, end)
                .await;
        }
    });
    sender
}

/// Pings an unavailable service regularly while nothing else calls it, until the window is closed. The task must
/// not hold the journal's writer, which closes only when its last handle is dropped.
async fn heartbeat(client: Client, repaint: Repaint, outcomes: mpsc::Sender<Outcome>) {
    let watch = async {
        loop {
            tokio::time::sleep(client.cooldown()).await;
            if client.check_health().await {
                repaint();
            }
        }
    };
    tokio::select! {
        () = watch => {}
        () = outcomes.closed() => {}
    }
}

impl EngineContext {
    /// Runs a job in a task of its own, so that a panic ends the job and not its queue. After a panic, sends `end` to
    /// the window and returns `None`.
    async fn guard<T: Send + 'static>(
        &self,
        job: impl Future<Output = T> + Send + 'static,
        end: Option<Outcome>,
    ) -> Option<T> {
        let done = tokio::spawn(job).await.ok();
        if done.is_none() {
            if let Some(end) = end {
                self.tell(end).await;
            }
            self.tell_failed(PANICKED, EngineError::Internal).await;
        }
        done
    }

    async fn handle(&self, request: Request) {
        if request.needs_intact_journal()
            && let Err(error) = self.writer.until_intact().await
        {
            if let Some(refused) = request.refused(error) {
                self.tell(refused).await;
            }
            return;
        }
        match request {
            Request::SaveDraft(draft) => self.save_draft(draft).await,
            Request::DiscardDraft(id) => {
                let discarded = self.journal(move |journal| journal.discard_draft(&id));
                self.or_tell("Couldn't discard the draft", discarded).await;
            }
            Request::SavePreset(preset, was) => {
                self.tell_change("Couldn't save the preset", move |journal| {
                    journal.save_preset(&preset, was.as_deref())?;
                    Ok(Outcome::Presets(journal.presets()?))
                })
                .await;
                self.has_changes.notify_one();
            }
            Request::RemovePreset(name) => {
                self.tell_change("Couldn't remove the preset", move |journal| {
                    journal.remove_preset(&name)?;
                    Ok(Outcome::Presets(journal.presets()?))
                })
                .await;
                self.has_changes.notify_one();
            }
            Request::SetOnHold(ids, held) => self.set_on_hold(ids, held).await,
            Request::SaveView(view) => {
                self.tell_change("Couldn't save the view", move |journal| {
                    journal.save_view(&view)?;
                    Ok(Outcome::Views(journal.views()?))
                })
                .await;
                self.has_changes.notify_one();
            }
            Request::RemoveView(of, name) => {
                self.tell_change("Couldn't remove the view", move |journal| {
                    journal.remove_view(of, &name)?;
                    Ok(Outcome::Views(journal.views()?))
                })
                .await;
                self.has_changes.notify_one();
            }
            Request::SharePrinters { printers, only_new } => {
                let share =
                    move |journal: &mut Journal| journal.share_printers(&printers, only_new);
                let shared = self.journal(share);
                self.or_tell("Couldn't share the printers", shared).await;
                self.has_changes.notify_one();
            }
            Request::LeaveDrafts(drafts) => self.leave_drafts(drafts).await,
            Request::AnswerJob { job, came_out } => self.answer_job(job, came_out).await,
            Request::ReleaseClaims(release) => self.release_claims(*release).await,
            Request::ReturnDraft { bench, id } => self.return_draft(&bench, &id).await,
            Request::DiscardUnprinted(ids) => self.discard_unprinted(ids).await,
            // The operations' requests make these futures large: keep them off the stack of all other requests.
            Request::Send(draft, intent) => Box::pin(self.write_and_send(draft, intent)).await,
            Request::SendWritten(operation, draft) => {
                Box::pin(self.send_written(*operation, draft)).await;
            }
            Request::Perform(intent) => self.perform(intent.to_operation()).await,
            Request::Book { groups, grouped } => self.book(groups, grouped).await,
            Request::DeleteReplaced => self.finish_conversions().await,
            Request::PrintAtService(order, reason) => self.print_at_service(order, &reason).await,
            Request::PrintBatch(batch) => self.print_batch(*batch).await,
            Request::PrintDocument(order) => self.print_document(*order).await,
            Request::PrintDocuments(set) => self.print_documents(*set).await,
            Request::Decide(id, choice) => self.decide(id, choice).await,
        }
    }

    async fn save_draft(&self, draft: Box<Draft>) {
        let (id, at) = (draft.id.clone(), self.now());
        let saved = self.journal(move |journal| journal.save_draft(&draft, at));
        match saved.await {
            Ok(()) => self.tell(Outcome::DraftSaved { id, at }).await,
            Err(error) => self.tell(Outcome::DraftNotSaved(id, error)).await,
        }
    }

    /// Puts consignments on hold or releases them. The window already shows this change and perhaps later changes, so
    /// it gets the saved list of consignments on hold only if this change could not be saved.
    async fn set_on_hold(&self, ids: Vec<ConsignmentId>, held: bool) {
        let now = self.now();
        let kept = self.journal(move |journal| journal.set_on_hold(&ids, held, now));
        let what = "Couldn't save which consignments are on hold";
        // Another bench's change may have been told before this one was saved.
        if self.or_tell(what, kept).await.is_none() || self.workgroup.is_some() {
            self.tell_on_hold(true).await;
        }
        self.has_changes.notify_one();
    }

    pub(super) async fn tell_presets(&self) {
        let presets = |journal: &mut Journal| Ok(Outcome::Presets(journal.presets()?));
        self.tell_change("Couldn't read the presets", presets).await;
    }

    pub(super) async fn tell_views(&self) {
        let views = |journal: &mut Journal| Ok(Outcome::Views(journal.views()?));
        self.tell_change("Couldn't read the views", views).await;
    }

    pub(super) async fn tell_on_hold(&self, is_answer: bool) {
        let what = "Couldn't read which consignments are on hold";
        self.tell_change(what, move |journal| {
            let all = journal.on_hold()?;
            Ok(Outcome::OnHold { all, is_answer })
        })
        .await;
    }

    /// Returns the result of a job; `None` after telling the clerk that it failed.
    pub(super) async fn or_tell<T>(
        &self,
        what: &'static str,
        job: impl Future<Output = Result<T, EngineError>>,
    ) -> Option<T> {
        match job.await {
            Ok(done) => Some(done),
            Err(error) => {
                self.tell_failed(what, error).await;
                None
            }
        }
    }

    /// Tells the window the outcome of a job on the journal, or that it failed.
    pub(super) async fn tell_change(
        &self,
        what: &'static str,
        change: impl FnOnce(&mut Journal) -> Result<Outcome, JournalError> + Send + 'static,
    ) {
        if let Some(outcome) = self.or_tell(what, self.journal(change)).await {
            self.tell(outcome).await;
        }
    }

    /// Recovers the journal, and only then opens the gate for new operations: an operation written earlier would
    /// count as left open when the program last ended. Afterwards starts the reconciliation of unknown operations and
    /// the other background tasks.
    async fn restore(&self, gate: &watch::Sender<bool>) {
        let (restored, cut_off) = self.recovered().await;
        let open: Vec<_> = restored
            .operations
            .iter()
            .filter(|operation| operation.state == OperationState::Unknown)
            .cloned()
            .collect();
        lock(&self.unchecked_leftovers).extend(open.iter().map(|operation| operation.id));
        gate.send_replace(true);
        self.tell(Outcome::Restored(Box::new(restored))).await;
        self.tell_presets().await;
        self.tell_on_hold(false).await;
        self.tell_views().await;
        for operation in open {
            self.start_reconciliation(operation, Duration::ZERO);
        }
        self.start_sharing();
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
            let (now, is_member) = (self.now(), self.workgroup.is_some());
            let recovered = self.journal(move |journal| {
                journal.set_workgroup_member(is_member)?;
                let cut_off = journal.recover(now)?;
                let restored = RestoredState {
                    drafts: journal.drafts()?,
                    draft_times: journal.draft_times()?,
                    operations: journal.operations(NEWEST)?,
                    jobs: journal.jobs(NEWEST)?,
                    labels: journal.newest_label_jobs()?,
                    unprinted: journal.unprinted()?,
                    doubts: journal.possibly_sent_drafts()?,
                    undone_documents: journal.take_due_documents()?,
                };
                Ok((restored, cut_off))
            });
            let what = "Couldn't read the unfinished work of the last session. Nothing is sent until Packbench can";
            if let Some(recovered) = self.or_tell(what, recovered).await {
                return recovered;
            }
            tokio::time::sleep(RECOVER_AGAIN).await;
        }
    }
}
