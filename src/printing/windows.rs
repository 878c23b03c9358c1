//! Printing on Windows: raw bytes go to the spooler, page images to the driver through GDI.
//!
//! Invariants: bytes in a printer's own language reach the spooler with data type `RAW`, completely or
//! not at all; a page image is never cropped ([`super::driver_page`]); a job that fails halfway is cancelled.
//! Runs only in the print helper's process, because a driver runs in the process that calls it and may
//! hang or crash it.
//!
//! Only this module and its children contain `unsafe` code. Each call of the system has a comment on why
//! it is sound.

#![expect(
    unsafe_code,
    reason = "Windows prints through calls of C only, and no crate that is alive wraps them"
)]

mod gdi;
mod spooler;

use std::io;
use std::ptr;

use windows_sys::Win32::Graphics::Printing::GetDefaultPrinterW;

use super::image_pages;

/// Prints a payload: a page image through the driver, `copies` times; other bytes unchanged, since bytes in a
/// printer's own language contain the number of copies. Returns the job number.
pub(super) fn print(printer: &str, title: &str, bytes: &[u8], copies: u32) -> io::Result<u32> {
    match image_pages::size(bytes).zip(image_pages::read(bytes)) {
        Some((size, pages)) => gdi::print_pages(printer, title, &pages, size.dots_per_inch, copies),
        None => spooler::print_raw(printer, title, bytes),
    }
}

/// Returns the name of the user's default printer, if there is one.
pub(super) fn default_printer() -> Option<String> {
    let mut length = 0;
    // SAFETY: without a buffer the call only reports the length it needs, and fails.
    unsafe { GetDefaultPrinterW(ptr::null_mut(), &raw mut length) };
    let mut name = vec![0_u16; usize::try_from(length).ok()?.max(1)];
    // SAFETY: the buffer has the length that is passed.
    let found = unsafe { GetDefaultPrinterW(name.as_mut_ptr(), &raw mut length) };
    let end = name.iter().position(|unit| *unit == 0)?;
    (found != 0).then(|| String::from_utf16_lossy(&name[..end]))
}

/// Converts text to UTF-16 with a final zero, as Windows expects it.
fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16()
        .filter(|unit| *unit != 0)
        .chain([0])
        .collect()
}

/// Returns the system's last error.
fn last_error() -> io::Error {
    io::Error::last_os_error()
}
