//! Sends stored bytes to a queue, a printer's port or a file.
//!
//! Invariant: every error says whether any bytes may have been sent ([`SendError::nothing_sent`]), because the
//! program may send again without asking only if no bytes were sent. A stopped queue gets nothing: its jobs would be
//! printed unexpectedly hours later. A label holds a person's address, so only the current user may read the files.

use std::borrow::Cow;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use super::Payload;
use super::socket::send_to_port;
use crate::image_pages;
use crate::languages::Encoder;
use crate::page::PageSelection;
use crate::print_helper::SubmitResult;
use crate::profile::{Destination, Media, PIECE_PLACEHOLDER, to_file_name};
use crate::queue::{QueueInfo, QueueState};
use crate::service::{PrintOptions, PrintService, ServiceError};

/// The largest difference in millimetres between an image and a paper size at which the image is printed
/// on that paper.
const NEAR_MM: f64 = 2.0;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendReceipt {
    /// The queue's number for the job; `None` for sockets and files.
    pub job_id: Option<u32>,
    /// The last file that was written; `None` for queues and sockets.
    pub file: Option<PathBuf>,
    /// The text shown to the clerk. It never says "printed", because only the clerk can know that.
    pub message: &'static str,
}

impl SendReceipt {
    pub(super) const fn at_printer(job_id: Option<u32>) -> Self {
        Self {
            job_id,
            file: None,
            message: "Sent to printer",
        }
    }
}

/// The reason why a payload was not sent, or perhaps not sent completely. Most texts name the printer. `Display`
/// gives the headline, [`SendError::advice`] says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The print service is missing, hangs or refuses; nothing was sent.
    #[error(transparent)]
    Service(#[from] ServiceError),
    #[error("There is no printer called {0}")]
    NoSuchPrinter(String),
    /// A person or an error stopped the queue, or the queue rejects jobs. The message comes from the print service
    /// and is often empty.
    #[error("{place} is {}{}", if *state == QueueState::Stopped { "stopped" } else { "not accepting jobs" }, quoted(message))]
    NotPrinting {
        place: String,
        state: QueueState,
        message: String,
    },
    #[error("The print service did not accept the label for {0}")]
    Declined(String),
    /// There was no answer after the job was submitted, so the queue may have the job.
    #[error("We don't know whether {0} received the label")]
    Unknown(String),
    #[error("{place} does not accept {language}")]
    UnsupportedFormat {
        place: String,
        language: &'static str,
    },
    /// On this system (Windows) the PDF would reach the printer unchanged, and the printer would
    /// print its source.
    #[error("{0} cannot print a PDF on this system")]
    PdfNotSupported(String),
    /// Raw queues, sockets and driverless printers accept only whole documents.
    #[error("{0} can only print whole documents")]
    WholeDocumentsOnly(String),
    #[error("No printer answers at {0}")]
    Unreachable(String),
    #[error("The connection to {0} was lost before the whole label was sent")]
    Interrupted(String),
    #[error("{place} stopped receiving the label (waited {seconds} s)")]
    Stalled { place: String, seconds: u64 },
    #[error("The label could not be written to the file ({0})")]
    File(ErrorKind),
    #[error("The label could not be saved for printing ({0})")]
    Spool(ErrorKind),
}

fn quoted(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    }
}

impl SendError {
    /// Returns whether certainly no bytes were sent, so that sending again cannot duplicate a label.
    pub fn nothing_sent(&self) -> bool {
        !matches!(
            self,
            Self::Unknown(_) | Self::Interrupted(_) | Self::Stalled { .. }
        )
    }

