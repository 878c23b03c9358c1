//! The faults that can be injected, with their parameters and limits.
//!
//! A fault that corrupts the answer lets the operation run first. A fault that replaces the answer prevents
//! the operation, unless `when` is `after`. Times are in milliseconds of real time.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};

use crate::wire::Refusals;

/// Ten minutes: longer than any client waits.
const LONGEST_MS: u64 = 600_000;
/// Limit for the size of a huge answer and for the offset of a cut.
const MOST_BYTES: u64 = 1 << 30;
const MOST_LEVELS: u32 = 10_000_000;
const LONGEST_RETRY_SECONDS: u32 = 86_400;
const REDIRECTS: [u16; 4] = [301, 302, 307, 308];

/// A way in which a call goes wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Fault {
    /// Ends the connection without an answer. The operation does not run.
    FailBefore {
        /// Whether the connection ends with a TCP reset in place of a close.
        #[serde(default)]
        reset: bool,
    },
    /// Runs the operation, then ends the connection without an answer.
    FailAfter {
        /// Whether the connection ends with a TCP reset in place of a close.
        #[serde(default)]
        reset: bool,
    },
    /// Runs the operation after a delay. If the client disconnects meanwhile, the operation does not run.
    DelayBefore { ms: u64 },
    /// Runs the operation at once and answers after a delay.
    DelayAfter { ms: u64 },
    /// Runs the operation and answers after a delay, even if the client disconnects meanwhile.
    CommitLate { ms: u64 },
    /// Runs the operation, then ends the connection after `at` bytes of the answer, including the status line
    /// and headers.
    Cut {
        at: u64,
        /// Whether the connection ends with a TCP reset in place of a close.
        #[serde(default)]
        reset: bool,
    },
    /// Runs the operation and corrupts the body without changing its length.
    Garble,
    /// Runs the operation and sends only the first half of the body.
    TruncatedJson,
    /// Runs the operation and declares the answer as plain text.
    WrongContentType,
    /// Answers HTTP 401. The operation does not run.
    Unauthorised,
    /// Answers HTTP 403. The operation does not run.
    Forbidden,
    /// Answers HTTP 429. The operation does not run.
    #[serde(rename_all = "camelCase")]
    TooMany {
        #[serde(default)]
        retry_after: Option<RetryAfter>,
    },
    /// Answers HTTP 500.
    Internal {
        #[serde(default)]
        when: FaultTiming,
    },
    /// Answers HTTP 503.
    Unavailable {
        #[serde(default)]
        when: FaultTiming,
        #[serde(default)]
        retry_after: Option<RetryAfter>,
    },
    /// Answers HTTP 200 with an HTML sign-in page.
    Html {
        #[serde(default)]
        when: FaultTiming,
    },
    /// Answers HTTP 301, 302, 307 or 308.
    Redirect {
        status: u16,
        location: String,
        #[serde(default)]
        when: FaultTiming,
    },
    /// Runs the operation and answers with an envelope of `bytes` bytes.
    Huge {
        bytes: u64,
        /// Whether `content-length` announces the size.
        #[serde(default)]
        declared: bool,
    },
    /// Runs the operation and answers with an envelope whose object is nested `levels` deep.
    Deep { levels: u32 },
    /// Runs the operation and repeats each row of a list in the answer.
    DuplicateIds,
    /// Runs the operation, but for `ms` milliseconds lookups show the state before it.
    LookupLag { ms: u64 },
}

/// Whether the operation runs before another answer is sent in place of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FaultTiming {
    /// The operation does not run.
    #[default]
    Before,
    /// The operation runs first.
    After,
}

/// Value of the header `Retry-After`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetryAfter {
    pub seconds: u32,
    #[serde(default)]
    pub form: RetryForm,
}

/// Form of `Retry-After`: HTTP has two.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RetryForm {
    #[default]
    Seconds,
    /// A date by the service's clock. The header `Date` of the answer uses that clock too.
    Date,
}

impl Fault {
    /// Adds invalid parameters to `refusals`.
    pub(super) fn check(&self, refusals: &mut Refusals) {
        match self {
            Self::DelayBefore { ms }
            | Self::DelayAfter { ms }
            | Self::CommitLate { ms }
            | Self::LookupLag { ms } => within(refusals, "ms", *ms, 1, LONGEST_MS),
            Self::Cut { at, .. } => within(refusals, "at", *at, 0, MOST_BYTES),
            Self::Huge { bytes, .. } => within(refusals, "bytes", *bytes, 1, MOST_BYTES),
            Self::Deep { levels } => {
                within(refusals, "levels", (*levels).into(), 1, MOST_LEVELS.into());
            }
            Self::Redirect {
                status, location, ..
            } => {
                if !REDIRECTS.contains(status) {
                    refusals.add("fault.status", "status must be 301, 302, 307 or 308");
                }
                if location.is_empty() || HeaderValue::from_str(location).is_err() {
                    refusals.add("fault.location", "location must be an address");
                }
            }
            Self::TooMany { retry_after } | Self::Unavailable { retry_after, .. } => {
                if let Some(retry_after) = retry_after {
                    let (seconds, most) = (retry_after.seconds, LONGEST_RETRY_SECONDS);
                    within(refusals, "retryAfter", seconds.into(), 0, most.into());
                }
            }
            _ => {}
        }
    }

    /// Returns how long lookups lag, if that is the fault.
    pub(super) fn lag(&self) -> Option<Duration> {
        match self {
            Self::LookupLag { ms } => Some(Duration::from_millis(*ms)),
            _ => None,
        }
    }

    /// Returns the status of the answer that replaces the operation's own, and whether the operation runs
    /// first. Returns `None` for faults that do not replace the answer.
    pub(super) fn status_in_its_place(&self) -> Option<(StatusCode, FaultTiming)> {
        let (status, when) = match self {
            Self::Unauthorised => (StatusCode::UNAUTHORIZED, FaultTiming::Before),
            Self::Forbidden => (StatusCode::FORBIDDEN, FaultTiming::Before),
            Self::TooMany { .. } => (StatusCode::TOO_MANY_REQUESTS, FaultTiming::Before),
            Self::Internal { when } => (StatusCode::INTERNAL_SERVER_ERROR, *when),
            Self::Unavailable { when, .. } => (StatusCode::SERVICE_UNAVAILABLE, *when),
            Self::Html { when } => (StatusCode::OK, *when),
            Self::Redirect { status, when, .. } => (StatusCode::from_u16(*status).ok()?, *when),
            _ => return None,
        };
        Some((status, when))
    }
}

fn within(refusals: &mut Refusals, name: &str, value: u64, least: u64, most: u64) {
    if !(least..=most).contains(&value) {
        let message = format!("{name} must be from {least} to {most}, not {value}");
        refusals.add(format!("fault.{name}"), message);
    }
}
