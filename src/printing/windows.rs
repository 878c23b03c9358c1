//! Calls of Windows: printing, and the limits of a process that renders labels.
//!
//! Raw bytes go to the spooler, page images to the driver through GDI, where each page is a bitmap that `StretchDIBits`
//! draws onto the driver's page.
//!
//! Invariants: bytes in a printer's own language reach the spooler with data type `RAW`, completely or not at all; a page
//! image is never cropped ([`super::driver_page`]); a job that fails halfway is cancelled. Printing runs only in the
//! print helper's process, because a driver runs in the process that calls it and may hang or crash it. Each call of the
//! system has a comment on why it is sound.

#![expect(
    unsafe_code,
    reason = "Windows prints and limits processes through calls of C only, and no crate that is alive wraps these"
)]

use std::io;
use std::ptr;

use windows_sys::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, COLORONCOLOR, CreateDCW, DIB_RGB_COLORS, DeleteDC,
    GetDeviceCaps, HDC, HORZRES, LOGPIXELSX, LOGPIXELSY, PHYSICALOFFSETX, PHYSICALOFFSETY, RGBQUAD,
    SRCCOPY, SetStretchBltMode, StretchDIBits, VERTRES,
};
use windows_sys::Win32::Graphics::Printing::{
    AbortPrinter, ClosePrinter, DOC_INFO_1W, EndDocPrinter, EndPagePrinter, OpenPrinterW,
    PRINTER_HANDLE, StartDocPrinterW, StartPagePrinter, WritePrinter,
};
use windows_sys::Win32::Storage::Xps::{AbortDoc, DOCINFOW, EndDoc, EndPage, StartDocW, StartPage};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION, JOB_OBJECT_LIMIT_PROCESS_MEMORY,
    JOB_OBJECT_LIMIT_PROCESS_TIME, JOBOBJECT_BASIC_LIMIT_INFORMATION,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation,
    SetInformationJobObject,
};
use windows_sys::Win32::System::Threading::GetCurrentProcess;

use super::driver_page::{DriverPage, PlacementError, place, rows_of_32_bits};
use super::image_pages;
use super::page::Bitmap;

/// The maximum number of bytes given to the spooler at once.
const CHUNK_BYTES: usize = 1024 * 1024;

/// Prints a payload: a page image through the driver, `copies` times; other bytes unchanged, since bytes in a
/// printer's own language contain the number of copies. Returns the job number.
pub(super) fn print(printer: &str, title: &str, bytes: &[u8], copies: u32) -> io::Result<u32> {
    match image_pages::size(bytes).zip(image_pages::read(bytes)) {
        Some((size, pages)) => print_pages(printer, title, &pages, size.dots_per_inch, copies),
        None => print_raw(printer, title, bytes),
    }
}

/// Limits this process to `memory_bytes` of memory and `processor_seconds` of processor time. It may not start other
/// programs, and no dialog appears if it crashes. Limits that the system refuses are skipped.
pub(super) fn limit_this_process(memory_bytes: u64, processor_seconds: u64) {
    // Windows counts the time in steps of 100 ns.
    let processor_time = processor_seconds.saturating_mul(10_000_000);
    let limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION {
        ProcessMemoryLimit: usize::try_from(memory_bytes).unwrap_or(usize::MAX),
        BasicLimitInformation: JOBOBJECT_BASIC_LIMIT_INFORMATION {
            ActiveProcessLimit: 1,
            PerProcessUserTimeLimit: i64::try_from(processor_time).unwrap_or(i64::MAX),
            LimitFlags: JOB_OBJECT_LIMIT_PROCESS_MEMORY
                | JOB_OBJECT_LIMIT_PROCESS_TIME
                | JOB_OBJECT_LIMIT_ACTIVE_PROCESS
                | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
            ..Default::default()
        },
        ..Default::default()
    };
    let length = size_of_val(&limits).try_into().unwrap_or(u32::MAX);
    // SAFETY: both pointers may be null. The handle stays open until the process ends, and so does the job.
    let job = unsafe { CreateJobObjectW(ptr::null(), ptr::null()) };
    // SAFETY: the limits have the length that is passed, and outlive the call.
    let set = unsafe {
        SetInformationJobObject(
            job,
            JobObjectExtendedLimitInformation,
            (&raw const limits).cast(),
            length,
        )
    };
    if set != 0 {
        // SAFETY: the job is open, and the second handle always stands for this process.
        unsafe { AssignProcessToJobObject(job, GetCurrentProcess()) };
    }
}

