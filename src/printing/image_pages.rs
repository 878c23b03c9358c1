//! Encodes pages as images, for queues with their own driver and for driverless printers: PNG for one page,
//! PWG raster for several.
//!
//! The images have one bit per dot and state their resolution, so that nothing between us and the print head
//! needs to scale them. [`read`] decodes them again, for systems where we hand bitmaps to the driver
//! ourselves, and for tests.

use std::borrow::Cow;
use std::io::Cursor;

use super::page::{Bitmap, Scale};
use super::profile::round_to_dots;

/// Returns the MIME type of the bytes; `None` if they are not one of our formats.
pub fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(PNG)
    } else if bytes.starts_with(SYNC) {
        Some(PWG_RASTER)
    } else {
        None
    }
}

pub const PNG: &str = "image/png";

/// The format for several pages in one file (PWG 5102.4).
pub const PWG_RASTER: &str = "image/pwg-raster";

/// The size and resolution of the first page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageSize {
    pub width: u32,
    pub height: u32,
    pub dots_per_inch: u32,
}

impl ImageSize {
    /// Returns the width and height in millimetres.
    pub fn mm(self) -> (f64, f64) {
        let mm = |dots: u32| f64::from(dots) * 25.4 / f64::from(self.dots_per_inch.max(1));
        (mm(self.width), mm(self.height))
    }
}

/// Reads the size of the first page; `None` if the bytes are not one of our formats.
pub fn size(bytes: &[u8]) -> Option<ImageSize> {
    if mime_type(bytes)? != PNG {
        return pwg_size(bytes);
    }
    let reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    let info = reader.info();
    let per_metre = info.pixel_dims?.xppu;
    Some(ImageSize {
        width: info.width,
        height: info.height,
        dots_per_inch: round_to_dots(f64::from(per_metre) * 0.0254),
    })
}

/// Encodes pages of this resolution: a single page as PNG, several as PWG raster.
pub fn encode(pages: &[&Bitmap], scale: Scale) -> Vec<u8> {
    match pages {
        [page] => png_of(page, scale).unwrap_or_else(|_cannot_fail| encode_raster(pages, scale)),
        pages => encode_raster(pages, scale),
    }
}

/// Encodes any number of pages as PWG raster, which every driverless printer accepts.
pub fn encode_raster(pages: &[&Bitmap], scale: Scale) -> Vec<u8> {
    encode_pwg(pages, scale, BITS)
}

/// The IPP name for pages of one bit per dot.
pub(super) const BLACK_1: &str = "black_1";

/// The IPP name for pages of one byte per dot.
pub(super) const SGRAY_8: &str = "sgray_8";

/// Converts encoded pages to one byte per dot, for printers that don't accept one bit per dot; `None` if the
/// bytes are not one of our formats.
pub fn greys(bytes: &[u8]) -> Option<Vec<u8>> {
    let (pages, size) = (read(bytes)?, size(bytes)?);
    let pages: Vec<&Bitmap> = pages.iter().collect();
    let scale = Scale::dots_per_mm(f64::from(size.dots_per_inch) / 25.4)?;
    Some(encode_pwg(&pages, scale, GREYS))
}

/// Decodes the pages; `None` if the bytes are not one of our formats.
pub fn read(bytes: &[u8]) -> Option<Vec<Bitmap>> {
    if mime_type(bytes)? == PNG {
        let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
        let mut rows = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut rows).ok()?;
        if (info.color_type, info.bit_depth) != (png::ColorType::Grayscale, png::BitDepth::One) {
            return None;
        }
        rows.truncate(info.buffer_size());
        for byte in &mut rows {
            *byte = !*byte;
        }
        return Some(vec![Bitmap::from_packed(info.width, info.height, rows)?]);
    }
    read_pwg(bytes)
}

fn png_of(page: &Bitmap, scale: Scale) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::with_capacity(16 * 1024);
    let mut encoder = png::Encoder::new(&mut bytes, page.width(), page.height());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let per_metre = round_to_dots(scale.get() * 1000.0);
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    // In a PNG of one bit per dot, 1 is white.
    let rows: Vec<u8> = page.packed().iter().map(|byte| !byte).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rows)?;
    writer.finish()?;
    Ok(bytes)
}

/// The first bytes of a PWG raster file.
const SYNC: &[u8] = b"RaS2";

/// The length of a page header, in bytes.
const HEADER: usize = 1_796;

/// Byte offsets of the fields in a page header. All numbers have 4 bytes in big-endian order.
mod at {
    pub(super) const RESOLUTION: usize = 276;
    pub(super) const COPIES: usize = 340;
    pub(super) const PAGE_POINTS: usize = 352;
    pub(super) const WIDTH: usize = 372;
    pub(super) const HEIGHT: usize = 376;
    pub(super) const BITS_PER_COLOUR: usize = 384;
    pub(super) const BITS_PER_PIXEL: usize = 388;
    pub(super) const BYTES_PER_LINE: usize = 392;
    pub(super) const COLOUR_SPACE: usize = 400;
    pub(super) const COLOURS: usize = 420;
    pub(super) const PAGES: usize = 452;
    pub(super) const FEED: usize = 456;
}

/// How the dots of a PWG raster are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct DotFormat {
    bits: u32,
    colour_space: u32,
}

/// Eight dots per byte; 1 is black.
const BITS: DotFormat = DotFormat {
    bits: 1,
    colour_space: 3,
};

/// One byte per dot; 0 is black.
const GREYS: DotFormat = DotFormat {
    bits: 8,
    colour_space: 18,
};

/// The maximum numbers of equal lines and of bytes that one count byte can stand for.
const MOST_LINES: usize = 256;
const MOST_BYTES: usize = 128;

