//! Sends calls: checks the circuit breaker before, reads the envelope after, and retries reads but
//! never writes.

use std::time::{Duration, Instant};

use backon::{ExponentialBuilder, Retryable as _};
use reqwest::Url;
use secrecy::SecretString;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answer::{Cap, Raw, answered, json, read_answer, received};
use super::ask::{Ask, Prepared};
use super::breaker::Gate;
use super::connection::is_loopback;
use super::pair::Pair;
use super::pulse::{Health, Pulse};
use super::{Connection, ConnectionError, Failure, Limits, Patience};
use crate::shipping::{
    Envelope, Page, PartialList, Unread, read_acknowledgement, read_envelope, read_list, read_page,
};

/// The number of retries of a read after the first try.
const MORE_TRIES: usize = 2;

/// The longest pause before the second try of a read; the pause before the third is at most twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(300);

/// The time limit of the ping after a failed call. Somebody is still waiting for that call to end.
const PING_LIMIT: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(super) struct Transport {
    pair: Pair,
    pulse: Pulse,
    base_url: Url,
    proxied: bool,
    limits: Limits,
    patience: Patience,
    /// The path of the ping that checks whether the service is back; with none, the next call is the check.
    ping: Option<&'static str>,
}

impl Transport {
    /// Creates the transport for the service itself; every request carries the token.
    pub(super) fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let headers = [("token", &connection.token)];
        let transport = Self::to(&connection.base_url, &headers, connection)?;
        Ok(Self {
            ping: Some(super::authenticate::PING),
            ..transport
        })
    }

    /// Creates a transport for `base_url` with the network options of `connection`. The `secrets` are sent as
    /// headers of every request.
    pub(super) fn to(
        base_url: &Url,
        secrets: &[(&'static str, &SecretString)],
        connection: &Connection,
    ) -> Result<Self, ConnectionError> {
        Ok(Self {
            pair: Pair::new(base_url, secrets, connection)?,
            pulse: Pulse::new(connection.clock.clone(), connection.patience),
            base_url: base_url.clone(),
            proxied: connection.way.proxy.is_some() && !is_loopback(base_url),
            limits: connection.limits,
            patience: connection.patience,
            ping: None,
        })
    }

    pub(super) fn health(&self) -> Health {
        self.pulse.health()
    }

    /// Returns how long no calls are sent once the service is away.
    pub(super) const fn rest(&self) -> Duration {
        self.patience.rest
    }

    /// Allows the next calls, whatever happened before.
    pub(super) fn reconnect(&self) {
        self.pulse.open();
    }

    /// Drops idle connections after the machine slept, and pings a service that is away. Returns true if the
    /// health changed.
    pub(super) async fn look_after(&self) -> bool {
        let before = self.health();
        if self.pulse.overslept(self.patience.rest) {
            self.pair.renew();
        }
        self.notice_sleep();
        if before.away_since.is_some() {
            self.is_back().await;
        }
        self.health() != before
    }

    /// Returns true if requests go through a proxy from the settings.
    pub(super) const fn is_proxied(&self) -> bool {
        self.proxied
    }

    /// Returns the host and port that requests are sent to.
    pub(super) fn host_and_port(&self) -> Option<(String, u16)> {
        let host = self.base_url.host_str()?.trim_matches(['[', ']']);
        Some((host.to_owned(), self.base_url.port_or_known_default()?))
    }

    /// Sends a read once, even if the service counts as away. The outer error is the original error if no
    /// answer came.
    pub(super) async fn once(
        &self,
        ask: &Ask<'_, ()>,
    ) -> Result<Result<Raw, Failure>, reqwest::Error> {
        let reads = self.pair.clients().reads;
        let request = match ask.request(&reads, &self.base_url, self.limits.read) {
            Ok(request) => request,
            Err(failure) => return Ok(Err(failure)),
        };
        let response = request.send_raw().await?;
        Ok(received(response, ask.cap, self.pulse.now()).await)
    }

    /// Allows a call, or fails at once if the service is away.
    async fn enter(&self) -> Result<(), Failure> {
        self.notice_sleep();
        let open = match self.pulse.gate() {
            Gate::Open => true,
            Gate::Shut => false,
            Gate::Probe => self.is_back().await,
        };
        if open { Ok(()) } else { Err(Failure::Away) }
    }

    /// Pings once. Returns true if the service itself answered: a refused token is an answer, and so is an
    /// internal error of the service.
    async fn is_back(&self) -> bool {
        let Some(ping) = self.ping else {
            return true;
        };
        let back = self.answers(ping, self.limits.read).await;
        if back {
            self.pulse.ended(&Ok(()));
        }
        back
    }

    async fn answers(&self, ping: &'static str, limit: Duration) -> bool {
        let ask = Ask::post_nothing(ping, Cap::Single);
        let reads = self.pair.clients().reads;
        let asked = async {
            let request = ask.request(&reads, &self.base_url, limit)?;
            let _accepted: bool = read_answer(self.call(request, ask.cap).await?)?;
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
    async fn ended<T>(&self, result: &Result<T, Failure>) {
        if !self.pulse.ended(result) {
            return;
        }
        if let Some(ping) = self.ping {
            let limit = self.limits.read.min(PING_LIMIT);
            let answers = self.answers(ping, limit).await;
            self.pulse.asked(answers);
        }
    }

    fn notice_sleep(&self) {
        if self.pulse.woke() {
            tracing::info!("the clock jumped; idle connections are dropped");
            self.pair.renew();
        }
    }

    async fn call(&self, request: Prepared, cap: Cap) -> Result<Raw, Failure> {
        let started = Instant::now();
        let response = request.send().await?;
        self.pulse.answered(started.elapsed(), response.status());
        received(response, cap, self.pulse.now()).await
    }

    /// Sends a read, up to three times if the failure is a temporary one.
    pub(super) async fn read<T, B>(&self, ask: Ask<'_, B>) -> Result<T, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let result = self.read_with(&ask, read_answer);
        note(ask.path, result.await)
    }

    /// Reads a whole list. Records that can't be read are listed separately.
    pub(super) async fn read_list<T, B>(&self, ask: Ask<'_, B>) -> Result<PartialList<T>, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let look = |raw| answered(read_list(&json(raw)?));
        let result = self.read_with(&ask, look).await;
        if let Ok(list) = &result {
            note_unread(ask.path, &list.unread);
        }
        note(ask.path, result)
    }

    /// Reads one page of a list. `arrived` is called each time a page has been received, before it is parsed.
    pub(super) async fn read_page<T, B>(
        &self,
        ask: Ask<'_, B>,
        arrived: impl Fn(),
    ) -> Result<Page<T>, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let look = |raw| {
            arrived();
            answered(read_page(&json(raw)?))
        };
        let result: Result<Page<T>, _> = self.read_with(&ask, look).await;
        if let Ok(page) = &result {
            note_unread(ask.path, &page.unread);
        }
        note(ask.path, result)
    }

    /// Sends a read and lets the caller parse the answer with any HTTP status except 401.
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
        let result = self.tried(ask, limit, look).await;
        self.ended(&result).await;
        result
    }

    async fn tried<T, B>(
        &self,
        ask: &Ask<'_, B>,
        limit: Duration,
        look: impl Fn(Raw) -> Result<T, Failure>,
    ) -> Result<T, Failure>
    where
        B: Serialize + ?Sized,
    {
        self.enter().await?;
        let once = || async {
            let reads = self.pair.clients().reads;
            let request = ask.request(&reads, &self.base_url, limit)?;
            look(self.call(request, ask.cap).await?)
        };
        let tries = ExponentialBuilder::default()
            .with_min_delay(FIRST_PAUSE)
            .with_max_times(MORE_TRIES);
        once.retry(tries)
            .when(|failure| failure.is_passing(self.patience.longest_wait))
            .adjust(|failure, pause| pause.map(|pause| before_again(failure, pause)))
            .await
    }

    /// Sends a write that is answered with a record or with a list of [`Record`]s: once, and on a connection
    /// of its own.
    pub(super) async fn write<T, B>(&self, ask: Ask<'_, B>) -> Result<T, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let result = self
            .sent(&ask)
            .await
            .and_then(|body| match read_envelope(&body) {
                Ok(Envelope::Mixed(_)) => Err(Failure::Contradictory),
                read => answered(read),
            });
        note(ask.path, result)
    }

    /// Sends a write whose answer has no payload: `{errors, success}`, or an envelope whose content
    /// is ignored.
    pub(super) async fn write_unanswered<B>(&self, ask: Ask<'_, B>) -> Result<(), Failure>
    where
        B: Serialize + ?Sized,
    {
        let result = self.sent(&ask).await.and_then(|body| {
            match read_acknowledgement(&body).map_err(Failure::Unreadable)? {
                Envelope::Done(_) => Ok(()),
                Envelope::Refused(errors) => Err(Failure::Refused(errors)),
                Envelope::Mixed(_) => Err(Failure::Contradictory),
            }
        });
        note(ask.path, result)
    }

    /// Sends a write and returns the body of its answer.
    async fn sent<B>(&self, ask: &Ask<'_, B>) -> Result<Vec<u8>, Failure>
    where
        B: Serialize + ?Sized,
    {
        let sent = async {
            self.enter().await?;
            let writes = self.pair.clients().writes;
            let request = ask.request(&writes, &self.base_url, self.limits.write)?;
            json(self.call(request, ask.cap).await?)
        };
        let result = sent.await;
        self.ended(&result).await;
        result
    }
}

/// Returns how long to wait before a read is tried again: at least the pause that the service asks for,
/// otherwise a random part of `longest` (full jitter), so that several programs that failed together do not
/// retry together.
fn before_again(failure: &Failure, longest: Duration) -> Duration {
    let jittered = longest.mul_f64(fastrand::f64());
    match failure {
        Failure::Busy { pause, .. } => jittered.max(*pause),
        _ => jittered,
    }
}

/// Logs which parts of records could not be read, but never their values.
pub(super) fn note_unread(path: &str, unread: &[Unread]) {
    for one in unread {
        let (place, expected) = (&one.path, &one.expected);
        tracing::warn!(path, place, expected, "a record could not be read");
    }
}

/// Logs a failure and the path of the call. A failure's text never contains the request or the answer.
fn note<T>(path: &str, result: Result<T, Failure>) -> Result<T, Failure> {
    if let Err(failure) = &result {
        tracing::warn!(path, %failure, "a call failed");
    }
    result
}
