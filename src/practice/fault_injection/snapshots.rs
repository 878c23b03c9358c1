//! Lagging lookups: copies of the state before a change, for as long as lookups must not show the change.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Most copies that are kept. With more changes than that, the last copy is kept for longer.
const MAX_SNAPSHOTS: usize = 32;

/// Earlier states, each kept until lookups may show the change after it.
pub(crate) struct Snapshots<T>(Mutex<VecDeque<(Instant, Arc<T>)>>);

impl<T> Default for Snapshots<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Snapshots<T> {
    /// Keeps the state returned by `copy` for the time `lag`. Called before a change that lookups must not
    /// show for that long.
    pub(crate) fn keep<E>(
        &self,
        lag: Duration,
        copy: impl FnOnce() -> Result<T, E>,
    ) -> Result<(), E> {
        let until = Instant::now() + lag;
        let mut states = self.current();
        if states.len() >= MAX_SNAPSHOTS
            && let Some((last, _)) = states.back_mut()
        {
            *last = until.max(*last);
            return Ok(());
        }
        states.push_back((until, Arc::new(copy()?)));
        Ok(())
    }

    /// Returns the earlier state that lookups must show, or `None` if they may show the current one.
    pub(crate) fn seen(&self) -> Option<Arc<T>> {
        self.current().front().map(|(_, state)| Arc::clone(state))
    }

    /// Drops all earlier states, so that lookups show the current one.
    pub(crate) fn forget(&self) {
        self.lock().clear();
    }

    /// Drops expired states and returns the others.
    fn current(&self) -> MutexGuard<'_, VecDeque<(Instant, Arc<T>)>> {
        let mut states = self.lock();
        let now = Instant::now();
        while states.front().is_some_and(|(until, _)| *until <= now) {
            states.pop_front();
        }
        states
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<(Instant, Arc<T>)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
