//! Where labels stand, and the queue of them: each unmanifested consignment once, what needs a hand first.
//!
//! What always holds: the queue holds ids and no texts; a label that moves costs no more than its place in two short
//! lists, so that a batch of hundreds on a list of 100,000 is not felt; only another list sorts it anew.

use std::collections::HashMap;

use jiff::Timestamp;

use super::{JobState, PrintJob, Shared, Shrunk, WaitingList};
use crate::shipping::ConsignmentId;

/// Where a consignment's label stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum LabelState {
    /// Not printed yet.
    #[default]
    Waiting,
    /// Being fetched, drawn or handed over.
    Printing,
    /// Handed over, and its queue has it still: it comes out by itself, or is taken back.
    InQueue(Timestamp),
    /// Handed over to the printer: the bench knows no more.
    Sent(Timestamp),
    /// The clerk said that it came out.
    Printed(Timestamp),
    /// Printed, and the consignment was changed since: it is printed again.
    Stale,
    /// Left to a printer of the service, which can't be asked what became of it; the words say which.
    AtService(String),
    /// Not handed over; the words say why.
    Failed(String),
    /// It fails the check before ink and is not printed without the clerk's word; the words say why.
    Check(String),
    /// Perhaps handed over: look at the printer.
    Ask(String),
}

static WAITING: LabelState = LabelState::Waiting;

impl LabelState {
    /// The part of the queue that it is in.
    pub const fn part(&self) -> LabelPart {
        match self {
            Self::Ask(_) => LabelPart::Look,
            Self::Failed(_) | Self::Check(_) => LabelPart::Failed,
            Self::Printing => LabelPart::Printing,
            Self::Waiting | Self::Stale => LabelPart::Waiting,
            Self::InQueue(_) => LabelPart::InQueue,
            Self::Sent(_) | Self::Printed(_) | Self::AtService(_) => LabelPart::Sent,
        }
    }

    /// True where a label of it may be on paper: another one needs a reason.
    pub const fn may_be_out(&self) -> bool {
        matches!(
            self,
            Self::InQueue(_) | Self::Sent(_) | Self::Printed(_) | Self::AtService(_) | Self::Ask(_)
        )
    }
}

/// The parts of the queue, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelPart {
    /// Somebody has to look at the printer.
    Look,
    /// Not handed over, or not fit to be.
    Failed,
    /// On its way.
    Printing,
    /// In the queue of a printer that has not taken it yet.
    InQueue,
    /// Not printed yet, or changed since.
    Waiting,
    /// Handed over to the printer, or left to the service.
    Sent,
}

impl LabelPart {
    /// Every one, in order.
    pub const ALL: [Self; 6] = [
        Self::Look,
        Self::Failed,
        Self::Printing,
        Self::InQueue,
        Self::Waiting,
        Self::Sent,
    ];
}

/// The labels of all unmanifested consignments; the newest first in each part.
#[derive(Debug, Clone, Default)]
pub struct LabelQueue {
    parts: [Vec<ConsignmentId>; 6],
    version: u64,
}

