//! Batches of labels: the running batch, labels that a batch did not print, and the clerk's decision about them.
//!
//! Invariants: the print queue has only one batch at a time. Labels that are requested during a batch wait in memory,
//! and the first of them are prepared meanwhile; if the window closes, they are shown as not printed on Labels. A label
//! is never printed twice at the same time. A label that may have been printed is printed again only with a reason.

use std::collections::HashSet;

use crate::config::{NoPrinter, with_copies};
use crate::core::Core;
use crate::state::{
    BatchCommand, BatchFault, BatchProgress, BatchStage, DocumentKind, JobId, JobState, JobSubject,
    LabelPart, LabelState, Notice, NoticeTarget, PrintJob, ReprintRequest, Screen, ShrinkWarning,
    Tone,
};
use engine::{
    BatchEnd, BatchEndReason, BatchId, ConsignmentFacts, PREPARED_AT_ONCE, PrintBatch, PrintOrder,
    Request, UnprintedLabel, UnprintedLabelId, VerificationFault, VerificationOverride,
};
use printing::profile::PrinterProfile;
use shipping::{ConsignmentId, LabelSize};

/// Reason for printing a label again after its consignment was changed.
const CHANGED: &str = "changed";

/// A label to print, on the printer that is chosen when its batch begins.
#[derive(Debug, Clone)]
struct QueuedLabel {
    consignment: ConsignmentId,
    number: String,
    size: LabelSize,
    reason: String,
    despite: Option<VerificationOverride>,
    /// The label's newest job when printing was requested. If there is a newer job, this print may be a duplicate.
    after: Option<JobId>,
}

impl QueuedLabel {
    fn to_order(&self, printer: &PrinterProfile, agreed: &[ShrinkWarning]) -> PrintOrder {
        PrintOrder {
            consignment: self.consignment,
            number: self.number.clone(),
            printer: printer.clone(),
            size: self.size,
            reason: self.reason.clone(),
            verification_override: self.despite.clone(),
            accepted_shrinks: agreed.to_vec(),
        }
    }
}

/// Labels that are being printed, and labels that a batch did not print.
#[derive(Debug, Default)]
pub(super) struct LabelBatches {
    last: BatchId,
    /// The batch in the print queue.
    running: Option<(BatchId, Vec<QueuedLabel>)>,
    /// Labels that were requested after the running batch had begun.
    next: Vec<QueuedLabel>,
    left: LeftLabels,
    /// The card of a batch that waits for a decision while another batch runs.
    aside: Option<BatchProgress>,
    /// Labels that the clerk agreed to print smaller, by printer and size, since the program started.
    agreed: Vec<ShrinkWarning>,
}

/// The labels that a batch did not print because it ended early.
#[derive(Debug, Default)]
struct LeftLabels {
    rest: Vec<QueuedLabel>,
    /// The label at which the batch ended. This label was certainly not printed.
    ended_at: Option<QueuedLabel>,
    /// Journal entries of the labels that were not printed.
    entries: Vec<UnprintedLabelId>,
}

