//! Batches of labels: what is on its way, what one that ended has left, and what the clerk decides about that.
//!
//! What always holds: one batch at a time is with the paper lane, and what is asked for meanwhile comes after it (until then it
//! is in memory only: after the window closed, such a label waits in the queue as before); a label that is on its way is not
//! asked for twice; what was perhaps printed is printed again only with a reason.

mod left;

use std::collections::HashSet;

use super::super::core::Core;
use crate::shipping::{ConsignmentId, LabelSize};
use crate::state::{
    BatchFault, BatchProgress, BatchStage, DocumentKind, JobId, JobState, JobSubject, LabelState,
    LeadsTo, Notice, PrintAgain, PrintJob, Screen, Shrunk, Tone,
};
use crate::work::{
    BatchEnd, BatchId, ClerkWord, Ending, Fault, PrintBatch, PrintOrder, Request, UnprintedId,
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
    despite: Option<ClerkWord>,
    /// Its newest job when it was asked for: what came later may have made this one a double.
    after: Option<JobId>,
}

impl Item {
    /// Whether a clerk wants it although a label of it may be out.
    fn has_reason(&self) -> bool {
        !self.reason.is_empty() && self.reason != CHANGED
    }
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
    /// Label sizes that the clerk agreed to print smaller since the program started.
    agreed: Vec<Shrunk>,
}

impl Core {
    /// Prints labels, in this order. Where one may be on paper already, the clerk is asked first, and nothing is printed.
    pub(in crate::app) fn print(&mut self, ids: Vec<ConsignmentId>) {
        let out = |id: &ConsignmentId| self.shared.may_be_out(*id);
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

    /// Prints labels again, with the reason; without one it is asked for.
    pub(super) fn print_again(&mut self, ids: &[ConsignmentId], reason: &str) {
        self.shared.print_again = None;
        let reason = reason.trim();
        if reason.is_empty() {
            return self.print(ids.to_vec());
        }
        let items = self.items(ids, reason);
        self.enqueue(items);
    }

    /// The clerk gave their word for a label that fails the check before ink: for what they have seen of it. Where one of it
    /// may be out already, it is why there is another one, too.
    pub(super) fn print_despite(&mut self, id: ConsignmentId, reason: &str) {
        let reason = reason.trim();
        let Some(of) = self.fault_seen(id).filter(|_| !reason.is_empty()) else {
            return;
        };
        let again = if self.shared.may_be_out(id) {
            reason
        } else {
            ""
        };
        let mut items = self.items(&[id], again);
        for item in &mut items {
            item.despite = Some(ClerkWord {
                words: reason.to_owned(),
                of: of.clone(),
            });
        }
        self.enqueue(items);
    }

    /// As it is shown, else as printing found it.
    fn fault_seen(&self, id: ConsignmentId) -> Option<Fault> {
        let shown = self.shared.preview.value();
        let shown = shown.filter(|preview| preview.subject == JobSubject::Label(id));
        let shown = shown.and_then(|preview| preview.problem.as_ref());
        shown
            .map(|problem| problem.fault.clone())
            .or_else(|| self.paper.faults.get(&id).cloned())
    }

    /// The labels of new consignments, where the clerk wants them without asking. A batch that waits for a decision takes
    /// them along: the printer has not come back since.
    pub(in crate::app) fn print_by_itself(&mut self, mut ids: Vec<ConsignmentId>) {
        ids.retain(|id| !self.shared.label_states.contains_key(id));
        if ids.is_empty() || !self.setup.settings.auto_print {
            return;
        }
        if self
            .setup
            .settings
            .printer_for(DocumentKind::ItemLabels)
            .is_err()
        {
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
                after: self.newest_job(*id),
            });
        }
        items
    }

    fn newest_job(&self, id: ConsignmentId) -> Option<JobId> {
        let mut jobs = self.shared.jobs.iter();
        jobs.find(|job| job.is_label_of(id)).map(|job| job.id)
    }

    /// Whether a label that was left is still to be printed: no later one of it may be out, and none at all without a reason.
    fn is_due(&self, item: &Item) -> bool {
        let mut jobs = self.shared.jobs.iter();
        let is_out_since = jobs.any(|job| {
            job.is_label_of(item.consignment) && Some(job.id) > item.after && job.may_be_out()
        });
        !is_out_since && (item.has_reason() || !self.shared.may_be_out(item.consignment))
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
        let waits = |batch: &BatchProgress| match batch.stage {
            BatchStage::Halted(_) | BatchStage::LeftOver | BatchStage::Asks(_) => true,
            BatchStage::Stopped => !batch.rest.is_empty(),
            _ => false,
        };
        self.paper.batches.aside = self.shared.batch.take().filter(waits);
        self.begin(items, Vec::new());
    }

    /// Says so where there is none.
    fn has_label_printer(&mut self) -> bool {
        self.printer_for(DocumentKind::ItemLabels).is_some()
    }

    fn mark_printing(&mut self, items: &[Item]) {
        for item in items {
            self.shared
                .set_label_state(item.consignment, LabelState::Printing);
        }
    }

    /// Gives labels to the paper lane; the batch that is shown goes on, where there is one.
    fn begin(&mut self, items: Vec<Item>, replaces: Vec<UnprintedId>) {
        let Some(printer) = self.printer_for(DocumentKind::ItemLabels) else {
            self.wait_again(&items);
            return self.leave_batch(BatchStage::Stopped, items, None, replaces);
        };
        self.mark_printing(&items);
        let agreed = &self.paper.batches.agreed;
        let order = |item: &Item| PrintOrder {
            consignment: item.consignment,
            number: item.number.clone(),
            printer: printer.clone(),
            size: item.size,
            reason: item.reason.clone(),
            despite: item.despite.clone(),
            agreed: agreed.clone(),
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
    pub(super) fn batch_saw(
        &mut self,
        consignment: ConsignmentId,
        job: PrintJob,
        was_under_way: bool,
    ) {
        let Some(batch) = &mut self.shared.batch else {
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
                self.batch_lost(consignment, &job.words, may_be_out);
            }
        }
    }

    /// A label of the batch is not going to be handed over.
    pub(super) fn batch_lost(&mut self, consignment: ConsignmentId, words: &str, may_be_out: bool) {
        let number = self.number_of(consignment);
        let Some(batch) = &mut self.shared.batch else {
            return;
        };
        batch.done += 1;
        batch.failed.push(BatchFault {
            consignment,
            number,
            words: words.to_owned(),
            may_be_out,
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
                let kept = end.rest.iter().filter_map(|(_, id)| *id);
                let kept = kept.chain(end.ended_at).collect();
                self.leave_batch(BatchStage::Halted(words), rest, ended_at, kept);
            }
            Ending::Asks(shrunk) => {
                let kept = end.rest.iter().filter_map(|(_, id)| *id).collect();
                self.leave_batch(BatchStage::Asks(shrunk), rest, None, kept);
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
}
