//! The action items on the Operations screen: operations and print jobs. Items that need a person come first.
//!
//! The order is computed when operations or print jobs change, never while a frame is drawn.

use std::collections::{HashMap, HashSet};

use jiff::{SignedDuration, Timestamp};

use crate::state::{
    HistoryEntry, JobHistoryEntry, JobId, JobState, JobSubject, Operation, OperationDecision,
    OperationId, OperationKind, OperationState, PrintJob, Remote, Shared,
};
use engine::{ClaimRelease, WorkgroupOverview};
use shipping::{Consignment, ConsignmentId};
use workgroup::Claim;

/// How long a label that failed to print stays an action item. It stays in the label queue for longer.
const FAILED_FOR: SignedDuration = SignedDuration::from_hours(24);

/// An operation or a print job that may need a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActionItem {
    /// An operation that changes data at the service.
    Operation(OperationId),
    Job(JobId),
}

/// How urgently an action item needs a person, the most urgent first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    Conflict,
    Question,
    NotDone,
    Unknown,
    Sending,
    Ready,
    Settled,
}

impl Urgency {
    const fn of_operation(operation: &Operation) -> Self {
        match operation.state {
            OperationState::Conflict => Self::Conflict,
            OperationState::Ask => Self::Question,
            OperationState::Absent => Self::NotDone,
            OperationState::Unknown => Self::Unknown,
            OperationState::Sending => Self::Sending,
            OperationState::Ready => Self::Ready,
            OperationState::Done | OperationState::Rejected | OperationState::Discarded => {
                Self::Settled
            }
        }
    }

    fn of_job(job: &PrintJob, is_newest: bool, now: Timestamp) -> Self {
        let is_fresh = is_newest && now.duration_since(job.changed) < FAILED_FOR;
        match job.state {
            JobState::Ask => Self::Question,
            JobState::Failed if is_fresh => Self::NotDone,
            JobState::Spooling => Self::Sending,
            JobState::Failed | JobState::Sent | JobState::Printed => Self::Settled,
        }
    }
}

/// All action items: first the items that need a person, then items that are being checked or sent, then all
/// other items, newest first.
#[derive(Debug, Default)]
pub struct ActionItems {
    sorted: Vec<ActionItem>,
    open: usize,
    waiting: usize,
    version: u64,
}

impl ActionItems {
    /// Returns all items, in order.
    pub fn all(&self) -> &[ActionItem] {
        &self.sorted
    }

    /// Returns the open items, which come first in [`Self::all`].
    pub fn open(&self) -> &[ActionItem] {
        &self.sorted[..self.open]
    }

    /// Returns the items that need a person, which come first in [`Self::open`].
    pub fn waiting(&self) -> &[ActionItem] {
        &self.sorted[..self.waiting]
    }

    /// Returns a number that changes with every change of the items.
    pub const fn version(&self) -> u64 {
        self.version
    }
}

impl Shared {
    /// Sorts the action items again. Must be called after operations or print jobs have changed.
    pub fn sort_action_items(&mut self) {
        let operations = self.operations.list.iter().map(|operation| {
            let urgency = Urgency::of_operation(operation);
            (urgency, operation.made, ActionItem::Operation(operation.id))
        });
        // Jobs are newest first, so the first job of a consignment gives the state of its label.
        let mut seen: HashSet<JobSubject> = HashSet::new();
        let jobs = self.labels.jobs.iter().map(|job| {
            let urgency = Urgency::of_job(job, seen.insert(job.subject), self.now);
            (urgency, job.made, ActionItem::Job(job.id))
        });
        let mut all: Vec<_> = operations.chain(jobs).collect();
        all.sort_by(|a, b| (a.0, b.1).cmp(&(b.0, a.1)));
        let up_to = |last: Urgency| all.partition_point(|(urgency, ..)| *urgency <= last);
        self.operations.action_items = ActionItems {
            open: up_to(Urgency::Ready),
            waiting: up_to(Urgency::NotDone),
            version: self.operations.action_items.version + 1,
            sorted: all.into_iter().map(|(.., item)| item).collect(),
        };
    }
}

impl OperationsView {
    /// Returns the open operations, newest first.
    pub fn open(&self) -> impl Iterator<Item = &Operation> {
        self.list
            .iter()
            .filter(|operation| operation.state.is_open())
    }

