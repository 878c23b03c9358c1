//! The bench's clock: the only reader of the system's time, and settable, so that a test or a rehearsal can say when it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};

/// Where "now" comes from. Clones share one setting.
#[derive(Debug, Clone)]
pub struct Clock(Source);

#[derive(Debug, Clone)]
enum Source {
    /// The system's time.
    System,
    /// A time that stands still until it is moved; milliseconds since 1970, UTC.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// The system's own time.
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands at `at` until [`Clock::advance`] moves it.
    pub fn fixed(at: Timestamp) -> Self {
        Self(Source::Set(Arc::new(AtomicI64::new(at.as_millisecond()))))
    }

    /// The time it is by this clock.
    #[expect(clippy::disallowed_methods, reason = "this is the clock")]
    pub fn now(&self) -> Timestamp {
        match &self.0 {
            Source::System => Timestamp::now(),
            Source::Set(at) => Timestamp::from_millisecond(at.load(Ordering::Relaxed))
                .unwrap_or(Timestamp::UNIX_EPOCH),
        }
    }

    /// Moves a fixed clock on; the system's clock moves by itself and ignores this.
    pub fn advance(&self, by: SignedDuration) {
        if let Source::Set(at) = &self.0 {
            let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
            at.fetch_add(by, Ordering::Relaxed);
        }
    }
}
