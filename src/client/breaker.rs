//! A circuit breaker: while the service is away, calls fail at once instead of making the clerk wait.
//!
//! Callers pass in the current time; nothing here reads a clock.

use std::time::{Duration, Instant};

use super::AvailabilityPolicy;

/// Counts consecutive failures to reach the service.
#[derive(Debug)]
pub(super) struct CircuitBreaker {
    most: u32,
    cooldown: Duration,
    failures: u32,
    shut_until: Option<Instant>,
}

/// Tells whether a call may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Admission {
    /// The call may be sent.
    Allow,
    /// The call fails without being sent.
    Reject,
    /// The caller must first ping the service. Only one caller in each rest period gets this answer.
    Probe,
}

impl CircuitBreaker {
    pub(super) const fn new(patience: AvailabilityPolicy) -> Self {
        Self {
            most: patience.failures,
            cooldown: patience.cooldown,
            failures: 0,
            shut_until: None,
        }
    }

    /// Decides whether a call may be sent at `now`.
    pub(super) fn admit(&mut self, now: Instant) -> Admission {
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
    pub(super) const fn reset(&mut self) {
        self.failures = 0;
        self.shut_until = None;
    }

    /// Counts a call that did not reach the service. Returns true if calls are stopped now.
    pub(super) fn record_failure(&mut self, now: Instant) -> bool {
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

    const REST: Duration = Duration::from_secs(10);

    fn shut(now: Instant) -> CircuitBreaker {
        let mut breaker = CircuitBreaker::new(AvailabilityPolicy::default());
        for _ in 0..4 {
            assert!(!breaker.record_failure(now));
            assert_eq!(breaker.admit(now), Admission::Allow);
        }
        assert!(breaker.record_failure(now));
        breaker
    }

    #[test]
    fn five_failures_in_a_row_stop_calls_for_ten_seconds_and_then_one_caller_probes() {
        let now = Instant::now();
        let mut breaker = shut(now);
        assert_eq!(breaker.admit(now), Admission::Reject);
        assert_eq!(breaker.admit(now + REST * 99 / 100), Admission::Reject);
        assert_eq!(breaker.admit(now + REST), Admission::Probe);
        assert_eq!(
            breaker.admit(now + REST),
            Admission::Reject,
            "one probe in each rest"
        );
        assert_eq!(breaker.admit(now + REST * 2), Admission::Probe);
    }

    #[test]
    fn an_answer_between_begins_the_count_anew() {
        let now = Instant::now();
        let mut breaker = CircuitBreaker::new(AvailabilityPolicy::default());
        for _ in 0..20 {
            (0..4).for_each(|_| assert!(!breaker.record_failure(now)));
            breaker.reset();
        }
        assert_eq!(breaker.admit(now), Admission::Allow);
        let mut breaker = shut(now);
        breaker.reset();
        assert_eq!(breaker.admit(now), Admission::Allow);
    }
}
