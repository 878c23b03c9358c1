//! The header of a table: sorting by a column, dragging columns, and the box that ticks all rows.

use egui::{Align2, Id, Rect, RichText, Role, Sense, Stroke, Ui, WidgetInfo, vec2};

use super::super::checkbox::{self, Tick};
use super::super::tokens::palette;
use super::super::{icons, paint, text};
use super::delegate::Delegate;
use super::{Column, Sort};

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

    pub(super) fn header_tick(&mut self, ui: &mut Ui) {
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

    pub(super) fn header(&mut self, ui: &Ui, rect: Rect, at: usize) {
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

    /// Handles a header that is dragged to the place of another.
    fn drag(&mut self, ui: &Ui, rect: Rect, at: usize, response: &egui::Response) {
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
