//! Middleware that injects a fault into a call. The fault decides whether and when the operation runs, how the
//! connection ends, and what is sent: the operation's answer with a corrupted body or header, or another answer.
//!
//! The request is read completely first. An operation that is to run then runs even if the client disconnects, except
//! with [`Fault::DelayBefore`].

use std::convert::Infallible;
use std::iter::{once, repeat_n};
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, DATE, LOCATION, RETRY_AFTER};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use futures_util::stream;
use jiff::fmt::rfc2822::DateTimePrinter;
use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::{ConnectionHandle, Fault, FaultTiming, RetryAfter, RetryForm};
use crate::http::{AppState, FAILED, failed};
use crate::wire::Envelope;

/// Limit for reading a request: more than any operation accepts, so that the operations refuse
/// long requests themselves.
const MOST_REQUEST_BYTES: usize = 4 << 20;
/// Limit for reading an answer: more than any answer of the service has.
const MOST_ANSWER_BYTES: usize = 64 << 20;
/// A huge answer is sent in pieces of this size.
const PIECE: usize = 64 << 10;
/// One byte in this many is corrupted.
const SPOILT_EVERY: usize = 7;
const SIGN_IN: &str = "<!doctype html><html lang=\"en\"><head><title>Sign in</title></head><body><h1>Sign in</h1>\
<form method=\"post\"><label>User <input name=\"user\"></label> <button>Sign in</button></form></body></html>";

/// Runs before every operation. Passes the call on unchanged if no fault is due.
pub(crate) async fn inject_fault(
    State(service): State<AppState>,
    ConnectInfo(line): ConnectInfo<ConnectionHandle>,
    path: MatchedPath,
    request: Request,
    next: Next,
) -> Response {
    // An earlier answer on this connection may have been too short for its cut, so that cut may still be planned.
    line.cancel_end();
    let Some(fault) = service.service.faults.next_fault(path.as_str()) else {
        return next.run(request).await;
    };
    let (parts, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, MOST_REQUEST_BYTES).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let path = path.as_str();
    tracing::debug!(path, ?fault, "injecting a fault into a call");
    let faults = Arc::clone(&service.service.faults);
    // A future that is not polled does nothing, so the operation runs only where the fault lets it.
    let operation = next.run(Request::from_parts(parts, Body::from(bytes)));
    if let Some((when, answer)) = in_its_place(&fault, service.service.clock.now()) {
        if when == FaultTiming::After {
            detached(operation).await;
        }
        return answer;
    }
    match fault {
        Fault::FailBefore { reset } => dropped(&line, reset),
        Fault::FailAfter { reset } => {
            detached(operation).await;
            dropped(&line, reset)
        }
        Fault::DelayBefore { ms } => {
            if faults.pause(ms).await {
                operation.await
            } else {
                dropped(&line, false)
            }
        }
        Fault::DelayAfter { ms } => {
            let answer = detached(operation).await;
            faults.pause(ms).await;
            answer
        }
        Fault::CommitLate { ms } => {
            let late = async move {
                if faults.pause(ms).await {
                    operation.await
                } else {
                    dropped(&line, false)
                }
            };
            detached(late).await
        }
        Fault::Cut { at, reset } => {
            let answer = detached(operation).await;
            line.end_after(at, reset);
            answer
        }
        fault => corrupted(&fault, detached(operation).await).await,
    }
}

/// Runs the operation in a task that continues even if the client disconnects.
async fn detached(operation: impl Future<Output = Response> + Send + 'static) -> Response {
    let happens = tokio::spawn(operation).await;
    happens.unwrap_or_else(|_panicked| interrupted())
}

/// Ends the connection before any byte of the answer is sent.
fn dropped(line: &ConnectionHandle, reset: bool) -> Response {
    line.end_after(0, reset);
    StatusCode::SERVICE_UNAVAILABLE.into_response()
}

/// Returns the answer that replaces the operation's own, and whether the operation runs first. Returns `None` for
/// faults that do not replace the answer.
fn in_its_place(fault: &Fault, now: Timestamp) -> Option<(FaultTiming, Response)> {
    let (status, when, message, retry_after) = match fault {
        Fault::Unauthorised => (401, FaultTiming::Before, "A valid token is required", None),
        Fault::Forbidden => (403, FaultTiming::Before, "This is not allowed", None),
        Fault::TooMany { retry_after } => {
            (429, FaultTiming::Before, "Too many requests", *retry_after)
        }
        Fault::Internal { when } => (500, *when, FAILED, None),
        Fault::Unavailable { when, retry_after } => {
            (503, *when, "The service is unavailable", *retry_after)
        }
        Fault::Html { when } => return Some((*when, Html(SIGN_IN).into_response())),
        Fault::Redirect {
            status,
            location,
            when,
        } => {
            let status = StatusCode::from_u16(*status).ok()?;
            return Some((
                *when,
                (status, [(LOCATION, location.as_str())]).into_response(),
            ));
        }
        _ => return None,
    };
    let headers = retry_after.map(|after| retry_headers(after, now));
    let answer = failed(
        Envelope::Object,
        StatusCode::from_u16(status).ok()?,
        message,
    );
    Some((when, (headers.unwrap_or_default(), answer).into_response()))
}

