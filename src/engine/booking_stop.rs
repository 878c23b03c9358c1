//! The clerk's request to stop bookings after the group that is being booked.
//!
//! Invariant: a stop applies exactly to the bookings that were requested before it, in whatever order the
//! service queue and the clerk act.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the bookings requested and begun, and remembers up to which number they are stopped. Cheap
/// to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct BookingStop(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    asked: AtomicU64,
    begun: AtomicU64,
    stopped: AtomicU64,
}

impl BookingStop {
    /// Counts a booking that was put into the queue.
    pub(super) fn asked(&self) {
        self.0.asked.fetch_add(1, Ordering::SeqCst);
    }

    /// Stops all bookings requested so far.
    pub(super) fn stop(&self) {
        let asked = self.0.asked.load(Ordering::SeqCst);
        self.0.stopped.fetch_max(asked, Ordering::SeqCst);
    }

    /// Begins the next booking and returns its number.
    pub(super) fn begin(&self) -> u64 {
        self.0.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Returns true if the booking with this number is stopped.
    pub(super) fn is_stopped(&self, number: u64) -> bool {
        self.0.stopped.load(Ordering::SeqCst) >= number
    }
}
