//! What is done in the background without an open service: looking at a service, at the keyring, at a file.
//!
//! [`super::Reads`] runs its jobs through it too. What always holds: a job's panic is a failure, and its end asks for a
//! repaint.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use poll_promise::Promise;
use tokio::runtime::Handle;

use super::WorkError;
use super::lanes::Repaint;
use super::remote::Fetch;

/// Makes fetches that need no service.
#[derive(Clone)]
pub struct Errands {
    runtime: Handle,
    repaint: Repaint,
}

impl Errands {
    /// On this runtime; `repaint` is called when one has ended.
    pub fn new(runtime: Handle, repaint: Repaint) -> Self {
        Self { runtime, repaint }
    }

    /// A job.
    pub fn run<T, F>(&self, job: impl FnOnce() -> F + Send + 'static) -> Fetch<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, WorkError>> + Send + 'static,
    {
        let Self { runtime, repaint } = self.clone();
        Fetch(Box::new(move || {
            let (sender, promise) = Promise::new();
            let inner = runtime.clone();
            runtime.spawn(async move {
                // A task of its own: its panic is a failure here, never a dropped sender.
                let task = inner.spawn(async move { job().await });
                sender.send(task.await.unwrap_or(Err(WorkError::Internal)));
                repaint();
            });
            promise
        }))
    }

    /// A job that waits for the disk.
    pub fn disk<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, std::io::ErrorKind> + Send + 'static,
    ) -> Fetch<T> {
        self.run(|| async move {
            let done = tokio::task::spawn_blocking(job).await;
            done.map_err(|_panicked| WorkError::Internal)?
                .map_err(WorkError::Save)
        })
    }

    /// The runtime that they run on.
    pub const fn runtime(&self) -> &Handle {
        &self.runtime
    }

    /// Asks for a frame.
    pub fn repaint(&self) -> Repaint {
        Arc::clone(&self.repaint)
    }
}

/// A job that waits for something outside the program, `limit` at the most; nothing where it took longer.
pub async fn within<T: Send + 'static>(
    limit: Duration,
    job: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let waiting = tokio::task::spawn_blocking(job);
    tokio::time::timeout(limit, waiting).await.ok()?.ok()
}
