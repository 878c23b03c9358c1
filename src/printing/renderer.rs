//! Drawing pages, and decoding pictures, in child processes of our own executable, kept warm between labels.
//!
//! What always holds: a page costs at most [`Limits::page_time`] and a child at most [`Limits::memory_bytes`], and all pages of
//! a document together no more than [`Limits::document_time`] and, here, [`Limits::document_dots`]; there are
//! never more than [`Limits::children`] of them, one for a core, and a page waits for its turn; a child that broke a limit,
//! or died, is gone before the error is returned, and the next page starts another; dropping the future in the middle kills
//! the child, since half an answer would be taken for the next one's.
//!
//! The child's side is [`serve_renderer`]; `main` calls it when the first argument is [`SUBCOMMAND`]. Ours of the pipe is
//! [`worker`].

mod child;
mod confine;
mod error;
mod worker;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;

use worker::{Fault, Worker};

pub use child::serve_renderer;
pub use error::RenderError;

use super::frame;
use super::page::{Page, Pages, Scale};
use super::picture::{Medium, Picture};

/// The hidden argument that makes our executable a renderer.
pub const SUBCOMMAND: &str = "render-pages";

/// What children may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Address space of a child in bytes, so also the most it can ever hold. No effect on Windows.
    pub memory_bytes: u64,
    /// The longest a page may take, the document's reading included in the first one's.
    pub page_time: Duration,
    /// The longest that all pages of a document may take together.
    pub document_time: Duration,
    /// The most dots of all pages of a document together, eight in a byte: they are held here.
    pub document_dots: u64,
    /// The most children at a time, at least 1.
    pub children: usize,
}

/// More would help no bench: a printer takes a label a second.
const MOST_CHILDREN: usize = 4;

impl Default for Limits {
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

/// The bench's renderer. Shared by reference: as many documents are drawn at once as there are children allowed, further
/// ones wait in the order they came.
#[derive(Debug)]
pub struct Renderer {
    program: PathBuf,
    limits: Limits,
    places: Semaphore,
    /// Warm children with nothing to do, the one that worked last at the end, so that a lone label keeps to one child.
    idle: Mutex<Vec<Worker>>,
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
            places: Semaphore::new(limits.children.max(1)),
            idle: Mutex::new(Vec::new()),
        }
    }

    /// How many documents are drawn at once: more tasks than twice as many gain nothing.
    pub fn children(&self) -> usize {
        self.limits.children.max(1)
    }

    /// Starts a child ahead of the first label.
    pub async fn warm_up(&self) -> Result<(), RenderError> {
        let _place = self.places.acquire().await;
        if self.child_ids().is_empty() {
            self.put_back(Worker::start(&self.program)?);
        }
        Ok(())
    }

    /// Ends the children, if there are any, and waits until they are gone. The next page starts another.
    pub async fn close(&self) {
        let all = u32::try_from(self.children()).unwrap_or(u32::MAX);
        let _places = self.places.acquire_many(all).await;
        while let Some(worker) = self.take_idle() {
            worker.end().await;
        }
    }

    /// The process id of the idle child that worked last, while it is alive.
    pub async fn child_id(&self) -> Option<u32> {
        let _turn = self.places.acquire().await;
        self.child_ids().pop()
    }

    /// The process ids of all idle children, the one that worked last at the end.
    pub fn child_ids(&self) -> Vec<u32> {
        self.idle().iter().filter_map(Worker::id).collect()
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker>> {
        // Nothing panics while it is held; if so, the children in it are whole nevertheless.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_idle(&self) -> Option<Worker> {
        self.idle().pop()
    }

    fn put_back(&self, worker: Worker) {
        self.idle().push(worker);
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
        Ok(self.drawn(Task::Draw { pages, scale }, &pdf).await?.pages)
    }

    /// Shows one page of a document (from 0), a photograph or a picture: in colour, no larger than a screen needs it.
    pub async fn show(
        &self,
        medium: Medium,
        bytes: Arc<[u8]>,
        page: usize,
    ) -> Result<Picture, RenderError> {
        let drawn = self.drawn(Task::Show { medium, page }, &bytes).await?;
        drawn.picture.ok_or(RenderError::Unreadable)
    }

    async fn drawn(&self, task: Task, bytes: &[u8]) -> Result<Drawn, RenderError> {
        if bytes.len() > frame::LONGEST_BODY {
            return Err(RenderError::FileTooLarge {
                mebibytes: bytes.len() / (1024 * 1024),
            });
        }
        let request = Request {
            task,
            memory_bytes: self.limits.memory_bytes,
        };
        let _place = self.places.acquire().await;
        if let Some(worker) = self.take_living() {
            let drawn = self.draw_once(worker, &request, bytes).await;
            if !matches!(drawn, Err(RenderError::Died)) {
                return drawn;
            }
            // It may have been dead for hours. A document that kills does so again, and costs one more child.
        }
        let fresh = Worker::start(&self.program)?;
        self.draw_once(fresh, &request, bytes).await
    }

    /// A child is idle again only after a whole answer.
    async fn draw_once(
        &self,
        mut worker: Worker,
        request: &Request,
        bytes: &[u8],
    ) -> Result<Drawn, RenderError> {
        match worker.draw(request, bytes, &self.limits).await {
            Ok(drawn) => {
                self.put_back(worker);
                Ok(drawn)
            }
            Err(Fault::Refused(error)) => {
                self.put_back(worker);
                Err(error)
            }
            Err(Fault::TimedOut) => {
                worker.end().await;
                Err(RenderError::TimedOut {
                    seconds: self.limits.page_time.as_secs(),
                })
            }
            Err(Fault::TooLong) => {
                worker.end().await;
                Err(RenderError::TimedOut {
                    seconds: self.limits.document_time.as_secs(),
                })
            }
            Err(Fault::TooMuch(pages)) => {
                worker.end().await;
                Err(RenderError::DocumentTooLarge {
                    pages,
                    mebibytes: self.limits.document_dots / 8 / (1024 * 1024),
                })
            }
            Err(Fault::Lost) => Err(worker.post_mortem(self.limits.memory_bytes).await),
        }
    }

    /// Of the idle children the first that is not known to be dead.
    fn take_living(&self) -> Option<Worker> {
        loop {
            let mut worker = self.take_idle()?;
            if worker.lives() {
                return Some(worker);
            }
        }
    }
}

/// What the child is asked; the document is the frame's body.
#[derive(Debug, Serialize, Deserialize)]
struct Request {
    task: Task,
    memory_bytes: u64,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Task {
    /// Dots for a printer.
    Draw { pages: Pages, scale: Scale },
    /// A picture for a screen.
    Show { medium: Medium, page: usize },
}

/// What a child made.
#[derive(Debug, Default, PartialEq)]
struct Drawn {
    pages: Vec<Page>,
    picture: Option<Picture>,
}

/// What the child answers: pages or a picture, then `Done`; or `Refused` at any point.
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
    /// The frame's body holds red, green and blue of each dot.
    Picture {
        width: u32,
        height: u32,
        page: usize,
        pages: usize,
    },
    Done,
    Refused(RenderError),
}
