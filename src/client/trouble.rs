//! Troubles of the practice service, for rehearsing a bad day. No live service has these addresses.

use serde::{Deserialize, Serialize};

use super::answer::Cap;
use super::ask::Ask;
use super::{Client, Failure};

/// A trouble, as it is ordered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trouble {
    /// What it is known by in the list.
    pub name: &'static str,
    /// The path of the operation, or its beginning and `*`; none is every operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<&'static str>,
    /// How many calls it strikes; none is all until it is cleared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<u32>,
    /// What goes wrong.
    pub fault: Fault,
}

/// What goes wrong: those of the practice service's faults that a clerk can rehearse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Fault {
    /// No answer, and nothing is done.
    FailBefore,
    /// It is done, and no answer comes.
    FailAfter,
    /// It is done, and the answer comes so many milliseconds late.
    DelayAfter { ms: u64 },
    /// It is done so many milliseconds later, be we still there or not.
    CommitLate { ms: u64 },
    /// It is done, and the answer ends after so many bytes.
    Cut { at: u64 },
    /// It is done, and the answer's bytes are spoilt.
    Garble,
    /// HTTP 401.
    Unauthorised,
    /// HTTP 429.
    TooMany { retry_after: RetryAfter },
    /// A page to sign in at.
    Html,
    /// It is done, and lookups do not see it for so many milliseconds.
    LookupLag { ms: u64 },
}

/// When to come again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RetryAfter {
    pub seconds: u32,
}

/// A trouble that is set, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TroubleReport {
    /// What it is cleared by.
    pub id: u64,
    /// What it was given to be known by.
    pub name: Option<String>,
    /// How often it has struck.
    pub struck: u32,
    /// It has struck as often as it was to.
    pub over: bool,
}

impl Client {
    /// `GET /practice/troubles`: what is set, in order.
    pub async fn troubles(&self) -> Result<Vec<TroubleReport>, Failure> {
        let ask = Ask::get("/practice/troubles", Vec::new(), Cap::List);
        self.transport.read(ask).await
    }

    /// `POST /practice/setTrouble`: one more.
    pub async fn set_trouble(&self, trouble: &Trouble) -> Result<TroubleReport, Failure> {
        let ask = Ask::post("/practice/setTrouble", trouble, Cap::Single);
        self.transport.write(ask).await
    }

    /// `POST /practice/clearTroubles` of this one.
    pub async fn clear_trouble(&self, id: u64) -> Result<(), Failure> {
        let ask = Ask::post_nothing("/practice/clearTroubles", Cap::Single);
        let ask = ask.with_query(vec![("id", id.to_string())]);
        self.transport.write_unanswered(ask).await
    }

    /// `POST /practice/setCarrierSpeed`: 1 is real time, 0 stands still.
    pub async fn set_carrier_speed(&self, speed: u32) -> Result<(), Failure> {
        let ask = Ask::post_nothing("/practice/setCarrierSpeed", Cap::Single);
        let ask = ask.with_query(vec![("speed", speed.to_string())]);
        self.transport.write_unanswered(ask).await
    }

    /// `POST /practice/deliverAll`: carriers deliver at once what they were booked for.
    pub async fn deliver_all(&self) -> Result<(), Failure> {
        let ask = Ask::post_nothing("/practice/deliverAll", Cap::Single);
        self.transport.write_unanswered(ask).await
    }

    /// `POST /practice/clearTroubles` of all.
    pub async fn clear_troubles(&self) -> Result<(), Failure> {
        let ask = Ask::post_nothing("/practice/clearTroubles", Cap::Single);
        self.transport.write_unanswered(ask).await
    }
}