fn retry_headers(after: RetryAfter, now: Timestamp) -> HeaderMap {
    let then = now.saturating_add(SignedDuration::from_secs(after.seconds.into()));
    let date = |moment: Timestamp| DateTimePrinter::new().timestamp_to_rfc9110_string(&moment);
    let texts: Vec<(HeaderName, String)> = match (after.form, then.map(date), date(now)) {
        (RetryForm::Date, Ok(Ok(then)), Ok(now)) => vec![(RETRY_AFTER, then), (DATE, now)],
        _ => vec![(RETRY_AFTER, after.seconds.to_string())],
    };
    let header = |(name, text): (HeaderName, String)| Some((name, text.parse().ok()?));
    texts.into_iter().filter_map(header).collect()
}

/// Corrupts the answer as the fault says.
async fn corrupted(fault: &Fault, answer: Response) -> Response {
    match fault {
        Fault::WrongContentType => {
            ([(CONTENT_TYPE, "text/plain; charset=utf-8")], answer).into_response()
        }
        Fault::Garble => rewritten(answer, garbled).await,
        Fault::TruncatedJson => {
            let half = |body: Vec<u8>| body.get(..body.len() / 2).map(<[u8]>::to_vec);
            rewritten(answer, |body| half(body).unwrap_or_default()).await
        }
        Fault::DuplicateIds => rewritten(answer, doubled).await,
        Fault::Deep { levels } => json(Body::from(nested(*levels))),
        Fault::Huge { bytes, declared } => huge(*bytes, *declared),
        _ => answer,
    }
}

fn json(body: Body) -> Response {
    ([(CONTENT_TYPE, "application/json")], body).into_response()
}

async fn rewritten(answer: Response, change: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Response {
    let (mut parts, body) = answer.into_parts();
    let Ok(bytes) = to_bytes(body, MOST_ANSWER_BYTES).await else {
        return interrupted();
    };
    // The new body may have another length. The server then sets the header from the new length.
    parts.headers.remove(CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(change(bytes.to_vec())))
}

/// Corrupts bytes so that the body is neither text nor JSON.
fn garbled(mut body: Vec<u8>) -> Vec<u8> {
    let spoilt = body.iter_mut().step_by(SPOILT_EVERY);
    spoilt.for_each(|byte| *byte ^= 0xff);
    body
}

/// Repeats each row of the member `object`, if that is a list.
fn doubled(body: Vec<u8>) -> Vec<u8> {
    let Ok(mut envelope) = serde_json::from_slice::<Value>(&body) else {
        return body;
    };
    let Some(rows) = envelope.get_mut("object").and_then(Value::as_array_mut) else {
        return body;
    };
    *rows = rows.drain(..).flat_map(|row| [row.clone(), row]).collect();
    envelope.to_string().into_bytes()
}

fn nested(levels: u32) -> String {
    let levels = usize::try_from(levels).unwrap_or(usize::MAX);
    let (open, close) = ("[".repeat(levels), "]".repeat(levels));
    format!(r#"{{"object":{open}{close},"errors":null}}"#)
}

/// Returns an envelope around a very long text, generated while it is sent. If `bytes` is less than the envelope's
/// own length, the envelope is cut off.
fn huge(bytes: u64, declared: bool) -> Response {
    const ENVELOPE: &[u8] = br#"{"object":"","errors":null}"#;
    const TEXT_AT: usize = br#"{"object":""#.len();
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    let (before, after) = ENVELOPE.split_at(TEXT_AT);
    let length = bytes.saturating_sub(ENVELOPE.len());
    let lengths = repeat_n(PIECE, length / PIECE).chain([length % PIECE]);
    let text = lengths.map(|length| vec![b'x'; length]);
    let whole = once(before.to_vec())
        .chain(text)
        .chain(once(after.to_vec()));
    let body = match ENVELOPE.get(..bytes) {
        Some(cut_off) => Body::from(cut_off),
        None => Body::from_stream(stream::iter(whole.map(Ok::<_, Infallible>))),
    };
    let mut answer = json(body);
    if declared {
        answer.headers_mut().insert(CONTENT_LENGTH, bytes.into());
    }
    answer
}

/// Returns the answer to a call whose operation panicked or whose answer could not be read.
fn interrupted() -> Response {
    failed(Envelope::Object, StatusCode::INTERNAL_SERVER_ERROR, FAILED)
}