/// Encodes pages as PWG raster, each with a fixed-size header and run-length encoded lines.
fn encode_pwg(pages: &[&Bitmap], scale: Scale, dots: DotFormat) -> Vec<u8> {
    let mut raster = SYNC.to_vec();
    let count = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    for page in pages {
        raster.extend_from_slice(&header(page, scale, count, dots));
        let packed = if dots == BITS {
            Cow::Borrowed(page.packed())
        } else {
            Cow::Owned(page.to_luma())
        };
        let stride = (page.width() * dots.bits).div_ceil(8) as usize;
        let lines: Vec<&[u8]> = packed.chunks_exact(stride).collect();
        for alike in lines.chunk_by(|one, next| one == next) {
            for some in alike.chunks(MOST_LINES) {
                raster.push(u8::try_from(some.len() - 1).unwrap_or(u8::MAX));
                pack_line(&mut raster, some[0]);
            }
        }
    }
    raster
}

fn header(page: &Bitmap, scale: Scale, pages: u32, dots: DotFormat) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..9].copy_from_slice(b"PwgRaster");
    let per_inch = round_to_dots(scale.get() * 25.4);
    let points = |dots: u32| round_to_dots(f64::from(dots) / scale.dots_per_point());
    for (at, number) in [
        (at::RESOLUTION, per_inch),
        (at::RESOLUTION + 4, per_inch),
        (at::COPIES, 1),
        (at::PAGE_POINTS, points(page.width())),
        (at::PAGE_POINTS + 4, points(page.height())),
        (at::WIDTH, page.width()),
        (at::HEIGHT, page.height()),
        (at::BITS_PER_COLOUR, dots.bits),
        (at::BITS_PER_PIXEL, dots.bits),
        (at::BYTES_PER_LINE, (page.width() * dots.bits).div_ceil(8)),
        (at::COLOUR_SPACE, dots.colour_space),
        (at::COLOURS, 1),
        (at::PAGES, pages),
        (at::FEED, 1),
        (at::FEED + 4, 1),
    ] {
        header[at..at + 4].copy_from_slice(&number.to_be_bytes());
    }
    header
}

/// Encodes a run of equal bytes as a count and the byte, and a run of different bytes as a count and
/// all of them.
fn pack_line(raster: &mut Vec<u8>, line: &[u8]) {
    let mut unlike: Vec<u8> = Vec::new();
    let flush = |raster: &mut Vec<u8>, unlike: &mut Vec<u8>| {
        for some in unlike.chunks(MOST_BYTES) {
            // For a single byte the formula gives 0, which means a run of one byte.
            let count = u8::try_from(some.len()).unwrap_or(1);
            raster.push((count - 1).wrapping_neg());
            raster.extend_from_slice(some);
        }
        unlike.clear();
    };
    for alike in line.chunk_by(|one, next| one == next) {
        if alike.len() == 1 {
            unlike.push(alike[0]);
            continue;
        }
        flush(raster, &mut unlike);
        for some in alike.chunks(MOST_BYTES) {
            raster.push(u8::try_from(some.len() - 1).unwrap_or(0));
            raster.push(some[0]);
        }
    }
    flush(raster, &mut unlike);
}

fn pwg_size(bytes: &[u8]) -> Option<ImageSize> {
    let header = bytes.strip_prefix(SYNC)?.get(..HEADER)?;
    Some(ImageSize {
        width: number(header, at::WIDTH)?,
        height: number(header, at::HEIGHT)?,
        dots_per_inch: number(header, at::RESOLUTION)?,
    })
}

fn number(header: &[u8], at: usize) -> Option<u32> {
    let four = header.get(at..at + 4)?.try_into().ok()?;
    Some(u32::from_be_bytes(four))
}

fn read_pwg(bytes: &[u8]) -> Option<Vec<Bitmap>> {
    let mut rest = bytes.strip_prefix(SYNC)?;
    let mut pages = Vec::new();
    while !rest.is_empty() {
        pages.push(read_pwg_page(&mut rest)?);
    }
    Some(pages)
}

/// Decodes the page at the start of `rest` and removes it from `rest`.
fn read_pwg_page(rest: &mut &[u8]) -> Option<Bitmap> {
    let header = rest.split_off(..HEADER)?;
    let (width, height) = (number(header, at::WIDTH)?, number(header, at::HEIGHT)?);
    let dots = [BITS, GREYS].into_iter().find(|dots| {
        number(header, at::BITS_PER_PIXEL) == Some(dots.bits)
            && number(header, at::COLOUR_SPACE) == Some(dots.colour_space)
    })?;
    let stride = width.checked_mul(dots.bits)?.div_ceil(8) as usize;
    let wanted = stride.checked_mul(height as usize)?;
    let mut rows = Vec::new();
    while rows.len() < wanted {
        let times = usize::from(*rest.split_off_first()?) + 1;
        let mut line = Vec::with_capacity(stride);
        while line.len() < stride {
            let count = usize::from(*rest.split_off_first()?);
            if count < MOST_BYTES {
                line.extend(std::iter::repeat_n(*rest.split_off_first()?, count + 1));
            } else {
                line.extend_from_slice(rest.split_off(..257 - count)?);
            }
        }
        if line.len() > stride || rows.len() + stride * times > wanted {
            return None;
        }
        rows.extend(line.repeat(times));
    }
    if dots == BITS {
        Bitmap::from_packed(width, height, rows)
    } else {
        let dots = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let dark = dots.zip(rows).filter(|(_, grey)| *grey < 128);
        Bitmap::from_black_dots(width, height, dark.map(|(dot, _)| dot))
    }
}
