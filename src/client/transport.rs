//! Describes calls and sends them. Checks the circuit breaker before a call, reads the envelope of the answer, and
//! retries reads but never writes. Records whether the HTTP client has read a request's body.

use std::convert::Infallible;
use std::fmt::Display;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable as _};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Method, RequestBuilder, Url};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret as _, SecretString};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::connection::NetworkOptions;
use super::health::{Admission, HealthMonitor};
use super::response::{RawResponse, SizeLimit, failure_of_send, read_payload, read_response};
use super::{AvailabilityPolicy, Connection, ConnectionError, Failure, Timeouts};
use shipping::is_loopback;

const MORE_TRIES: usize = 2;

/// The longest pause before the second try of a read; the pause before the third is at most twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(300);

/// The time limit of the ping after a failed call. It is short, because the caller still waits for the result
/// of that call.
const PING_LIMIT: Duration = Duration::from_secs(3);

/// The parameters of a query; a name can occur several times.
pub(super) type Query = Vec<(&'static str, String)>;

/// Returns a parameter for each value.
pub(super) fn query_of(
    name: &'static str,
    values: impl IntoIterator<Item = impl Display>,
) -> Query {
    let values = values.into_iter();
    values.map(|value| (name, value.to_string())).collect()
}

/// One call, with the limits for its answer.
#[derive(Debug)]
pub(super) struct ApiRequest<'a> {
    method: Method,
    pub(super) path: &'a str,
    query: Query,
    /// JSON; none for a call without a body.
    body: Option<Bytes>,
    pub(super) size: SizeLimit,
    /// The time limit of the whole call.
    time: Duration,
    accept: &'static str,
}

const JSON: &str = "application/json";

impl<'a> ApiRequest<'a> {
    pub(super) fn get(path: &'a str, query: Query, size: SizeLimit, time: Duration) -> Self {
        Self {
            method: Method::GET,
            query,
            ..Self::post_nothing(path, size, time)
        }
    }

    pub(super) fn post_nothing(path: &'a str, size: SizeLimit, time: Duration) -> Self {
        Self {
            method: Method::POST,
            path,
            query: Query::new(),
            body: None,
            size,
            time,
            accept: JSON,
        }
    }

    pub(super) fn post(
        path: &'a str,
        body: &(impl Serialize + ?Sized),
        size: SizeLimit,
        time: Duration,
    ) -> Result<Self, Failure> {
        let body = serde_json::to_vec(body).map_err(|_unwritable| Failure::Internal)?;
        Ok(Self {
            body: Some(body.into()),
            ..Self::post_nothing(path, size, time)
        })
    }

    /// Accepts an answer of any media type, because files have different media types.
    pub(super) fn for_any_type(self) -> Self {
        Self {
            accept: "*/*",
            ..self
        }
    }

    pub(super) fn with_query(self, query: Query) -> Self {
        Self { query, ..self }
    }

