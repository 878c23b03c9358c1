//! Draws text and rectangles on the pages of a PDF. All coordinates start in the top left corner.

use krilla::color::luma;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::TextDirection;

use super::fonts::{Fonts, Style};

/// Left, top, width and height.
pub(super) type Rectangle = (f32, f32, f32, f32);

/// Draws on one page. Greys run from 0 (black) to 255 (white).
pub(super) struct Canvas<'p, 's> {
    pub(super) surface: &'p mut Surface<'s>,
    pub(super) fonts: &'p Fonts,
}

impl Canvas<'_, '_> {
    /// Draws a line of text, left-aligned at `at` on its baseline.
    pub(super) fn text(&mut self, at: (f32, f32), text: &str, style: Style, size: f32, grey: u8) {
        self.fill(grey);
        let (start, font) = (Point::from_xy(at.0, at.1), self.fonts.font(style));
        let text = self.fonts.printable(text, style);
        let direction = TextDirection::LeftToRight;
        self.surface
            .draw_text(start, font, size, &text, false, direction);
    }

    /// Draws filled rectangles.
    pub(super) fn blocks(&mut self, blocks: &[Rectangle], grey: u8) {
        self.fill(grey);
        self.draw(blocks);
    }

    /// Draws an outlined rectangle.
    pub(super) fn frame(&mut self, frame: Rectangle, grey: u8) {
        self.surface.set_fill(None);
        self.surface.set_stroke(Some(Stroke {
            paint: luma::Color::new(grey).into(),
            width: 0.8,
            ..Stroke::default()
        }));
        self.draw(&[frame]);
    }

    fn fill(&mut self, grey: u8) {
        self.surface.set_stroke(None);
        self.surface.set_fill(Some(Fill {
            paint: luma::Color::new(grey).into(),
            ..Fill::default()
        }));
    }

    fn draw(&mut self, rectangles: &[Rectangle]) {
        let mut path = PathBuilder::new();
        for (left, top, width, height) in rectangles {
            if let Some(rect) = Rect::from_xywh(*left, *top, *width, *height) {
                path.push_rect(rect);
            }
        }
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }
}
