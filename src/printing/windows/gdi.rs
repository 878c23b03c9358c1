//! Prints page images through a driver: each page is a bitmap, drawn onto the driver's
//! page by `StretchDIBits`.

use std::io;
use std::ptr;

use windows_sys::Win32::Graphics::Gdi::{
    BI_RGB, BITMAPINFO, BITMAPINFOHEADER, COLORONCOLOR, CreateDCW, DIB_RGB_COLORS, DeleteDC,
    GetDeviceCaps, HDC, HORZRES, LOGPIXELSX, LOGPIXELSY, PHYSICALOFFSETX, PHYSICALOFFSETY, RGBQUAD,
    SRCCOPY, SetStretchBltMode, StretchDIBits, VERTRES,
};
use windows_sys::Win32::Storage::Xps::{AbortDoc, DOCINFOW, EndDoc, EndPage, StartDocW, StartPage};

use super::super::driver_page::{DriverPage, PlacementError, place, rows_of_32_bits};
use super::super::page::Bitmap;
use super::{last_error, wide};

/// Prints the pages `copies` times. Returns the job number. No job is left behind after an error.
pub(in super::super) fn print_pages(
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
        return Err(last_error());
    };
    let drawn = (0..copies)
        .flat_map(|_| pages)
        .try_for_each(|page| canvas.page(page, dots_per_inch));
    // SAFETY: the canvas is open and has a document.
    let ended = drawn.and_then(|()| match unsafe { EndDoc(canvas.0) } {
        1.. => Ok(job),
        _ => Err(last_error()),
    });
    if ended.is_err() {
        // SAFETY: the canvas is open; without a document this call does nothing.
        unsafe { AbortDoc(canvas.0) };
    }
    ended
}

/// The device context of a driver, released when this value is dropped.
struct DeviceContext(HDC);

impl DeviceContext {
    fn of(printer: &str) -> io::Result<Self> {
        let (driver, name) = (wide("WINSPOOL"), wide(printer));
        // SAFETY: both names end with a zero.
        let canvas = unsafe { CreateDCW(driver.as_ptr(), name.as_ptr(), ptr::null(), ptr::null()) };
        if canvas.is_null() {
            return Err(last_error());
        }
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
        if unsafe { StartPage(self.0) } <= 0 {
            return Err(last_error());
        }
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
        if lines <= 0 {
            return Err(last_error());
        }
        // SAFETY: the canvas is open and has a page.
        if unsafe { EndPage(self.0) } <= 0 {
            return Err(last_error());
        }
        Ok(())
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

/// Describes our bitmaps: 0 is white and 1 is black. The negative height means that the first row
/// is the topmost.
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
