//! A value fetched in the background: the last known value stays visible during the next fetch and after its failure.
//! Only this file handles [`Promise`]s. poll-promise panics if a sender is dropped, cannot cancel a job and requests
//! no repaint. So the task that owns a sender must not panic (a job that panics becomes an error) and requests the
//! repaint itself. A long job has a [`JobControl`], to read its progress and to stop it.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use poll_promise::Promise;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::{EngineError, Repaint, blocking};

/// Starts a task. The box makes all tasks one type, so that the compiler generates the runtime's code for a
/// task only once.
fn spawn(runtime: &Handle, task: impl Future<Output = ()> + Send + 'static) {
    let task: Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(task);
    runtime.spawn(task);
}

/// A fetch that was not started yet; made by a [`TaskRunner`] or by [`super::Reads`].
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

    /// Sets the value remembered from an earlier start, unless there is a newer one. Returns true if it was set.
    pub fn remember(&mut self, value: T) -> bool {
        let taken = self.value.is_none();
        if taken {
            self.value = Some(value);
        }
        taken
    }

    /// Creates the state after a failed fetch, with the previous value.
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

    /// Returns the newest known value, so that the caller can correct it after an operation.
    pub const fn value_mut(&mut self) -> Option<&mut T> {
        self.value.as_mut()
    }

    /// Returns the error of the last fetch; `None` while a newer fetch runs, unless that fetch was started by
    /// [`Self::refresh`].
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

    /// Starts a fetch. While a fetch runs, only the newest of the further fetches is remembered; it runs next.
    pub fn start(&mut self, fetch: Fetch<T>) {
        if self.running.is_none() {
            self.problem = None;
        }
        self.refresh(fetch);
    }

    /// Like [`Self::start`], but keeps the last error until the fetch ends, so that it stays readable on a screen
    /// that is fetched again every few seconds.
    pub fn refresh(&mut self, fetch: Fetch<T>) {
        if self.running.is_some() {
            self.again = Some(fetch);
        } else {
            self.running = Some((fetch.0)());
        }
    }

    pub fn take(&mut self) -> Option<Result<T, EngineError>> {
        let problem = self.problem.take();
        let value = self.value.take();
        value.map(Ok).or(problem.map(Err))
    }

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

    /// Waits until no fetch is running or waiting to run, at most for `limit`. For the end of the program only.
    pub fn finish(&mut self, limit: Duration) {
        let begun = Instant::now();
        while self.is_loading() && begun.elapsed() < limit {
            if !self.poll() {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    }
}

/// A maker of fetches that work without an [`super::Engine`], such as testing a connection or reading the keyring or
/// a file. A task that panics returns an error, and the end of each task requests a repaint.
#[derive(Clone)]
pub struct TaskRunner {
    runtime: Handle,
    repaint: Repaint,
}

impl TaskRunner {
    pub fn new(runtime: Handle, repaint: Repaint) -> Self {
        Self { runtime, repaint }
    }

    /// Returns the function that wakes the window, for a thread of its own.
    pub fn repaint(&self) -> Repaint {
        Repaint::clone(&self.repaint)
    }

    pub fn run<T, F>(&self, job: impl FnOnce() -> F + Send + 'static) -> Fetch<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, EngineError>> + Send + 'static,
    {
        let Self { runtime, repaint } = self.clone();
        Fetch(Box::new(move || {
            let (sender, promise) = Promise::new();
            let (answer, answered) = oneshot::channel();
            // The job has a separate task, so that its panic becomes an error and does not drop `sender`.
            spawn(&runtime, async move {
                // Sending fails only if nobody waits any more. The job is done even then.
                let _unwanted = answer.send(job().await);
            });
            spawn(&runtime, async move {
                sender.send(answered.await.unwrap_or(Err(EngineError::Internal)));
                repaint();
            });
            promise
        }))
    }

    /// Runs a job whose result nobody waits for.
    pub(super) fn spawn(&self, job: impl Future<Output = ()> + Send + 'static) {
        spawn(&self.runtime, job);
    }

    /// Returns a fetch that runs `job` on a thread that may block on the disk.
    pub fn disk<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, std::io::ErrorKind> + Send + 'static,
    ) -> Fetch<T> {
        self.run(|| blocking(move || job().map_err(EngineError::Save)))
    }
}

/// Runs a job that waits for something outside the program. Returns `None` after `limit`.
pub async fn within<T: Send + 'static>(
    limit: Duration,
    job: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let waiting = tokio::task::spawn_blocking(job);
    tokio::time::timeout(limit, waiting).await.ok()?.ok()
}

/// The shared handle of a long job; cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct JobControl(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    done: AtomicUsize,
    of: AtomicUsize,
    stopped: AtomicBool,
}

impl JobControl {
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

    pub fn progress(&self) -> (usize, usize) {
        let load = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (load(&self.0.done), load(&self.0.of))
    }

    pub(super) fn add(&self, done: usize) {
        self.0.done.fetch_add(done, Ordering::Relaxed);
    }
}
