//! Pages as pictures, for queues and printers that bring their own driver: PNG for a page, PWG raster for several.
//!
//! One bit a dot, with the resolution inside, so that nothing between us and the head has a reason to scale it.
//! [`read`] gives the dots back: for a system that draws pictures itself, and for proof.

mod pwg;

use std::io::Cursor;

use super::page::{Bitmap, Scale};

/// What the bytes are, as a MIME type; nothing where they are none of ours.
pub fn format(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Some(PNG)
    } else if bytes.starts_with(pwg::SYNC) {
        Some(PWG_RASTER)
    } else {
        None
    }
}

/// A picture.
pub const PNG: &str = "image/png";

/// Pictures, a page each (PWG 5102.4).
pub const PWG_RASTER: &str = "image/pwg-raster";

/// How large the first page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
    pub dots_per_inch: u32,
}

impl Size {
    /// Width and height in millimetres.
    pub fn mm(self) -> (f64, f64) {
        let mm = |dots: u32| f64::from(dots) * 25.4 / f64::from(self.dots_per_inch.max(1));
        (mm(self.width), mm(self.height))
    }
}

/// How large it is; `None` where the bytes are none of ours.
pub fn size(bytes: &[u8]) -> Option<Size> {
    if format(bytes)? != PNG {
        return pwg::size(bytes);
    }
    let reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    let info = reader.info();
    let per_metre = info.pixel_dims?.xppu;
    Some(Size {
        width: info.width,
        height: info.height,
        dots_per_inch: super::profile::whole(f64::from(per_metre) * 0.0254),
    })
}

/// Pages that all have this resolution; a PNG where there is one.
pub fn encode(pages: &[&Bitmap], scale: Scale) -> Vec<u8> {
    match pages {
        [page] => png_of(page, scale).unwrap_or_else(|_cannot_fail| encode_raster(pages, scale)),
        pages => encode_raster(pages, scale),
    }
}

/// The same as PWG raster, however many there are: what every driverless printer takes.
pub fn encode_raster(pages: &[&Bitmap], scale: Scale) -> Vec<u8> {
    pwg::encode(pages, scale, pwg::Dots::Bits)
}

/// What a printer calls pages of one bit a dot.
pub(super) const BITS: &str = "black_1";

/// What it calls pages of a byte a dot.
pub(super) const GREYS: &str = "sgray_8";

/// The same pages in a byte a dot, for printers that take no bits; `None` where the bytes are none of ours.
pub fn greys(bytes: &[u8]) -> Option<Vec<u8>> {
    let (pages, size) = (read(bytes)?, size(bytes)?);
    let pages: Vec<&Bitmap> = pages.iter().collect();
    let scale = Scale::dots_per_mm(f64::from(size.dots_per_inch) / 25.4)?;
    Some(pwg::encode(&pages, scale, pwg::Dots::Greys))
}

/// The pages again; `None` where the bytes are none of ours.
pub fn read(bytes: &[u8]) -> Option<Vec<Bitmap>> {
    if format(bytes)? == PNG {
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
    let per_metre = super::profile::whole(scale.get() * 1000.0);
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    // In a PNG of one bit, 1 is white.
    let rows: Vec<u8> = page.packed().iter().map(|byte| !byte).collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&rows)?;
    writer.finish()?;
    Ok(bytes)
}