/// Returns the system's last error if a call to the system did not succeed.
fn check(has_succeeded: bool) -> io::Result<()> {
    if has_succeeded {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Converts text to UTF-16 with a final zero, as Windows expects it.
fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16()
        .filter(|unit| *unit != 0)
        .chain([0])
        .collect()
}

/// Sends `bytes` to a queue without using the queue's driver. Returns the job number. No job is left behind
/// after an error.
fn print_raw(printer: &str, title: &str, bytes: &[u8]) -> io::Result<u32> {
    let queue = Queue::open(printer)?;
    let (mut title, mut kind) = (wide(title), wide("RAW"));
    let about = DOC_INFO_1W {
        pDocName: title.as_mut_ptr(),
        pOutputFile: ptr::null_mut(),
        pDatatype: kind.as_mut_ptr(),
    };
    // SAFETY: the handle is open, and the texts outlive the call.
    let job = unsafe { StartDocPrinterW(queue.0, 1, &raw const about) };
    check(job != 0)?;
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
        check(opened != 0)?;
        Ok(Self(handle))
    }

    fn write_page(&self, bytes: &[u8]) -> io::Result<()> {
        // SAFETY: the handle is open and has a document.
        check(unsafe { StartPagePrinter(self.0) } != 0)?;
        let mut rest = bytes;
        while !rest.is_empty() {
            let piece = &rest[..rest.len().min(CHUNK_BYTES)];
            let length = u32::try_from(piece.len()).unwrap_or(u32::MAX);
            let mut written = 0;
            // SAFETY: the slice has the length that is passed.
            let taken =
                unsafe { WritePrinter(self.0, piece.as_ptr().cast(), length, &raw mut written) };
            check(taken != 0)?;
            let written = usize::try_from(written).unwrap_or(0).min(piece.len());
            if written == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            rest = &rest[written..];
        }
        // SAFETY: the handle is open and has a page.
        check(unsafe { EndPagePrinter(self.0) } != 0 && unsafe { EndDocPrinter(self.0) } != 0)
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        // SAFETY: this value opened the handle and is its only owner.
        unsafe { ClosePrinter(self.0) };
    }
}

/// Prints the pages `copies` times. Returns the job number. No job is left behind after an error.
fn print_pages(
    printer: &str,
    title: &str,
    pages: &[Bitmap],
    dots_per_inch: u32,
    copies: u32,
) -> io::Result<u32> {
    let canvas = DeviceContext::of(printer)?;
    let title = wide(title);
    let about = DOCINFOW {
        cbSize: size_of::<DOCINFOW>().try_into().unwrap_or(i32::MAX),
        lpszDocName: title.as_ptr(),
        lpszOutput: ptr::null(),
        lpszDatatype: ptr::null(),
        fwType: 0,
    };
    // SAFETY: the canvas is open, and the title outlives the call.
    let job = unsafe { StartDocW(canvas.0, &raw const about) };
    let Some(job) = u32::try_from(job).ok().filter(|job| *job > 0) else {
        return Err(io::Error::last_os_error());
    };
    let drawn = (0..copies)
        .flat_map(|_| pages)
        .try_for_each(|page| canvas.page(page, dots_per_inch));
    // SAFETY: the canvas is open and has a document.
    let ended = drawn.and_then(|()| check(unsafe { EndDoc(canvas.0) } > 0));
    if ended.is_err() {
        // SAFETY: the canvas is open; without a document this call does nothing.
        unsafe { AbortDoc(canvas.0) };
    }
    ended.map(|()| job)
}

