//! The health of the service: the latency of its last answer, the time since which it is away (calls do not reach
//! it), and whether calls are sent.
//!
//! Invariants: any answer ends an absence, even HTTP 401. One unanswered call alone does not start an
//! absence: a ping must fail too, or enough calls in a row must fail to open the circuit breaker.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use reqwest::StatusCode;

use super::{AvailabilityPolicy, Failure};
use shipping::Clock;

/// A ping that started longer ago than this is no longer running: it was dropped together with its call.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    Allow,
    /// The call fails without being sent.
    Reject,
    /// The caller must first ping the service. Only one caller in each cooldown period gets this answer.
    Probe,
}

/// Monitor of the service's health, which it derives from the results of calls. While the service is away, calls fail
/// at once instead of making the clerk wait.
#[derive(Debug)]
pub(super) struct HealthMonitor {
    clock: Clock,
    policy: AvailabilityPolicy,
    state: Mutex<MonitorState>,
}

#[derive(Debug)]
struct MonitorState {
    health: Health,
    /// Consecutive failures to reach the service.
    failures: u32,
    /// The time until which no calls are sent.
    shut_until: Option<Instant>,
    /// Start of the ping that is checking whether the service is away.
    ping_started: Option<Instant>,
    last_check: Option<Instant>,
    /// The wall clock and the monotonic clock when they were last compared.
    last_clocks: (Timestamp, Instant),
}

impl HealthMonitor {
    pub(super) fn new(clock: Clock, policy: AvailabilityPolicy) -> Self {
        let state = MonitorState {
            health: Health::default(),
            failures: 0,
            shut_until: None,
            ping_started: None,
            last_check: None,
            last_clocks: (clock.now(), Instant::now()),
        };
        Self {
            clock,
            policy,
            state: Mutex::new(state),
        }
    }

    pub(super) fn health(&self) -> Health {
        self.state().health
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(super) fn admit(&self) -> Admission {
        let (mut state, now) = (self.state(), Instant::now());
        match state.shut_until {
            None => Admission::Allow,
            Some(until) if now < until => Admission::Reject,
            Some(_) => {
                // The caller's future may be dropped during the ping; another caller then probes after one more
                // cooldown period.
                state.shut_until = Some(now + self.policy.cooldown);
                Admission::Probe
            }
        }
    }

    /// Allows calls again, whatever happened before.
    pub(super) fn allow_calls(&self) {
        self.state().allow_calls();
    }

    pub(super) fn record_answer(&self, took: Duration, status: StatusCode) {
        let health = &mut self.state().health;
        health.latency = Some(took);
        health.fault = status.is_server_error().then(|| status.as_u16());
    }

    /// Records the result of a call. Returns true if a ping must find out whether the service is away.
    pub(super) fn record_result<T>(&self, result: &Result<T, Failure>) -> bool {
        let (mut state, now) = (self.state(), Instant::now());
        match result {
            // Nothing was sent, so the result says nothing about the service.
            Err(Failure::Away | Failure::Internal) => return false,
            Err(failure) if failure.is_out_of_reach() => {}
            _ => {
                state.answered();
                return false;
            }
        }
        state.failures = state.failures.saturating_add(1);
        if state.failures >= self.policy.failures {
            state.shut_until.get_or_insert(now + self.policy.cooldown);
        }
        if state.shut_until.is_some() {
            state.health.away_since.get_or_insert(self.clock.now());
        }
        let is_asked = { state.ping_started }.is_some_and(|since| now - since < ASKED_WITHIN);
        let must_ask = state.health.away_since.is_none() && !is_asked;
        if must_ask {
            state.ping_started = Some(now);
        }
        must_ask
    }

    pub(super) fn record_ping(&self, answers: bool) {
        let mut state = self.state();
        state.ping_started = None;
        if answers {
            state.answered();
        } else {
            state.health.away_since.get_or_insert(self.clock.now());
        }
    }

    /// Returns true once after the machine slept or its clock was set, that is, when the wall clock and the
    /// monotonic clock have moved apart since the last call. Sleep is only detected where the monotonic clock
    /// stops during sleep: on Linux and macOS.
    pub(super) fn detect_clock_jump(&self) -> bool {
        let mut state = self.state();
        let (wall, forward) = (self.clock.now(), Instant::now());
        let (old_wall, old_forward) = std::mem::replace(&mut state.last_clocks, (wall, forward));
        let really = SignedDuration::try_from(forward - old_forward).unwrap_or(SignedDuration::MAX);
        let apart = wall.duration_since(old_wall).saturating_sub(really);
        let jumped = apart.unsigned_abs() > self.policy.max_clock_drift;
        if jumped {
            state.allow_calls();
        }
        jumped
    }

    /// Returns true if the regular check, due every `rest`, comes so late that the machine must have slept. This also
    /// detects sleep if the monotonic clock continues during sleep, as on Windows.
    pub(super) fn detect_late_check(&self, rest: Duration) -> bool {
        let (mut state, now) = (self.state(), Instant::now());
        let before = state.last_check.replace(now);
        let late = before.is_some_and(|before| now - before > rest + self.policy.max_clock_drift);
        if late {
            state.allow_calls();
        }
        late
    }

    fn state(&self) -> MutexGuard<'_, MonitorState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl MonitorState {
    const fn allow_calls(&mut self) {
        self.failures = 0;
        self.shut_until = None;
    }

    /// Records that the service can be reached.
    const fn answered(&mut self) {
        self.allow_calls();
        if self.health.away_since.take().is_some() {
            self.health.returns = self.health.returns.wrapping_add(1);
        }
    }
}