    pub fn advice(&self) -> &'static str {
        match self {
            Self::Service(error) => error.advice(),
            Self::NoSuchPrinter(_) => "Refresh the printer list and choose another printer",
            Self::NotPrinting { state, .. } => state.advice(),
            Self::Declined(_) => {
                "Try again. If this happens again, check the printer in the print service"
            }
            Self::Unknown(_) => "Check the printer before you print again: the label may come out",
            Self::UnsupportedFormat { .. } => {
                "In the printer's settings, choose a language that the printer accepts"
            }
            Self::PdfNotSupported(_) => {
                "In the printer's settings, choose the language Page image, so that its own driver prints the page"
            }
            Self::WholeDocumentsOnly(_) => {
                "Print all pages, or choose a printer that is set to ZPL"
            }
            Self::Unreachable(_) => {
                "Check that the printer is on and connected, and its address in the settings"
            }
            Self::Interrupted(_) | Self::Stalled { .. } => {
                "Check the printer before you print again: part of the label may have come out"
            }
            Self::File(_) | Self::Spool(_) => {
                "Check that the folder exists, is writable and is not full"
            }
        }
    }
}

/// Sends a payload. `title` names the job in a queue and the file in a folder; it should contain
/// our key for the job and nothing about a person. `spool_folder` must be private; files put there
/// are removed afterwards.
pub async fn send(
    service: &PrintService,
    payload: &Payload,
    destination: &Destination,
    title: &str,
    spool_folder: &Path,
) -> Result<SendReceipt, SendError> {
    match destination {
        Destination::Queue(queue) => to_queue(service, payload, queue, title, spool_folder).await,
        Destination::Ipp(address) => to_printer(service, payload, address, title).await,
        Destination::Socket { host, port } => {
            send_to_port(payload, host, *port, service.limits.port).await
        }
        Destination::File(path) => to_file(payload, path, title).await,
    }
}

async fn to_queue(
    service: &PrintService,
    payload: &Payload,
    queue: &str,
    title: &str,
    spool_folder: &Path,
) -> Result<SendReceipt, SendError> {
    if !payload.language.is_printable_by_driver() {
        return Err(SendError::PdfNotSupported(queue.to_owned()));
    }
    let Some(known) = service.queue(queue).await? else {
        return Err(SendError::NoSuchPrinter(queue.to_owned()));
    };
    check_accepts_jobs(&known, queue)?;
    if known.raw && payload.is_part_of_document() {
        return Err(SendError::WholeDocumentsOnly(queue.to_owned()));
    }
    let (folder, bytes) = (spool_folder.to_owned(), payload.bytes.clone());
    let suffix = format!(".{}", payload.language.extension());
    let spooled = blocking(move || {
        fs::create_dir_all(&folder)?;
        temporary(&folder, &suffix, &bytes)
    });
    let spooled = spooled
        .await
        .map_err(|error| SendError::Spool(error.kind()))?;
    let submitted = service
        .submit(queue, spooled.path(), title, options(payload))
        .await?;
    let submitted = match submitted {
        // The library says only that the call failed. If the print service ended meanwhile, the service may already
        // have the job on disk.
        SubmitResult::Refused => match service.find_job(queue, title).await {
            Ok(Some(job)) => SubmitResult::Taken(job.id),
            Ok(None) => SubmitResult::Refused,
            Err(_) => SubmitResult::Unknown,
        },
        submitted => submitted,
    };
    receipt(queue, submitted)
}

fn receipt(place: &str, submitted: SubmitResult) -> Result<SendReceipt, SendError> {
    let place = place.to_owned();
    match submitted {
        SubmitResult::Taken(job) => Ok(SendReceipt::at_printer(Some(job))),
        SubmitResult::NoSuchQueue => Err(SendError::NoSuchPrinter(place)),
        SubmitResult::Refused => Err(SendError::Declined(place)),
        SubmitResult::Unknown => Err(SendError::Unknown(place)),
    }
}

/// Refuses queues that reject jobs, and stopped queues, which keep jobs until somebody resumes them. Queues in other
/// states accept and keep jobs; later the job's state is queried by its number.
fn check_accepts_jobs(known: &QueueInfo, place: &str) -> Result<(), SendError> {
    if !matches!(known.state, QueueState::Rejecting | QueueState::Stopped) {
        return Ok(());
    }
    Err(SendError::NotPrinting {
        place: place.to_owned(),
        state: known.state,
        message: known.message.clone(),
    })
}

