//! Sets faults at the practice service for practice drills. Only the practice service has these paths.

use serde::{Deserialize, Serialize};

use super::response::SizeLimit;
use super::transport::ApiRequest;
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
    /// The id for [`Client::clear_fault`].
    pub id: u64,
    /// The name that was given when the fault was set.
    pub name: Option<String>,
    /// The number of calls affected so far.
    pub struck: u32,
    /// The fault has affected all the calls that it was set for.
    pub over: bool,
}

impl Client {
    /// `GET /practice/troubles`. Returns the faults in the order in which they were set.
    pub async fn faults(&self) -> Result<Vec<FaultReport>, Failure> {
        self.get("/practice/troubles", Vec::new(), SizeLimit::List)
            .await
    }

    /// `POST /practice/setTrouble`. Adds a fault.
    pub async fn set_fault(&self, trouble: &InjectedFault) -> Result<FaultReport, Failure> {
        let ask = ApiRequest::post("/practice/setTrouble", trouble, SizeLimit::Single);
        self.transport.write(ask).await
    }

    /// `POST /practice/clearTroubles` with an id: clears one fault.
    pub async fn clear_fault(&self, id: u64) -> Result<(), Failure> {
        let query = vec![("id", id.to_string())];
        self.control("/practice/clearTroubles", query).await
    }

    /// `POST /practice/clearTroubles` without an id: clears all faults.
    pub async fn clear_faults(&self) -> Result<(), Failure> {
        self.control("/practice/clearTroubles", Vec::new()).await
    }

    /// `POST /practice/setCarrierSpeed`. At 1 carriers move in real time, at 0 they stand still.
    pub async fn set_carrier_speed(&self, speed: u32) -> Result<(), Failure> {
        let query = vec![("speed", speed.to_string())];
        self.control("/practice/setCarrierSpeed", query).await
    }

    /// `POST /practice/deliverAll`. Delivers everything at once that carriers have been booked for.
    pub async fn deliver_all(&self) -> Result<(), Failure> {
        self.control("/practice/deliverAll", Vec::new()).await
    }

    /// Sends `POST path?query` without a body.
    async fn control(&self, path: &str, query: Vec<(&'static str, String)>) -> Result<(), Failure> {
        let ask = ApiRequest::post_nothing(path, SizeLimit::Single).with_query(query);
        self.transport.write_without_payload(ask).await
    }
}
