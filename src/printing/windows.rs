//! Printing on Windows, in the system's own words: bytes to the spooler, pages to a driver through GDI.
//!
//! What always holds: a printer's own language reaches the spooler as data of the kind `RAW`, whole or not at all; a page
//! image is drawn dot for dot, never cropped ([`super::device`]); a job that failed in the middle is taken back. Called in the
//! print helper's process only, since drivers run in whoever calls them, and may hang or bring it down.
//!
//! This and what is below it is the only code with `unsafe` in it: calls of the system, each beside the reason why it holds.

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

/// Prints a payload: a page image through the driver, so many times; anything else as it is, since a printer's own language
/// has its copies inside. Returns the job's number.
pub(super) fn print(printer: &str, title: &str, bytes: &[u8], copies: u32) -> io::Result<u32> {
    match image_pages::size(bytes).zip(image_pages::read(bytes)) {
        Some((size, pages)) => gdi::print_pages(printer, title, &pages, size.dots_per_inch, copies),
        None => spooler::print_raw(printer, title, bytes),
    }
}

/// The name of the user's default printer, if there is one, as the system itself has it.
pub(super) fn default_printer() -> Option<String> {
    let mut length = 0;
    // SAFETY: without a buffer it tells the length that it needs, and fails.
    unsafe { GetDefaultPrinterW(ptr::null_mut(), &raw mut length) };
    let mut name = vec![0_u16; usize::try_from(length).ok()?.max(1)];
    // SAFETY: the buffer is as long as the length says.
    let found = unsafe { GetDefaultPrinterW(name.as_mut_ptr(), &raw mut length) };
    let end = name.iter().position(|unit| *unit == 0)?;
    (found != 0).then(|| String::from_utf16_lossy(&name[..end]))
}

/// Text as Windows takes it: UTF-16 with a zero at its end.
fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16()
        .filter(|unit| *unit != 0)
        .chain([0])
        .collect()
}

/// What the system says went wrong.
fn failure() -> io::Error {
    io::Error::last_os_error()
}
