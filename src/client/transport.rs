//! The two HTTP clients and what they share: token header, limits, body caps, the envelope, retries of reads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable as _};
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, RequestBuilder, Url};
use secrecy::{ExposeSecret as _, SecretString};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::answer::{Cap, Raw, answered, call, json, read_answer, received};
use super::connection::is_loopback;
use super::{Connection, ConnectionError, Failure, Limits};
use crate::shipping::{Envelope, Misfit, Page, read_envelope, read_page};

/// What is asked: the parts of one request.
#[derive(Debug)]
pub(super) struct Ask<'a, B: ?Sized> {
    method: Method,
    path: &'a str,
    query: Vec<(&'static str, String)>,
    body: Option<&'a B>,
    cap: Cap,
}

impl<'a> Ask<'a, ()> {
    /// `GET path?query`
    pub(super) fn get(path: &'a str, query: Vec<(&'static str, String)>, cap: Cap) -> Self {
        Self {
            method: Method::GET,
            path,
            query,
            body: None,
            cap,
        }
    }

    /// `POST path` without a body.
    pub(super) fn post_nothing(path: &'a str, cap: Cap) -> Self {
        Self {
            method: Method::POST,
            path,
            query: Vec::new(),
            body: None,
            cap,
        }
    }
}

impl<'a, B: ?Sized> Ask<'a, B> {
    /// `POST path` with `body`.
    pub(super) fn post(path: &'a str, body: &'a B, cap: Cap) -> Self {
        Self {
            method: Method::POST,
            path,
            query: Vec::new(),
            body: Some(body),
            cap,
        }
    }

    /// The same, with a query.
    pub(super) fn with_query(self, query: Vec<(&'static str, String)>) -> Self {
        Self { query, ..self }
    }
}

#[derive(Debug)]
pub(super) struct Transport {
    reads: reqwest::Client,
    writes: reqwest::Client,
    base_url: Url,
    proxied: bool,
    limits: Limits,
    /// Of the last answered read; 0 before the first.
    latency_ms: AtomicU64,
}

impl Transport {
    /// For the service itself: every request carries the token.
    pub(super) fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let headers = [("token", &connection.token)];
        Self::to(&connection.base_url, &headers, connection)
    }