impl LabelQueue {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.parts.iter().map(Vec::len).sum()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(Vec::is_empty)
    }

    /// One part, the newest first.
    pub fn part(&self, part: LabelPart) -> &[ConsignmentId] {
        &self.parts[part as usize]
    }

    /// The one at this place of the whole queue.
    pub fn get(&self, mut index: usize) -> Option<ConsignmentId> {
        for part in &self.parts {
            match part.get(index) {
                Some(id) => return Some(*id),
                None => index -= part.len(),
            }
        }
        None
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = ConsignmentId> + '_ {
        self.parts.iter().flatten().copied()
    }

    /// Another number after each change.
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// Sorts the labels of another list.
    fn arrange(&mut self, list: &WaitingList, states: &HashMap<ConsignmentId, LabelState>) {
        self.version += 1;
        self.parts.iter_mut().for_each(Vec::clear);
        // Both the newest first: one walk along both, and no lookup for each of 100,000.
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

    /// A label moved from one part to another.
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

impl PrintJob {
    /// True where its label may be on paper, and is not known to be out of date.
    pub fn may_be_out(&self) -> bool {
        match self.state {
            JobState::Sent | JobState::Printed => !self.outdated,
            JobState::Ask => true,
            JobState::Spooling | JobState::Failed => false,
        }
    }
}

impl Shared {
    /// Where this one's label stands.
    pub fn label_state(&self, id: ConsignmentId) -> &LabelState {
        self.label_states.get(&id).unwrap_or(&WAITING)
    }

    /// True where a label of it may be on paper, whatever became of a later one: another one needs a reason. What was
    /// printed before a change is no label of it any more, unless nobody has looked whether it came out.
    pub fn may_be_out(&self, id: ConsignmentId) -> bool {
        let state = self.label_state(id);
        let at_service = || *state != LabelState::Stale && self.printed_by_token.contains_key(&id);
        let mut jobs = self.jobs.iter().filter(|job| job.is_label_of(id));
        state.may_be_out() || at_service() || jobs.any(PrintJob::may_be_out)
    }

    /// Says where a label stands now; the queue follows. Answers where it stood.
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

    /// Whose labels were printed last, in order: one, or all of a batch.
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

    /// Sorts the queue anew: the list of what is unmanifested is another one.
    pub fn arrange_labels(&mut self) {
        let none = WaitingList::default();
        let list = self.unmanifested.value().unwrap_or(&none);
        self.labels.arrange(list, &self.label_states);
    }
}

/// A batch of labels, on its way or ended with something to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchProgress {
    /// Handed over, or have said why not.
    pub done: usize,
    /// Of how many.
    pub total: usize,
    /// Handed over.
    pub sent: usize,
    /// The label that is being handed over.
    pub number: String,
    /// The printer.
    pub printer: String,
    /// How it stands.
    pub stage: BatchStage,
    /// What was not handed over, in order, with why.
    pub failed: Vec<BatchFault>,
    /// What was not begun, in order.
    pub rest: Vec<ConsignmentId>,
}

impl BatchProgress {
    /// True while labels of it are on their way.
    pub const fn is_running(&self) -> bool {
        matches!(self.stage, BatchStage::Running | BatchStage::Stopping)
    }

    /// What did not come out, and what may have: the same on the card and in the notice.
    pub fn not_printed(&self, with_rest: bool) -> String {
        let may_be_out = self.failed.iter().filter(|fault| fault.may_be_out).count();
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
            (0, 1) => format!("{number} may have come out, or part of it: look at the printer"),
            (0, count) => format!("{} may have come out: look at the printer", labels(count)),
            (1, 0) if rest == 0 => format!("{number} was not printed"),
            (1, 0) => "1 label was not printed".to_owned(),
            (count, 0) => format!("{} were not printed", labels(count)),
            (count, out) => format!(
                "{} not printed, {out} may have come out: look at the printer",
                labels(count)
            ),
        }
    }
}

/// How a batch stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BatchStage {
    /// Labels are on their way.
    Running,
    /// The clerk stopped it: the label under way is the last.
    Stopping,
    /// The clerk stopped it, or it could not go on: what is left waits again.
    Stopped,
    /// The printer or the service takes nothing, as the words say: to be tried again, left out, or stopped.
    Halted(String),
    /// The next label would be printed much smaller than it is: the clerk decides once for all of its size.
    Asks(Shrunk),
    /// Packbench was closed in the middle of it.
    LeftOver,
    /// Each label was taken up, and some have something to say.
    Ended,
}

/// A label of a batch that was not handed over, or of which only a part may have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchFault {
    /// Whose label.
    pub consignment: ConsignmentId,
    /// `MS200431`.
    pub number: String,
    /// Why not.
    pub words: String,
    /// It may have come out, or part of it: somebody has to look at the printer.
    pub may_be_out: bool,
}

/// Labels that are asked for again although they may be on paper already.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PrintAgain {
    /// All that were asked for, in order.
    pub all: Vec<ConsignmentId>,
    /// Those of them that may be out already.
    pub out: Vec<ConsignmentId>,
}