impl Core {
    /// Prints the labels in this order. If any of them may already be printed, asks the clerk first and
    /// prints nothing yet.
    pub(crate) fn print(&mut self, ids: Vec<ConsignmentId>) {
        let is_out = |id: &ConsignmentId| self.shared.labels.may_be_out(*id);
        let out: Vec<_> = ids.iter().copied().filter(is_out).collect();
        if out.is_empty() {
            return self.enqueue(self.items(&ids, ""));
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
    pub(super) fn print_again(&mut self, ids: Vec<ConsignmentId>, reason: &str) {
        self.shared.labels.print_again = None;
        match reason.trim() {
            "" => self.print(ids),
            reason => self.enqueue(self.items(&ids, reason)),
        }
    }

    /// Prints a label that failed verification, because the clerk gave a reason (an override). The override
    /// applies only to the fault that the clerk saw. If the label may already be printed, the reason is also
    /// the reason for printing it again.
    pub(super) fn print_despite(&mut self, id: ConsignmentId, reason: &str) {
        let reason = reason.trim();
        let Some(of) = self.fault_seen(id).filter(|_| !reason.is_empty()) else {
            return;
        };
        let is_out = self.shared.labels.may_be_out(id);
        let mut items = self.items(&[id], if is_out { reason } else { "" });
        for item in &mut items {
            item.despite = Some(VerificationOverride {
                reason: reason.to_owned(),
                of: of.clone(),
            });
        }
        self.enqueue(items);
    }

    /// Returns the label's fault from the preview, or else the fault that was found when the label was to be printed.
    fn fault_seen(&self, id: ConsignmentId) -> Option<VerificationFault> {
        let shown = self.shared.labels.preview.value();
        let shown = shown.filter(|preview| preview.subject == JobSubject::Label(id));
        match shown.and_then(|preview| preview.problem.as_ref()) {
            Some(problem) => Some(problem.fault.clone()),
            None => self.labels.faults.get(&id).cloned(),
        }
    }

    /// Prints the labels of new consignments if automatic printing is on. If a batch is halted, its printer is not
    /// available again yet, so the labels are added to that batch.
    pub(crate) fn auto_print(&mut self, mut ids: Vec<ConsignmentId>) {
        ids.retain(|id| !self.shared.labels.states.contains_key(id));
        let settings = &self.setup.settings;
        if ids.is_empty() || !settings.bench.auto_print {
            return;
        }
        if self.label_printer_of(ids[0]).is_err() {
            let advice = "Automatic printing is on: choose a printer on Labels";
            let headline = "Labels not printed: no printer is chosen";
            let notice = Notice::new(Tone::Warning, headline, advice);
            return self.notify(notice.with_target(NoticeTarget::Label(ids[0])));
        }
        let items = self.items(&ids, "");
        match &mut self.shared.labels.batch {
            Some(batch) if matches!(batch.stage, BatchStage::Halted(_)) => {
                batch.total += items.len();
                batch.rest.extend(items.iter().map(|item| item.consignment));
                self.labels.batches.left.rest.extend(items);
            }
            _ => self.enqueue(items),
        }
    }

    /// Returns an item for each label that is not being printed yet, without duplicates. If no reason is given, the
    /// label of a changed consignment gets the reason `CHANGED`.
    fn items(&self, ids: &[ConsignmentId], reason: &str) -> Vec<QueuedLabel> {
        let labels = &self.shared.labels;
        let mut seen = HashSet::new();
        let mut items = Vec::with_capacity(ids.len());
        for id in ids.iter().filter(|id| seen.insert(**id)) {
            let reason = match labels.state(*id) {
                LabelState::Printing => continue,
                LabelState::Stale if reason.is_empty() => CHANGED,
                _ => reason,
            };
            items.push(QueuedLabel {
                consignment: *id,
                number: self.number_of(*id),
                size: labels.size,
                reason: reason.to_owned(),
                despite: None,
                after: labels.newest_job(*id).map(|job| job.id),
            });
        }
        items
    }

    /// Removes duplicates and labels that must no longer be printed. A label is in the list twice if it was requested
    /// again while a batch waited. A label must no longer be printed if a job from after the request may have printed
    /// it. Without a reason from the clerk, an earlier job counts too.
    fn keep_due(&self, items: &mut Vec<QueuedLabel>) {
        let labels = &self.shared.labels;
        let mut seen = HashSet::new();
        items.retain(|item| {
            let is_out_since = labels.jobs.iter().any(|job| {
                job.is_label_of(item.consignment) && Some(job.id) > item.after && job.may_be_out()
            });
            let has_reason = !item.reason.is_empty() && item.reason != CHANGED;
            seen.insert(item.consignment)
                && !is_out_since
                && (has_reason || !labels.may_be_out(item.consignment))
        });
    }

    fn enqueue(&mut self, items: Vec<QueuedLabel>) {
        if items.is_empty() {
            return;
        }
        let Some(printers) = self.label_printers(&items) else {
            return;
        };
        if self.labels.batches.running.is_some() {
            self.mark_printing(&items);
            if let Some(batch) = &mut self.shared.labels.batch {
                batch.total += items.len();
            }
            let batches = &mut self.labels.batches;
            let free = PREPARED_AT_ONCE.saturating_sub(batches.next.len());
            for (item, printer) in items.iter().zip(&printers).take(free) {
                let order = item.to_order(printer, &batches.agreed);
                self.work.reads().prepare_ahead(order);
            }
            return batches.next.extend(items);
        }
        let waits = |batch: &BatchProgress| match batch.stage {
            BatchStage::Halted(_) | BatchStage::LeftOver | BatchStage::NeedsDecision(_) => true,
            BatchStage::Stopped => !batch.rest.is_empty(),
            _ => false,
        };
        self.labels.batches.aside = self.shared.labels.batch.take().filter(waits);
        self.begin(items, Vec::new());
    }

    /// Returns the printer of a consignment's labels.
    pub(super) fn label_printer_of(&self, id: ConsignmentId) -> Result<PrinterProfile, NoPrinter> {
        let facts = self.shared.row(id).map(ConsignmentFacts::from);
        let settings = &self.setup.settings;
        let (rule, printer) = settings.rule_for(DocumentKind::ItemLabels, facts.as_ref())?;
        Ok(with_copies(printer, rule))
    }

    /// Returns the printer of each label. If a label has no printer, shows a notice and returns `None`; the caller must
    /// print none of them.
    fn label_printers(&mut self, items: &[QueuedLabel]) -> Option<Vec<PrinterProfile>> {
        let printers = items
            .iter()
            .map(|item| self.label_printer_of(item.consignment));
        let printers: Result<_, _> = printers.collect();
        self.or_tell_no_printer(printers)
    }

    fn mark_printing(&mut self, items: &[QueuedLabel]) {
        let labels = &mut self.shared.labels;
        for item in items {
            labels.set_state(item.consignment, LabelState::Printing);
        }
    }

    /// Submits labels to the print queue. If a batch is shown, that batch continues.
    fn begin(&mut self, items: Vec<QueuedLabel>, replaces: Vec<UnprintedLabelId>) {
        let Some(printers) = self.label_printers(&items) else {
            self.reset_label_states(&items);
            let left = LeftLabels {
                rest: items,
                ended_at: None,
                entries: replaces,
            };
            return self.leave_batch(BatchStage::Stopped, left);
        };
        self.mark_printing(&items);
        let batches = &mut self.labels.batches;
        let orders = items.iter().zip(&printers);
        let orders = orders.map(|(item, printer)| item.to_order(printer, &batches.agreed));
        let orders: Vec<_> = orders.collect();
        let new_batch = || BatchProgress {
            total: orders.len(),
            ..BatchProgress::default()
        };
        let batch = self.shared.labels.batch.get_or_insert_with(new_batch);
        batch.stage = BatchStage::Running;
        batch.printer = { printers.first() }.map_or_else(String::new, |one| one.name.clone());
        batch.number = items
            .first()
            .map_or_else(String::new, |item| item.number.clone());
        batch.rest.clear();
        batches.last.0 += 1;
        let id = batches.last;
        batches.running = Some((id, items));
        let rules = self.setup.settings.special_label_rules();
        self.work.submit(Request::PrintBatch(Box::new(PrintBatch {
            id,
            orders,
            rules,
            replaces,
        })));
    }

    /// Updates the batch after a change of the print job of one of its labels.
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
            JobState::Spooling => (batch.number, batch.printer) = (job.number, job.printer),
            _ if !was_under_way => {}
            JobState::Sent => {
                batch.done += 1;
                batch.sent += 1;
            }
            state => self.batch_lost(consignment, &job.message, state == JobState::Ask),
        }
    }

