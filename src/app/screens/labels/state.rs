//! The states of labels, and the label queue: each unmanifested consignment once, with those that
//! need a person first.
//!
//! The queue holds only ids. Moving a label searches and changes two sorted lists, so that a batch
//! of hundreds is fast even with 100,000 consignments. Only another list of consignments sorts the
//! whole queue again.

pub(crate) mod command;
pub(crate) mod preview;
pub(crate) mod printers;

use std::collections::HashMap;

use jiff::Timestamp;

use crate::state::{PrintJob, Shared, ShrinkWarning, UnmanifestedList};
use shipping::ConsignmentId;

/// The state of a consignment's label.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum LabelState {
    #[default]
    Waiting,
    /// Being fetched, rendered or sent to the printer.
    Printing,
    /// Sent, and still in the printer's queue: printed soon, or cancelled when its time is up.
    InQueue(Timestamp),
    /// Sent to the printer. Whether it was printed is not known.
    Sent(Timestamp),
    /// Printed, as the clerk said.
    Printed(Timestamp),
    /// Printed before the consignment was changed, so to be printed again.
    Stale,
    /// Sent to one of the service's printers, which cannot be asked for the outcome; the text
    /// names the printer.
    AtService(String),
    /// Not sent to the printer; with the reason.
    Failed(String),
    /// Failed label verification, so printed only with an override; with the reason.
    FailedVerification(String),
    /// Possibly sent: the clerk has to look at the printer; with the message.
    Uncertain(String),
}

static WAITING: LabelState = LabelState::Waiting;

impl LabelState {
    /// Returns the part of the queue that a label in this state is in.
    pub const fn part(&self) -> LabelPart {
        match self {
            Self::Uncertain(_) => LabelPart::CheckPrinter,
            Self::Failed(_) | Self::FailedVerification(_) => LabelPart::Failed,
            Self::Printing => LabelPart::Printing,
            Self::Waiting | Self::Stale => LabelPart::Waiting,
            Self::InQueue(_) => LabelPart::InQueue,
            Self::Sent(_) | Self::Printed(_) | Self::AtService(_) => LabelPart::Sent,
        }
    }

    /// Returns true if the label may already be printed, so that printing it again needs a reason.
    pub const fn may_be_printed(&self) -> bool {
        matches!(
            self,
            Self::InQueue(_)
                | Self::Sent(_)
                | Self::Printed(_)
                | Self::AtService(_)
                | Self::Uncertain(_)
        )
    }
}

/// A part of the label queue, in the order of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelPart {
    /// A person has to look at the printer.
    CheckPrinter,
    /// Not sent to the printer, or failed verification.
    Failed,
    /// Being fetched, rendered or sent.
    Printing,
    /// In the queue of a printer that has not taken it yet.
    InQueue,
    /// Not printed yet, or changed since.
    Waiting,
    /// Sent to the printer, or to one of the service's printers.
    Sent,
}

impl LabelPart {
    /// All parts, in order.
    pub const ALL: [Self; 6] = [
        Self::CheckPrinter,
        Self::Failed,
        Self::Printing,
        Self::InQueue,
        Self::Waiting,
        Self::Sent,
    ];
}

/// The labels of all unmanifested consignments, newest first within each part.
#[derive(Debug, Clone, Default)]
pub struct LabelQueue {
    parts: [Vec<ConsignmentId>; 6],
    version: u64,
}

impl LabelQueue {
    /// Returns the number of labels.
    pub fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(Vec::is_empty)
    }

    /// Returns a part, newest first.
    pub fn part(&self, part: LabelPart) -> &[ConsignmentId] {
        &self.parts[part as usize]
    }

    /// Returns the label at this position of the whole queue.
    pub fn get(&self, mut index: usize) -> Option<ConsignmentId> {
        for part in &self.parts {
            match part.get(index) {
                Some(id) => return Some(*id),
                None => index -= part.len(),
            }
        }
        None
    }

    /// Iterates over all labels, in order.
    pub fn iter(&self) -> impl Iterator<Item = ConsignmentId> + '_ {
        self.parts.iter().flatten().copied()
    }

    /// Returns a number that changes with every change of the queue.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Fills the queue from another list of consignments.
    fn arrange(&mut self, list: &UnmanifestedList, states: &HashMap<ConsignmentId, LabelState>) {
        self.version += 1;
        self.parts.iter_mut().for_each(Vec::clear);
        // Both are in descending order of ids, so one pass over both replaces a lookup for
        // each of 100,000 rows.
        let mut known: Vec<_> = states
            .iter()
            .map(|(id, state)| (*id, state.part()))
            .collect();
        known.sort_unstable_by_key(|(id, _)| std::cmp::Reverse(*id));
        let mut known = known.into_iter().peekable();
        for one in list.iter() {
            while known.next_if(|(id, _)| *id > one.id).is_some() {}
            let part = known.next_if(|(id, _)| *id == one.id);
            let part = part.map_or(LabelPart::Waiting, |(_, part)| part);
            self.parts[part as usize].push(one.id);
        }
    }

    /// Moves a label from one part to another.
    fn moved(&mut self, id: ConsignmentId, from: LabelPart, to: LabelPart) {
        self.version += 1;
        if from == to {
            return;
        }
        if let Ok(at) = place(&self.parts[from as usize], id) {
            self.parts[from as usize].remove(at);
            if let Err(at) = place(&self.parts[to as usize], id) {
                self.parts[to as usize].insert(at, id);
            }
        }
    }
}

