//! The only reader of the system's time. Tests, practice drills and the practice service can set it.
//!
//! Clones share one clock: a time set on one applies to all. Time zones are handled elsewhere.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::{SignedDuration, Timestamp};

/// The system time plus an offset, or one fixed moment.
#[derive(Clone, Debug)]
pub struct Clock(Arc<Mutex<Reading>>);

#[derive(Clone, Copy, Debug)]
enum Reading {
    Running(SignedDuration),
    Fixed(Timestamp),
}

impl Clock {
    /// Follows the machine's time.
    pub fn system() -> Self {
        Self(Arc::new(Mutex::new(Reading::Running(SignedDuration::ZERO))))
    }

    /// Stays at `moment` until it is set or advanced.
    pub fn fixed(moment: Timestamp) -> Self {
        Self(Arc::new(Mutex::new(Reading::Fixed(moment))))
    }

    pub fn now(&self) -> Timestamp {
        match *self.reading() {
            Reading::Running(offset) => system_time()
                .saturating_add(offset)
                .unwrap_or(Timestamp::MAX),
            Reading::Fixed(moment) => moment,
        }
    }

    /// Moves to `moment`. A fixed clock stays there; a running clock continues from there.
    pub fn set(&self, moment: Timestamp) {
        let mut reading = self.reading();
        *reading = match *reading {
            Reading::Running(_) => Reading::Running(moment.duration_since(system_time())),
            Reading::Fixed(_) => Reading::Fixed(moment),
        };
    }

    /// Moves forward, or back if the duration is negative.
    pub fn advance(&self, by: SignedDuration) {
        let mut reading = self.reading();
        *reading = match *reading {
            Reading::Running(offset) => Reading::Running(offset.saturating_add(by)),
            Reading::Fixed(moment) => Reading::Fixed(moment.saturating_add(by).unwrap_or(moment)),
        };
    }

    fn reading(&self) -> MutexGuard<'_, Reading> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the one clock")]
fn system_time() -> Timestamp {
    Timestamp::now()
}
