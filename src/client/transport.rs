//! The two HTTP clients and what they share: token header, limits, body caps, the envelope, retries of reads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable as _};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, RequestBuilder, Response, StatusCode, Url};
use secrecy::ExposeSecret as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Connection, ConnectionError, Failure, Limits, is_loopback};
use crate::shipping::{Envelope, read_envelope};

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

/// What is asked: the parts of one request.
#[derive(Debug)]
pub(super) struct Ask<'a, B: ?Sized> {
    pub(super) method: &'a Method,
    pub(super) path: &'a str,
    pub(super) query: &'a [(&'a str, String)],
    pub(super) body: Option<&'a B>,
    pub(super) cap: Cap,
}

#[derive(Debug)]
pub(super) struct Transport {
    reads: reqwest::Client,
    writes: reqwest::Client,
    base_url: Url,
    limits: Limits,
    /// Of the last answered read; 0 before the first.
    latency_ms: AtomicU64,
}

impl Transport {
    pub(super) fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let mut token = HeaderValue::from_str(connection.token.expose_secret())
            .map_err(|_invalid| ConnectionError::Token)?;
        token.set_sensitive(true);
        let mut headers = HeaderMap::new();
        headers.insert("token", token);
        let builder = || {
            // A second installation is refused and changes nothing.
            let _already = rustls::crypto::ring::default_provider().install_default();
            let mut builder = reqwest::Client::builder()
                .default_headers(headers.clone())
                .redirect(reqwest::redirect::Policy::none())
                .retry(reqwest::retry::never())
                .connect_timeout(connection.limits.connect);
            if is_loopback(&connection.base_url) {
                builder = builder.no_proxy();
            }
            if connection.base_url.scheme() == "http" {
                // Never TLS, redirects are not followed: reading the system's hundred roots would only delay the window.
                builder = builder.tls_certs_only([]);
            }
            builder
        };
        let built = |client: reqwest::Result<reqwest::Client>| {
            client.map_err(|_unbuildable| ConnectionError::Address)
        };
        Ok(Self {
            reads: built(builder().build())?,
            writes: built(builder().http1_only().pool_max_idle_per_host(0).build())?,
            base_url: connection.base_url.clone(),
            limits: connection.limits,
            latency_ms: AtomicU64::new(0),
        })
    }

    pub(super) fn latency(&self) -> Option<Duration> {
        Some(self.latency_ms.load(Ordering::Relaxed))
            .filter(|ms| *ms > 0)
            .map(Duration::from_millis)
    }

    /// A read: tried up to three times where the failure is a passing one.
    pub(super) async fn read<T, B>(&self, ask: Ask<'_, B>) -> Result<T, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let limit = if matches!(ask.cap, Cap::File) {
            self.limits.file
        } else {
            self.limits.read
        };
        let once = || async {
            let started = Instant::now();
            let answer = call(self.request(&self.reads, &ask, limit)?, ask.cap).await?;
            let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.latency_ms.store(took.max(1), Ordering::Relaxed);
            Ok(answer)
        };
        let tries = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(150))
            .with_max_times(2)
            .with_jitter();
        let result: Result<T, Failure> = once.retry(tries).when(Failure::is_passing).await;
        note(ask.path, result)
    }

    /// A write: sent once, on a connection of its own.
    pub(super) async fn write<T, B>(&self, ask: Ask<'_, B>) -> Result<T, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let request = self.request(&self.writes, &ask, self.limits.write)?;
        note(ask.path, call(request, ask.cap).await)
    }

    fn request<B>(
        &self,
        client: &reqwest::Client,
        ask: &Ask<'_, B>,
        limit: Duration,
    ) -> Result<RequestBuilder, Failure>
    where
        B: Serialize + ?Sized,
    {
        let mut url = self.base_url.clone();
        let path = format!("{}{}", self.base_url.path().trim_end_matches('/'), ask.path);
        url.set_path(&path);
        let mut request = client
            .request(ask.method.clone(), url)
            .timeout(limit)
            .query(ask.query);
        if let Some(body) = ask.body {
            let body = serde_json::to_vec(body).map_err(|_unwritable| Failure::Internal)?;
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        Ok(request)
    }
}

/// Logs the kind of a failure and where; never its text's origin.
fn note<T>(path: &str, result: Result<T, Failure>) -> Result<T, Failure> {
    if let Err(failure) = &result {
        tracing::warn!(path, %failure, "a call failed");
    }
    result
}

async fn call<T: DeserializeOwned>(request: RequestBuilder, cap: Cap) -> Result<T, Failure> {
    let response = request.send().await.map_err(|error| lost(&error))?;
    match response.status() {
        StatusCode::UNAUTHORIZED => return Err(Failure::Unauthorised),
        StatusCode::OK => {}
        other => return Err(Failure::Status(other.as_u16())),
    }
    let html = response
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.starts_with("text/html"));
    let body = read_body(response, cap.mebibytes()).await?;
    if html || body.trim_ascii_start().starts_with(b"<") {
        return Err(Failure::WebPage);
    }
    match read_envelope(&body).map_err(Failure::Unreadable)? {
        Envelope::Done(Some(payload)) => Ok(payload),
        Envelope::Done(None) => Err(Failure::Empty),
        Envelope::Refused(errors) => Err(Failure::Refused(errors)),
    }
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

fn lost(error: &reqwest::Error) -> Failure {
    if error.is_connect() || error.is_builder() {
        Failure::NeverSent
    } else if error.is_timeout() {
        Failure::TimedOut
    } else {
        Failure::Broken
    }
}
