//! The typed request of an operation. It is stored as JSON before anything is sent, and parsed once when
//! it is read back.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::{JournalError, NewOperation, Operation, OperationKind};
use draft::DraftId;
use shipping::{
    ConsignmentId, ConsignmentRequest, EditForm, ManifestGroup, PendingConsignmentId,
    PendingConsignmentRequest, PrintLabelsRequest, StatusId, StatusUpdate,
};

/// Number of consignments named in a title; the rest are only counted.
const NAMED: usize = 3;

#[derive(Debug, Clone)]
pub enum Payload {
    Create(Box<ConsignmentRequest>),
    Edit(Box<ConsignmentEdit>),
    Delete(Vec<ConsignmentId>),
    Manifest(Box<ManifestGroup>),
    Status(Vec<StatusUpdate>),
    /// A draft to save at the service.
    PendingCreate(Box<PendingConsignmentRequest>),
    /// Drafts to delete at the service.
    PendingDelete(Vec<PendingConsignmentId>),
    /// Labels for one of the service's printers, with the reason for printing labels that may already be
    /// printed. The reason is part of the title only; it is empty the first time, and when the payload is
    /// read back.
    ServicePrint(PrintLabelsRequest, String),
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
    fn parse(kind: OperationKind, json: &str) -> Result<Self, serde_json::Error> {
        Ok(match kind {
            OperationKind::Create => Self::Create(serde_json::from_str(json)?),
            OperationKind::Edit => Self::Edit(serde_json::from_str(json)?),
            OperationKind::Delete => Self::Delete(serde_json::from_str(json)?),
            OperationKind::Manifest => Self::Manifest(serde_json::from_str(json)?),
            OperationKind::Status => Self::Status(serde_json::from_str(json)?),
            OperationKind::PendingCreate => Self::PendingCreate(serde_json::from_str(json)?),
            OperationKind::PendingDelete => Self::PendingDelete(serde_json::from_str(json)?),
            OperationKind::ServicePrint => {
                Self::ServicePrint(serde_json::from_str(json)?, String::new())
            }
        })
    }

    /// Builds the operation to record. `title` is the name shown to the clerk, if there is one already.
    pub fn to_operation(
        &self,
        title: Option<String>,
        draft: Option<DraftId>,
    ) -> Result<NewOperation, JournalError> {
        Ok(NewOperation {
            kind: self.kind(),
            key: String::new(),
            title: title.unwrap_or_else(|| self.title()),
            request: self.to_json()?,
            draft,
            consignments: self.consignments(),
        })
    }

    pub const fn kind(&self) -> OperationKind {
        match self {
            Self::Create(_) => OperationKind::Create,
            Self::Edit(_) => OperationKind::Edit,
            Self::Delete(_) => OperationKind::Delete,
            Self::Manifest(_) => OperationKind::Manifest,
            Self::Status(_) => OperationKind::Status,
            Self::PendingCreate(_) => OperationKind::PendingCreate,
            Self::PendingDelete(_) => OperationKind::PendingDelete,
            Self::ServicePrint(..) => OperationKind::ServicePrint,
        }
    }

    fn to_json(&self) -> Result<String, serde_json::Error> {
        match self {
            Self::Create(request) => serde_json::to_string(request),
            Self::Edit(edit) => serde_json::to_string(edit),
            Self::Delete(ids) => serde_json::to_string(ids),
            Self::Manifest(group) => serde_json::to_string(group),
            Self::Status(updates) => serde_json::to_string(updates),
            Self::PendingCreate(request) => serde_json::to_string(request),
            Self::PendingDelete(ids) => serde_json::to_string(ids),
            Self::ServicePrint(order, _) => serde_json::to_string(order),
        }
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
            | Self::ServicePrint(..) => Vec::new(),
        }
    }

    fn title(&self) -> String {
        match self {
            Self::Create(request) => request.to.name.clone().unwrap_or_default(),
            Self::Manifest(group) => group.carrier_name.clone().unwrap_or_default(),
            Self::PendingCreate(request) => request.0.to.name.clone().unwrap_or_default(),
            Self::PendingDelete(ids) => numbers("PC", ids.iter().map(|id| id.get())),
            Self::ServicePrint(order, reason) => {
                let numbers = numbers("MS", order.consignment_ids().iter().map(|id| id.get()));
                match reason.as_str() {
                    "" => numbers,
                    reason => format!("{numbers} · reprint: {reason}"),
                }
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