    pub fn by_id(&self, id: OperationId) -> Option<&Operation> {
        self.list.iter().find(|operation| operation.id == id)
    }

    /// Locks consignments for an operation that is not in the journal yet.
    pub fn lock(&mut self, ids: impl IntoIterator<Item = ConsignmentId>, by: OperationKind) {
        for id in ids {
            let lock = self.locked.entry(id);
            lock.or_insert(ConsignmentLock::Requested(by));
        }
    }

    /// Removes the locks of requests that were never written to the journal.
    pub fn unlock_requests(&mut self) {
        self.locked
            .retain(|_, lock| !matches!(lock, ConsignmentLock::Requested(_)));
    }

    /// Removes the lock of a request on one consignment.
    pub fn unlock_request(&mut self, id: ConsignmentId) {
        if let Some(ConsignmentLock::Requested(_)) = self.locked.get(&id) {
            self.locked.remove(&id);
        }
    }

    /// Locks the consignments of open operations and those that other benches have claimed, and unlocks all others.
    pub fn lock_open(&mut self, claims: &[Claim]) {
        self.locked.retain(|_, lock| {
            !matches!(
                lock,
                ConsignmentLock::InUse(_) | ConsignmentLock::OnOtherBench
            )
        });
        for operation in self.list.iter().filter(|one| one.state.is_open()) {
            let lock = ConsignmentLock::InUse(operation.id);
            let ids = operation.consignments.iter();
            self.locked.extend(ids.map(|id| (*id, lock)));
        }
        for id in claims.iter().filter_map(|claim| claim.key.consignment_id()) {
            let lock = self.locked.entry(ConsignmentId::new(id));
            lock.or_insert(ConsignmentLock::OnOtherBench);
        }
    }
}

/// The next check of an operation whose answer was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextCheck {
    pub at: Timestamp,
    /// Number of checks before the operation counts as not found.
    pub total: u32,
}

/// The reason why a consignment cannot be grouped, changed or deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsignmentLock {
    /// A command of the clerk uses the consignment, and the operation is not in the journal yet.
    Requested(OperationKind),
    /// The consignment is about to be deleted; the clerk can still undo the deletion.
    Deleting,
    /// An open operation uses the consignment.
    InUse(OperationId),
    /// An open operation of another bench uses the consignment.
    OnOtherBench,
}

/// The action item shown beside the list, with the data fetched for it.
#[derive(Default)]
pub struct ActionItemView {
    pub of: Option<ActionItem>,
    pub history: Remote<Vec<HistoryEntry>>,
    pub job_history: Remote<Vec<JobHistoryEntry>>,
    /// The consignments found at the service for an operation in conflict.
    pub found: Remote<Vec<Consignment>>,
}

/// A command on Operations.
#[derive(Debug, Clone, PartialEq)]
pub enum OperationsCommand {
    /// Apply the clerk's decision about an open operation.
    Decide(OperationId, OperationDecision),
    /// Show an item beside the list.
    Select(ActionItem),
    /// Open Operations and show an item.
    Show(ActionItem),
    /// Show all benches of the workgroup, or this bench only.
    ShowBenches(bool),
    /// Ask the service what became of the consignments that a bench has claimed.
    AskAboutClaims(Box<ClaimRelease>),
    ReleaseClaims(Box<ClaimRelease>),
    /// Let any bench take over the draft with this id, which the named bench took over and did not save.
    ReturnDraft {
        bench: String,
        id: String,
    },
}

/// All benches of the workgroup, as a supervisor sees them.
#[derive(Default)]
pub struct BenchesView {
    pub is_shown: bool,
    pub overview: Remote<WorkgroupOverview>,
    /// The claims about which the service was asked, and its answer.
    pub asked_for: Option<ClaimRelease>,
    pub asked: Remote<Vec<Consignment>>,
}

/// Operations, and everything that the Operations screen shows.
#[derive(Default)]
pub struct OperationsView {
    /// Operations, newest first.
    pub list: Vec<Operation>,
    /// Consignments that an open operation uses. They cannot be grouped, edited or deleted.
    pub locked: HashMap<ConsignmentId, ConsignmentLock>,
    pub next_checks: HashMap<OperationId, NextCheck>,
    /// Action items: operations and print jobs. Items that need a person come first.
    pub action_items: ActionItems,
    pub action_item: ActionItemView,
    pub benches: BenchesView,
}
