//! An operation that changes the service: what it is, where it stands, and each step on the way.

use jiff::Timestamp;

use super::text::word;
use crate::draft::DraftId;
use crate::shipping::ConsignmentId;

/// An operation's id on this bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperationId(pub i64);

word! {
    /// What the operation does.
    Kind {
        /// Creates a consignment.
        Create,
        /// Changes an unmanifested consignment.
        Edit,
        /// Deletes unmanifested consignments.
        Delete,
        /// Books one manifest group.
        Manifest,
        /// Sets statuses by hand, Cancelled among them.
        Status,
        /// Saves a draft at the service.
        PendingCreate,
        /// Deletes drafts at the service.
        PendingDelete,
        /// Prints labels on one of the service's printers.
        ServicePrint,
    }
}

word! {
    /// Where the operation stands.
    OperationState {
        /// Frozen, and not sent yet.
        Ready,
        /// On its way; whether it arrived is open.
        Sending,
        /// Confirmed by the service.
        Done,
        /// Refused by the service, with its reasons.
        Rejected,
        /// Sent, and no answer that can be believed.
        Unknown,
        /// Not found in any check: it did not happen.
        Absent,
        /// Found more than once, only in part, or otherwise than it was sent.
        Conflict,
        /// Nothing at the service says what became of it: the clerk has to look.
        Ask,
        /// Given up by the clerk.
        Discarded,
    }
}

impl Kind {
    /// True where the service can be asked what became of it.
    pub const fn can_be_read_back(self) -> bool {
        !matches!(
            self,
            Self::PendingCreate | Self::PendingDelete | Self::ServicePrint
        )
    }
}

impl OperationState {
    /// True while its end is not known.
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Done | Self::Rejected | Self::Discarded)
    }
}

/// An operation about to be written down.
#[derive(Debug, Clone)]
pub struct NewOperation {
    /// What it does.
    pub kind: Kind,
    /// The bench's key, carried by the request where it can be.
    pub key: String,
    /// What the clerk calls it.
    pub title: String,
    /// The request, as it will be sent (JSON).
    pub request: String,
    /// The draft that it came from.
    pub draft: Option<DraftId>,
    /// The consignments that it changes.
    pub consignments: Vec<ConsignmentId>,
}

/// An operation as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its id.
    pub id: OperationId,
    /// What it does.
    pub kind: Kind,
    /// Where it stands.
    pub state: OperationState,
    /// The bench's key.
    pub key: String,
    /// What the clerk calls it.
    pub title: String,
    /// The request, as sent (JSON).
    pub request: String,
    /// The draft that it came from.
    pub draft: Option<DraftId>,
    /// The consignments that it made or changed.
    pub consignments: Vec<ConsignmentId>,
    /// Consignments with the same references that the clerk said it is not.
    pub denied: Vec<ConsignmentId>,
    /// How often it was sent.
    pub attempt: u32,
    /// How often it was looked for since its answer was lost.
    pub checks: u32,
    /// What to tell the clerk: the service's words, or ours.
    pub words: String,
    /// The consignment number or the carrier's reference, once there is one.
    pub reference: String,
    /// When it was written down.
    pub made: Timestamp,
    /// When it last changed.
    pub changed: Timestamp,
}

/// One step of an operation's life, as it was written down: steps are only ever added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Where the operation stood from then on.
    pub state: OperationState,
    /// What the clerk was told.
    pub words: String,
    /// When.
    pub at: Timestamp,
}
