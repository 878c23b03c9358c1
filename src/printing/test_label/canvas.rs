//! Draws a PDF page in units of the printer's dots, so that lines of whole dots are printed as whole dots.

use krilla::Document;
use krilla::color::luma;
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::TextDirection;

use super::super::fonts::{DrawnPdf, Fonts, Style};

/// Draws on a page. All coordinates are in dots from the top left corner.
pub(super) struct Canvas<'p, 's> {
    surface: &'p mut Surface<'s>,
    fonts: Fonts,
    size: (u32, u32),
    scale: f32,
}

/// Makes a document of one page; `size` is in dots and `scale` in dots per millimetre.
#[expect(clippy::cast_possible_truncation, reason = "dots and millimetres")]
pub(super) fn page(
    size: (u32, u32),
    scale: f64,
    draw: impl FnOnce(&mut Canvas<'_, '_>),
) -> Option<DrawnPdf> {
    let points = (72.0 / 25.4 / scale) as f32;
    // A hundredth of a point more, so that a renderer that rounds down to whole dots keeps the last dot.
    let length = |dots: u32| dots as f32 * points + 0.01;
    let mut document = Document::new();
    let settings = PageSettings::from_wh(length(size.0), length(size.1))?;
    let mut page = document.start_page_with(settings);
    let mut surface = page.surface();
    surface.push_transform(&Transform::from_scale(points, points));
    let mut pen = Canvas {
        surface: &mut surface,
        fonts: Fonts::load()?,
        size,
        scale: scale as f32,
    };
    draw(&mut pen);
    let missing_letters = pen.fonts.missing_letters();
    surface.pop();
    surface.finish();
    page.finish();
    Some(DrawnPdf {
        pdf: document.finish().ok()?,
        missing_letters,
    })
}

impl Canvas<'_, '_> {
    pub(super) fn width(&self) -> f32 {
        self.size.0 as f32
    }

    pub(super) fn height(&self) -> f32 {
        self.size.1 as f32
    }

    /// Converts millimetres to dots.
    pub(super) fn mm(&self, mm: f32) -> f32 {
        mm * self.scale
    }

    /// The width of a line that is visible at every resolution: a quarter of a millimetre, in whole dots.
    pub(super) fn line(&self) -> f32 {
        (self.scale / 4.0).round().max(2.0)
    }

    /// Draws filled rectangles (left, top, width, height).
    pub(super) fn blocks(&mut self, blocks: &[(f32, f32, f32, f32)]) {
        let mut path = PathBuilder::new();
        for (left, top, width, height) in blocks {
            if let Some(rect) = Rect::from_xywh(*left, *top, *width, *height) {
                path.push_rect(rect);
            }
        }
        if let Some(path) = path.finish() {
            self.fill();
            self.surface.draw_path(&path);
        }
    }

    /// Draws a line of text that starts at `left` and stands on `baseline`.
    pub(super) fn text(&mut self, left: f32, baseline: f32, text: &str, style: Style, size: f32) {
        self.fill();
        let font = self.fonts.font(style);
        let text = self.fonts.printable(text, style);
        let start = Point::from_xy(left, baseline);
        let direction = TextDirection::LeftToRight;
        self.surface
            .draw_text(start, font, size, &text, false, direction);
    }

    fn fill(&mut self) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill {
            paint: luma::Color::black().into(),
            ..Fill::default()
        }));
    }
}
