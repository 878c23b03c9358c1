//! The clerk's word that bookings stop: after the group that is on its way, and not for what is asked for later.
//!
//! What always holds: a stop counts for the bookings that were asked for before it and for no other, however the lane and the
//! clerk overtake each other. It knows nothing of what a booking is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts what was asked for, what was begun, and up to where it was stopped. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub(super) struct BookingStop(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    asked: AtomicU64,
    begun: AtomicU64,
    stopped: AtomicU64,
}

impl BookingStop {
    /// One more was given to the lane.
    pub(super) fn asked(&self) {
        self.0.asked.fetch_add(1, Ordering::SeqCst);
    }

    /// What was asked for so far stops.
    pub(super) fn stop(&self) {
        let asked = self.0.asked.load(Ordering::SeqCst);
        self.0.stopped.fetch_max(asked, Ordering::SeqCst);
    }

    /// The lane begins with the next one that was asked for; answers its number.
    pub(super) fn begin(&self) -> u64 {
        self.0.begun.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// Whether the one with this number is to stop.
    pub(super) fn is_stopped(&self, number: u64) -> bool {
        self.0.stopped.load(Ordering::SeqCst) >= number
    }
}
