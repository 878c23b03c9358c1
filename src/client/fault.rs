//! Sets faults at the practice service for practice drills. Only the practice service has these paths.

use serde::{Deserialize, Serialize};

use super::response::{SizeLimit, acknowledgement, written};
use super::transport::{ApiRequest, Query, query_of};
use super::{Client, Failure};

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InjectedFault {
    /// The name shown in the list of faults.
    pub name: &'static str,
    /// The path of the operation, or the beginning of a path followed by `*`; none means every operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<&'static str>,
    /// The number of calls to affect; none means all calls until the fault is cleared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    pub fault: Fault,
}

/// The kinds of faults that a clerk can practise, a subset of the practice service's faults.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Fault {
    /// No answer comes, and the operation is not carried out.
    FailBefore,
    /// The operation is carried out, and no answer comes.
    FailAfter,
    /// The operation is carried out, and the answer comes `ms` milliseconds late.
    DelayAfter {
        ms: u64,
    },
    /// The operation is carried out `ms` milliseconds later, even if the client has disconnected by then.
    CommitLate {
        ms: u64,
    },
    /// The operation is carried out, and the answer ends after `at` bytes.
    Cut {
        at: u64,
    },
    /// The operation is carried out, and the answer's bytes are corrupted.
    Garble,
    Unauthorised,
    TooMany {
        retry_after: RetryAfter,
    },
    Html,
    /// The operation is carried out, and lookups do not see its effect for `ms` milliseconds.
    LookupLag {
        ms: u64,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RetryAfter {
    pub seconds: u32,
}

/// A fault that is set, and how often it has taken effect.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FaultReport {
    /// The id for [`Client::clear_faults`].
    pub id: u64,
    /// The name that was given when the fault was set.
    pub name: Option<String>,
    /// The number of calls affected so far.
    pub struck: u32,
    /// True if the fault has affected all calls for which it was set.
    pub over: bool,
}

impl Client {
    /// `GET /practice/troubles`. Returns the faults in the order in which they were set.
    pub async fn faults(&self) -> Result<Vec<FaultReport>, Failure> {
        let path = "/practice/troubles";
        let call = ApiRequest::get(path, Query::new(), SizeLimit::List, self.limits.read);
        self.transport.read(&call).await
    }

    /// `POST /practice/setTrouble`. Adds a fault.
    pub async fn set_fault(&self, fault: &InjectedFault) -> Result<FaultReport, Failure> {
        let path = "/practice/setTrouble";
        let call = ApiRequest::post(path, fault, SizeLimit::Single, self.limits.write)?;
        self.transport.write(&call, written).await
    }

    /// `POST /practice/clearTroubles`: clears the fault with this id, or all faults.
    pub async fn clear_faults(&self, id: Option<u64>) -> Result<(), Failure> {
        self.control("/practice/clearTroubles", query_of("id", id))
            .await
    }

    /// `POST /practice/setCarrierSpeed`. At speed 1 carriers move in real time; at speed 0 they do not move.
    pub async fn set_carrier_speed(&self, speed: u32) -> Result<(), Failure> {
        self.control("/practice/setCarrierSpeed", query_of("speed", [speed]))
            .await
    }

    /// `POST /practice/deliverAll`. Immediately delivers all consignments for which carriers are booked.
    pub async fn deliver_all(&self) -> Result<(), Failure> {
        self.control("/practice/deliverAll", Query::new()).await
    }

    /// Sends `POST path?query` without a body.
    async fn control(&self, path: &str, query: Query) -> Result<(), Failure> {
        let call = ApiRequest::post_nothing(path, SizeLimit::Single, self.limits.write);
        let call = call.with_query(query);
        self.transport.write(&call, acknowledgement).await
    }
}
