//! Renders pages and decodes pictures in child processes of our own executable, which stay
//! alive between labels.
//!
//! Limits that always apply:
//! - A page takes at most [`RenderLimits::page_time`]. All pages of a document together take at most
//!   [`RenderLimits::document_time`] and have at most [`RenderLimits::document_dots`].
//! - A child uses at most [`RenderLimits::memory_bytes`].
//! - At most [`RenderLimits::children`] children run, by default one per core, but no more than four; further pages
//!   wait for their turn.
//! - A child that broke a limit or died is removed before the error is returned, and the next page starts another
//!   child.
//! - Dropping the future halfway kills the child, because the rest of its answer would be mistaken for the next
//!   answer.
//!
//! The child's side is [`serve_renderer`]; `main` calls it when the first argument is [`SUBCOMMAND`]. Our
//! side of the pipe is [`Worker`].

mod child;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::Semaphore;
use tokio::time::timeout;

pub use child::serve_renderer;

use super::frame;
use super::page::{Bitmap, Page, PageSelection, Scale};
use super::picture::{FileFormat, Picture};

/// The hidden command-line argument that turns our executable into a renderer.
pub const SUBCOMMAND: &str = "render-pages";

#[derive(Debug, Clone, Copy)]
pub struct RenderLimits {
    /// The address space of a child in bytes, which limits the memory that it can use. Has no effect on Windows.
    pub memory_bytes: u64,
    /// The longest time for one page. The first page's time includes reading the document.
    pub page_time: Duration,
    /// The longest time for all pages of a document together.
    pub document_time: Duration,
    /// The maximum number of dots in all pages of a document together. We hold them in memory, eight dots per byte.
    pub document_dots: u64,
    /// The maximum number of children at a time, at least 1.
    pub children: usize,
}

/// The highest default for the number of children. A printer needs about a second per label, so more would not help.
const MOST_CHILDREN: usize = 4;

impl Default for RenderLimits {
    fn default() -> Self {
        Self {
            memory_bytes: 512 * 1024 * 1024,
            page_time: Duration::from_secs(5),
            document_time: Duration::from_mins(1),
            document_dots: 1 << 30,
            children: std::thread::available_parallelism()
                .map_or(1, NonZeroUsize::get)
                .min(MOST_CHILDREN),
        }
    }
}

/// The reason why a page could not be rendered. `Display` gives the headline, [`RenderError::advice`] says
/// what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RenderError {
    /// `%PDF-` is missing at the beginning.
    #[error("This label is not a PDF")]
    NotAPdf,
    /// `%%EOF` is missing at the end.
    #[error("This label is incomplete: its end is missing")]
    Truncated,
    /// The page has more than [`super::page::MOST_DOTS`]; refused before rendering.
    #[error("This page is too large to print: {width_mm} × {height_mm} mm")]
    PageTooLarge { width_mm: u64, height_mm: u64 },
    /// A photograph or picture has more than [`super::page::MOST_DOTS`]; refused before decoding.
    #[error("This picture is too large: {width} × {height} dots")]
    ImageTooLarge { width: u32, height: u32 },
    #[error("This document has {page_count} pages; Packbench prints at most {most}")]
    TooManyPages { page_count: usize, most: usize },
    /// The file is larger than the largest message to a child.
    #[error("This label is too large to read: {mebibytes} MiB")]
    FileTooLarge { mebibytes: usize },
    /// One page took longer than [`RenderLimits::page_time`], or all pages together
    /// longer than [`RenderLimits::document_time`].
    #[error("This label could not be prepared within {seconds} s")]
    TimedOut { seconds: u64 },
    /// All pages together have more dots than [`RenderLimits::document_dots`].
    #[error(
        "This document is too large to print: its first {pages} pages alone need more than {mebibytes} MiB"
    )]
    DocumentTooLarge { pages: usize, mebibytes: u64 },
    /// The page needs more than [`RenderLimits::memory_bytes`].
    #[error("This label needs more than {mebibytes} MiB of memory to prepare")]
    OutOfMemory { mebibytes: u64 },
    /// The renderer ended without an answer.
    #[error("This label could not be prepared: reading it crashed")]
    Died,
    /// The renderer could not be started; `kind` is the system's reason.
    #[error("Packbench could not start preparing labels ({kind})")]
    NoRenderer { kind: String },
    /// The document has no such page; `page` counts from 1.
    #[error("There is no page {page}: this document has {page_count}")]
    NoSuchPage { page: usize, page_count: usize },
    #[error("This label is locked with a password")]
    Password,
    /// The file cannot be parsed, or rendering it panicked.
    #[error("This label cannot be read")]
    Unreadable,
}

