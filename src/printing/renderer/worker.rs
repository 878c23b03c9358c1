//! Our side of one child process: starts it, sends requests, ends it, and finds out why it died.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::super::frame;
use super::super::page::{Bitmap, Page};
use super::super::picture::Picture;
use super::{RenderError, RenderLimits, RenderResult, Reply, Request, SUBCOMMAND, Task};

/// The reason why there is no result.
pub(super) enum WorkerError {
    /// The child is well, but refused the document.
    Refused(RenderError),
    /// A page or the document took too long or has too many dots, so the child has to be ended.
    OverLimit(RenderError),
    Lost,
}

impl WorkerError {
    fn timed_out(limit: Duration) -> Self {
        let seconds = limit.as_secs();
        Self::OverLimit(RenderError::TimedOut { seconds })
    }
}

#[derive(Debug)]
pub(super) struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Worker {
    pub(super) fn start(program: &Path) -> Result<Self, RenderError> {
        let mut command = Command::new(program);
        command.arg(SUBCOMMAND).stderr(Stdio::piped());
        // Windows finds its system libraries through the environment.
        #[cfg(not(windows))]
        command.env_clear();
        let started = frame::start_child(&mut command);
        let (child, stdin, stdout) = started.map_err(|kind| RenderError::NoRenderer { kind })?;
        Ok(Self {
            child,
            stdin,
            stdout: BufReader::new(stdout),
        })
    }

    pub(super) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Returns whether the child has not ended yet, as far as the system knows.
    pub(super) fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends a request and collects all replies within the limits for a document.
    pub(super) async fn draw(
        &mut self,
        request: &Request,
        bytes: &[u8],
        limits: &RenderLimits,
    ) -> Result<RenderResult, WorkerError> {
        let drawn = timeout(limits.document_time, self.exchange(request, bytes, limits)).await;
        drawn.map_err(|_elapsed| WorkerError::timed_out(limits.document_time))?
    }

    async fn exchange(
        &mut self,
        request: &Request,
        bytes: &[u8],
        limits: &RenderLimits,
    ) -> Result<RenderResult, WorkerError> {
        let page_time = limits.page_time;
        let mut dots = 0_u64;
        let sent = timeout(page_time, frame::send(&mut self.stdin, request, bytes)).await;
        sent.map_err(|_elapsed| WorkerError::timed_out(page_time))?
            .map_err(|_detail| WorkerError::Lost)?;
        let mut drawn = RenderResult::default();
        loop {
            let reply = timeout(page_time, frame::receive(&mut self.stdout)).await;
            let (reply, body) = reply
                .map_err(|_elapsed| WorkerError::timed_out(page_time))?
                .map_err(|_detail| WorkerError::Lost)?;
            match reply {
                Reply::Page {
                    width,
                    height,
                    index,
                    page_count,
                    pages_said,
                    size_mm,
                } => {
                    dots = dots.saturating_add(u64::from(width) * u64::from(height));
                    if dots > limits.document_dots {
                        return Err(WorkerError::OverLimit(RenderError::DocumentTooLarge {
                            pages: drawn.pages.len() + 1,
                            mebibytes: limits.document_dots / 8 / (1024 * 1024),
                        }));
                    }
                    let Task::Draw { scale, .. } = request.task else {
                        return Err(WorkerError::Lost);
                    };
                    let bitmap = Bitmap::from_packed(width, height, body);
                    drawn.pages.push(Page {
                        bitmap: bitmap.map_err(|_detail| WorkerError::Lost)?,
                        index,
                        page_count,
                        announced_page_count: pages_said,
                        size_mm,
                        scale,
                    });
                }
                Reply::Picture {
                    width,
                    height,
                    page,
                    pages,
                } => {
                    let picture = Picture::new((width, height), body, (page, pages));
                    drawn.picture = Some(picture.ok_or(WorkerError::Lost)?);
                }
                Reply::Done => return Ok(drawn),
                Reply::Refused(error) => return Err(WorkerError::Refused(error)),
            }
        }
    }

    pub(super) async fn end(mut self) {
        // An error means that the child has already exited.
        drop(self.child.kill().await);
    }

    /// Ends a child that gave no answer, and tells from its standard error whether it ran out of memory.
    pub(super) async fn post_mortem(mut self, memory_bytes: u64) -> RenderError {
        let mut words = Vec::new();
        if let Some(stderr) = self.child.stderr.take() {
            // The child is dead or closing, so a second is plenty. 4 KiB hold any last message.
            let mut last = stderr.take(4096);
            drop(timeout(Duration::from_secs(1), last.read_to_end(&mut words)).await);
        }
        self.end().await;
        let mebibytes = memory_bytes / (1024 * 1024);
        let is_memory = |window: &[u8]| window == b"memory allocation";
        if words.windows(17).any(is_memory) {
            RenderError::OutOfMemory { mebibytes }
        } else {
            RenderError::Died
        }
    }
}
