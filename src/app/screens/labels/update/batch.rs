//! Batches of labels: the batch in progress, and labels that a batch left.
//!
//! Invariants: the print queue has one batch at a time, and labels asked for meanwhile wait in memory (if the
//! window closes, they are still unprinted on Labels). No label is printed twice at once, and a label that
//! may have been printed is printed again only with a reason.

mod leftovers;

use std::collections::HashSet;

use crate::core::Core;
use crate::state::{
    BatchFault, BatchProgress, BatchStage, DocumentKind, JobId, JobState, JobSubject, LabelState,
    Notice, NoticeTarget, PrintJob, ReprintRequest, Screen, ShrinkWarning, Tone,
};
use engine::{
    BatchEnd, BatchEndReason, BatchId, PrintBatch, PrintOrder, Request, UnprintedLabelId,
    VerificationFault, VerificationOverride,
};
use shipping::{ConsignmentId, LabelSize};

/// Reason for printing a label again after its consignment was changed.
const CHANGED: &str = "changed";

/// A label to print, on whichever printer is chosen when its batch begins.
#[derive(Debug, Clone)]
struct QueuedLabel {
    consignment: ConsignmentId,
    number: String,
    size: LabelSize,
    reason: String,
    despite: Option<VerificationOverride>,
    /// The label's newest job when printing was asked for. A later job may make this print a duplicate.
    after: Option<JobId>,
}

impl QueuedLabel {
    /// Returns whether a clerk gave a reason to print the label although it may already be printed.
    fn has_reason(&self) -> bool {
        !self.reason.is_empty() && self.reason != CHANGED
    }
}

/// Labels being printed, and labels that a batch has left.
#[derive(Debug, Default)]
pub(super) struct LabelBatches {
    last: BatchId,
    /// The batch in the print queue.
    running: Option<(BatchId, Vec<QueuedLabel>)>,
    /// Labels asked for since that batch began.
    next: Vec<QueuedLabel>,
    /// Labels left by a batch that ended early.
    rest: Vec<QueuedLabel>,
    /// The label at which that batch ended. It was certainly not printed.
    ended_at: Option<QueuedLabel>,
    /// Journal entries of the labels left.
    replaces: Vec<UnprintedLabelId>,
    /// The card of a batch that waits for a decision while another batch runs.
    aside: Option<BatchProgress>,
    /// Labels that the clerk agreed to print smaller, by printer and size, since the program started.
    agreed: Vec<ShrinkWarning>,
}

impl Core {
    /// Prints the labels in this order. If any of them may already be printed, asks the clerk first and
    /// prints nothing yet.
    pub(crate) fn print(&mut self, ids: Vec<ConsignmentId>) {
        let out = |id: &ConsignmentId| self.shared.labels.may_be_out(*id);
        let out: Vec<_> = ids.iter().copied().filter(out).collect();
        if out.is_empty() {
            let items = self.items(&ids, "");
            return self.enqueue(items);
        }
        self.shared.labels.print_again = Some(ReprintRequest {
            all: ids,
            maybe_printed: out,
        });
        if self.shared.screen != Screen::Labels {
            self.show(Screen::Labels);
        }
    }

    /// Prints labels again, with a reason. Without a reason, asks for one.
    pub(super) fn print_again(&mut self, ids: &[ConsignmentId], reason: &str) {
        self.shared.labels.print_again = None;
        let reason = reason.trim();
        if reason.is_empty() {
            return self.print(ids.to_vec());
        }
        let items = self.items(ids, reason);
        self.enqueue(items);
    }

    /// Prints a label that failed verification, because the clerk gave a reason (an override). The override
    /// applies only to the fault that the clerk saw. If the label may already be printed, the reason is also
    /// the reason for printing it again.
    pub(super) fn print_despite(&mut self, id: ConsignmentId, reason: &str) {
        let reason = reason.trim();
        let Some(of) = self.fault_seen(id).filter(|_| !reason.is_empty()) else {
            return;
        };
        let again = if self.shared.labels.may_be_out(id) {
            reason
        } else {
            ""
        };
        let mut items = self.items(&[id], again);
        for item in &mut items {
            item.despite = Some(VerificationOverride {
                reason: reason.to_owned(),
                of: of.clone(),
            });
        }
        self.enqueue(items);
    }

