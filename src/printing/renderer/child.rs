//! The child's side of the renderer: a loop over frames from the parent, in a process that may
//! crash without harm.
//!
//! The process ends as soon as the parent closes its pipe, even in the middle of a page that would never finish.
//! Panics are turned into answers. Exceeding the memory limit ends the process, which the parent detects.

use std::io::{self, BufWriter, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use image::ImageFormat;

use super::{RenderError, Reply, Request, Task};
use crate::frame;
use crate::page::{PageSelection, Scale};
use crate::picture::{self, FileFormat};
use crate::raster::Rasteriser;

/// Buffers of larger pages are not kept for the next page. A dot takes four bytes.
const KEEP_DOTS: u64 = 4_000_000;

/// Renders the pages that the parent requests on standard input, until standard input closes. `main` calls
/// this for [`super::SUBCOMMAND`].
pub fn serve_renderer() -> ExitCode {
    // The parent reads standard error to see whether memory ran out. Panics must not appear there; they
    // become answers.
    panic::set_hook(Box::new(|_| {}));
    enter_sandbox();
    frame::serve(draw)
}

fn draw(requests: Receiver<(Request, Vec<u8>)>) {
    let mut raster = Rasteriser::default();
    let mut out = BufWriter::with_capacity(256 * 1024, io::stdout());
    let mut memory_bytes = 0;
    for (request, bytes) in requests {
        if memory_bytes != request.memory_bytes {
            memory_bytes = request.memory_bytes;
            limit_memory(memory_bytes);
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
            announced_page_count: page.announced_page_count,
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
        FileFormat::Jpeg => picture::decode(ImageFormat::Jpeg, &bytes)?,
        FileFormat::Png => picture::decode(ImageFormat::Png, &bytes)?,
    };
    let reply = Reply::Picture {
        width: picture.width,
        height: picture.height,
        page: picture.page,
        pages: picture.pages,
    };
    // If writing fails, the parent process has exited, and writing the next frame will fail too.
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

/// Also sets the other limits, because Windows takes them all in one call.
#[cfg(windows)]
fn limit_memory(bytes: u64) {
    crate::windows::limit_this_process(bytes, PROCESSOR_SECONDS);
}

/// The processor time limit of one process. A new process replaces an ended one, so a day's work has no limit.
const PROCESSOR_SECONDS: u64 = 600;

/// Gives up every right that rendering does not need, before the first document is read. A document that takes
/// control of the process then finds no files, no network, no other programs and little time. Restrictions that
/// the system refuses are skipped, because the separate process still protects the program.
fn enter_sandbox() {
    #[cfg(unix)]
    {
        use rlimit::Resource;
        // A core dump of this process would contain people's addresses.
        drop(Resource::CORE.set(0, 0));
        drop(Resource::FSIZE.set(0, 0));
        drop(Resource::CPU.set(PROCESSOR_SECONDS, PROCESSOR_SECONDS));
    }
    #[cfg(target_os = "linux")]
    {
        let _refused = rustix::thread::set_no_new_privs(true);
        if let Some(filter) = system_calls::filter() {
            drop(seccompiler::apply_filter(&filter));
        }
    }
}

#[cfg(target_os = "linux")]
mod system_calls {
    use std::collections::BTreeMap;

    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter};

    macro_rules! numbers_of {
        ($($call:ident)*) => { &[$(libc::$call),*] };
    }

    /// Calls that fail with "not permitted": everything that reaches files, sockets, other programs or
    /// other processes. A list of refused calls, instead of allowed ones, works with every version of
    /// the C library.
    const REFUSED: &[libc::c_long] = numbers_of! {
        SYS_openat SYS_openat2 SYS_socket SYS_socketpair SYS_connect SYS_bind SYS_listen SYS_accept SYS_accept4
        SYS_execve SYS_execveat SYS_ptrace SYS_process_vm_readv SYS_process_vm_writev SYS_pidfd_open SYS_kill
        SYS_unlinkat SYS_renameat2 SYS_linkat SYS_symlinkat SYS_mkdirat SYS_fchmodat SYS_fchownat SYS_truncate
        SYS_mount SYS_bpf SYS_io_uring_setup SYS_keyctl
    };

    /// Older calls for the same purposes, which newer processor architectures no longer have.
    #[cfg(target_arch = "x86_64")]
    const REFUSED_BY_OLD_NAMES: &[libc::c_long] = numbers_of! {
        SYS_open SYS_creat SYS_fork SYS_vfork SYS_unlink SYS_rename SYS_renameat SYS_link SYS_symlink SYS_mkdir
        SYS_rmdir SYS_chmod SYS_chown
    };
    #[cfg(not(target_arch = "x86_64"))]
    const REFUSED_BY_OLD_NAMES: &[libc::c_long] = &[];

    /// Returns `None` on a processor architecture that the filter library does not support.
    pub(super) fn filter() -> Option<BpfProgram> {
        let refused = REFUSED.iter().chain(REFUSED_BY_OLD_NAMES);
        let rules: BTreeMap<i64, _> = refused.map(|call| (*call, Vec::new())).collect();
        let refuse = SeccompAction::Errno(libc::EPERM.unsigned_abs());
        let processor = std::env::consts::ARCH.try_into().ok()?;
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, processor).ok()?;
        filter.try_into().ok()
    }
}
