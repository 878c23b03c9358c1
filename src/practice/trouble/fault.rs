//! The faults: every way in which a call can go wrong, with its parameters and their limits.
//!
//! The list is closed. What spoils an answer lets the operation happen first; what answers in its place happens before it
//! unless `when` says otherwise. Times are in milliseconds of real time.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};

use crate::practice::wire::Refusals;

/// Ten minutes: longer than any client waits.
const LONGEST_MS: u64 = 600_000;
/// Of a flood or a cut.
const MOST_BYTES: u64 = 1 << 30;
const MOST_LEVELS: u32 = 10_000_000;
const LONGEST_RETRY_SECONDS: u32 = 86_400;
const REDIRECTS: [u16; 4] = [301, 302, 307, 308];

/// What goes wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum Fault {
    /// The connection ends without any answer, and nothing is done.
    FailBefore {
        /// By a TCP reset in place of a close.
        #[serde(default)]
        reset: bool,
    },
    /// It is done, and the connection ends without any answer.
    FailAfter {
        /// By a TCP reset in place of a close.
        #[serde(default)]
        reset: bool,
    },
    /// It is begun late; a client that leaves meanwhile has changed nothing.
    DelayBefore { ms: u64 },
    /// It is done at once, and answered late.
    DelayAfter { ms: u64 },
    /// It is done late, be the client still there or not, and answered then.
    CommitLate { ms: u64 },
    /// It is done, and the connection ends after so many bytes of the answer, status line and headers included.
    Cut {
        at: u64,
        /// By a TCP reset in place of a close.
        #[serde(default)]
        reset: bool,
    },
    /// It is done, and the body's bytes are spoiled, as many as there were.
    Garble,
    /// It is done, and the body is the first half of itself.
    TruncatedJson,
    /// It is done, and the answer is said to be plain text.
    WrongContentType,
    /// HTTP 401, and nothing is done.
    Unauthorised,
    /// HTTP 403, and nothing is done.
    Forbidden,
    /// HTTP 429, and nothing is done.
    #[serde(rename_all = "camelCase")]
    TooMany {
        #[serde(default)]
        retry_after: Option<RetryAfter>,
    },
    /// HTTP 500.
    Internal {
        #[serde(default)]
        when: When,
    },
    /// HTTP 503.
    Unavailable {
        #[serde(default)]
        when: When,
        #[serde(default)]
        retry_after: Option<RetryAfter>,
    },
    /// HTTP 200 with a page to sign in at.
    Html {
        #[serde(default)]
        when: When,
    },
    /// HTTP 301, 302, 307 or 308.
    Redirect {
        status: u16,
        location: String,
        #[serde(default)]
        when: When,
    },
    /// It is done, and the answer is an envelope of so many bytes.
    Huge {
        bytes: u64,
        /// Whether `content-length` says so beforehand.
        #[serde(default)]
        declared: bool,
    },
    /// It is done, and the answer is an envelope whose object is nested so deep.
    Deep { levels: u32 },
    /// It is done, and a list in the answer holds each of its rows twice.
    DuplicateIds,
    /// It is done, and for this long lookups show everything as it was before.
    LookupLag { ms: u64 },
}

/// Whether the operation happens before something else is answered in its place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum When {
    /// Nothing is done.
    #[default]
    Before,
    /// It is done.
    After,
}

/// The header of this name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RetryAfter {
    pub seconds: u32,
    #[serde(default)]
    pub form: RetryForm,
}

/// The two forms that HTTP has for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RetryForm {
    /// How many.
    #[default]
    Seconds,
    /// The moment then, by the service's clock; the answer's own `date` is by that clock too.
    Date,
}

impl Fault {
    /// Adds what is wrong with its parameters.
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

    /// How long lookups lag, where it is that.
    pub(super) fn lag(&self) -> Option<Duration> {
        match self {
            Self::LookupLag { ms } => Some(Duration::from_millis(*ms)),
            _ => None,
        }
    }

    /// What is answered in the operation's place, and whether before it or after.
    pub(super) fn status_in_its_place(&self) -> Option<(StatusCode, When)> {
        let (status, when) = match self {
            Self::Unauthorised => (StatusCode::UNAUTHORIZED, When::Before),
            Self::Forbidden => (StatusCode::FORBIDDEN, When::Before),
            Self::TooMany { .. } => (StatusCode::TOO_MANY_REQUESTS, When::Before),
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
