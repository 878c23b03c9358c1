//! Background tasks that need no open service: checking a service, reading the keyring or a file.
//! [`super::Reads`] also runs its jobs here. A task that panics returns an error, and each end of a task
//! requests a repaint. A long job has a [`JobControl`], to read its progress and to stop it.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use poll_promise::Promise;
use tokio::runtime::Handle;

use super::EngineError;
use super::context::blocking;
use super::queues::Repaint;
use super::remote::Fetch;

/// A maker of fetches that need no open service.
#[derive(Clone)]
pub struct TaskRunner {
    runtime: Handle,
    repaint: Repaint,
}

impl TaskRunner {
    /// Creates tasks on `runtime`; `repaint` is called after each.
    pub fn new(runtime: Handle, repaint: Repaint) -> Self {
        Self { runtime, repaint }
    }

    pub fn run<T, F>(&self, job: impl FnOnce() -> F + Send + 'static) -> Fetch<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, EngineError>> + Send + 'static,
    {
        let Self { runtime, repaint } = self.clone();
        Fetch(Box::new(move || {
            let (sender, promise) = Promise::new();
            let inner = runtime.clone();
            runtime.spawn(async move {
                // A separate task: its panic becomes an error here and never a dropped sender.
                let task = inner.spawn(async move { job().await });
                sender.send(task.await.unwrap_or(Err(EngineError::Internal)));
                repaint();
            });
            promise
        }))
    }

    /// Returns a fetch that runs `job` on a thread that may block on the disk.
    pub fn disk<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, std::io::ErrorKind> + Send + 'static,
    ) -> Fetch<T> {
        self.run(|| blocking(move || job().map_err(EngineError::Save)))
    }

    pub const fn runtime(&self) -> &Handle {
        &self.runtime
    }

    pub fn repaint(&self) -> Repaint {
        Arc::clone(&self.repaint)
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

    /// Returns the steps done and the total.
    pub fn progress(&self) -> (usize, usize) {
        let load = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (load(&self.0.done), load(&self.0.of))
    }

    pub(super) fn add(&self, done: usize) {
        self.0.done.fetch_add(done, Ordering::Relaxed);
    }
}
