//! PWG raster (PWG 5102.4): pages of one bit or one byte per dot, each with a fixed-size header and
//! run-length encoded lines.

use super::super::page::{Bitmap, Scale};
use super::super::profile::round_to_dots;
use super::ImageSize;

/// The first bytes of a file.
pub(super) const SYNC: &[u8] = b"RaS2";

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
    pub(super) const FEED: [usize; 2] = [456, 460];
}

/// The colour space in which 1 is black.
const BLACK: u32 = 3;

/// The colour space in which 255 is white.
const GREY: u32 = 18;

/// How the dots are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DotFormat {
    /// Eight dots per byte; 1 is black.
    Bits,
    /// One byte per dot; 0 is black.
    Greys,
}

impl DotFormat {
    const fn bits(self) -> u32 {
        match self {
            Self::Bits => 1,
            Self::Greys => 8,
        }
    }

    const fn colours(self) -> u32 {
        match self {
            Self::Bits => BLACK,
            Self::Greys => GREY,
        }
    }
}

/// The most equal lines, and the most bytes, that one count can cover.
const MOST_LINES: usize = 256;
const MOST_BYTES: usize = 128;

pub(super) fn encode(pages: &[&Bitmap], scale: Scale, dots: DotFormat) -> Vec<u8> {
    let mut raster = SYNC.to_vec();
    let count = u32::try_from(pages.len()).unwrap_or(u32::MAX);
    for page in pages {
        raster.extend_from_slice(&header(page, scale, count, dots));
        let luma = match dots {
            DotFormat::Bits => Vec::new(),
            DotFormat::Greys => page.to_luma(),
        };
        let lines: Vec<&[u8]> = match dots {
            DotFormat::Bits => page.rows().collect(),
            DotFormat::Greys => luma.chunks_exact(page.width() as usize).collect(),
        };
        for alike in lines.chunk_by(|one, next| one == next) {
            for some in alike.chunks(MOST_LINES) {
                raster.push(u8::try_from(some.len() - 1).unwrap_or(u8::MAX));
                pack(&mut raster, some[0]);
            }
        }
    }
    raster
}

fn header(page: &Bitmap, scale: Scale, pages: u32, dots: DotFormat) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..9].copy_from_slice(b"PwgRaster");
    let mut put =
        |at: usize, number: u32| header[at..at + 4].copy_from_slice(&number.to_be_bytes());
    let per_inch = round_to_dots(scale.get() * 25.4);
    let points = |dots: u32| round_to_dots(f64::from(dots) / scale.dots_per_point());
    put(at::RESOLUTION, per_inch);
    put(at::RESOLUTION + 4, per_inch);
    put(at::COPIES, 1);
    put(at::PAGE_POINTS, points(page.width()));
    put(at::PAGE_POINTS + 4, points(page.height()));
    put(at::WIDTH, page.width());
    put(at::HEIGHT, page.height());
    put(at::BITS_PER_COLOUR, dots.bits());
    put(at::BITS_PER_PIXEL, dots.bits());
    put(at::BYTES_PER_LINE, (page.width() * dots.bits()).div_ceil(8));
    put(at::COLOUR_SPACE, dots.colours());
    put(at::COLOURS, 1);
    put(at::PAGES, pages);
    for at in at::FEED {
        put(at, 1);
    }
    header
}

/// Encodes a run of equal bytes as a count and the byte, and a run of different bytes as a count and
/// all of them.
fn pack(raster: &mut Vec<u8>, line: &[u8]) {
    let mut unlike: Vec<u8> = Vec::new();
    let flush = |raster: &mut Vec<u8>, unlike: &mut Vec<u8>| {
        for some in unlike.chunks(MOST_BYTES) {
            // A single byte is encoded as a run of one.
            let count = u8::try_from(some.len()).unwrap_or(1);
            raster.push(if count == 1 {
                0
            } else {
                (count - 1).wrapping_neg()
            });
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

pub(super) fn size(bytes: &[u8]) -> Option<ImageSize> {
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

pub(super) fn read(bytes: &[u8]) -> Option<Vec<Bitmap>> {
    let mut rest = bytes.strip_prefix(SYNC)?;
    let mut pages = Vec::new();
    while !rest.is_empty() {
        let (header, after) = rest.split_at_checked(HEADER)?;
        let (page, after) = page(header, after)?;
        pages.push(page);
        rest = after;
    }
    Some(pages)
}

fn page<'a>(header: &[u8], mut rest: &'a [u8]) -> Option<(Bitmap, &'a [u8])> {
    let (width, height) = (number(header, at::WIDTH)?, number(header, at::HEIGHT)?);
    let dots = [DotFormat::Bits, DotFormat::Greys]
        .into_iter()
        .find(|dots| {
            number(header, at::BITS_PER_PIXEL) == Some(dots.bits())
                && number(header, at::COLOUR_SPACE) == Some(dots.colours())
        })?;
    let stride = width.checked_mul(dots.bits())?.div_ceil(8) as usize;
    let wanted = stride.checked_mul(height as usize)?;
    let mut rows = Vec::new();
    while rows.len() < wanted {
        let (times, after) = rest.split_first()?;
        rest = after;
        let mut line = Vec::with_capacity(stride);
        while line.len() < stride {
            let (count, after) = rest.split_first()?;
            if *count < 128 {
                let (byte, after) = after.split_first()?;
                line.extend(std::iter::repeat_n(*byte, usize::from(*count) + 1));
                rest = after;
            } else {
                let (some, after) = after.split_at_checked(257 - usize::from(*count))?;
                line.extend_from_slice(some);
                rest = after;
            }
        }
        if line.len() > stride || rows.len() + stride * (usize::from(*times) + 1) > wanted {
            return None;
        }
        for _ in 0..=*times {
            rows.extend_from_slice(&line);
        }
    }
    if dots == DotFormat::Greys {
        rows = packed(&rows, width as usize);
    }
    Some((Bitmap::from_packed(width, height, rows).ok()?, rest))
}

/// Converts dots of one byte each to one bit each.
fn packed(greys: &[u8], width: usize) -> Vec<u8> {
    let bits = |eight: &[u8]| {
        let dark = eight.iter().enumerate().filter(|(_, grey)| **grey < 128);
        dark.fold(0, |byte, (at, _)| byte | 0x80 >> at)
    };
    let rows = greys.chunks_exact(width.max(1));
    rows.flat_map(|row| row.chunks(8).map(bits)).collect()
}
