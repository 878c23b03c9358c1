//! Describes one request and builds it, and records whether its body was ever read for sending.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame, SizeHint};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Method, RequestBuilder, Response, Url};
use serde::Serialize;

use super::Failure;
use super::response::{SizeLimit, failure_of_send};

/// The parts of one request.
#[derive(Debug)]
pub(super) struct ApiRequest<'a, B: ?Sized> {
    method: Method,
    pub(super) path: &'a str,
    query: Vec<(&'static str, String)>,
    body: Option<&'a B>,
    pub(super) cap: SizeLimit,
    accept: &'static str,
}

const JSON: &str = "application/json";

impl<'a> ApiRequest<'a, ()> {
    /// Describes `GET path?query`.
    pub(super) fn get(path: &'a str, query: Vec<(&'static str, String)>, cap: SizeLimit) -> Self {
        Self::new(Method::GET, path, None, cap).with_query(query)
    }

    /// Describes `POST path` without a body.
    pub(super) fn post_nothing(path: &'a str, cap: SizeLimit) -> Self {
        Self::new(Method::POST, path, None, cap)
    }
}

impl<'a, B: ?Sized> ApiRequest<'a, B> {
    fn new(method: Method, path: &'a str, body: Option<&'a B>, cap: SizeLimit) -> Self {
        Self {
            method,
            path,
            query: Vec::new(),
            body,
            cap,
            accept: JSON,
        }
    }

    /// Describes `POST path` with `body` as JSON.
    pub(super) fn post(path: &'a str, body: &'a B, cap: SizeLimit) -> Self {
        Self::new(Method::POST, path, Some(body), cap)
    }

    /// Accepts an answer of any media type, because files come in several.
    pub(super) fn for_any_type(self) -> Self {
        Self {
            accept: "*/*",
            ..self
        }
    }

    /// Adds a query.
    pub(super) fn with_query(self, query: Vec<(&'static str, String)>) -> Self {
        Self { query, ..self }
    }

    /// Builds the request to `base_url`; `limit` is the time for the whole call.
    pub(super) fn request(
        &self,
        client: &reqwest::Client,
        base_url: &Url,
        limit: Duration,
    ) -> Result<Prepared, Failure>
    where
        B: Serialize,
    {
        let mut url = base_url.clone();
        let path = format!("{}{}", base_url.path().trim_end_matches('/'), self.path);
        url.set_path(&path);
        let builder = client
            .request(self.method.clone(), url)
            .timeout(limit)
            .header(ACCEPT, self.accept)
            .query(&self.query);
        let Some(body) = self.body else {
            let taken = None;
            return Ok(Prepared { builder, taken });
        };
        let body = serde_json::to_vec(body).map_err(|_unwritable| Failure::Internal)?;
        let taken = Arc::new(AtomicBool::new(false));
        let watched = Watched {
            bytes: Some(body.into()),
            taken: Arc::clone(&taken),
        };
        Ok(Prepared {
            builder: builder
                .header(CONTENT_TYPE, JSON)
                .body(reqwest::Body::wrap(watched)),
            taken: Some(taken),
        })
    }
}

/// A request that is ready to be sent.
#[derive(Debug)]
pub(super) struct Prepared {
    builder: RequestBuilder,
    /// Becomes true when the HTTP client first reads the body; none if there is no body.
    taken: Option<Arc<AtomicBool>>,
}

impl Prepared {
    /// Sends the request and returns the original error if no answer came.
    pub(super) async fn send_raw(self) -> reqwest::Result<Response> {
        self.builder.send().await
    }

    /// Sends the request. The error is [`Failure::NeverSent`] only if that is proven: no connection was
    /// established, or the body was never read. A request without a body may have left completely as soon as
    /// there is a connection.
    pub(super) async fn send(self) -> Result<Response, Failure> {
        let Self { builder, taken } = self;
        builder.send().await.map_err(|error| {
            let untouched = taken.is_some_and(|taken| !taken.load(Ordering::Acquire));
            if untouched {
                Failure::NeverSent
            } else {
                failure_of_send(&error)
            }
        })
    }
}

/// A body of known length that records when it is first read.
#[derive(Debug)]
struct Watched {
    bytes: Option<Bytes>,
    taken: Arc<AtomicBool>,
}

impl Body for Watched {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.taken.store(true, Ordering::Release);
        Poll::Ready(self.bytes.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}