/// Sends to a printer at its own address. First asks the printer which formats it accepts and refuses to send any
/// other format.
async fn to_printer(
    service: &PrintService,
    payload: &Payload,
    address: &str,
    title: &str,
) -> Result<SendReceipt, SendError> {
    let place = || address.to_owned();
    // This printer has no print service that the clerk could start or restart.
    let unreachable = |error| match error {
        ServiceError::Missing | ServiceError::Hung { .. } => SendError::Unreachable(place()),
        error => error.into(),
    };
    let known = service.printer(address).await.map_err(unreachable)?;
    check_accepts_jobs(&known, address)?;
    if payload.is_part_of_document() {
        return Err(SendError::WholeDocumentsOnly(place()));
    }
    let format = mime_type(payload);
    if !known.formats.is_empty() && !known.formats.iter().any(|taken| taken == format) {
        return Err(SendError::UnsupportedFormat {
            place: place(),
            language: payload.language.name(),
        });
    }
    let bytes = accepted_bytes(&known, payload).ok_or_else(|| SendError::UnsupportedFormat {
        place: place(),
        language: "PWG raster in black or grey",
    })?;
    let image = image_of(payload);
    let wanted = PrintOptions {
        format,
        copies: payload.copies_to_make(),
        media: image.as_ref().map(|(_, media)| media.as_str()),
    };
    let submitted = service.print_directly(address, title, &wanted, &bytes);
    receipt(address, submitted.await.map_err(unreachable)?)
}

/// Returns the stored bytes, or the same bitmaps with one byte per dot if the printer accepts only such bytes; `None`
/// if the printer accepts neither.
fn accepted_bytes<'a>(known: &QueueInfo, payload: &'a Payload) -> Option<Cow<'a, [u8]>> {
    let accepts = |kind: &str| known.raster_types.iter().any(|accepted| accepted == kind);
    let is_accepted = !matches!(payload.language.encoder(), Encoder::Image)
        || known.raster_types.is_empty()
        || accepts(image_pages::BLACK_1);
    if is_accepted {
        Some(Cow::Borrowed(&payload.bytes))
    } else if accepts(image_pages::SGRAY_8) {
        image_pages::greys(&payload.bytes).map(Cow::Owned)
    } else {
        None
    }
}

async fn to_file(payload: &Payload, path: &Path, title: &str) -> Result<SendReceipt, SendError> {
    let (path, title, payload) = (path.to_owned(), title.to_owned(), payload.clone());
    let place = path.display().to_string();
    let failed = |error: io::Error| SendError::File(error.kind());
    let written = blocking(move || Ok(write_files(&payload, &path, &title))).await;
    match written.map_err(failed)? {
        (_, Ok(file)) => Ok(SendReceipt {
            job_id: None,
            file: Some(file),
            message: "Saved to a file",
        }),
        (0, Err(error)) => Err(failed(error)),
        // A program that watches the folder may already have taken the first files.
        (_, Err(_)) => Err(SendError::Unknown(place)),
    }
}

/// Writes one file for each label if the file name contains [`PIECE_PLACEHOLDER`], otherwise a single file.
/// Returns how many labels were written before an error, and the last file.
fn write_files(payload: &Payload, path: &Path, title: &str) -> (usize, io::Result<PathBuf>) {
    let extension = payload.language.extension();
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(name) = name.filter(|name| name.contains(PIECE_PLACEHOLDER)) else {
        return (0, write_new(path, title, extension, &payload.bytes));
    };
    let (mut done, mut last) = (0, Err(ErrorKind::InvalidInput.into()));
    for bytes in payload.each_page() {
        let path = path.with_file_name(name.replace(PIECE_PLACEHOLDER, &(done + 1).to_string()));
        last = write_new(&path, title, extension, bytes);
        if last.is_err() {
            break;
        }
        done += 1;
    }
    (done, last)
}

/// Runs disk work on a blocking thread, because a disk may hang and must not block the runtime.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_panicked| Err(ErrorKind::Interrupted.into()))
}

