//! Painting that the widgets share: text and icons at a point, focus rings, and the backgrounds of rows.

use std::sync::Arc;

use egui::{
    Align2, Color32, CornerRadius, Galley, Painter, Pos2, Rect, Response, Stroke, StrokeKind, Ui,
};

use super::tokens::palette;
use super::{Icon, text};

/// Lays out an icon.
pub fn icon(ui: &Ui, icon: Icon, points: f32, ink: Color32) -> Arc<Galley> {
    text::plain(ui, icon.codepoint, text::icon_font(points), ink)
}

/// Paints laid out text so that its `anchor` is at `at`, and returns the rectangle of the text.
pub fn text_at(painter: &Painter, anchor: Align2, at: Pos2, galley: Arc<Galley>) -> Rect {
    let rect = anchor.anchor_size(at, galley.size());
    // The text was laid out in its colours, so nothing is left for the fallback colour.
    painter.galley(rect.min, galley, Color32::PLACEHOLDER);
    rect
}

/// Paints a ring inside `rect` while the response has the focus.
pub fn focus_ring(ui: &Ui, response: &Response, rect: Rect, radius: u8) {
    if response.has_focus() {
        let stroke = Stroke::new(2.0, palette(ui).accent);
        let radius = CornerRadius::same(radius);
        ui.painter()
            .rect_stroke(rect, radius, stroke, StrokeKind::Inside);
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
    let radius = CornerRadius::same(radius);
    ui.painter().rect_filled(response.rect, radius, fill);
    ink
}
