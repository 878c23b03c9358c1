//! The child's side of the renderer: a loop over frames from the parent, in a process that may
//! crash without harm.
//!
//! One thread reads and another renders. So the process ends as soon as the parent closes its pipe, even in
//! the middle of a page that would never finish. Panics are turned into answers. Exceeding the memory limit
//! ends the process, which the parent detects.

use std::io::{self, BufReader, BufWriter, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};

use super::super::frame;
use super::super::page::{PageSelection, Scale};
use super::super::picture::{self, FileFormat};
use super::super::raster::Rasteriser;
use super::{RenderError, Reply, Request, Task};

/// Nested forms need stack; a document that needs more than this is treated as an attack.
const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Buffers of larger pages are not kept for the next page. A dot takes four bytes.
const KEEP_DOTS: u64 = 4_000_000;

/// Renders what the parent requests on standard input, until that closes. `main` calls
/// this for [`super::SUBCOMMAND`].
pub fn serve_renderer() -> ExitCode {
    // The parent reads standard error to see whether memory ran out. Panics must not appear there; they
    // become answers.
    panic::set_hook(Box::new(|_| {}));
    super::sandbox::enter_sandbox();
    let (sender, requests) = sync_channel(1);
    let drawing = std::thread::Builder::new()
        .name("draw".into())
        .stack_size(STACK_BYTES)
        .spawn(move || draw(&requests));
    if drawing.is_err() {
        return ExitCode::FAILURE;
    }
    let mut stdin = BufReader::new(io::stdin().lock());
    loop {
        match frame::read::<Request>(&mut stdin) {
            Ok(Some(request)) => {
                if sender.send(request).is_err() {
                    return ExitCode::FAILURE;
                }
            }
            Ok(None) => return ExitCode::SUCCESS,
            Err(_) => return ExitCode::FAILURE,
        }
    }
}

fn draw(requests: &Receiver<(Request, Vec<u8>)>) {
    let mut raster = Rasteriser::default();
    let mut out = BufWriter::with_capacity(256 * 1024, io::stdout());
    let mut limit = None;
    for (request, bytes) in requests {
        if limit != Some(request.memory_bytes) {
            limit_memory(request.memory_bytes);
            limit = Some(request.memory_bytes);
        }
        let answered = panic::catch_unwind(AssertUnwindSafe(|| match request.task {
            Task::Draw { pages, scale } => answer(&mut raster, (pages, scale), bytes, &mut out),
            Task::Show { medium, page } => show(&mut raster, (medium, page), bytes, &mut out),
        }));
        let last = match answered {
            Ok(Ok(most_dots)) => {
                if most_dots > KEEP_DOTS {
                    raster = Rasteriser::default();
                }
                Reply::Done
            }
            Ok(Err(error)) => Reply::Refused(error),
            Err(_) => {
                raster = Rasteriser::default();
                Reply::Refused(RenderError::Unreadable)
            }
        };
        if frame::write(&mut out, &last, &[]).is_err() {
            return;
        }
    }
}

/// Sends each page as soon as it is rendered. Returns the number of dots of the largest page.
fn answer(
    raster: &mut Rasteriser,
    (pages, scale): (PageSelection, Scale),
    pdf: Vec<u8>,
    out: &mut impl Write,
) -> Result<u64, RenderError> {
    let mut most_dots = 0;
    raster.each_page(Arc::new(pdf), pages, scale, &mut |page| {
        let (width, height) = (page.bitmap.width(), page.bitmap.height());
        most_dots = most_dots.max(u64::from(width) * u64::from(height));
        let reply = Reply::Page {
            width,
            height,
            index: page.index,
            page_count: page.page_count,
            pages_said: page.announced_page_count,
            size_mm: page.size_mm,
        };
        frame::write(out, &reply, page.bitmap.packed()).is_ok()
    })?;
    Ok(most_dots)
}

/// Sends the picture. Returns its number of dots.
fn show(
    raster: &mut Rasteriser,
    (medium, page): (FileFormat, usize),
    bytes: Vec<u8>,
    out: &mut impl Write,
) -> Result<u64, RenderError> {
    let picture = match medium {
        FileFormat::Pdf => raster.picture(Arc::new(bytes), page)?,
        FileFormat::Jpeg | FileFormat::Png => picture::decode(medium, &bytes)?,
    };
    let reply = Reply::Picture {
        width: picture.width,
        height: picture.height,
        page: picture.page,
        pages: picture.pages,
    };
    // If writing fails, the parent is gone, and writing the next frame will fail too.
    drop(frame::write(out, &reply, &picture.rgb));
    Ok(u64::from(picture.width) * u64::from(picture.height))
}

#[cfg(unix)]
fn limit_memory(bytes: u64) {
    // macOS refuses this limit. The time limit still applies, and a crash still only affects this process.
    if let Ok((_, hard)) = rlimit::Resource::AS.get() {
        drop(rlimit::Resource::AS.set(bytes.min(hard), hard));
    }
}

#[cfg(not(unix))]
fn limit_memory(_bytes: u64) {}
