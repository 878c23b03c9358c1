//! Handing stored bytes to a queue, a printer's port or a file.
//!
//! What always holds: every failure says whether anything can have left ([`SendError::nothing_sent`]), since only then may
//! the bench send again by itself. A queue that is stopped gets nothing: its jobs would come out hours later, unasked.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use super::super::helper::Submitted;
use super::super::image_pages;
use super::super::page::Pages;
use super::super::profile::{Destination, Language, PIECE};
use super::super::queue::{QueueInfo, QueueState};
use super::super::service::{PrintService, ServiceError, Wanted};
use super::Payload;
use super::options::{format_of, options, paper_of};
use super::socket::send_to_port;
use super::spool::{Spooled, write_new};

/// Bytes that are out of our hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handed {
    /// The queue's number for it; none for sockets and files.
    pub job_id: Option<u32>,
    /// The file that was written.
    pub file: Option<PathBuf>,
    /// What may be said about it. Never "printed".
    pub words: &'static str,
}

/// Why bytes were not handed over. `Display` is the headline, [`SendError::advice`] what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The print service is missing, hangs or refuses; nothing was sent.
    #[error(transparent)]
    Service(#[from] ServiceError),
    /// The service has no queue of that name.
    #[error("There is no printer called {queue}")]
    NoSuchPrinter { queue: String },
    /// Somebody, or an error, stopped it. `message` is the service's, often empty.
    #[error("{queue} is stopped{}", quoted(message))]
    Stopped { queue: String, message: String },
    /// It does not take jobs.
    #[error("{queue} is not accepting jobs{}", quoted(message))]
    Rejecting { queue: String, message: String },
    /// The service took the question and declined the job.
    #[error("The print service did not take the label for {queue}")]
    Declined { queue: String },
    /// No answer after the job was given: it may be in the queue.
    #[error("We don't know whether {queue} took the label")]
    Unknown { queue: String },
    /// It says that it does not take what the profile makes.
    #[error("{place} does not take {language}")]
    Format {
        place: String,
        language: &'static str,
    },
    /// This system gives a document to a printer's driver as it is, which prints its source.
    #[error("{queue} cannot print a PDF on this system")]
    NoPdfHere { queue: String },
    /// A queue without a driver, and a port, take whole documents only.
    #[error("{place} prints whole documents only")]
    WholeDocumentsOnly { place: String },
    /// Nothing answers at that address.
    #[error("No printer answers at {place}")]
    Unreachable { place: String },
    /// The printer ended the connection before it had taken everything.
    #[error("The connection to {place} broke before the printer had the whole label")]
    Interrupted { place: String },
    /// The printer took the connection, and not everything that was sent.
    #[error("{place} stopped taking the label (waited {seconds} s)")]
    Stalled { place: String, seconds: u64 },
    /// The file could not be written; `kind` is the system's reason.
    #[error("The label could not be written to the file ({kind})")]
    File { kind: String },
    /// Our own spool folder could not be written.
    #[error("The label could not be put aside for printing ({kind})")]
    Spool { kind: String },
}

fn quoted(message: &str) -> String {
    if message.is_empty() {
        String::new()
    } else {
        format!(": {message}")
    }
}

impl SendError {
    /// Whether it is certain that no byte left: then sending again cannot double a label.
    pub fn nothing_sent(&self) -> bool {
        !matches!(
            self,
            Self::Unknown { .. } | Self::Interrupted { .. } | Self::Stalled { .. }
        )
    }

