//! A handle to a long job, to read its progress and to stop it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The shared handle of a job; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct JobControl(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    done: AtomicUsize,
    of: AtomicUsize,
    stopped: AtomicBool,
}

impl JobControl {
    /// Creates the handle of a job with `total` steps.
    pub fn of(total: usize) -> Self {
        let ticket = Self::default();
        ticket.0.of.store(total, Ordering::Relaxed);
        ticket
    }

    pub fn stop(&self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::Relaxed)
    }

    /// Returns the steps done and the total.
    pub fn progress(&self) -> (usize, usize) {
        let load = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (load(&self.0.done), load(&self.0.of))
    }

    /// Adds steps that are done.
    pub(super) fn add(&self, done: usize) {
        self.0.done.fetch_add(done, Ordering::Relaxed);
    }
}
