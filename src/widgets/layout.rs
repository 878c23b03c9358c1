//! Layouts: rows of form fields that line up with the rows below, columns, and the panes of a screen.

use egui::{Align, Layout, Rect, Ui, UiBuilder, Vec2, pos2, vec2};

use super::tokens::size;

/// Draws a row of cells that share the width by weight, with the usual gap between form fields. The columns of a form
/// line up if the weights of each row add up to the same number.
pub fn row(ui: &mut Ui, weights: &[f32], cell: impl FnMut(usize, &mut Ui)) {
    columns(ui, weights, size::FIELD_GAP, cell);
}

/// Draws columns that share the width by weight. The row is as high as its highest cell.
pub fn columns(ui: &mut Ui, weights: &[f32], gap: f32, mut cell: impl FnMut(usize, &mut Ui)) {
    let total: f32 = weights.iter().sum();
    // A cell of weight w spans w units and the gaps between these units.
    let unit = (ui.available_width() - gap * (total - 1.0)) / total;
    let top_left = ui.cursor().min;
    let height = ui.available_height();
    let mut x = top_left.x;
    let mut bottom = top_left.y;
    for (index, weight) in weights.iter().enumerate() {
        let width = unit * weight + gap * (weight - 1.0);
        let size = vec2(width.max(1.0), height);
        let mut child = child(
            ui,
            Rect::from_min_size(pos2(x, top_left.y), size),
            ("cell", index),
        );
        child.set_width(size.x);
        cell(index, &mut child);
        bottom = bottom.max(child.min_rect().bottom());
        x += width + gap;
    }
    let used = Rect::from_min_max(top_left, pos2(top_left.x + ui.available_width(), bottom));
    ui.advance_cursor_after_rect(used);
}

/// Draws content in a space of exactly `size` points.
pub fn sized<R>(ui: &mut Ui, size: Vec2, content: impl FnOnce(&mut Ui) -> R) -> R {
    let shown = ui.allocate_ui(size, |ui| {
        ui.set_min_size(size);
        ui.set_max_size(size);
        content(ui)
    });
    shown.inner
}

/// Draws panes side by side, with the given widths in points, as high as the available space.
pub fn panes(ui: &mut Ui, widths: &[f32], mut pane: impl FnMut(usize, &mut Ui)) {
    let room = ui.available_rect_before_wrap();
    let mut x = room.left();
    for (index, width) in widths.iter().enumerate() {
        let size = vec2(*width, room.height());
        let mut child = child(
            ui,
            Rect::from_min_size(pos2(x, room.top()), size),
            ("pane", index),
        );
        child.spacing_mut().item_spacing = vec2(size::GRID, size::GUTTER);
        pane(index, &mut child);
        x += width + size::GUTTER;
    }
    ui.advance_cursor_after_rect(room);
}

fn child(ui: &mut Ui, rect: Rect, salt: (&str, usize)) -> Ui {
    let layout = Layout::top_down(Align::Min);
    let builder = UiBuilder::new().max_rect(rect).layout(layout);
    ui.new_child(builder.id_salt(salt))
}
