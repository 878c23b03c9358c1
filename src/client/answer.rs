//! One answer off the wire: its status, its media type, and its body up to its limit.

use reqwest::header::CONTENT_TYPE;
use reqwest::{RequestBuilder, Response, StatusCode};

use serde::de::DeserializeOwned;

use super::Failure;
use crate::shipping::{Envelope, Misfit, read_envelope};

const MIB: u64 = 1024 * 1024;

/// How much of an answer is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cap {
    /// A single record.
    Single,
    /// A list.
    List,
    /// A file.
    File,
}

impl Cap {
    const fn mebibytes(self) -> u64 {
        match self {
            Self::Single => 1,
            Self::List => 4,
            Self::File => 32,
        }
    }
}

/// A body as it came.
#[derive(Debug)]
pub(super) struct Raw {
    pub(super) status: StatusCode,
    pub(super) content_type: String,
    pub(super) bytes: Vec<u8>,
}

/// Sends a request and takes its answer.
pub(super) async fn call(request: RequestBuilder, cap: Cap) -> Result<Raw, Failure> {
    received(request.send().await.map_err(|error| lost(&error))?, cap).await
}

pub(super) async fn received(response: Response, cap: Cap) -> Result<Raw, Failure> {
    let status = response.status();
    if status == StatusCode::UNAUTHORIZED {
        return Err(Failure::Unauthorised);
    }
    let content_type = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_ascii_lowercase();
    Ok(Raw {
        status,
        content_type,
        bytes: read_body(response, cap.mebibytes()).await?,
    })
}

/// The body of an answer that must be JSON with HTTP status 200.
pub(super) fn json(raw: Raw) -> Result<Vec<u8>, Failure> {
    if raw.status != StatusCode::OK {
        return Err(Failure::Status(raw.status.as_u16()));
    }
    let html = raw.content_type.starts_with("text/html");
    if html || raw.bytes.trim_ascii_start().starts_with(b"<") {
        return Err(Failure::WebPage);
    }
    Ok(raw.bytes)
}

/// The payload of an answer.
pub(super) fn read_answer<T: DeserializeOwned>(raw: Raw) -> Result<T, Failure> {
    answered(read_envelope(&json(raw)?))
}

async fn read_body(mut response: Response, mebibytes: u64) -> Result<Vec<u8>, Failure> {
    let limit = mebibytes * MIB;
    if response
        .content_length()
        .is_some_and(|length| length > limit)
    {
        return Err(Failure::TooLarge(mebibytes));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| lost(&error))? {
        if body.len() as u64 + chunk.len() as u64 > limit {
            return Err(Failure::TooLarge(mebibytes));
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

pub(super) fn lost(error: &reqwest::Error) -> Failure {
    if error.is_connect() || error.is_builder() {
        Failure::NeverSent
    } else if error.is_timeout() {
        Failure::TimedOut
    } else {
        Failure::Broken
    }
}

/// What an envelope says.
pub(super) fn answered<T>(read: Result<Envelope<T>, Misfit>) -> Result<T, Failure> {
    match read.map_err(Failure::Unreadable)? {
        Envelope::Done(Some(payload)) => Ok(payload),
        Envelope::Done(None) => Err(Failure::Empty),
        Envelope::Refused(errors) | Envelope::Mixed(errors) => Err(Failure::Refused(errors)),
    }
}
