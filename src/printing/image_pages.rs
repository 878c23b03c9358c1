//! Encodes pages as images, for queues with their own driver and for driverless printers: PNG for one page,
//! PWG raster for several.
//!
//! The images have one bit per dot and state their resolution, so that nothing between us and the print head
//! needs to scale them. [`read`] decodes them again, for systems where we hand bitmaps to the driver
//! ourselves, and for tests.

mod pwg;

use std::io::Cursor;

use super::page::{Bitmap, Scale};

/// Returns the MIME type of the bytes; `None` if they are not one of our formats.
pub fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(PNG)
    } else if bytes.starts_with(pwg::SYNC) {
        Some(PWG_RASTER)
    } else {
        None
    }
}

pub const PNG: &str = "image/png";

/// Several pages in one file (PWG 5102.4).
pub const PWG_RASTER: &str = "image/pwg-raster";

/// The size and resolution of the first page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImageSize {
    pub width: u32,
    pub height: u32,
    pub dots_per_inch: u32,
}

impl ImageSize {
    /// Width and height in millimetres.
    pub fn mm(self) -> (f64, f64) {
        let mm = |dots: u32| f64::from(dots) * 25.4 / f64::from(self.dots_per_inch.max(1));
        (mm(self.width), mm(self.height))
    }
}

/// Reads the size of the first page; `None` if the bytes are not one of our formats.
pub fn size(bytes: &[u8]) -> Option<ImageSize> {
    if mime_type(bytes)? != PNG {
        return pwg::size(bytes);
    }
    let reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    let info = reader.info();
    let per_metre = info.pixel_dims?.xppu;
    Some(ImageSize {
        width: info.width,
        height: info.height,
        dots_per_inch: super::profile::round_to_dots(f64::from(per_metre) * 0.0254),
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
    pwg::encode(pages, scale, pwg::DotFormat::Bits)
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
    Some(pwg::encode(&pages, scale, pwg::DotFormat::Greys))
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
        return Some(vec![
            Bitmap::from_packed(info.width, info.height, rows).ok()?,
        ]);
    }
    pwg::read(bytes)
}

fn png_of(page: &Bitmap, scale: Scale) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::with_capacity(16 * 1024);
    let mut encoder = png::Encoder::new(&mut bytes, page.width(), page.height());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let per_metre = super::profile::round_to_dots(scale.get() * 1000.0);
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
