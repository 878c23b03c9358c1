//! A long job that tells how far it is, and that can be stopped. It must not know what the job is.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a job and whoever waits for it share; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Ticket(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    done: AtomicUsize,
    of: AtomicUsize,
    stopped: AtomicBool,
}

impl Ticket {
    /// Of so many.
    pub fn of(total: usize) -> Self {
        let ticket = Self::default();
        ticket.0.of.store(total, Ordering::Relaxed);
        ticket
    }

    /// Asks the job to end soon.
    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    /// True once it was asked to.
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// So many are done, of how many.
    pub fn progress(&self) -> (usize, usize) {
        let load = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (load(&self.0.done), load(&self.0.of))
    }

    /// So many more are done.
    pub(super) fn add(&self, done: usize) {
        self.0.done.fetch_add(done, Ordering::Relaxed);
    }
}