    /// What the clerk can do about it.
    pub fn advice(&self) -> &'static str {
        match self {
            Self::Service(error) => error.advice(),
            Self::NoSuchPrinter { .. } => {
                "Choose a printer that is there; Look again lists them anew"
            }
            Self::Stopped { .. } => QueueState::Stopped.advice(),
            Self::Rejecting { .. } => QueueState::Rejecting.advice(),
            Self::Declined { .. } => {
                "Try again; if it stays so, check the printer in the print service"
            }
            Self::Unknown { .. } => {
                "Look at the printer before you print again: the label may come out"
            }
            Self::Format { .. } => {
                "Choose another language in the printer's settings: it says which it takes"
            }
            Self::NoPdfHere { .. } => {
                "Set the printer to page image in its settings: its own driver then prints the page"
            }
            Self::WholeDocumentsOnly { .. } => {
                "Print all pages, or choose a printer that is given ZPL"
            }
            Self::Unreachable { .. } => {
                "Check that the printer is on and connected, and its address in the settings"
            }
            Self::Interrupted { .. } | Self::Stalled { .. } => {
                "Look at the printer before you print again: part of the label may have come out"
            }
            Self::File { .. } | Self::Spool { .. } => {
                "Check that the folder is there, writable and not full"
            }
        }
    }
}

/// Sends. `title` names the job in a queue and the file in a folder: it should hold the bench's key for the job, and
/// nothing of a person. `spool_folder` is private to the bench; what is put there is gone afterwards.
pub async fn send(
    service: &PrintService,
    payload: &Payload,
    destination: &Destination,
    title: &str,
    spool_folder: &Path,
) -> Result<Handed, SendError> {
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
) -> Result<Handed, SendError> {
    if !payload.language.passes_drivers() {
        return Err(SendError::NoPdfHere {
            queue: queue.into(),
        });
    }
    let known = service.queue(queue).await?;
    let known = known.ok_or_else(|| SendError::NoSuchPrinter {
        queue: queue.into(),
    })?;
    takes_jobs(&known, queue)?;
    if known.raw && payload.language == Language::Pdf && payload.pages != Pages::All {
        return Err(SendError::WholeDocumentsOnly {
            place: queue.into(),
        });
    }
    let (folder, bytes) = (spool_folder.to_owned(), payload.bytes.clone());
    let extension = payload.language.extension();
    let spooled = blocking(move || Spooled::create(&folder, extension, &bytes)).await;
    let spooled = spooled.map_err(|error| SendError::Spool {
        kind: error.kind().to_string(),
    })?;
    let submitted = service
        .submit(queue, spooled.path(), title, options(payload))
        .await?;
    match submitted {
        // The library says no more than that it failed; a service that ended meanwhile may have the job on disk.
        Submitted::Refused => match service.find_job(queue, title).await {
            Ok(Some(job)) => handed(queue, Submitted::Taken(job.id.into())),
            Ok(None) => handed(queue, Submitted::Refused),
            Err(_) => handed(queue, Submitted::Unknown),
        },
        told => handed(queue, told),
    }
}

fn handed(place: &str, submitted: Submitted) -> Result<Handed, SendError> {
    let queue = place.to_owned();
    match submitted {
        Submitted::Taken(job) => Ok(Handed {
            job_id: u32::try_from(job).ok(),
            file: None,
            words: "Sent to printer",
        }),
        Submitted::NoSuchQueue => Err(SendError::NoSuchPrinter { queue }),
        Submitted::Refused => Err(SendError::Declined { queue }),
        Submitted::Unknown => Err(SendError::Unknown { queue }),
    }
}

/// A queue that takes no jobs, or keeps them until somebody lets it run, gets none.
fn takes_jobs(known: &QueueInfo, queue: &str) -> Result<(), SendError> {
    let (queue, message) = (queue.to_owned(), known.message.clone());
    match known.state {
        QueueState::Rejecting => Err(SendError::Rejecting { queue, message }),
        QueueState::Stopped => Err(SendError::Stopped { queue, message }),
        // These take jobs and keep them; what becomes of one is asked by its number.
        QueueState::Ready
        | QueueState::Printing
        | QueueState::OutOfReach
        | QueueState::NeedsAttention
        | QueueState::Unknown => Ok(()),
    }
}

