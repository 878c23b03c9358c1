//! The logo on our documents: a PNG or SVG picture that is read once and drawn on each document.
//!
//! An SVG picture cannot read other files or the network. Its text is drawn in our own font.

use std::io::Cursor;
use std::sync::Arc;

use image::imageops::FilterType;
use image::{ImageError, ImageFormat, ImageReader};
use krilla::geom::Size;
use krilla::image::Image;
use krilla::surface::Surface;
use krilla_svg::{SurfaceExt as _, SvgSettings};
use usvg::fontdb::Database;
use usvg::{ImageHrefResolver, Options, Tree};

use super::canvas::{Drawing, PageSize};
use super::fonts::REGULAR;

/// The largest file in bytes.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// The longest side of a PNG picture in dots.
const MOST_DOTS: u32 = 4_000;

/// The longest side that is kept, in dots: 40 mm at 720 dots per inch.
const KEPT_DOTS: u32 = 1_134;

/// A picture that is ready to be drawn. Clones share their memory.
#[derive(Debug, Clone)]
pub struct Logo {
    picture: Picture,
    /// The width and height, in any unit.
    size: (f32, f32),
}

#[derive(Debug, Clone)]
enum Picture {
    Dots(Image),
    Shapes(Arc<Tree>),
}

/// The reason why a file can't be used as a logo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogoError {
    #[error("The logo must be a PNG or SVG file")]
    OtherFormat,
    #[error("The logo's file is larger than 4 MB")]
    TooManyBytes,
    #[error("The logo is more than 4,000 dots wide or high")]
    TooManyDots,
    #[error("The logo can't be read. The file may be damaged")]
    Unreadable,
}

impl Logo {
    /// Reads a PNG or SVG picture. The format is detected from the content.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LogoError> {
        if bytes.len() > MOST_BYTES {
            return Err(LogoError::TooManyBytes);
        }
        let text = std::str::from_utf8(bytes).ok();
        let logo = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Self::from_png(bytes)?
        } else if let Some(text) = text.filter(|text| text.contains("<svg")) {
            Self::from_svg(text)?
        } else {
            return Err(LogoError::OtherFormat);
        };
        // Pictures inside an SVG picture are only read while the logo is drawn.
        let drawn = logo.draw_alone();
        drawn.map(|()| logo).ok_or(LogoError::Unreadable)
    }

    fn from_png(bytes: &[u8]) -> Result<Self, LogoError> {
        let unreadable = |_error: ImageError| LogoError::Unreadable;
        let reader = || ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
        let (width, height) = reader().into_dimensions().map_err(unreadable)?;
        if width.max(height) > MOST_DOTS {
            return Err(LogoError::TooManyDots);
        }
        let mut dots = reader().decode().map_err(unreadable)?;
        if width.max(height) > KEPT_DOTS {
            dots = dots.resize(KEPT_DOTS, KEPT_DOTS, FilterType::CatmullRom);
        }
        let dots = dots.into_rgba8();
        let (width, height) = dots.dimensions();
        let image = Image::from_rgba8(dots.into_raw(), width, height);
        Ok(Self {
            picture: Picture::Dots(image),
            size: (width as f32, height as f32),
        })
    }

    fn from_svg(text: &str) -> Result<Self, LogoError> {
        let mut fonts = Database::new();
        fonts.load_font_data(REGULAR.to_vec());
        fonts.set_serif_family("Inter");
        let options = Options {
            fontdb: Arc::new(fonts),
            image_href_resolver: ImageHrefResolver {
                resolve_string: Box::new(|_path, _options| None),
                ..ImageHrefResolver::default()
            },
            ..Options::default()
        };
        let tree = Tree::from_str(text, &options).map_err(|_error| LogoError::Unreadable)?;
        Ok(Self {
            size: (tree.size().width(), tree.size().height()),
            picture: Picture::Shapes(Arc::new(tree)),
        })
    }

    /// Draws the logo on a page of its own; `None` if that fails.
    fn draw_alone(&self) -> Option<()> {
        let mut drawing = Drawing::new("Logo").ok()?;
        let (width, height) = self.fitted((100.0, 100.0));
        let page = PageSize {
            points: (100.0, 100.0),
            unit: 1.0,
            origin: (0.0, 0.0),
        };
        let draw = drawing.page(page, |canvas| canvas.logo(self, (0.0, 0.0, width, height)));
        draw.and_then(|()| drawing.finish()).ok().map(drop)
    }

    /// Returns the largest width and height with the logo's proportions that fit into `most`.
    pub(super) fn fitted(&self, most: (f32, f32)) -> (f32, f32) {
        let (width, height) = self.size;
        let scale = (most.0 / width).min(most.1 / height);
        (width * scale, height * scale)
    }

    pub(super) fn draw(&self, surface: &mut Surface<'_>, size: Size) {
        match &self.picture {
            Picture::Dots(image) => surface.draw_image(image.clone(), size),
            Picture::Shapes(tree) => {
                let settings = SvgSettings::default();
                let _is_drawn = surface.draw_svg(tree, size, settings);
            }
        }
    }
}
