//! A value fetched in the background: the last known value stays visible during the next fetch and after its
//! failure. Only this file and [`super::tasks`] handle [`Promise`]s: poll-promise panics if its sender is
//! dropped, does not cancel and never repaints. So the future must not panic (a broken job becomes an error)
//! and requests the repaint itself.

use poll_promise::Promise;

use super::EngineError;

/// A fetch that was not started yet; made by [`super::Reads`].
pub struct Fetch<T: Send + 'static>(
    pub(super) Box<dyn FnOnce() -> Promise<Result<T, EngineError>>>,
);

/// A fetched value with the state of its fetch.
pub struct Remote<T: Send + 'static> {
    value: Option<T>,
    problem: Option<EngineError>,
    running: Option<Promise<Result<T, EngineError>>>,
    again: Option<Fetch<T>>,
}

impl<T: Send + 'static> Default for Remote<T> {
    fn default() -> Self {
        Self {
            value: None,
            problem: None,
            running: None,
            again: None,
        }
    }
}

impl<T: Send + 'static> Remote<T> {
    pub fn ready(value: T) -> Self {
        Self {
            value: Some(value),
            ..Self::default()
        }
    }

    /// Sets the value remembered from an earlier start, unless there is a newer one. Returns true if it
    /// was set.
    pub fn remember(&mut self, value: T) -> bool {
        let taken = self.value.is_none();
        if taken {
            self.value = Some(value);
        }
        taken
    }

    /// Creates the state after a failed fetch, with the value from before.
    pub fn failed(problem: EngineError, previous: Option<T>) -> Self {
        Self {
            value: previous,
            problem: Some(problem),
            ..Self::default()
        }
    }

    /// Returns the newest known value, also during the next fetch and after its failure.
    pub const fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// Returns the newest known value, to correct it after an operation.
    pub const fn value_mut(&mut self) -> Option<&mut T> {
        self.value.as_mut()
    }

    /// Returns the error of the last fetch; `None` while a newer one runs.
    pub const fn problem(&self) -> Option<&EngineError> {
        self.problem.as_ref()
    }

    /// Returns true if the last fetch failed because the service did not answer.
    pub fn is_service_unavailable(&self) -> bool {
        matches!(&self.problem, Some(EngineError::Service(failure)) if failure.is_out_of_reach())
    }

    pub const fn is_loading(&self) -> bool {
        self.running.is_some()
    }

    /// Starts a fetch. While one runs, only the newest of further fetches is remembered and runs next.
    pub fn start(&mut self, fetch: Fetch<T>) {
        if self.running.is_some() {
            self.again = Some(fetch);
        } else {
            self.problem = None;
            self.running = Some((fetch.0)());
        }
    }

    /// Takes the value or the error out and forgets it.
    pub fn take(&mut self) -> Option<Result<T, EngineError>> {
        let problem = self.problem.take();
        let value = self.value.take();
        value.map(Ok).or(problem.map(Err))
    }

    /// Forgets the value and drops the fetch that is running.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes the result of the fetch if it has ended. Returns true if something changed. If a newer fetch is
    /// waiting, the old result is dropped and the newer one starts.
    pub fn poll(&mut self) -> bool {
        let Some(promise) = self.running.take() else {
            return false;
        };
        let result = match promise.try_take() {
            Ok(result) => result,
            Err(promise) => {
                self.running = Some(promise);
                return false;
            }
        };
        if let Some(newer) = self.again.take() {
            self.running = Some((newer.0)());
            return true;
        }
        match result {
            Ok(value) => {
                self.value = Some(value);
                self.problem = None;
            }
            Err(problem) => self.problem = Some(problem),
        }
        true
    }
}
