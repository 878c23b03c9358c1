//! Batches of labels: what is on its way, what one that ended has left, and what the clerk decides about that.
//!
//! What always holds: one batch at a time is with the paper lane, and what is asked for meanwhile comes after it; a label
//! that is on its way is not asked for twice; what was perhaps printed is printed again only with a reason.

use std::collections::HashSet;

use super::super::core::Core;
use crate::shipping::{ConsignmentId, LabelSize};
use crate::state::{
    BatchCommand, BatchFault, BatchProgress, BatchStage, JobState, LabelState, LeadsTo, Notice,
    PrintAgain, PrintJob, Screen, Tone,
};
use crate::work::{
    BatchEnd, BatchId, Ending, PrintBatch, PrintOrder, Request, Unprinted, UnprintedId,
};

/// Why a label is printed again whose consignment was changed.
const CHANGED: &str = "changed";

/// A label that is to be printed, on whichever printer is chosen then.
#[derive(Debug, Clone)]
struct Item {
    consignment: ConsignmentId,
    number: String,
    size: LabelSize,
    reason: String,
    despite: Option<String>,
}

/// Labels on their way, and those that a batch has left.
#[derive(Debug, Default)]
pub(super) struct Batches {
    last: BatchId,
    /// With the paper lane.
    running: Option<(BatchId, Vec<Item>)>,
    /// Asked for since.
    next: Vec<Item>,
    /// What a batch that ended early has left.
    rest: Vec<Item>,
    /// The one that it ended at: certainly not printed.
    ended_at: Option<Item>,
    /// What the journal keeps of the rest.
    replaces: Vec<UnprintedId>,
    /// The card of a batch that waits for a decision, while another one runs.
    aside: Option<BatchProgress>,
}

impl Core {
    /// Prints labels, in this order. Where one may be on paper already, the clerk is asked first, and nothing is printed.
    pub(in crate::app) fn print(&mut self, ids: Vec<ConsignmentId>) {
        let out = |id: &ConsignmentId| self.shared.label_state(*id).may_be_out();
        let out: Vec<_> = ids.iter().copied().filter(out).collect();
        if out.is_empty() {
            let items = self.items(&ids, "");
            return self.enqueue(items);
        }
        self.shared.print_again = Some(PrintAgain { all: ids, out });
        if self.shared.screen != Screen::Labels {
            self.show(Screen::Labels);
        }
    }

    /// Prints labels again, with the reason.
    pub(super) fn print_again(&mut self, ids: &[ConsignmentId], reason: &str) {
        self.shared.print_again = None;
        let items = self.items(ids, reason.trim());
        self.enqueue(items);
    }

    /// The clerk gave their word for a label that fails the check before ink.
    pub(super) fn print_despite(&mut self, id: ConsignmentId, reason: &str) {
        let reason = reason.trim();
        if reason.is_empty() {
            return;
        }
        let mut items = self.items(&[id], "");
        for item in &mut items {
            item.despite = Some(reason.to_owned());
        }
        self.enqueue(items);
    }

    /// The labels of new consignments, where the clerk wants them without asking. A batch that waits for a decision takes
    /// them along: the printer has not come back since.
    pub(in crate::app) fn print_by_itself(&mut self, mut ids: Vec<ConsignmentId>) {
        ids.retain(|id| !self.shared.label_states.contains_key(id));
        if ids.is_empty() || !self.setup.settings.auto_print {
            return;
        }
        if self.setup.settings.label_printer().is_none() {
            let advice = "They are to be printed by themselves: choose a printer on Labels";
            let headline = "Labels wait: no printer is chosen for them";
            let notice = Notice::new(Tone::Warning, headline, advice);
            return self.notify(notice.leading_to(LeadsTo::Label(ids[0])));
        }
        let items = self.items(&ids, "");
        let waits = |batch: &BatchProgress| matches!(batch.stage, BatchStage::Halted(_));
        if let Some(batch) = self.shared.batch.as_mut().filter(|batch| waits(batch)) {
            batch.total += items.len();
            batch.rest.extend(items.iter().map(|item| item.consignment));
            self.paper.batches.rest.extend(items);
        } else {
            self.enqueue(items);
        }
    }

    /// Those that are not on their way, each once; a changed consignment's label says so.
    fn items(&self, ids: &[ConsignmentId], reason: &str) -> Vec<Item> {
        let mut seen = HashSet::new();
        let mut items = Vec::with_capacity(ids.len());
        for id in ids.iter().filter(|id| seen.insert(**id)) {
            let state = self.shared.label_state(*id);
            if *state == LabelState::Printing {
                continue;
            }
            let reason = match state {
                LabelState::Stale if reason.is_empty() => CHANGED,
                _ => reason,
            };
            items.push(Item {
                consignment: *id,
                number: self.number_of(*id),
                size: self.shared.label_size,
                reason: reason.to_owned(),
                despite: None,
            });
        }
        items
    }

