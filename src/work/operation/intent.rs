//! What an operation sends, frozen: written into the journal before it leaves, and read back exactly so.

use serde::{Deserialize, Serialize};

use crate::draft::DraftId;
use crate::journal::{JournalError, Kind, NewOperation, Operation};
use crate::shipping::{
    ConsignmentId, ConsignmentRequest, EditForm, LabelOrder, ManifestGroup, PendingConsignmentId,
    PendingConsignmentRequest, StatusId, StatusUpdate,
};

/// Numbers named in a title; the rest is counted.
const NAMED: usize = 3;

/// A write, with all that it sends.
#[derive(Debug, Clone)]
pub(in crate::work) enum Intent {
    Create(Box<ConsignmentRequest>),
    Edit(Box<Edit>),
    Delete(Vec<ConsignmentId>),
    Manifest(Box<ManifestGroup>),
    Status(Vec<StatusUpdate>),
    PendingCreate(Box<PendingConsignmentRequest>),
    PendingDelete(Vec<PendingConsignmentId>),
    /// With why labels are printed that may be out; empty the first time.
    ServicePrint(LabelOrder, String),
}

/// A change of an unmanifested consignment: the form as the clerk saw it, and as they want it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::work) struct Edit {
    pub(in crate::work) seen: EditForm,
    pub(in crate::work) form: EditForm,
}

impl Intent {
    /// What `operation` sends.
    pub(super) fn of(operation: &Operation) -> Result<Self, JournalError> {
        let text = operation.request.as_str();
        Ok(match operation.kind {
            Kind::Create => Self::Create(serde_json::from_str(text)?),
            Kind::Edit => Self::Edit(serde_json::from_str(text)?),
            Kind::Delete => Self::Delete(serde_json::from_str(text)?),
            Kind::Manifest => Self::Manifest(serde_json::from_str(text)?),
            Kind::Status => Self::Status(serde_json::from_str(text)?),
            Kind::PendingCreate => Self::PendingCreate(serde_json::from_str(text)?),
            Kind::PendingDelete => Self::PendingDelete(serde_json::from_str(text)?),
            Kind::ServicePrint => Self::ServicePrint(serde_json::from_str(text)?, String::new()),
        })
    }

    /// The row that it becomes: `title` is what the clerk calls it, where it has a name of its own.
    pub(super) fn row(
        &self,
        title: Option<String>,
        draft: Option<DraftId>,
    ) -> Result<NewOperation, JournalError> {
        Ok(NewOperation {
            kind: self.kind(),
            key: String::new(),
            title: title.unwrap_or_else(|| self.title()),
            request: self.request()?,
            draft,
            consignments: self.consignments(),
        })
    }

    pub(super) const fn kind(&self) -> Kind {
        match self {
            Self::Create(_) => Kind::Create,
            Self::Edit(_) => Kind::Edit,
            Self::Delete(_) => Kind::Delete,
            Self::Manifest(_) => Kind::Manifest,
            Self::Status(_) => Kind::Status,
            Self::PendingCreate(_) => Kind::PendingCreate,
            Self::PendingDelete(_) => Kind::PendingDelete,
            Self::ServicePrint(..) => Kind::ServicePrint,
        }
    }

    fn request(&self) -> Result<String, serde_json::Error> {
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

    /// The consignments that nobody else may change meanwhile.
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
            Self::Create(request) => request.to_name.clone().unwrap_or_default(),
            Self::Manifest(group) => group.carrier_name.clone().unwrap_or_default(),
            Self::PendingCreate(request) => request.to_name.clone().unwrap_or_default(),
            Self::PendingDelete(ids) => numbers("PC", ids.iter().map(|id| id.get())),
            Self::ServicePrint(order, reason) => {
                let numbers = numbers("MS", order.consignment_ids().iter().map(|id| id.get()));
                match reason.as_str() {
                    "" => numbers,
                    reason => format!("{numbers} · again: {reason}"),
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
