//! Sends bytes to a queue unchanged, for printers that are given their own language.

use std::io;
use std::ptr;

use windows_sys::Win32::Graphics::Printing::{
    AbortPrinter, ClosePrinter, DOC_INFO_1W, EndDocPrinter, EndPagePrinter, OpenPrinterW,
    PRINTER_HANDLE, StartDocPrinterW, StartPagePrinter, WritePrinter,
};

use super::{last_error, wide};

/// Sends `bytes` to a queue, past its driver. Returns the job number. No job is left behind after an error.
pub(in super::super) fn print_raw(printer: &str, title: &str, bytes: &[u8]) -> io::Result<u32> {
    let queue = Queue::open(printer)?;
    let (mut title, mut kind) = (wide(title), wide("RAW"));
    let about = DOC_INFO_1W {
        pDocName: title.as_mut_ptr(),
        pOutputFile: ptr::null_mut(),
        pDatatype: kind.as_mut_ptr(),
    };
    // SAFETY: the handle is open, and the texts outlive the call.
    let job = unsafe { StartDocPrinterW(queue.0, 1, &raw const about) };
    if job == 0 {
        return Err(last_error());
    }
    match queue.write_page(bytes) {
        Ok(()) => Ok(job),
        Err(error) => {
            // SAFETY: the handle is open.
            unsafe { AbortPrinter(queue.0) };
            Err(error)
        }
    }
}

/// An open queue, closed when this value is dropped.
struct Queue(PRINTER_HANDLE);

impl Queue {
    fn open(printer: &str) -> io::Result<Self> {
        let name = wide(printer);
        let mut handle = PRINTER_HANDLE::default();
        // SAFETY: the name ends with a zero, and the handle is only written to.
        let opened = unsafe { OpenPrinterW(name.as_ptr(), &raw mut handle, ptr::null()) };
        if opened == 0 {
            return Err(last_error());
        }
        Ok(Self(handle))
    }

    fn write_page(&self, bytes: &[u8]) -> io::Result<()> {
        // SAFETY: the handle is open and has a document.
        if unsafe { StartPagePrinter(self.0) } == 0 {
            return Err(last_error());
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let piece = &rest[..rest.len().min(CHUNK_BYTES)];
            let length = u32::try_from(piece.len()).unwrap_or(u32::MAX);
            let mut written = 0;
            // SAFETY: the slice has the length that is passed.
            let taken =
                unsafe { WritePrinter(self.0, piece.as_ptr().cast(), length, &raw mut written) };
            if taken == 0 {
                return Err(last_error());
            }
            let written = usize::try_from(written).unwrap_or(0).min(piece.len());
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            rest = &rest[written..];
        }
        // SAFETY: the handle is open and has a page.
        if unsafe { EndPagePrinter(self.0) } == 0 || unsafe { EndDocPrinter(self.0) } == 0 {
            return Err(last_error());
        }
        Ok(())
    }
}

/// The most bytes given to the spooler at once.
const CHUNK_BYTES: usize = 1024 * 1024;

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: this value opened the handle and is its only owner.
        unsafe { ClosePrinter(self.0) };
    }
}
