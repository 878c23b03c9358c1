//! Drawing of a table's header, rows and cells, as the delegate of `egui_table`. Text, badges and icons are painted
//! into a cell, without separate widgets.

use egui::accesskit::Role as AccessRole;
use egui::{
    Align2, Color32, FontId, Id, Painter, Pos2, Rect, Response, RichText, Role, Sense, Stroke, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};
use egui_table::{CellInfo, HeaderCellInfo, PrefetchInfo, TableDelegate};

use super::super::badge::{self, Badge};
use super::super::checkbox::{self, Tick};
use super::super::tokens::{Tone, palette, size};
use super::super::{Icon, icons, paint, text};
use super::{Column, Requests, Rows, Sort, Table, TableState};

pub(super) struct Delegate<'a> {
    pub(super) id: Id,
    pub(super) table: &'a Table<'a>,
    pub(super) state: &'a mut TableState,
    pub(super) rows: &'a mut dyn Rows,
    pub(super) focused: bool,
    /// Left edge of the table. The sticky part of a row begins here; the other part scrolls sideways.
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

    /// Handles a right click. The menu is for the ticked rows. A click on a row that is not ticked ticks only that
    /// row, if it can be ticked.
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
            // Only the cells of the row that is read out get nodes, because nodes for all cells would be thousands a
            // second.
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

impl Delegate<'_> {
    /// Returns whether all, some or none of the listed rows are ticked. Rows hidden by a filter do not count.
    fn tick_state_of_all(&self) -> Tick {
        let (chosen, count) = (self.rows.ticked(&self.state.selection), self.rows.count());
        match chosen {
            0 => Tick::Off,
            _ if chosen >= count => Tick::On,
            _ => Tick::Mixed,
        }
    }

    fn header_tick(&mut self, ui: &mut Ui) {
        let rect = ui.max_rect();
        let response = ui.interact(rect, self.id.with("all"), Sense::CLICK);
        if response.clicked() {
            self.state.selection.toggle_all(self.rows);
        }
        let tick = self.tick_state_of_all();
        response.widget_info(|| {
            WidgetInfo::selected(Role::CheckBox, true, tick == Tick::On, "All rows")
        });
        checkbox::paint(ui, ui.painter(), rect.center(), tick, response.hovered());
    }

    fn header(&mut self, ui: &Ui, rect: Rect, at: usize) {
        let p = palette(ui);
        let column = self.table.columns[at];
        let marked = self.focused && self.state.marked_column == Some(at);
        let mut lit = marked;
        if column.sortable || self.table.movable_columns {
            lit |= self.header_touched(ui, rect, at);
        }
        if lit {
            let line = Stroke::new(2.0, if marked { p.accent } else { p.strong_border });
            ui.painter()
                .hline(rect.x_range(), rect.bottom() - 1.5, line);
        }
        title(ui, rect, column, self.sorted_by(at));
    }

    fn sorted_by(&self, column: usize) -> Option<Sort> {
        self.state.sort.filter(|sort| sort.column == column)
    }

    /// Handles clicks and drags of a header, and returns whether the pointer is over it.
    fn header_touched(&mut self, ui: &Ui, rect: Rect, at: usize) -> bool {
        let (column, sorted) = (self.table.columns[at], self.sorted_by(at));
        let sense = if self.table.movable_columns {
            Sense::CLICK | Sense::DRAG
        } else {
            Sense::CLICK
        };
        let response = ui.interact(rect, self.id.with(("header", column.key)), sense);
        response.widget_info(|| WidgetInfo::labeled(Role::ColumnHeader, true, column.title));
        if let Some(sort) = sorted {
            let words = if sort.descending {
                "Largest first"
            } else {
                "Smallest first"
            };
            ui.ctx()
                .accesskit_node_builder(response.id, |node| node.set_description(words));
        }
        if response.clicked() && column.sortable {
            self.state.sort = match sorted {
                Some(sort) if sort.descending => None,
                sorted => Some(Sort {
                    column: at,
                    descending: sorted.is_some(),
                }),
            };
        }
        if response.secondary_clicked() {
            self.requests.header_menu = true;
        }
        if self.table.movable_columns {
            self.drag(ui, rect, at, &response);
        }
        response.hovered()
    }

    /// Handles a header that is dragged to the place of another header.
    fn drag(&mut self, ui: &Ui, rect: Rect, at: usize, response: &Response) {
        let held: Id = self.id.with("dragged");
        if response.drag_started() {
            ui.data_mut(|data| data.insert_temp(held, at));
        }
        let Some(from) = ui.data(|data| data.get_temp::<usize>(held)) else {
            return;
        };
        let pointer = ui.input(|input| input.pointer.latest_pos());
        let is_here = pointer.is_some_and(|pointer| rect.x_range().contains(pointer.x));
        if is_here && from != at {
            let x = if from < at {
                rect.right() - 1.0
            } else {
                rect.left() + 1.0
            };
            let line = Stroke::new(3.0, palette(ui).accent);
            ui.painter().vline(x, rect.y_range(), line);
            if ui.input(|input| input.pointer.any_released()) {
                self.requests.moved = Some((from, at));
            }
        }
    }

    /// Ends a drag once the pointer was released.
    pub(super) fn end_drag(&self, ui: &Ui) {
        if !ui.input(|input| input.pointer.any_down()) {
            ui.data_mut(|data| data.remove::<usize>(self.id.with("dragged")));
        }
    }
}

