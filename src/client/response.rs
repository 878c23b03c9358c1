//! Reads one HTTP response: its status, its media type, and its body up to a size limit.

use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822::DateTimeParser;
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Response, StatusCode};
use serde::de::DeserializeOwned;

use super::Failure;
use shipping::{DecodeError, Envelope, read_envelope};

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

/// Classifies an error that left a call without an answer, by what the error alone proves.
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
        // A number that does not fit is a long pause in any case.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn pause(value: &'static str) -> Option<Duration> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, value.parse().expect("a header"));
        let now = "2026-11-20T03:05:00Z".parse().expect("a moment");
        retry_after(&headers, now)
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_and_nothing_else() {
        assert_eq!(pause("7"), Some(Duration::from_secs(7)));
        assert_eq!(
            pause("Fri, 20 Nov 2026 03:05:30 GMT"),
            Some(Duration::from_secs(30))
        );
        assert_eq!(
            pause("Fri, 20 Nov 2026 03:04:30 GMT"),
            Some(Duration::ZERO),
            "past"
        );
        assert_eq!(
            pause("99999999999999999999999999"),
            Some(LONGEST_PAUSE),
            "more than fits"
        );
        for none in ["", "-1", "soon", "1.5", "2026-11-20T03:05:30Z"] {
            assert_eq!(pause(none), None, "{none}");
        }
    }
}