    /// For `base_url`, reached as the connection's service is, with `secrets` as headers of every request.
    pub(super) fn to(
        base_url: &Url,
        secrets: &[(&'static str, &SecretString)],
        connection: &Connection,
    ) -> Result<Self, ConnectionError> {
        let mut headers = HeaderMap::new();
        for (name, secret) in secrets {
            let mut value = HeaderValue::from_str(secret.expose_secret())
                .map_err(|_invalid| ConnectionError::Token)?;
            value.set_sensitive(true);
            headers.insert(*name, value);
        }
        let builder = || {
            // A second installation is refused and changes nothing.
            let _already = rustls::crypto::ring::default_provider().install_default();
            let mut builder = reqwest::Client::builder()
                .default_headers(headers.clone())
                .redirect(reqwest::redirect::Policy::none())
                .retry(reqwest::retry::never())
                .connect_timeout(connection.limits.connect);
            if is_loopback(base_url) {
                builder = builder.no_proxy();
            } else if let Some(proxy) = &connection.way.proxy {
                builder = builder.proxy(proxy.clone());
            }
            if base_url.scheme() == "http" {
                // Never TLS, redirects are not followed: reading the system's hundred roots would only delay the window.
                builder.tls_certs_only([])
            } else {
                builder.tls_certs_merge(connection.way.authorities.clone())
            }
        };
        let built = |client: reqwest::Result<reqwest::Client>| {
            client.map_err(|_unbuildable| ConnectionError::Address)
        };
        Ok(Self {
            reads: built(builder().build())?,
            writes: built(builder().http1_only().pool_max_idle_per_host(0).build())?,
            base_url: base_url.clone(),
            proxied: connection.way.proxy.is_some() && !is_loopback(base_url),
            limits: connection.limits,
            latency_ms: AtomicU64::new(0),
        })
    }

    pub(super) fn latency(&self) -> Option<Duration> {
        Some(self.latency_ms.load(Ordering::Relaxed))
            .filter(|ms| *ms > 0)
            .map(Duration::from_millis)
    }

    /// True where a proxy that was set stands between.
    pub(super) const fn is_proxied(&self) -> bool {
        self.proxied
    }

    /// Where the machine is looked for.
    pub(super) fn host_and_port(&self) -> Option<(String, u16)> {
        let host = self.base_url.host_str()?.trim_matches(['[', ']']);
        Some((host.to_owned(), self.base_url.port_or_known_default()?))
    }

    /// A read that is tried once; where nothing came back, with the reason as it is.
    pub(super) async fn once(
        &self,
        ask: &Ask<'_, ()>,
    ) -> Result<Result<Raw, Failure>, reqwest::Error> {
        let request = match self.request(&self.reads, ask, self.limits.read) {
            Ok(request) => request,
            Err(failure) => return Ok(Err(failure)),
        };
        Ok(received(request.send().await?, ask.cap).await)
    }

    /// A read: tried up to three times where the failure is a passing one.
    pub(super) async fn read<T, B>(&self, ask: Ask<'_, B>) -> Result<T, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let result = self.read_with(&ask, read_answer);
        note(ask.path, result.await)
    }

    /// A read of one page of a list.
    pub(super) async fn read_page<T, B>(&self, ask: Ask<'_, B>) -> Result<Page<T>, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let result = self.read_with(&ask, |raw| answered(read_page(&json(raw)?)));
        note(ask.path, result.await)
    }

    /// A read whose answer is looked at by the caller, whatever its HTTP status but 401.
    pub(super) async fn read_raw<T, B>(
        &self,
        ask: Ask<'_, B>,
        look: impl Fn(Raw) -> Result<T, Failure>,
    ) -> Result<T, Failure>
    where
        B: Serialize + ?Sized,
    {
        let result = self.read_with(&ask, look);
        note(ask.path, result.await)
    }

    async fn read_with<T, B>(
        &self,
        ask: &Ask<'_, B>,
        look: impl Fn(Raw) -> Result<T, Failure>,
    ) -> Result<T, Failure>
    where
        B: Serialize + ?Sized,
    {
        let limit = if matches!(ask.cap, Cap::File) {
            self.limits.file
        } else {
            self.limits.read
        };
        let once = || async {
            let started = Instant::now();
            let raw = call(self.request(&self.reads, ask, limit)?, ask.cap).await?;
            let took = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
            self.latency_ms.store(took.max(1), Ordering::Relaxed);
            look(raw)
        };
        let tries = ExponentialBuilder::default()
            .with_min_delay(Duration::from_millis(150))
            .with_max_times(2)
            .with_jitter();
        once.retry(tries).when(Failure::is_passing).await
    }

    /// A write: sent once, on a connection of its own.
    pub(super) async fn write<T, B>(&self, ask: Ask<'_, B>) -> Result<T, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let result = self.write_once(&ask).await.and_then(|read| match read {
            Ok(Envelope::Mixed(_)) => Err(Failure::Contradictory),
            read => answered(read),
        });
        note(ask.path, result)
    }

    /// A write whose answer has no payload: `{errors, success}`, or an envelope with whatever in it.
    pub(super) async fn write_unanswered<B>(&self, ask: Ask<'_, B>) -> Result<(), Failure>
    where
        B: Serialize + ?Sized,
    {
        let result = self.write_once::<IgnoredAny, B>(&ask).await;
        note(
            ask.path,
            result.and_then(|read| match read.map_err(Failure::Unreadable)? {
                Envelope::Done(_) => Ok(()),
                Envelope::Refused(errors) | Envelope::Mixed(errors) => {
                    Err(Failure::Refused(errors))
                }
            }),
        )
    }

    async fn write_once<T, B>(
        &self,
        ask: &Ask<'_, B>,
    ) -> Result<Result<Envelope<T>, Misfit>, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let request = self.request(&self.writes, ask, self.limits.write)?;
        let raw = call(request, ask.cap).await?;
        Ok(read_envelope(&json(raw)?))
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
            .query(&ask.query);
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
