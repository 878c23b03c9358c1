//! Lookups that lag behind: the service as it was before a change, for as long as the change is not to be seen.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Copies that are kept; with more changes than that, the last copy stays for longer.
const MOST: usize = 32;

/// Earlier states of something, each until the change after it may be seen.
pub(crate) struct Past<T>(Mutex<VecDeque<(Instant, Arc<T>)>>);

impl<T> Default for Past<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Past<T> {
    /// Before a change that is not to be seen for this long: `copy` is made of how things are now.
    pub(crate) fn keep<E>(
        &self,
        lag: Duration,
        copy: impl FnOnce() -> Result<T, E>,
    ) -> Result<(), E> {
        let until = Instant::now() + lag;
        let mut states = self.current();
        if states.len() >= MOST
            && let Some((last, _)) = states.back_mut()
        {
            *last = until.max(*last);
            return Ok(());
        }
        states.push_back((until, Arc::new(copy()?)));
        Ok(())
    }

    /// What is seen in place of the present; nothing where all may be seen.
    pub(crate) fn seen(&self) -> Option<Arc<T>> {
        self.current().front().map(|(_, state)| Arc::clone(state))
    }

    /// All may be seen.
    pub(crate) fn forget(&self) {
        self.lock().clear();
    }

    /// Without what is over.
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
