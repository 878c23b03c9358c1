//! The ways in which a call can fail, and whether a failed call may have changed anything at the service.

use std::time::Duration;

use thiserror::Error;

use shipping::{DecodeError, DocumentError, ServiceError};

/// The reason why a call failed. Messages never quote the request or the answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// Nothing left the machine, because no connection could be established.
    #[error("the service could not be reached")]
    NeverSent,
    /// Nothing left the machine, because the service is away and no calls are sent for a while.
    #[error("the service can't be reached")]
    Away,
    /// The request was sent, and no complete answer came within the time limit.
    #[error("no answer came in time")]
    TimedOut,
    /// The request was sent, and the connection broke.
    #[error("the connection was lost before the whole answer arrived")]
    Broken,
    /// The answer has an HTTP status that the API does not define.
    #[error("the service answered with HTTP status {0}")]
    Status(u16),
    /// The answer is HTTP 429 or 503 with a request for a pause.
    #[error("the service is busy and asks for a pause (HTTP status {status})")]
    Busy {
        status: u16,
        /// The time to wait, counted from the arrival of the answer.
        pause: Duration,
    },
    /// The service refused the request for these reasons.
    #[error("the service refused")]
    Refused(Vec<ServiceError>),
    /// HTTP 401: the token is missing or not valid.
    #[error("the service does not accept the token")]
    Unauthorised,
    /// The answer does not have the format that the API defines.
    #[error("the answer could not be read: {0}")]
    Unreadable(DecodeError),
    /// A web page came instead of an answer, for example from a proxy, a sign-in page or a wrong address.
    #[error("a web page came instead of an answer")]
    WebPage,
    /// The answer is larger than this many MiB.
    #[error("the answer is larger than {0} MiB")]
    TooLarge(u64),
    /// A write was answered with both a result and errors, so its effect is unknown.
    #[error("the service reported both a result and errors")]
    Contradictory,
    /// A paged list exceeds the maximum number of rows or pages, or repeats the same page.
    #[error("the list is too long, or the service keeps sending the same rows")]
    Endless,
    /// The envelope has neither payload nor errors.
    #[error("the service answered without a result")]
    Empty,
    /// A proof of delivery was received, but cannot be used.
    #[error("{0}")]
    Document(DocumentError),
    /// The connection has no middleware.
    #[error("live prices are not set up for this connection")]
    NotSetUp,
    /// One of our own tasks ended early; the log says why.
    #[error("an internal error ended the request")]
    Internal,
}

impl Failure {
    /// Returns true if a read should be tried again, at once or after the requested pause. False if that pause is
    /// longer than `longest_wait`.
    pub(super) fn is_temporary(&self, longest_wait: Duration) -> bool {
        match self {
            Self::NeverSent | Self::Broken | Self::Status(429 | 502 | 503 | 504) => true,
            Self::Busy { pause, .. } => *pause <= longest_wait,
            _ => false,
        }
    }

    /// Returns true if the service was not reached, because of the network, the machine, or a gateway before
    /// the service.
    pub fn is_out_of_reach(&self) -> bool {
        matches!(
            self,
            Self::NeverSent
                | Self::Away
                | Self::TimedOut
                | Self::Broken
                | Self::Status(502..=504)
                | Self::Busy {
                    status: 502..=504,
                    ..
                }
        )
    }

    pub const fn pause(&self) -> Option<Duration> {
        match self {
            Self::Busy { pause, .. } => Some(*pause),
            _ => None,
        }
    }

    /// Returns true if it is proven that nothing left the machine, so the request may be sent again.
    pub fn sent_nothing(&self) -> bool {
        matches!(self, Self::NeverSent | Self::Away | Self::NotSetUp)
    }
}

/// Formats a pause, rounded up: `20 seconds`, `5 minutes`, `2 hours`.
pub fn pause_text(pause: Duration) -> String {
    let (count, unit) = match pause.as_millis().div_ceil(1000) {
        seconds @ 0..=90 => (seconds.max(1), "second"),
        seconds @ 91..=5400 => (seconds.div_ceil(60), "minute"),
        seconds => (seconds.div_ceil(3600), "hour"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}
