//! A circuit breaker: while the service is away, calls fail at once instead of making the clerk wait.
//!
//! Callers pass in the current time; nothing here reads a clock.

use std::time::{Duration, Instant};

use super::Patience;

/// Counts consecutive failures to reach the service.
#[derive(Debug)]
pub(super) struct Breaker {
    most: u32,
    rest: Duration,
    failures: u32,
    shut_until: Option<Instant>,
}

/// Tells whether a call may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Gate {
    /// The call may be sent.
    Open,
    /// The call fails without being sent.
    Shut,
    /// The caller must first ping the service. Only one caller in each rest period gets this answer.
    Probe,
}

impl Breaker {
    pub(super) const fn new(patience: Patience) -> Self {
        Self {
            most: patience.failures,
            rest: patience.rest,
            failures: 0,
            shut_until: None,
        }
    }

    /// Decides whether a call may be sent at `now`.
    pub(super) fn gate(&mut self, now: Instant) -> Gate {
        match self.shut_until {
            None => Gate::Open,
            Some(until) if now < until => Gate::Shut,
            Some(_) => {
                // The caller's future may be dropped during the ping; another caller then probes after one
                // more rest period.
                self.shut_until = Some(now + self.rest);
                Gate::Probe
            }
        }
    }

    /// Lets calls through and resets the count, because the service answered or a fresh start was requested.
    pub(super) const fn open(&mut self) {
        self.failures = 0;
        self.shut_until = None;
    }

    /// Counts a call that did not reach the service. Returns true if calls are stopped now.
    pub(super) fn failed(&mut self, now: Instant) -> bool {
        self.failures = self.failures.saturating_add(1);
        if self.failures >= self.most && self.shut_until.is_none() {
            self.shut_until = Some(now + self.rest);
        }
        self.shut_until.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: Duration = Duration::from_secs(10);

    fn shut(now: Instant) -> Breaker {
        let mut breaker = Breaker::new(Patience::default());
        for _ in 0..4 {
            assert!(!breaker.failed(now));
            assert_eq!(breaker.gate(now), Gate::Open);
        }
        assert!(breaker.failed(now));
        breaker
    }

    #[test]
    fn five_failures_in_a_row_stop_calls_for_ten_seconds_and_then_one_caller_probes() {
        let now = Instant::now();
        let mut breaker = shut(now);
        assert_eq!(breaker.gate(now), Gate::Shut);
        assert_eq!(breaker.gate(now + REST * 99 / 100), Gate::Shut);
        assert_eq!(breaker.gate(now + REST), Gate::Probe);
        assert_eq!(
            breaker.gate(now + REST),
            Gate::Shut,
            "one probe in each rest"
        );
        assert_eq!(breaker.gate(now + REST * 2), Gate::Probe);
    }

    #[test]
    fn an_answer_between_begins_the_count_anew() {
        let now = Instant::now();
        let mut breaker = Breaker::new(Patience::default());
        for _ in 0..20 {
            (0..4).for_each(|_| assert!(!breaker.failed(now)));
            breaker.open();
        }
        assert_eq!(breaker.gate(now), Gate::Open);
        let mut breaker = shut(now);
        breaker.open();
        assert_eq!(breaker.gate(now), Gate::Open);
    }
}
