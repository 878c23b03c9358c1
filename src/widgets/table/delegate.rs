//! Drawing of a table's rows and cells, as the delegate of `egui_table`.

use egui::accesskit::Role as AccessRole;
use egui::{Align2, Color32, Id, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo, vec2};
use egui_table::{CellInfo, HeaderCellInfo, PrefetchInfo, TableDelegate};

use super::super::checkbox;
use super::super::tokens::{palette, size};
use super::super::{icons, paint};
use super::cell::Cell;
use super::{Requests, Rows, Table, TableState};

pub(super) struct Delegate<'a> {
    pub(super) id: Id,
    pub(super) table: &'a Table<'a>,
    pub(super) state: &'a mut TableState,
    pub(super) rows: &'a mut dyn Rows,
    pub(super) focused: bool,
    /// Left edge of the table, which tells the sticky part of a row from the part that scrolls sideways.
    pub(super) left: f32,
    pub(super) requests: &'a mut Requests,
    /// Rectangle of the row under the cursor, if the row is visible.
    pub(super) cursor_rect: Option<Rect>,
    /// The row that is being drawn.
    pub(super) row: Row,
}

/// Properties of the row that is being drawn, computed once for all of its cells.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    index: usize,
    key: u64,
    chosen: bool,
    held: bool,
    quiet: bool,
    under_cursor: bool,
}

impl Delegate<'_> {
    fn row(&mut self, index: usize) -> Row {
        let key = self.rows.key(index);
        self.row = Row {
            index,
            key,
            chosen: self.state.selection.contains(key),
            held: self.rows.is_tick_blocked(index),
            quiet: self.rows.is_muted(index),
            under_cursor: self.state.selection.cursor() == Some(key),
        };
        self.row
    }

    fn pressed(&mut self, ui: &Ui, index: usize) {
        let key = self.rows.key(index);
        let held = ui.input(|input| input.modifiers);
        let can_be_ticked = !self.rows.is_tick_blocked(index);
        if held.shift {
            self.state.selection.extend_to(self.rows, index);
        } else if !can_be_ticked {
            if !held.command {
                self.state.selection.clear();
            }
        } else if held.command {
            self.state.selection.toggle(key);
        } else {
            self.state.selection.tick_only(key);
        }
        self.focus_row(ui, index);
    }

    fn focus_row(&mut self, ui: &Ui, index: usize) {
        self.state.selection.move_to(self.rows, index);
        ui.memory_mut(|memory| memory.request_focus(self.id));
    }

    /// Describes a row to screen readers, which read the row that the cursor moves to.
    fn speak_row(&self, ui: &Ui, response: &Response, row: Row) {
        let index = row.index;
        response.widget_info(|| {
            WidgetInfo::selected(Role::Row, true, row.chosen, self.rows.name(index))
        });
        let held = self.rows.tick_block_reason(index);
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_row_index(index);
            if let Some(why) = held {
                node.set_description(why);
            }
        });
        if row.under_cursor && self.focused {
            ui.ctx().accesskit_node_builder(self.id, |node| {
                node.set_active_descendant(response.id.accesskit_id());
            });
        }
    }

    /// Handles a right click. The menu is for the ticked rows; a row that is not ticked becomes
    /// the only ticked row.
    fn pressed_for_menu(&mut self, ui: &Ui, row: Row) {
        if !row.chosen {
            self.state.selection.clear();
            if !row.held {
                self.state.selection.tick_only(row.key);
            }
        }
        self.focus_row(ui, row.index);
        self.requests.menu = ui.input(|input| input.pointer.interact_pos());
    }

    fn tick(&mut self, ui: &Ui, rect: Rect) {
        let row = self.row;
        if row.held {
            let icon = paint::icon(ui, icons::ICON_LOCK, size::ICON, palette(ui).unknown);
            paint::text_at(ui.painter(), Align2::CENTER_CENTER, rect.center(), icon);
            return;
        }
        let response = ui.interact(rect, ui.scope_id().with("tick"), Sense::CLICK);
        if response.clicked() {
            self.state.selection.toggle(row.key);
            self.focus_row(ui, row.index);
        }
        let tick = self.state.selection.contains(row.key).into();
        checkbox::paint(ui, ui.painter(), rect.center(), tick, response.hovered());
    }
}

