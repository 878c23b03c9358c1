//! How the service is: what its last answer took, since when it is away, whether calling it is worth it.
//!
//! What always holds: any answer ends the absence, an HTTP 401 too. One call that reached nobody begins none: a ping that reached
//! nobody either does, or as many calls as shut the breaker.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use reqwest::StatusCode;

use super::breaker::{Breaker, Gate};
use super::{Failure, Patience};
use crate::shipping::Clock;

/// A ping that takes longer was given up by whoever waited for it.
const ASKED_WITHIN: Duration = Duration::from_secs(5);

/// How the service is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Health {
    /// How long its last answer took to begin.
    pub latency: Option<Duration>,
    /// The HTTP status of its last answer, where that is a fault of its own (500 and above).
    pub fault: Option<u16>,
    /// Since when no call reaches it.
    pub away_since: Option<Timestamp>,
    /// How often it came back.
    pub returns: u32,
}

/// The one place that knows.
#[derive(Debug)]
pub(super) struct Pulse {
    clock: Clock,
    jump: Duration,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    health: Health,
    breaker: Breaker,
    /// A ping is under way that finds out whether the service is away.
    asking: Option<Instant>,
    /// When the regular look was made last.
    pulsed: Option<Instant>,
    /// The wall clock and one that only goes forward, as they were when last compared.
    looked: (Timestamp, Instant),
}

impl Pulse {
    pub(super) fn new(clock: Clock, patience: Patience) -> Self {
        let inner = Inner {
            health: Health::default(),
            breaker: Breaker::new(patience),
            asking: None,
            pulsed: None,
            looked: (clock.now(), Instant::now()),
        };
        Self {
            clock,
            jump: patience.jump,
            inner: Mutex::new(inner),
        }
    }

    pub(super) fn health(&self) -> Health {
        self.inner().health
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What the next call may do.
    pub(super) fn gate(&self) -> Gate {
        self.inner().breaker.gate(Instant::now())
    }

    /// Calls are worth a try again, whatever came before.
    pub(super) fn open(&self) {
        self.inner().breaker.open();
    }

    /// An answer began.
    pub(super) fn answered(&self, took: Duration, status: StatusCode) {
        let health = &mut self.inner().health;
        health.latency = Some(took);
        health.fault = status.is_server_error().then(|| status.as_u16());
    }

    /// A call has ended. True where a ping must find out whether the service is away.
    pub(super) fn ended<T>(&self, result: &Result<T, Failure>) -> bool {
        let now = self.clock.now();
        let mut inner = self.inner();
        match result {
            // Nothing was asked: it says nothing of the service.
            Err(Failure::Away | Failure::Internal) => {}
            Err(failure) if failure.is_out_of_reach() => {
                let at = Instant::now();
                if inner.breaker.failed(at) {
                    inner.health.away_since.get_or_insert(now);
                }
                let is_asked = inner.asking.is_some_and(|since| at - since < ASKED_WITHIN);
                if inner.health.away_since.is_none() && !is_asked {
                    inner.asking = Some(at);
                    return true;
                }
            }
            _ => inner.answered(),
        }
        false
    }

    /// The ping after a failed call has ended.
    pub(super) fn asked(&self, answers: bool) {
        let now = self.clock.now();
        let mut inner = self.inner();
        inner.asking = None;
        if answers {
            inner.answered();
        } else {
            inner.health.away_since.get_or_insert(now);
        }
    }

    /// True once after the machine slept or its clock was set: since the last look the two clocks went apart. Sleep is seen
    /// where the clock that only goes forward stands still meanwhile, which it does on Linux and macOS.
    pub(super) fn woke(&self) -> bool {
        let (wall, forward) = (self.clock.now(), Instant::now());
        let mut inner = self.inner();
        let (old_wall, old_forward) = std::mem::replace(&mut inner.looked, (wall, forward));
        let by_wall = wall.duration_since(old_wall);
        let really = forward.saturating_duration_since(old_forward);
        let apart = jiff::SignedDuration::try_from(really).map_or(Duration::MAX, |really| {
            by_wall.saturating_sub(really).unsigned_abs()
        });
        if apart <= self.jump {
            return false;
        }
        inner.breaker.open();
        true
    }

    /// True where the look that is due every `rest` comes so late that the machine must have slept: told also where the clock
    /// that only goes forward counts sleep, as on Windows.
    pub(super) fn overslept(&self, rest: Duration) -> bool {
        let now = Instant::now();
        let mut inner = self.inner();
        let before = inner.pulsed.replace(now);
        let late = before.is_some_and(|before| now - before > rest + self.jump);
        if late {
            inner.breaker.open();
        }
        late
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// The service is there.
    const fn answered(&mut self) {
        self.breaker.open();
        if self.health.away_since.take().is_some() {
            self.health.returns = self.health.returns.wrapping_add(1);
        }
    }
}