    fn enqueue(&mut self, items: Vec<Item>) {
        if items.is_empty() || !self.has_label_printer() {
            return;
        }
        if self.paper.batches.running.is_some() {
            self.mark_printing(&items);
            if let Some(batch) = &mut self.shared.batch {
                batch.total += items.len();
            }
            return self.paper.batches.next.extend(items);
        }
        let waits = |batch: &BatchProgress| {
            matches!(batch.stage, BatchStage::Halted(_) | BatchStage::LeftOver)
        };
        self.paper.batches.aside = self.shared.batch.take().filter(waits);
        self.begin(items, Vec::new());
    }

    fn has_label_printer(&mut self) -> bool {
        let has = self.setup.settings.label_printer().is_some();
        if !has {
            let advice = "Choose one on Labels, or set one up there. Nothing was printed";
            let notice = Notice::new(Tone::Warning, "No printer is chosen for labels", advice);
            self.notify(notice);
        }
        has
    }

    fn mark_printing(&mut self, items: &[Item]) {
        for item in items {
            self.shared
                .set_label_state(item.consignment, LabelState::Printing);
        }
    }

    /// Gives labels to the paper lane; the batch that is shown goes on, where there is one.
    fn begin(&mut self, items: Vec<Item>, replaces: Vec<UnprintedId>) {
        let Some(printer) = self.setup.settings.label_printer().cloned() else {
            return;
        };
        self.mark_printing(&items);
        let order = |item: &Item| PrintOrder {
            consignment: item.consignment,
            number: item.number.clone(),
            printer: printer.clone(),
            size: item.size,
            reason: item.reason.clone(),
            despite: item.despite.clone(),
        };
        let orders: Vec<_> = items.iter().map(order).collect();
        let batch = self.shared.batch.get_or_insert_with(|| BatchProgress {
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
        let batches = &mut self.paper.batches;
        batches.last.0 += 1;
        let id = batches.last;
        batches.running = Some((id, items));
        self.work.submit(Request::PrintBatch(Box::new(PrintBatch {
            id,
            orders,
            replaces,
        })));
    }

    /// A label of the batch is being handed over, was, or was not.
    pub(super) fn batch_saw(&mut self, job: &PrintJob, was_under_way: bool) {
        let Some(batch) = &mut self.shared.batch else {
            return;
        };
        match job.state {
            JobState::Spooling => batch.number.clone_from(&job.number),
            _ if !was_under_way => {}
            JobState::Sent => {
                batch.done += 1;
                batch.sent += 1;
            }
            _ => self.batch_lost(job.consignment, &job.words),
        }
    }

    /// A label of the batch is not going to be handed over.
    pub(super) fn batch_lost(&mut self, consignment: ConsignmentId, words: &str) {
        let number = self.number_of(consignment);
        let Some(batch) = &mut self.shared.batch else {
            return;
        };
        batch.done += 1;
        batch.failed.push(BatchFault {
            consignment,
            number,
            words: words.to_owned(),
        });
    }

    pub(in crate::app) fn batch_ended(&mut self, end: BatchEnd) {
        let batches = &mut self.paper.batches;
        let Some((_, items)) = batches.running.take_if(|(id, _)| *id == end.id) else {
            return;
        };
        let next = std::mem::take(&mut batches.next);
        if matches!(end.ending, Ending::Done) && !next.is_empty() {
            return self.begin(next, Vec::new());
        }
        let begun = items.len() - end.rest.len().min(items.len());
        let ended_at = begun.checked_sub(1).map(|at| items[at].clone());
        let rest: Vec<_> = items.into_iter().skip(begun).chain(next).collect();
        self.wait_again(&rest);
        match end.ending {
            Ending::Done => self.leave_batch(BatchStage::Ended, rest, None, Vec::new()),
            Ending::Stopped => self.leave_batch(BatchStage::Stopped, rest, None, Vec::new()),
            Ending::Halted(words) => {
                let kept = end.rest.iter().filter_map(|(_, id)| *id).collect();
                self.leave_batch(BatchStage::Halted(words), rest, ended_at, kept);
            }
            Ending::NotWritten(error) => {
                self.shared.batch = self.paper.batches.aside.take();
                let headline = "Nothing was printed: it could not be written down first";
                let notice = Notice::failed(headline, &error);
                self.notify(notice);
            }
        }
    }

    /// What was asked for and not begun stands where it stood.
    fn wait_again(&mut self, items: &[Item]) {
        for item in items {
            let state = self.settled_state(item.consignment);
            self.shared.set_label_state(item.consignment, state);
        }
    }

    /// The card of a batch that ended: gone where there is nothing to say.
    fn leave_batch(
        &mut self,
        stage: BatchStage,
        rest: Vec<Item>,
        ended_at: Option<Item>,
        kept: Vec<UnprintedId>,
    ) {
        let Some(mut batch) = self.shared.batch.take() else {
            return;
        };
        batch.number.clear();
        batch.stage = stage;
        let batches = &mut self.paper.batches;
        // One that waited for a decision waits for it still, with what this one leaves.
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
        batch.rest = batches.rest.iter().map(|item| item.consignment).collect();
        let told = batch.clone();
        let is_alone = told.total == 1 && told.rest.is_empty();
        if !batch.rest.is_empty() || (!batch.failed.is_empty() && !is_alone) {
            self.shared.batch = Some(batch);
        }
        self.tell_unprinted(&told);
    }

    /// Said once, and on Labels by the queue and the card alone.
    fn tell_unprinted(&mut self, batch: &BatchProgress) {
        let is_said = |notice: &Notice| matches!(notice.leads_to, Some(LeadsTo::Label(_)));
        let Some(first) = batch.failed.first() else {
            if self
                .shared
                .labels
                .part(crate::state::LabelPart::Failed)
                .is_empty()
            {
                self.shared.notices.retain(|(_, notice)| !is_said(notice));
            }
            return;
        };
        if self.shared.screen == Screen::Labels {
            return;
        }
        let count = batch.failed.len() + batch.rest.len();
        let (headline, advice) = if count == 1 {
            (
                format!("{} was not printed", first.number),
                first.words.clone(),
            )
        } else {
            let headline = format!("{count} labels were not printed");
            (headline, format!("{}: {}", first.number, first.words))
        };
        self.shared.notices.retain(|(_, notice)| !is_said(notice));
        let notice = Notice::new(Tone::Bad, headline, advice);
        self.notify(notice.leading_to(LeadsTo::Label(first.consignment)));
    }

    pub(super) fn run_batch(&mut self, command: BatchCommand) {
        match command {
            BatchCommand::Stop => {
                if let Some((id, _)) = &self.paper.batches.running {
                    self.work.stop_printing(*id);
                    if let Some(batch) = &mut self.shared.batch {
                        batch.stage = BatchStage::Stopping;
                    }
                }
            }
            BatchCommand::Retry => self.go_on(true),
            BatchCommand::GoOn => self.go_on(false),
            BatchCommand::PutAway => self.put_batch_away(),
        }
    }

    fn go_on(&mut self, with_failed: bool) {
        if self.paper.batches.running.is_some() || !self.has_label_printer() {
            return;
        }
        let batches = &mut self.paper.batches;
        let failed = batches.ended_at.take().filter(|_| with_failed);
        let rest = std::mem::take(&mut batches.rest);
        let replaces = std::mem::take(&mut batches.replaces);
        // What somebody has to look at first is not printed again by this.
        let failed = failed.filter(|item| {
            matches!(
                self.shared.label_state(item.consignment),
                LabelState::Failed(_)
            )
        });
        if let Some(batch) = &mut self.shared.batch
            && let Some(failed) = &failed
        {
            batch.done = batch.done.saturating_sub(1);
            batch
                .failed
                .retain(|fault| fault.consignment != failed.consignment);
        }
        // Printed by another way meanwhile.
        let is_due = |item: &Item| {
            let state = self.shared.label_state(item.consignment);
            !item.reason.is_empty() || !state.may_be_out()
        };
        let items: Vec<_> = failed.into_iter().chain(rest).filter(is_due).collect();
        if items.is_empty() {
            return self.put_batch_away();
        }
        self.begin(items, replaces);
    }

    fn put_batch_away(&mut self) {
        if self.paper.batches.running.is_some() {
            return;
        }
        self.shared.batch = None;
        let batches = &mut self.paper.batches;
        batches.rest.clear();
        batches.ended_at = None;
        let kept = std::mem::take(&mut batches.replaces);
        if !kept.is_empty() {
            self.work.submit(Request::LeaveUnprinted(kept));
        }
    }

    /// What the last run was asked to print and did not begin: it is said, and printed only when the clerk goes on.
    pub(super) fn restore_batch(&mut self, unprinted: Vec<Unprinted>) {
        let Some(first) = unprinted.first() else {
            return;
        };
        let count = unprinted.len();
        let headline = match count {
            1 => format!("{} was not printed", first.wanted.number),
            count => format!("{count} labels were not printed"),
        };
        let advice = "Packbench was closed first. Go on on Labels: what was handed over is not printed again";
        let shown = LeadsTo::Label(first.wanted.consignment);
        let notice = Notice::new(Tone::Warning, headline, advice).leading_to(shown);
        let batches = &mut self.paper.batches;
        batches.replaces = unprinted.iter().map(|one| one.id).collect();
        let printer = first.wanted.printer.clone();
        batches.rest = unprinted
            .into_iter()
            .map(|Unprinted { wanted, .. }| Item {
                consignment: wanted.consignment,
                number: wanted.number,
                size: wanted.size,
                reason: wanted.reason,
                despite: Some(wanted.despite).filter(|words| !words.is_empty()),
            })
            .collect();
        self.shared.batch = Some(BatchProgress {
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
