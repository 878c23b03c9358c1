//! The request of an operation. It is stored as JSON before anything is sent, and parsed once when it is read back.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::{NewOperation, Operation, OperationKind, Result};
use shipping::{
    ConsignmentId, ConsignmentRequest, EditForm, ManifestGroup, PendingConsignmentId,
    PendingConsignmentRequest, PrintLabelsRequest, StatusId, StatusUpdate,
};

/// Number of consignments named in a title; the rest are only counted.
const NAMED: usize = 3;

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

/// A change of an unmanifested consignment: the form that the clerk saw, and the form with the clerk's changes.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConsignmentEdit {
    pub seen: EditForm,
    pub form: EditForm,
}

/// The request of an operation as it was committed: JSON, parsed at its first use.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
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

impl From<StoredRequest> for String {
    fn from(request: StoredRequest) -> Self {
        request.json
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
    pub fn to_operation(&self) -> Result<NewOperation> {
        Ok(NewOperation {
            kind: self.kind(),
            key: String::new(),
            title: self.title(),
            request: serde_json::to_string(self)?,
            draft: None,
            consignments: self.consignments(),
        })
    }

    /// Returns the consignments that no other operation may change until this operation has ended.
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