    /// Records a label of the batch that failed, or that may have been printed only in part.
    pub(super) fn batch_lost(&mut self, consignment: ConsignmentId, words: &str, may_be_out: bool) {
        let number = self.number_of(consignment);
        if let Some(batch) = &mut self.shared.labels.batch {
            batch.done += 1;
            batch.failed.push(BatchFault {
                consignment,
                number,
                reason: words.to_owned(),
                may_be_printed: may_be_out,
            });
        }
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
        let entries = end.rest.iter().filter_map(|(_, id)| *id);
        let (stage, ended_at, entries) = match end.ending {
            BatchEndReason::Done => (BatchStage::Ended, None, Vec::new()),
            BatchEndReason::Stopped => (BatchStage::Stopped, None, Vec::new()),
            BatchEndReason::Halted(words) => {
                let entries = entries.chain(end.ended_at).collect();
                (BatchStage::Halted(words), ended_at, entries)
            }
            BatchEndReason::AskAboutShrinking(shrunk) => {
                (BatchStage::NeedsDecision(shrunk), None, entries.collect())
            }
            BatchEndReason::NotWritten(error) => {
                self.shared.labels.batch = self.labels.batches.aside.take();
                let headline = "Nothing was printed: the print job couldn't be saved first";
                return self.notify(Notice::failed(headline, &error));
            }
        };
        let left = LeftLabels {
            rest,
            ended_at,
            entries,
        };
        self.leave_batch(stage, left);
    }

