//! What the Operations screen lists: operations and print jobs, in the order in which they need a person.
//!
//! What always holds: the order is worked out when something changed, never while a frame is drawn.

use std::collections::HashSet;

use jiff::{SignedDuration, Timestamp};

use super::{
    Event, JobEvent, JobId, JobState, JobSubject, Kind, Operation, OperationId, OperationState,
    PrintJob, Remote, Shared,
};
use crate::shipping::{Consignment, ConsignmentId, ConsignmentRequest};

/// How long a label that was not handed over is asked about; its place in the label queue stays.
const FAILED_FOR: SignedDuration = SignedDuration::from_hours(24);

/// An operation, or a print job: the bench's own kind of operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Matter {
    /// Something that changes the service.
    Operation(OperationId),
    /// A label on its way to a printer.
    Job(JobId),
}

/// How much a matter needs a person: the first of these the most.
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

/// All matters, sorted: what needs a person first, then what is being checked or sent, then the rest, newest first.
#[derive(Debug, Default)]
pub struct Matters {
    sorted: Vec<Matter>,
    open: usize,
    waiting: usize,
    version: u64,
}

impl Matters {
    /// All of them, in order.
    pub fn all(&self) -> &[Matter] {
        &self.sorted
    }

    /// Those whose end is open, in order: the beginning of all.
    pub fn open(&self) -> &[Matter] {
        &self.sorted[..self.open]
    }

    /// Those that wait for a person, in order: the beginning of what is open.
    pub fn waiting(&self) -> &[Matter] {
        &self.sorted[..self.waiting]
    }

    /// Another number after each change.
    pub const fn version(&self) -> u64 {
        self.version
    }
}

impl Shared {
    /// Sorts the matters anew: call it after operations or print jobs have changed.
    pub fn arrange_matters(&mut self) {
        let operations = self.operations.iter().map(|operation| {
            let urgency = Urgency::of_operation(operation);
            (urgency, operation.made, Matter::Operation(operation.id))
        });
        // Newest first: the first job of a consignment says how its label stands.
        let mut seen: HashSet<JobSubject> = HashSet::new();
        let jobs = self.jobs.iter().map(|job| {
            let urgency = Urgency::of_job(job, seen.insert(job.subject), self.now);
            (urgency, job.made, Matter::Job(job.id))
        });
        let mut all: Vec<_> = operations.chain(jobs).collect();
        all.sort_by(|a, b| (a.0, b.1).cmp(&(b.0, a.1)));
        let up_to = |last: Urgency| all.partition_point(|(urgency, ..)| *urgency <= last);
        self.matters = Matters {
            open: up_to(Urgency::Ready),
            waiting: up_to(Urgency::NotDone),
            version: self.matters.version + 1,
            sorted: all.into_iter().map(|(.., matter)| matter).collect(),
        };
    }

    /// The print job with this id.
    pub fn job(&self, id: JobId) -> Option<&PrintJob> {
        self.jobs.iter().find(|job| job.id == id)
    }
}

/// When the bench looks at the service for an operation the next time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextLook {
    /// The moment.
    pub at: Timestamp,
    /// How many looks there are before it counts as not found.
    pub of: u32,
}

/// Why a consignment may not be grouped, changed or deleted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lock {
    /// The clerk just asked for something with it, and that is not written down yet.
    Asked(Kind),
    /// It is to be deleted, and that can be taken back still.
    Deleting,
    /// An open operation holds it.
    Held(OperationId),
}

/// The matter that is shown beside the list, with what was fetched for it.
#[derive(Default)]
pub struct MatterView {
    /// Which one.
    pub of: Option<Matter>,
    /// Each step of an operation.
    pub history: Remote<Vec<Event>>,
    /// Each step of a print job.
    pub job_history: Remote<Vec<JobEvent>>,
    /// What the service has where an operation is in conflict.
    pub found: Remote<Vec<Consignment>>,
    /// The consignment that was sent, where one was to be created.
    pub sent: Option<Box<ConsignmentRequest>>,
    /// What an open operation holds, with its numbers.
    pub holds: Vec<(ConsignmentId, String)>,
}
