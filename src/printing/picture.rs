//! Pages and photographs in colour for the screen, decoded from untrusted bytes.
//!
//! Invariant: sizes are checked before memory for the dots is allocated, and no side of a [`Picture`] is longer than
//! [`LONGEST`]. Pictures must be decoded in the child process ([`super::renderer`]), because a crafted file can make
//! the decoder hang or exhaust the memory.

use std::io::Cursor;
use std::sync::Arc;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, Rgba};
use serde::{Deserialize, Serialize};

use super::page::MOST_DOTS;
use super::renderer::RenderError;

/// The longest side of a picture, in dots.
pub const LONGEST: u32 = 2_048;

/// The memory limit of a decoder in bytes: enough for [`MOST_DOTS`] in true colour and as much again for
/// working space.
const MOST_BYTES: u64 = 400 * 1024 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileFormat {
    Pdf,
    Jpeg,
    Png,
}

/// A colour image. Clones share their memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// Red, green and blue of each dot, from the top left.
    pub rgb: Arc<[u8]>,
    /// The page's index in the document, from 0.
    pub page: usize,
    pub pages: usize,
}

impl Picture {
    /// Makes a picture; `None` if a side is 0 or longer than [`LONGEST`], or if `rgb` does not hold three bytes for
    /// each dot.
    pub fn new(
        (width, height): (u32, u32),
        rgb: Vec<u8>,
        (page, pages): (usize, usize),
    ) -> Option<Self> {
        let wanted = u64::from(width) * u64::from(height) * 3;
        let is_sized = (1..=LONGEST).contains(&width) && (1..=LONGEST).contains(&height);
        (is_sized && rgb.len() as u64 == wanted).then(|| Self {
            width,
            height,
            rgb: rgb.into(),
            page,
            pages,
        })
    }
}

/// Decodes a photograph or picture, turns it upright and reduces it to the size of a screen.
pub(super) fn decode(format: ImageFormat, bytes: &[u8]) -> Result<Picture, RenderError> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(refused)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MOST_DOTS {
        return Err(RenderError::ImageTooLarge { width, height });
    }
    // The camera's orientation from the file. If the orientation is missing or unreadable, the picture is not turned.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(refused)?;
    if width > LONGEST || height > LONGEST {
        image = image.thumbnail(LONGEST, LONGEST);
    }
    image.apply_orientation(orientation);
    let image = image.into_rgba8();
    let size = image.dimensions();
    let rgb = image.pixels().flat_map(|dot| on_white(*dot)).collect();
    Picture::new(size, rgb, (0, 1)).ok_or(RenderError::Unreadable)
}

fn refused(error: ImageError) -> RenderError {
    match error {
        ImageError::Limits(_) => RenderError::OutOfMemory {
            mebibytes: MOST_BYTES / (1024 * 1024),
        },
        ImageError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            RenderError::Truncated
        }
        _ => RenderError::Unreadable,
    }
}

fn on_white(dot: Rgba<u8>) -> [u8; 3] {
    let [red, green, blue, cover] = dot.0.map(u16::from);
    [red, green, blue].map(|shade| {
        let mixed = (shade * cover + 255 * (255 - cover)) / 255;
        u8::try_from(mixed).unwrap_or(u8::MAX)
    })
}