    /// Returns the label's fault as shown in the preview, else as found when it was to be printed.
    fn fault_seen(&self, id: ConsignmentId) -> Option<VerificationFault> {
        let shown = self.shared.labels.preview.value();
        let shown = shown.filter(|preview| preview.subject == JobSubject::Label(id));
        let shown = shown.and_then(|preview| preview.problem.as_ref());
        shown
            .map(|problem| problem.fault.clone())
            .or_else(|| self.labels.faults.get(&id).cloned())
    }

    /// Prints the labels of new consignments, if the clerk has turned automatic printing on. A halted batch
    /// takes them along, because the printer has not come back since.
    pub(crate) fn auto_print(&mut self, mut ids: Vec<ConsignmentId>) {
        ids.retain(|id| !self.shared.labels.states.contains_key(id));
        if ids.is_empty() || !self.setup.settings.auto_print {
            return;
        }
        if self
            .setup
            .settings
            .printer_for(DocumentKind::ItemLabels)
            .is_err()
        {
            let advice = "Automatic printing is on: choose a printer on Labels";
            let headline = "Labels not printed: no printer is chosen";
            let notice = Notice::new(Tone::Warning, headline, advice);
            return self.notify(notice.with_target(NoticeTarget::Label(ids[0])));
        }
        let items = self.items(&ids, "");
        let waits = |batch: &BatchProgress| matches!(batch.stage, BatchStage::Halted(_));
        if let Some(batch) = self
            .shared
            .labels
            .batch
            .as_mut()
            .filter(|batch| waits(batch))
        {
            batch.total += items.len();
            batch.rest.extend(items.iter().map(|item| item.consignment));
            self.labels.batches.rest.extend(items);
        } else {
            self.enqueue(items);
        }
    }

    /// Returns an item for each label that is not being printed already, without duplicates. The label of a
    /// changed consignment gets that as its reason.
    fn items(&self, ids: &[ConsignmentId], reason: &str) -> Vec<QueuedLabel> {
        let mut seen = HashSet::new();
        let mut items = Vec::with_capacity(ids.len());
        for id in ids.iter().filter(|id| seen.insert(**id)) {
            let state = self.shared.labels.state(*id);
            if *state == LabelState::Printing {
                continue;
            }
            let reason = match state {
                LabelState::Stale if reason.is_empty() => CHANGED,
                _ => reason,
            };
            items.push(QueuedLabel {
                consignment: *id,
                number: self.number_of(*id),
                size: self.shared.labels.size,
                reason: reason.to_owned(),
                despite: None,
                after: self.newest_job(*id),
            });
        }
        items
    }

    fn newest_job(&self, id: ConsignmentId) -> Option<JobId> {
        let mut jobs = self.shared.labels.jobs.iter();
        jobs.find(|job| job.is_label_of(id)).map(|job| job.id)
    }

    /// Returns whether a remaining label of a batch should still be printed: no print job since it was queued
    /// may have printed it, and without a reason no print job at all may have printed it.
    fn is_due(&self, item: &QueuedLabel) -> bool {
        let mut jobs = self.shared.labels.jobs.iter();
        let is_out_since = jobs.any(|job| {
            job.is_label_of(item.consignment) && Some(job.id) > item.after && job.may_be_out()
        });
        !is_out_since && (item.has_reason() || !self.shared.labels.may_be_out(item.consignment))
    }

    fn enqueue(&mut self, items: Vec<QueuedLabel>) {
        if items.is_empty() || self.printer_for(DocumentKind::ItemLabels).is_none() {
            return;
        }
        if self.labels.batches.running.is_some() {
            self.mark_printing(&items);
            if let Some(batch) = &mut self.shared.labels.batch {
                batch.total += items.len();
            }
            return self.labels.batches.next.extend(items);
        }
        let waits = |batch: &BatchProgress| match batch.stage {
            BatchStage::Halted(_) | BatchStage::LeftOver | BatchStage::NeedsDecision(_) => true,
            BatchStage::Stopped => !batch.rest.is_empty(),
            _ => false,
        };
        self.labels.batches.aside = self.shared.labels.batch.take().filter(waits);
        self.begin(items, Vec::new());
    }

    fn mark_printing(&mut self, items: &[QueuedLabel]) {
        for item in items {
            self.shared
                .labels
                .set_state(item.consignment, LabelState::Printing);
        }
    }