impl TableDelegate for Delegate<'_> {
    fn prepare(&mut self, info: &PrefetchInfo) {
        let first = usize::try_from(info.visible_rows.start).unwrap_or_default();
        let end = usize::try_from(info.visible_rows.end).unwrap_or_default();
        self.state.visible_rows = first..end;
        self.state.first_row = (first < self.rows.count()).then(|| (first, self.rows.key(first)));
    }

    fn header_cell_ui(&mut self, ui: &mut Ui, cell: &HeaderCellInfo) {
        let rect = ui.max_rect();
        fill_with_rule(ui, rect, palette(ui).head);
        let first = usize::from(self.table.ticks);
        match cell.col_range.start.checked_sub(first) {
            None => self.header_tick(ui),
            Some(at) => self.header(ui, rect, at),
        }
    }

    fn row_ui(&mut self, ui: &mut Ui, row_nr: u64) {
        let Ok(index) = usize::try_from(row_nr) else {
            return;
        };
        let p = palette(ui);
        let rect = ui.max_rect();
        let row = self.row(index);
        let seen = rect.intersect(ui.clip_rect());
        if seen.width() < 1.0 {
            return;
        }
        let response = ui.interact(seen, ui.scope_id().with("row"), Sense::CLICK);
        // With sticky columns a row is drawn in two parts, but screen readers get one row.
        if seen.left() < self.left + 1.0 {
            self.speak_row(ui, &response, row);
            if row.under_cursor {
                self.cursor_rect = Some(seen);
            }
        }
        if response.clicked() {
            self.pressed(ui, index);
        }
        if response.double_clicked() {
            self.requests.opened = Some(index);
        }
        if response.secondary_clicked() {
            self.pressed_for_menu(ui, row);
        }
        let hovered = response.hovered();
        if hovered && let Some(why) = self.rows.tick_block_reason(index) {
            response.on_hover_text(why);
        }
        let fill = if row.chosen {
            p.accent_weak
        } else if hovered || row.under_cursor {
            p.raised
        } else {
            p.surface
        };
        fill_with_rule(ui, rect, fill);
        if row.under_cursor {
            let painter = ui.painter();
            let ink = if self.focused {
                p.accent
            } else {
                p.strong_border
            };
            let bar = Rect::from_min_size(rect.min, vec2(4.0, rect.height()));
            painter.rect_filled(bar, 0.0, ink);
            let line = Stroke::new(2.0, ink);
            painter.hline(rect.x_range(), rect.top() + 1.0, line);
            painter.hline(rect.x_range(), rect.bottom() - 1.0, line);
        }
    }

    fn cell_ui(&mut self, ui: &mut Ui, cell: &CellInfo) {
        let rect = ui.max_rect();
        let Some(at) = cell.col_nr.checked_sub(usize::from(self.table.ticks)) else {
            return self.tick(ui, rect);
        };
        let row = self.row;
        let is_marked = self.table.movable_columns && self.state.marked_column == Some(at);
        if is_marked && self.focused && row.under_cursor {
            let edge = rect.shrink2(vec2(1.0, 1.5));
            paint::border(ui.painter(), edge, 3, 1.0, palette(ui).accent);
        }
        let mut cell = Cell {
            inner: rect.shrink2(vec2(8.0, 0.0)),
            ui,
            right: self.table.columns[at].right,
            pen: 0.0,
            widest: 20.0,
            quiet: row.quiet,
            spoken: String::new(),
        };
        self.rows.cell(&mut cell, row.index, at);
        let (widest, spoken) = (cell.widest, cell.spoken);
        if row.under_cursor && self.focused {
            // Only cells of the row that is read out get nodes: nodes for all cells would
            // be thousands a second.
            ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
                node.set_role(AccessRole::Cell);
                node.set_label(format!("{}: {spoken}", self.table.columns[at].title));
                node.set_column_index(at);
            });
        }
        // Painted text allocates no space, but a column that is fitted to its contents needs
        // to know their width.
        if ui.is_sizing_pass() {
            ui.allocate_space(Vec2::new(widest, 1.0));
        }
    }

    fn default_row_height(&self) -> f32 {
        size::ROW
    }
}

/// Paints the background of a row or of the header, and the line below.
fn fill_with_rule(ui: &Ui, rect: Rect, fill: Color32) {
    let rule = Stroke::new(1.0, palette(ui).border);
    ui.painter().rect_filled(rect, 0.0, fill);
    ui.painter()
        .hline(rect.x_range(), rect.bottom() - 0.5, rule);
}