    /// Resets labels whose printing was not started to their earlier state.
    fn reset_label_states(&mut self, items: &[QueuedLabel]) {
        for item in items {
            let state = self.state_without_print(item.consignment);
            self.shared.labels.set_state(item.consignment, state);
        }
    }

    /// Ends the shown batch. Its card stays only if labels are left or failed.
    fn leave_batch(&mut self, stage: BatchStage, mut left: LeftLabels) {
        let Some(mut batch) = self.shared.labels.batch.take() else {
            return;
        };
        batch.number.clear();
        batch.stage = stage;
        let before = std::mem::take(&mut self.labels.batches.left);
        // A batch that waited for a decision is shown again, together with the labels that this batch did not print.
        if let Some(aside) = self.labels.batches.aside.take() {
            batch.failed = [aside.failed, batch.failed].concat();
            batch.total += aside.total;
            batch.done += aside.done;
            batch.sent += aside.sent;
            batch.stage = aside.stage;
            left.rest.splice(0..0, before.rest);
            left.entries.extend(before.entries);
            left.ended_at = left.ended_at.or(before.ended_at);
        }
        self.keep_due(&mut left.rest);
        batch.rest = left.rest.iter().map(|item| item.consignment).collect();
        self.labels.batches.left = left;
        self.tell_unprinted(&batch);
        let is_alone = batch.total == 1 && batch.rest.is_empty();
        if !batch.rest.is_empty() || (!batch.failed.is_empty() && !is_alone) {
            self.shared.labels.batch = Some(batch);
        }
    }

    /// Shows one notice about labels that were not printed, except on Labels, where the batch's card shows them.
    fn tell_unprinted(&mut self, batch: &BatchProgress) {
        let is_about_label =
            |notice: &Notice| matches!(notice.target, Some(NoticeTarget::Label(_)));
        let is_shown = self.shared.screen == Screen::Labels;
        let (notice, label) = match (&batch.stage, batch.rest.first(), batch.failed.first()) {
            (BatchStage::NeedsDecision(shrunk), Some(first), _) if !is_shown => {
                let advice = ShrinkWarning::ADVICE;
                (
                    Notice::new(Tone::Warning, shrunk.to_string(), advice),
                    *first,
                )
            }
            (_, _, None) => {
                if self.shared.labels.queue.part(LabelPart::Failed).is_empty() {
                    self.shared.notices.remove_where(is_about_label);
                }
                return;
            }
            _ if is_shown => return,
            (_, _, Some(first)) => {
                let is_only = batch.failed.len() + batch.rest.len() == 1;
                let advice = if is_only {
                    first.reason.clone()
                } else {
                    format!("{}: {}", first.number, first.reason)
                };
                let notice = Notice::new(Tone::Bad, batch.not_printed(true), advice);
                (notice, first.consignment)
            }
        };
        self.shared.notices.remove_where(is_about_label);
        self.notify(notice.with_target(NoticeTarget::Label(label)));
    }

