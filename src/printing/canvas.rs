//! The canvas for all PDFs that we draw: our documents and test labels, and the labels and proofs of delivery of the
//! practice service.
//!
//! Coordinates run to the right and down from a page's origin, in the page's own unit.

use krilla::Document;
use krilla::color::luma;
use krilla::geom::{Path, PathBuilder, Rect, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use rxing::oned::Code128Writer;
use rxing::{BarcodeFormat, Writer as _};

pub use super::fonts::{Fonts, Style};
use super::logo::Logo;

#[derive(Debug, thiserror::Error)]
pub enum CanvasError {
    #[error("a font that comes with Packbench can't be read")]
    Font,
    #[error("a page can't be that large")]
    Page,
    #[error("the PDF can't be written: {0}")]
    Pdf(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnPdf {
    pub pdf: Vec<u8>,
    /// A message to the clerk about what is not printed, such as characters that the fonts lack.
    pub message: Option<String>,
}

/// A position: the distances to the right of the origin and below the origin.
pub type Point = (f32, f32);
/// Left, top, width and height.
pub type Rectangle = (f32, f32, f32, f32);

/// The size of a page and the coordinates on it.
#[derive(Debug, Clone, Copy)]
pub struct PageSize {
    /// Width and height in points.
    pub points: (f32, f32),
    /// Points in one unit of the coordinates.
    pub unit: f32,
    /// The position of the origin, in units from the top left corner of the page.
    pub origin: Point,
}

/// A PDF to which pages are being added.
pub struct Drawing {
    document: Document,
    pub fonts: Fonts,
}

impl Drawing {
    pub fn new(title: &str) -> Result<Self, CanvasError> {
        let mut document = Document::new();
        document.set_metadata(Metadata::new().title(title.to_owned()));
        let fonts = Fonts::load().ok_or(CanvasError::Font)?;
        Ok(Self { document, fonts })
    }

    /// Adds a page and calls `draw` to draw on the page. The first colour is black.
    pub fn page<T>(
        &mut self,
        size: PageSize,
        draw: impl FnOnce(&mut Canvas<'_, '_>) -> T,
    ) -> Result<T, CanvasError> {
        let (width, height) = size.points;
        let settings = PageSettings::from_wh(width, height).ok_or(CanvasError::Page)?;
        let mut page = self.document.start_page_with(settings);
        let mut surface = page.surface();
        surface.push_transform(&Transform::from_scale(size.unit, size.unit));
        surface.push_transform(&Transform::from_translate(size.origin.0, size.origin.1));
        let drawn = draw(&mut Canvas {
            surface: &mut surface,
            fonts: &self.fonts,
            grey: 0,
        });
        surface.pop();
        surface.pop();
        surface.finish();
        page.finish();
        Ok(drawn)
    }

    pub fn finish(self) -> Result<DrawnPdf, CanvasError> {
        let unwritten = |error| CanvasError::Pdf(format!("{error:?}"));
        Ok(DrawnPdf {
            pdf: self.document.finish().map_err(unwritten)?,
            message: self.fonts.missing_letters(),
        })
    }
}

pub struct Canvas<'p, 's> {
    surface: &'p mut Surface<'s>,
    pub fonts: &'p Fonts,
    /// The grey of everything that is drawn next, from 0 (black) to 255 (white).
    pub grey: u8,
}

impl Canvas<'_, '_> {
    pub fn fill_rect(&mut self, left: f32, top: f32, width: f32, height: f32) {
        self.fill_rects([(left, top, width, height)]);
    }

    /// Fills rectangles as one shape.
    pub fn fill_rects(&mut self, blocks: impl IntoIterator<Item = Rectangle>) {
        let mut path = PathBuilder::new();
        for (left, top, width, height) in blocks {
            if let Some(rect) = Rect::from_xywh(left, top, width, height) {
                path.push_rect(rect);
            }
        }
        if let Some(path) = path.finish() {
            self.set_fill();
            self.surface.draw_path(&path);
        }
    }

    fn set_fill(&mut self) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill {
            paint: luma::Color::new(self.grey).into(),
            ..Fill::default()
        }));
    }

    fn outline(&mut self, path: Option<Path>, width: f32) {
        if let Some(path) = path {
            self.surface.set_fill(None);
            self.surface.set_stroke(Some(Stroke {
                paint: luma::Color::new(self.grey).into(),
                width,
                ..Stroke::default()
            }));
            self.surface.draw_path(&path);
        }
    }

    /// Draws the outline inside the edges of the rectangle, so that the outline stays on the grid of dots.
    pub fn frame(&mut self, left: f32, top: f32, width: f32, height: f32, line: f32) {
        self.fill_rects([
            (left, top, width, line),
            (left, top + height - line, width, line),
            (left, top + line, line, height - 2.0 * line),
            (left + width - line, top + line, line, height - 2.0 * line),
        ]);
    }

    /// Draws the outline of a square that stands on its corner.
    pub fn diamond(&mut self, (x, y): Point, half: f32, line: f32) {
        let mut path = PathBuilder::new();
        path.move_to(x, y - half);
        path.line_to(x + half, y);
        path.line_to(x, y + half);
        path.line_to(x - half, y);
        path.close();
        self.outline(path.finish(), line);
    }

    /// Draws one line of text that begins at `left` and stands on `baseline`.
    pub fn text(&mut self, mut left: f32, baseline: f32, text: &str, style: Style, size: f32) {
        self.set_fill();
        for run in self.fonts.runs(text, style).iter() {
            let start = krilla::geom::Point::from_xy(left, baseline);
            self.surface
                .draw_glyphs(start, &run.glyphs, run.font(), &run.text, size, false);
            left += run.width(size);
        }
    }

    pub fn text_right(&mut self, right: f32, baseline: f32, text: &str, style: Style, size: f32) {
        let left = right - self.fonts.width(text, style, size);
        self.text(left, baseline, text, style, size);
    }

    pub fn text_centred(
        &mut self,
        centre: f32,
        baseline: f32,
        text: &str,
        style: Style,
        size: f32,
    ) {
        let left = centre - self.fonts.width(text, style, size) / 2.0;
        self.text(left, baseline, text, style, size);
    }

    /// Draws one line of text from `left`, with the size and text that [`Fonts::fitted`] finds for the room.
    pub fn text_fitted(
        &mut self,
        (left, baseline): Point,
        text: &str,
        style: Style,
        (most, least): (f32, f32),
        room: f32,
    ) {
        let (text, size) = self.fonts.fitted(text, style, most, least, room);
        self.text(left, baseline, &text, style, size);
    }

    /// Draws the bars of [`code_128`] with their upper left corner at a point.
    pub(super) fn bars(&mut self, (left, top): Point, bars: &[bool], module: f32, height: f32) {
        let mut at = 0;
        let bars = bars.chunk_by(|one, next| one == next).map(|bar| {
            let start = at;
            at += bar.len();
            (bar[0], start, bar.len())
        });
        let black = bars.filter(|(is_black, ..)| *is_black);
        let black = black.map(|(_, start, modules)| {
            let (start, modules) = (start as f32, modules as f32);
            (left + module * start, top, module * modules, height)
        });
        self.fill_rects(black);
    }

    /// Draws a logo into a rectangle, whose sides must have the proportions of the logo.
    pub(super) fn logo(&mut self, logo: &Logo, (left, top, width, height): Rectangle) {
        if let Some(size) = krilla::geom::Size::from_wh(width, height) {
            self.surface
                .push_transform(&Transform::from_translate(left, top));
            logo.draw(self.surface, size);
            self.surface.pop();
        }
    }
}

/// Encodes a text as Code 128: one entry for each module, true for black; `None` if the code has no such characters or
/// the text is empty or too long.
pub(super) fn code_128(text: &str) -> Option<Vec<bool>> {
    let code = Code128Writer.encode(text, &BarcodeFormat::CODE_128, 0, 1);
    let code = code.ok()?;
    Some((0..code.width()).map(|x| code.get(x, 0)).collect())
}
