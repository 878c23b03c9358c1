//! Labels that a batch left when it ended, and the clerk's decision about them.

use std::collections::HashSet;

use jiff::Timestamp;

use super::QueuedLabel;
use crate::core::Core;
use crate::state::{
    BatchCommand, BatchProgress, BatchStage, DocumentKind, JobId, LabelPart, LabelState, Notice,
    NoticeTarget, PrintJob, Screen, ShrinkWarning, Tone,
};
use engine::{Request, UnprintedLabel, UnprintedLabelId};
use shipping::ConsignmentId;

impl Core {
    /// Ends the shown batch. Its card stays only if labels are left or failed.
    pub(super) fn leave_batch(
        &mut self,
        stage: BatchStage,
        rest: Vec<QueuedLabel>,
        ended_at: Option<QueuedLabel>,
        kept: Vec<UnprintedLabelId>,
    ) {
        let Some(mut batch) = self.shared.labels.batch.take() else {
            return;
        };
        batch.number.clear();
        batch.stage = stage;
        let batches = &mut self.labels.batches;
        // A batch that waited for a decision still waits, together with what this batch leaves.
        if let Some(aside) = batches.aside.take() {
            batch.failed = [aside.failed, batch.failed].concat();
            batch.total += aside.total;
            batch.done += aside.done;
            batch.sent += aside.sent;
            batch.stage = aside.stage;
        } else {
            batches.rest.clear();
            batches.replaces.clear();
            batches.ended_at = None;
        }
        if ended_at.is_some() {
            batches.ended_at = ended_at;
        }
        batches.rest.extend(rest);
        batches.replaces.extend(kept);
        let mut left = std::mem::take(&mut batches.rest);
        keep_first_of_each(&mut left);
        left.retain(|item| self.is_due(item));
        batch.rest = left.iter().map(|item| item.consignment).collect();
        self.labels.batches.rest = left;
        let told = batch.clone();
        let is_alone = told.total == 1 && told.rest.is_empty();
        if !batch.rest.is_empty() || (!batch.failed.is_empty() && !is_alone) {
            self.shared.labels.batch = Some(batch);
        }
        self.tell_unprinted(&told);
    }

    /// Shows a single notice about labels that were not printed. On Labels, the queue and the card show that.
    fn tell_unprinted(&mut self, batch: &BatchProgress) {
        let is_said = |notice: &Notice| matches!(notice.target, Some(NoticeTarget::Label(_)));
        if let (BatchStage::NeedsDecision(shrunk), Some(first)) = (&batch.stage, batch.rest.first())
            && self.shared.screen != Screen::Labels
        {
            self.shared.notices.remove_where(is_said);
            let notice = Notice::new(Tone::Warning, shrunk.to_string(), ShrinkWarning::ADVICE);
            return self.notify(notice.with_target(NoticeTarget::Label(*first)));
        }
        let Some(first) = batch.failed.first() else {
            if self.shared.labels.queue.part(LabelPart::Failed).is_empty() {
                self.shared.notices.remove_where(is_said);
            }
            return;
        };
        if self.shared.screen == Screen::Labels {
            return;
        }
        let headline = batch.not_printed(true);
        let advice = if batch.failed.len() + batch.rest.len() == 1 {
            first.reason.clone()
        } else {
            format!("{}: {}", first.number, first.reason)
        };
        self.shared.notices.remove_where(is_said);
        let notice = Notice::new(Tone::Bad, headline, advice);
        self.notify(notice.with_target(NoticeTarget::Label(first.consignment)));
    }

    pub(in crate::screens::labels::update) fn run_batch(&mut self, command: BatchCommand) {
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
            || self.printer_for(DocumentKind::ItemLabels).is_none()
        {
            return;
        }
        let batches = &mut self.labels.batches;
        if let Some(BatchStage::NeedsDecision(shrunk)) =
            self.shared.labels.batch.as_ref().map(|one| &one.stage)
        {
            batches.agreed.push(shrunk.clone());
        }
        let failed = batches.ended_at.take().filter(|_| with_failed);
        let rest = std::mem::take(&mut batches.rest);
        let replaces = std::mem::take(&mut batches.replaces);
        // A label that somebody has to check first is not retried.
        let failed = failed.filter(|item| {
            matches!(
                self.shared.labels.state(item.consignment),
                LabelState::Failed(_)
            )
        });
        if let Some(batch) = &mut self.shared.labels.batch
            && let Some(failed) = &failed
        {
            batch.done = batch.done.saturating_sub(1);
            batch
                .failed
                .retain(|fault| fault.consignment != failed.consignment);
        }
        // Some labels may have been printed in another way meanwhile.
        let mut items: Vec<_> = failed.into_iter().chain(rest).collect();
        keep_first_of_each(&mut items);
        items.retain(|item| self.is_due(item));
        if items.is_empty() {
            return self.dismiss_batch();
        }
        self.begin(items, replaces);
    }

    fn dismiss_batch(&mut self) {
        if self.labels.batches.running.is_some() {
            return;
        }
        self.shared.labels.batch = None;
        let batches = &mut self.labels.batches;
        batches.rest.clear();
        batches.ended_at = None;
        let kept = std::mem::take(&mut batches.replaces);
        if !kept.is_empty() {
            self.work.submit(Request::DiscardUnprinted(kept));
        }
    }

    /// Shows labels that the previous run was asked to print and did not begin. They are printed only if the
    /// clerk continues.
    pub(in crate::screens::labels::update) fn restore_batch(
        &mut self,
        unprinted: Vec<UnprintedLabel>,
    ) {
        let Some(first) = unprinted.first() else {
            return;
        };
        let count = unprinted.len();
        let headline = match count {
            1 => format!("{} was not printed", first.request.number),
            count => format!("{count} labels were not printed"),
        };
        let advice = "Packbench was closed first. Continue on Labels: labels already sent to the printer are not printed again";
        let shown = NoticeTarget::Label(first.request.consignment);
        let notice = Notice::new(Tone::Warning, headline, advice).with_target(shown);
        let (batches, jobs) = (&mut self.labels.batches, &self.shared.labels.jobs);
        batches.replaces = unprinted.iter().map(|one| one.id).collect();
        let printer = first.request.printer.clone();
        batches.rest = unprinted
            .into_iter()
            .map(
                |UnprintedLabel {
                     request: wanted,
                     made,
                     ..
                 }| QueuedLabel {
                    after: newest_before(jobs, wanted.consignment, made),
                    consignment: wanted.consignment,
                    number: wanted.number,
                    size: wanted.size,
                    reason: wanted.reason,
                    // An override applied only to the fault that the clerk saw then.
                    despite: None,
                },
            )
            .collect();
        self.shared.labels.batch = Some(BatchProgress {
            done: 0,
            total: count,
            sent: 0,
            number: String::new(),
            printer,
            stage: BatchStage::LeftOver,
            failed: Vec::new(),
            rest: { batches.rest.iter().map(|item| item.consignment) }.collect(),
        });
        self.notify(notice);
    }
}

/// Removes duplicates: a label that was asked for again while a batch waited is in the list twice.
fn keep_first_of_each(items: &mut Vec<QueuedLabel>) {
    let mut seen = HashSet::new();
    items.retain(|item| seen.insert(item.consignment));
}

/// Returns the newest job of a consignment from before the time when another label was asked for.
fn newest_before(jobs: &[PrintJob], id: ConsignmentId, asked: Timestamp) -> Option<JobId> {
    let mut jobs = jobs.iter();
    jobs.find(|job| job.is_label_of(id) && job.made < asked)
        .map(|job| job.id)
}
