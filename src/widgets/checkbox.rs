//! Checkboxes, toggled by the pointer or by Space.

use egui::{
    Align2, CornerRadius, Painter, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

use super::tokens::{CLEAR, palette, size};
use super::{icons, key_cap, paint, text};

const BOX: f32 = 16.0;

/// State of a checkbox for one thing or for several things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tick {
    Off,
    On,
    /// Some of several things are ticked and some are not.
    Mixed,
}

impl From<bool> for Tick {
    fn from(on: bool) -> Self {
        if on { Self::On } else { Self::Off }
    }
}

pub fn checkbox(ui: &mut Ui, on: &mut bool, words: &str) -> Response {
    checkbox_with_key(ui, on, words, "")
}

/// Draws a checkbox with its label and the cap of the shortcut that toggles it. See
/// [`key_cap::label`](super::key_cap::label).
pub fn checkbox_with_key(ui: &mut Ui, on: &mut bool, words: &str, key: &str) -> Response {
    let p = palette(ui);
    let enabled = ui.is_enabled();
    let ink = if enabled { p.text } else { p.muted };
    let cap = if key.is_empty() {
        0.0
    } else {
        key_cap::width(ui, key) + size::GRID
    };
    let room = (ui.available_width() - BOX - size::GRID - cap).max(40.0);
    let galley = text::paragraph(ui, text::body(words).color(ink), room);
    let height = galley.size().y.max(24.0);
    let (rect, mut response) = ui.allocate_exact_size(
        vec2(BOX + size::GRID + galley.size().x + cap, height),
        Sense::click(),
    );
    if response.clicked() {
        *on = !*on;
        response.mark_changed();
    }
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, enabled, *on, words));
    if ui.is_rect_visible(rect) {
        let centre = pos2(rect.left() + BOX / 2.0, rect.top() + 12.0);
        paint(ui, ui.painter(), centre, (*on).into(), response.hovered());
        let ring = Rect::from_center_size(centre, Vec2::splat(BOX + 4.0));
        paint::focus_ring(ui, &response, ring, 5);
        let top = if galley.rows.len() > 1 {
            rect.top() + 2.0
        } else {
            rect.center().y - galley.size().y / 2.0
        };
        if cap > 0.0 {
            let at = pos2(rect.right() - cap + size::GRID, rect.top() + 12.0);
            key_cap::paint(ui, ui.painter(), at, key);
        }
        ui.painter()
            .galley(pos2(rect.left() + BOX + size::GRID, top), galley, ink);
    }
    response
}

/// Paints the box without a label, for the rows of a table.
pub fn paint(ui: &Ui, painter: &Painter, centre: Pos2, tick: Tick, hovered: bool) {
    let p = palette(ui);
    let rect = Rect::from_center_size(centre, vec2(BOX, BOX));
    let on = tick != Tick::Off;
    let (fill, edge) = match (on, ui.is_enabled()) {
        (true, true) => (p.accent, p.accent),
        (true, false) => (p.muted, p.muted),
        (false, _) => (CLEAR, if hovered { p.text } else { p.muted }),
    };
    painter.rect(
        rect,
        CornerRadius::same(3),
        fill,
        Stroke::new(1.2, edge),
        StrokeKind::Inside,
    );
    let mark = match tick {
        Tick::Off => return,
        Tick::On => icons::ICON_CHECK,
        Tick::Mixed => icons::ICON_REMOVE,
    };
    let mark = paint::icon(ui, mark, 14.0, p.on_accent);
    paint::text_at(painter, Align2::CENTER_CENTER, centre, mark);
}
