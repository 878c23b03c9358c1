//! Layouts: rows of form fields that line up with the rows below, columns, and the panes of a screen.

use egui::{Align, Layout, Rect, Ui, UiBuilder, pos2, vec2};

use super::tokens::size;

/// Draws a row of cells that share the width by weight, with the gap of a form between them. The columns of a
/// form line up if the weights of each row add up to the same number.
pub fn row(ui: &mut Ui, weights: &[f32], cell: impl FnMut(usize, &mut Ui)) {
    columns(ui, weights, size::FIELD_GAP, cell);
}

/// Draws columns that share the width by weight. The row is as high as its highest cell.
pub fn columns(ui: &mut Ui, weights: &[f32], gap: f32, mut cell: impl FnMut(usize, &mut Ui)) {
    let total: f32 = weights.iter().sum();
    // A cell of weight w spans w units and the gaps between them, as in a printed grid.
    let unit = (ui.available_width() - gap * (total - 1.0)) / total;
    let top_left = ui.cursor().min;
    let height = ui.available_height();
    let mut x = top_left.x;
    let mut bottom = top_left.y;
    for (index, weight) in weights.iter().enumerate() {
        let width = unit * weight + gap * (weight - 1.0);
        let max_rect = Rect::from_min_size(pos2(x, top_left.y), vec2(width.max(1.0), height));
        let builder = UiBuilder::new()
            .max_rect(max_rect)
            .layout(Layout::top_down(Align::Min))
            .id_salt(("cell", index));
        let mut child = ui.new_child(builder);
        child.set_width(max_rect.width());
        cell(index, &mut child);
        bottom = bottom.max(child.min_rect().bottom());
        x += width + gap;
    }
    let used = Rect::from_min_max(top_left, pos2(top_left.x + ui.available_width(), bottom));
    ui.advance_cursor_after_rect(used);
}

/// Draws panes side by side, with the given widths in points, as high as the available space.
pub fn panes(ui: &mut Ui, widths: &[f32], mut pane: impl FnMut(usize, &mut Ui)) {
    let room = ui.available_rect_before_wrap();
    let mut x = room.left();
    for (index, width) in widths.iter().enumerate() {
        let max_rect = Rect::from_min_size(pos2(x, room.top()), vec2(*width, room.height()));
        let builder = UiBuilder::new()
            .max_rect(max_rect)
            .layout(Layout::top_down(Align::Min))
            .id_salt(("pane", index));
        let mut child = ui.new_child(builder);
        child.spacing_mut().item_spacing = vec2(size::GRID, size::GUTTER);
        pane(index, &mut child);
        x += width + size::GUTTER;
    }
    ui.advance_cursor_after_rect(room);
}
