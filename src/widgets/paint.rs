//! Painting that the widgets share: text and icons at a point, borders, focus rings, and the backgrounds of rows.

use std::sync::Arc;

use egui::{Align2, Color32, Frame, Galley, Painter, Pos2, Rect, Response, Stroke, StrokeKind, Ui};

use super::tokens::{Palette, palette, palette_for};
use super::{Icon, text};

/// Lays out an icon.
pub fn icon(ui: &Ui, icon: Icon, points: f32, ink: Color32) -> Arc<Galley> {
    text::plain(ui, icon.codepoint, text::icon_font(points), ink)
}

/// Paints laid out text so that its `anchor` is at `at`, and returns the rectangle of the text.
pub fn text_at(painter: &Painter, anchor: Align2, at: Pos2, galley: Arc<Galley>) -> Rect {
    let rect = anchor.anchor_size(at, galley.size());
    // The text was laid out with its colours, so the fallback colour is not used.
    painter.galley(rect.min, galley, Color32::PLACEHOLDER);
    rect
}

/// Returns a frame with a border of one point.
pub fn frame(fill: Color32, line: Color32, radius: u8) -> Frame {
    Frame::new()
        .fill(fill)
        .stroke(Stroke::new(1.0, line))
        .corner_radius(radius)
}

/// Returns the colours for the popup of a widget.
pub(super) fn palette_behind(owner: &Response) -> &'static Palette {
    palette_for(owner.ctx.global_style().visuals.dark_mode)
}

/// Paints a rectangle with a border of one point inside it.
pub(super) fn bordered(painter: &Painter, rect: Rect, radius: u8, fill: Color32, line: Color32) {
    painter.rect(
        rect,
        radius,
        fill,
        Stroke::new(1.0, line),
        StrokeKind::Inside,
    );
}

/// Paints a border inside `rect`.
pub(super) fn border(painter: &Painter, rect: Rect, radius: u8, width: f32, line: Color32) {
    painter.rect_stroke(rect, radius, Stroke::new(width, line), StrokeKind::Inside);
}

/// Paints a ring inside `rect` while the response has the focus.
pub fn focus_ring(ui: &Ui, response: &Response, rect: Rect, radius: u8) {
    if response.has_focus() {
        border(ui.painter(), rect, radius, 2.0, palette(ui).accent);
    }
}

/// Paints the background of a row in a list, and returns the colour of its text.
pub fn row_background(ui: &Ui, response: &Response, marked: bool, radius: u8) -> Color32 {
    let p = palette(ui);
    let (fill, ink) = if marked {
        (p.accent_weak, p.accent)
    } else if response.hovered() {
        (p.raised, p.text)
    } else {
        (p.surface, p.text)
    };
    ui.painter().rect_filled(response.rect, radius, fill);
    ink
}
