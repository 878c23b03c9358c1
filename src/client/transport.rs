//! Describes calls and sends them: checks the circuit breaker before, reads the envelope after, and retries reads but
//! never writes. Records whether a request's body was ever read for sending.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable as _};
use hyper::body::{Body, Bytes, Frame, SizeHint};
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use reqwest::{Method, RequestBuilder, Response, Url};
use secrecy::SecretString;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::health::{Admission, HealthMonitor};
use super::http_clients::HttpClients;
use super::response::{
    RawResponse, SizeLimit, failure_of_send, into_payload, json, read_payload, read_response,
};
use super::{AvailabilityPolicy, Connection, ConnectionError, Failure, Timeouts};
use shipping::{
    Envelope, PartialList, UnreadableRecord, is_loopback, read_acknowledgement, read_envelope,
    read_list,
};

const MORE_TRIES: usize = 2;

/// The longest pause before the second try of a read; the pause before the third is at most twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(300);

/// The time limit of the ping after a failed call. Somebody is still waiting for that call to end.
const PING_LIMIT: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(super) struct Transport {
    clients: HttpClients,
    pub(super) health: HealthMonitor,
    base_url: Url,
    /// Whether requests go through a proxy from the settings.
    pub(super) proxied: bool,
    timeouts: Timeouts,
    pub(super) availability: AvailabilityPolicy,
    /// The path of the ping that checks whether the service is back; with none, the next call is the check.
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
        Ok(Self {
            clients: HttpClients::new(base_url, secrets, connection)?,
            health: HealthMonitor::new(connection.clock.clone(), connection.availability),
            base_url: base_url.clone(),
            proxied: connection.network.proxy.is_some() && !is_loopback(base_url),
            timeouts: connection.timeouts,
            availability: connection.availability,
            ping: None,
        })
    }

    /// Drops idle connections after the machine slept, and pings a service that is away. Returns true if the
    /// health changed.
    pub(super) async fn check_health(&self) -> bool {
        let before = self.health.health();
        if self.health.detect_late_check(self.availability.cooldown) {
            self.clients.renew();
        }
        self.rebuild_after_sleep();
        if before.away_since.is_some() {
            self.ping_service().await;
        }
        self.health.health() != before
    }

    pub(super) fn host_and_port(&self) -> Option<(String, u16)> {
        let host = self.base_url.host_str()?.trim_matches(['[', ']']);
        Some((host.to_owned(), self.base_url.port_or_known_default()?))
    }

    /// Sends a read once, even if the service counts as away. The outer error is the original error if no
    /// answer came.
    pub(super) async fn read_once(
        &self,
        ask: &ApiRequest<'_, ()>,
    ) -> Result<Result<RawResponse, Failure>, reqwest::Error> {
        let reads = self.clients.clients().reads;
        let request = match ask.request(&reads, &self.base_url, self.timeouts.read) {
            Ok(request) => request,
            Err(failure) => return Ok(Err(failure)),
        };
        let response = request.send_raw().await?;
        Ok(read_response(response, ask.cap, self.health.now()).await)
    }

    /// Allows a call, or fails at once if the service is away.
    async fn admit(&self) -> Result<(), Failure> {
        self.rebuild_after_sleep();
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
        let ask = ApiRequest::post_nothing(ping, SizeLimit::Single);
        let reads = self.clients.clients().reads;
        let asked = async {
            let request = ask.request(&reads, &self.base_url, limit)?;
            let _accepted: bool = read_payload(self.call(request, ask.cap).await?)?;
            Ok(())
        };
        match asked.await {
            Ok(()) => true,
            Err(Failure::WebPage | Failure::Unreadable(_) | Failure::Internal) => false,
            Err(failure) => !failure.is_out_of_reach(),
        }
    }

    /// Records how a call ended. A single failed call may just have been slow, so the service counts as away
    /// only if it does not answer a ping either.
    async fn record_result<T>(&self, result: &Result<T, Failure>) {
        if !self.health.record_result(result) {
            return;
        }
        if let Some(ping) = self.ping {
            let limit = self.timeouts.read.min(PING_LIMIT);
            let answers = self.ping_answers(ping, limit).await;
            self.health.record_ping(answers);
        }
    }

    fn rebuild_after_sleep(&self) {
        if self.health.detect_clock_jump() {
            tracing::info!("the clock jumped; idle connections are dropped");
            self.clients.renew();
        }
    }

    async fn call(&self, request: Prepared, cap: SizeLimit) -> Result<RawResponse, Failure> {
        let started = Instant::now();
        let response = request.send().await?;
        self.health
            .record_answer(started.elapsed(), response.status());
        read_response(response, cap, self.health.now()).await
    }

    /// Sends a read, up to three times if the failure is a temporary one.
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        ask: ApiRequest<'_, impl Serialize + ?Sized>,
    ) -> Result<T, Failure> {
        self.read_raw(ask, read_payload).await
    }

    /// Reads a list, or one page of it. Records that can't be read are listed separately. `arrived` is called each
    /// time an answer has been received, before it is parsed.
    pub(super) async fn read_list<T: DeserializeOwned>(
        &self,
        ask: ApiRequest<'_, impl Serialize + ?Sized>,
        arrived: impl Fn(),
    ) -> Result<PartialList<T>, Failure> {
        let path = ask.path;
        let look = |raw| {
            arrived();
            into_payload(read_list(&json(raw)?))
        };
        let list: PartialList<T> = self.read_raw(ask, look).await?;
        log_unread(path, &list.unreadable);
        Ok(list)
    }

    /// Sends a read and lets the caller parse the answer with any HTTP status except 401.
    pub(super) async fn read_raw<T>(
        &self,
        ask: ApiRequest<'_, impl Serialize + ?Sized>,
        look: impl Fn(RawResponse) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let limit = match ask.cap {
            SizeLimit::File => self.timeouts.file,
            SizeLimit::Single | SizeLimit::List => self.timeouts.read,
        };
        let once = || async {
            let reads = self.clients.clients().reads;
            let request = ask.request(&reads, &self.base_url, limit)?;
            look(self.call(request, ask.cap).await?)
        };
        let tries = ExponentialBuilder::default()
            .with_min_delay(FIRST_PAUSE)
            .with_max_times(MORE_TRIES);
        let read = async {
            self.admit().await?;
            once.retry(tries)
                .when(|failure| failure.is_temporary(self.availability.longest_wait))
                .adjust(|failure, pause| pause.map(|pause| retry_delay(failure, pause)))
                .await
        };
        let result = read.await;
        self.record_result(&result).await;
        log_failure(ask.path, result)
    }

    /// Sends a call that changes data and is answered with an object or a list of objects. The call is sent
    /// once, on a separate connection.
    pub(super) async fn write<T: DeserializeOwned>(
        &self,
        ask: ApiRequest<'_, impl Serialize + ?Sized>,
    ) -> Result<T, Failure> {
        let body = self.send_write(&ask).await;
        let result = body.and_then(|body| match read_envelope(&body) {
            Ok(Envelope::Mixed(_)) => Err(Failure::Contradictory),
            read => into_payload(read),
        });
        log_failure(ask.path, result)
    }

    /// Sends a write whose answer has no payload: `{errors, success}`, or an envelope whose content
    /// is ignored.
    pub(super) async fn write_without_payload(
        &self,
        ask: ApiRequest<'_, impl Serialize + ?Sized>,
    ) -> Result<(), Failure> {
        let result = self.send_write(&ask).await.and_then(|body| {
            match read_acknowledgement(&body).map_err(Failure::Unreadable)? {
                Envelope::Done(_) => Ok(()),
                Envelope::Refused(errors) => Err(Failure::Refused(errors)),
                Envelope::Mixed(_) => Err(Failure::Contradictory),
            }
        });
        log_failure(ask.path, result)
    }

    async fn send_write(
        &self,
        ask: &ApiRequest<'_, impl Serialize + ?Sized>,
    ) -> Result<Vec<u8>, Failure> {
        let sent = async {
            self.admit().await?;
            let writes = self.clients.clients().writes;
            let request = ask.request(&writes, &self.base_url, self.timeouts.write)?;
            json(self.call(request, ask.cap).await?)
        };
        let result = sent.await;
        self.record_result(&result).await;
        result
    }
}

/// Returns how long to wait before a read is tried again: at least the pause that the service asks for,
/// otherwise a random part of `longest` (full jitter), so that several programs that failed together do not
/// retry together.
fn retry_delay(failure: &Failure, longest: Duration) -> Duration {
    let jittered = longest.mul_f64(fastrand::f64());
    match failure {
        Failure::Busy { pause, .. } => jittered.max(*pause),
        _ => jittered,
    }
}

/// Logs which parts of records could not be read, but never their values.
pub(super) fn log_unread(path: &str, unread: &[UnreadableRecord]) {
    for one in unread {
        let (place, expected) = (&one.path, &one.expected);
        tracing::warn!(path, place, expected, "a record could not be read");
    }
}

/// Logs a failure and the path of the call. A failure's text never contains the request or the answer.
fn log_failure<T>(path: &str, result: Result<T, Failure>) -> Result<T, Failure> {
    if let Err(failure) = &result {
        tracing::warn!(path, %failure, "a call failed");
    }
    result
}

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
    pub(super) fn get(path: &'a str, query: Vec<(&'static str, String)>, cap: SizeLimit) -> Self {
        Self::new(Method::GET, path, None, cap).with_query(query)
    }

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