    /// Builds the request to `base_url`. The flag becomes true when the HTTP client first reads the body;
    /// without a body it is true from the start, because such a request may have left completely as soon as
    /// there is a connection.
    fn build(&self, client: &reqwest::Client, base_url: &Url) -> (RequestBuilder, Arc<AtomicBool>) {
        let mut url = base_url.clone();
        if !self.path.is_empty() {
            let base = base_url.path().trim_end_matches('/');
            url.set_path(&format!("{base}{}", self.path));
        }
        let request = client
            .request(self.method.clone(), url)
            .timeout(self.time)
            .header(ACCEPT, self.accept)
            .query(&self.query);
        let taken = Arc::new(AtomicBool::new(self.body.is_none()));
        let Some(body) = self.body.clone() else {
            return (request, taken);
        };
        let body = reqwest::Body::wrap(Watched {
            bytes: Some(body),
            taken: Arc::clone(&taken),
        });
        (request.header(CONTENT_TYPE, JSON).body(body), taken)
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

/// One client for reads, which keeps idle connections, and one for writes, which opens a new connection for each
/// call. If the service closed an idle connection just as a write was sent, it would be unknown whether the write was
/// carried out.
#[derive(Debug, Clone)]
struct HttpClients {
    reads: reqwest::Client,
    writes: reqwest::Client,
}

#[derive(Debug)]
pub(super) struct Transport {
    /// The HTTP clients. They are replaced after the machine slept, because sleep breaks all idle connections.
    clients: Mutex<HttpClients>,
    pub(super) health: HealthMonitor,
    base_url: Url,
    /// The headers with the secrets, which are sent with every request.
    headers: HeaderMap,
    network: NetworkOptions,
    timeouts: Timeouts,
    pub(super) availability: AvailabilityPolicy,
    /// The path of the ping that checks whether the service is back; if there is none, the next call is the check.
    ping: Option<&'static str>,
}

impl Transport {
    /// Creates the transport for the service itself; every request carries the token.
    pub(super) fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let headers = [("token", &connection.token)];
        let transport = Self::for_address(&connection.base_url, &headers, connection)?;
        Ok(Self {
            ping: Some(super::connection_test::PING),
            ..transport
        })
    }

    /// Creates a transport for `base_url` with the network options of `connection`. The `secrets` are sent as
    /// headers of every request.
    pub(super) fn for_address(
        base_url: &Url,
        secrets: &[(&'static str, &SecretString)],
        connection: &Connection,
    ) -> Result<Self, ConnectionError> {
        let headers = secret_headers(secrets)?;
        let (network, timeouts) = (connection.network.clone(), connection.timeouts);
        let clients = http_clients(base_url, &headers, &network, timeouts.connect)?;
        Ok(Self {
            clients: Mutex::new(clients),
            health: HealthMonitor::new(connection.clock.clone(), connection.availability),
            base_url: base_url.clone(),
            headers,
            network,
            timeouts,
            availability: connection.availability,
            ping: None,
        })
    }

    /// Drops idle connections after the machine slept, and pings a service that is away. Returns true if the
    /// health changed.
    pub(super) async fn check_health(&self) -> bool {
        let before = self.health.health();
        if self.health.detect_late_check(self.availability.cooldown) {
            self.renew_clients();
        }
        self.renew_after_sleep();
        if before.away_since.is_some() {
            self.ping_service().await;
        }
        self.health.health() != before
    }

    /// Returns the service's host and port; none with a proxy, because only the proxy resolves the host name.
    pub(super) fn resolved_host(&self) -> Option<(String, u16)> {
        if self.network.proxy.is_some() && !is_loopback(&self.base_url) {
            return None;
        }
        let host = self.base_url.host_str()?.trim_matches(['[', ']']);
        Some((host.to_owned(), self.base_url.port_or_known_default()?))
    }

    fn clients(&self) -> HttpClients {
        let clients = self.clients.lock();
        clients.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Builds both clients again. Running calls keep the previous clients.
    fn renew_clients(&self) {
        let connect = self.timeouts.connect;
        match http_clients(&self.base_url, &self.headers, &self.network, connect) {
            Ok(made) => *self.clients.lock().unwrap_or_else(PoisonError::into_inner) = made,
            // The old clients stay in use. An error is unlikely, because the same settings worked before.
            Err(error) => tracing::warn!(%error, "the HTTP clients could not be made anew"),
        }
    }

    fn renew_after_sleep(&self) {
        if self.health.detect_clock_jump() {
            tracing::info!("the clock jumped; idle connections are dropped");
            self.renew_clients();
        }
    }

    /// Allows a call, or fails at once if the service is away.
    async fn admit(&self) -> Result<(), Failure> {
        self.renew_after_sleep();
        let open = match self.health.admit() {
            Admission::Allow => true,
            Admission::Reject => false,
            Admission::Probe => self.ping_service().await,
        };
        if open { Ok(()) } else { Err(Failure::Away) }
    }

    /// Pings once. Returns true if the service itself answered: a refused token is an answer, and so is an
    /// internal error of the service.
    async fn ping_service(&self) -> bool {
        let Some(ping) = self.ping else {
            return true;
        };
        let back = self.ping_answers(ping, self.timeouts.read).await;
        if back {
            self.health.record_result(&Ok(()));
        }
        back
    }

    async fn ping_answers(&self, ping: &'static str, limit: Duration) -> bool {
        let call = ApiRequest::post_nothing(ping, SizeLimit::Single, limit);
        let answer = self.send(&call, &self.clients().reads).await;
        match answer.and_then(read_payload::<bool>) {
            Ok(_accepted) => true,
            Err(Failure::WebPage | Failure::Unreadable(_) | Failure::Internal) => false,
            Err(failure) => !failure.is_out_of_reach(),
        }
    }

    /// Sends a read once, even if the service counts as away. The outer error is the HTTP client's own error, if no
    /// answer came.
    pub(super) async fn read_once(
        &self,
        call: &ApiRequest<'_>,
    ) -> Result<Result<RawResponse, Failure>, reqwest::Error> {
        let (request, _taken) = call.build(&self.clients().reads, &self.base_url);
        let response = request.send().await?;
        Ok(read_response(response, call.size, self.health.now()).await)
    }

    /// Sends a read, up to three times if the failure is temporary.
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        call: &ApiRequest<'_>,
    ) -> Result<T, Failure> {
        self.read_as(call, read_payload).await
    }

    /// Sends a read and lets the caller parse every answer that [`read_response`] does not turn into a failure.
    pub(super) async fn read_as<T>(
        &self,
        call: &ApiRequest<'_>,
        parse: impl Fn(RawResponse) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let once = || async { parse(self.send(call, &self.clients().reads).await?) };
        let tries = ExponentialBuilder::default()
            .with_min_delay(FIRST_PAUSE)
            .with_max_times(MORE_TRIES);
        let read = once
            .retry(tries)
            .when(|failure| failure.is_temporary(self.availability.longest_wait))
            .adjust(|failure, pause| pause.map(|pause| retry_delay(failure, pause)));
        self.observed(call.path, read.into_future()).await
    }

    /// Sends a call that changes data, once and on a new connection.
    pub(super) async fn write<T>(
        &self,
        call: &ApiRequest<'_>,
        parse: impl FnOnce(RawResponse) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let write = async { parse(self.send(call, &self.clients().writes).await?) };
        self.observed(call.path, write).await
    }

    /// Runs a call unless the service is away, records how it ended, and logs its failure with its path. A failure's
    /// text never contains the request or the answer.
    async fn observed<T>(
        &self,
        path: &str,
        call: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let admitted = async {
            self.admit().await?;
            call.await
        };
        let result = admitted.await;
        // A single failed call may just have been slow, so the service counts as away only if it does not answer a
        // ping either.
        if self.health.record_result(&result)
            && let Some(ping) = self.ping
        {
            let limit = self.timeouts.read.min(PING_LIMIT);
            let answers = self.ping_answers(ping, limit).await;
            self.health.record_ping(answers);
        }
        if let Err(failure) = &result {
            tracing::warn!(path, %failure, "a call failed");
        }
        result
    }

    /// Sends the request. The error is [`Failure::NeverSent`] only if that is proven: no connection was
    /// established, or the body was never read.
    async fn send(
        &self,
        call: &ApiRequest<'_>,
        client: &reqwest::Client,
    ) -> Result<RawResponse, Failure> {
        let (request, taken) = call.build(client, &self.base_url);
        let started = Instant::now();
        let response = request.send().await.map_err(|error| {
            if taken.load(Ordering::Acquire) {
                failure_of_send(&error)
            } else {
                Failure::NeverSent
            }
        })?;
        self.health
            .record_answer(started.elapsed(), response.status());
        read_response(response, call.size, self.health.now()).await
    }
}

/// Returns how long to wait before a read is tried again: at least the pause that the service asks for, otherwise a
/// random part of `longest` (full jitter), so that several programs that failed together do not retry together.
fn retry_delay(failure: &Failure, longest: Duration) -> Duration {
    let jittered = longest.mul_f64(fastrand::f64());
    jittered.max(failure.pause().unwrap_or_default())
}

fn secret_headers(secrets: &[(&'static str, &SecretString)]) -> Result<HeaderMap, ConnectionError> {
    let mut headers = HeaderMap::new();
    for (name, secret) in secrets {
        // The copy of the secret in the header is wiped when the last HTTP client that uses it is dropped.
        let copy = Zeroizing::new(secret.expose_secret().as_bytes().to_vec());
        if !copy.is_ascii() {
            return Err(ConnectionError::Token);
        }
        let mut value = HeaderValue::from_maybe_shared(Bytes::from_owner(copy))
            .map_err(|_invalid| ConnectionError::Token)?;
        value.set_sensitive(true);
        headers.insert(*name, value);
    }
    Ok(headers)
}

fn http_clients(
    base_url: &Url,
    headers: &HeaderMap,
    network: &NetworkOptions,
    connect: Duration,
) -> Result<HttpClients, ConnectionError> {
    // A second installation is refused and changes nothing.
    let _already = rustls::crypto::ring::default_provider().install_default();
    let builder = || {
        let mut builder = reqwest::Client::builder()
            .default_headers(headers.clone())
            .redirect(reqwest::redirect::Policy::none())
            .retry(reqwest::retry::never())
            .connect_timeout(connect);
        if is_loopback(base_url) {
            builder = builder.no_proxy();
        } else if let Some(proxy) = &network.proxy {
            builder = builder.proxy(proxy.clone());
        }
        if base_url.scheme() == "http" {
            // Plain HTTP never uses TLS, because redirects are not followed. Loading the system's root certificates
            // (about a hundred) would only delay the opening of the window.
            builder.tls_certs_only([])
        } else {
            builder.tls_certs_merge(network.authorities.clone())
        }
    };
    let writes = builder().http1_only().pool_max_idle_per_host(0);
    let built = |builder: reqwest::ClientBuilder| {
        let client = builder.build();
        client.map_err(|_unbuildable| ConnectionError::Address)
    };
    Ok(HttpClients {
        reads: built(builder())?,
        writes: built(writes)?,
    })
}
