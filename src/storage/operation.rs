//! An operation that changes data at the service: its kind, its state, its history and its request. The request is
//! stored as JSON before anything is sent, and parsed once when it is read back.

use std::sync::{Arc, OnceLock};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::JournalError;
use super::sql_types::word;
use draft::DraftId;
use shipping::{
    ConsignmentId, ConsignmentRequest, EditForm, ManifestGroup, PendingConsignmentId,
    PendingConsignmentRequest, PrintLabelsRequest, StatusId, StatusUpdate,
};

/// Number of consignments named in a title; the rest are only counted.
const NAMED: usize = 3;

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
    /// The key that the bench gives the operation; the request carries it where the service's interface allows.
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
    pub key: String,
    pub title: String,
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

/// Defines [`Payload`], with a variant for each kind of operation.
macro_rules! payloads {
    ($($(#[$doc:meta])* $kind:ident($request:ty)),+ $(,)?) => {
        /// The request of an operation.
        #[derive(Debug, Clone, Serialize)]
        #[serde(untagged)]
        pub enum Payload { $($(#[$doc])* $kind($request)),+ }

        impl Payload {
            pub const fn kind(&self) -> OperationKind {
                match self { $(Self::$kind(_) => OperationKind::$kind),+ }
            }

            fn parse(kind: OperationKind, json: &str) -> Result<Self, serde_json::Error> {
                Ok(match kind {
                    $(OperationKind::$kind => Self::$kind(serde_json::from_str(json)?)),+
                })
            }
        }
    };
}

payloads! {
    Create(Box<ConsignmentRequest>),
    Edit(Box<ConsignmentEdit>),
    Delete(Vec<ConsignmentId>),
    Manifest(Box<ManifestGroup>),
    Status(Vec<StatusUpdate>),
    PendingCreate(Box<PendingConsignmentRequest>),
    PendingDelete(Vec<PendingConsignmentId>),
    ServicePrint(PrintLabelsRequest),
}

/// A change of an unmanifested consignment: the form as the clerk saw it, and as they want it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConsignmentEdit {
    pub seen: EditForm,
    pub form: EditForm,
}

/// The request of an operation as it was committed: JSON, parsed at its first use.
#[derive(Debug, Clone)]
pub struct StoredRequest {
    json: String,
    payload: Arc<OnceLock<Option<Payload>>>,
}

impl From<String> for StoredRequest {
    fn from(json: String) -> Self {
        Self {
            json,
            payload: Arc::default(),
        }
    }
}

impl PartialEq for StoredRequest {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
    }
}

impl Eq for StoredRequest {}

impl StoredRequest {
    pub fn json(&self) -> &str {
        &self.json
    }
}

impl Operation {
    /// Returns the data that the operation sends; `None` if this version cannot parse it.
    pub fn payload(&self) -> Option<&Payload> {
        let parse = || Payload::parse(self.kind, &self.request.json).ok();
        self.request.payload.get_or_init(parse).as_ref()
    }
}

impl Payload {
    pub fn to_operation(&self) -> Result<NewOperation, JournalError> {
        Ok(NewOperation {
            kind: self.kind(),
            key: String::new(),
            title: self.title(),
            request: serde_json::to_string(self)?,
            draft: None,
            consignments: self.consignments(),
        })
    }

    /// Returns the consignments that nothing else may change until the operation has ended.
    fn consignments(&self) -> Vec<ConsignmentId> {
        match self {
            Self::Edit(edit) => edit.form.id().into_iter().collect(),
            Self::Delete(ids) => ids.clone(),
            Self::Manifest(group) => group.consignment_ids.clone(),
            Self::Status(updates) => {
                let mut ids: Vec<_> = updates.iter().map(|update| update.consignment_id).collect();
                ids.dedup();
                ids
            }
            Self::Create(_)
            | Self::PendingCreate(_)
            | Self::PendingDelete(_)
            | Self::ServicePrint(_) => Vec::new(),
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Create(request) => request.to.name.clone().unwrap_or_default(),
            Self::Manifest(group) => group.carrier_name.clone().unwrap_or_default(),
            Self::PendingCreate(request) => request.0.to.name.clone().unwrap_or_default(),
            Self::PendingDelete(ids) => numbers("PC", ids.iter().map(|id| id.get())),
            Self::ServicePrint(order) => {
                numbers("MS", order.consignment_ids().iter().map(|id| id.get()))
            }
            Self::Status(updates) => {
                let status = updates.first().map(|update| update.status);
                let name = status.and_then(StatusId::name).unwrap_or("Status");
                let ids = self.consignments();
                format!("{}: {name}", numbers("MS", ids.iter().map(|id| id.get())))
            }
            Self::Edit(_) | Self::Delete(_) => {
                numbers("MS", self.consignments().iter().map(|id| id.get()))
            }
        }
    }
}

fn numbers(prefix: &str, ids: impl ExactSizeIterator<Item = i64>) -> String {
    let rest = ids.len().saturating_sub(NAMED);
    let named: Vec<_> = ids.take(NAMED).map(|id| format!("{prefix}{id}")).collect();
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    format!("{}{more}", named.join(", "))
}
