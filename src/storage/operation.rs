//! An operation that changes data at the service: its kind, its state and its history.

use jiff::Timestamp;

use super::StoredRequest;
use super::sql_types::word;
use draft::DraftId;
use shipping::ConsignmentId;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OperationId(pub i64);

word! {
    OperationKind {
        Create,
        Edit,
        Delete,
        /// Books one manifest group.
        Manifest,
        /// Sets statuses by hand, including Cancelled.
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
    OperationState {
        /// Recorded, and not sent yet.
        Ready,
        /// Sent; the service may or may not have received it.
        Sending,
        Done,
        /// Refused by the service, with its reasons.
        Rejected,
        /// Sent, but the answer was lost or cannot be trusted.
        Unknown,
        /// Not found by any check: the operation did not happen.
        Absent,
        /// Found more than once, only in part, or with other content than was sent.
        Conflict,
        /// Impossible to check at the service: the clerk has to find out.
        Ask,
        Discarded,
    }
}

impl OperationKind {
    /// Returns true if the service can be asked whether the operation happened.
    pub const fn can_be_reconciled(self) -> bool {
        !matches!(
            self,
            Self::PendingCreate | Self::PendingDelete | Self::ServicePrint
        )
    }
}

impl OperationState {
    /// Returns true while the outcome is not known.
    pub const fn is_open(self) -> bool {
        !matches!(self, Self::Done | Self::Rejected | Self::Discarded)
    }
}

#[derive(Debug, Clone)]
pub struct NewOperation {
    pub kind: OperationKind,
    /// The key that the bench gives the operation; the request carries it
    /// where the service's interface allows.
    pub key: String,
    /// The name shown to the clerk.
    pub title: String,
    /// The request in JSON, as it will be sent.
    pub request: String,
    pub draft: Option<DraftId>,
    pub consignments: Vec<ConsignmentId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    pub id: OperationId,
    pub kind: OperationKind,
    pub state: OperationState,
    /// The key that the bench gave the operation.
    pub key: String,
    /// The name shown to the clerk.
    pub title: String,
    /// The request, as sent (JSON).
    pub request: StoredRequest,
    pub draft: Option<DraftId>,
    /// The consignments that the operation made or changed.
    pub consignments: Vec<ConsignmentId>,
    /// Consignments with the same references of which the clerk said that they are not this operation's.
    pub denied: Vec<ConsignmentId>,
    /// How many times the operation was sent.
    pub attempt: u32,
    /// How many times the service was checked since the answer was lost.
    pub checks: u32,
    /// Message for the clerk: the service's words, or ours.
    pub message: String,
    pub reference: String,
    /// When the operation was recorded.
    pub made: Timestamp,
    pub changed: Timestamp,
}

/// An entry in the history of an operation or a print job. Entries are only added, never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryEntry<State = OperationState> {
    /// The state from then on.
    pub state: State,
    /// Message that the clerk saw.
    pub words: String,
    pub at: Timestamp,
}
