//! What can become of a call, and whether it may have changed the service.

use std::time::Duration;

use thiserror::Error;

use crate::shipping::{DocumentError, Misfit, ServiceError};

/// Why a call did not end with what was asked for. Texts never quote the request or the answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Failure {
    /// Nothing left the machine: no connection stood.
    #[error("the service could not be reached")]
    NeverSent,
    /// Nothing left the machine: the service is away, and calls rest for a while.
    #[error("the service is away")]
    Away,
    /// Sent, and no whole answer within the limit.
    #[error("no answer came in time")]
    TimedOut,
    /// Sent, and the connection broke.
    #[error("the connection broke before the answer was whole")]
    Broken,
    /// Answered with a status that the interface does not have.
    #[error("the service answered with HTTP status {0}")]
    Status(u16),
    /// Answered with HTTP 429 or 503: it asks for a pause.
    #[error("the service asks for a pause (HTTP status {status})")]
    Busy {
        /// 429 or 503.
        status: u16,
        /// How long, counted from the answer.
        pause: Duration,
    },
    /// Refused, in the service's words.
    #[error("the service refused")]
    Refused(Vec<ServiceError>),
    /// HTTP 401: the token is missing or not valid.
    #[error("the service does not accept the token")]
    Unauthorised,
    /// The answer is not what the interface says.
    #[error("the answer could not be read: {0}")]
    Unreadable(Misfit),
    /// A web page came instead of an answer: a proxy, a sign-in page, a wrong address.
    #[error("a web page came instead of an answer")]
    WebPage,
    /// The answer is longer than it may be.
    #[error("the answer is larger than {0} MiB")]
    TooLarge(u64),
    /// A write was answered with a result and with errors: what it did is not known.
    #[error("the service answered with a result and with errors")]
    Contradictory,
    /// A list did not end where it could.
    #[error("the list has more than 500,000 rows, or stands still")]
    Endless,
    /// The envelope has neither payload nor errors.
    #[error("the service answered without a result")]
    Empty,
    /// A proof of delivery came, and cannot be used.
    #[error("{0}")]
    Document(DocumentError),
    /// The connection has no middleware.
    #[error("live prices are not set up for this connection")]
    NotSetUp,
    /// Our own job ended early; it is logged.
    #[error("an internal error ended the request")]
    Internal,
}

impl Failure {
    /// True where a read is worth another try: at once, or after a pause that is no longer than `longest_wait`.
    pub(super) fn is_passing(&self, longest_wait: Duration) -> bool {
        match self {
            Self::NeverSent | Self::Broken | Self::Status(429 | 502 | 503 | 504) => true,
            Self::Busy { pause, .. } => *pause <= longest_wait,
            _ => false,
        }
    }

    /// True where the service was not reached: the network, the machine, or what stands before the service.
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

    /// How long the service asked to be left alone, where it did.
    pub const fn pause(&self) -> Option<Duration> {
        match self {
            Self::Busy { pause, .. } => Some(*pause),
            _ => None,
        }
    }

    /// True where it is proven that nothing left the machine: the same may be sent again.
    pub fn sent_nothing(&self) -> bool {
        matches!(self, Self::NeverSent | Self::Away | Self::NotSetUp)
    }
}

/// `20 seconds`, `5 minutes`, `2 hours`: rounded up.
pub fn pause_text(pause: Duration) -> String {
    let (count, unit) = match pause.as_millis().div_ceil(1000) {
        seconds @ 0..=90 => (seconds.max(1), "second"),
        seconds @ 91..=5400 => (seconds.div_ceil(60), "minute"),
        seconds => (seconds.div_ceil(3600), "hour"),
    };
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}
