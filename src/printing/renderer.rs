//! Drawing pages in a child process of our own executable, kept warm between labels.
//!
//! What always holds: a page costs at most [`Limits::page_time`] and the child at most [`Limits::memory_bytes`]; a child
//! that broke a limit, or died, is gone before the error is returned, and the next page starts another; dropping the
//! future in the middle kills the child, since half an answer would be taken for the next one's.
//!
//! The child's side is [`serve_renderer`]; `main` calls it when the first argument is [`SUBCOMMAND`].

mod child;
mod error;

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Mutex;
use tokio::time::timeout;

pub use child::serve_renderer;
pub use error::RenderError;

use super::frame;
use super::page::{Bitmap, Page, Pages, Scale};

/// The hidden argument that makes our executable a renderer.
pub const SUBCOMMAND: &str = "render-pages";

/// What a child may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Address space of the child in bytes, so also the most it can ever hold. No effect on Windows.
    pub memory_bytes: u64,
    /// The longest a page may take, the document's reading included in the first one's.
    pub page_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory_bytes: 512 * 1024 * 1024,
            page_time: Duration::from_secs(5),
        }
    }
}

/// The bench's renderer. Shared by reference; pages are drawn one after the other.
#[derive(Debug)]
pub struct Renderer {
    program: PathBuf,
    limits: Limits,
    worker: Mutex<Option<Worker>>,
}

impl Renderer {
    /// `program` is our own executable. No child is started until the first page, or [`Renderer::warm_up`].
    pub fn new(program: PathBuf) -> Self {
        Self::with_limits(program, Limits::default())
    }

    /// The same with other limits.
    pub fn with_limits(program: PathBuf, limits: Limits) -> Self {
        Self {
            program,
            limits,
            worker: Mutex::new(None),
        }
    }

    /// Starts the child ahead of the first label.
    pub async fn warm_up(&self) -> Result<(), RenderError> {
        let mut slot = self.worker.lock().await;
        let worker = self.take_or_start(&mut slot)?;
        *slot = Some(worker);
        Ok(())
    }

    /// Ends the child, if there is one, and waits until it is gone. The next page starts another.
    pub async fn close(&self) {
        if let Some(worker) = self.worker.lock().await.take() {
            worker.end().await;
        }
    }

    /// The child's process id while one is alive.
    pub async fn child_id(&self) -> Option<u32> {
        self.worker
            .lock()
            .await
            .as_ref()
            .and_then(|worker| worker.child.id())
    }

    /// Draws one page; `index` counts from 0.
    pub async fn render(
        &self,
        pdf: Arc<[u8]>,
        index: usize,
        scale: Scale,
    ) -> Result<Page, RenderError> {
        let mut pages = self.render_pages(pdf, Pages::only(index), scale).await?;
        pages.pop().ok_or(RenderError::Unreadable)
    }

    /// Draws some or all pages, in order.
    pub async fn render_pages(
        &self,
        pdf: Arc<[u8]>,
        pages: Pages,
        scale: Scale,
    ) -> Result<Vec<Page>, RenderError> {
        if pdf.len() > frame::LONGEST_BODY {
            return Err(RenderError::FileTooLarge {
                mebibytes: pdf.len() / (1024 * 1024),
            });
        }
        let request = Request {
            pages,
            scale,
            memory_bytes: self.limits.memory_bytes,
        };
        let mut slot = self.worker.lock().await;
        let warm = slot.is_some();
        let drawn = self.draw_once(&mut slot, &request, &pdf).await;
        if warm && drawn == Err(RenderError::Died) {
            // It may have been dead for hours. A document that kills does so again, and costs one more child.
            return self.draw_once(&mut slot, &request, &pdf).await;
        }
        drawn
    }

    async fn draw_once(
        &self,
        slot: &mut Option<Worker>,
        request: &Request,
        pdf: &[u8],
    ) -> Result<Vec<Page>, RenderError> {
        let mut worker = self.take_or_start(slot)?;
        match worker.draw(request, pdf, self.limits.page_time).await {
            Ok(drawn) => {
                *slot = Some(worker);
                Ok(drawn)
            }
            Err(Fault::Refused(error)) => {
                *slot = Some(worker);
                Err(error)
            }
            Err(Fault::TimedOut) => {
                worker.end().await;
                Err(RenderError::TimedOut {
                    seconds: self.limits.page_time.as_secs(),
                })
            }
            Err(Fault::Lost) => Err(worker.post_mortem(self.limits.memory_bytes).await),
        }
    }

    /// Takes the warm child out of its slot, or starts one. It goes back only after a whole answer.
    fn take_or_start(&self, slot: &mut Option<Worker>) -> Result<Worker, RenderError> {
        if let Some(mut worker) = slot.take()
            && matches!(worker.child.try_wait(), Ok(None))
        {
            return Ok(worker);
        }
        Worker::start(&self.program)
    }
}

/// What the child is asked; the document is the frame's body.
#[derive(Debug, Serialize, Deserialize)]
struct Request {
    pages: Pages,
    scale: Scale,
    memory_bytes: u64,
}

/// What the child answers: pages, then `Done`; or `Refused` at any point.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    /// The frame's body holds the packed rows.
    Page {
        width: u32,
        height: u32,
        index: usize,
        page_count: usize,
        pages_said: usize,
        size_mm: (f64, f64),
    },
    Done,
    Refused(RenderError),
}

/// Why there was no answer.
enum Fault {
    /// The child is well; the document is not.
    Refused(RenderError),
    TimedOut,
    Lost,
}

#[derive(Debug)]
struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Worker {
    fn start(program: &PathBuf) -> Result<Self, RenderError> {
        let mut command = Command::new(program);
        command
            .arg(SUBCOMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
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

    async fn draw(
        &mut self,
        request: &Request,
        pdf: &[u8],
        page_time: Duration,
    ) -> Result<Vec<Page>, Fault> {
        let sent = timeout(page_time, frame::send(&mut self.stdin, request, pdf)).await;
        sent.map_err(|_elapsed| Fault::TimedOut)?
            .map_err(|_detail| Fault::Lost)?;
        let mut pages = Vec::new();
        loop {
            let reply = timeout(page_time, frame::receive(&mut self.stdout)).await;
            let (reply, rows) = reply
                .map_err(|_elapsed| Fault::TimedOut)?
                .map_err(|_detail| Fault::Lost)?;
            match reply {
                Reply::Page {
                    width,
                    height,
                    index,
                    page_count,
                    pages_said,
                    size_mm,
                } => {
                    let bitmap =
                        Bitmap::from_packed(width, height, rows).map_err(|_detail| Fault::Lost)?;
                    pages.push(Page {
                        bitmap,
                        index,
                        page_count,
                        pages_said,
                        size_mm,
                        scale: request.scale,
                    });
                }
                Reply::Done => return Ok(pages),
                Reply::Refused(error) => return Err(Fault::Refused(error)),
            }
        }
    }

    async fn end(mut self) {
        // Failing means that it is gone already.
        drop(self.child.kill().await);
    }

    /// What a child that went silent died of, by its last words.
    async fn post_mortem(mut self, memory_bytes: u64) -> RenderError {
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