    /// Gives labels to the print queue. The shown batch continues, if there is one.
    fn begin(&mut self, items: Vec<QueuedLabel>, replaces: Vec<UnprintedLabelId>) {
        let Some(printer) = self.printer_for(DocumentKind::ItemLabels) else {
            self.reset_label_states(&items);
            return self.leave_batch(BatchStage::Stopped, items, None, replaces);
        };
        self.mark_printing(&items);
        let agreed = &self.labels.batches.agreed;
        let order = |item: &QueuedLabel| PrintOrder {
            consignment: item.consignment,
            number: item.number.clone(),
            printer: printer.clone(),
            size: item.size,
            reason: item.reason.clone(),
            verification_override: item.despite.clone(),
            accepted_shrinks: agreed.clone(),
        };
        let orders: Vec<_> = items.iter().map(order).collect();
        let batch = self
            .shared
            .labels
            .batch
            .get_or_insert_with(|| BatchProgress {
                done: 0,
                total: orders.len(),
                sent: 0,
                number: String::new(),
                printer: String::new(),
                stage: BatchStage::Running,
                failed: Vec::new(),
                rest: Vec::new(),
            });
        batch.stage = BatchStage::Running;
        batch.printer.clone_from(&printer.name);
        batch.number = items
            .first()
            .map(|item| item.number.clone())
            .unwrap_or_default();
        batch.rest.clear();
        let batches = &mut self.labels.batches;
        batches.last.0 += 1;
        let id = batches.last;
        batches.running = Some((id, items));
        self.work.submit(Request::PrintBatch(Box::new(PrintBatch {
            id,
            orders,
            replaces,
        })));
    }

    /// Updates the batch after the print job of one of its labels has changed.
    pub(super) fn batch_saw(
        &mut self,
        consignment: ConsignmentId,
        job: PrintJob,
        was_under_way: bool,
    ) {
        let Some(batch) = &mut self.shared.labels.batch else {
            return;
        };
        match job.state {
            JobState::Spooling => batch.number = job.number,
            _ if !was_under_way => {}
            JobState::Sent => {
                batch.done += 1;
                batch.sent += 1;
            }
            state => {
                let may_be_out = state == JobState::Ask;
                self.batch_lost(consignment, &job.message, may_be_out);
            }
        }
    }

    /// Records a label of the batch that failed or may have failed.
    pub(super) fn batch_lost(&mut self, consignment: ConsignmentId, words: &str, may_be_out: bool) {
        let number = self.number_of(consignment);
        let Some(batch) = &mut self.shared.labels.batch else {
            return;
        };
        batch.done += 1;
        batch.failed.push(BatchFault {
            consignment,
            number,
            reason: words.to_owned(),
            may_be_printed: may_be_out,
        });
    }

    pub(crate) fn batch_ended(&mut self, end: BatchEnd) {
        let batches = &mut self.labels.batches;
        let Some((_, items)) = batches.running.take_if(|(id, _)| *id == end.id) else {
            return;
        };
        let next = std::mem::take(&mut batches.next);
        if matches!(end.ending, BatchEndReason::Done) && !next.is_empty() {
            return self.begin(next, Vec::new());
        }
        let begun = items.len() - end.rest.len().min(items.len());
        let ended_at = begun.checked_sub(1).map(|at| items[at].clone());
        let rest: Vec<_> = items.into_iter().skip(begun).chain(next).collect();
        self.reset_label_states(&rest);
        match end.ending {
            BatchEndReason::Done => self.leave_batch(BatchStage::Ended, rest, None, Vec::new()),
            BatchEndReason::Stopped => {
                self.leave_batch(BatchStage::Stopped, rest, None, Vec::new());
            }
            BatchEndReason::Halted(words) => {
                let kept = end.rest.iter().filter_map(|(_, id)| *id);
                let kept = kept.chain(end.ended_at).collect();
                self.leave_batch(BatchStage::Halted(words), rest, ended_at, kept);
            }
            BatchEndReason::AskAboutShrinking(shrunk) => {
                let kept = end.rest.iter().filter_map(|(_, id)| *id).collect();
                self.leave_batch(BatchStage::NeedsDecision(shrunk), rest, None, kept);
            }
            BatchEndReason::NotWritten(error) => {
                self.shared.labels.batch = self.labels.batches.aside.take();
                let headline = "Nothing was printed: the print job couldn't be saved first";
                let notice = Notice::failed(headline, &error);
                self.notify(notice);
            }
        }
    }

    /// Resets labels that were not begun to their earlier state.
    fn reset_label_states(&mut self, items: &[QueuedLabel]) {
        for item in items {
            let state = self.state_without_print(item.consignment);
            self.shared.labels.set_state(item.consignment, state);
        }
    }
}
