//! The health of the service: the latency of its last answer, since when it is away, and whether calls are
//! worth it.
//!
//! Invariants: any answer ends an absence, even HTTP 401. One unanswered call alone does not start an
//! absence: a ping must fail too, or enough calls in a row must fail to open the circuit breaker.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use reqwest::StatusCode;

use super::{AvailabilityPolicy, Failure};
use shipping::Clock;

/// A ping that has run longer than this was dropped together with the call that waited for it.
const ASKED_WITHIN: Duration = Duration::from_secs(5);

/// The health of the service, as observed by calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Health {
    /// Time until the last answer began.
    pub latency: Option<Duration>,
    /// The HTTP status of the last answer, if it is a server error (500 and above).
    pub fault: Option<u16>,
    /// The time since which no call has reached the service.
    pub away_since: Option<Timestamp>,
    /// Number of times that the service came back after an absence.
    pub returns: u32,
}

/// Records how calls end, and derives the health of the service from that.
#[derive(Debug)]
pub(super) struct HealthMonitor {
    clock: Clock,
    jump: Duration,
    inner: Mutex<MonitorState>,
}

#[derive(Debug)]
struct MonitorState {
    health: Health,
    breaker: CircuitBreaker,
    /// Start of the ping that is checking whether the service is away.
    ping_started: Option<Instant>,
    last_check: Option<Instant>,
    /// The wall clock and the monotonic clock when they were last compared.
    last_clocks: (Timestamp, Instant),
}

impl HealthMonitor {
    pub(super) fn new(clock: Clock, patience: AvailabilityPolicy) -> Self {
        let inner = MonitorState {
            health: Health::default(),
            breaker: CircuitBreaker::new(patience),
            ping_started: None,
            last_check: None,
            last_clocks: (clock.now(), Instant::now()),
        };
        Self {
            clock,
            jump: patience.max_clock_drift,
            inner: Mutex::new(inner),
        }
    }

