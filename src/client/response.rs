//! Reads one HTTP response: its status, its media type, and its body up to a size limit.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde::de::DeserializeOwned;

use super::Failure;
use shipping::{
    DecodeError, Envelope, PartialList, UnreadableRecord, read_acknowledgement, read_envelope,
    read_list,
};

const MIB: u64 = 1024 * 1024;

/// Longer pauses are shortened to this.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);

#[derive(Debug, Clone, Copy)]
pub(super) enum SizeLimit {
    Single,
    List,
    File,
}

impl SizeLimit {
    const fn mebibytes(self) -> u64 {
        match self {
            Self::Single => 1,
            Self::List => 4,
            Self::File => 32,
        }
    }
}

/// A response whose body has been read but not parsed.
#[derive(Debug)]
pub(super) struct RawResponse {
    pub(super) status: StatusCode,
    pub(super) content_type: String,
    pub(super) bytes: Vec<u8>,
}

/// Reads a response. HTTP 401, and HTTP 429 or 503 with a `Retry-After` header, become failures. A date in
/// `Retry-After` is counted from `now`.
pub(super) async fn read_response(
    response: Response,
    cap: SizeLimit,
    now: Timestamp,
) -> Result<RawResponse, Failure> {
    let status = response.status();
    if status == StatusCode::UNAUTHORIZED {
        return Err(Failure::Unauthorised);
    }
    let asks_for_a_pause = matches!(
        status,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE
    );
    if asks_for_a_pause && let Some(pause) = retry_after(response.headers(), now) {
        let status = status.as_u16();
        return Err(Failure::Busy { status, pause });
    }
    let content_type = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_ascii_lowercase();
    Ok(RawResponse {
        status,
        content_type,
        bytes: read_body(response, cap.mebibytes()).await?,
    })
}

/// Returns the body of an answer that must be JSON with HTTP status 200.
pub(super) fn json(raw: RawResponse) -> Result<Vec<u8>, Failure> {
    check_json(&raw)?;
    Ok(raw.bytes)
}

/// Checks that an answer has HTTP status 200 and is no web page.
pub(super) fn check_json(raw: &RawResponse) -> Result<(), Failure> {
    if raw.status != StatusCode::OK {
        return Err(Failure::Status(raw.status.as_u16()));
    }
    let html = raw.content_type.starts_with("text/html");
    if html || raw.bytes.trim_ascii_start().starts_with(b"<") {
        return Err(Failure::WebPage);
    }
    Ok(())
}

/// Reads the payload out of an answer's envelope.
pub(super) fn read_payload<T: DeserializeOwned>(raw: RawResponse) -> Result<T, Failure> {
    into_payload(read_envelope(&json(raw)?))
}

/// Reads a list, or one page of it, from the answer of `path`. Records that can't be read are listed separately.
pub(super) fn into_list<T: DeserializeOwned>(
    path: &str,
    body: &[u8],
) -> Result<PartialList<T>, Failure> {
    let list: PartialList<T> = into_payload(read_list(body))?;
    log_unread(path, &list.unreadable);
    Ok(list)
}

/// Logs which parts of records could not be read, but never their values.
pub(super) fn log_unread(path: &str, unread: &[UnreadableRecord]) {
    for one in unread {
        let (place, expected) = (&one.path, &one.expected);
        tracing::warn!(path, place, expected, "a record could not be read");
    }
}

/// Reads the answer to a write, which is an object or a list of objects.
pub(super) fn written<T: DeserializeOwned>(raw: RawResponse) -> Result<T, Failure> {
    match read_envelope(&json(raw)?) {
        Ok(Envelope::Mixed(_)) => Err(Failure::Contradictory),
        read => into_payload(read),
    }
}

/// Reads the answer to a write that has no payload: `{errors, success}`, or an envelope whose content is ignored.
pub(super) fn acknowledgement(raw: RawResponse) -> Result<(), Failure> {
    match read_acknowledgement(&json(raw)?).map_err(Failure::Unreadable)? {
        Envelope::Done(_) => Ok(()),
        Envelope::Refused(errors) => Err(Failure::Refused(errors)),
        Envelope::Mixed(_) => Err(Failure::Contradictory),
    }
}

async fn read_body(mut response: Response, mebibytes: u64) -> Result<Vec<u8>, Failure> {
    let limit = mebibytes * MIB;
    let length = response.content_length();
    if length.is_some_and(|length| length > limit) {
        return Err(Failure::TooLarge(mebibytes));
    }
    let mut body = Vec::new();
    let failed = |error| failure_of_send(&error);
    while let Some(chunk) = response.chunk().await.map_err(failed)? {
        if body.len() as u64 + chunk.len() as u64 > limit {
            return Err(Failure::TooLarge(mebibytes));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Classifies the error of a call that got no complete answer, judging by the error alone.
pub(super) fn failure_of_send(error: &reqwest::Error) -> Failure {
    if error.is_connect() || error.is_builder() {
        Failure::NeverSent
    } else if error.is_timeout() {
        Failure::TimedOut
    } else {
        Failure::Broken
    }
}

/// Reads `Retry-After`, which is a number of seconds or an HTTP date.
fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that is too large for `u64` means a long pause.
        let seconds = value.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds).min(LONGEST_PAUSE));
    }
    let at = DateTimeParser::new().parse_timestamp(value).ok()?;
    // A date in the past means no pause.
    let pause = Duration::try_from(at.duration_since(now)).unwrap_or_default();
    Some(pause.min(LONGEST_PAUSE))
}

/// Converts an envelope into its payload or the failure that it reports.
pub(super) fn into_payload<T>(read: Result<Envelope<T>, DecodeError>) -> Result<T, Failure> {
    match read.map_err(Failure::Unreadable)? {
        Envelope::Done(Some(payload)) => Ok(payload),
        Envelope::Done(None) => Err(Failure::Empty),
        Envelope::Refused(errors) | Envelope::Mixed(errors) => Err(Failure::Refused(errors)),
    }
}