fn title(ui: &Ui, rect: Rect, column: Column, sorted: Option<Sort>) {
    let p = palette(ui);
    let inner = rect.shrink2(vec2(8.0, 0.0));
    let arrow_width = if sorted.is_some() { 16.0 } else { 0.0 };
    let title = RichText::new(column.title).font(text::small_strong_font());
    let title = text::line(ui, title, inner.width() - arrow_width, p.muted);
    let mut at = inner.left_center();
    if column.right {
        at.x = inner.right() - title.size().x - arrow_width;
    }
    let title = paint::text_at(ui.painter(), Align2::LEFT_CENTER, at, title);
    if let Some(sort) = sorted {
        let arrow = if sort.descending {
            icons::ICON_ARROW_DOWNWARD
        } else {
            icons::ICON_ARROW_UPWARD
        };
        let arrow = paint::icon(ui, arrow, 14.0, p.accent);
        at.x = title.right() + 3.0;
        paint::text_at(ui.painter(), Align2::LEFT_CENTER, at, arrow);
    }
}

/// A cell to paint into. Several calls paint from left to right, except for text in a right-aligned column.
pub struct Cell<'a> {
    inner: Rect,
    ui: &'a mut Ui,
    right: bool,
    pen: f32,
    widest: f32,
    /// True if the whole row is drawn in the muted colour.
    quiet: bool,
    /// Text of the cell for screen readers.
    spoken: String,
}

impl Cell<'_> {
    /// Returns the `Ui`, for any widget that fits into a row.
    pub fn ui(&mut self) -> &mut Ui {
        self.ui
    }

    fn ink(&self) -> Color32 {
        let p = palette(self.ui);
        if self.quiet { p.muted } else { p.text }
    }

    /// Paints text in the row's own colour.
    pub fn text(&mut self, words: &str) {
        let ink = self.ink();
        self.line(words, text::cell_font(), ink);
    }

    pub fn muted(&mut self, words: &str) {
        let ink = palette(self.ui).muted;
        self.line(words, text::cell_font(), ink);
    }

    pub fn toned(&mut self, words: &str, tone: Tone) {
        let ink = tone.ink(palette(self.ui));
        self.line(words, text::cell_font(), ink);
    }

    pub fn strong(&mut self, words: &str) {
        let font = FontId {
            size: size::CELL,
            ..text::strong_font()
        };
        let ink = self.ink();
        self.line(words, font, ink);
    }

    /// Paints an id or a reference.
    pub fn mono(&mut self, words: &str) {
        let ink = self.ink();
        self.line(words, text::mono_font(), ink);
    }

    pub fn badge(&mut self, badge: &Badge<'_>) {
        self.speak(badge.accessible_name());
        let size = badge.size(self.ui);
        let at = self.at() - vec2(4.0, 0.0);
        badge.paint(self.ui, &self.painter(), at);
        self.took(size.x);
    }

    /// Paints an icon, which screen readers skip.
    pub fn icon(&mut self, icon: Icon, ink: Color32) {
        let galley = paint::icon(self.ui, icon, size::ICON, ink);
        paint::text_at(&self.painter(), Align2::LEFT_CENTER, self.at(), galley);
        self.took(size::ICON);
    }

    /// Paints the diamond mark for dangerous goods.
    pub fn dangerous(&mut self) {
        self.speak("Dangerous goods");
        let at = self.at() + vec2(7.0, 0.0);
        badge::diamond(&self.painter(), at, 6.0, palette(self.ui).bad);
        self.took(16.0);
    }

    /// Paints a bar in place of text, for a row that is not loaded yet.
    pub fn placeholder(&mut self) {
        let size = vec2((self.inner.width() * 0.6).max(8.0), 8.0);
        let at = if self.right {
            Align2::RIGHT_CENTER.anchor_size(self.inner.right_center(), size)
        } else {
            Align2::LEFT_CENTER.anchor_size(self.at(), size)
        };
        let ink = palette(self.ui).border;
        self.painter().rect_filled(at, 4.0, ink);
        self.took(size.x);
    }

    /// Leaves a space of this width in points, and returns its rectangle.
    pub fn space(&mut self, width: f32) -> Rect {
        let size = vec2(width, self.inner.height());
        let place = Align2::LEFT_CENTER.anchor_size(self.at(), size);
        self.took(width);
        place
    }

    fn speak(&mut self, words: &str) {
        if !self.spoken.is_empty() {
            self.spoken.push(' ');
        }
        self.spoken.push_str(words);
    }

    fn line(&mut self, words: &str, font: FontId, ink: Color32) {
        self.speak(words);
        let room = self.inner.width() - self.pen;
        if room <= 4.0 || words.is_empty() {
            return;
        }
        let galley = text::cut(self.ui, words, font, room, ink);
        let width = galley.size().x;
        let y = self.inner.center().y - galley.size().y / 2.0;
        let x = if self.right {
            self.inner.right() - width
        } else {
            self.inner.left() + self.pen
        };
        // Truncated text always fits, so the narrower clip rectangle of `painter` is not needed.
        self.ui.painter().galley(pos2(x, y), galley, ink);
        self.took(width);
    }

    fn at(&self) -> Pos2 {
        pos2(self.inner.left() + self.pen, self.inner.center().y)
    }

    fn painter(&self) -> Painter {
        let inner = self.inner.expand2(vec2(6.0, 0.0));
        let clip = inner.intersect(self.ui.clip_rect());
        self.ui.painter().with_clip_rect(clip)
    }

    fn took(&mut self, width: f32) {
        self.pen += width + 5.0;
        self.widest = self.widest.max(self.pen + 20.0);
    }
}
