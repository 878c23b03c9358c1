//! A value fetched from the service: what was known stays on screen while it is fetched again, and when that fails.
//!
//! The one place where a [`Promise`] is made. poll-promise panics when its sender is dropped, does not cancel and never
//! repaints; so the future cannot panic (a broken job becomes a failure), and it asks for the repaint itself.

use poll_promise::Promise;

use super::WorkError;

/// How a value is fetched when its turn comes; made by [`super::Reads`].
pub struct Fetch<T: Send + 'static>(pub(super) Box<dyn FnOnce() -> Promise<Result<T, WorkError>>>);

/// A fetched value and how fresh it is.
pub struct Remote<T: Send + 'static> {
    value: Option<T>,
    problem: Option<WorkError>,
    running: Option<Promise<Result<T, WorkError>>>,
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
    /// A value that is known already.
    pub fn ready(value: T) -> Self {
        Self {
            value: Some(value),
            ..Self::default()
        }
    }

    /// Takes what was known at an earlier start, unless the service gave something since. True where it was taken.
    pub fn remember(&mut self, value: T) -> bool {
        let taken = self.value.is_none();
        if taken {
            self.value = Some(value);
        }
        taken
    }

    /// A fetch that failed, with what was known before.
    pub fn failed(problem: WorkError, previous: Option<T>) -> Self {
        Self {
            value: previous,
            problem: Some(problem),
            ..Self::default()
        }
    }

    /// The newest value known, also while it is fetched again and after that failed.
    pub const fn value(&self) -> Option<&T> {
        self.value.as_ref()
    }

    /// The newest value known, to be corrected by what an operation brought.
    pub const fn value_mut(&mut self) -> Option<&mut T> {
        self.value.as_mut()
    }

    /// Why the last fetch failed; nothing while a newer one runs or after it succeeded.
    pub const fn problem(&self) -> Option<&WorkError> {
        self.problem.as_ref()
    }

    /// True where the last fetch failed because the service did not answer.
    pub fn is_away(&self) -> bool {
        matches!(&self.problem, Some(WorkError::Service(failure)) if failure.is_out_of_reach())
    }

    /// True while it is being fetched.
    pub const fn is_loading(&self) -> bool {
        self.running.is_some()
    }

    /// Fetches it. While one fetch runs, any number of further ones become one more: the newest.
    pub fn start(&mut self, fetch: Fetch<T>) {
        if self.running.is_some() {
            self.again = Some(fetch);
        } else {
            self.problem = None;
            self.running = Some((fetch.0)());
        }
    }

    /// Takes the value, or why there is none, and forgets it.
    pub fn take(&mut self) -> Option<Result<T, WorkError>> {
        let problem = self.problem.take();
        let value = self.value.take();
        value.map(Ok).or(problem.map(Err))
    }

    /// Forgets the value and drops the reply that is under way.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Takes the reply, where it has come. True where something changed. A reply that a newer fetch waits behind is
    /// dropped: it answers an old question.
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