    pub(super) fn run_batch(&mut self, command: BatchCommand) {
        match command {
            BatchCommand::Stop => {
                if let Some((id, _)) = &self.labels.batches.running {
                    self.work.stop_printing(*id);
                    if let Some(batch) = &mut self.shared.labels.batch {
                        batch.stage = BatchStage::Stopping;
                    }
                }
            }
            BatchCommand::Retry => self.resume_batch(true),
            BatchCommand::Continue => self.resume_batch(false),
            BatchCommand::PutAway => self.dismiss_batch(),
        }
    }

    fn resume_batch(&mut self, with_failed: bool) {
        if self.labels.batches.running.is_some()
            || self
                .label_printers(&self.labels.batches.left.rest.clone())
                .is_none()
        {
            return;
        }
        let (batches, labels) = (&mut self.labels.batches, &mut self.shared.labels);
        // A label is not retried if somebody has to check it first.
        let failed = batches.left.ended_at.take().filter(|item| {
            with_failed && matches!(labels.state(item.consignment), LabelState::Failed(_))
        });
        if let Some(batch) = &mut labels.batch {
            if let BatchStage::NeedsDecision(shrunk) = &batch.stage {
                batches.agreed.push(shrunk.clone());
            }
            if let Some(failed) = &failed {
                let is_other = |fault: &BatchFault| fault.consignment != failed.consignment;
                batch.done = batch.done.saturating_sub(1);
                batch.failed.retain(is_other);
            }
        }
        let rest = std::mem::take(&mut batches.left.rest);
        // Some labels may have been printed by another job meanwhile.
        let mut items: Vec<_> = failed.into_iter().chain(rest).collect();
        self.keep_due(&mut items);
        if items.is_empty() {
            return self.dismiss_batch();
        }
        let entries = std::mem::take(&mut self.labels.batches.left.entries);
        self.begin(items, entries);
    }

    fn dismiss_batch(&mut self) {
        let batches = &mut self.labels.batches;
        if batches.running.is_some() {
            return;
        }
        self.shared.labels.batch = None;
        let left = std::mem::take(&mut batches.left);
        if !left.entries.is_empty() {
            self.work.submit(Request::DiscardUnprinted(left.entries));
        }
    }

    /// Shows labels whose printing was requested in the previous run of the program and did not start. They are
    /// printed only if the clerk continues.
    pub(super) fn restore_batch(&mut self, unprinted: Vec<UnprintedLabel>) {
        let Some(first) = unprinted.first() else {
            return;
        };
        let headline = match unprinted.len() {
            1 => format!("{} was not printed", first.request.number),
            count => format!("{count} labels were not printed"),
        };
        let advice = "Packbench was closed first. Continue on Labels: labels already sent to the printer are not printed again";
        let shown = NoticeTarget::Label(first.request.consignment);
        let notice = Notice::new(Tone::Warning, headline, advice).with_target(shown);
        let (batches, labels) = (&mut self.labels.batches, &mut self.shared.labels);
        labels.batch = Some(BatchProgress {
            total: unprinted.len(),
            printer: first.request.printer.clone(),
            stage: BatchStage::LeftOver,
            rest: { unprinted.iter().map(|one| one.request.consignment) }.collect(),
            ..BatchProgress::default()
        });
        batches.left.entries = unprinted.iter().map(|one| one.id).collect();
        for UnprintedLabel { request, made, .. } in unprinted {
            let mut earlier = labels.jobs.iter().filter(|job| job.made < made);
            let newest = earlier.find(|job| job.is_label_of(request.consignment));
            batches.left.rest.push(QueuedLabel {
                after: newest.map(|job| job.id),
                consignment: request.consignment,
                number: request.number,
                size: request.size,
                reason: request.reason,
                // The earlier override applied only to the fault that the clerk saw at that time.
                despite: None,
            });
        }
        self.notify(notice);
    }
}