/// The device context of a driver, released when this value is dropped.
struct DeviceContext(HDC);

impl DeviceContext {
    fn of(printer: &str) -> io::Result<Self> {
        let (driver, name) = (wide("WINSPOOL"), wide(printer));
        // SAFETY: both names end with a zero.
        let canvas = unsafe { CreateDCW(driver.as_ptr(), name.as_ptr(), ptr::null(), ptr::null()) };
        check(!canvas.is_null())?;
        Ok(Self(canvas))
    }

    fn paper(&self) -> DriverPage {
        let dots = |what: u32| {
            // SAFETY: the canvas is open; the call returns 0 for a missing capability.
            let dots = unsafe { GetDeviceCaps(self.0, what.cast_signed()) };
            u32::try_from(dots).unwrap_or(0)
        };
        DriverPage {
            dots_per_inch: (dots(LOGPIXELSX), dots(LOGPIXELSY)),
            offset: (dots(PHYSICALOFFSETX), dots(PHYSICALOFFSETY)),
            printable: (dots(HORZRES), dots(VERTRES)),
        }
    }

    fn page(&self, bitmap: &Bitmap, dots_per_inch: u32) -> io::Result<()> {
        let refused = |why: PlacementError| io::Error::new(io::ErrorKind::InvalidInput, why);
        let at = place(bitmap, dots_per_inch, self.paper()).map_err(refused)?;
        let too_long = |_| io::Error::from(io::ErrorKind::InvalidInput);
        let (width, height) = (
            i32::try_from(bitmap.width()).map_err(too_long)?,
            i32::try_from(bitmap.height()).map_err(too_long)?,
        );
        let rows = rows_of_32_bits(bitmap);
        let mut about = two_colours(width, height);
        about.header.biSizeImage = u32::try_from(rows.len()).map_err(too_long)?;
        // SAFETY: the canvas is open and has a document.
        check(unsafe { StartPage(self.0) } > 0)?;
        // SAFETY: there are as many rows as the header says, each padded to 32 bits; the two colours
        // follow the header.
        let lines = unsafe {
            SetStretchBltMode(self.0, COLORONCOLOR);
            StretchDIBits(
                self.0,
                at.left,
                at.top,
                i32::try_from(at.width).map_err(too_long)?,
                i32::try_from(at.height).map_err(too_long)?,
                0,
                0,
                width,
                height,
                rows.as_ptr().cast(),
                (&raw const about).cast::<BITMAPINFO>(),
                DIB_RGB_COLORS,
                SRCCOPY,
            )
        };
        check(lines > 0)?;
        // SAFETY: the canvas is open and has a page.
        check(unsafe { EndPage(self.0) } > 0)
    }
}

impl Drop for DeviceContext {
    fn drop(&mut self) {
        // SAFETY: this value created the device context and is its only owner.
        unsafe { DeleteDC(self.0) };
    }
}

/// [`BITMAPINFO`] with room for both colours of a bitmap of one bit per dot.
#[repr(C)]
struct TwoColours {
    header: BITMAPINFOHEADER,
    colours: [RGBQUAD; 2],
}

/// Describes our bitmaps: 0 is white and 1 is black. The negative height means that the first row is at the top.
fn two_colours(width: i32, height: i32) -> TwoColours {
    let grey = |level| RGBQUAD {
        rgbBlue: level,
        rgbGreen: level,
        rgbRed: level,
        rgbReserved: 0,
    };
    TwoColours {
        header: BITMAPINFOHEADER {
            biSize: size_of::<BITMAPINFOHEADER>().try_into().unwrap_or(0),
            biWidth: width,
            biHeight: -height,
            biPlanes: 1,
            biBitCount: 1,
            biCompression: BI_RGB,
            biClrUsed: 2,
            ..BITMAPINFOHEADER::default()
        },
        colours: [grey(255), grey(0)],
    }
}
