//! How a call is made: the gate before it, the envelope after it, retries of reads, and none of writes.

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

/// Tries of a read after the first.
const MORE_TRIES: usize = 2;

/// Before the second try of a read: at most this long; before the third at most twice that.
const FIRST_PAUSE: Duration = Duration::from_millis(300);

/// How long a ping may take where a call has just failed: somebody waits for that call's end.
const PING_LIMIT: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(super) struct Transport {
    pair: Pair,
    pulse: Pulse,
    base_url: Url,
    proxied: bool,
    limits: Limits,
    patience: Patience,
    /// Where it is asked whether it is back; where there is nothing of the kind, by the next call.
    ping: Option<&'static str>,
}

impl Transport {
    /// For the service itself: every request carries the token.
    pub(super) fn new(connection: &Connection) -> Result<Self, ConnectionError> {
        let headers = [("token", &connection.token)];
        let transport = Self::to(&connection.base_url, &headers, connection)?;
        Ok(Self {
            ping: Some(super::authenticate::PING),
            ..transport
        })
    }

    /// For `base_url`, reached as the connection's service is, with `secrets` as headers of every request.
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

    /// How long calls rest once the service is away.
    pub(super) const fn rest(&self) -> Duration {
        self.patience.rest
    }

    /// The next calls go out, whatever came before.
    pub(super) fn reconnect(&self) {
        self.pulse.open();
    }

    /// Drops idle connections after a sleep, and asks whether a service that is away is back. True where its health changed.
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

    /// True where a proxy that was set stands between.
    pub(super) const fn is_proxied(&self) -> bool {
        self.proxied
    }

    /// Where the machine is looked for.
    pub(super) fn host_and_port(&self) -> Option<(String, u16)> {
        let host = self.base_url.host_str()?.trim_matches(['[', ']']);
        Some((host.to_owned(), self.base_url.port_or_known_default()?))
    }

    /// A read that is tried once, whatever came before; where nothing came back, with the reason as it is.
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

    /// Lets a call through, or fails at once where the service is away.
    async fn enter(&self) -> Result<(), Failure> {
        self.notice_sleep();
        let open = match self.pulse.gate() {
            Gate::Open => true,
            Gate::Shut => false,
            Gate::Probe => self.is_back().await,
        };
        if open { Ok(()) } else { Err(Failure::Away) }
    }

    /// Pings, once: true where the service answered as itself, whatever it said: a token that it refuses is an answer, and
    /// so is a failure of its own.
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

    /// Takes down how a call ended. One that failed may have been slow by itself: the service counts as away where it does
    /// not answer a ping either.
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

    /// A read: tried up to three times where the failure is a passing one.
    pub(super) async fn read<T, B>(&self, ask: Ask<'_, B>) -> Result<T, Failure>
    where
        T: DeserializeOwned,
        B: Serialize + ?Sized,
    {
        let result = self.read_with(&ask, read_answer);
        note(ask.path, result.await)
    }

    /// A read of a whole list: a record of it that can't be read is set aside.
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

    /// A read of one page of a list; `arrived` is called each time it has come, before it is looked into.
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

    /// A write that answers with a record, or with a list of [`Record`]s: sent once, on a connection of its own.
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

    /// A write whose answer has no payload: `{errors, success}`, or an envelope with whatever in it.
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

    /// The body that a write is answered with.
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

/// How long a read waits before it is tried again: as long as the service asks for; else by full jitter, so that benches
/// that failed together don't come back together.
fn before_again(failure: &Failure, longest: Duration) -> Duration {
    let jittered = longest.mul_f64(fastrand::f64());
    match failure {
        Failure::Busy { pause, .. } => jittered.max(*pause),
        _ => jittered,
    }
}

/// Logs what of records could not be read, never what they hold.
pub(super) fn note_unread(path: &str, unread: &[Unread]) {
    for one in unread {
        let (place, expected) = (&one.path, &one.expected);
        tracing::warn!(path, place, expected, "a record could not be read");
    }
}

/// Logs the kind of a failure and where; never its text's origin.
fn note<T>(path: &str, result: Result<T, Failure>) -> Result<T, Failure> {
    if let Err(failure) = &result {
        tracing::warn!(path, %failure, "a call failed");
    }
    result
}