/// To a printer at its own address: what it says of itself is looked at first, and what it does not take is not sent.
async fn to_printer(
    service: &PrintService,
    payload: &Payload,
    address: &str,
    title: &str,
) -> Result<Handed, SendError> {
    let place = || address.to_owned();
    let known = match service.printer(address).await {
        Ok(known) => known,
        Err(ServiceError::Missing | ServiceError::Hung { .. }) => {
            return Err(SendError::Unreachable { place: place() });
        }
        Err(error) => return Err(error.into()),
    };
    takes_jobs(&known, address)?;
    if payload.pages != Pages::All {
        return Err(SendError::WholeDocumentsOnly { place: place() });
    }
    // What is raw is nobody's format; a printer of that language takes it for a stream of bytes.
    let format = if payload.language.is_raw() {
        "application/octet-stream"
    } else {
        format_of(payload)
    };
    if !known.formats.is_empty() && !known.formats.iter().any(|taken| taken == format) {
        return Err(SendError::Format {
            place: place(),
            language: payload.language.name(),
        });
    }
    let copies = if payload.language.is_raw() {
        1
    } else {
        payload.copies.get()
    };
    let bytes = dots_it_takes(&known, payload).ok_or_else(|| SendError::Format {
        place: place(),
        language: "PWG raster of black or of grey dots",
    })?;
    let media = paper_of(payload);
    let wanted = Wanted {
        format,
        copies,
        media,
    };
    let told = service.print_directly(address, title, &wanted, &bytes);
    match told.await {
        Ok(submitted) => handed(address, submitted),
        Err(ServiceError::Missing) => Err(SendError::Unreachable { place: place() }),
        Err(error) => Err(error.into()),
    }
}

/// The stored bytes, or the same dots as bytes of grey where the printer takes no bits; nothing where it takes neither.
fn dots_it_takes<'a>(known: &QueueInfo, payload: &'a Payload) -> Option<Cow<'a, [u8]>> {
    let takes = |kind: &str| known.raster_types.iter().any(|taken| taken == kind);
    let as_it_is = payload.language != Language::PageImage
        || known.raster_types.is_empty()
        || takes(image_pages::BITS);
    if as_it_is {
        Some(Cow::Borrowed(&payload.bytes))
    } else if takes(image_pages::GREYS) {
        image_pages::greys(&payload.bytes).map(Cow::Owned)
    } else {
        None
    }
}

async fn to_file(payload: &Payload, path: &Path, title: &str) -> Result<Handed, SendError> {
    let (path, title, payload) = (path.to_owned(), title.to_owned(), payload.clone());
    let place = path.display().to_string();
    let (done, file) = blocking(move || Ok(write_files(&payload, &path, &title)))
        .await
        .map_err(|error| SendError::File {
            kind: error.kind().to_string(),
        })?;
    match file {
        Ok(file) => Ok(Handed {
            job_id: None,
            file: Some(file),
            words: "Saved to a file",
        }),
        // Whatever watches the folder may have taken the first ones.
        Err(_) if done > 0 => Err(SendError::Unknown { queue: place }),
        Err(error) => Err(SendError::File {
            kind: error.kind().to_string(),
        }),
    }
}

/// A file for each label where the name asks for that, else one. Answers how many were written, and the last of them.
fn write_files(payload: &Payload, path: &Path, title: &str) -> (usize, io::Result<PathBuf>) {
    let extension = payload.language.extension();
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(name) = name.filter(|name| name.contains(PIECE)) else {
        return (0, write_new(path, title, extension, &payload.bytes));
    };
    let (mut done, mut last) = (0, Err(io::ErrorKind::InvalidInput.into()));
    for bytes in payload.each_page() {
        let path = path.with_file_name(name.replace(PIECE, &(done + 1).to_string()));
        last = write_new(&path, title, extension, bytes);
        if last.is_err() {
            break;
        }
        done += 1;
    }
    (done, last)
}

/// A disk may hang as long as it likes; the runtime may not.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(_) => Err(io::ErrorKind::Interrupted.into()),
    }
}