    pub(super) fn health(&self) -> Health {
        self.inner().health
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(super) fn admit(&self) -> Admission {
        self.inner().breaker.admit(Instant::now())
    }

    /// Allows calls again, whatever happened before.
    pub(super) fn allow_calls(&self) {
        self.inner().breaker.reset();
    }

    pub(super) fn record_answer(&self, took: Duration, status: StatusCode) {
        let health = &mut self.inner().health;
        health.latency = Some(took);
        health.fault = status.is_server_error().then(|| status.as_u16());
    }

    /// Records the result of a call. Returns true if a ping must find out whether the service is away.
    pub(super) fn record_result<T>(&self, result: &Result<T, Failure>) -> bool {
        let now = self.clock.now();
        let mut inner = self.inner();
        match result {
            // Nothing was sent, so the result says nothing about the service.
            Err(Failure::Away | Failure::Internal) => {}
            Err(failure) if failure.is_out_of_reach() => {
                let at = Instant::now();
                if inner.breaker.record_failure(at) {
                    inner.health.away_since.get_or_insert(now);
                }
                let is_asked = inner
                    .ping_started
                    .is_some_and(|since| at - since < ASKED_WITHIN);
                if inner.health.away_since.is_none() && !is_asked {
                    inner.ping_started = Some(at);
                    return true;
                }
            }
            _ => inner.answered(),
        }
        false
    }

    pub(super) fn record_ping(&self, answers: bool) {
        let now = self.clock.now();
        let mut inner = self.inner();
        inner.ping_started = None;
        if answers {
            inner.answered();
        } else {
            inner.health.away_since.get_or_insert(now);
        }
    }

    /// Returns true once after the machine slept or its clock was set, that is, when the wall clock and the
    /// monotonic clock have moved apart since the last call. Sleep is only detected where the monotonic clock
    /// stops during sleep: on Linux and macOS.
    pub(super) fn detect_clock_jump(&self) -> bool {
        let (wall, forward) = (self.clock.now(), Instant::now());
        let mut inner = self.inner();
        let (old_wall, old_forward) = std::mem::replace(&mut inner.last_clocks, (wall, forward));
        let by_wall = wall.duration_since(old_wall);
        let really = forward.saturating_duration_since(old_forward);
        let apart = jiff::SignedDuration::try_from(really).map_or(Duration::MAX, |really| {
            by_wall.saturating_sub(really).unsigned_abs()
        });
        if apart <= self.jump {
            return false;
        }
        inner.breaker.reset();
        true
    }

    /// Returns true if the regular check, due every `rest`, comes so late that the machine must have slept.
    /// This also detects sleep where the monotonic clock includes it, as on Windows.
    pub(super) fn detect_late_check(&self, rest: Duration) -> bool {
        let now = Instant::now();
        let mut inner = self.inner();
        let before = inner.last_check.replace(now);
        let late = before.is_some_and(|before| now - before > rest + self.jump);
        if late {
            inner.breaker.reset();
        }
        late
    }

    fn inner(&self) -> MutexGuard<'_, MonitorState> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MonitorState {
    /// Records that the service can be reached.
    const fn answered(&mut self) {
        self.breaker.reset();
        if self.health.away_since.take().is_some() {
            self.health.returns = self.health.returns.wrapping_add(1);
        }
    }
}

/// Counts consecutive failures to reach the service. While the service is away, calls fail at once instead of
/// making the clerk wait. Callers pass in the current time.
#[derive(Debug)]
struct CircuitBreaker {
    most: u32,
    cooldown: Duration,
    failures: u32,
    shut_until: Option<Instant>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    Allow,
    /// The call fails without being sent.
    Reject,
    /// The caller must first ping the service. Only one caller in each rest period gets this answer.
    Probe,
}

impl CircuitBreaker {
    const fn new(patience: AvailabilityPolicy) -> Self {
        Self {
            most: patience.failures,
            cooldown: patience.cooldown,
            failures: 0,
            shut_until: None,
        }
    }

    fn admit(&mut self, now: Instant) -> Admission {
        match self.shut_until {
            None => Admission::Allow,
            Some(until) if now < until => Admission::Reject,
            Some(_) => {
                // The caller's future may be dropped during the ping; another caller then probes after one
                // more rest period.
                self.shut_until = Some(now + self.cooldown);
                Admission::Probe
            }
        }
    }

    /// Lets calls through and resets the count, because the service answered or a fresh start was requested.
    const fn reset(&mut self) {
        self.failures = 0;
        self.shut_until = None;
    }

    /// Counts a call that did not reach the service. Returns true if calls are stopped now.
    fn record_failure(&mut self, now: Instant) -> bool {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= self.most && self.shut_until.is_none() {
            self.shut_until = Some(now + self.cooldown);
        }
        self.shut_until.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_failures_in_a_row_stop_calls_for_ten_seconds_and_then_one_caller_probes() {
        let (now, rest) = (Instant::now(), Duration::from_secs(10));
        let mut breaker = CircuitBreaker::new(AvailabilityPolicy::default());
        for _ in 0..20 {
            // An answer between the failures begins the count anew.
            breaker.reset();
            (0..4).for_each(|_| assert!(!breaker.record_failure(now)));
            assert_eq!(breaker.admit(now), Admission::Allow);
        }
        assert!(breaker.record_failure(now));
        assert_eq!(breaker.admit(now), Admission::Reject);
        assert_eq!(breaker.admit(now + rest * 99 / 100), Admission::Reject);
        for rests in 1..3 {
            let later = now + rest * rests;
            assert_eq!(breaker.admit(later), Admission::Probe);
            assert_eq!(breaker.admit(later), Admission::Reject, "one in each rest");
        }
        breaker.reset();
        assert_eq!(breaker.admit(now), Admission::Allow);
    }
}