fn place(part: &[ConsignmentId], id: ConsignmentId) -> Result<usize, usize> {
    part.binary_search_by(|one| id.cmp(one))
}

impl Shared {
    /// Returns the state of a consignment's label.
    pub fn label_state(&self, id: ConsignmentId) -> &LabelState {
        self.label_states.get(&id).unwrap_or(&WAITING)
    }

    /// Returns true if any label of the consignment may be printed, so that printing another needs a reason.
    /// Labels from before a change do not count, unless it is not known whether they were printed.
    pub fn may_be_out(&self, id: ConsignmentId) -> bool {
        let state = self.label_state(id);
        let at_service = || *state != LabelState::Stale && self.printed_by_token.contains_key(&id);
        let mut jobs = self.jobs.iter().filter(|job| job.is_label_of(id));
        state.may_be_printed() || at_service() || jobs.any(PrintJob::may_be_out)
    }

    /// Sets the state of a label, moves it in the queue, and returns its former state.
    pub fn set_label_state(&mut self, id: ConsignmentId, state: LabelState) -> LabelState {
        let to = state.part();
        let before = if state == LabelState::Waiting {
            self.label_states.remove(&id)
        } else {
            self.label_states.insert(id, state)
        };
        let before = before.unwrap_or_default();
        self.labels.moved(id, before.part(), to);
        before
    }

    /// Returns the consignments whose labels were printed last, in order: a single one, or a whole batch.
    pub fn last_printed(&self) -> Vec<ConsignmentId> {
        let is_label = |job: &&PrintJob| job.subject.consignment().is_some();
        let mut labels = self.jobs.iter().filter(is_label);
        let Some(newest) = labels.next() else {
            return Vec::new();
        };
        let is_with_it = |job: &&PrintJob| {
            job.id == newest.id || (newest.batch != 0 && job.batch == newest.batch)
        };
        let mut last: Vec<_> = { self.jobs.iter().filter(is_with_it) }
            .filter_map(|job| job.subject.consignment())
            .collect();
        last.reverse();
        last
    }

    /// Fills the queue again, because the list of unmanifested consignments was replaced.
    pub fn arrange_labels(&mut self) {
        let none = UnmanifestedList::default();
        let list = self.unmanifested.value().unwrap_or(&none);
        self.labels.arrange(list, &self.label_states);
    }
}

/// A batch of labels that is being printed, or has ended with something to report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchProgress {
    /// Number of labels sent, or failed.
    pub done: usize,
    /// Number of labels in the batch.
    pub total: usize,
    /// Number of labels sent to the printer.
    pub sent: usize,
    /// Number of the consignment whose label is being sent.
    pub number: String,
    pub printer: String,
    pub stage: BatchStage,
    /// The labels that were not sent, in order, with the reasons.
    pub failed: Vec<BatchFault>,
    /// The labels that were not started, in order.
    pub rest: Vec<ConsignmentId>,
}

impl BatchProgress {
    /// Returns true while labels of the batch are being sent.
    pub const fn is_running(&self) -> bool {
        matches!(self.stage, BatchStage::Running | BatchStage::Stopping)
    }

    /// Returns a sentence about labels that were not printed or may have been, for the batch's
    /// card and the notice.
    pub fn not_printed(&self, with_rest: bool) -> String {
        let may_be_out = self
            .failed
            .iter()
            .filter(|fault| fault.may_be_printed)
            .count();
        let rest = if with_rest { self.rest.len() } else { 0 };
        let unprinted = self.failed.len() - may_be_out + rest;
        let number = self
            .failed
            .first()
            .map_or("The label", |first| first.number.as_str());
        let labels = |count: usize| match count {
            1 => "1 label".to_owned(),
            count => format!("{count} labels"),
        };
        match (unprinted, may_be_out) {
            (0, 1) => format!("{number} may have printed, at least in part. Check the printer"),
            (0, count) => format!("{} may have printed. Check the printer", labels(count)),
            (1, 0) if rest == 0 => format!("{number} was not printed"),
            (1, 0) => "1 label was not printed".to_owned(),
            (count, 0) => format!("{} were not printed", labels(count)),
            (count, out) => format!(
                "{} not printed, {out} may have printed. Check the printer",
                labels(count)
            ),
        }
    }
}

/// The stage of a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchStage {
    /// Labels are being sent.
    Running,
    /// Stopped by the clerk; the present label is the last.
    Stopping,
    /// Stopped. The remaining labels wait in the queue again.
    Stopped,
    /// The printer or the service accepts nothing, for the given reason. The clerk can retry, skip
    /// the label or stop.
    Halted(String),
    /// The next label would be printed much smaller than its size. The clerk decides once for all
    /// labels of this size.
    NeedsDecision(ShrinkWarning),
    /// Interrupted, because Packbench was closed.
    LeftOver,
    /// Finished, but some labels have something to report.
    Ended,
}

/// A label of a batch that was not sent, or possibly only in part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchFault {
    pub consignment: ConsignmentId,
    /// The consignment number, such as `MS200431`.
    pub number: String,
    /// The reason.
    pub reason: String,
    /// True if the label or a part of it may be printed, so that a person has to look at the printer.
    pub may_be_printed: bool,
}

/// A request to print labels again that may already be printed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ReprintRequest {
    /// All requested labels, in order.
    pub all: Vec<ConsignmentId>,
    /// The requested labels that may already be printed.
    pub maybe_printed: Vec<ConsignmentId>,
}