impl RenderError {
    pub fn advice(&self) -> &'static str {
        match self {
            Self::NotAPdf | Self::Truncated | Self::Unreadable => {
                "Get the label again from the service. If this happens again, ask the carrier for a new one"
            }
            Self::PageTooLarge { .. }
            | Self::ImageTooLarge { .. }
            | Self::TooManyPages { .. }
            | Self::FileTooLarge { .. }
            | Self::DocumentTooLarge { .. } => {
                "Check that this is a label; if it is, ask the carrier for one of a usual size"
            }
            Self::TimedOut { .. } | Self::OutOfMemory { .. } | Self::Died => {
                "Nothing was printed. Save the PDF and print it elsewhere, or ask the carrier for a new label"
            }
            Self::NoRenderer { .. } => "Restart Packbench. If this happens again, reinstall it",
            Self::NoSuchPage { .. } => "Choose a page that exists",
            Self::Password => "Ask the carrier for a label without a password",
        }
    }
}

/// The renderer, which tasks share by reference. It renders as many documents at once as it may have children, and
/// further documents wait in the order of their requests.
#[derive(Debug)]
pub struct Renderer {
    program: PathBuf,
    limits: RenderLimits,
    slots: Semaphore,
    /// Idle children, the most recently used last. That child is used first, so that single labels keep using
    /// the same child.
    idle: Mutex<Vec<Worker>>,
}

impl Renderer {
    /// Creates a renderer without starting a child; the first page starts a child. `program` is our own executable.
    pub fn new(program: PathBuf) -> Self {
        Self::with_limits(program, RenderLimits::default())
    }

    pub fn with_limits(program: PathBuf, limits: RenderLimits) -> Self {
        Self {
            program,
            limits,
            slots: Semaphore::new(limits.children.max(1)),
            idle: Mutex::new(Vec::new()),
        }
    }

    /// Returns the maximum number of documents rendered at once. More than twice as many tasks have no
    /// advantage for callers.
    pub fn children(&self) -> usize {
        self.limits.children.max(1)
    }

    /// Ends all children and waits until they have exited. The next page starts a new child.
    pub async fn close(&self) {
        let all = u32::try_from(self.children()).unwrap_or(u32::MAX);
        let _places = self.slots.acquire_many(all).await;
        let idle = std::mem::take(&mut *self.idle());
        for worker in idle {
            worker.end().await;
        }
    }