/// Returns the options for a queue. A printer's own language is marked as raw, since a driver would print its
/// source as text.
fn options(payload: &Payload) -> Vec<(String, String)> {
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    if payload.language.is_raw() {
        return vec![pair("document-format", "application/vnd.cups-raw")];
    }
    let mut options = vec![pair("document-format", mime_type(payload))];
    if payload.copies.get() > 1 {
        options.push(pair("copies", &payload.copies.to_string()));
    }
    if payload.is_part_of_document()
        && let PageSelection::From { first, count } = payload.pages
    {
        let last = first + count.max(1);
        options.push(pair("page-ranges", &format!("{}-{last}", first + 1)));
    }
    if let Some((dots_per_inch, media)) = image_of(payload) {
        // At the image's own resolution nothing is scaled, so bars keep their width.
        options.push(pair("ppi", &dots_per_inch.to_string()));
        options.push(pair("media", &media));
    }
    options
}

/// Returns the MIME type of the payload for a printer that says which formats it accepts.
fn mime_type(payload: &Payload) -> &'static str {
    match payload.language.encoder() {
        Encoder::Image => image_pages::mime_type(&payload.bytes).unwrap_or(image_pages::PNG),
        Encoder::Label(_) | Encoder::Document => payload.language.accepted_format(),
    }
}

/// Returns the resolution of a page image and the name of its paper for print services; `None` for other languages.
fn image_of(payload: &Payload) -> Option<(u32, String)> {
    if !matches!(payload.language.encoder(), Encoder::Image) {
        return None;
    }
    let size = image_pages::size(&payload.bytes)?;
    let (width, height) = size.mm();
    let is_near = |media: &Media| {
        media.size_mm().is_some_and(|size| {
            (size.0 - width).abs() <= NEAR_MM && (size.1 - height).abs() <= NEAR_MM
        })
    };
    let known = Media::ALL.into_iter().find(is_near);
    let name = known.and_then(Media::keyword).map(str::to_owned);
    let name = name.unwrap_or_else(|| {
        // PWG 5101.1 names other sizes by their measures. CUPS repeats the measures as the name. An image has no part of a
        // dot that its paper has, so on average half a dot is missing.
        let missing = 12.7 / f64::from(size.dots_per_inch.max(1));
        let tenth = |mm: f64| ((mm + missing) * 10.0).round() / 10.0;
        let measures = format!("{}x{}mm", tenth(width), tenth(height));
        format!("custom_{measures}_{measures}")
    });
    Some((size.dots_per_inch, name))
}

/// Writes a new file completely or not at all: first to a temporary file in the same folder, then under its
/// own name. If `goal` is a folder, `title` names the file. An existing file is never replaced; the new
/// file's name gets a number.
fn write_new(goal: &Path, title: &str, extension: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    let goal = if goal.is_dir() {
        let stem = to_file_name(title);
        let stem = if stem.is_empty() { "label" } else { &stem };
        goal.join(format!("{stem}.{extension}"))
    } else {
        goal.to_owned()
    };
    let parent = goal.parent().filter(|parent| *parent != Path::new(""));
    let folder = parent.unwrap_or(Path::new("."));
    let mut file = temporary(folder, ".partial", bytes)?;
    file.as_file().sync_all()?;
    for number in 1..10_000 {
        let path = numbered(&goal, number);
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => file = taken.file,
            Err(refused) => return Err(refused.error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Numbers a file name: `label.zpl` stays the same for 1 and becomes `label-2.zpl` for 2.
fn numbered(goal: &Path, number: u32) -> PathBuf {
    if number == 1 {
        return goal.to_owned();
    }
    let stem = goal.file_stem().unwrap_or_default().to_string_lossy();
    let name = match goal.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    goal.with_file_name(name)
}

/// Writes a file that only the current user can read, and that is removed when the returned value is dropped.
fn temporary(folder: &Path, suffix: &str, bytes: &[u8]) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    let mut file = builder
        .prefix("packbench-")
        .suffix(suffix)
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    Ok(file)
}
