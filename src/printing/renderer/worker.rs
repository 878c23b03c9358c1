//! One child from our side: started, asked, ended, and asked for its last words when it fell silent.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::timeout;

use super::super::frame;
use super::super::page::{Bitmap, Page};
use super::super::picture::Picture;
use super::{Drawn, Limits, RenderError, Reply, Request, SUBCOMMAND, Task};

/// Why there was no answer.
pub(super) enum Fault {
    /// The child is well; the document is not.
    Refused(RenderError),
    TimedOut,
    /// All pages together take longer than a document may.
    TooLong,
    /// So many pages of it were more dots than a document may have.
    TooMuch(usize),
    Lost,
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
        command
            .arg(SUBCOMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // Windows finds its own libraries by it.
        #[cfg(not(windows))]
        command.env_clear();
        let mut child = command.spawn().map_err(|error| RenderError::NoRenderer {
            kind: error.kind().to_string(),
        })?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(stdin), Some(stdout)) => Ok(Self {
                child,
                stdin,
                stdout: BufReader::new(stdout),
            }),
            _ => Err(RenderError::NoRenderer {
                kind: "no pipes".into(),
            }),
        }
    }

    pub(super) fn id(&self) -> Option<u32> {
        self.child.id()
    }

    /// Whether it has not ended yet, as far as the system knows.
    pub(super) fn lives(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// All pages, within what a document may cost.
    pub(super) async fn draw(
        &mut self,
        request: &Request,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<Drawn, Fault> {
        let drawn = timeout(limits.document_time, self.drawn(request, bytes, limits)).await;
        drawn.map_err(|_elapsed| Fault::TooLong)?
    }

    async fn drawn(
        &mut self,
        request: &Request,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<Drawn, Fault> {
        let page_time = limits.page_time;
        let mut dots = 0_u64;
        let sent = timeout(page_time, frame::send(&mut self.stdin, request, bytes)).await;
        sent.map_err(|_elapsed| Fault::TimedOut)?
            .map_err(|_detail| Fault::Lost)?;
        let mut drawn = Drawn::default();
        loop {
            let reply = timeout(page_time, frame::receive(&mut self.stdout)).await;
            let (reply, body) = reply
                .map_err(|_elapsed| Fault::TimedOut)?
                .map_err(|_detail| Fault::Lost)?;
            match reply {
                Reply::Page { width, height, .. } => {
                    dots = dots.saturating_add(u64::from(width) * u64::from(height));
                    if dots > limits.document_dots {
                        return Err(Fault::TooMuch(drawn.pages.len() + 1));
                    }
                    let page = page(&reply, body, request.task).ok_or(Fault::Lost)?;
                    drawn.pages.push(page);
                }
                Reply::Picture {
                    width,
                    height,
                    page,
                    pages,
                } => {
                    let picture = Picture::new((width, height), body, (page, pages));
                    drawn.picture = Some(picture.ok_or(Fault::Lost)?);
                }
                Reply::Done => return Ok(drawn),
                Reply::Refused(error) => return Err(Fault::Refused(error)),
            }
        }
    }

    pub(super) async fn end(mut self) {
        // Failing means that it is gone already.
        drop(self.child.kill().await);
    }

    /// What a child that went silent died of, by its last words.
    pub(super) async fn post_mortem(mut self, memory_bytes: u64) -> RenderError {
        let mut words = Vec::new();
        if let Some(stderr) = self.child.stderr.take() {
            // It is dead or closing: a second is plenty, and 4 KiB hold any last words.
            drop(
                timeout(
                    Duration::from_secs(1),
                    stderr.take(4096).read_to_end(&mut words),
                )
                .await,
            );
        }
        self.end().await;
        if words
            .windows(17)
            .any(|window| window == b"memory allocation")
        {
            RenderError::OutOfMemory {
                mebibytes: memory_bytes / (1024 * 1024),
            }
        } else {
            RenderError::Died
        }
    }
}

/// The page that a reply tells of; nothing where it makes no sense.
fn page(reply: &Reply, rows: Vec<u8>, task: Task) -> Option<Page> {
    let (
        Task::Draw { scale, .. },
        &Reply::Page {
            width,
            height,
            index,
            page_count,
            pages_said,
            size_mm,
        },
    ) = (task, reply)
    else {
        return None;
    };
    Some(Page {
        bitmap: Bitmap::from_packed(width, height, rows).ok()?,
        index,
        page_count,
        pages_said,
        size_mm,
        scale,
    })
}