    /// Returns the process ids of all idle children, the most recently used last.
    pub fn child_ids(&self) -> Vec<u32> {
        let idle = self.idle();
        idle.iter().filter_map(|worker| worker.child.id()).collect()
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        // No code panics while it holds this lock, and even after a panic the list would be valid.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Renders one page; `index` counts from 0.
    pub async fn render(
        &self,
        pdf: Arc<[u8]>,
        index: usize,
        scale: Scale,
    ) -> Result<Page, RenderError> {
        let page = PageSelection::single(index);
        let mut pages = self.render_pages(pdf, page, scale).await?;
        pages.pop().ok_or(RenderError::Unreadable)
    }

    /// Renders some or all pages, in order.
    pub async fn render_pages(
        &self,
        pdf: Arc<[u8]>,
        pages: PageSelection,
        scale: Scale,
    ) -> Result<Vec<Page>, RenderError> {
        Ok(self.run(Task::Draw { pages, scale }, &pdf).await?.pages)
    }

    /// Renders one page of a document (`page` from 0), or a photograph or picture, in colour at the size
    /// of a screen.
    pub async fn render_picture(
        &self,
        medium: FileFormat,
        bytes: Arc<[u8]>,
        page: usize,
    ) -> Result<Picture, RenderError> {
        let drawn = self.run(Task::Show { medium, page }, &bytes).await?;
        drawn.picture.ok_or(RenderError::Unreadable)
    }

    async fn run(&self, task: Task, bytes: &[u8]) -> Result<RenderResult, RenderError> {
        if bytes.len() > frame::LONGEST_BODY {
            return Err(RenderError::FileTooLarge {
                mebibytes: bytes.len() / (1024 * 1024),
            });
        }
        let request = Request {
            task,
            memory_bytes: self.limits.memory_bytes,
        };
        let _place = self.slots.acquire().await;
        if let Some(worker) = self.take_live_worker() {
            let drawn = self.draw_once(worker, &request, bytes).await;
            if !matches!(drawn, Err(RenderError::Died)) {
                return drawn;
            }
            // The child may have died hours ago, so a new child gets the document too. If the document itself
            // kills its child, this costs one more child.
        }
        let fresh = Worker::start(&self.program)?;
        self.draw_once(fresh, &request, bytes).await
    }

    /// Sends the request to the child. Returns the child to the idle list only after a complete answer.
    async fn draw_once(
        &self,
        mut worker: Worker,
        request: &Request,
        bytes: &[u8],
    ) -> Result<RenderResult, RenderError> {
        let drawn = match worker.draw(request, bytes, &self.limits).await {
            Ok(drawn) => Ok(drawn),
            Err(WorkerError::Refused(error)) => Err(error),
            Err(WorkerError::OverLimit(error)) => {
                worker.end().await;
                return Err(error);
            }
            Err(WorkerError::Lost) => {
                return Err(worker.post_mortem(self.limits.memory_bytes).await);
            }
        };
        self.idle().push(worker);
        drawn
    }

    /// Takes the idle child that worked last, skipping children known to be dead.
    fn take_live_worker(&self) -> Option<Worker> {
        let mut idle = self.idle();
        let mut newest_first = std::iter::from_fn(|| idle.pop());
        newest_first.find_map(|mut worker| {
            let is_alive = matches!(worker.child.try_wait(), Ok(None));
            is_alive.then_some(worker)
        })
    }
}

/// The request to a child. The document is the body of the frame.
#[derive(Debug, Serialize, Deserialize)]
struct Request {
    task: Task,
    memory_bytes: u64,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Task {
    /// Renders bitmaps for a printer.
    Draw { pages: PageSelection, scale: Scale },
    /// Renders a picture for the screen.
    Show { medium: FileFormat, page: usize },
}

#[derive(Debug, Default, PartialEq)]
struct RenderResult {
    pages: Vec<Page>,
    picture: Option<Picture>,
}

/// The replies of a child: pages or a picture, then `Done`, or `Refused` at any point.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Reply {
    /// The body of the frame holds the packed rows.
    Page {
        width: u32,
        height: u32,
        index: usize,
        page_count: usize,
        announced_page_count: usize,
        size_mm: (f64, f64),
    },
    /// The body of the frame holds red, green and blue of each dot.
    Picture {
        width: u32,
        height: u32,
        page: usize,
        pages: usize,
    },
    Done,
    Refused(RenderError),
}

enum WorkerError {
    /// The child still works, but refused the document.
    Refused(RenderError),
    /// A page or the document took too long or has too many dots, so the child has to be ended.
    OverLimit(RenderError),
    Lost,
}

/// Waits for a message to or from a child.
async fn within<T>(
    limit: Duration,
    message: impl Future<Output = io::Result<T>>,
) -> Result<T, WorkerError> {
    match timeout(limit, message).await {
        Ok(done) => done.map_err(|_detail| WorkerError::Lost),
        Err(_elapsed) => Err(timed_out(limit)),
    }
}

fn timed_out(limit: Duration) -> WorkerError {
    let seconds = limit.as_secs();
    WorkerError::OverLimit(RenderError::TimedOut { seconds })
}

/// Our side of one child process: starts it, sends requests, ends it, and finds out why it died.
#[derive(Debug)]
struct Worker {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Worker {
    fn start(program: &Path) -> Result<Self, RenderError> {
        let mut command = Command::new(program);
        command.arg(SUBCOMMAND).stderr(Stdio::piped());
        // The environment is kept on Windows, which needs it to find its system libraries.
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

    /// Sends a request and collects all replies within the limits for a document.
    async fn draw(
        &mut self,
        request: &Request,
        bytes: &[u8],
        limits: &RenderLimits,
    ) -> Result<RenderResult, WorkerError> {
        let limit = limits.document_time;
        let drawn = timeout(limit, self.exchange(request, bytes, limits)).await;
        drawn.unwrap_or_else(|_elapsed| Err(timed_out(limit)))
    }

    async fn exchange(
        &mut self,
        request: &Request,
        bytes: &[u8],
        limits: &RenderLimits,
    ) -> Result<RenderResult, WorkerError> {
        let sent = frame::send(&mut self.stdin, request, bytes);
        within(limits.page_time, sent).await?;
        let mut drawn = RenderResult::default();
        let mut dots = 0_u64;
        loop {
            let reply = frame::receive(&mut self.stdout);
            let (reply, body) = within(limits.page_time, reply).await?;
            match reply {
                Reply::Page {
                    width,
                    height,
                    index,
                    page_count,
                    announced_page_count,
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
                        bitmap: bitmap.ok_or(WorkerError::Lost)?,
                        index,
                        page_count,
                        announced_page_count,
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

    async fn end(mut self) {
        // An error means that the child has already exited.
        drop(self.child.kill().await);
    }

    /// Ends a child that gave no answer, and reads from its standard error whether it ran out of memory.
    async fn post_mortem(mut self, memory_bytes: u64) -> RenderError {
        let mut words = Vec::new();
        if let Some(stderr) = self.child.stderr.take() {
            // The child is dead or closing, so a second is plenty. 4 KiB hold any last message.
            let mut last = stderr.take(4096);
            drop(timeout(Duration::from_secs(1), last.read_to_end(&mut words)).await);
        }
        self.end().await;
        let mebibytes = memory_bytes / (1024 * 1024);
        if String::from_utf8_lossy(&words).contains("memory allocation") {
            RenderError::OutOfMemory { mebibytes }
        } else {
            RenderError::Died
        }
    }
}
